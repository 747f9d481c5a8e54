"""Effects at work as a projection sees them: what they may bring about, at any time from now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from backburner.planning.mutexes import filled_args
from backburner.planning.scope import Scope
from backburner.worlds.robotouille.game.domain import EffectNode
from backburner.worlds.robotouille.game.state import Running


class Outcome(NamedTuple):
    """What has to hold, what becomes true, what becomes false: a scope's own bits.

    ``new``: it makes the thing that the scope follows. ``late``: not in the step in which it is started.
    """

    needs: int
    adds: int
    clears: int
    new: bool = False
    late: bool = False

    def without(self, facts: int) -> Outcome:
        """Where it is about another thing than these facts are."""
        return self._replace(
            needs=self.needs & ~facts, adds=self.adds & ~facts, clears=self.clears & ~facts, new=False
        )


class Pending(NamedTuple):
    """An effect at work. One that only counts pushes has what is ``done`` and what makes it ``full``.

    ``same``: what is one effect, which goes on where it stopped when it is started again. ``fresh``: the
    robot that is with it has done nothing since it began.
    """

    outcomes: tuple[Outcome, ...]
    same: tuple[int, bool, int]
    done: int = 0
    full: int = 0
    fresh: bool = False

    def possible(self, facts: int, made: int) -> Iterator[Outcome]:
        """What it may bring about now; ``made`` facts are about the one thing that is followed."""
        for one in self.outcomes:
            too_early = self.fresh and one.late
            if not (one.needs & ~facts or too_early or (one.new and facts & made)):
                yield one

    def with_freshness(self, fresh: bool) -> Pending:
        """The same, fresh or no longer so."""
        return self._replace(fresh=fresh and any(one.late for one in self.outcomes))

    def without(self, facts: int) -> Pending | None:
        """The same about another thing than these facts are; ``None`` if it then changes nothing."""
        outcomes = tuple(one for whole in self.outcomes if (one := whole.without(facts)).adds or one.clears)
        return self._replace(outcomes=outcomes) if outcomes else None


class PendingOf:
    """Reads effects for a scope; those that change nothing in it are left out.

    Pushes are counted for ``payers``. If ``loose``, what effects bring about needs no condition: then
    more of them are alike.
    """

    def __init__(self, scope: Scope, payers: Collection[int], loose: bool) -> None:
        self._scope = scope
        self._payers = payers
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
        engine, one_robot = self._scope.overview.engine, len(self._scope.overview.players) == 1
        whole = engine.domain.special_effects[effect]
        parts = engine.effects.ground_nodes(self._scope.overview.layout, effect, args)
        outcomes: list[Outcome] = []

        def walk(node: EffectNode, needs: int, late: bool, made: bool) -> None:
            part = parts[node.index]
            adds, clears = self._scope.own(part.adds), self._scope.own(part.deletes)
            late |= one_robot and node.type == "delayed" and part.full > 1
            made |= node.type == "creation"
            if node.type == "conditional":
                needs |= 0 if self._loose else self._scope.own(part.needs)
                if adds or clears:
                    outcomes.append(Outcome(0, clears, adds))
            if adds or clears:
                outcome = Outcome(needs, adds, clears, node.type == "creation", late)
                outcomes.extend([outcome, outcome.without(self._scope.made)] if made else [outcome])
            for below in node.nested:
                walk(below, needs, late, made)

        walk(whole.root, 0, False, False)
        if not outcomes:
            return None
        owner = args[whole.root.owner]
        # Only of an effect of one thing is it certain which pushes are counted together.
        counts = whole.root.type == "repetitive" and not whole.root.nested and whole.n_given == 1
        counts &= args[0] in self._payers
        made = self._scope.overview.is_foreseen(owner)
        same = (effect, made, 0 if made else owner)
        return Pending(tuple(outcomes), same, full=parts[0].full if counts else 0)


def push(
    facts: int, pending: frozenset[Pending], starts: Sequence[Pending], fresh: bool
) -> tuple[int, frozenset[Pending]]:
    """Facts and effects after these have been started, or pushed once more."""
    for start in starts:
        old = {one for one in pending if start.full and one.outcomes == start.outcomes}
        done = max((one.done for one in old), default=0) + 1
        if not start.full:
            anew = all(one.same != start.same for one in pending)
            pending |= {start.with_freshness(fresh and anew)}
        elif done < start.full:
            pending = pending - old | {start._replace(done=done)}
        else:
            pending -= old
            for outcome in start.outcomes:
                facts = facts & ~outcome.clears | outcome.adds
    return facts, pending


def with_freshness(pending: frozenset[Pending], fresh: bool) -> frozenset[Pending]:
    """The effects, those of them fresh that can be."""
    return frozenset(one.with_freshness(fresh) for one in pending)
