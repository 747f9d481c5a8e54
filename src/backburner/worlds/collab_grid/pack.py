"""What the grid of Collab-Overcooked has to offer, by name.

It is a variant of Collab-Overcooked: kitchens, recipes, orders and horizons come from that world's game.
"""

from backburner.kernel.pack import LATENCY, Entry, Pack

HERE = "backburner.worlds.collab_grid"

PACK = Pack(
    name="collab_grid",
    title="The grid of Collab-Overcooked, move by move (EMNLP 2025, arXiv 2502.20073)",
    version=2,
    catalogue=f"{HERE}.game:catalogue",
    scoring=f"{HERE}.metrics:scoring",
    encoding=f"{HERE}.arrays.encoding:encoding",
    batch=f"{HERE}.arrays.tables:batch",
    entities=f"{HERE}.arrays.entities:entities",
    player=f"{HERE}.agents.learned:player",
    training=f"{HERE}:data/learned/configuration.json",
    oracle=f"{HERE}.oracle.solver:ORACLE",
    generator=f"{HERE}.oracle.generator:GENERATOR",
    surveyed=f"{HERE}:level1+level2+level3+level4+level5+level6",
    oracle_arguments=(LATENCY,),
    agents={
        "greedy": Entry(f"{HERE}.agents.cooks:GreedyCooks", "shares the recipe's next tasks, walks to each"),
        "learned": Entry(
            f"{HERE}.agents.learned:learned", "a network that reads the recipes, trained by backburner train"
        ),
        "learned-low": Entry(f"{HERE}.agents.learned:learned_low", "the same network early in its training"),
        "oracle": Entry(
            f"{HERE}.agents.cooks:oracle_cooks",
            "plays the shipped plan of moves, or the best that is found in a minute",
        ),
    },
    shipped_plan=f"{HERE}.agents.cooks:shipped_cooks",
    parts="backburner.worlds.collab_overcooked.game.scenarios:parts",
    picks={
        "boiled_egg": "two cooks, move by move",
        "baked_potato_slices": "the same, with a dish of more steps",
    },
)
