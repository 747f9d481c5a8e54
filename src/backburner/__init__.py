"""Backburner: worlds, oracles and metrics for agents that must do several things at once.

import backburner

world = backburner.world("timearena/cooking1+cooking2")
episode = backburner.play_now(world, backburner.RandomPolicy(), seed=1)
print(episode.ending.numbers)
"""

from backburner.agents.scripted import FirstLegalPolicy, PlanPolicy, RandomPolicy, SerialPolicy
from backburner.kernel.contract import Legal, Menu, Option, Readable, Schedulable, World
from backburner.kernel.episode import Episode, EpisodeFile, read_episode, write_episode
from backburner.kernel.errors import BackburnerError
from backburner.kernel.play import play, play_now
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.registry import expand, world
from backburner.kernel.replay import check, trajectory
from backburner.kernel.values import Event, Fault, Outcome, Refusal, Step
from backburner.kernel.version import __version__

__all__ = [
    "BackburnerError", "Episode", "EpisodeFile", "Event", "Fault", "FirstLegalPolicy", "Legal", "Menu",
    "Option", "Outcome", "PlanPolicy", "Policy", "RandomPolicy", "Readable", "Refusal", "Reply",
    "Schedulable", "SerialPolicy", "Step", "Turn", "World", "__version__", "check", "expand", "play",
    "play_now", "read_episode", "trajectory", "world", "write_episode",
]  # fmt: skip
