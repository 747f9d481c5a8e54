"""Robotouille in words, which are ours: briefing, what is seen, the actions, what became of a decision."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.text import Kind, Part, parted
from backburner.kernel.tools import LONGEST_DESCRIPTION, Tool, tool, words_for
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.robotouille.game.domain import Action, Domain
from backburner.worlds.robotouille.game.legality import filled
from backburner.worlds.robotouille.game.scenarios import DISPATCHER
from backburner.worlds.robotouille.game.schema import Guide, Told
from backburner.worlds.robotouille.game.state import Atom, Kitchen, Layout, Observation, Seen

FINISH = "Finish"
IDLE = "Idle"
TO_FINISH = "ends all work in this kitchen"
TO_WAIT = "nobody who is yours does anything"
SILENT = "(silent)"
"""How a silence is told; nobody can say it."""
TOLD = 4096
"""Things in a state of theirs whose texts are kept."""
IDLE_WORDS = ("idle", "wait")
"""Lines of a dispatcher's plan that name no robot and let all of them wait."""


class Briefed(Struct, frozen=True):
    """What a kitchen's briefings have in common.

    ``robots``: their names. ``is_limited``: whether a number of steps ends play. ``told``: what is told of
    actions. ``counts``: for each action that counts something the words for ``{count}`` in its lines.
    """

    robots: tuple[str, ...]
    goal: str
    is_limited: bool
    told: Told
    counts: Mapping[str, str]


def briefing_parts(domain: Domain, kitchen: Briefed, seat: Seat) -> tuple[Part, ...]:
    """Who the player is, what there is, the rules, how dishes are made, the actions, how to answer."""
    goal = kitchen.goal
    answering = "\n".join(_answering(seat))
    return (
        Part("role", "\n".join(_who(kitchen, seat)) + "\n\n"),
        *_guide(domain.file.guide),
        Part("instructions", "\n".join(_actions(domain, kitchen)) + "\n\n"),
        *parted([("answering", answering), ("task", f"Goal: {goal}" if goal else "")]),
    )


