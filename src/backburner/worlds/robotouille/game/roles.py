"""The facts of a kitchen by what they mean to somebody who looks at it, whatever the domain.

Where things are is said by the predicates that the domain names in ``placement``; all others say
something about a thing, or tie two together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import structs

from backburner.worlds.robotouille.game.domain import Domain
from backburner.worlds.robotouille.game.layout import Layout
from backburner.worlds.robotouille.game.state import Kitchen

Pair = tuple[int, int]


class Roles:
    """A domain's predicates: what part they play, and which of them ever change."""

    def __init__(self, domain: Domain) -> None:
        names = structs.asdict(domain.file.placement)
        known = {role: domain.by_name.get(name) for role, name in names.items()}
        self.predicates = {role: found.index for role, found in known.items() if found is not None}
        self.placing = frozenset(self.predicates.values())
        self.assigned = domain.assigned


class Facts:
    """What holds in one kitchen, by the part that it plays."""

    def __init__(self, roles: Roles, layout: Layout, kitchen: Kitchen) -> None:
        self.roles, self.layout = roles, layout
        self.of: dict[int, list[tuple[int, ...]]] = {}
        for predicate, args in sorted(layout.true_atoms(kitchen.facts)):
            self.of.setdefault(predicate, []).append(args)

    def pairs(self, *roles: str) -> Iterator[Pair]:
        """The facts of two things that play one of these roles of ``Placement``."""
        for role in roles:
            for args in self.of.get(self.roles.predicates.get(role, -1), ()):
                if len(args) == 2:
                    yield args[0], args[1]

    def ties(self, placed: Collection[int]) -> Iterator[Pair]:
        """(a thing that is not ``placed``, what ties it to a place), for the first such fact of each."""
        tied = set(placed)
        for predicate, facts in self.of.items():
            for args in facts if predicate not in self.roles.placing else ():
                loose = [thing for thing in args if thing not in tied]
                if len(args) == 2 and loose:
                    tied.add(loose[0])
                    yield loose[0], args[1 - args.index(loose[0])]

    def marks(self, thing: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """(what has become of a thing, what never changes), in words; its kind and place left out."""
        marks: list[str] = []
        traits: list[str] = []
        kind = f"is{self.layout.objects[thing].kind}"
        for predicate, facts in self.of.items():
            name = self.layout.predicates[predicate].name
            if (thing,) in facts and predicate not in self.roles.placing and name != kind:
                (marks if predicate in self.roles.assigned else traits).append(_word(name))
        return tuple(marks), tuple(traits)


def _word(predicate: str) -> str:
    """``iscut`` as ``cut``, ``is_on_fire`` as ``on fire``."""
    return predicate.removeprefix("is").replace("_", " ").strip() or predicate
