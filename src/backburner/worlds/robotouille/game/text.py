"""Robotouille in words, which are ours: briefing, what is seen, what became of a decision; answers read.

An answer's action is what follows ``Action:`` on a line; an answer without such a line is the action
itself. Under ``released`` rules an action is read only as it is listed; ``standard`` rules forgive
capitals, spaces, quotes and full stops.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, product
from typing import Any

from msgspec import Struct

from backburner.kernel.text import Kind, Part, parted
from backburner.kernel.values import Refusal, Seat
from backburner.kernel.wrapping import found_within
from backburner.worlds.robotouille.game import legality
from backburner.worlds.robotouille.game.actions import Acts, GroundAction, filled
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import Action, Domain
from backburner.worlds.robotouille.game.layout import Atom, Layout, Object
from backburner.worlds.robotouille.game.scenarios import DISPATCHER
from backburner.worlds.robotouille.game.schema import Guide, Told
from backburner.worlds.robotouille.game.state import Kitchen, Observation, Seen

FINISH = "Finish"
IDLE = "Idle"
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
        case "several":
            return f"Your answer holds several actions: {refusal.get('said')}. Write one alone."
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


LONGEST = 10_000
"""Characters of a line that are looked at."""

MOST_READINGS = 1000
"""Actions that are looked at for the one that a line means."""


MOST_LINES = 1_000
"""So many lines of an answer are looked at: more than there are robots."""


class Reader:
    """Reads answers over the things of one problem."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.exact = compiled.rules.exact_text_only
        flags = 0 if self.exact else re.IGNORECASE
        self._marker = re.compile(r"[\s*]*Action:[\s*]*(\S.*)", flags)
        self._finish, self._idle = self._folded(FINISH), self._folded(IDLE)
        self._pieces = [
            (action, _cut_up(action, self._cased)) for action in compiled.domain.actions if action.text
        ]
        self._forms = cache(self._forms_of)

    def __reduce__(self) -> tuple[Any, ...]:
        """Made anew in another process, as what is remembered here cannot go there."""
        return Reader, (self.compiled,)

    def read(self, kitchen: Kitchen, seat: Seat, answer: str) -> Acts | Refusal:
        """The decision in an answer: its first action, or for a dispatcher one for each robot.

        Where text need not be exact, and its lines are none, an action is looked for in what is put around
        it; see ``wrapping``. Several different ones are no answer of one robot.
        """
        lines = [line for line in answer.splitlines() if line.strip()]
        marked = [match[1] for match in map(self._marker.match, lines) if match]
        said = [line[:LONGEST].strip() for line in (marked or lines[:1])[:MOST_LINES]]
        read = self._read(kitchen, seat, said)
        if self.exact or not isinstance(read, Refusal) or read.code not in UNREAD:
            return read
        within = "\n".join(said) if marked else answer
        found = found_within(within, lambda line: self._read(kitchen, seat, [line]))
        if len(found) <= 1:
            return found[0] if found else read
        if seat == DISPATCHER:
            return _together(found, len(self.compiled.robots))
        return legality.several([" and ".join(acts.acts) or IDLE for acts in found])

    def _read(self, kitchen: Kitchen, seat: Seat, lines: list[str]) -> Acts | Refusal:
        """The decision that stands on these lines."""
        if not lines:
            return legality.NO_ACTION
        n_robots = len(self.compiled.robots) if seat == DISPATCHER else 1
        names: list[str] = []
        for line in lines if seat == DISPATCHER else lines[:1]:
            folded = self._folded(line)
            if folded == self._finish:
                return Acts(tuple(names), finish=True)
            if folded == self._idle:
                continue
            if len(names) == n_robots:
                return legality.too_many(len(lines), n_robots)
            name = self._action(kitchen, line, folded)
            if isinstance(name, Refusal):
                return name
            names.append(name)
        return Acts(tuple(names))

    def _action(self, kitchen: Kitchen, line: str, folded: str) -> str | Refusal:
        """The name of the action that a line asks for."""
        applicable = self.compiled.applicable(kitchen)
        alike = [action.name for action in applicable if folded in self._forms(action)]
        if len(alike) == 1 or (alike and not self.exact):
            return alike[0]
        if alike:
            return legality.ambiguous(line)
        return self._inapplicable(kitchen, self._tidy(line)) or legality.unknown_action(line)

    def _forms_of(self, action: GroundAction) -> tuple[str, str]:
        """The two ways to write an action: its sentence and its name."""
        return self._folded(action.text), self._folded(action.name)

    def _inapplicable(self, kitchen: Kitchen, line: str) -> str | None:
        """The name of an action that cannot be done now, so that the refusal can say why.

        Of several that are written so, it is the one with the fewest violated preconditions.
        """
        named = self.compiled.find(self.compiled.layout(kitchen), line)
        if named is not None:
            return named.name
        readings = list(islice(self._readings(kitchen, line), MOST_READINGS))
        return min(readings, key=lambda action: _n_violated(action, kitchen.facts)).name if readings else None

    def _readings(self, kitchen: Kitchen, line: str) -> Iterator[GroundAction]:
        """All actions that are written so, applicable or not, with any thing where the words name none."""
        layout = self.compiled.layout(kitchen)
        here = [(index, thing) for index, thing in enumerate(layout.objects) if not kitchen.gone >> index & 1]
        indices = {self._folded(thing.name): index for index, thing in here}
        folded = self._folded(line)
        for action, pieces in self._pieces:
            for named in _names_in(folded, pieces, indices):
                if len(set(named.values())) < len(named):
                    continue
                choices = [
                    [
                        index
                        for index, thing in here
                        if thing.type == type and named.get(param, index) == index
                    ]
                    for param, type in enumerate(action.types)
                ]
                for args in product(*choices):
                    if len(set(args)) == len(args):
                        yield self.compiled.ground(layout, action.index, args)

    def _folded(self, line: str) -> str:
        return self._cased(self._tidy(line))

    def _cased(self, text: str) -> str:
        return text if self.exact else text.casefold()

    def _tidy(self, line: str) -> str:
        """Without what people put around an action: quotes, asterisks, a full stop, double spaces."""
        return line if self.exact else re.sub(r"\s+", " ", line).strip(" \t\"'`*.")


