"""Collab-Overcooked's rules and limits as values. Each field of ``Rules`` is one defect of the release.

``standard`` has none of them, ``released`` has them all.
"""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.errors import Refused


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of play. A field that is true keeps a defect of the released program."""

    name: str = "standard"

    starting_stalls_timers: bool = False
    """Starting an operation costs a tick to every running utensil that received its first item later than the
    one that is started. False: every timer ticks in every step."""

    starts_found_in_one_pass: bool = False
    """The operations that both cooks start in one step are looked for in a single pass through the
    utensils, in the order in which these received their first item. So the second cook's operation does not
    start if its utensil comes before the first cook's, or if the first cook's contents match no recipe.
    False: both start."""

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

    waits_are_skipped: bool = False
    """A wait takes no time unless it is the last call of a plan. False: it takes its steps."""

    first_call_twice: bool = False
    """In a plan that begins with a request, the first own call is done and stays in the queue as well.
    False: it is done once."""

    new_calls_cleared: bool = False
    """The assistant's turn ends the chef's call if that counts as done, even if it began in this very step;
    so the assistant never sees the chef wait for one step. False: calls end when their step is over."""

    short_waits: bool = False
    """A wait of more than 5 steps is refused. False: of more than 20, as in the article."""

    exact_text: bool = False
    """A plan stands on one line with a say after it. ``place_obj_on_counter()`` and ``deliver_soup()`` are
    read only if written exactly so, other calls by the first verb that occurs in them; a wait of anything
    but a number is one step. False: spaces, capitals and quotes are free, the verb is the word before
    the parenthesis, and ``deliver()`` is ``deliver_soup()``."""

    analysis_required: bool = False
    """An answer without an analysis is asked for again once, one without a plan twice. False: only an answer
    without a plan is asked for again, once."""

    partner_cannot_end_talk: bool = False
    """Only the opener of a talk can end it, and not with its first words. False: the words [END] of either
    cook end it; the partner still answers words of the opener that contain them."""

    opening_plan_unseen: bool = False
    """The plan of the answer that opens a talk is neither in force nor shown to the partner before the talk
    ends; plans of later turns take its place. False: every plan is in force as soon as it is made."""

    requests_unseen: bool = False
    """The partner is shown a request only as long as it is queued behind other calls. False: until the
    partner has done it, or the cook that asked makes another plan."""

    busy_partner_ignores_answer: bool = False
    """The plan of an answer is dropped if its cook still has something queued. False: it replaces what was
    queued."""

    private_counters_unseen: bool = False
    """What lies on a counter that only one cook reaches is shown to neither. False: to that cook."""


STANDARD = Rules("standard")
RELEASED = Rules("released", *([True] * (len(Rules.__struct_fields__) - 1)))
PRESETS = {"standard": STANDARD, "released": RELEASED}

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
