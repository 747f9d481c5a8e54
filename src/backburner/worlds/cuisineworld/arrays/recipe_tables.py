"""The recipes of a scenario in the numbers of its tables: what is made of what, where, with how much work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.tables import padded
from backburner.worlds.cuisineworld.arrays.needs import Recipes
from backburner.worlds.cuisineworld.arrays.tables import Compiler


def recipes_of(compiler: Compiler) -> Recipes:
    """The recipes of a scenario in the numbers of its tables."""
    world, number = compiler.world, compiler.number
    compiled_, things = world.compiled, compiler.encoding.things
    kinds = sorted({kind.name for kind in compiled_.kinds})
    made = {number[compiled_.thing_number[recipe.product]]: recipe for recipe in compiled_.recipes}
    inputs = {
        thing: [number[compiled_.thing_number[name]] for name in recipe.inputs]
        for thing, recipe in made.items()
    }
    dishes = [number[thing] for thing in compiled_.dish_things]
    states = compiler.local.states
    contents = [[number[thing] for thing in content] for _, content, _ in states]
    products = [
        -1 if to < 0 else contents[to][0] if contents[to] else -1
        for to in (row.activated for row in compiler.local.rows)
    ]
    return Recipes(
        inputs=padded([inputs.get(thing, []) for thing in range(len(things))]),
        n_inputs=_ints([len(inputs.get(thing, [])) for thing in range(len(things))]),
        makes=_ints(
            [
                kinds.index(made[thing].tool) if thing in made and made[thing].tool in kinds else -1
                for thing in range(len(things))
            ]
        ),
        deep=_ints(_depths(dishes, inputs, len(things))),
        steps=np.array([_steps(thing, inputs) for thing in range(len(things))], np.float32),
        kind=_ints([kinds.index(kind.name) for kind in compiled_.kinds]),
        role=_ints(compiled_.roles),
        busy=_ints(compiled_.busy_steps),
        content=padded(contents),
        n_content=_ints([len(content) for content in contents]),
        ready=_ints([int(ready) for _, _, ready in states]),
        product=_ints(products),
        thing=_ints(dishes),
        longest=max(world.scenario.lifetimes),
    )


def _depths(dishes: list[int], inputs: Mapping[int, list[int]], things: int) -> list[int]:
    """How many recipes a thing is from the nearest dish."""
    depths = [things] * things
    todo = [(dish, 0) for dish in dishes]
    while todo:
        thing, depth = todo.pop()
        if depth < depths[thing]:
            depths[thing] = depth
            todo += [(part, depth + 1) for part in inputs.get(thing, [])]
    return depths


def _steps(thing: int, inputs: Mapping[int, list[int]]) -> float:
    """The steps of bodies in a thing, as ``needs`` counts them; recipes have no circle."""
    if thing not in inputs:
        return 2.0
    return 3.0 + sum(_steps(part, inputs) for part in inputs[thing])


def _ints(values: Any) -> NDArray[np.int32]:
    return np.array(values, np.int32)
