"""Collab-Overcooked's rules and limits as values. Each field of ``Rules`` is one defect of the release.

``standard`` has none of them, ``released`` has them all.
"""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.errors import Refused


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a step does. A field that is true lets the released program's defect happen."""

    name: str = "standard"

    starting_stalls_timers: bool = False
    """Starting an operation costs a tick to every utensil at work whose first item came after that of the
    one that is started. False: every timer ticks in every step."""

    starts_found_in_one_pass: bool = False
    """What both cooks start in one step is looked for in a single pass through the utensils, in the order
    in which these received their first item: the second cook's operation does not start if its utensil
    comes before the first cook's, or if what the first cook starts comes to nothing. False: both start."""

    ruin_ends_operations: bool = False
    """While it is told that contents came to nothing, every call to start an operation counts as done,
    whoever makes it and at whatever utensil. False: it is done when that utensil has been started."""

    full_utensils_accept: bool = False
    """A full utensil is no reason to refuse a further item: the cook stands before it until the end, and
    every attempt is logged as if it had succeeded. False: it is refused."""

    plated_food_loses_dish: bool = False
    """Food on a dish may be put into a utensil, and the dish is no more. False: it is refused."""

    filling_logged_as_putting: bool = False
    """Filling a dish anywhere but at a pot is logged as putting something in. False: as filling."""

    dish_asked_of_order: bool = False
    """Whether a dish may be filled is asked of the oldest order, not of the food, and no matter whether
    the utensil can be reached. False: any food that is ready or under way, within reach."""

    food_is_lost: bool = False
    """What is brought to the serving place is gone, ordered or not, and everything whose name contains
    the name of something that can be ordered may be brought there, from wherever. False: only what is
    ordered, served as it has to be, within reach."""

    first_order_only: bool = False
    """Only the oldest open order can be met. False: any."""

    private_counters_first: bool = False
    """What lies on a counter that only this cook can reach is fetched before the same thing on a nearer
    shared counter. False: the nearest."""

    calls_never_end: bool = False
    """A call that was accepted is carried out until it is done, even when it cannot be done any more;
    where there is no way, chance decides between staying and giving up, and cooks who run into each other
    do so for ever. False: it is refused as soon as it cannot go on, and the cook decides anew; after a
    collision the assistant does."""

    waits_are_skipped: bool = False
    """A wait takes no time unless it is the last of a plan. False: it takes its steps."""

    first_call_twice: bool = False
    """When a plan begins with a request, the first call of one's own is done and stays in the queue as
    well. False: it is done once."""

    new_calls_cleared: bool = False
    """The assistant's turn ends the chef's call if that counts as done, even one begun in this very step:
    the assistant never sees the chef wait for one step. False: calls end when their step is over."""

    short_waits: bool = False
    """A wait of more than 5 steps is refused. False: of more than 20, as the article has it."""

    exact_text: bool = False
    """A plan stands on one line with a say after it. ``place_obj_on_counter()`` and ``deliver_soup()`` are
    read only if written exactly so, other calls by the first verb that occurs in them; a wait of anything
    but a number is one step. False: spaces, capitals and quotes are free, the verb is the word before
    the parenthesis, and ``deliver()`` is ``deliver_soup()``."""

    analysis_required: bool = False
    """An answer without an analysis must be repaired, and one without a plan twice. False: the plan is
    what is needed, and it is asked for once."""

    partner_cannot_end_talk: bool = False
    """Only who began a talk can end it, and not with its first words. False: whoever says [END] ends it,
    and the partner answers what was said with it, as the last."""

    opening_plan_unseen: bool = False
    """The plan of an answer that opens a talk is not in force before the talk ends, nor shown to the
    partner: the plans of later turns take its place. False: every plan is in force when it is made."""

    requests_unseen: bool = False
    """What a plan requests of the partner is shown to it only as long as it is queued behind other calls.
    False: it is put before the partner until it has done it, or who asked makes another plan."""

    busy_partner_ignores_answer: bool = False
    """The plan of an answer is dropped if the one who answers still has something queued. False: it
    takes the place of what was queued."""

    private_counters_unseen: bool = False
    """What lies on a counter that only one cook can reach is shown to neither. False: to that cook."""


STANDARD = Rules("standard")
RELEASED = Rules("released", *([True] * (len(Rules.__struct_fields__) - 1)))
PRESETS = {"standard": STANDARD, "released": RELEASED}

LONGEST_WAIT_RELEASED = 5
LONGEST_WAIT = 20


def longest_wait(rules: Rules) -> int:
    """The most steps that one call may wait."""
    return LONGEST_WAIT_RELEASED if rules.short_waits else LONGEST_WAIT


LARGEST_LIMIT = 100_000
"""What a limit may be: time passes by itself while both cooks are stuck, and somebody waits for it."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """``None`` is no limit.

    ``steps`` of the kitchen's time; ``rounds``: how often who began a talk may speak in it. Raises
    ``Refused`` for a limit that lets nobody begin.
    """

    steps: int | None = None
    rounds: int | None = None

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None and not 1 <= value <= LARGEST_LIMIT:
                raise Refused(f"limits: {name} is {value}; it is from 1 to {LARGEST_LIMIT}")


NO_LIMITS = Limits()
