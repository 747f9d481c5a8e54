"""TimeArena in words, both ways. All wording is ours; it tells what the released program tells.

The briefing names goals, actions and how to write them, things and their initial states. Durations
and requirements are never stated; a duration is announced when its action starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from backburner.kernel.text import Kind, Part, parted
from backburner.kernel.values import Refusal
from backburner.kernel.wrapping import found_within
from backburner.worlds.timearena.game.compiled import Compiled
from backburner.worlds.timearena.game.legality import Attempt, Legality
from backburner.worlds.timearena.game.scenarios import Verb
from backburner.worlds.timearena.game.state import (
    INVALID_ACTION,
    NONEXISTENT_OBJECT,
    QUIT,
    UNREADABLE,
    WAIT,
    Act,
    Decision,
    Feedback,
    Observation,
    Quit,
    Report,
    Silence,
    Wait,
)

ROLE = "You have several tasks. Finish all of them, in as little time as you can."

RULES = """\
How to act
- Time is counted in minutes. Whenever you are asked, answer with one action. You do one action at a time.
- Some actions keep you busy until they are finished (such as "wash OBJ"). Others go on by \
themselves once you have started them (such as "heat OBJ"), and you can do something else meanwhile.
- Mind what each task demands: what has to come before what, and how long things take.
"""

FORM = """\
- Write the action exactly in one of the forms below, with names from the list of things (such as \
"wash cup"; write "rice", not "cooked rice"). Write nothing but the action: one line, with no words or \
signs before or behind it.
"""

WAITING = """\
- If there is nothing to do at the moment, "wait" lets one minute go by."""

TO_WAIT = "let one minute go by and do nothing"

THINGS = {
    "thing": 'OBJ, a name from the list of things (write "rice", not "cooked rice")',
    "first": "OBJ1, a name from the list of things",
    "second": "OBJ2, a name from the list of things",
}
"""What the parameters of tools are."""

PLAN_FORM = """\
Write one action on each line, in the order in which they are to be done, exactly in one of the forms above, \
and nothing else. The next line is begun as soon as you are free again; each line "wait" lets one minute go \
by. Write no numbers and no bullet points."""
"""How a plan of many actions is written."""


def briefing_parts(compiled: Compiled) -> tuple[Part, ...]:
    """What the agent is told before the first minute; how to answer stands among the rules."""
    scenario = compiled.scenario
    rules = (Part("role", f"{ROLE}\n\n"), Part("instructions", RULES), Part("answering", FORM))
    parts: list[tuple[Kind, str]] = [("instructions", WAITING)]
    for number, task in enumerate(scenario.tasks, 1):
        told = f"Task {number}\nGoal: {task.goal}"
        parts.append(("task", f"{told}\n{_actions(compiled, task.verbs)}"))
    parts.append(("task", _things(compiled)))
    states = (f"{item.name}: {item.thing.roles[0].before}" for item in compiled.items if item.thing.roles)
    parts.append(("task", "How the things are at the beginning\n" + "; ".join(states)))
    return (*rules, *parted(parts))


def goals(compiled: Compiled) -> str:
    """What is to be done in all tasks, on one line."""
    return " ".join(task.goal for task in compiled.scenario.tasks)


def _actions(compiled: Compiled, verbs: Iterable[str]) -> str:
    """The forms of these verbs with their glosses, and the wait."""
    forms = (f"- {compiled.verbs[name].form}: {compiled.verbs[name].gloss}" for name in verbs)
    return "\n".join(("Actions:", *forms, f"- wait: {TO_WAIT}"))


def _things(compiled: Compiled) -> str:
    return "Things (OBJ)\n" + "; ".join(_with_owner(compiled))


def _with_owner(compiled: Compiled) -> Iterator[str]:
    for item in compiled.items:
        # With merged copies the release marks both with the number of the later one.
        same = [other.task for other in compiled.items if other.group == item.group]
        yield f"{item.name} (only for task {max(same) + 1})" if item.renamed else item.name


class Teller:
    """Tells what the agent is told at a minute. Results are put into words once; there are finitely many."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self._results: dict[Feedback, tuple[Part, ...]] = {}

    def tell(self, observation: Observation) -> tuple[Part, ...]:
        """The result of the last decision, changes, the time; each part ends its line.

        How long an action takes that has begun is no feedback but how things stand.
        """
        parts: list[Part] = []
        for told in observation.told:
            parts += self._result_and_changes(told.feedback, told.reports)
        parts += self._result_and_changes(observation.feedback, observation.reports)
        asked = "Which action do you take in its place?" if observation.instead else "Your action?"
        parts.append(Part("question", f"Minute {observation.minute}. {asked}"))
        return tuple(parts)

    def _result_and_changes(self, feedback: Feedback, reports: tuple[Report, ...]) -> tuple[Part, ...]:
        result = self._results.get(feedback)
        if result is None:
            result = self._results[feedback] = tuple(self._result(feedback))
        if not reports:
            return result
        return (*result, Part("state", "".join([f"{thing} is {state}.\n" for thing, state in reports])))

    def _result(self, feedback: Feedback) -> Iterator[Part]:
        kind: Kind = "feedback" if feedback.kind == "refused" else "state"
        for text in (_result(self.compiled, feedback), _reminder(self.compiled, feedback)):
            if text:
                yield Part(kind, f"{text}\n")


