"""Examples of play for prompts: how another scenario is played well, step by step, with thoughts.

The thoughts are made from what is known: what is under way, what is waited for, what the plan has next.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from msgspec import Struct

from backburner.agents.planned import demonstrator
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menu, Menus, Option
from backburner.kernel.play import play
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.text import NO_DEMONSTRATION, Examples, Text, bare
from backburner.kernel.values import Seat, digest

NEW, GONE = "+ ", "- "


def changes(before: str, after: str, beside: Collection[str] = ()) -> tuple[str, ...]:
    """The lines of ``after`` that ``before`` has not, then those that are gone, each in its order.

    ``beside``: lines that do not count, such as a list of what can be done. A line that is there twice
    and was there once is new once.
    """
    told = {plain(line) for line in beside}
    was, now = _lines(before, told), _lines(after, told)
    return (*_marked(NEW, now, was), *_marked(GONE, was, now))


def plain(line: str) -> str:
    """A line in the spelling in which lines are compared: no capitals, single spaces, no full stop."""
    return re.sub(r"\s+", " ", line).strip().rstrip(".").casefold()


def _lines(text: str, beside: Collection[str]) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip() and plain(line) not in beside]


def _marked(mark: str, lines: Iterable[str], others: Iterable[str]) -> Iterable[str]:
    left = Counter(map(plain, others))
    for line in lines:
        if left[plain(line)]:
            left[plain(line)] -= 1
        else:
            yield mark + line


class Decided(Struct, frozen=True):
    """One decision of a demonstration, and the states before and after it."""

    state: Any
    decision: Any
    after: Any


class Demonstration(Struct, frozen=True, eq=False):
    """What a seat of ``world`` decided, up to the first delivery; what it told when it was asked is left out.

    There is one for equal worlds, and it equals no other.
    """

    world: World[Any, Any, Any]
    seat: Seat
    steps: tuple[Decided, ...]


_played: dict[str, Demonstration] = {}


async def demonstrated(
    world: World[Any, Any, Any], seat: Seat, bodies: int | None = None, single: bool = False
) -> Demonstration | None:
    """The world's demonstration as it is played well; ``None`` if there is nothing to be seen.

    Raises what ``demonstration`` raises.
    """
    if not isinstance(world, Examples):
        return None
    shown, seen_from = world.demonstration(seat, bodies, single)
    key = digest((shown.id, shown.scenario, shown.rules, shown.limits, seen_from))
    if key not in _played:
        _played[key] = await _play(shown, seen_from)
    return _played[key] if _played[key].steps else None


async def _play(world: World[Any, Any, Any], seat: Seat) -> Demonstration:
    steps: list[Decided] = []
    for state, entry, step in trajectory(await play(world, demonstrator(world)), world):
        decisions = decisions_in(world, entry)
        if seat in decisions and not _inquired(world, state, seat):
            steps.append(Decided(state, decisions[seat], step.state))
        if any(event.what == "delivered" for event in entry.events):
            break
    return Demonstration(world, seat, tuple(steps))


def reasons_in(played: Demonstration) -> list[str]:
    """Why each decision was taken, by what each body does next because of it, or waits for meanwhile."""
    menus = [_menu(played.world, step.state, played.seat) for step in played.steps]
    chosen = [
        [option for option in menu.options if option.decision == step.decision][:1]
        or [option for option in menu.options if _says(played, step.decision, option)]
        for menu, step in zip(menus, played.steps, strict=True)
    ]
    return [
        "; ".join(_reason(menu, option, chain.from_iterable(chosen[place + 1 :])) for option in chosen[place])
        for place, menu in enumerate(menus)
    ]


def _says(played: Demonstration, decision: Any, option: Option[Any]) -> bool:
    """Whether a decision, for several bodies perhaps, has this option in it."""
    world: Any = played.world
    said = str(world.words(decision, played.seat))
    before, label, after = said.partition(option.label)
    return bool(label) and not (before[-1:].isalnum() or after[:1].isalnum())


def _reason(menu: Menu[Any], option: Option[Any], later: Iterable[Option[Any]]) -> str:
    """Why one body does so, in the words of what it does after that."""
    if option.passes:
        waited = " and ".join(menu.under_way)
        why = f"waits for {waited}" if waited else "has nothing to do yet"
    else:
        after = islice((each for each in later if each.body == option.body and not each.passes), 2)
        acts = (re.findall(r"[^\W_]+", each.label) for each in after)
        told = ", then ".join(" ".join(word for word in act if word != option.body) for act in acts)
        why = f"so that it can {told}" if told else "the last of this example"
    return f"{option.body}: {why}" if option.body else why


def _inquired(world: World[Any, Any, Any], state: Any, seat: Seat) -> bool:
    question = world.question(world.observe(state, seat)) if isinstance(world, Text) else None
    return question is not None and not question.move


def no_demonstration(world: World[Any, Any, Any], instead: str, bodies: int | None = None) -> str:
    """Why a world shows nothing (with so many bodies), and what to choose ``instead``; empty if it does."""
    if not isinstance(world, Examples):
        return f"{NO_DEMONSTRATION}; choose {instead}"
    try:
        for seat in world.seats:
            world.demonstration(seat, bodies)
    except Refused as refusal:
        return f"{refusal}; choose {instead}"
    return ""


class Shown(Struct, frozen=True):
    """One decision of the example: what the seat was told (the first time with the task), what it answered
    and why, what changed then.

    ``left``: what the plan has from here on, this decision first. ``changes`` are lines of the
    description; see ``changes``.
    """

    text: str
    thought: str
    decision: str
    left: tuple[str, ...]
    changes: tuple[str, ...]


Example = tuple[Shown, ...]


async def example_for(
    world: World[Any, Any, Any], seat: Seat, briefing: str, single: bool = False
) -> Example:
    """The example that is shown to a seat of this world, after this ``briefing``; empty where there is none.

    ``single``: with one part of a task only.
    """
    played = await demonstrated(world, seat, single=single)
    return _in_words(played, briefing) if played is not None else ()


def changes_between(world: World[Any, Any, Any], before: Any, after: Any, seat: Seat) -> tuple[str, ...]:
    """What changed in a seat's description between two states; what it can do then is no part of it."""
    menus = (_menu(world, state, seat) for state in (before, after))
    listed = [option.label for menu in menus for option in menu.options]
    return changes(_told(world, before, seat), _told(world, after, seat), listed)


