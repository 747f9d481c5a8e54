"""A joint plan with talk: who has the recipes asks for what the other has to do, piece by piece.

A piece is asked for when everything that was asked for before is done. Talk takes no time, so that the plan
takes as many steps as without.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from backburner.worlds.collab_overcooked.agents.goals import Job
from backburner.worlds.collab_overcooked.agents.schedule import Begun, Schedule, joined
from backburner.worlds.collab_overcooked.agents.words import agreeing, asking, inquiring, ordering, quiet
from backburner.worlds.collab_overcooked.game.rule_set import Rules, longest_wait
from backburner.worlds.collab_overcooked.game.state import Reply


class Line(Struct, frozen=True):
    """What a cook answers after so many steps, and what it plans if it is asked to go on talking."""

    steps: int
    reply: Reply
    plan: Job = ()


class Part(Struct, frozen=True):
    """A cook's part: what it answers when it has nothing to do, and what when it is spoken to."""

    plans: tuple[Line, ...] = ()
    answers: tuple[Line, ...] = ()


def parts(schedules: tuple[Schedule, Schedule], leader: int, rules: Rules) -> tuple[Part, Part]:
    """Both cooks' parts; ``leader`` (0, 1) has the recipes.

    Nobody speaks if a call of the plan breaks off, nor if the second cook leads under rules by which what
    it requests costs it a step (``first_call_twice``).
    """
    broken = any(begun.broken for schedule in schedules for begun in schedule)
    if broken or (leader == 1 and rules.first_call_twice):
        first, second = (tuple(_quiet(schedule, rules)) for schedule in schedules)
        return Part(first), Part(second)
    return _led_by_first(*schedules, rules) if leader == 0 else _led_by_second(*schedules, rules)


def _led_by_first(first: Schedule, second: Schedule, rules: Rules) -> tuple[Part, Part]:
    """The first cook speaks before the second decides, at moments at which both do."""
    before, pieces = _pieces(second, {begun.steps for begun in first})
    wanted = {piece[0].steps: _calls(piece) for piece in pieces}
    leading = [
        Line(line.steps, asking(line.plan, wanted[line.steps]), line.plan) if line.steps in wanted else line
        for line in _quiet(first, rules, wanted)
    ]
    plans, answers = list(_quiet(before, rules)), []
    for piece in pieces:
        agreed = _agreed(piece, rules)
        plan = joined(piece[:agreed], longest_wait(rules))
        answers.append(Line(piece[0].steps, agreeing(plan, "My partner knows what is needed.")))
        plans += _quiet(piece[agreed:], rules)
    return Part(tuple(leading)), Part(tuple(plans), tuple(answers))


def _led_by_second(first: Schedule, second: Schedule, rules: Rules) -> tuple[Part, Part]:
    """The first cook decides before the second can speak; so it asks what it should do."""
    before, pieces = _pieces(first, {begun.steps for begun in first})
    plans, answers = list(_quiet(before, rules)), []
    for piece in pieces:
        steps, agreed = piece[0].steps, _agreed(piece, rules)
        plans.append(Line(steps, inquiring(), joined(piece[:agreed], longest_wait(rules))))
        plans += _quiet(piece[agreed:], rules)
        answers.append(Line(steps, ordering(_calls(piece))))
    return Part(tuple(plans)), Part(tuple(_quiet(second, rules)), tuple(answers))


def _pieces(schedule: Schedule, moments: Collection[int]) -> tuple[Schedule, list[Schedule]]:
    """What a cook waits at first, and the pieces that begin at some of these moments.

    A piece ends when the cook waits for something.
    """
    pieces: list[list[Begun]] = [[]]
    for begun in schedule:
        last = pieces[-1][-1:]
        pauses = not last or last[0].waits
        if begun.steps in moments and pauses and not begun.waits:
            pieces.append([])
        pieces[-1].append(begun)
    if _calls(pieces[0]):
        pieces.insert(0, [])
    return tuple(pieces[0]), [tuple(piece) for piece in pieces[1:]]


def _calls(piece: Sequence[Begun]) -> Job:
    return tuple(begun.call for begun in piece if not begun.waits)


def _agreed(piece: Schedule, rules: Rules) -> int:
    """How much of a piece is planned at once: up to its last call, or where queued waits are skipped up to
    the first wait."""
    if rules.waits_are_skipped:
        return next((place for place, begun in enumerate(piece) if begun.waits), len(piece))
    return max(place for place, begun in enumerate(piece) if not begun.waits) + 1


def _quiet(schedule: Sequence[Begun], rules: Rules, stops: Collection[int] = ()) -> Iterator[Line]:
    """One call or wait at a time; no wait goes on beyond one of the stops."""
    longest = longest_wait(rules)
    waiting: list[Begun] = []
    for begun in schedule:
        if waiting and (len(waiting) == longest or not begun.waits or begun.steps in stops):
            yield _line(waiting, longest)
            waiting = []
        if begun.waits:
            waiting.append(begun)
        else:
            yield _line([begun], longest)
    if waiting:
        yield _line(waiting, longest)


def _line(schedule: Sequence[Begun], longest: int) -> Line:
    plan = joined(schedule, longest)
    return Line(schedule[0].steps, quiet(*plan), plan)