def _result(compiled: Compiled, feedback: Feedback) -> str:
    if feedback.kind == "start" and feedback.act is not None:
        unit = "minute" if feedback.minutes == 1 else "minutes"
        return f"You begin to {words(compiled, feedback.act)}; this takes {feedback.minutes} {unit}."
    if feedback.kind == "wait":
        return "You wait for one minute."
    if feedback.kind == "refused" and feedback.refusal is not None:
        return refusal_text(feedback.refusal)
    return "You have given up." if feedback.kind == "quit" else ""


def _reminder(compiled: Compiled, feedback: Feedback) -> str:
    """What the briefing has told: all actions after one that is none, all things after an unknown one."""
    code = feedback.refusal.code if feedback.refusal is not None else ""
    if code == "invalid_action":
        return _actions(compiled, compiled.verbs)
    return _things(compiled) if code == "nonexistent_object" else ""


def refusal_text(refusal: Refusal) -> str:
    """A refusal as a sentence."""
    thing, objects, because = refusal.get("object"), refusal.get("objects"), refusal.get("because")
    match refusal.code:
        case "unreadable":
            return "No single action could be found in your answer."
        case "invalid_action":
            return "This is not one of the actions."
        case "nonexistent_object":
            return "There is no such thing here."
        case "object_occupied":
            return f"{thing} is in use by another action."
        case "mismatch":
            return f"This action cannot be done with {thing}."
        case "task_mismatch" if isinstance(objects, tuple):
            return f"{objects[0]} and {objects[1]} belong to different tasks."
        case "pair_mismatch" if isinstance(objects, tuple):
            return f"{objects[0]} and {objects[1]} do not go together in this action."
        case "dependency_violation":
            reason = f": {because[0]} is {because[1]}" if isinstance(because, tuple) else ""
            return f"This action cannot be done on {thing} yet{reason}."
        case "already_completed":
            return "This action has been finished already."
    return f"Refused: {refusal.code}."


def words(compiled: Compiled, decision: Decision) -> str:
    """The text that is read as this decision."""
    match decision:
        case Act(verb, first, second) if verb in compiled.verbs:
            return compiled.verbs[verb].words(first, second)
        case Act(verb, first, second):
            return " ".join(filter(None, (verb, first, second)))
        case Wait():
            return "wait"
        case Quit():
            return "quit"
        case Silence(minutes):
            return f"(silent for {minutes} min)"


ARTICLE = r"\b(?:the|an?) "
ARTICLES = re.compile(ARTICLE)
MARK = re.compile(r"(?im)^[^\w\n]*action[^\w\n]*:")
WAITS = re.compile(r"\bwait\b")

LONGEST_SEARCHED = 20_000
"""Characters, from its end, of an answer in which an action is looked for in free text."""

LONGEST_BARE = 1_000
"""Characters of an answer that may be an action in its bare form, with articles and capitals."""


