"""TimeArena in words, both ways. All wording is ours; it tells what the released program tells.

The briefing names goals, actions and how to write them, things and their initial states. Durations
and requirements are never stated; a duration is announced when its action starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from backburner.kernel.values import Refusal
from backburner.worlds.timearena.actions import (
    INVALID_ACTION,
    NONEXISTENT_OBJECT,
    QUIT,
    UNREADABLE,
    WAIT,
    Act,
    Decision,
    Quit,
    Wait,
)
from backburner.worlds.timearena.combination import Combination
from backburner.worlds.timearena.scenarios import Verb
from backburner.worlds.timearena.state import Observation

RULES = """\
You have several tasks. Finish all of them, in as little time as you can.

How to act
- Time is counted in minutes. Whenever you are asked, answer with one action.
- Some actions keep you busy until they are finished (such as "wash OBJ"). Others go on by \
themselves once you have started them (such as "heat OBJ"), and you can do something else meanwhile.
- Mind what each task demands: what has to come before what, and how long things take.
- Write the action exactly in one of the forms below, with names from the list of things (such as \
"wash cup"; write "rice", not "cooked rice").
- If there is nothing to do at the moment, "wait" lets one minute go by."""


def briefing(combination: Combination) -> str:
    """What the agent is told before the first minute."""
    scenario = combination.scenario
    parts = [RULES]
    for number, task in enumerate(scenario.tasks, 1):
        verbs = (combination.verbs[name] for name in task.verbs)
        forms = "\n".join(f"- {verb.form}: {verb.gloss}" for verb in verbs)
        parts.append(
            f"Task {number}\nGoal: {task.goal}\nActions:\n{forms}\n- wait: let one minute go by and do nothing"
        )
    parts.append("Things (OBJ)\n" + "; ".join(_with_owner(combination)))
    states = (f"{item.name}: {item.thing.roles[0].before}" for item in combination.items if item.thing.roles)
    parts.append("How the things are at the beginning\n" + "; ".join(states))
    return "\n\n".join(parts)


def _with_owner(combination: Combination) -> Iterator[str]:
    for item in combination.items:
        # With merged copies the release marks both with the number of the later one.
        same = [other.task for other in combination.items if other.group == item.group]
        yield f"{item.name} (only for task {max(same) + 1})" if item.renamed else item.name


def describe(combination: Combination, observation: Observation) -> str:
    """What the agent is told at this minute: the result of its decision, changes, the time."""
    lines = [_result(combination, observation)]
    lines += [f"{thing} is {state}." for thing, state in observation.reports]
    lines.append(f"Minute {observation.minute}. Your action?")
    return "\n".join(line for line in lines if line)


def _result(combination: Combination, observation: Observation) -> str:
    feedback = observation.feedback
    if feedback.kind == "start" and feedback.act is not None:
        unit = "minute" if feedback.minutes == 1 else "minutes"
        return f"You begin to {words(combination, feedback.act)}; this takes {feedback.minutes} {unit}."
    if feedback.kind == "wait":
        return "You wait for one minute."
    if feedback.kind == "refused" and feedback.refusal is not None:
        return refusal_text(feedback.refusal)
    return "You have given up." if feedback.kind == "quit" else ""


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


def words(combination: Combination, decision: Decision) -> str:
    """The text that is read as this decision."""
    match decision:
        case Act(verb, first, second) if verb in combination.verbs:
            return combination.verbs[verb].words(first, second)
        case Act(verb, first, second):
            return " ".join(filter(None, (verb, first, second)))
        case Wait():
            return "wait"
        case Quit():
            return "quit"


class Reader:
    """Reads answers. Texts once read as exactly one action are remembered; there are finitely many."""

    def __init__(self, combination: Combination) -> None:
        self.combination = combination
        self.exact_only = combination.rules.exact_text_only
        self._known: dict[str, Decision] = {"wait": WAIT, "quit": QUIT, "exit": QUIT}
        self._verbs = {tuple(verb.name.split(" ")): verb for verb in combination.verbs.values()}
        self._phrases: list[tuple[re.Pattern[str], Verb]] | None = None
        self._names = {item.name.replace("_", " "): item.name for item in combination.items}

    def read(self, text: str) -> Decision | Refusal:
        """The decision in ``text``, or a refusal. Never raises, never charges."""
        known = self._known.get(text)
        if known is not None:
            return known
        bare = text.strip().replace("*", "").strip()
        if bare.lower() in ("quit", "exit"):
            return QUIT
        return self._read_exactly(bare) if self.exact_only else self._find(bare)

    def _read_exactly(self, bare: str) -> Decision | Refusal:
        """As released: single spaces, two or four words. Capitals, which crash it, are refused."""
        if bare == "wait":
            return WAIT
        folded = bare.lower()
        match folded.split(" "):
            case [verb, first]:
                act = Act(verb, first) if (verb,) in self._verbs else None
            case [verb, first, link, second]:
                act = Act(f"{verb} {link}", first, second) if (verb, link) in self._verbs else None
            case _:
                act = None
        if act is None or self.combination.verbs[act.verb].takes_two != bool(act.second):
            return INVALID_ACTION
        if any(name not in self.combination.item for name in (act.first, act.second) if name):
            return NONEXISTENT_OBJECT
        if folded != bare:
            return INVALID_ACTION
        self._known[words(self.combination, act)] = act
        return act

    def _find(self, bare: str) -> Decision | Refusal:
        """The one action that the text mentions; several different ones are no answer."""
        found = set(self._mentions(bare))
        if len(found) == 1:
            decision = found.pop()
            self._known[words(self.combination, decision)] = decision
            return decision
        if found:
            return UNREADABLE
        exactly = self._read_exactly(bare.lower().strip(" .!?\"'`"))
        looks_like_an_action = len(bare.split()) in (2, 4) and isinstance(exactly, Refusal)
        return exactly if looks_like_an_action else UNREADABLE

    def _mentions(self, text: str) -> Iterator[Decision]:
        if self._phrases is None:
            self._phrases = list(self._compile())
        for pattern, verb in self._phrases:
            for match in pattern.finditer(text):
                things = [self._names[re.sub(r"[\s_]+", " ", name).lower()] for name in match.groups()]
                yield Act(verb.name, *things)
        if re.search(r"\bwait\b", text, re.IGNORECASE):
            yield WAIT

    def _compile(self) -> Iterator[tuple[re.Pattern[str], Verb]]:
        longest_first = sorted(self._names, key=len, reverse=True)
        name = "|".join(re.escape(n).replace(r"\ ", r"[\s_]") for n in longest_first)
        thing = rf"(?:the\s+|a\s+|an\s+)?({name})(?!\w)"
        for verb in self.combination.verbs.values():
            spelled = re.escape(verb.form).replace("_", r"[\s_]").replace(r"\ ", r"\s+")
            pattern = re.sub(r"OBJ[12]?", lambda _: thing, spelled)
            yield re.compile(rf"(?<!\w){pattern}", re.IGNORECASE), verb
