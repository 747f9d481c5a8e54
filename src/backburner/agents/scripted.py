"""Agents that ask nobody: they draw or pick from the menu, or play a record again.

Those that pick know no more than their seat and its menu.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.episode import Answer, Episode, read_episode
from backburner.kernel.errors import BadFile, PolicyFailure, Refused, UnknownName
from backburner.kernel.menu import Option
from backburner.kernel.policy import JointPlanPolicy, PlainPolicy, Reply, Turn
from backburner.kernel.replay import world_of
from backburner.kernel.values import Seat, digest

# --- picked from the menu ----------------------------------------------------------------------------------


Pick = Callable[[Sequence[Option[Any]]], Option[Any]]
"""Takes one of some options."""


def decision_for_all(turn: Turn, pick: Pick) -> Any:
    """What ``pick`` takes off the menu; if that is for one body, with what it takes for each other body.

    Bodies come in the order of the menu. A menu that is complete has no decisions for several bodies, and
    of one whose world does not tell which body a decision is for, the first pick stands alone.
    """
    menu = turn.menu
    first = pick(menu.options)
    if menu.complete:
        return first.decision
    by_body: dict[str, list[Option[Any]]] = {}
    for option in menu.options:
        if option.body:
            by_body.setdefault(option.body, []).append(option)
    if not first.body or len(by_body) == 1:
        return first.decision
    picked = [first if body == first.body else pick(own) for body, own in by_body.items()]
    return turn.together([option.decision for option in picked])


class RandomPolicy(PlainPolicy):
    """Draws among the decisions on the menu, each as likely as the other; for each body of a seat with
    several.

    One that waits for everything to end is drawn only if there is no other. The draw depends on the
    scenario's id, the episode's seed, the seat and the decision point alone.
    """

    name = "random"

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """One option, drawn."""
        draw = random.Random(f"{turn.scenario}/{turn.seed}/{turn.seat}/{turn.index}")
        return Reply(decision_for_all(turn, lambda options: draw.choice(self.among(_some(options)))))

    def among(self, options: Sequence[Option[Any]]) -> Sequence[Option[Any]]:
        """The options that it draws from, of some."""
        return [option for option in options if not option.waits] or options


class BusyPolicy(RandomPolicy):
    """Never idle, and without a thought: draws among the decisions that do something, each body for itself,
    and passes if there is none."""

    name = "busy"

    def among(self, options: Sequence[Option[Any]]) -> Sequence[Option[Any]]:
        """The options that neither pass nor wait; without any, those that pass."""
        active = [option for option in options if not (option.passes or option.waits)]
        return active or [option for option in options if option.passes] or options


class AsPredictedPolicy(PlainPolicy):
    """Has a seat that reports what was seen elsewhere (``kernel/reported.py``) say that all is as the rules
    predict: it takes the option that passes."""

    name = "as-predicted"

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The option that passes; raises ``PolicyFailure`` where there is none."""
        option = turn.menu.passing
        if option is None:
            raise PolicyFailure("menu", "the world offers no decision that passes")
        return Reply(option.decision)


class FirstLegalPolicy(PlainPolicy):
    """Takes the first decision on the menu that does something, and passes if there is none; for each body
    of a seat with several."""

    name = "first-legal"

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The first option that is not passing."""
        return Reply(decision_for_all(turn, _first_active))


class SerialPolicy(PlainPolicy):
    """One thing at a time: takes the first decision, but while anything is under way it passes, or takes
    the first decision that waits for it to end.

    Fails where something is under way and no decision does either.
    """

    name = "serial"

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """Waiting while something runs."""
        menu = turn.menu
        if not menu.under_way:
            return Reply(_first_active(menu.options).decision)
        patient = [option for option in menu.options if option.passes or option.waits]
        if not patient:
            raise PolicyFailure("menu", "serial has no decision that lets what is under way end first")
        return Reply(patient[0].decision)


def _some(options: Sequence[Option[Any]]) -> Sequence[Option[Any]]:
    if not options:
        raise PolicyFailure("menu", "the world offers no decision")
    return options


def _first_active(options: Sequence[Option[Any]]) -> Option[Any]:
    return next((option for option in options if not option.passes), _some(options)[0])


# --- a record played again ---------------------------------------------------------------------------------


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
    _check_header(path, episode)
    settings = {"file": str(path), "recording": _digest(episode)}
    return JointPlanPolicy("replay", _plan(episode), informed=False, settings=settings)


def _check_header(path: Path, episode: Episode) -> None:
    """Raises ``BadFile`` for a record that no play of its world could have begun with."""
    try:
        registry.catalogue(episode.header.world)
    except UnknownName:  # a world that nobody has registered, played by whoever has it
        return
    try:
        world_of(episode)
    except BadFile as error:
        raise BadFile(path, "", str(error)) from error


def recording_digest(path: Path) -> str:
    """The fingerprint of what is played again, as the settings of a ``replay_policy`` have it."""
    return _digest(read_episode(path))


def _digest(episode: Episode) -> str:
    return digest(_plan(episode))


def _plan(episode: Episode) -> list[Mapping[Seat, Any]]:
    return [{seat: _given(answer) for seat, answer in entry.decided.items()} for entry in episode.entries]


def _given(answer: Answer) -> Any:
    if answer.text is not None:
        return answer.text
    return answer.decision if answer.unread is None else answer.unread
