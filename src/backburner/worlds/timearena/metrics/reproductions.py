"""The tables and figures of TimeArena's article that can be made again."""

from __future__ import annotations

from backburner.kernel.experiments import Play, Reproduction

METHODS = ("act", "react", "reflexion", "self-plan")

REPRODUCTIONS = (
    Reproduction(
        name="table-1",
        shows="actions, objects and shortest times of the tasks",
        statistics="timearena/singles",
        differs="objects and shortest times of cooking and household differ by what the article leaves open; "
        "the world's page says how",
    ),
    Reproduction(
        name="table-2",
        shows="AS, CS, CR and CT of each model and method by scenario and number of tasks",
        plays=(Play(("timearena/all",), (*METHODS, "greedy")),),
        scores=True,
        differs="prompts are ours; the oracle's row is Algorithm 1 in play (greedy), and not every pair "
        "and triple can be completed under these rules",
    ),
    Reproduction(
        name="figure-3",
        shows="shares of correct and incorrect actions",
        plays=(Play(("timearena/all",), METHODS),),
        sections=("What the agents did",),
        figures=("figure-3",),
        differs="prompts are ours",
    ),
    Reproduction(
        name="figure-4",
        shows="with and without the limit of one thing of each kind of kit",
        plays=(Play(("timearena/pairs/cooking", "timearena/pairs/cooking@kit=one"), ("act",)),),
        sections=("With and without the kit limit",),
        figures=("figure-4",),
        differs="prompts are ours",
    ),
    Reproduction(
        name="figure-5",
        shows="progress score over time",
        plays=(Play(("timearena/pairs",), METHODS),),
        figures=("progress",),
        printed=False,
        differs="a chart for every pair: the article draws two, without numbers",
    ),
    *(
        Reproduction(
            name=name,
            shows=f"dependencies and durations of the ten {scenario} tasks",
            graphs=tuple(f"timearena/{scenario}{number}" for number in range(1, 11)),
        )
        for name, scenario in (("figure-6", "cooking"), ("figure-7", "household"), ("figure-8", "lab"))
    ),
    Reproduction(
        name="section-4.4",
        shows="why agents wait",
        plays=(Play(("timearena/all",), ("reasoned",)),),
        sections=("Waits and loops", "Why they wait"),
        differs="prompts are ours",
    ),
)
