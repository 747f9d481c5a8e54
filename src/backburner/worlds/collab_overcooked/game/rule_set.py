"""Collab-Overcooked's rules and limits as values. Each field of ``Rules`` is one defect of the release.

``standard`` has none of them, ``released`` has them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from backburner.kernel.errors import Refused


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of play. A field that is true keeps a defect of the released program."""

    name: str = "standard"

    starting_stalls_timers: bool = False
    """Starting an operation costs a tick to every running utensil that received its first item later than the
    one that is started; a start that comes to nothing costs none. False: every timer ticks in every step."""

    starts_found_in_one_pass: bool = False
    """What both cooks start in one step is found in a single pass through the utensils, in the order in which
    these received their first item, and only the last contents that match no recipe are remembered: of two
    that match none the earlier stay as they were. False: both are gone."""

    ruin_ends_operations: bool = False
    """In the step after contents matched no recipe, every call to start an operation counts as done, whoever
    made it and at whatever utensil. False: it is done when that utensil has been started."""

    full_utensils_accept: bool = False
    """A further item for a full utensil is not refused: the cook stands before it until the end of play,
    and every attempt is logged as if it had succeeded. False: it is refused."""

    plated_food_loses_dish: bool = False
    """Food on a dish may be put into a utensil, and the dish is gone. False: it is refused."""

    filling_logged_as_putting: bool = False
    """Filling a dish anywhere but at a pot is logged as putting something in. False: as filling."""

    dish_asked_of_order: bool = False
    """A dish may be filled if the oldest order is served on one, whatever the food is, and even if the
    utensil is out of reach. False: with any food that is ready or being made, within reach."""

    food_is_lost: bool = False
    """Everything brought to the serving place is gone, ordered or not. It may be brought from anywhere, if
    its name contains the name of something that can be ordered. False: only what is ordered can be
    delivered, served as it has to be, within reach."""

    first_order_only: bool = False
    """Only the oldest open order can be met. False: any open order."""

    private_counters_first: bool = False
    """An item is fetched from a counter that only this cook reaches rather than from a nearer shared counter.
    False: from the nearest."""

    calls_never_end: bool = False
    """A call that was accepted is carried out until it is done, even if that has become impossible. Where
    there is no way, chance decides between staying and giving up; cooks who run into each other do so for
    ever. False: a call that cannot go on is refused and its cook decides anew; after a collision the
    assistant does."""

    waits_give_way: bool = False
    """A current wait gives way to what is queued behind it when its cook's turn comes, once in a turn and
    without being looked at; so it takes no time if its cook had nothing to do before it, and one step if it
    was begun in place of a call that was done, of one that was refused, or of another wait. Any call with
    "wait" in it counts as one. False: a wait takes its steps."""

    first_call_twice: bool = False
    """The queue is read as a plan whenever a call is taken from it: in a plan, or a queue, that begins with a
    request, the first own call is done and stays queued as well; an empty entry that comes first, or
    requests alone, are a wait of one step, and the rest is lost. False: a call is done once, and requests
    are passed over."""

    new_calls_cleared: bool = False
    """The assistant's turn ends the chef's call if that counts as done, even if it began in this very step;
    so the assistant never sees the chef wait for one step. False: calls end when their step is over."""

    short_waits: bool = False
    """A wait of more than 5 steps is refused. False: of more than 20, as in the article."""

    exact_text: bool = False
    """Answers and calls are read by the released program's patterns; see ``reading`` and
    ``calls``. The cook's role stands before each field, the plan on one line with the say behind it;
    entries keep their blanks, and empty ones count. False: spaces, capitals and quotes are free, fields
    need no role, ``deliver()`` is ``deliver_soup()``."""

    repairs_by_field: bool = False
    """Which answers are asked for again depends on what they lack. A plan or correction without analysis is,
    once, and what comes is thrown away; then one without a plan, and the plan that comes is taken. In a talk
    an answer without analysis is, for nothing; one with an empty say, and what comes takes its place; of
    plans only the one that the opener ends the talk with. False: an answer without a plan is asked for
    again, once, and what comes takes its place."""

    silence_is_marked: bool = False
    """Only ``[NOTHING]`` is silence, and ``[EMPTY]`` where it would open a talk: an empty say opens one, and
    ``[EMPTY]`` does not end it. False: so is an empty say, and both marks are silence everywhere."""

    nothing_reads_on: bool = False
    """A silent answer with ``[NOTHING]`` in its plan is planned to its very end, its say included. False: its
    plan ends where its say begins."""

    opener_ends_talk: bool = False
    """Only the opener of a talk can end it, and not with its first words. False: the words [END] of either
    cook end it; the partner still answers words of the opener that contain them."""

    end_within_words: bool = False
    """Words of the opener end a talk that have "end" anywhere in them, as blender, send and friend do. False:
    only [END] ends it."""

    repeated_say_loses_plan: bool = False
    """The plan of an answer in a talk is lost if its cook has said the same in it before; all silence is
    alike. False: what is said has nothing to do with what is planned."""

    opening_plan_unseen: bool = False
    """The plan of the answer that opens a talk is never in force. Those of the opener's later turns are
    queued as the partner's are, and the last takes the place of everything once the talk is over. False:
    every plan is in force as soon as it is made."""

    requests_unseen: bool = False
    """The partner is shown a request only as long as it is queued behind other calls. False: until the
    partner has done it, or the cook that asked makes another plan."""

    busy_cook_keeps_queue: bool = False
    """The plan of an answer in a talk is dropped if its cook still has something queued, or if "nothing"
    stands anywhere in it; an answer without a plan counts as a wait of one step. False: it replaces what was
    queued."""

    private_counters_unseen: bool = False
    """What lies on a counter that only one cook reaches is shown to neither. False: to that cook."""


