"""What seats are told: the briefing, each state, refusals, and the scenario of an example. Wording is ours.

The facts are those that the released program tells its models. What it leaves them to find out is left
unsaid here as well: how long tools take, that any place is one step away, that the commands of a step
are carried out one after the other, that the storage destroys what is put in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.text import Part, parted
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.cuisineworld.game import phases
from backburner.worlds.cuisineworld.game.compiled import ENDLESS, Compiled
from backburner.worlds.cuisineworld.game.scenarios import (
    HEAD_CHEF,
    Scenario,
    body_name,
    levels,
    work_steps,
)
from backburner.worlds.cuisineworld.game.state import FIRST_ANSWER, Observation, SeenAct
from backburner.worlds.dispatch.seating import Seating, shared_out
from backburner.worlds.dispatch.words import role, section, sentence

COMMANDS = (
    "goto_AGENT_PLACE: the agent goes to the place",
    "get_AGENT_ITEM_PLACE: the agent takes the item from the place",
    "put_AGENT_PLACE: the agent puts what it holds into the place",
    "activate_AGENT_PLACE: the agent starts the tool; what is inside becomes the product",
    "noop_AGENT: the agent does nothing",
    "There are these five verbs and no others. An agent that is to wait gets noop.",
)

TOOLS: Mapping[str, str] = {
    "noop": "the agent does nothing",
    "goto": "the agent goes to the place",
    "fetch": "the agent takes the base ingredient from the storage",
    "get": "the agent takes what is inside from the place",
    "put": "the agent puts what it holds into the place",
    "activate": "the agent starts the tool; what is inside becomes the product",
}
"""The commands by verb, for models that call tools."""

THINGS: Mapping[str, str] = {"place": "the name of a place", "item": "the name of a thing"}

RULES = (
    "Give each agent that is yours one command in each step, and none of them two.",
    "Tools stay where they are. Each is used at its own place only.",
)

WATCH = "When a command is refused you are told why. Mind that in your next answer."

PLAN_FORM = """\
Write for each step one command for each agent that is yours, one on a line, and an empty line between \
steps. An agent that is to do nothing in a step gets noop."""
"""How a plan of many steps is written."""

HINTS = (
    "Orders for dishes keep coming. Have as many served, and each as soon, as you can.",
    "Bring finished dishes to the serving table at once. An order fails when its lifetime has run out and "
    "its dish is not there.",
    "An agent holds one thing at most. It needs free hands to take something, and to activate a tool.",
    "To take something from a place, the agent has to be there.",
    "A tool that is full takes nothing more until it is emptied.",
    "Nothing can be put into or taken from a tool that is occupied, as occupy() says.",
    "Activate a tool only when exactly the inputs of a recipe are inside. Avoid waste.",
    "What goes into a salad is chopped before it is mixed, in the mixer.",
)

IDLE = "Every agent was told to do nothing. Put them to work."

SENTENCES: Mapping[str, str] = {
    "no_command": "No command could be found in your answer.",
    "empty": "No command was given.",
    "arity": "'{said}' is no command: it takes a verb, an agent and at most an item and a place.",
    "verb": "'{said}' begins with no verb that there is: use noop, goto, get, put or activate.",
    "agent": "'{said}' names no agent: an agent is called agent and its number.",
    "no_place": "'{said}' does not say at which place.",
    "args": "'{said}' says more than this verb takes.",
    "location": "'{said}' names a place that is not in this kitchen.",
    "no_such_agent": "'{said}' is for an agent that is not here.",
    "other_agent": "'{said}' is for {agent}, whom you do not command.",
    "duplicate_agent": "'{said}' is a second command for {agent}: one for each agent and step.",
    "more": "{count} more commands were refused.",
    "too_long": "Nobody heard you: {characters} characters; an instruction has {most} at most.",
    "words_only": "'{said}': a head chef commands nobody. Say in words what is to be done.",
    "agent_occupied": "'{said}': the agent is still busy with a tool.",
    "not_at_location": "'{said}': the agent is not there.",
    "not_pickable": "'{said}': nothing can be taken from there now.",
    "storage_needs_base_item": "'{said}': the storage gives base ingredients only, each by its name.",
    "get_empty": "'{said}': nothing is inside.",
    "get_hands_full": "'{said}': the agent already holds {thing}.",
    "not_inside": "'{said}': something else is inside.",
    "location_occupied": "'{said}': the place is occupied until its work is done.",
    "not_a_level_dish": "'{said}': {thing} is no dish of this level; the serving table is for those.",
    "table_full": "'{said}': nobody waits for another {thing}, and the serving table has no room to spare.",
    "put_waste": "'{said}': no recipe takes {thing} there together with what is inside; it would be wasted.",
    "put_hands_empty": "'{said}': the agent holds nothing.",
    "not_held": "'{said}': the agent holds {thing}.",
    "inside_already": "'{said}': {thing} is inside already.",
    "product_waits": "'{said}': what was made there has to be taken out first.",
    "location_full": "'{said}': the place is full.",
    "activate_hands_full": "'{said}': the agent holds {thing}, and needs free hands.",
    "activate_empty": "'{said}': nothing is inside.",
    "activate_waste": "'{said}': what is inside is no whole recipe; it would be wasted.",
}
"""One sentence for each code; names in braces are details of the refusal."""

AT_THE_BEGINNING = "No command could be found in the first answer, at which the released program ends."

EXAMPLE_STEPS = 30
"""Steps of the article's example, too; its order waits as long as the game lasts in ours."""