class Reader:
    """Reads answers. Texts once read as exactly one action are remembered; there are finitely many."""

    def __init__(self, legality: Legality) -> None:
        self.compiled = legality.compiled
        self.exact_only = self.compiled.rules.exact_text_only
        self._attempt = legality.attempt
        self._known: dict[str, Decision] = {"wait": WAIT, "quit": QUIT, "exit": QUIT}

    def read(self, text: str) -> Decision | Refusal:
        """The decision in ``text``, or a refusal. Never raises, never charges."""
        known = self._known.get(text)
        if known is not None:
            return known
        bare = text.replace("*", "").strip()
        known = self._known.get(bare)
        if known is not None:
            return known
        if bare.lower() in ("quit", "exit"):
            return QUIT
        found = self._read_exactly(bare) if self.exact_only else self._find(bare[-LONGEST_SEARCHED:])
        if type(found) is Act:
            attempt = self._attempt(found)
            if isinstance(attempt, Attempt):
                found = self._known[attempt.words] = attempt.act
        return found

    def _read_exactly(self, bare: str) -> Decision | Refusal:
        """As released: single spaces, two or four words. Capitals, which crash it, are refused."""
        if bare == "wait":
            return WAIT
        folded = bare.lower()
        match folded.split(" ", 4):
            case [verb, first]:
                act = Act(verb, first)
            case [verb, first, link, second]:
                act = Act(f"{verb} {link}", first, second)
            case _:
                return INVALID_ACTION
        if act.verb not in self.compiled.verbs:
            return INVALID_ACTION
        if any(name not in self.compiled.item for name in folded.split(" ")[1::2]):
            return NONEXISTENT_OBJECT
        return act if folded == bare else INVALID_ACTION

    # --- finding an action in free text ---------------------------------------------------------

    def _find(self, bare: str) -> Decision | Refusal:
        """The one action that the text mentions; several different ones are no answer.

        If a line begins with "Action:", only what follows the last such mark counts. A text that is an
        action in its bare form is that action, whatever else its words could mean; so is, where several
        are mentioned, a single line (see ``wrapping``).
        """
        marked = MARK.split(bare)[-1]
        plain = " ".join(marked.lower().replace("\\_", "_").split())
        exactly = self._read_alone(plain)
        if not isinstance(exactly, Refusal):
            return exactly
        found = set(self._mentions(plain))
        if len(found) == 1:
            return found.pop()
        alone: tuple[Decision, ...] = ()
        if found:
            alone = found_within(marked, lambda line: self._read_alone(line.lower()))
        if len(alone) == 1:
            return alone[0]
        return UNREADABLE if found else exactly

    def _read_alone(self, plain: str) -> Decision | Refusal:
        """An action in its bare form, in small letters; articles and stops do not matter."""
        short = "" if len(plain) > LONGEST_BARE else ARTICLES.sub("", plain).strip(" .,:;!?\"'`")
        if short in ("quit", "exit"):
            return QUIT
        if short == "wait":
            return WAIT
        return self._read_exactly(short) if short.count(" ") in (1, 3) else UNREADABLE

    def _mentions(self, plain: str) -> Iterator[Decision | Refusal]:
        """Each action in the text; of two that begin together only the longer one. An action on a list
        of things stands for several and is no decision."""
        matches = [
            (match, verb)
            for begin, pattern, verb in self._phrases
            if begin in plain
            for match in pattern.finditer(plain)
        ]
        longest: dict[int, int] = {}
        for match, _ in matches:
            longest[match.start()] = max(match.end(), longest.get(match.start(), 0))
        for match, verb in matches:
            if match.end() == longest[match.start()]:
                if self._more_things.match(plain, match.end()):
                    yield UNREADABLE
                names = (self._names[re.sub("[_-]", " ", name)] for name in match.groups())
                yield Act(verb.name, *names)
        if WAITS.search(plain):
            yield WAIT

    @cached_property
    def _names(self) -> dict[str, str]:
        return {name.replace("_", " "): name for name in self.compiled.item}

    @cached_property
    def _thing(self) -> str:
        names = "|".join(sorted(self.compiled.item, key=len, reverse=True))
        return rf"(?:{ARTICLE})?({_loosely(names)})(?!_*[^\W_])"

    @cached_property
    def _more_things(self) -> re.Pattern[str]:
        return re.compile(rf"(?: ?(?:,|&|/|-|\band\b|\bor\b))+ ?{self._thing}")

    @cached_property
    def _phrases(self) -> list[tuple[str, re.Pattern[str], Verb]]:
        """(what each verb's form begins with, the form as a pattern, the verb).

        The pattern is for small letters and single spaces, with ``_``, ``-`` or a space for ``_``. A ``_``
        around the action is markdown; one that goes on in letters or digits is part of a name. After an
        article a word is no verb ("into the empty trash").
        """
        before = r"(?<![^\W_])(?<!\bthe )(?<!\ba )(?<!\ban )"
        return [
            (
                re.split("[_ ]|OBJ", verb.form)[0],
                re.compile(before + self._thing.join(re.split("OBJ[12]?", _loosely(verb.form)))),
                verb,
            )
            for verb in self.compiled.verbs.values()
        ]


def _loosely(spelled: str) -> str:
    return spelled.replace("_", "[_ -]")
