"""An agent that plays a recorded episode's decisions again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from backburner.kernel.contract import World
from backburner.kernel.episode import Answer, Episode, read_episode
from backburner.kernel.errors import Refused
from backburner.kernel.policy import JointPlanPolicy
from backburner.kernel.values import Seat, digest


def replay_policy(
    path: Path, world: World[Any, Any, Any], seats: Sequence[Seat] | None = None
) -> JointPlanPolicy:
    """Gives each seat its recorded texts again, or its decisions where no text was given, in their order.

    ``seats`` are those that it is to play, by default all. Raises ``BadFile``, or ``Refused`` for a record
    of another world or without one of these seats.
    """
    episode = read_episode(path)
    header = episode.header
    if header.world != world.id.partition("/")[0]:
        raise Refused(f"{path}: recorded in {header.world}, and {world.id} is another world")
    wanted = world.seats if seats is None else seats
    if missing := [seat for seat in wanted if seat not in header.players]:
        recorded = ", ".join(header.players)
        raise Refused(f"{path}: recorded with seats {recorded}; none of them is {', '.join(missing)}")
    settings = {"file": str(path), "recording": _digest(episode)}
    return JointPlanPolicy("replay", _plan(episode), informed=False, settings=settings)


def recording_digest(path: Path) -> str:
    """The fingerprint of what is played again, as the settings of a ``replay_policy`` have it."""
    return _digest(read_episode(path))


def _digest(episode: Episode) -> str:
    return digest(_plan(episode))


def _plan(episode: Episode) -> list[Mapping[Seat, Any]]:
    return [{seat: _given(answer) for seat, answer in entry.answers.items()} for entry in episode.entries]


def _given(answer: Answer) -> Any:
    if answer.text is not None:
        return answer.text
    return answer.decision if answer.unread is None else answer.unread