EXAMPLE = "example"


def briefing_parts(scenario: Scenario, compiled: Compiled, seating: Seating, seat: Seat) -> tuple[Part, ...]:
    """Everything that a seat is told before play."""
    own_rules = (*_rules(scenario, seating, seat), *_variants(scenario))
    recipes = (f"{r.product}: made in a {r.tool} of {', '.join(r.inputs)}" for r in compiled.recipes)
    things = ", ".join(sorted(scenario.book.things(scenario.dishes)))
    ingredients = ", ".join(compiled.things[number] for number in compiled.level_ingredients)
    return parted(
        (
            ("role", _who(scenario, seating, seat)),
            ("instructions", section("Rules", own_rules)),
            ("feedback", "" if scenario.feedback == "none" else WATCH),
            ("instructions", section("Commands", COMMANDS)),
            ("hints", section("Hints", HINTS if scenario.hints else ())),
            ("recipes", section("Recipes", recipes)),
            ("instructions", section("Things", [things])),
            ("instructions", section("Base ingredients, which the storage gives", [ingredients])),
            ("instructions", section("Places", _places(compiled))),
            ("answering", "\n".join(_answering(seating, seat))),
        )
    )


def _who(scenario: Scenario, seating: Seating, seat: Seat) -> str:
    names = [body_name(body) for body in range(scenario.bodies)]
    if seat == HEAD_CHEF:
        return phases.who(scenario, names)
    own = [names[body] for body in seating.bodies_of[seat]]
    return role(seat, own, names, f"in a kitchen. The game takes {scenario.steps} steps")


def _rules(scenario: Scenario, seating: Seating, seat: Seat) -> Iterator[str]:
    """The rules for a seat, with whose words and commands it is told before it decides."""
    yield from phases.RULES if seat == HEAD_CHEF else RULES
    if scenario.head_chef and seat != HEAD_CHEF:
        yield phases.WORKERS_RULE
    if scenario.in_turn and seat != HEAD_CHEF and seat != seating.workers[0]:
        before = ", ".join(seating.workers[: seating.workers.index(seat)])
        yield f"In each step you decide after {before}, and are told the commands of this step before yours."


def _variants(scenario: Scenario) -> Iterator[str]:
    if scenario.table_room is not None:
        yield f"The serving table has room for {scenario.table_room} dishes that nobody waits for yet."
    if scenario.spoil_steps is not None:
        yield f"A dish that has lain on the serving table for {scenario.spoil_steps} steps spoils."
    if scenario.hidden_orders:
        yield "Orders hang at the serving table. Only an agent that stands there sees which there are."


def _places(compiled: Compiled) -> Iterator[str]:
    for name, capacity in zip(compiled.places, compiled.capacity, strict=True):
        yield f"{name}: holds {'any number of things' if capacity == ENDLESS else f'{capacity} at most'}"


def _answering(seating: Seating, seat: Seat) -> list[str]:
    if seat == HEAD_CHEF:
        return list(phases.ANSWERING)
    own = [body_name(body) for body in seating.bodies_of[seat]]
    lines = ["How to answer", "Write one command for each agent that is yours, one on a line, such as:"]
    return [*lines, *(f"goto_{name}_storage0" for name in own)]


