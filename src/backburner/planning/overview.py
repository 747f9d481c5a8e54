"""What can happen in a kitchen as a whole: all deeds over all things, those yet to be made included."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import permutations

from backburner.planning.grounding import ground, mover_types
from backburner.planning.groups import Group, exactly_one_groups
from backburner.planning.repertoire import Repertoire
from backburner.worlds.robotouille.game.actions import GroundAction
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.layout import Atom, Layout, Object
from backburner.worlds.robotouille.game.schema import PLAYER
from backburner.worlds.robotouille.game.state import Kitchen

MOST_ALIKE = 5
"""Of more players each is looked at: there are too many orders of them."""


class Overview:
    """Deeds and things behind a kitchen.

    *Movers* are things whose type comes first in a changing fact of two things, and all that can be
    made; *anchors* are all others but players. One *foreseen* thing stands for all that effects will
    make of a kind.
    """

    def __init__(self, engine: Compiled, start: Kitchen, repertoire: Repertoire | None = None) -> None:
        repertoire = repertoire or Repertoire()
        self.engine = engine
        self.start = start
        self.facts = start.facts
        self.changing = engine.domain.changing
        nodes = [node for effect in engine.domain.special_effects for node in effect.root.walk()]
        made = dict.fromkeys((node.made_name, node.made_type) for node in nodes if node.type == "creation")
        self.made_types = {type for _, type in made}
        self.deletes = any(node.type == "deletion" for node in nodes)
        before = engine.layout_of(start.made)
        self.n_things = len(before.objects)
        self.layout = _with_foreseen(before, list(made))
        objects = self.layout.objects
        self.players = [index for index, thing in enumerate(objects) if thing.type == PLAYER]
        self.mover_types = mover_types(engine)
        self.movers = [index for index, thing in enumerate(objects) if thing.type in self.mover_types]
        self.anchors = {
            index
            for index, thing in enumerate(objects)
            if thing.type not in self.mover_types and thing.type != PLAYER
        }
        named = [engine.goal.candidates(self.layout, v) for v in range(len(engine.goal.variables))]
        self.names_one_made = sum(any(map(self.is_foreseen, things)) for things in named) < 2
        self._as_actor: dict[int, int] = {}
        self.own_facts = [0] * len(objects)
        """For each thing the facts in which it comes first."""
        for place, (_, args) in enumerate(self.layout.atoms):
            if args:
                self.own_facts[args[0]] |= 1 << place
        grounded = ground(engine, self.layout, start.facts, start.gone, self.changing)
        self.deeds = [deed for deed in grounded if repertoire.has(self.layout, deed)]
        self._name_hands_and_places()
        self.payers = {deed: self._payer(deed) for deed in self.deeds}
        self.actors = self.players[:1] if self._players_are_alike() else self.players
        """Players to look at: one of them if all can do the same, and what one can do any can."""

    @property
    def starts(self) -> Iterator[int]:
        """The facts in the beginning; where players are alike, in every order of them."""
        orders = permutations(self.players) if len(self.actors) < len(self.players) else [self.players]
        for order in orders:
            names = dict(zip(self.players, order, strict=True))
            atoms = self.layout.true_atoms(self.facts)
            yield sum(
                {self.layout.bit(one, tuple(names.get(arg, arg) for arg in args)) for one, args in atoms}
            )

    def _players_are_alike(self) -> bool:
        affected = {arg for one in self.start.effects for arg in one.args}
        if not 1 < len(self.players) <= MOST_ALIKE or not affected.isdisjoint(self.players):
            return False
        kinds: dict[int, set[tuple[str, tuple[int, ...]]]] = {player: set() for player in self.players}
        for deed in self.deeds:
            if len(deed.robots) > 1:
                return False
            for robot in deed.robots:
                args = tuple(-1 if arg == robot else arg for arg in deed.args)
                kinds[robot].add((deed.action, args))
        return all(done == kinds[self.players[0]] for done in kinds.values())

    def actors_only(self, deed: GroundAction) -> bool:
        """Whether no robot of a deed is one that another stands for."""
        return all(robot in self.actors for robot in deed.robots)

    def as_actor(self, player: int, facts: int) -> int:
        """A player's facts of hand and place, as those of the actor that stands for it."""
        if player in self.actors:
            return facts
        known = 0
        for bit in bits(facts):
            if bit not in self._as_actor:
                predicate, args = self.atom(bit)
                replaced = tuple(self.actors[0] if arg == player else arg for arg in args)
                self._as_actor[bit] = self.layout.bit(predicate, replaced)
            known |= self._as_actor[bit]
        return known

    def _name_hands_and_places(self) -> None:
        """For each player the facts that say what is in its hand, and those that say where it is.

        Both are groups of which exactly one fact holds. Where a player lacks one of them, ``tellable``
        is false, and nothing here may be relied on.
        """
        hand: Group = frozenset()
        place: Group = frozenset()
        for group in exactly_one_groups(self.engine, PLAYER):
            others = {
                type
                for predicate, own in group
                for where, type in enumerate(self.engine.domain.predicates[predicate].types)
                if where != own
            }
            if others & self.mover_types:
                hand = group
            elif others:
                place = group
        self.hands = {player: self._facts_of(hand, player) for player in self.players}
        self.places = {player: self._facts_of(place, player) for player in self.players}
        self.held = {
            player: sum(bit for bit in bits(mask) if set(self.atom(bit)[1]) & set(self.movers))
            for player, mask in self.hands.items()
        }
        self.tellable = not self.deletes and all(len(deed.robots) < 2 for deed in self.deeds)
        for player in self.players:
            for facts in (self.hands[player], self.places[player]):
                self.tellable &= (self.facts & facts).bit_count() == 1

    def _facts_of(self, group: Group, thing: int) -> int:
        mask = 0
        for predicate, place in group:
            mask |= self.layout.rows.get((predicate, place, thing), 0)
        return mask

    def held_of(self, player: int, things: Collection[int]) -> int:
        """The facts that a player holds one of these things."""
        return sum(bit for bit in bits(self.held[player]) if not set(things).isdisjoint(self.atom(bit)[1]))

    def anchor_of(self, place: int) -> int:
        """The anchor of a fact that says where a player is; -1 if it is about none."""
        if place.bit_count() != 1:
            return -1
        return next((arg for arg in self.atom(place)[1] if arg in self.anchors), -1)

    def atom(self, bit: int) -> Atom:
        """The fact of a bit."""
        return self.layout.atoms[bit.bit_length() - 1]

    def is_foreseen(self, thing: int) -> bool:
        """Whether it is made in play, or of a type that is: such things are not told apart."""
        return thing >= self.n_things or self.layout.objects[thing].type in self.made_types

    def _payer(self, deed: GroundAction) -> int | None:
        """The mover to which a deed's step is charged; ``None``: to that in the robot's hand, if any."""
        movers = [arg for arg in deed.args if arg in self.movers]
        if not movers:
            return None
        for robot in deed.robots:
            for bit in bits((deed.adds | deed.deletes) & self.held[robot]):
                return next(arg for arg in self.atom(bit)[1] if arg in self.movers)
            for bit in bits(deed.needs & self.held[robot]):
                return next(arg for arg in self.atom(bit)[1] if arg in self.movers)
        for mover in movers:
            if (deed.adds | deed.deletes) & self.layout.about[mover]:
                return mover
            for effect, args in deed.starts:
                if args[self.engine.domain.special_effects[effect].root.owner] == mover:
                    return mover
        return movers[0]


def bits(mask: int) -> Iterator[int]:
    """The bits of a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def _with_foreseen(layout: Layout, made: list[tuple[str, str]]) -> Layout:
    for name, type in made:
        layout = layout.extended(Object(layout.next_name(name, 0), type, name))
    return layout