UNREAD = ("no_action", "unknown_action")
"""Codes of refusals of a text in which no action was found."""


def _together(found: Sequence[Acts], n_robots: int) -> Acts | Refusal:
    """The actions of a dispatcher that stand on lines of their own."""
    names = tuple(name for acts in found for name in acts.acts)
    if len(names) > n_robots:
        return legality.too_many(len(names), n_robots)
    return Acts(names, finish=any(acts.finish for acts in found))


_Pieces = Sequence[str | int]
"""A sentence cut up: words, and the parameters, by their positions, that stand between them."""


def _cut_up(action: Action, folded: Callable[[str], str]) -> _Pieces:
    """Such as ``(0, " goes from ", 1, " to ", 2)``."""
    pieces: list[str | int] = []
    for piece in re.split(r"(\{[^{}]*\})", action.text):
        if piece[:1] == "{" and piece[1:-1] in action.params:
            pieces.append(action.params.index(piece[1:-1]))
        elif piece:
            pieces.append(folded(piece))
    return pieces


def _names_in(line: str, pieces: _Pieces, things: Mapping[str, int]) -> Iterator[Mapping[int, int]]:
    """Each way to read a line as such a sentence: the thing that each parameter of it names.

    At any place of the line only a few names can begin, such as ``table1`` and ``table12``.
    """
    lengths = sorted({len(name) for name in things}, reverse=True)

    def read(at: int, number: int, named: Mapping[int, int]) -> Iterator[Mapping[int, int]]:
        if number == len(pieces):
            if at == len(line):
                yield named
            return
        piece = pieces[number]
        if isinstance(piece, str):
            if line.startswith(piece, at):
                yield from read(at + len(piece), number + 1, named)
            return
        for length in lengths:
            thing = things.get(line[at : at + length])
            if thing is not None and named.get(piece, thing) == thing:
                yield from read(at + length, number + 1, {**named, piece: thing})

    return read(0, 0, {})


def _choices(
    things: Sequence[tuple[int, Object]], action: Action, named: Mapping[int, int]
) -> list[list[int]]:
    """For each parameter of an action the things that it may stand for; where one is named, that alone."""
    return [
        [index for index, thing in things if thing.type == type and named.get(param, index) == index]
        for param, type in enumerate(action.types)
    ]


def _n_violated(action: GroundAction, facts: int) -> int:
    """How many preconditions of an action do not hold."""
    return (action.needs & ~facts).bit_count() + (action.forbids & facts).bit_count()


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
