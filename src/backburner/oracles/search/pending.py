"""Effects at work as a projection sees them: what they may bring about, at any time from now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from backburner.oracles.search.mutexes import filled_args
from backburner.oracles.search.scope import Scope
from backburner.worlds.robotouille.domain import Node
from backburner.worlds.robotouille.state import Running

Outcome = tuple[int, int, int]
"""What has to hold, what becomes true, what becomes false: a scope's own bits."""


class Pending(NamedTuple):
    """An effect at work. One that only counts pushes has what is ``done`` and what makes it ``full``."""

    outcomes: tuple[Outcome, ...]
    done: int = 0
    full: int = 0


class PendingOf:
    """Reads effects for a scope; those that change nothing in it are left out.

    If ``loose``, what they bring about needs no condition: then more of them are alike.
    """

    def __init__(self, scope: Scope, loose: bool) -> None:
        self._scope = scope
        self._loose = loose
        self._known: dict[tuple[int, tuple[int, ...]], Pending | None] = {}

    def running(self, effects: Iterable[Running]) -> frozenset[Pending]:
        """The effects of a list."""
        found = set()
        for one in effects:
            kind = self.started(one.effect, one.args)
            if kind is not None and not kind.full:
                found.add(kind)
            elif kind is not None and one.counts[0] < kind.full:
                found.add(kind._replace(done=one.counts[0]))
        return frozenset(found)

    def started(self, effect: int, args: tuple[int, ...]) -> Pending | None:
        """An effect that a deed starts or pushes."""
        key = (effect, args)
        if key not in self._known:
            self._known[key] = self._read(effect, filled_args(self._scope.overview, effect, args))
        return self._known[key]

    def _read(self, effect: int, args: tuple[int, ...]) -> Pending | None:
        engine = self._scope.overview.engine
        whole = engine.domain.effects[effect]
        parts = engine.effects.parts(self._scope.overview.layout, effect, args)
        outcomes: list[Outcome] = []

        def walk(node: Node, needs: int) -> None:
            part = parts[node.index]
            adds, clears = self._scope.own(part.adds), self._scope.own(part.clears)
            if node.type == "conditional":
                needs |= 0 if self._loose else self._scope.own(part.on)
                if adds or clears:
                    outcomes.append((0, clears, adds))
            if adds or clears:
                outcomes.append((needs, adds, clears))
            for below in node.nested:
                walk(below, needs)

        walk(whole.root, 0)
        if not outcomes:
            return None
        # Only of an effect of one thing is it certain which pushes are counted together.
        counts = whole.root.type == "repetitive" and not whole.root.nested and whole.n_given == 1
        return Pending(tuple(outcomes), full=parts[0].full if counts else 0)


def push(
    facts: int, pending: frozenset[Pending], starts: Sequence[Pending]
) -> tuple[int, frozenset[Pending]]:
    """Facts and effects after these have been started, or pushed once more."""
    for start in starts:
        old = {one for one in pending if start.full and one.outcomes == start.outcomes}
        done = max((one.done for one in old), default=0) + 1
        if not start.full:
            pending |= {start}
        elif done < start.full:
            pending = pending - old | {start._replace(done=done)}
        else:
            pending -= old
            for _, adds, clears in start.outcomes:
                facts = facts & ~clears | adds
    return facts, pending
