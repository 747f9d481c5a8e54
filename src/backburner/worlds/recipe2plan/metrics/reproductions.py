"""The tables and figures of Recipe2Plan's article that can be made again."""

from __future__ import annotations

from backburner.kernel.experiments import Play, Reproduction

BELIEVED, TOLD = "recipe2plan/all@knowledge=beliefs", "recipe2plan/all@knowledge=gold"
TOLD_WITH_HINTS = "recipe2plan/all@hints=on,knowledge=gold"
AIMS = ("react", "react@aim=feasibility")

REPRODUCTIONS = (
    Reproduction(
        name="table-2",
        shows="statistics of recipes and pairs",
        statistics="recipe2plan/all",
    ),
    Reproduction(
        name="table-3",
        shows="success, progress and relative efficiency of ReAct, with beliefs and with the truth told",
        plays=(Play((BELIEVED, TOLD), ("react",)),),
        scores=True,
        differs="prompts and the example are ours",
    ),
    Reproduction(
        name="figure-3",
        shows="balanced priority and feasibility first",
        plays=(Play((TOLD,), AIMS),),
        figures=("figure-3",),
        differs="prompts are ours",
    ),
    Reproduction(
        name="figure-4",
        shows="the truth told, with and without hints",
        plays=(Play((TOLD, TOLD_WITH_HINTS), ("react",)),),
        figures=("figure-4",),
        differs="prompts are ours",
    ),
    Reproduction(
        name="figure-5",
        shows="invalid actions and sources of failure",
        plays=(Play((TOLD, TOLD_WITH_HINTS), ("react",)),),
        sections=("Why they failed",),
        figures=("figure-5",),
        differs="prompts are ours",
    ),
    Reproduction(
        name="table-4",
        shows="reasoning models that plan ahead with the truth told",
        plays=(Play((TOLD,), ("plan-and-solve",)),),
        scores=True,
        differs="ask a model that thinks at length; caps of answers may have to be raised (max_tokens)",
    ),
    Reproduction(
        name="figure-6",
        shows="durations that models annotate",
        data="backburner.worlds.recipe2plan.metrics.plans:figure_6",
        figures=("figure-6",),
        printed=False,
        differs="the durations that ship, which are GPT-4o's, of 24 recipes; Gemini's are not released",
    ),
    *(
        Reproduction(
            name=name,
            shows=f"a plan {what} beside the heuristic's, as a case study",
            plays=(Play((f"recipe2plan/{pair}",), ("react", "greedy")),),
            scores=True,
            timelines=True,
            printed=False,
            differs="the article's plans are not released in full: the same pair, planned anew, as timelines",
        )
        for name, what, pair in (
            ("table-5", "without time constraints", "Tacos+Smore-Bars@knowledge=gold,lags=off"),
            ("table-6", "with time constraints", "Vada+Daikon-Radish@knowledge=gold"),
        )
    ),
    Reproduction(
        name="table-7",
        shows="LLM-Modulo: feasible and more efficient plans",
        plays=(
            Play(
                ("recipe2plan/constrained@knowledge=beliefs",),
                ("modulo", "modulo@improve=on,keep=last"),
                rules="standard",
            ),
        ),
        sections=(
            "Plans mended and improved with critics",
            "Feasible plans by round",
            "What the critics found",
        ),
        differs="begins with the model's first plan; the article's with failed and feasible plans of "
        "Table 3, which modulo@start=FOLDER does",
    ),
    Reproduction(
        name="table-8",
        shows="Plan-and-Solve",
        plays=(Play((BELIEVED,), ("plan-and-solve",)),),
        scores=True,
        differs="prompts are ours; timestamps are not repaired",
    ),
    Reproduction(
        name="table-9",
        shows="recall, precision and F1 of what is believed of recipes",
        plays=(Play((BELIEVED,), ("react",)),),
        sections=("What was believed of the recipes",),
        differs="prompts are ours",
    ),
)
