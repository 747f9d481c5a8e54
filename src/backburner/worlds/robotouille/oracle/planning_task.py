"""Robotouille's kitchens as planning tasks, and plans of the planner as decisions of a world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.values import Seat
from backburner.planning import facts
from backburner.planning import task as planning
from backburner.planning.task import in_steps
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import EffectNode, LiftedLiteral
from backburner.worlds.robotouille.game.scenarios import DISPATCHER, Play
from backburner.worlds.robotouille.game.schema import PLAYER
from backburner.worlds.robotouille.game.state import Acts, Kitchen, Object, Running, State
from backburner.worlds.robotouille.game.world import Robotouille


def task_of(compiled: Compiled, play: Play, kitchen: Kitchen | None = None, turn: int = 0) -> planning.Task:
    """The task to reach the goal from a kitchen, by default the first one, with the ``turn`` of a robot.

    Bits of facts are the kitchen's; everything else of its values is copied into the planner's.
    """
    domain = compiled.domain
    turns = _turns(compiled, play)
    return planning.Task(
        predicates=[facts.Predicate(one.name, one.types) for one in domain.predicates],
        actions=[
            facts.ActionSchema(
                one.name,
                one.params,
                one.types,
                _literals(one.preconditions),
                _literals(one.effects),
                tuple(facts.Trigger(start.effect, start.params) for start in one.starts),
            )
            for one in domain.actions
        ],
        effects=[
            facts.EffectSchema(_node(one.root), one.n_given, one.n_made) for one in domain.special_effects
        ],
        goal=_Goal(compiled),
        turns=turns,
        semantics=KitchenSemantics(compiled),
        initial=to_state(kitchen or compiled.start),
        agent_type=PLAYER,
        phase=planning.Phase(turn if turns.are_own else 0),
        apart=not compiled.rules.skipped_ticks,
    )


def _turns(compiled: Compiled, play: Play) -> planning.Turns:
    robots, any_robot = compiled.robots, compiled.rules.any_robot
    if play == "turns":
        return planning.Turns("alternating", robots, any_robot)
    return planning.Turns("joint" if play == "together" else "free", robots, any_robot)


def _literals(literals: Sequence[LiftedLiteral]) -> tuple[facts.Literal, ...]:
    return tuple(facts.Literal(one.predicate, one.params, one.is_true) for one in literals)


def _node(node: EffectNode) -> facts.EffectNode:
    return facts.EffectNode(
        node.index,
        node.type,
        node.owner,
        _literals(node.conditions),
        _literals(node.effects),
        tuple(map(_node, node.nested)),
        node.made,
        node.made_name,
        node.made_type,
    )


class _Goal(planning.Goal):
    """A kitchen's goal; which things may stand for a variable is a matter of its rules."""

    def __init__(self, compiled: Compiled) -> None:
        super().__init__(
            [planning.GoalLiteral(one.predicate, one.variables) for one in compiled.goal.positive],
            [planning.GoalVariable(variable.kind, variable.name) for variable in compiled.goal.variables],
            compiled.rules.goal_names_in_part,
            [planning.GoalLiteral(one.predicate, one.variables) for one in compiled.goal.negative],
        )
        self._compiled = compiled
        self._n_given = len(compiled.layout(compiled.start).objects)

    def candidates(self, table: facts.FactTable, variable: int) -> Iterator[int]:
        """The things that may stand for a variable."""
        layout = self._compiled.layout_of(_made(table.objects[self._n_given :]))
        return self._compiled.goal.candidates(layout, variable)


