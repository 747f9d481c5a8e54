"""What people sort into classes: why tasks stayed unfinished, and why agents wait (section 4.4).

The article looks into its agents' actions and finds them in loops of errors and waits; it asks for reasons
and finds that many believe a wait to get them out of a wrong action. It gives no counts of either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.kernel.assessment import Annotation, Case, LabelSet
from backburner.kernel.episode import Episode
from backburner.kernel.files import shipped
from backburner.worlds.timearena.game.catalogue import catalogue
from backburner.worlds.timearena.game.world import TimeArena
from backburner.worlds.timearena.metrics.analysis import UNNECESSARY, action_types, loops, reason_of

UNFINISHED, WAITS = shipped("backburner.worlds.timearena", "labels", tuple[LabelSet, ...])
LOOP, GAVE_UP = UNFINISHED.keys[:2]


def unfinished(episode: Episode) -> Sequence[Case]:
    """The episode, if something was left and no call failed. A loop at the end, and giving up, the record
    decides."""
    ending = episode.ending
    if ending is None or ending.status == "failed" or ending.numbers.get("completed"):
        return ()
    types = list(action_types(episode, _world(episode)))
    found = loops(types)
    decided = ""
    if ending.reason == "quit" or ending.status == "stopped":
        decided = GAVE_UP
    elif found and sum(found[-1]) == len(types):
        decided = LOOP
    counts = ", ".join(f"{types.count(name)} {name}" for name in dict.fromkeys(types))
    facts = (f"It ended as: {ending.reason.replace('_', ' ')}.", f"Decisions: {counts}.")
    lost = sum(minutes for _, minutes in found)
    in_loops = (f"{len(found)} loops of errors and waits, {lost} minutes.",) if found else ()
    return (Case(decided=decided, facts=(*facts, *in_loops)),)


def reasoned_waits(episode: Episode) -> Sequence[Case]:
    """The waits that were not necessary and for which a reason was given."""
    return tuple(_waits(episode))


def _waits(episode: Episode) -> Iterator[Case]:
    if not any(reason_of(entry) for entry in episode.entries):
        return
    for kind, entry in zip(action_types(episode, _world(episode)), episode.entries, strict=True):
        if kind == UNNECESSARY and reason_of(entry):
            before = episode.entries[entry.index - 1].refusals if entry.index else ()
            facts = (f"The decision before was {'refused' if before else 'not refused'}.",)
            yield Case(at=entry.index, seat=next(iter(entry.answers), ""), facts=facts)


def _world(episode: Episode) -> TimeArena:
    return catalogue.of(episode.header)


ANNOTATIONS = (Annotation(UNFINISHED, unfinished), Annotation(WAITS, reasoned_waits))