@lru_cache(maxsize=64)  # wanted for every call
def _in_words(played: Demonstration, briefing: str) -> Example:
    world, seat, steps = played.world, played.seat, played.steps
    texts = [_told(world, step.state, seat) for step in steps]
    texts[0] = "\n\n".join((*_task(played, briefing + texts[0]), texts[0]))
    said = [_said(world, step.state, seat, step.decision) for step in steps]
    return tuple(
        Shown(
            texts[place],
            "".join(_thought(_menu(world, step.state, seat), step.decision, said[place + 1 : place + 2])),
            said[place],
            tuple(said[place:]),
            changes_between(world, step.state, step.after, seat),
        )
        for place, step in enumerate(steps)
    )


def _task(played: Demonstration, told: str) -> Iterator[str]:
    """What has to be done in the example, and how it is made, as far as that is not ``told`` elsewhere."""
    if isinstance(played.world, Text):
        for part in played.world.briefing_parts(played.seat):
            if part.kind in ("task", "recipes") and part.text.strip() not in told:
                yield part.text.strip()


def _told(world: Any, state: Any, seat: Seat) -> str:
    return str(world.describe(world.observe(state, seat)))


def _menu(world: World[Any, Any, Any], state: Any, seat: Seat) -> Menu[Any]:
    return world.menu(state, seat) if isinstance(world, Menus) else Menu((), complete=False)


def _said(world: Any, state: Any, seat: Seat, decision: Any) -> str:
    """The decision as the menu has it, if it is read as that; else in the world's words."""
    for option in _menu(world, state, seat).options:
        if option.decision == decision and world.parse(state, seat, option.label) == decision:
            return option.label
    words = str(world.words(decision, seat))
    return bare(words) if "\n" not in words else words


def _thought(menu: Menu[Any], decision: Any, then: Sequence[str]) -> Iterator[str]:
    under_way = " and ".join(menu.under_way)
    chosen = [option for option in menu.options if option.decision == decision]
    if any(option.passes or option.waits for option in chosen):
        yield f"Nothing helps until this is over: {under_way}. I wait." if under_way else "I wait."
    elif under_way:
        yield f"Under way by itself: {under_way}. Meanwhile I go on with something else."
    else:
        yield "Nothing goes on by itself now. I go on with the next thing to do."
    if then:
        yield f" After that: {then[0]}."
