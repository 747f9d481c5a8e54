"""The grid in words: what a cook is told before play and in each step. Wording is ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from backburner.kernel.text import Kind, Part, parted
from backburner.worlds.collab_grid.game.state import Observation, SeenCook
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.recipes import method_of, recipe_lines, steps_in_words
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, times_told
from backburner.worlds.collab_overcooked.game.state import ROLES, Role, SeenUtensil
from backburner.worlds.collab_overcooked.game.text import belonging, held_in_words, refusal_text

SENTENCES: Mapping[str, str] = {
    "unreadable": "This is no action: {said}",
    "several_actions": "These are several actions, and a step has room for one: {said}.",
    "unknown_ingredient": "The dispenser has no {item}.",
    "names_no_ingredient": "Name the ingredient: interact(ingredient).",
    "takes_no_parameter": "There is nothing to name here: {said}.",
    "nothing_to_turn": "You look {said} already, and there is no floor.",
    "faces_nothing": "You face nothing to interact with.",
    "hands_full": "You hold {held} already.",
    "hands_empty": "You hold nothing.",
    "counter_taken": "The counter has {item} on it, and you hold something.",
    "counter_empty": "There is nothing on the counter, and you hold nothing.",
    "utensil_empty": "{place} is empty.",
    "utensil_at_work": "{place} is at work.",
    "utensil_ready": "What is ready in {place} must be taken out first.",
    "utensil_full": "{place} is full.",
    "not_started": "{place} has not been started.",
    "deliver_not_food": "{held} is nothing to be delivered.",
    "deliver_not_ordered": "Nobody has ordered {held}.",
    "deliver_dish_missing": "{held} is served on a dish.",
    "deliver_dish_not_wanted": "{held} is served without a dish.",
}
"""A sentence for each code of ``legality.FAULTS``; braces hold the names of facts."""

TOOLS: Mapping[str, str] = {
    **{
        way: f"turn {way}, and go there if it is floor and nobody is in the way"
        for way in ("north", "south", "east", "west")
    },
    "stay": "do nothing",
    "interact": "with what you face: take, put down, put in, take out, fill a dish, deliver",
    "fetch": "take an ingredient from the dispenser that you face",
    "start": "start the utensil that you face",
}
"""The actions by verb, for models that call tools."""

TAKES: Mapping[str, tuple[str, ...]] = {"fetch": ("item",)}
TAKES_IN_WORDS: Mapping[str, str] = {"item": "the name of an ingredient"}

TYPING_HELP = "north, south, east, west, or n, s, e, w; interact; interact(egg); start; stay"

PLAN_FORM = (
    "Write your own actions, one on each line, in the order in which you take them. Write no numbers and no "
    "other text."
)


def goal(scenario: Scenario) -> str:
    """The orders, or that they keep coming."""
    if scenario.order_weights:
        return "Deliver as many orders as you can."
    return f"Deliver {', '.join(scenario.orders)}, in as few steps as you can."


# --- before play ----------------------------------------------------------------------------------------


def briefing_parts(
    compiled: Compiled, scenario: Scenario, places: Mapping[int, tuple[str, str]], cook: int
) -> tuple[Part, ...]:
    """Everything that a cook knows from the beginning. Only informed cooks are given the recipes."""
    role, partner = ROLES[cook], ROLES[1 - cook]
    who = f"You are the {role}. You and the {partner} cook together, and both of you act in every step."
    parts: tuple[tuple[Kind, Iterator[str]], ...] = (
        ("role", iter((who,))),
        ("task", iter((goal(scenario),))),
        ("instructions", _kitchen(compiled, places)),
        ("instructions", _work(compiled)),
        ("recipes", _recipes(compiled, scenario, role, partner)),
        ("answering", _answering(compiled)),
    )
    return parted((kind, "\n".join(lines)) for kind, lines in parts)


def _kitchen(compiled: Compiled, places: Mapping[int, tuple[str, str]]) -> Iterator[str]:
    grid = compiled.grid
    yield "The kitchen, north at the top; . is floor, and cells are told as (column, row), from 0"
    for row in range(grid.height):
        line = grid.tiles[row * grid.width : (row + 1) * grid.width]
        yield line.replace(letters.FLOOR, ".")
    for cell, (name, _) in places.items():
        column, row = grid.at(cell)
        yield f"- {grid.tiles[cell]} at ({column}, {row}): {name}"


def _work(compiled: Compiled) -> Iterator[str]:
    yield "What you can do in a step"
    yield (
        "- north, south, east, west: turn there, and go there if it is floor and nobody is in the way. "
        "Cooks do not share or swap cells: then both only turn."
    )
    yield "- interact: with what you face. You hold one thing at a time."
    yield "  - at a counter: put down what you hold, or take what lies there"
    yield "  - at the dish dispenser: take a dish"
    yield "  - at the ingredient dispenser: interact(ingredient) takes one of " + ", ".join(
        compiled.layout.ingredients
    )
    yield (
        f"  - at a utensil, which holds up to {compiled.layout.capacity} things: put in what you hold; take "
        "out what is ready, or fill the dish that you hold with it; interact(start) starts it"
    )
    yield "  - at the serving place: deliver what you hold"
    yield "- stay: do nothing"
    yield "- What matches no recipe is lost when it is started."
    yield f"- Within a step the {ROLES[0]} interacts first, then the {ROLES[1]}, then both walk."
    yield "- An action that comes to nothing is refused and costs the step."


def _recipes(compiled: Compiled, scenario: Scenario, role: Role, partner: Role) -> Iterator[str]:
    yield "Recipes"
    if role not in scenario.informed:
        yield f"You do not have them; the {partner} may."
        return
    for order in dict.fromkeys((*scenario.orders, *sorted(scenario.order_weights))):
        yield from recipe_lines(method_of(compiled.layout, order), times_told(scenario, order))


def _answering(compiled: Compiled) -> Iterator[str]:
    yield "How to answer: with one action and nothing else, such as"
    yield f"north, interact, interact({compiled.layout.ingredients[0]}), interact(start) or stay."


# --- in each step ---------------------------------------------------------------------------------------


def description_parts(seen: Observation) -> tuple[Part, ...]:
    """The orders, what was refused, both cooks, the utensils, the counters."""
    parts: tuple[tuple[Kind, str], ...] = (
        ("state", _heading(seen)),
        ("feedback", "" if seen.refusal is None else refusal_text(seen.refusal, SENTENCES)),
        ("state", "\n".join(_lines(seen))),
        ("question", "Your action:"),
    )
    return parted(parts, "\n")


def _heading(seen: Observation) -> str:
    last = "" if seen.last_step is None else f" of {seen.last_step}"
    orders = ", ".join(seen.orders) or "none"
    return f"Step {seen.steps}{last}. Orders: {orders}. Delivered: {seen.delivered}."


def _lines(seen: Observation) -> Iterator[str]:
    for name in seen.ruined:
        yield f"What was in {name} matched no recipe and is gone."
    yield _cook("You are", "hold", seen.me)
    yield _cook(f"The {seen.partner.role} is", "holds", seen.partner)
    yield from map(_utensil, seen.utensils)
    things = ", ".join(f"{held_in_words(thing.item, thing.plated)} on {thing.place}" for thing in seen.things)
    yield f"On counters: {things or 'nothing'}."


def _cook(is_at: str, holds: str, cook: SeenCook) -> str:
    column, row = cook.at
    held = held_in_words(cook.held, cook.plated) or "nothing"
    towards = f", towards {cook.faces}" if cook.faces else ""
    return f"{is_at} at ({column}, {row}), looking {cook.facing}{towards}; {holds} {held}."


def _utensil(utensil: SeenUtensil) -> str:
    if utensil.output and utensil.steps_left:
        return f"{utensil.name}: {utensil.output} is being made, {steps_in_words(utensil.steps_left)} to go."
    if utensil.output:
        return f"{utensil.name}: {utensil.output} is ready."
    if not utensil.items:
        return f"{utensil.name}: empty."
    return f"{utensil.name} holds {', '.join(utensil.items)}: {belonging(utensil)}; not started."
