"""Backburner: worlds, oracles and metrics for agents that must do several things at once.

import backburner

world = backburner.world("timearena/cooking1+cooking2")
episode = backburner.play_now(world, backburner.RandomPolicy(), seed=1)
print(episode.ending.numbers)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backburner.agents.roster import agent
    from backburner.agents.scripted import FirstLegalPolicy, RandomPolicy, SerialPolicy
    from backburner.evaluation.scoring.scores import score
    from backburner.kernel import __version__
    from backburner.kernel.assessment import Assessment
    from backburner.kernel.claims import check
    from backburner.kernel.contract import World
    from backburner.kernel.episode import Episode, EpisodeFile, read_episode, write_episode
    from backburner.kernel.errors import BackburnerError
    from backburner.kernel.menu import Menu, Menus, Option
    from backburner.kernel.oracle import Solution, solve_world
    from backburner.kernel.play import play, play_now
    from backburner.kernel.policy import PlanPolicy, Policy, Reply, Turn
    from backburner.kernel.registry import assessment, expand, world
    from backburner.kernel.replay import trajectory
    from backburner.kernel.schedule import Schedulable
    from backburner.kernel.text import Examples, Part, Question, Text
    from backburner.kernel.values import Event, Fault, Outcome, Refusal, Step
    from backburner.kernel.view import View

_FROM = {
    "backburner.agents.roster": ("agent",),
    "backburner.agents.scripted": ("FirstLegalPolicy", "RandomPolicy", "SerialPolicy"),
    "backburner.evaluation.scoring.scores": ("score",),
    "backburner.kernel.assessment": ("Assessment",),
    "backburner.kernel.claims": ("check",),
    "backburner.kernel.contract": ("World",),
    "backburner.kernel.episode": ("Episode", "EpisodeFile", "read_episode", "write_episode"),
    "backburner.kernel.errors": ("BackburnerError",),
    "backburner.kernel.menu": ("Menu", "Menus", "Option"),
    "backburner.kernel.oracle": ("Solution", "solve_world"),
    "backburner.kernel.play": ("play", "play_now"),
    "backburner.kernel.policy": ("PlanPolicy", "Policy", "Reply", "Turn"),
    "backburner.kernel.registry": ("assessment", "expand", "world"),
    "backburner.kernel.replay": ("trajectory",),
    "backburner.kernel.schedule": ("Schedulable",),
    "backburner.kernel.text": ("Examples", "Part", "Question", "Text"),
    "backburner.kernel.values": ("Event", "Fault", "Outcome", "Refusal", "Step"),
    "backburner.kernel": ("__version__",),
    "backburner.kernel.view": ("View",),
}
"""Where each public name is; its module is imported when the name is first used, so that the command line
starts without it."""


def __getattr__(name: str) -> Any:
    for module, names in _FROM.items():
        if name in names:
            globals()[name] = found = getattr(import_module(module), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Assessment", "BackburnerError", "Episode", "EpisodeFile", "Event", "Examples", "Fault",
    "FirstLegalPolicy", "Menu", "Menus", "Option", "Outcome", "Part", "PlanPolicy", "Policy", "Question",
    "RandomPolicy", "Refusal", "Reply", "Schedulable", "SerialPolicy", "Solution", "Step", "Text", "Turn",
    "View", "World", "__version__", "agent", "assessment", "check", "expand", "play", "play_now",
    "read_episode", "score", "solve_world", "trajectory", "world", "write_episode",
]  # fmt: skip