def description_parts(observation: Observation) -> tuple[Part, ...]:
    """What a seat sees, in the predicates of the article: ``at``, ``hold``, ``inside``, ``occupy``."""
    return parted(
        (
            ("feedback", "\n".join(_feedback(observation))),
            ("state", "\n".join(_game(observation))),
            ("state", "\n".join(_agents(observation))),
            ("state", "\n".join(_places_seen(observation))),
            ("aside", "\n".join(("Accomplished:", ", ".join(observation.served) or "none"))),
            ("aside", "\n".join(phases.heard(observation))),
            ("question", "Commands:" if observation.own else phases.QUESTION),
        )
    )


def _feedback(observation: Observation) -> Iterator[str]:
    for refusal in observation.refusals:
        yield refusal_text(refusal)
    if observation.idle:
        yield IDLE
    for act in observation.done:
        yield _act_text(act)
    for place, product in observation.finished:
        yield f"{place} has finished {product}."
    for dish in observation.just_served:
        yield f"An order for {dish} was served."


def _act_text(act: SeenAct) -> str:
    match act.verb:
        case "goto":
            return f"{act.body} is now at {act.place}."
        case "get":
            return f"{act.body} collected {act.thing} from {act.place}."
        case "put":
            return f"{act.body} put {act.thing} into {act.place}."
    return f"{act.body} activated {act.place}."


def _game(observation: Observation) -> Iterator[str]:
    yield "Game:"
    yield f"level: {observation.level}"
    yield "orders:"
    for order in observation.orders:
        yield f"    {order.dish}, lifetime {order.left}"
    if not observation.orders:
        yield "    none"
    yield f"step: {observation.step} of {observation.steps}"


def _agents(observation: Observation) -> Iterator[str]:
    yield "Agents:"
    for body in observation.bodies:
        yield f"at({body.name}, {body.at})"
        yield f"hold({body.name}, {body.held or None})"
        if body.busy:
            yield f"occupy({body.name})"


def _places_seen(observation: Observation) -> Iterator[str]:
    yield "Kitchen:"
    for place in observation.places:
        yield f"inside({place.name}, {', '.join(place.inside) or None})"
        if place.busy:
            yield f"occupy({place.name})"


def refusal_text(refusal: Refusal) -> str:
    """A refusal as a sentence."""
    return AT_THE_BEGINNING if FIRST_ANSWER in refusal.detail else sentence(refusal, SENTENCES)


def example_scenario(scenario: Scenario, bodies: int | None = None) -> Scenario:
    """One order for a simple dish in a kitchen with what it takes, for this number of bodies.

    ``bodies``: ``None`` for as many as the scenario has. Raises ``Refused`` if every dish is ordered in the
    level, or if it is not clear how that number of bodies would share the scenario's seats.
    """
    number = scenario.bodies if bodies is None else bodies
    dish = example_dish(scenario)
    tools = dict.fromkeys(recipe.tool for recipe in scenario.book.closure([dish]))
    furniture = dict.fromkeys(kind for kind in scenario.kitchen if not scenario.book.kind(kind).is_tool)
    return replace(
        scenario,
        level=EXAMPLE,
        dishes=(dish,),
        kitchen=(*furniture, *tools),
        interval=EXAMPLE_STEPS,
        lifetimes=(EXAMPLE_STEPS,),
        bodies=number,
        groups=shared_out(scenario.groups, scenario.bodies, number, scenario.level),
        level_class="",
        tau=None,
        seed=0,
        episode=0,
        steps=EXAMPLE_STEPS,
        table_room=0,
    )


def example_dish(scenario: Scenario) -> str:
    """The dish with the least work that takes several things, that no recipe uses and nobody orders.

    Dishes of published levels are the last choice, and the first of equals in the book is taken. Raises
    ``Refused`` if there is none.
    """
    book, known = scenario.book, scenario.book.things(scenario.dishes)
    used = {thing for recipe in book.recipes for thing in recipe.inputs}
    free = [
        recipe.product
        for recipe in book.recipes
        if len(recipe.inputs) > 1 and recipe.product not in known | used
    ]
    if not free:
        raise Refused(f"{scenario.level}: every dish of its recipes is ordered; none is left for an example")
    published = {dish for level in levels().values() for dish in level.dishes}
    return min(free, key=lambda dish: (dish in published, work_steps(book, dish)))
