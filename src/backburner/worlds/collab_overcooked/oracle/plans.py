"""Plans that a search has found, carried out by the world itself, step for step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backburner.kernel.errors import ReplayMismatch
from backburner.worlds.collab_overcooked.game.grid import ACTIONS, INTERACT
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.menus import reply_of
from backburner.worlds.collab_overcooked.game.moves import START
from backburner.worlds.collab_overcooked.game.moves import Move as Action
from backburner.worlds.collab_overcooked.game.rule_set import Rules, longest_wait
from backburner.worlds.collab_overcooked.game.state import Kitchen, State
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.oracle.calls_space import Move
from backburner.worlds.collab_overcooked.oracle.codes import Codes
from backburner.worlds.collab_overcooked.oracle.known_calls import IDLE, KnownCalls
from backburner.worlds.collab_overcooked.oracle.moves_space import GridMove
from backburner.worlds.collab_overcooked.oracle.steps import START_ACT, TAKE_ACT

Words = tuple[str, ...]


def schedules(way: Sequence[Move], known: KnownCalls, rules: Rules) -> tuple[Words, Words]:
    """What each cook decides, one call after the other; waits in a row are one, as far as it may last."""
    first, second = ([move.begun[cook] for move in way if move.begun[cook] != IDLE] for cook in (0, 1))
    longest = longest_wait(rules)
    return _written(first, known, longest), _written(second, known, longest)


def _written(begun: Iterable[int], known: KnownCalls, longest: int) -> Words:
    found: list[int] = []
    for call in begun:
        if call < 0 and found and -longest < found[-1] < 0:
            found[-1] += call
        else:
            found.append(call)
    return tuple(known.call(call).text for call in found)


def played_calls(world: CollabOvercooked, state: State, plans: tuple[Words, Words]) -> tuple[Words, State]:
    """The calls in the order in which the world asks for them, and the state that they lead to.

    Raises ``ReplayMismatch`` if a call is refused, or asked for when none is left.
    """
    left = [list(plan)[::-1] for plan in plans]
    words: list[str] = []
    while seats := world.deciders(state):
        cook = state.asked
        if not left[cook]:
            raise ReplayMismatch(f"{world.id}: the plan is over before the orders are met: {words}")
        words.append(left[cook].pop())
        step = world.step(state, {seats[0]: reply_of(words[-1])})
        if step.refusals:
            raise ReplayMismatch(f"{world.id}: {words[-1]!r} is refused ({step.refusals[0].code})")
        state = step.state
    return tuple(words), state


def actions_of(way: Sequence[GridMove], codes: Codes) -> list[tuple[Action, Action]]:
    """The joint moves of a plan, as the world takes them."""
    return [(_action(move.begun[0], codes), _action(move.begun[1], codes)) for move in way]


def _action(action: int, codes: Codes) -> Action:
    if action == START_ACT:
        return INTERACT, START
    if action >= TAKE_ACT:
        return INTERACT, codes.name(action - TAKE_ACT)
    return action, ""


def played_moves(ware: Kitchenware, kitchen: Kitchen, actions: Iterable[tuple[Action, Action]]) -> Kitchen:
    """The kitchen after these joint moves."""
    for joint in actions:
        kitchen = ware.stepper.step(kitchen, joint).kitchen
    return kitchen


def in_words(actions: Iterable[tuple[Action, Action]]) -> Words:
    """Each step's moves, the first cook's before the second's: ``W | INTERACT(egg)``."""
    return tuple(f"{_word(first)} | {_word(second)}" for first, second in actions)


def _word(action: Action) -> str:
    name, parameter = ACTIONS[action[0]], action[1]
    return f"{name}({parameter})" if parameter else name


def by_cook(world: CollabOvercooked, words: Words, space: str) -> tuple[Words, Words]:
    """A plan's words, each cook's apart; for the space of calls from the beginning of the world."""
    if space == "moves":
        steps = [word.split(" | ") for word in words]
        return tuple(first for first, _ in steps), tuple(second for _, second in steps)
    parts: tuple[list[str], list[str]] = ([], [])
    state = world.start()
    for word in words:
        parts[state.asked].append(word)
        state = world.step(state, {world.deciders(state)[0]: reply_of(word)}).state
    return tuple(parts[0]), tuple(parts[1])
