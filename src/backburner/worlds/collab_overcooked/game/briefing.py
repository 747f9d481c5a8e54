"""What a cook is told before play: its part, the kitchen, the calls, talk, and how to answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backburner.kernel.text import Kind, Part, parted
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.recipe_actions import action_lines
from backburner.worlds.collab_overcooked.game.recipes import method_of
from backburner.worlds.collab_overcooked.game.rule_set import longest_wait
from backburner.worlds.collab_overcooked.game.scenarios import ROLES, Role, Scenario
from backburner.worlds.collab_overcooked.game.talking import END, NOTHING
from backburner.worlds.collab_overcooked.game.targets import SERVING
from backburner.worlds.collab_overcooked.game.text import recipe_lines

CALLS: Mapping[str, str] = {
    f"{calls.PICKUP}(thing, place)": "take a thing; the place is counter, a dispenser or a utensil",
    f"{calls.PUT}(utensil)": "put what you hold into a utensil",
    f"{calls.PLACE}()": "put what you hold on a counter, a shared one if there is room",
    f"{calls.FILL}(utensil)": "fill the dish in your hands with what is ready in a utensil",
}
"""What every cook can do somewhere."""


def briefing_parts(ware: Kitchenware, scenario: Scenario, cook: int) -> tuple[Part, ...]:
    """Everything that is known from the beginning. Recipes are told only to who has them."""
    role, partner = ROLES[cook], ROLES[1 - cook]
    told: tuple[tuple[Kind, Iterator[str]], ...] = (
        ("role", _who(role, partner)),
        ("instructions", _kitchen(ware, cook, partner)),
        ("instructions", _calls(ware, cook, partner)),
        ("recipes", _recipes(ware, scenario, cook)),
        ("answering", _answering(role)),
    )
    return parted((kind, "\n".join(lines)) for kind, lines in told)


def _who(role: Role, partner: Role) -> Iterator[str]:
    yield (
        f"You are the {role}. You and the {partner} cook together; deliver the orders in as few steps as you "
        "can."
    )


def _kitchen(ware: Kitchenware, cook: int, partner: Role) -> Iterator[str]:
    yield "The kitchen"
    yield f"- You can reach: {_listed(ware.targets.space(cook))}."
    yield f"- The {partner} can reach: {_listed(ware.targets.space(1 - cook))}."
    shared = sum(cell in ware.grid.reach[0] and cell in ware.grid.reach[1] for cell in ware.grid.counters)
    yield f"- {shared} counters are within reach of both of you: things are handed over there."
    yield f"- You hold one thing at a time. A utensil holds up to {ware.layout.capacity} things."
    if calls.INGREDIENT_DISPENSER in ware.targets.space(cook):
        yield f"- The {calls.INGREDIENT_DISPENSER} gives: {_listed(ware.layout.ingredients)}."
    yield "- A utensil must be started once its ingredients are in it."
    yield "- What matches no recipe is lost when it is started."
    yield "- Walking, turning and acting take a step each. You say what to do, and it is done step by step."


def _calls(ware: Kitchenware, cook: int, partner: Role) -> Iterator[str]:
    yield "What you can do"
    yield from (f"- {call}: {meaning}" for call, meaning in CALLS.items())
    for verb, names in _operations(ware, cook).items():
        yield f"- {' or '.join(f'{verb}({name})' for name in names)}: start it, with empty hands"
    if SERVING in ware.targets.space(cook):
        yield f"- {calls.DELIVER}(): bring what you hold to the serving place"
    yield f"- {calls.WAIT}(steps): do nothing for up to {longest_wait(ware.rules)} steps"
    yield (
        f"- {calls.REQUEST}('call'): what the {partner} should do. It is put before the {partner} and does "
        "nothing by itself."
    )
    others = [f"{verb}({name})" for verb, names in _operations(ware, 1 - cook).items() for name in names]
    if others:
        yield f"- Operations of the {partner}: {_listed(others)}"


def _operations(ware: Kitchenware, cook: int) -> Mapping[str, Sequence[str]]:
    """The utensils within a cook's reach by the verb that starts them."""
    within = set(ware.targets.space(cook))
    found: dict[str, list[str]] = {}
    for utensil in ware.grid.utensils:
        if utensil.name in within:
            found.setdefault(utensil.verb, []).append(utensil.name)
    return found


def _recipes(ware: Kitchenware, scenario: Scenario, cook: int) -> Iterator[str]:
    role, partner = ROLES[cook], ROLES[1 - cook]
    yield "Recipes"
    if role not in scenario.informed:
        yield f"You do not have them; the {partner} may."
        return
    if partner not in scenario.informed:
        yield f"Only you have them; the {partner} knows nothing of them but what you say."
    for order in dict.fromkeys((*scenario.orders, *sorted(scenario.order_weights))):
        method = method_of(ware.layout, order)
        if scenario.first_action:
            yield from action_lines(ware, method, cook, scenario.first_action)
        else:
            yield from recipe_lines(method)


def _answering(role: Role) -> Iterator[str]:
    name = role.capitalize()
    yield "How to answer: three fields, in this order"
    yield f"{name} analysis: how things stand"
    yield f"{name} plan: calls with semicolons between them, on one line, in the order in which you do them"
    yield f"{name} say: words to your partner, or {NOTHING}. Write {END} in it to end the talk."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"
