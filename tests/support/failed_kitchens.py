"""Records of small kitchens in which an agent that gives reasons fails: each waits for a label."""

from __future__ import annotations

from pathlib import Path

from backburner.evaluation.labelling import Item, items_of
from backburner.evaluation.scores import load
from backburner.kernel.episode import write_episode
from backburner.kernel.play import play_now
from backburner.worlds.robotouille.game.rule_set import Limits
from support.policies import Answers
from support.robotouille import world_in

KITCHEN = ["board bread", "table lettuce", "board tomato", "table cheese", "table"]
LIMITS = Limits(steps=9, attempts=3, failed_calls=2)


def write_failures(folder: Path, number: int = 3, thought: str = "The bread is cut.") -> list[Path]:
    """So many records in which the agent thinks that it is done, and one that the record decides."""
    told = [(f"Reasoning: {thought} I say so {n} times.\nAction: Wait", "Finish") for n in range(number)]
    paths = []
    for n, answers in enumerate([*told, ("nonsense",)]):
        world = world_in(KITCHEN, limits=LIMITS)
        paths.append(folder / f"kitchen{n}.jsonl")
        write_episode(play_now(world, Answers(*answers, name=f"agent-{n}")), paths[-1])
    return paths


def open_items(folder: Path) -> list[Item]:
    """The cases of these records that need a label."""
    return [item for item in items_of(load(folder).episodes).items if item.open]
