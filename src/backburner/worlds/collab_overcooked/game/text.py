"""Collab-Overcooked in words: what a cook is told before play and when it is asked. Wording is ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backburner.kernel.errors import shorten
from backburner.kernel.text import Kind, Part, Question, parted
from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.legality import SERVING
from backburner.worlds.collab_overcooked.game.reading import END, NOTHING
from backburner.worlds.collab_overcooked.game.recipes import (
    action_lines,
    method_of,
    recipe_lines,
    steps_in_words,
)
from backburner.worlds.collab_overcooked.game.rule_set import LONGEST_WAIT, longest_wait
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, Telling, times_told
from backburner.worlds.collab_overcooked.game.state import (
    ROLES,
    Observation,
    Role,
    SeenCook,
    SeenThing,
    SeenUtensil,
)

SENTENCES: Mapping[str, str] = {
    "no_plan": "Your answer has no plan.",
    "several_plans": "Your answer has several plans; write one, on a line that begins with Plan:.",
    "no_analysis": "Your answer has no analysis.",
    "no_say": "Your answer says nothing to your partner.",
    "fmt_unparsable": "This is no call: {said}",
    "fmt_pickup_arity": "pickup takes a thing and a place: pickup(thing, place).",
    "fmt_put_arity": "put_obj_in_utensil takes one utensil.",
    "fmt_fill_arity": "fill_dish_with_food takes one utensil.",
    "fmt_pickup_unknown_object": "There is no {item} here.",
    "fmt_pickup_unknown_place": "There is no place called {place}.",
    "fmt_put_unknown_utensil": "There is no utensil called {utensil}.",
    "fmt_fill_unknown_utensil": "There is no utensil called {utensil}.",
    "fmt_dispenser_not_raw": "Dispensers give raw ingredients and dishes only, not {item}.",
    "fmt_dish_from_ingredient_dispenser": "Dishes come from the dish_dispenser.",
    "fmt_ingredient_from_dish_dispenser": "{item} comes from the ingredient_dispenser.",
    "fmt_operate_wrong_utensil": "{verb} is not for {utensil}.",
    "fmt_wait_too_long": "A wait is {longest} steps at most.",
    "pickup_utensil_cooking": "{place} is at work; steps to go: {steps_left}.",
    "pickup_needs_dish": "{item} is served on a dish: fill a dish with it.",
    "pickup_not_on_reachable_counter": "No counter within your reach has {item}.",
    "pickup_chef_no_dispenser": "The dispensers are out of your reach.",
    "pickup_unreachable": "There is no {item} at {place} that you can reach.",
    "pickup_hands_full": "You hold {held} already.",
    "pickup_not_in_utensil": "There is no {item} to be taken out of {place}.",
    "put_utensil_cooking": "{place} is at work.",
    "put_utensil_ready": "What is ready in {place} must be taken out first.",
    "put_utensil_full": "{place} is full: it holds {holds}.",
    "put_unreachable": "{place} is out of your reach.",
    "put_hands_empty": "You hold nothing to put into {place}.",
    "put_dish": "A dish does not go into {place}.",
    "put_plated_food": "{held} is on a dish and does not go into {place}.",
    "place_hands_empty": "You hold nothing to put down.",
    "place_no_empty_counter": "Every counter within your reach is taken.",
    "fill_no_dish_in_hand": "You need an empty dish in your hands.",
    "fill_order_needs_no_dish": "The order is served without a dish.",
    "fill_not_started": "There is nothing in {place} to be filled into a dish.",
    "fill_unreachable": "{place} is out of your reach.",
    "deliver_not_food": "{held} is nothing to be delivered.",
    "deliver_hands_empty": "You hold nothing to deliver.",
    "deliver_not_ordered": "Nobody has ordered {held}.",
    "deliver_dish_missing": "{held} is served on a dish.",
    "deliver_dish_not_wanted": "{held} is served without a dish.",
    "deliver_unreachable": "The serving place is out of your reach.",
    "operate_unreachable": "{place} is out of your reach.",
    "operate_empty": "{place} is empty.",
    "operate_busy": "{place} has been started already.",
    "operate_hands_full": "You need empty hands to start {place}; you hold {held}.",
    "recipe_not_chef": "You do not have the recipes.",
    "recipe_already": "You have the recipes already.",
    "way_blocked": "There is no way to {call} now.",
}
"""A sentence for each code of ``calls.FAULTS``; braces hold the names of facts."""


def refusal_text(refusal: Refusal, sentences: Mapping[str, str] = SENTENCES) -> str:
    """A refusal as a sentence."""
    try:
        return sentences[refusal.code].format_map(dict(refusal.detail))
    except KeyError:  # a code or facts of somebody else's
        return f"Refused: {shorten(refusal.code)}."


PURPOSES = {
    "plan": "You have nothing to do. Make a plan.",
    "answer": "Your partner speaks to you. Answer; what you plan now is queued.",
    "continue": "Your partner has answered. Speak again or end the talk, and say what you plan.",
    "correct": "Your call was refused. Plan something else; do not talk now.",
}
REPAIR = "Your last answer could not be used: it needs its fields. Answer again, in full."


def description_parts(seen: Observation, told: Telling) -> tuple[Part, ...]:
    """The orders, what was refused, both cooks, the utensils, the counters, the talk, what is asked."""
    parts: tuple[tuple[Kind, str], ...] = (
        ("state", f"Step {seen.steps}. Orders: {', '.join(seen.orders) or 'none'}."),
        ("feedback", _complaint(seen)),
        ("aside", "\n".join(_done_and_planned(seen))),
        ("state", "\n".join(_lines(seen, told))),
        ("aside", "\n".join(_talk(seen))),
        ("question", _asked(seen)),
    )
    return parted(parts, "\n")


def question(seen: Observation) -> Question:
    """What an answer is wanted for; a plan, where nobody asks."""
    purpose = seen.ask or "plan"
    return Question(purpose, correction=purpose == "correct", repair=seen.repair, complaint=_complaint(seen))


def news(seen: Observation) -> str:
    """For a person: what was refused, the last words of each cook, what the partner asks for."""
    talk = [f"{role}: {words}" for role, words in seen.talk[-2:]]
    asked = [f"The {seen.partner.role} asks for: {'; '.join(seen.requests)}"] if seen.requests else []
    return "\n".join(filter(None, (_complaint(seen), *talk, *asked)))


def _complaint(seen: Observation) -> str:
    return "" if seen.refusal is None else refusal_text(seen.refusal)


def _asked(seen: Observation) -> str:
    return REPAIR if seen.repair else PURPOSES[seen.ask] if seen.ask else ""


def _done_and_planned(seen: Observation) -> list[str]:
    done = "; ".join([f"{logged.call} (done at {logged.steps})" for logged in seen.deeds])
    lines = [f"What was in {name} matched no recipe and is gone." for name in seen.ruined]
    lines += (
        f"What you did last: {done or 'nothing yet'}.",
        f"You can reach: {', '.join(seen.space)}.",
        _cook("You hold", "you plan", seen.me),
        _cook(f"The {seen.partner.role} holds", "it plans", seen.partner),
    )
    if seen.requests:
        lines.append(f"The {seen.partner.role} asks you to do: {'; '.join(seen.requests)}.")
    return lines


def _lines(seen: Observation, told: Telling) -> list[str]:
    lines = [_utensil(utensil, told) for utensil in seen.utensils]
    lines.append(_counters(seen.counters, [thing for thing in seen.things if thing.shared]))
    private = [thing for thing in seen.things if not thing.shared]
    if private:
        lines.append(f"On counters that only you can reach: {_things(private)}.")
    return lines


def _talk(seen: Observation) -> list[str]:
    return ["The talk so far:", *(f"{role}: {said}" for role, said in seen.talk)] if seen.talk else []


def _cook(holds: str, plans: str, cook: SeenCook) -> str:
    held = held_in_words(cook.held, cook.plated) or "nothing"
    return f"{holds} {held}; {plans}: {'; '.join(cook.plan) or 'nothing'}."


def held_in_words(item: str, plated: bool) -> str:
    """An item, and whether it is on a dish."""
    return f"{item} on a dish" if plated else item


def _utensil(utensil: SeenUtensil, told: Telling) -> str:
    if not utensil.items and not utensil.output:
        return f"{utensil.name}: empty."
    if utensil.output and utensil.steps_left:
        work = f"{utensil.output} is being made" if told == "more" else "at work"
        return f"{utensil.name}: {work}, {steps_in_words(utensil.steps_left)} to go."
    if utensil.output:
        return f"{utensil.name}: {utensil.output} is ready."
    return f"{utensil.name} holds {', '.join(utensil.items)}: {belonging(utensil)}; not started."


def belonging(utensil: SeenUtensil) -> str:
    """What the contents of a utensil that has not been started are good for."""
    if utensil.enough_for:
        return f"all that {utensil.enough_for} takes"
    return f"part of {' or '.join(utensil.part_of)}" if utensil.part_of else "belongs to no recipe"


def _counters(number: int, things: Sequence[SeenThing]) -> str:
    return f"On the {number} shared counters: {_things(things) or 'nothing'}."


def _things(things: Sequence[SeenThing]) -> str:
    return ", ".join(held_in_words(thing.item, thing.plated) for thing in things)


CALLS: Mapping[str, str] = {
    f"{calls.PICKUP}(thing, place)": "take a thing; the place is counter, a dispenser or a utensil",
    f"{calls.PUT}(utensil)": "put what you hold into a utensil",
    f"{calls.PLACE}()": "put what you hold on a counter",
    f"{calls.FILL}(utensil)": "fill the dish in your hands with what is ready in a utensil",
}
"""What every cook can do somewhere."""


def briefing_parts(compiled: Compiled, scenario: Scenario, cook: int) -> tuple[Part, ...]:
    """Everything that a cook knows from the beginning. Only informed cooks are given the recipes."""
    role, partner = ROLES[cook], ROLES[1 - cook]
    parts: tuple[tuple[Kind, Iterator[str]], ...] = (
        ("role", _who(role, partner)),
        ("instructions", _kitchen(compiled, scenario, cook, partner)),
        ("instructions", _work(compiled, scenario, cook)),
        ("instructions", _calls(compiled, scenario, cook, partner)),
        ("recipes", _recipes(compiled, scenario, cook)),
        ("answering", _answering(role, partner)),
    )
    return parted((kind, "\n".join(lines)) for kind, lines in parts)


def _who(role: Role, partner: Role) -> Iterator[str]:
    yield (
        f"You are the {role}. You and the {partner} cook together; deliver the orders in as few steps as you "
        "can."
    )


def _kitchen(compiled: Compiled, scenario: Scenario, cook: int, partner: Role) -> Iterator[str]:
    yield "The kitchen"
    yield f"- You can reach: {_listed(compiled.targets.space(cook))}."
    yield f"- The {partner} can reach: {_listed(compiled.targets.space(1 - cook))}."
    shared = len(compiled.grid.shared_counters)
    yield f"- {shared} counters are within reach of both of you: things are handed over there."
    yield "- You hold one thing at a time."
    yield "- A utensil must be started once its ingredients are in it."
    if scenario.told == "more":
        yield from _more_of_the_kitchen(compiled, cook)


def _more_of_the_kitchen(compiled: Compiled, cook: int) -> Iterator[str]:
    """What the released program's prompts leave out."""
    yield f"- A utensil holds up to {compiled.layout.capacity} things."
    if calls.INGREDIENT_DISPENSER in compiled.targets.space(cook):
        yield f"- The {calls.INGREDIENT_DISPENSER} gives: {_listed(compiled.layout.ingredients)}."
    yield "- What matches no recipe is lost when it is started."
    yield "- What you put on a counter goes to a shared one if there is room."
    yield "- Walking, turning and acting take a step each. You say what to do, and it is done step by step."


