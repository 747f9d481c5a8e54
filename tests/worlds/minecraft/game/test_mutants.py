"""A change of any one line of the rules is noticed by a worked example.

A mutant is a function with one thing changed (see ``support.mutants``). What no example notices changes
nothing that anybody could see, and stands here with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import pytest

from backburner.worlds.minecraft.game import physics
from backburner.worlds.minecraft.game.order_book import OrderBook
from backburner.worlds.minecraft.game.transition import Transition
from support.mutants import Mutant, mutants

HERE = Path(__file__).parent

RULES = (
    Transition._going, Transition._hunting, Transition._putting, Transition._storing, Transition._here,
    Transition._within, Transition._opens, Transition._nearest, Transition._effect, Transition._kill,
    OrderBook.add, OrderBook.end_step, OrderBook._expire, OrderBook._serve, OrderBook.sorted,
    physics._lit, physics._made, physics.fits, physics.less, physics.killing_ticks,
)  # fmt: skip


def examples() -> Iterator[Callable[[], None]]:
    """The worked examples of this room, those with their own arithmetic first."""
    for name in ("orders", "reach", "rules", "rule_set", "furnace", "text"):
        spec = spec_from_file_location(f"examples_{name}", HERE / f"test_{name}.py")
        assert spec and spec.loader
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        for test, function in vars(module).items():
            if test.startswith("test_") and isinstance(function, FunctionType):
                yield from _cases(function)


def _cases(function: FunctionType) -> Iterator[Callable[[], None]]:
    """A test, with each of its parameters."""
    marks = [mark for mark in getattr(function, "pytestmark", ()) if mark.name == "parametrize"]
    if marks:
        names = marks[0].args[0]
        for values in marks[0].args[1]:
            given = (values,) if isinstance(names, str) else values
            yield lambda given=given: function(*given)  # type: ignore[misc]
    elif not signature(function).parameters and not hasattr(function, "hypothesis"):
        yield cast(Callable[[], None], function)


EXAMPLES = list(examples())


def fails(example: Callable[[], None]) -> bool:
    try:
        example()
    except Exception:
        return True
    return False


def test_the_examples_hold() -> None:
    assert len(EXAMPLES) > 60
    assert not any(map(fails, EXAMPLES))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__qualname__)
def test_every_change_is_noticed(rule: Any) -> None:
    unnoticed = [str(mutant) for mutant in mutants(rule) if not noticed(mutant)]
    assert [each for each in unnoticed if each not in ALIKE] == []


def noticed(mutant: Mutant) -> bool:
    original = mutant.function.__code__
    mutant.function.__code__ = mutant.code
    try:
        return any(map(fails, EXAMPLES))
    finally:
        mutant.function.__code__ = original


ALIKE = {
    # Four times a whole number is neither 81 nor 82.
    "Transition._opens: 4 * squared(self.at[body], thing) <= REACH_DOUBLED * REACH_DOUBLED -> "
    "4 * squared(self.at[body], thing) <= REACH_DOUBLED * REACH_DOUBLED + 1",
    "Transition._opens: 4 * squared(self.at[body], thing) <= REACH_DOUBLED * REACH_DOUBLED -> "
    "4 * squared(self.at[body], thing) <= REACH_DOUBLED * REACH_DOUBLED + -1",
    # Nothing is said by either.
    "Transition._effect: return '' -> return None",
    # Who puts something into the chest has let time come to this tick.
    "OrderBook.add: self.advance(tick) -> pass",
    # A hand does one point of damage.
    "killing_ticks: -MOBS[kind].health // HAND_DAMAGE -> -MOBS[kind].health",
}
