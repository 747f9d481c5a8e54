"""Plans without the idleness that nothing waits for."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.planning.phases import Phases
from backburner.planning.plans import Names
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.state import Kitchen


def tightened(engine: Compiled, phases: Phases, start: Kitchen, plan: Sequence[Names]) -> list[Names]:
    """The plan with steps left out in which nobody does anything, as long as it reaches the goal without.

    Where robots act in turn, each in its own, as many are left out as there are robots.
    """
    size = len(phases.robots) if phases.in_own_turn else 1
    done: list[Names] = []
    rest = list(plan)
    kitchen = start
    while rest and not engine.reached(kitchen):
        later = rest[size:]
        if later and _idle(engine, kitchen, rest[:size]) and _completes(engine, kitchen, later):
            rest = later
            continue
        after = _after(engine, kitchen, rest[0])
        if after is None:
            return list(plan)
        kitchen = after
        done.append(rest.pop(0))
    return done


def _idle(engine: Compiled, kitchen: Kitchen, steps: Sequence[Names]) -> bool:
    layout = engine.layout(kitchen)
    deeds = [engine.find(layout, name) for names in steps for name in names if name]
    return all(deed is not None and not deed.does_something for deed in deeds)


def _completes(engine: Compiled, kitchen: Kitchen, plan: Sequence[Names]) -> bool:
    for names in plan:
        after = _after(engine, kitchen, names)
        if after is None:
            return False
        kitchen = after
        if engine.reached(kitchen):
            return True
    return False


def _after(engine: Compiled, kitchen: Kitchen, names: Names) -> Kitchen | None:
    """The kitchen after a step; ``None`` if a deed of it cannot be done."""
    for name in filter(None, names):
        deed = engine.find(engine.layout(kitchen), name)
        if deed is None or not engine.is_applicable(kitchen, deed):
            return None
        kitchen = engine.apply(kitchen, deed)
    return engine.effects.tick(kitchen)
