"""What is true of a recipe beyond its text, or believed of it: the value and how it is written.

    Beliefs about Soup
    Autonomous: 1, 3
    Dependencies: 0->2, 1->2, 2->3, 3->4
    Appliances: stove: 1

The released program tells or asks the same three things, oven temperatures not among them (article,
sections 4.1 and A.1, Table 11).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from backburner.worlds.recipe2plan.game.scenarios import Recipe


class Beliefs(Struct, frozen=True, omit_defaults=True):
    """What somebody holds true of ``recipe``; it may be wrong, and name steps that are not there.

    ``autonomous``: steps that run by themselves. ``depends``: (earlier, later), where the earlier
    step must have ended before the later one starts. ``uses``: (appliance, step that occupies it).
    """

    recipe: str
    autonomous: tuple[int, ...] = ()
    depends: tuple[tuple[int, int], ...] = ()
    uses: tuple[tuple[str, int], ...] = ()


def beliefs_of(
    recipe: str,
    autonomous: Iterable[int] = (),
    depends: Iterable[tuple[int, int]] = (),
    uses: Iterable[tuple[str, int]] = (),
) -> Beliefs:
    """Beliefs in their one order, everything once; appliances in lower case."""
    lower = {(appliance.lower(), step) for appliance, step in uses}
    return Beliefs(recipe, tuple(sorted(set(autonomous))), tuple(sorted(set(depends))), tuple(sorted(lower)))


def gold(recipe: Recipe) -> Beliefs:
    """What is true of the recipe: dependencies as its steps list them."""
    steps = list(enumerate(recipe.steps))
    return beliefs_of(
        recipe.name,
        (number for number, step in steps if step.autonomous),
        ((before, number) for number, step in steps for before in step.after),
        ((step.appliance, number) for number, step in steps if step.appliance),
    )


def revised(held: Iterable[Beliefs], stated: Iterable[Beliefs]) -> tuple[Beliefs, ...]:
    """What is held after a statement, which takes the place of what was held of the same recipes."""
    return tuple({beliefs.recipe: beliefs for beliefs in (*held, *stated)}.values())


def statement(beliefs: Beliefs) -> str:
    """The text that is read as these beliefs."""
    return "\n".join((f"Beliefs about {beliefs.recipe}", *parts(beliefs)))


def parts(beliefs: Beliefs) -> Iterator[str]:
    """The three lines below the heading."""
    steps_of: dict[str, list[int]] = {}
    for appliance, step in beliefs.uses:
        steps_of.setdefault(appliance, []).append(step)
    yield f"Autonomous: {_listed(beliefs.autonomous) or 'none'}"
    yield f"Dependencies: {', '.join(f'{a}->{b}' for a, b in beliefs.depends) or 'none'}"
    uses = (f"{appliance}: {_listed(steps)}" for appliance, steps in steps_of.items())
    yield f"Appliances: {'; '.join(uses) or 'none'}"


def _listed(steps: Iterable[int]) -> str:
    return ", ".join(map(str, steps))