STANDARD = Rules("standard")
RELEASED = Rules("released", *([True] * (len(Rules.__struct_fields__) - 1)))
PRESETS = {"standard": STANDARD, "released": RELEASED}

EARLIER_FIELDS = frozenset(
    ("waits_are_skipped", "analysis_required", "partner_cannot_end_talk", "busy_partner_ignores_answer")
)
"""Fields of records made while ``released`` talked and waited otherwise than the released program does."""


def recorded_rules(raw: Any) -> Any:
    """A record's rules as they are written now; ``raw`` and the result are plain JSON values.

    Fields of earlier rules that were false judge nothing. Raises ``Refused`` if one was true: nothing plays
    by it any more.
    """
    if not isinstance(raw, Mapping):
        return raw
    kept = sorted(name for name in EARLIER_FIELDS if raw.get(name))
    if kept:
        raise Refused(
            f"rules {raw.get('name', '')!r}: {kept[0]} is of the released rules before talk and waits were "
            "corrected; episodes that were recorded under them cannot be played again"
        )
    return {name: value for name, value in raw.items() if name not in EARLIER_FIELDS}


LONGEST_WAIT_RELEASED = 5
LONGEST_WAIT = 20


def longest_wait(rules: Rules) -> int:
    """The most steps that one call may wait."""
    return LONGEST_WAIT_RELEASED if rules.short_waits else LONGEST_WAIT


LARGEST_LIMIT = 100_000
"""The most that a limit may be. Time passes by itself while both cooks are stuck, and somebody waits for
it."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """When play is cut off; ``None`` is no limit.

    ``steps``: of the kitchen's time. ``rounds``: how often the opener of a talk may speak in it. Raises
    ``Refused`` for a limit below 1 or above ``LARGEST_LIMIT``.
    """

    steps: int | None = None
    rounds: int | None = None

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None and not 1 <= value <= LARGEST_LIMIT:
                raise Refused(f"limits: {name} is {value}; it is from 1 to {LARGEST_LIMIT}")


NO_LIMITS = Limits()
