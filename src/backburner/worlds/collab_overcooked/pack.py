"""What Collab-Overcooked has to offer, by name."""

from backburner.kernel.pack import LATENCY, Argument, Decoding, Entry, Headline, Pack

HERE = "backburner.worlds.collab_overcooked"
COOKS = f"{HERE}.agents"

PACK = Pack(
    name="collab_overcooked",
    title="Collab-Overcooked (EMNLP 2025, arXiv 2502.20073)",
    version=4,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics.score:scoring",
    assessment=f"{HERE}.metrics.assessment:assessment",
    reproductions=f"{HERE}:data/reproductions.json",
    annotations=f"{HERE}.metrics.assessment:ANNOTATIONS",
    oracle=f"{HERE}.oracle.solver:ORACLE",
    generator=f"{HERE}.oracle.generator:GENERATOR",
    oracle_arguments=(
        Argument(name="space", help="plans of calls (as usual) or of moves", values=("calls", "moves")),
        Argument(
            name="foods",
            help="what the calls of plans may fetch, the recipes' own foods (as usual) or all",
            values=("own", "all"),
        ),
        LATENCY,
    ),
    agents={
        "greedy": Entry(f"{COOKS}.cooks:GreedyCooks", "one cook asks for what is needed, the other does it"),
        "clumsy": Entry(f"{COOKS}.cooks:ClumsyCooks", "as greedy, with seeded slips"),
        "oracle": Entry(f"{COOKS}.oracle:oracle_cooks", "plays the shipped plan, or the best that is found"),
    },
    stand_in=f"{COOKS}.oracle:known_cooks",
    shipped_plan=f"{COOKS}.oracle:shipped_cooks",
    steps_to_go=Entry(f"{HERE}.oracle.steps_to_go:to_go_of_calls", "what each call brought"),
    headline=Headline({f"level{level}": "SR*" for level in range(1, 7)}, HERE, f"{HERE}.metrics.score:best"),
    # The released program's 0.7; no caps are told.
    decoding=Decoding(temperature=0.7, max_tokens=1024),
    parts=f"{HERE}.game.scenarios:parts",
    picks={
        "boiled_egg": "two cooks, of whom one knows the recipe",
        "baked_potato_slices": "the same, with a dish of more steps",
    },
)
