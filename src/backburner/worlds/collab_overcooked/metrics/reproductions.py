"""The tables and figures of Collab-Overcooked's article that can be made again."""

from __future__ import annotations

from backburner.kernel.experiments import Play, Reproduction

COOKED = (Play(("collab_overcooked/all",), ("cook@reflection=off",), seeds=10),)
COOK = ("cook@reflection=off",)
ACTIONS = range(1, 6)


def _exchanges(*options: str) -> Play:
    """Twenty exchanges about each order of level 3 with each of these options."""
    return Play(tuple(f"collab_overcooked/level3@{each}" for each in options), COOK, seeds=20)


WHOLE = _exchanges(*(f"at={action}" for action in ACTIONS))
IN_STEPS = _exchanges(*(f"at={action},recipe=steps" for action in ACTIONS))
DUE_FIRST = _exchanges(*(f"at={action},recipe=from{action}" for action in ACTIONS[1:]))
SITUATIONS = (
    "the article chose five situations for each action by hand out of its own runs; here they are the five "
    "orders of level 3, played by a script up to where the action is due"
)

REPRODUCTIONS = (
    Reproduction(
        name="figure-2",
        shows="shortest times and collaborative actions by level",
        statistics="collab_overcooked/all",
        data="backburner.worlds.collab_overcooked.metrics.levels:figure_2",
        figures=("figure-2",),
    ),
    Reproduction(
        name="table-3",
        shows="collaborative actions by level",
        statistics="collab_overcooked/all",
    ),
    Reproduction(
        name="section-5.3",
        shows="success, TES, PC, IC and RC by model and level",
        plays=COOKED,
        scores=True,
        printed=False,
        differs="prompts are ours; the article draws its results",
    ),
    Reproduction(
        name="figure-3",
        shows="initiating and responding to collaboration by level",
        plays=COOKED,
        figures=("figure-3",),
        printed=False,
        differs="the article draws its results",
    ),
    Reproduction(
        name="figure-4",
        shows="people and models by level",
        plays=COOKED,
        scores=True,
        figures=("figure-4",),
        printed=False,
        differs="the model's half; people's is drawn as soon as records of `backburner play` lie in the "
        "folder, the figure too",
    ),
    *(
        Reproduction(
            name=name,
            shows=shows,
            plays=plays,
            sections=("Experiments A to C",),
            figures=(name,),
            printed=False,
            differs=f"{SITUATIONS}; once for each model",
        )
        for name, shows, plays in (
            ("figure-5a", "Experiment A: initiating and responding by the action that is due", (WHOLE,)),
            ("figure-5b", "Experiment B: the same with one action to a step of the recipe", (IN_STEPS,)),
            (
                "figure-5c",
                "Experiment C: the same with the action that is due first in the recipe",
                (IN_STEPS, DUE_FIRST),
            ),
        )
    ),
    Reproduction(
        name="section-c.4",
        shows="outcomes of collaborations",
        plays=COOKED,
        sections=("Outcomes of collaborations", "What requests and answers add"),
        figures=("outcomes",),
        printed=False,
    ),
    Reproduction(
        name="figure-8",
        shows="success over gamma, the time limit as a multiple of the least time",
        plays=COOKED,
        sections=("Success over gamma, least steps", "Success over gamma, recorded steps"),
        figures=("figure-8",),
        printed=False,
        differs="up to the limit that was played",
    ),
    Reproduction(
        name="figure-9",
        shows="what was wrong with requests, by the action that is due",
        plays=(WHOLE,),
        sections=("Failed requests by action",),
        figures=("figure-9",),
        printed=False,
        differs=f"{SITUATIONS}, and the references sort what failed, not a person",
    ),
)
