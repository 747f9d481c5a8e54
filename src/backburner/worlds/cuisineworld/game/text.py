"""A state in words: feedback, the game, agents, the kitchen, what was accomplished. All wording is ours."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.text import Part, parted
from backburner.worlds.cuisineworld.game.refusal_text import refusal_text
from backburner.worlds.cuisineworld.game.state import Observation, SeenAct

IDLE = "Every agent was told to do nothing. Put them to work."


def description_parts(observation: Observation) -> tuple[Part, ...]:
    """What a seat sees, in the predicates of the article: ``at``, ``hold``, ``inside``, ``occupy``."""
    return parted(
        (
            ("feedback", "\n".join(_feedback(observation))),
            ("state", "\n".join(_game(observation))),
            ("state", "\n".join(_agents(observation))),
            ("state", "\n".join(_kitchen(observation))),
            ("state", "\n".join(("Accomplished:", ", ".join(observation.served) or "none"))),
            ("question", "Commands:"),
        )
    )


def _feedback(observation: Observation) -> Iterator[str]:
    for refusal in observation.refusals:
        yield refusal_text(refusal)
    if observation.idle:
        yield IDLE
    for deed in observation.done:
        yield _deed_text(deed)
    for place, product in observation.finished:
        yield f"{place} has finished {product}."
    for dish in observation.just_served:
        yield f"An order for {dish} was served."


def _deed_text(deed: SeenAct) -> str:
    match deed.verb:
        case "goto":
            return f"{deed.body} is now at {deed.place}."
        case "get":
            return f"{deed.body} collected {deed.thing} from {deed.place}."
        case "put":
            return f"{deed.body} put {deed.thing} into {deed.place}."
    return f"{deed.body} activated {deed.place}."


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


def _kitchen(observation: Observation) -> Iterator[str]:
    yield "Kitchen:"
    for place in observation.places:
        yield f"inside({place.name}, {', '.join(place.inside) or None})"
        if place.busy:
            yield f"occupy({place.name})"
