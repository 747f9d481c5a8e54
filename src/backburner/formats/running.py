"""What the delayed effects of a planning task do, as small machines for formats that have no such effects.

Effects fall into parts that run as if alone: nothing that one part reads or writes another one writes. A
*stage* of a part is the effects at work in it, in their order. How it goes on is asked of the task's
``Semantics``, once for each way in which the facts can be that conditions look at, so that no rule is written
a second time. Objects that are made in play are taken from a stock, in its order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from backburner.kernel.errors import Refused
from backburner.planning.facts import Object, Operator, bits
from backburner.planning.grounding import ground
from backburner.planning.task import ActiveEffect, State, Task

MOST_STAGES = 2000
"""Of all parts together."""

MOST_READ = 8
"""Facts that may change, and that conditions look at in one stage."""

Given = tuple[int, tuple[int, ...]]
"""An effect and the objects that an operator gives it."""


class Stage(NamedTuple):
    """The effects at work in a part, and how many objects of each kind it has made in play."""

    active: tuple[ActiveEffect, ...] = ()
    made: tuple[int, ...] = ()


class Outcome(NamedTuple):
    """The next stage, facts set and cleared, objects made and gone. Without a stage there is none: the
    operator is not applicable, or the stock is empty."""

    after: Stage | None
    sets: int = 0
    clears: int = 0
    made: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()


Move = tuple[int, int, Outcome]
"""What comes of a stage where some facts are on and others off."""


class Part:
    """Effects that run as if alone: the operators that trigger them, and facts that they write."""

    def __init__(self, operators: Sequence[Operator], writes: int, first: Stage) -> None:
        self.operators = operators
        self.writes = writes
        self.first = first
        self.stages: dict[Stage, list[tuple[Operator | None, list[Move]]]] = {}
        """For each stage what comes of operators, and of a tick (``None``)."""


class Machines:
    """The parts of a task, over its objects and a stock of those that may be made in play; raises ``Refused``
    where effects do not run in parts, or in too many ways."""

    def __init__(self, task: Task) -> None:
        if not task.apart:
            raise Refused("under these rules effects disturb each other that have nothing in common")
        self.task = task
        given, creations = task.initial.created, [node for node in task.nodes if node.type == "creation"]
        kinds = dict.fromkeys(Object("", node.created_type, node.created_kind) for node in creations)
        self.n_given = len(task.table(given).objects)
        one_each = task.table((*given, *kinds))
        named = [{*task.goal.candidates(one_each, each)} for each in range(len(task.goal.variables))]
        self.stock = {
            kind: max(1, sum(thing in each for each in named))
            for thing, kind in enumerate(kinds, self.n_given)
        }
        """How many objects of each kind there are to be made: as many as the goal names, and at least one."""
        placeholders = (kind for kind, n in self.stock.items() for _ in range(n))
        self.table = task.table((*given, *placeholders))
        self.created = (*given, *self.table.objects[self.n_given :])
        self.changing = sum(self.table.of_predicate[one] for one in task.fluents)
        """Facts that become true or false in play."""
        operators = [one for one in ground(task, self.table, task.initial.deleted) if one.triggers]
        self.parts = list(self._in_parts(operators))

    def placeholder(self, kind: Object, number: int) -> int | None:
        """The object that stands for one of a kind that is made in play, if there are so many."""
        before = list(self.stock).index(kind)
        first = self.n_given + sum(list(self.stock.values())[:before])
        return first + number if number < self.stock[kind] else None

    # Parts

    def _in_parts(self, operators: Sequence[Operator]) -> Iterator[Part]:
        effects, n_given = self.task.effects, [effect.n_given for effect in self.task.effects]
        at_work = [(one, (one.effect, one.args[: n_given[one.effect]])) for one in self.task.initial.active]
        found = dict.fromkeys(
            [*(each for _, each in at_work), *(t for one in operators for t in one.triggers)]
        )
        writes = {each: self._writes(each) for each in found}
        written = [bit for mask in writes.values() for bit in bits(mask)]
        common: dict[Given, set[Hashable]] = {}
        for (effect, args), own in writes.items():
            keys = common[effect, args] = {(effect, args[effects[effect].root.owner])}
            keys |= {*bits(own), *bits(self._reads(effect, args) & sum({*written}))}
            keys |= {
                f"object {arg}" for arg in args if self.table.objects[arg].type in self.task.deleted_types
            }
            keys |= {"stock"} if effects[effect].n_created else set()
            keys |= {one.name for one in operators if (effect, args) in one.triggers}
        for members in _with_something_in_common(common):
            makes = any(effects[effect].n_created for effect, _ in members)
            yield Part(
                [one for one in operators if one.triggers[0] in members],
                sum({bit for each in members for bit in bits(writes[each])}),
                Stage(tuple(one for one, each in at_work if each in members), (0,) * len(self.stock) * makes),
            )

    def _reads(self, effect: int, args: tuple[int, ...]) -> int:
        nodes = self.task.ground_nodes(self.table, effect, self._padded(effect, args))
        return sum({bit for node in nodes for bit in bits(node.pre | node.neg)})

    def _padded(self, effect: int, args: tuple[int, ...]) -> tuple[int, ...]:
        schema = self.task.effects[effect]
        return args + (-1,) * (schema.n_given + schema.n_created - len(args))

    def _writes(self, given: Given) -> int:
        """The facts that an effect changes. Those about an object that it has just made are left out: nothing
        else is at work on it."""
        effect, args = given
        tree, found = list(self.task.effects[effect].root.walk()), set[int]()
        kinds = {node.created: (node.created_kind, node.created_type) for node in tree if node.created >= 0}
        stock = [
            [
                n
                for n in range(self.n_given, len(self.table.objects))
                if self.table.objects[n][:0:-1] == kinds[at]
            ]
            for at in sorted(kinds)
        ]
        for made in product(*stock):
            whole = (*args, *made)
            for node, own in zip(tree, self.task.ground_nodes(self.table, effect, whole), strict=True):
                mask = own.adds | own.deletes
                if node.created >= 0:
                    mask &= ~self.table.about[whole[node.created]]
                if node.type == "deletion":
                    mask |= self.table.about[whole[node.owner]]
                found.update(bits(mask))
        return sum(found)

    # Stages

    def explore(self) -> None:
        """Find all stages of all parts, by every operator that may ever be applied."""
        for part in self.parts:
            waiting = [part.first]
            while waiting:
                stage = waiting.pop()
                if stage in part.stages:
                    continue
                moves = [(one, self._moves(part, stage, one)) for one in (*part.operators, None)]
                part.stages[stage] = moves
                waiting += [end.after for _, each in moves for _, _, end in each if end.after is not None]
                if sum(len(each.stages) for each in self.parts) > MOST_STAGES:
                    raise Refused(f"effects run in more than {MOST_STAGES} ways")

    def _moves(self, part: Part, stage: Stage, operator: Operator | None) -> list[Move]:
        """All outcomes but those that change nothing, by the facts that matter."""
        looks = [(one.effect, one.args) for one in stage.active] + [*(operator.triggers if operator else ())]
        reads = sum({bit for each in looks for bit in bits(self._reads(*each))})
        known = self.task.initial.facts & ~self.changing | (operator.pre if operator else 0)
        open = reads & self.changing & ~known & ~(operator.neg if operator else 0)
        if open.bit_count() > MOST_READ:
            raise Refused(f"an effect depends on more than {MOST_READ} facts at once")

        def split(rest: list[int], on: int) -> list[Move]:
            if not rest:
                return [(0, 0, self._outcome(part, stage, operator, on, reads))]
            bit, *others = rest
            false, true = split(others, on), split(others, on | bit)
            if false == true:
                return true
            return [(a, b | bit, end) for a, b, end in false] + [(a | bit, b, end) for a, b, end in true]

        return [move for move in split([*bits(open)], known & reads) if move[2] != Outcome(stage)]

    def _outcome(self, part: Part, stage: Stage, operator: Operator | None, on: int, reads: int) -> Outcome:
        """Asked twice: with all facts false that are written and not looked at, and with all true."""
        semantics, ends = self.task.semantics, list[tuple[int, State]]()
        for fill in (0, part.writes & ~reads):
            state = State(on | fill, self.created, self.task.initial.deleted, stage.active)
            if operator is None:
                ends.append((state.facts, semantics.tick(state)))
                continue
            if not (operator.adds or operator.deletes) and semantics.blocks(state, operator):
                return Outcome(None)
            begun = state.facts & ~operator.deletes | operator.adds
            ends.append((begun, self.task.apply(state, operator)))
        (false, low), (true, high) = ends
        return self._of_stock(stage, low, low.facts & ~false, true & ~high.facts)

    def _of_stock(self, stage: Stage, end: State, sets: int, clears: int) -> Outcome:
        """The outcome with objects of the stock for those that are made."""
        names = dict[int, int]()
        counts = list(stage.made)
        for index, thing in enumerate(end.created[len(self.created) :], len(self.table.objects)):
            place = list(self.stock).index(Object("", thing.type, thing.kind))
            found = self.placeholder([*self.stock][place], counts[place])
            if found is None:
                return Outcome(None)
            names[index] = found
            counts[place] += 1
        larger, known = self.task.table(end.created), (1 << len(self.table.atoms)) - 1
        about_made = [larger.atom(bit) for bit in bits(sets & ~known)]
        renamed = {self.table.bit(p, tuple(names.get(arg, arg) for arg in args)) for p, args in about_made}
        active = (one._replace(args=tuple(names.get(arg, arg) for arg in one.args)) for one in end.active)
        gone = [names.get(bit.bit_length() - 1, bit.bit_length() - 1) for bit in bits(end.deleted)]
        return Outcome(
            Stage(tuple(active), tuple(counts)),
            sets & known | sum(renamed),
            clears & known & self.changing,
            tuple(names.values()),
            tuple(one for one in gone if not self.task.initial.deleted >> one & 1),
        )


def _with_something_in_common(common: Mapping[Given, set[Hashable]]) -> list[set[Given]]:
    """The effects in groups, each joined by what its members have in common."""
    groups: list[tuple[set[Hashable], set[Given]]] = []
    for each, keys in common.items():
        joined = [group for group in groups if not group[0].isdisjoint(keys)]
        groups = [group for group in groups if group not in joined]
        groups.append(
            (keys.union(*(keys for keys, _ in joined)), {each}.union(*(members for _, members in joined)))
        )
    return [members for _, members in groups]
