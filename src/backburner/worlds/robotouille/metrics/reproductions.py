"""The tables and figures of Robotouille's article that can be made again."""

from __future__ import annotations

from backburner.kernel.experiments import Play, Reproduction

SETS = ("robotouille/synchronous", "robotouille/asynchronous")
TIMES_TOLD = tuple(f"{suite}@told=times" for suite in SETS)
METHODS = (Play(SETS, ("react",)), Play(TIMES_TOLD, ("io", "io-cot")))
REACT = (Play(SETS, ("react",)),)
FEW = tuple(f"robotouille/asynchronous/{task}@seed={seed}" for task in (1, 2, 3) for seed in (42, 84, 126))
HARDER = tuple(
    f"robotouille/asynchronous/{task}@seed={seed}" for task in (1, 2, 3) for seed in range(42, 421, 42)
)
HISTORIES = ("none", "last-action", "last-reasoning-action", "last-observation-reasoning-action")
FORMS = tuple(f"react@history={history},plan={plan}" for history in HISTORIES for plan in ("off", "on"))

REPRODUCTIONS = (
    Reproduction(
        name="table-2",
        shows="success of each model and method",
        plays=METHODS,
        sections=("Success by method and model",),
        differs="prompts and examples are ours",
    ),
    Reproduction(
        name="table-3",
        shows="success by task",
        plays=METHODS,
        sections=("Tasks beside the article",),
        differs="prompts and examples are ours",
    ),
    Reproduction(
        name="figure-3",
        shows="optimality rate of ReAct's successes",
        plays=REACT,
        figures=("figure-3",),
        differs="over proven shortest plans",
    ),
    Reproduction(
        name="figure-4",
        shows="steps to go of ReAct's failures",
        plays=REACT,
        figures=("figure-4",),
        differs="it takes a search for each failure: --steps-to-go 60",
    ),
    Reproduction(
        name="figure-5",
        shows="sources of ReAct's failures",
        plays=REACT,
        sections=("Sources of failure",),
        figures=("figure-5",),
        differs="what no record decides waits for labels (backburner annotate)",
    ),
    Reproduction(
        name="question-6",
        shows="whether asynchronous work is begun first",
        plays=REACT,
        sections=("Asynchronous work first",),
        printed=False,
    ),
    Reproduction(
        name="appendix-a.12",
        shows="broken rules, and what follows them",
        plays=REACT,
        sections=("Broken rules and recovery",),
        printed=False,
    ),
    *(
        Reproduction(
            name=f"figures-{first}-{first + 9}",
            shows=f"task dependency graphs of the {kind.replace('_', '-')} tasks",
            graphs=tuple(f"robotouille/{kind}/{number}" for number in range(1, 11)),
            differs="pieces of work and the putting together; carrying is left out",
        )
        for first, kind in ((11, "synchronous"), (21, "asynchronous"), (31, "multi_agent"))
    ),
    Reproduction(
        name="figure-6",
        shows="repeated transitions",
        plays=REACT,
        sections=("Repeated transitions",),
        figures=("figure-6",),
    ),
    Reproduction(
        name="figure-7",
        shows="sources of failure with the rules recalled, asynchronous tasks 1 to 3",
        plays=(Play(HARDER, ("react", "react@prior=on")),),
        sections=("Sources of failure",),
        figures=("figure-7",),
        differs="what no record decides waits for labels (backburner annotate)",
    ),
    Reproduction(
        name="table-4",
        shows="forms of ReAct",
        plays=(Play(FEW, FORMS),),
        sections=("Forms of ReAct",),
        differs="nine kitchens, as in the article, which does not name its own",
    ),
)
