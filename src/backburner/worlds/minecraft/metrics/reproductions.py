"""The table and figures of the article that are about Minecraft, and what can be made again of them."""

from __future__ import annotations

from backburner.kernel.experiments import Play, Reproduction
from backburner.worlds.minecraft.metrics.score import TITLE

REPRODUCTIONS = (
    Reproduction(
        name="table-5",
        shows="share of orders served at five intervals, and CoS",
        plays=(Play(("minecraft/article",), ("dispatcher",)),),
        scores=True,
        sections=(TITLE,),
        figures=("table-5",),
        differs="the text game, not a server; intervals by Appendix E.4's rule, which the article applies to "
        "CuisineWorld; prompts are ours",
    ),
    Reproduction(
        name="figure-24",
        shows="task graphs of dishes",
        graphs=("minecraft/level_2",),
        differs="drawn of our own task graph: the article's are pictures that tell no durations",
    ),
    Reproduction(
        name="figure-25", shows="photographs of play", missing="it shows pictures of somebody's game, no data"
    ),
)