class KitchenSemantics:
    """What the rules of kitchens answer to the planner."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled

    def atoms(self, created: tuple[facts.Object, ...]) -> tuple[Sequence[facts.Object], Sequence[facts.Atom]]:
        """Things and facts of the kitchen's layout."""
        layout = self._compiled.layout(self._compiled.start)
        made: tuple[Object, ...] = ()
        for one in created:
            name = one.name or layout.next_name(one.kind, 0)
            made = (*made, Object(name, one.type, one.kind))
            layout = self._compiled.layout_of(made)
        return [facts.Object(one.name, one.type, one.kind) for one in layout.objects], layout.atoms

    def full_count(self, effect: int, node: facts.EffectNode, kind: str) -> int:
        """Pushes or ticks, by the problem's table for the node."""
        nodes = self._compiled.domain.special_effects[effect].root.walk()
        return self._compiled.count_of(next(one for one in nodes if one.index == node.number), kind)

    def trigger(self, state: planning.State, effect: int, args: tuple[int, ...]) -> planning.State:
        """A push."""
        return to_state(self._compiled.effects.push(to_kitchen(state), effect, args))

    def tick(self, state: planning.State) -> planning.State:
        """A tick."""
        return to_state(self._compiled.effects.tick(to_kitchen(state)))

    def blocks(self, state: planning.State, operator: facts.Operator) -> bool:
        """Whether all that it would start is at work."""
        compiled, kitchen = self._compiled, to_kitchen(state)
        if compiled.rules.missing_guards:
            return False
        layout = compiled.layout(kitchen)
        action = compiled.ground(layout, operator.schema, operator.args)
        return compiled.runs_already(layout, kitchen, action)

    def is_goal(self, state: planning.State) -> bool:
        """Whether the kitchen reaches the goal."""
        return self._compiled.reached(to_kitchen(state))


def _made(created: tuple[facts.Object, ...]) -> tuple[Object, ...]:
    return tuple(Object(one.name, one.type, one.kind) for one in created)


def to_kitchen(state: planning.State) -> Kitchen:
    """A planner's state as a kitchen."""
    effects = tuple(Running(one.effect, one.args, one.counts) for one in state.active)
    return Kitchen(state.facts, _made(state.created), state.deleted, effects)


def to_state(kitchen: Kitchen) -> planning.State:
    """A kitchen as a planner's state."""
    return planning.State(
        kitchen.facts,
        tuple(facts.Object(one.name, one.type, one.kind) for one in kitchen.made),
        kitchen.gone,
        tuple(planning.ActiveEffect(one.effect, one.args, one.counts) for one in kitchen.effects),
    )


class Played(NamedTuple):
    """A plan as the world played it: its steps, each decision in words, whether it reached the goal."""

    steps: int
    words: tuple[str, ...]
    completed: bool


def played(world: Robotouille, state: State, plan: Sequence[str], per_step: int) -> Played:
    """Plays a plan's operators by name, ``per_step`` of them in a step ("" is idleness), from a state on.

    Raises ``ReplayMismatch`` at the first that the world refuses.
    """
    begin = state.steps
    words: list[str] = []
    for names in in_steps(plan, per_step):
        if state.ended:
            break
        decisions = decisions_of(world, state, names)
        words += map(world.words, decisions.values())
        step = world.step(state, decisions)
        if step.refusals:
            raise ReplayMismatch(f"{world.id}: the plan's step {names} is refused: {step.refusals[0].code}")
        state = step.state
    return Played(state.steps - begin, tuple(words), state.ended == "completed")


def decisions_of(world: Robotouille, state: State, names: Sequence[str]) -> Mapping[Seat, Acts]:
    """What the seats decide to carry out a step of a plan."""
    seats = world.deciders(state)
    if len(seats) == 1:
        return {seats[0]: Acts(tuple(name for name in names if name))}
    return {seat: Acts((name,) if name else ()) for seat, name in zip(seats, names, strict=True)}


def plan_of(world: Robotouille, decisions: Sequence[Mapping[Seat, Acts]]) -> tuple[str, ...]:
    """Decisions as a plan: the names of the actions, one for each robot and decision; "" is idleness."""
    names: list[str] = []
    for step in decisions:
        for seat, decision in step.items():
            acts = decision.acts or ("",)
            idle = len(world.seating.robots_of(seat)) - len(acts) if seat == DISPATCHER else 0
            names += [*acts, *[""] * idle]
    return tuple(names)
