"""The tables and figures of Recipe2Plan's article that can be made again."""

from __future__ import annotations

from backburner.kernel.reproduction import Play, Reproduction

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
        differs="ask a model that thinks at length; caps of answers may have to be raised (--max-tokens)",
    ),
    Reproduction(
        name="figure-6",
        shows="durations that models annotate",
        missing="models annotate raw recipes there; the pairs that are played have their durations",
    ),
    *(
        Reproduction(
            name=name,
            shows="a plan of GPT-4o as a case study",
            missing="single plans, which are not released in full; `backburner replay` shows any of ours",
        )
        for name in ("table-5", "table-6")
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
