"""Records of kitchens in which an agent that gives reasons fails: each waits for a label."""

from __future__ import annotations

from pathlib import Path

from backburner.evaluation.labels.cases import Item, items_of
from backburner.evaluation.scoring.scores import load
from backburner.kernel import registry
from backburner.kernel.episode import write_episode
from backburner.kernel.play import play_now
from support.policies import Answers

AGENT = "agent-x"


def write_failures(folder: Path, number: int = 3, thought: str = "The bread is cut.") -> list[Path]:
    """So many records in which the agent thinks that it is done, and one that the record decides."""
    told = [(f"Reasoning: {thought} I say so {n} times.\nAction: Wait", "Finish") for n in range(number)]
    paths = []
    for n, answers in enumerate([*told, ("nonsense",)]):
        world = registry.world(f"robotouille/synchronous/1@seed={42 * (n + 1)}")
        paths.append(folder / f"kitchen{n}.jsonl")
        write_episode(play_now(world, Answers(*answers, name=AGENT)), paths[-1])
    return paths


def open_items(folder: Path) -> list[Item]:
    """The cases of these records that need a label."""
    return [item for item in items_of(load(folder).episodes).items if item.open]