def _who(kitchen: Briefed, seat: Seat) -> Iterator[str]:
    others = [robot for robot in kitchen.robots if robot != seat]
    if seat == DISPATCHER:
        robots = ", ".join(kitchen.robots)
        yield f"You command all robots: {robots}. In every step each of them can do one action."
    elif others:
        yield f"You are {seat}. Other robots work here too: {', '.join(others)}."
    else:
        yield f"You are {seat}."
    limit = ", or when the steps that you are given have passed" if kitchen.is_limited else ""
    yield (
        "You are shown everything that is there and what can be done now. Reach the goal: play ends when "
        f"it is reached{limit}. The goal leaves unsaid what common sense can fill in: which things it takes "
        "at the least, and what has to be done to them before."
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


def _actions(domain: Domain, kitchen: Briefed) -> Iterator[str]:
    yield "Actions"
    for action in domain.actions:
        note = "; ".join(domain.file.guide.notes(action.name, kitchen.told))
        if action.name in kitchen.counts:
            note = note.replace("{count}", kitchen.counts[action.name])
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
    feedback = feedback_text(observation.done, observation.refusals)
    possible = "\n".join(("What can be done now:", *observation.possible))
    parts = [_told(thing) for thing in observation.things]
    if feedback:
        parts.insert(0, Part("feedback", f"{feedback}\n\n"))
    if not observation.goal:
        return (*parts, Part("aside", possible))
    return (*parts, Part("aside", f"{possible}\n\n"), Part("task", f"Goal: {observation.goal}"))


@lru_cache(maxsize=TOLD)
def _told(thing: Seen) -> Part:
    """A thing and what holds of it, which something always follows."""
    return Part("state", "\n".join((f"{thing.type.capitalize()} {thing.name}:", *thing.facts)) + "\n\n")


def feedback_text(done: Sequence[str], refusals: Sequence[Refusal]) -> str:
    """What became of a decision that was refused in whole or in part; empty if nothing was refused."""
    lines = [refusal_text(refusal) for refusal in refusals]
    if lines and done:
        lines.append(f"Carried out: {'; '.join(done)}.")
    return "\n".join(lines)


REFUSED: Mapping[str, str] = {
    "no_action": "No action could be found in your answer.",
    "unknown_action": "There is no action {said!r} over these things.",
    "several": "Your answer holds several actions: {said}. Write one alone.",
    "ambiguous": "{said!r} could be several actions.",
    "too_many": "{given} actions for {robots} robots are too many.",
    "other_robot": "{robot} is not yours to command: {said}.",
    "twice": "{robot} has an action in this step already: {said} is one too many.",
    "runs_already": "This is under way already: {said}.",
    "impossible": "This is not possible now: {said}.",
}
"""What is said of a refusal, by its code."""


def refusal_text(refusal: Refusal) -> str:
    """A refusal as a sentence."""
    if refusal.code not in REFUSED:
        return f"Refused: {refusal.code}."
    return REFUSED[refusal.code].format_map(defaultdict(lambda: None, refusal.detail))


def wanting(domain: Domain, refusal: Refusal) -> tuple[str, ...]:
    """The facts that are missing, then those that bar the action, in the domain's words; nothing where one
    of them never changes."""
    sides = (("missing", ""), ("barred", "not: "))
    facts = [(no, fact) for side, no in sides for fact in _facts(refusal, side)]
    if not all(domain.by_name[fact.partition("(")[0]].index in domain.changing for _, fact in facts):
        return ()
    return tuple(f"{no}{_in_words(domain, fact)}" for no, fact in facts)


def _facts(refusal: Refusal, name: str) -> tuple[str, ...]:
    facts = refusal.get(name)
    return facts if isinstance(facts, tuple) else ()


def _in_words(domain: Domain, fact: str) -> str:
    """``iscut(lettuce1)`` in a sentence about its first thing, where the domain has one."""
    name, _, things = fact.removesuffix(")").partition("(")
    sentence = domain.by_name[name].sentences.get("0", fact)
    for argument, thing in enumerate(things.split(",")):
        sentence = sentence.replace(f"{{{argument}}}", thing)
    return sentence


def tool_of(action: Action) -> Tool:
    """An action as a tool: its parameters by their types, which the sentence tells apart."""
    types = dict(zip(action.params, action.types, strict=True))
    return tool(
        action.name,
        shorten(re.sub(r"\{(\w+)\}", r"\1", action.text) or action.name, LONGEST_DESCRIPTION),
        {param: words_for(f"name of the {type}") for param, type in types.items()},
    )


def name_of(action: Action, arguments: Mapping[str, str]) -> str:
    """The name of an action with these arguments."""
    return f"{action.name}({','.join(f'{param}={thing}' for param, thing in arguments.items())})"


class Sentences:
    """The actions of a domain in words, such as ``robot1 goes from table1 to stove1``, for any kitchen."""

    def __init__(self, domain: Domain) -> None:
        n_alike = Counter(_shape(action) for action in domain.actions)
        self._sentences = {
            action.name: action.text
            for action in domain.actions
            if action.text and n_alike[_shape(action)] == 1 and _names_all(action)
        }

    def of(self, name: str) -> str:
        """The sentence of an action by its name, or the name where the sentence could mean another."""
        match = re.fullmatch(r"([^()]+)\(((?:\w+=\w+(?:,\w+=\w+)*)?)\)", name)
        if match is None or match[1] not in self._sentences:
            return name
        named = (argument.split("=") for argument in match[2].split(",") if argument)
        return filled(self._sentences[match[1]], dict(named))


def _names_all(action: Action) -> bool:
    return all(f"{{{param}}}" in action.text for param in action.params)


def _shape(action: Action) -> str:
    """The sentence with types in place of parameters: actions of one shape read alike."""
    types = {param: f"<{type}>" for param, type in zip(action.params, action.types, strict=True)}
    return filled(action.text, types).casefold()
