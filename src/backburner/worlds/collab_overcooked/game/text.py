"""Collab-Overcooked in words: what a cook is told before play and when it is asked. Wording is ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.kernel.text import Kind, Part, Question, parted
from backburner.worlds.collab_overcooked.game.layout import Recipe
from backburner.worlds.collab_overcooked.game.recipes import Method
from backburner.worlds.collab_overcooked.game.refusal_text import refusal_text
from backburner.worlds.collab_overcooked.game.sight import Observation, SeenCook, SeenThing, SeenUtensil

PURPOSES = {
    "plan": "You have nothing to do. Make a plan.",
    "answer": "Your partner speaks to you. Answer; what you plan now is queued.",
    "continue": "Your partner has answered. Speak again or end the talk, and say what you plan.",
    "correct": "Your call was refused. Plan something else; do not talk now.",
}
REPAIR = "Your last answer could not be used: it needs its fields. Answer again, in full."


def description_parts(seen: Observation) -> tuple[Part, ...]:
    """The orders, what was refused, both cooks, the utensils, the counters, the talk, what is asked."""
    parts: tuple[tuple[Kind, str], ...] = (
        ("state", f"Step {seen.steps}. Orders: {', '.join(seen.orders) or 'none'}."),
        ("feedback", _complaint(seen)),
        ("state", "\n".join(_lines(seen))),
        ("question", _asked(seen)),
    )
    return parted(parts, "\n")


def question(seen: Observation) -> Question:
    """What an answer is wanted for; a plan, where nobody asks."""
    purpose = seen.ask or "plan"
    return Question(purpose, correction=purpose == "correct", repair=seen.repair, complaint=_complaint(seen))


def _complaint(seen: Observation) -> str:
    return "" if seen.refusal is None else refusal_text(seen.refusal)


def _asked(seen: Observation) -> str:
    return REPAIR if seen.repair else PURPOSES[seen.ask] if seen.ask else ""


def _lines(seen: Observation) -> Iterator[str]:
    for name in seen.ruined:
        yield f"What was in {name} matched no recipe and is gone."
    done = "; ".join(f"{deed.call} (done at {deed.steps})" for deed in seen.deeds)
    yield f"What you did last: {done or 'nothing yet'}."
    yield f"You can reach: {', '.join(seen.space)}."
    yield _cook("You hold", "you plan", seen.me)
    yield _cook(f"The {seen.partner.role} holds", "it plans", seen.partner)
    if seen.requests:
        yield f"The {seen.partner.role} asks you to do: {'; '.join(seen.requests)}."
    yield from (_utensil(utensil) for utensil in seen.utensils)
    yield _counters(seen.counters, [thing for thing in seen.things if thing.shared])
    private = [thing for thing in seen.things if not thing.shared]
    if private:
        yield f"On counters that only you can reach: {_things(private)}."
    if seen.talk:
        yield "The talk so far:"
        yield from (f"{role}: {said}" for role, said in seen.talk)


def _cook(holds: str, plans: str, cook: SeenCook) -> str:
    return (
        f"{holds} {_held(cook.held, cook.plated) or 'nothing'}; {plans}: {'; '.join(cook.plan) or 'nothing'}."
    )


def _held(item: str, plated: bool) -> str:
    return f"{item} on a dish" if plated else item


def _utensil(utensil: SeenUtensil) -> str:
    if utensil.output and utensil.steps_left:
        return f"{utensil.name}: {utensil.output} is being made, {_steps(utensil.steps_left)} to go."
    if utensil.output:
        return f"{utensil.name}: {utensil.output} is ready."
    if utensil.items:
        return f"{utensil.name}: holds {', '.join(utensil.items)}; not started."
    return f"{utensil.name}: empty."


def _counters(number: int, things: Sequence[SeenThing]) -> str:
    return f"On the {number} shared counters: {_things(things) or 'nothing'}."


def _things(things: Sequence[SeenThing]) -> str:
    return ", ".join(_held(thing.item, thing.plated) for thing in things)


def _steps(number: int) -> str:
    return f"{number} step{'' if number == 1 else 's'}"


def with_article(noun: str) -> str:
    """A noun with the article that it takes."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def recipe_lines(method: Method) -> Iterator[str]:
    """A recipe in words: what it takes, what to do."""
    yield recipe_head(method)
    steps = (*map(step_words, method.steps), served(method))
    yield from (f"{number}. {words}" for number, words in enumerate(steps, 1))


def recipe_head(method: Method) -> str:
    """What an order takes."""
    return f"{method.order}: takes {', '.join(f'{item} ({number})' for item, number in method.ingredients)}."


def step_words(step: Recipe) -> str:
    """One row of a utensil's table as a step."""
    return (
        f"Put {' and '.join(step.inputs)} into {with_article(step.utensil)} and start it; "
        f"after {_steps(step.steps)} it is {step.output}."
    )


def served(method: Method) -> str:
    """The last step."""
    return f"{'Fill a dish with it' if method.on_dish else 'Take it, without a dish,'} and deliver it."