def _work(compiled: Compiled, scenario: Scenario, cook: int) -> Iterator[str]:
    role, partner = ROLES[cook], ROLES[1 - cook]
    yield "How the work goes"
    yield (
        "- Ingredients come from the dispenser and are worked on in the utensils in the order of the recipe; "
        "then what is ordered is delivered."
    )
    if role in scenario.informed:
        yield f"- Follow the recipe. What you cannot reach or do yourself, ask the {partner} for."
    else:
        yield f"- Ask the {partner} what to do, and do what it asks for."
    if SERVING in compiled.targets.space(cook):
        yield "- What is finished is delivered at once."


def _calls(compiled: Compiled, scenario: Scenario, cook: int, partner: Role) -> Iterator[str]:
    yield "What you can do"
    yield from (f"- {call}: {meaning}" for call, meaning in CALLS.items())
    for verb, names in _operations(compiled, cook).items():
        yield f"- {' or '.join(f'{verb}({name})' for name in names)}: start it, with empty hands"
    if SERVING in compiled.targets.space(cook):
        yield f"- {calls.DELIVER}(): bring what you hold to the serving place"
    longest = longest_wait(compiled.rules) if scenario.told == "more" else LONGEST_WAIT
    yield f"- {calls.WAIT}(steps): do nothing for up to {longest} steps"
    yield (
        f"- {calls.REQUEST}('call'): one call that the {partner} should do. It is put before the {partner} "
        "and does nothing by itself."
    )
    others = [f"{verb}({name})" for verb, names in _operations(compiled, 1 - cook).items() for name in names]
    if others:
        yield f"- Operations of the {partner}: {_listed(others)}"


