"""The tables and figures of CuisineWorld's article that can be made again."""

from __future__ import annotations

from backburner.kernel.experiments import Play, Reproduction
from backburner.worlds.cuisineworld.metrics.published import LEARNING, TABLE_12_TAU

LEVEL_3 = "cuisineworld/level_3/all"


def _played(suite: str, *agents: str, bodies: tuple[int, ...] = (2, 3, 4), coupled: bool = False) -> Play:
    """A suite with each of these numbers of agents."""
    stream = ",stream=coupled" if coupled else ""
    return Play(tuple(f"{suite}@bodies={number}{stream}" for number in bodies), agents)


COUPLED = (_played("cuisineworld/all", "dispatcher", coupled=True),)
BY_CLASS = ("Collaboration score by level", "Collaboration score by class")
PROMPTS = "prompts and the example are ours"

REPRODUCTIONS = (
    *(
        Reproduction(name=name, shows=shows, plays=COUPLED, sections=BY_CLASS, differs=PROMPTS)
        for name, shows in (
            ("table-1", "CoS of two, three and four agents by class of levels"),
            ("table-6", "two agents on all levels"),
            ("table-7", "three agents on all levels"),
            ("table-8", "four agents on all levels"),
        )
    ),
    *(
        Reproduction(
            name=name,
            shows=f"share of orders over the pace at which they come, {which} levels",
            plays=COUPLED,
            figures=("figure-3",),
            differs=f"{PROMPTS}; all levels that were played",
        )
        for name, which in (("figure-3", "some"), ("figure-21", "all"))
    ),
    *(
        Reproduction(
            name=name,
            shows="a short example, no inference knowledge, no feedback on level 3",
            plays=(
                Play(
                    (LEVEL_3,),
                    (
                        "dispatcher",
                        "dispatcher@demonstration=two-steps",
                        "dispatcher@hints=off",
                        "dispatcher@feedback=off",
                    ),
                ),
            ),
            scores=True,
            sections=("Collaboration score by level",),
            differs=PROMPTS,
        )
        for name in ("table-2", "table-10")
    ),
    *(
        Reproduction(
            name=name,
            shows="examples with fewer agents on level 3",
            plays=(_played(LEVEL_3, "dispatcher", "dispatcher@demonstration-bodies=2", bodies=(3, 4)),),
            scores=True,
            sections=("Collaboration score by level",),
            differs=PROMPTS,
        )
        for name in ("table-3", "table-11")
    ),
    *(
        Reproduction(
            name=name,
            shows="other models on level 3",
            plays=(_played(LEVEL_3, "dispatcher", coupled=True),),
            sections=BY_CLASS[:1],
            differs=f"{PROMPTS}; once for each model",
        )
        for name in ("table-4", "table-9")
    ),
    Reproduction(
        name="figures-8-20",
        shows="task graphs of dishes",
        graphs=tuple(f"cuisineworld/level_{number}" for number in (*range(6), *range(7, 13))),
        differs="all dishes of the twelve levels; the article draws thirteen",
    ),
    Reproduction(
        name="figure-23",
        shows="dishes over tools, ingredients, cooking steps and the largest mixture",
        data="backburner.worlds.cuisineworld.metrics.tables:figure_23",
        figures=("figure-23",),
        printed=False,
    ),
    Reproduction(
        name="figure-4",
        shows="people and agents together: collaboration score, enjoyment, productivity",
        with_people="backburner study analyse DATA",
        differs="people of your own; the article prints no values, only tests",
    ),
    Reproduction(
        name="figure-27",
        shows="the score and what people say of agents, by condition",
        with_people="backburner study analyse DATA",
        differs="people of your own; the article prints no values, only tests",
    ),
    Reproduction(name="table-5", shows="Minecraft", missing="it is made by minecraft/table-5"),
    Reproduction(
        name="table-12",
        shows="masked PPO of two agents on levels 1 and 4",
        plays=(
            Play(
                tuple(f"cuisineworld/level_{level}@seed=play,tau={TABLE_12_TAU}" for level in (1, 4, 2)),
                ("masked-ppo",),
                seeds=16,
            ),
        ),
        sections=(LEARNING,),
        differs="networks of ours, on today's levels; docs/training.md says how they were trained",
    ),
)
