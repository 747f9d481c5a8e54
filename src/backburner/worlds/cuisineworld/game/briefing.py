"""What a seat is told before play: rules, verbs, recipes, things, places. All wording is ours.

How long tools take is left unsaid, as in the article.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.kernel.text import Kind, Part, parted
from backburner.kernel.values import Seat
from backburner.worlds.cuisineworld.game.kitchen import ENDLESS, TABLE, TOOL, Kitchen
from backburner.worlds.cuisineworld.game.scenarios import Scenario
from backburner.worlds.cuisineworld.game.seats import Seating, body_name

VERBS = (
    "goto_AGENT_PLACE: the agent goes to the place; any place is one step away",
    "get_AGENT_ITEM_PLACE: the agent takes the item from the place where it is",
    "put_AGENT_PLACE: the agent puts what it holds into the place where it is",
    "activate_AGENT_PLACE: the agent starts the tool where it is; what is inside becomes the product",
    "noop_AGENT: the agent does nothing",
)

RULES = (
    "Orders for dishes keep coming. An order is served when its dish is on the serving table, and fails when "
    "its lifetime has run out before. Have as many served, and as few fail, as you can.",
    "Give each agent that is yours one command in each step, and none of them two. Commands are carried out "
    "in the order in which you write them, each seeing what those before it did.",
)

WATCH = "When a command is refused you are told why. Mind that in your next answer."

PLAN_FORM = """\
Write for each step one command for each agent that is yours, one on a line, and an empty line between \
steps. An agent that is to do nothing in a step gets noop."""
"""How a plan of many steps is written."""

HINTS = (
    "An agent holds one thing at most. It needs free hands to take something, and to activate a tool.",
    "To take, put or activate anything at a place, the agent has to be there.",
    "A tool that is full takes nothing more until it is emptied. What was made in it has to be taken out.",
    "Nothing can be put into or taken from a tool that is occupied.",
    "Activate a tool only when exactly the inputs of a recipe are inside. Avoid waste.",
    "What goes into a salad is chopped before it is mixed.",
    "Bring finished dishes to the serving table at once, before their orders run out.",
)


def briefing_parts(scenario: Scenario, kitchen: Kitchen, seating: Seating, seat: Seat) -> tuple[Part, ...]:
    """Everything that a seat is told before play."""
    parts: list[tuple[Kind, list[str]]] = [
        ("role", [_who(scenario, seating, seat)]),
        ("instructions", _section("Rules", (*RULES, *_variants(scenario)))),
        ("feedback", [] if scenario.feedback == "none" else [WATCH]),
        ("instructions", _section("Commands", VERBS)),
        ("hints", _section("Hints", HINTS if scenario.hints else ())),
        ("recipes", _section("Recipes", [_recipe(r.product, r.tool, r.inputs) for r in kitchen.recipes])),
        ("instructions", _section("Things", [", ".join(sorted(scenario.book.things(scenario.dishes)))])),
        (
            "instructions",
            _section("Base ingredients, which the storage gives", [", ".join(_ingredients(kitchen))]),
        ),
        ("instructions", _section("Places", list(_places(kitchen)))),
        ("answering", _answering(seating, seat)),
    ]
    return parted((kind, "\n".join(lines)) for kind, lines in parts)


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return [title, *(f"- {line}" for line in lines)] if lines else []


def _who(scenario: Scenario, seating: Seating, seat: Seat) -> str:
    own = [body_name(body) for body in seating.bodies_of[seat]]
    others = [body_name(body) for body in range(scenario.bodies) if body not in seating.bodies_of[seat]]
    who = f"You are {own[0]}" if seat == own[0] else f"You command {', '.join(own)}"
    rest = f" {', '.join(others)} also work here, and decide for themselves." if others else ""
    return f"{who} in a kitchen. The game takes {scenario.steps} steps.{rest}"


def _variants(scenario: Scenario) -> Iterator[str]:
    if scenario.table_room is not None:
        yield f"The serving table has room for {scenario.table_room} dishes that nobody waits for yet."
    if scenario.spoil_steps is not None:
        yield f"A dish that has lain on the serving table for {scenario.spoil_steps} steps spoils."
    if scenario.hidden_orders:
        yield "Orders hang at the serving table. Only an agent that stands there sees which there are."


def _recipe(product: str, tool: str, inputs: Sequence[str]) -> str:
    return f"{product}: made in a {tool} of {', '.join(inputs)}"


def _ingredients(kitchen: Kitchen) -> Iterator[str]:
    return (kitchen.things[number] for number in kitchen.level_ingredients)


def _places(kitchen: Kitchen) -> Iterator[str]:
    for name, role, capacity in zip(kitchen.places, kitchen.roles, kitchen.capacity, strict=True):
        room = "any number of things" if capacity == ENDLESS else f"{capacity} at most"
        if role == TOOL:
            yield f"{name}, a tool: {room}"
        else:
            use = "finished dishes" if role == TABLE else "gives ingredients; what is put in is gone"
            yield f"{name} ({use}): {room}"


def _answering(seating: Seating, seat: Seat) -> list[str]:
    own = [body_name(body) for body in seating.bodies_of[seat]]
    lines = ["How to answer", "Write one command for each agent that is yours, one on a line, such as:"]
    return [*lines, *(f"goto_{name}_storage0" for name in own)]