def _operations(compiled: Compiled, cook: int) -> Mapping[str, Sequence[str]]:
    """The utensils within a cook's reach by the verb that starts them."""
    within = set(compiled.targets.space(cook))
    operations: dict[str, list[str]] = {}
    for utensil in compiled.grid.utensils:
        if utensil.name in within:
            operations.setdefault(utensil.verb, []).append(utensil.name)
    return operations


def _recipes(compiled: Compiled, scenario: Scenario, cook: int) -> Iterator[str]:
    role, partner = ROLES[cook], ROLES[1 - cook]
    yield "Recipes"
    if role not in scenario.informed:
        yield f"You do not have them; the {partner} may."
        return
    if partner not in scenario.informed:
        yield f"Only you have them; the {partner} knows nothing of them but what you say."
    for order in dict.fromkeys((*scenario.orders, *sorted(scenario.order_weights))):
        method, timed = method_of(compiled.layout, order), times_told(scenario, order)
        if first := scenario.first_action:
            yield from action_lines(compiled.layout, compiled.grid, method, cook, first, timed)
        else:
            yield from recipe_lines(method, timed)


def _answering(role: Role, partner: Role) -> Iterator[str]:
    name = role.capitalize()
    yield "How to answer: three fields, in this order"
    yield f"{name} analysis: how things stand"
    yield (
        f"{name} plan: calls with semicolons between them and nothing else, on one line, in the order in "
        f"which you do them; what the {partner} has to do as requests"
    )
    yield (
        f"{name} say: words to your partner, or {NOTHING}; if you request something, tell the {partner} what "
        f"to do. Write {END} in it to end the talk."
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"
