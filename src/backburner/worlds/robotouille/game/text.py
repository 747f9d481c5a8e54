"""Robotouille in words: briefing, what is seen, what became of a decision. All wording is ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backburner.kernel.text import Kind, Part, parted
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.robotouille.game.domain import Domain
from backburner.worlds.robotouille.game.layout import Atom, Layout
from backburner.worlds.robotouille.game.scenarios import DISPATCHER
from backburner.worlds.robotouille.game.schema import Guide
from backburner.worlds.robotouille.game.state import Kitchen, Observation, Seen

FINISH = "Finish"
IDLE = "Idle"
IDLE_WORDS = ("idle", "wait")
"""Lines of a dispatcher's plan that name no robot and let all of them wait."""


def briefing_parts(
    domain: Domain, counts: Mapping[str, str], seat: Seat, robots: tuple[str, ...], goal: str
) -> tuple[Part, ...]:
    """Who the player is, what there is, the rules, how dishes are made, the actions, how to answer.

    ``counts``: for each action the words for ``{count}`` in its line of the guide.
    """
    parts = [
        Part("role", "\n".join(_who(seat, robots)) + "\n\n"),
        *_guide(domain.file.guide),
        Part("instructions", "\n".join(_actions(domain, counts)) + "\n\n"),
        Part("answering", "\n".join(_answering(seat))),
    ]
    return (*parts, Part("task", f"\n\nGoal: {goal}")) if goal else tuple(parts)


def _who(seat: Seat, robots: tuple[str, ...]) -> Iterator[str]:
    others = [robot for robot in robots if robot != seat]
    if seat == DISPATCHER:
        yield f"You command all robots: {', '.join(robots)}. In every step each of them can do one action."
    elif others:
        yield f"You are {seat}. Other robots work here too: {', '.join(others)}."
    else:
        yield f"You are {seat}."
    yield (
        "You are shown everything that is there and what can be done now. Reach the goal in as few "
        "steps as you can; the number of steps is limited. The goal leaves unsaid what common sense "
        "can fill in: which things it takes at the least, and what has to be done to them before."
    )


def _guide(guide: Guide) -> Iterator[Part]:
    sections: list[tuple[Kind, str, Sequence[str]]] = [
        ("instructions", "What there is", [f"{type}: {line}" for type, line in guide.types.items()]),
        ("instructions", "Rules", guide.rules),
        ("recipes", "Recipes", guide.recipes),
    ]
    filled = [(kind, title, lines) for kind, title, lines in sections if lines]
    for number, (kind, title, lines) in enumerate(filled, 1):
        after = "\n\n" if number == len(filled) else "\n"
        yield Part(kind, "\n".join((title, *(f"- {line}" for line in lines))) + after)


def _actions(domain: Domain, counts: Mapping[str, str]) -> Iterator[str]:
    yield "Actions"
    for action in domain.actions:
        note = domain.file.guide.actions.get(action.name, "").replace("{count}", counts.get(action.name, "?"))
        yield f"- {action.text or action.name}{f': {note}' if note else ''}"


def _answering(seat: Seat) -> Iterator[str]:
    yield "How to answer"
    if seat == DISPATCHER:
        yield "Write one line for each robot that is to act, exactly as the action is listed:"
        yield "Action: <an action from the list>"
        yield f"A robot without a line waits. 'Action: {IDLE}' lets all of them wait."
    else:
        yield "Think briefly, then write one action exactly as it is listed:"
        yield "Action: <an action from the list>"
    yield f"'Action: {FINISH}' ends all work in this kitchen."


def plan_form(dispatcher: bool) -> str:
    """How to write a plan of many actions, in words for a player."""
    if dispatcher:
        return (
            "Write one line for each robot that is to act in a step, exactly as the action is listed, and an "
            f"empty line between steps. '{IDLE}' alone lets all robots wait for a step."
        )
    return (
        "Write one action on each line, in the order in which they are to be done, each exactly in the words "
        "in which actions are listed. Write no numbers and no bullet points."
    )


def things_seen(layout: Layout, kitchen: Kitchen) -> tuple[Seen, ...]:
    """Every thing that is there, with all that holds of it in sentences of the domain."""
    seen = []
    for index, about in enumerate(layout.about):
        if kitchen.gone >> index & 1:
            continue
        facts = kitchen.facts & about
        thing = layout.known.get(("seen", index, facts))
        if thing is None:
            thing = layout.known["seen", index, facts] = _seen(layout, index, facts)
        seen.append(thing)
    return tuple(seen)


def _seen(layout: Layout, index: int, facts: int) -> Seen:
    thing = layout.objects[index]
    atoms = sorted(layout.true_atoms(facts))
    return Seen(thing.name, thing.type, tuple(_sentence(layout, atom, index) for atom in atoms))


def _sentence(layout: Layout, atom: Atom, index: int) -> str:
    """A fact in the domain's words for this thing, or as ``in(water1,pot1)`` where it has none."""
    predicate, args = atom
    sentence = layout.predicates[predicate].sentences.get(str(args.index(index)))
    if sentence is None:
        return layout.words(atom)
    for argument, arg in enumerate(args):
        sentence = sentence.replace(f"{{{argument}}}", layout.objects[arg].name)
    return sentence


def description_parts(observation: Observation) -> tuple[Part, ...]:
    """The last result, everything there is, the possible actions, the goal."""
    parts: list[tuple[Kind, str]] = [("feedback", feedback_text(observation.done, observation.refusals))]
    for thing in observation.things:
        parts.append(("state", "\n".join((f"{thing.type.capitalize()} {thing.name}:", *thing.facts))))
    parts.append(("state", "\n".join(("What can be done now:", *observation.possible))))
    parts.append(("task", f"Goal: {observation.goal}" if observation.goal else ""))
    return parted(parts)


def feedback_text(done: Sequence[str], refusals: Sequence[Refusal]) -> str:
    """What became of a decision that was refused in whole or in part; empty if nothing was refused."""
    lines = [refusal_text(refusal) for refusal in refusals]
    if lines and done:
        lines.append(f"Carried out: {'; '.join(done)}.")
    return "\n".join(lines)


def refusal_text(refusal: Refusal) -> str:
    """A refusal as a sentence."""
    action = refusal.get("said")
    match refusal.code:
        case "no_action":
            return "No action could be found in your answer."
        case "unknown_action":
            return f"There is no action {action!r} over these things."
        case "ambiguous":
            return f"{action!r} could be several actions."
        case "too_many":
            return f"{refusal.get('given')} actions for {refusal.get('robots')} robots are too many."
        case "other_robot":
            return f"{refusal.get('robot')} is not yours to command: {action}."
        case "twice":
            return f"{refusal.get('robot')} has an action in this step already: {action} is one too many."
        case "runs_already":
            return f"This is under way already: {action}."
        case "impossible":
            return f"This is not possible now: {action}."
    return f"Refused: {refusal.code}."
