"""What seats are told: the briefing, each state, refusals. Wording is ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backburner.kernel.text import Part, parted
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.scenarios import seconds
from backburner.worlds.clocked_kitchen.game.state import LATE, WAYS, Observation, SeenDeed
from backburner.worlds.cuisineworld.game.compiled import ENDLESS
from backburner.worlds.cuisineworld.game.text import SENTENCES as TEXT_GAME
from backburner.worlds.dispatch.words import role, section, sentence

COMMANDS = (
    "goto_AGENT_PLACE: the agent walks to the place",
    "get_AGENT_ITEM_storage0: the agent walks to the storage and takes the base ingredient",
    "get_AGENT_PLACE: the agent walks there and takes the product, waiting for it while the tool works",
    "put_AGENT_PLACE: the agent walks there and puts what it holds into the place",
    "activate_AGENT_PLACE: the agent walks there and starts the tool; what is inside becomes the product",
    "move_AGENT_up, _right, _down, _left: the agent turns, and goes to the next cell if it is free",
    "noop_AGENT: the agent stands still",
)

TOOLS: Mapping[str, str] = {
    "noop": "the agent stands still",
    "goto": "the agent walks to the place",
    "fetch": "the agent walks to the storage and takes the base ingredient",
    "get": "the agent walks there and takes the product, waiting for it while the tool works",
    "put": "the agent walks there and puts what it holds into the place",
    "activate": "the agent walks there and starts the tool; what is inside becomes the product",
    **{way: f"the agent turns, and goes {way} to the next cell if it is free" for way in WAYS},
}
"""The commands by verb, for models that call tools."""

TO_KEEP = "everybody goes on with what they do"

HINTS = (
    "Orders for dishes keep coming. Have as many served, and each as soon, as you can.",
    "Bring finished dishes to the serving table at once. An order fails when its time has run out and its "
    "dish is not there.",
    "An agent holds one thing at most. It needs free hands to take something, and to activate a tool.",
    "A tool that holds a product takes nothing more until it is emptied.",
    "Activate a tool only when exactly the inputs of a recipe are inside.",
    "What is put into the storage is gone.",
)

OWN: Mapping[str, str] = {
    "ticks": "{said} is no time to wait: it is from 0 to {most} ticks.",
    "direction": "'{said}' names no direction: {ways}.",
    "way_blocked": "'{said}': somebody stands in the way.",
}
"""One sentence for each code that the text game does not have."""

SENTENCES = {**TEXT_GAME, **OWN}

LATE_SENTENCE = "It came to nothing when the agent was there. "

PLAN_FORM = """\
Write one command for each agent that is yours, one on a line. The next commands stand after an empty line, \
and are given when an agent has nothing under way."""

TYPING = """\
Who has one body leaves it out: get rice, put pot0, goto pot0, activate pot0, move left, noop."""

GOAL = "Have as many orders served as you can, each before its time has run out."


def briefing_parts(compiled: Compiled, seat: Seat) -> tuple[Part, ...]:
    """Everything that a seat is told before play."""
    scenario, kitchen = compiled.scenario, compiled.kitchen
    recipes = [f"{r.product}: made in a {r.tool} of {', '.join(r.inputs)}" for r in kitchen.recipes]
    ingredients = ", ".join(kitchen.things[number] for number in kitchen.level_ingredients)
    own = [compiled.names[body] for body in compiled.seating.bodies_of[seat]]
    where = f"in a kitchen. The game takes {seconds(scenario.ticks):g} seconds"
    return parted(
        (
            ("role", role(seat, own, compiled.names, where)),
            ("task", GOAL),
            ("instructions", section("Rules", _rules(compiled))),
            ("instructions", section("Commands", COMMANDS)),
            ("hints", section("Hints", HINTS if scenario.kitchen.hints else ())),
            ("recipes", section("Recipes", recipes)),
            ("instructions", section("Base ingredients, each on a shelf of the storage", [ingredients])),
            ("instructions", section("Places", _places(compiled))),
            ("answering", "\n".join(_answering(compiled, own))),
        )
    )


def _rules(compiled: Compiled) -> Iterator[str]:
    clock = compiled.clock
    yield "Time passes by the clock: agents walk cell by cell, tools work in seconds."
    yield (
        f"A step to the next cell takes {seconds(clock.cell_ticks):g} s; to take, put down or start "
        f"something {seconds(clock.hand_ticks):g} s."
    )
    yield "Agents do not stand on one cell. To squeeze past each other takes both of them time."
    if compiled.scenario.asks == "free":
        yield "You are asked when an agent of yours has nothing under way, and not before."
        yield f"A refused command costs {seconds(clock.step_ticks):g} s; as long an agent with noop waits."
    else:
        yield "You are asked all the time. A new command takes the place of what the agent has under way."


def _places(compiled: Compiled) -> Iterator[str]:
    kitchen = compiled.kitchen
    for place, (name, capacity) in enumerate(zip(kitchen.places, kitchen.capacity, strict=True)):
        holds = "holds any number of things" if capacity == ENDLESS else f"holds {capacity} at most"
        works = f", works {seconds(ticks):g} s" if (ticks := compiled.work_ticks[place]) else ""
        yield f"{name}: {holds}{works}"


def _answering(compiled: Compiled, own: Sequence[str]) -> list[str]:
    lines = ["How to answer", "Write one command for each agent that is yours, one on a line, such as:"]
    item = compiled.kitchen.things[compiled.kitchen.level_ingredients[0]]
    example = [f"get_{name}_{item}_{compiled.storage_name}" for name in own]
    return [
        *lines,
        *example,
        "Agents that you do not name go on with what they do; keep: all of them do.",
    ]


def description_parts(observation: Observation) -> tuple[Part, ...]:
    """What a seat sees, in the predicates of the article: ``at``, ``hold``, ``inside``, ``occupy``."""
    return parted(
        (
            ("feedback", "\n".join(map(refusal_text, observation.refusals))),
            ("state", "\n".join(_game(observation))),
            ("state", "\n".join(_agents(observation))),
            ("state", "\n".join(_places_seen(observation))),
            ("aside", "\n".join(("Accomplished:", ", ".join(observation.served) or "none"))),
            ("aside", "\n".join(_deeds(observation))),
            ("question", "Commands:"),
        )
    )


def _game(observation: Observation) -> Iterator[str]:
    yield "Game:"
    yield f"level: {observation.level}"
    yield "orders:"
    for order in observation.orders:
        yield f"    {order.dish}, {order.left_seconds:g} s left"
    if not observation.orders:
        yield "    none"
    yield f"time: {observation.second:g} of {observation.seconds:g} s"


def _agents(observation: Observation) -> Iterator[str]:
    yield "Agents:"
    doing = dict(observation.under_way)
    for body in observation.bodies:
        yield f"at({body.name}, {body.at or 'floor'})"
        yield f"hold({body.name}, {body.held or None})"
        if body.busy:
            yield f"occupy({body.name})"
        if body.name in doing:
            yield f"under way({body.name}, {doing[body.name]})"


def _places_seen(observation: Observation) -> Iterator[str]:
    yield "Kitchen:"
    for place in observation.places:
        yield f"inside({place.name}, {', '.join(place.inside) or None})"
        if place.busy_seconds:
            yield f"occupy({place.name}), {place.busy_seconds:g} s more"


def _deeds(observation: Observation) -> Iterator[str]:
    if observation.deeds:
        yield "Done lately:"
    for deed in observation.deeds:
        yield f"{deed.second:g} s: {deed_text(deed)}"


def deed_text(deed: SeenDeed) -> str:
    """What somebody did, in a sentence."""
    match deed.verb:
        case "goto":
            return f"{deed.body} went to {deed.place}."
        case "get":
            return f"{deed.body} got {deed.thing} from {deed.place}."
        case "put":
            return f"{deed.body} put {deed.thing} into {deed.place}."
    return f"{deed.body} started {deed.place}, for {deed.thing}."


def refusal_text(refusal: Refusal) -> str:
    """A refusal as a sentence."""
    return f"{LATE_SENTENCE if LATE in refusal.detail else ''}{sentence(refusal, SENTENCES)}"
