"""What a robot can do right after one of its deeds, before it goes anywhere else."""

from __future__ import annotations

from functools import cached_property

from backburner.planning.mutexes import Mutexes
from backburner.planning.overview import Overview, bits
from backburner.worlds.robotouille.game.actions import GroundAction


class Following:
    """Rests on facts that a deed leaves behind and that last while its robot stays where it is."""

    def __init__(self, overview: Overview, mutexes: Mutexes) -> None:
        self.overview = overview
        self.mutexes = mutexes
        self._after: dict[GroundAction, int] = {}
        self._loose: dict[tuple[int, int], int] = {}

    def place_after(self, deed: GroundAction) -> int:
        """The fact of where a deed's robot is after it; 0 if the deed does not tell."""
        places = self.overview.places.get(deed.robots[0], 0) if deed.robots else 0
        place = deed.needs & places & ~deed.deletes | deed.adds & places
        return place if place.bit_count() == 1 else 0

    def barred(self, first: GroundAction, second: GroundAction) -> bool:
        """Whether the robot of the first deed certainly cannot do the second one next."""
        return bool(self._facts_after(first) & self.mutexes.excluded_by(second.needs))

    def _facts_after(self, deed: GroundAction) -> int:
        known = self._after.get(deed)
        if known is None:
            place = self.place_after(deed)
            facts = (
                (deed.needs & ~deed.deletes | deed.adds) & ~self.loose(deed.robots[0], place) if place else 0
            )
            known = self._after[deed] = self.mutexes.with_joints(facts)
        return known

    def loose(self, robot: int, place: int) -> int:
        """The facts that may change while a robot is in this place, but not by what it does with its hands:
        by effects, by other robots, and by deeds of its own for which it does not matter what it holds."""
        known = self._loose.get((robot, place))
        if known is None:
            excluded = self.mutexes.excluded_by(place)
            known = self.by_effects
            for deed in self.overview.deeds:
                if self._goes_on_beside(deed, robot) and not deed.needs & excluded:
                    known |= deed.adds | deed.deletes
            self._loose[robot, place] = known
        return known

    def _goes_on_beside(self, deed: GroundAction, robot: int) -> bool:
        if robot not in deed.robots:
            return True
        by_hand = deed.needs & self.overview.hands[robot] and self.overview.payers[deed] is not None
        return not (by_hand or deed.adds & self.overview.places[robot])

    @cached_property
    def places_are_exclusive(self) -> bool:
        """Whether no two robots are ever in one place."""
        overview, of_anchor = self.overview, dict[int, list[int]]()
        for player in overview.players:
            for place in bits(overview.places[player]):
                of_anchor.setdefault(overview.anchor_of(place), []).append(place)
        return len(overview.players) < 2 or all(map(self.mutexes.exclude_each_other, of_anchor.values()))

    @cached_property
    def by_effects(self) -> int:
        """All facts that effects may change."""
        started = {one for deed in self.overview.deeds for one in deed.starts}
        parts = [part for effect, args in started for part in self.mutexes.parts(effect, args)]
        return sum({bit for adds, clears in parts for bit in bits(adds | clears)})
