"""What seats are told: the briefing, each state, refusals, and the scenario of an example. Wording is ours.

The facts are those that the released program tells its models: the actions, that reach is six blocks, each
recipe; of a moment, what the article lists as its state (Appendix F.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from backburner.kernel.text import Part, parted
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.dispatch.instructor import answering
from backburner.worlds.dispatch.seating import shared_out
from backburner.worlds.dispatch.words import role, section, sentence
from backburner.worlds.minecraft.game import server
from backburner.worlds.minecraft.game.actions import PARAMETERS, PUT_ITEM, SPEAKER, spelt
from backburner.worlds.minecraft.game.compiled import Compiled
from backburner.worlds.minecraft.game.observed import listed
from backburner.worlds.minecraft.game.physics import FURNACE, MEAT_OF, OAK_LOG, RAW
from backburner.worlds.minecraft.game.scenarios import INSTRUCTOR, SERVER, Scenario, Site
from backburner.worlds.minecraft.game.state import Near, Observation, SeenBot, SeenPerson

ACTIONS: Mapping[str, str] = {
    "goto": "the bot walks to the nearest of this name, a block or a mob",
    "killMob": "the bot kills the nearest mob of this kind and picks up what it drops",
    "mineBlock": "the bot digs the nearest block of this name and picks it up",
    "putFuelFurnace": "the bot puts one of this, which it carries, into the furnace as fuel",
    "putItemFurnace": "the bot puts one of this, which it carries, into the furnace to be cooked",
    "takeOutFurnace": "the bot takes what is cooked out of the furnace",
    "putInChest": "the bot puts one of this, which it carries, into the chest",
}

TO_WAIT = "nobody of yours does anything in this step"

THINGS: Mapping[str, str] = dict.fromkeys(
    ("place", "mob", "block", "fuel", "item"), "a name such as oak_log or chicken"
)
"""What tools take, for models that call them."""

RULES = (
    "Bots cook meat in a furnace and bring it into a chest, as dishes are ordered.",
    "Give each bot that is yours at most one action in a step. All bots act at the same time.",
    "A bot reaches mobs and blocks that are at most 6 blocks away; go to them first.",
    "These are all actions; there are no others.",
)

INSTRUCTOR_RULES = (
    "In each step you may say in words what is to be done. Everybody is told so before they decide.",
    "What you said last holds until you say something else, or take it back.",
)
"""For the instructor; what stands here for those who work is ``WORKERS_RULES``."""

WORKERS_RULES = (
    "A person gives you instructions. Follow them before anything else.",
    "As long as there is no instruction, nobody does anything.",
    "What the person says they will do themselves is theirs: leave it to them.",
)

INSTRUCTOR_ANSWERING = answering("Alex fetches meat, Steve keeps the furnace burning.")

WATCH = "What bots say when an action comes to nothing is told to you. Mind it in your next answer."

PLAN_FORM = """\
Write one Python list of calls on each line, a line for each step; [] where nobody is to do anything."""
"""How a plan of many steps is written."""

HINTS = (
    "Orders for dishes keep coming. Have as many served, and each as soon, as you can.",
    "A dish is served when it comes into the chest. What is there already serves the next order for it.",
    "The furnace cooks nothing without fuel.",
    "Mobs that are killed and blocks that are dug stand at their places again.",
)
"""What the article calls knowledge of the game (Appendix F.1), with the recipes."""

REPEATED = "These were exactly the calls of the step before. Give other ones."

SENTENCES: Mapping[str, str] = {
    "no_call": "No list of calls could be found in your answer.",
    "form": "'{said}' is no call such as goto(alex, chicken).",
    "verb": "There is no action {verb}.",
    "arity": "'{said}' does not say just what {verb} takes.",
    "no_such_bot": "'{said}' is for {bot}, and there is no such bot.",
    "other_bot": "'{said}' is for {bot}, whom you do not command.",
    "second_call": "'{said}' is a second call for {bot}: one for each bot and step.",
    "more": "{count} more calls were refused.",
    "too_long": "Nobody heard you: {characters} characters; an instruction has {most} at most.",
    "words_only": "'{said}': an instructor commands nobody. Say in words what is to be done.",
    "no_report": "No report could be read: {why}.",
    "no_mob": "{bot}: no {thing} near me; send me to one first.",
    "no_block": "{bot}: no {thing} near me that I could dig; send me to one first.",
    "not_carried": "{bot}: I carry no {thing}.",
    "none_around": "{bot}: there is no {thing} anywhere around.",
    "no_way": "{bot}: I find no way to a {thing}.",
    "gave_up": "{bot}: ten times in a row I have found nothing; I give up looking for {thing} from here.",
    "no_furnace": "{bot}: the furnace is out of my reach; send me there first.",
    "no_chest": "{bot}: the chest is more than 8 blocks away; send me there first.",
    "no_fuel": "{bot}: {thing} is no fuel here.",
    "not_smelted": "{bot}: the furnace makes nothing of {thing}.",
    "slot_taken": "{bot}: there is no room for {thing} in the furnace.",
    "no_output": "{bot}: nothing is cooked in the furnace yet.",
    "on_server": "{bot}: {why}.",
}
"""One sentence for each code; names in braces are details of the refusal."""

EXAMPLE = "example"
EXAMPLE_STEPS = 20


# --- before play -----------------------------------------------------------------------------------------


def briefing_parts(compiled: Compiled, seat: Seat) -> tuple[Part, ...]:
    """Everything that a seat is told before play."""
    hints = HINTS if compiled.scenario.hints else ()
    return parted(
        (
            ("role", _who(compiled, seat)),
            ("instructions", section("Rules", _rules(compiled, seat))),
            ("feedback", WATCH),
            ("instructions", section("Actions", _actions(compiled))),
            ("hints", section("Hints", hints)),
            ("recipes", section("Recipes", _recipes(compiled))),
            ("answering", "\n".join(_answering(compiled, seat))),
        )
    )


def _who(compiled: Compiled, seat: Seat) -> str:
    if seat == INSTRUCTOR:
        return (
            f"You are a person beside {', '.join(compiled.names)} in Minecraft, who do as you say. You tell "
            "them what to do."
        )
    if seat == SERVER:
        return (
            f"You report what {', '.join(compiled.names)} did on a Minecraft server, and what was seen there "
            "after it."
        )
    own = [compiled.names[body] for body in compiled.seating.bodies_of[seat]]
    return role(seat, own, compiled.names, "in Minecraft")


def _rules(compiled: Compiled, seat: Seat) -> Iterator[str]:
    if seat == INSTRUCTOR:
        yield from INSTRUCTOR_RULES
        return
    if seat == SERVER:
        yield from server.RULES
        return
    if compiled.scenario.instructor:
        yield from WORKERS_RULES
    yield from RULES


def _actions(compiled: Compiled) -> Iterator[str]:
    for verb, parameters in PARAMETERS.items():
        if verb != PUT_ITEM or not compiled.rules.action_untold:
            yield f"{spelt(verb, 'BOT', *(name.upper() for name in parameters))}: {ACTIONS[verb]}"


def _recipes(compiled: Compiled) -> Iterator[str]:
    for dish in compiled.dishes:
        raw = RAW[dish]
        yield f"{dish}: {raw} and a fuel in the furnace; kill a {MEAT_OF[raw]} for {raw}"
    yield f"fuel: {OAK_LOG}, which is mined"


def _answering(compiled: Compiled, seat: Seat) -> list[str]:
    if seat == INSTRUCTOR:
        return list(INSTRUCTOR_ANSWERING)
    if seat == SERVER:
        return list(server.ANSWERING)
    own = [compiled.names[body] for body in compiled.seating.bodies_of[seat]]
    calls = ", ".join(repr(spelt("goto", name, OAK_LOG)) for name in own)
    return [
        "How to answer",
        "Write a Python list of calls, one for each bot that is to act, such as:",
        f"[{calls}]",
    ]


# --- in play ---------------------------------------------------------------------------------------------


def description_parts(observation: Observation) -> tuple[Part, ...]:
    """What a seat sees: what came of the last step, then orders, bots, furnace and chest."""
    return parted(
        (
            ("feedback", "\n".join(_feedback(observation))),
            ("state", "\n".join(_game(observation))),
            ("state", "\n".join(line for bot in observation.bots for line in _bot(bot))),
            ("state", "\n".join(line for person in observation.persons for line in _person(person))),
            ("state", "\n".join(_stores(observation))),
            ("aside", "\n".join(heard(observation))),
            ("aside", f"To be carried out: {', '.join(observation.given)}" if observation.given else ""),
        )
    )


def _feedback(observation: Observation) -> Iterator[str]:
    for killed in observation.killed:
        yield f"{killed.bot}: I have killed a {killed.mob}."
    for refusal in observation.refusals:
        yield refusal_text(refusal)
    if observation.repeated:
        yield REPEATED


def _game(observation: Observation) -> Iterator[str]:
    yield f"t: step {observation.step}" + (
        "" if observation.unit == "steps" else f", tick {observation.tick}"
    )
    yield f"Current dishes ({observation.unit} left):"
    for order in observation.orders:
        yield f"    {order.dish}: {order.left}"
    if not observation.orders:
        yield "    none"


def _bot(bot: SeenBot) -> Iterator[str]:
    yield f"{bot.name}:"
    yield f"    carries: {listed(bot.carried)}"
    yield f"    blocks: {_near(bot.blocks)}"
    yield f"    mobs: {_near(bot.mobs)}"
    if bot.under_way:
        yield f"    is still at: {bot.under_way}"


def _person(person: SeenPerson) -> Iterator[str]:
    yield f"{person.name}, a person:"
    yield f"    carries: {'not known' if person.carried is None else listed(person.carried)}"
    yield f"    is: {', '.join(f'{away:g} blocks away from {bot}' for bot, away in person.away)}"


def _near(near: Sequence[Near]) -> str:
    return ", ".join(f"{kind} ({away:g} blocks away)" for kind, away in near) or "none"


def _stores(observation: Observation) -> Iterator[str]:
    furnace = observation.furnace
    yield f"furnace{' (burning)' if furnace.burning else ''}:"
    yield f"    to be cooked: {listed((furnace.input,))}"
    yield f"    fuel: {listed((furnace.fuel,))}"
    yield f"    cooked: {listed((furnace.output,))}"
    yield f"chest: {listed(observation.chest)}"
    yield f"served: {', '.join(observation.served) or 'nothing'}"


def heard(observation: Observation) -> Iterator[str]:
    """What was said, and what holds of it."""
    yield from (f"Said before: {old}" for old in observation.said)
    own = observation.seat == INSTRUCTOR
    yield from SPEAKER.heard(observation.instruction, observation.instructed, observation.step, by_itself=own)


def refusal_text(refusal: Refusal) -> str:
    """A refusal as a sentence."""
    return sentence(refusal, SENTENCES)


# --- the example -----------------------------------------------------------------------------------------


def example_scenario(scenario: Scenario, bodies: int | None = None) -> Scenario:
    """An order for a dish that nobody orders here, on a small farm; for all of them, one chicken is cooked.

    The released example cooks a chicken in eight steps. Raises ``Refused`` if it is not clear how that number
    of bodies would share the scenario's seats.
    """
    number = scenario.bodies if bodies is None else bodies
    free = [dish for dish in sorted(RAW) if dish not in scenario.dishes]
    dish = free[0] if free else "cooked_chicken"
    mob = MEAT_OF[RAW[dish]]
    return replace(
        scenario,
        level=EXAMPLE,
        dishes=(dish,),
        blocks=(Site(FURNACE, (0, 0)), Site("chest", (4, 0)), Site(OAK_LOG, (0, 9))),
        mobs=(Site(mob, (9, 9)),),
        spawns=tuple((3 + body, 4) for body in range(number)),
        interval=EXAMPLE_STEPS,
        lifetime=EXAMPLE_STEPS,
        groups=shared_out(scenario.groups, scenario.bodies, number, scenario.level),
        tau=None,
        seed=0,
        steps=EXAMPLE_STEPS,
        instructor=False,
        live=False,
    )
