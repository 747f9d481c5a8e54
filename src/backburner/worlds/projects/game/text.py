"""The problem in words, both ways. All of it is told: there is nothing to be found out."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from backburner.kernel.schedule import Activity, Problem
from backburner.kernel.text import Part, parted
from backburner.kernel.values import Refusal
from backburner.kernel.wrapping import found_within
from backburner.worlds.projects.game.legality import UNREADABLE, Legality, unknown
from backburner.worlds.projects.game.scenarios import Scenario
from backburner.worlds.projects.game.state import Decision, Silence, Start, State, Wait

LONGEST = 20_000
"""Characters, from its end, of an answer that are looked through."""

ROLE = "You lead a project."

RULES = """\
Everything is known: an activity takes the time that is told, and nothing goes wrong. Once it is started it \
runs by itself, but for as long as it needs you; then you can do nothing else. It starts only when all that \
it comes after has ended, and holds its resources until its end."""

FORM = """\
Answer with one decision and nothing else:
- start ACTIVITY
- wait (until something ends, or may be started from then on)
- wait N (so many {unit})"""

PIECES = "\n- start ACTIVITY for N (so many {unit} of what may be interrupted; start it again to go on)"

MISSED = {
    False: "If anything can no longer start in time, the project has failed, and is over.",
    True: "What can no longer start in time is never completed; the rest goes on.",
}

_WAIT = re.compile(r"wait(?: (?:for )?(\d{1,7})(?: [a-z]+)?)?")
_PIECE = re.compile(r"(.+) for (\d{1,7})(?: [a-z]+)?", re.DOTALL)
_VERBS = ("start", "resume", "continue")
_MARKS = " \t\"'`*.!“”‘’"


def briefing_parts(scenario: Scenario, goes_on: bool) -> tuple[Part, ...]:
    """Who one is, what is to be done, the rules, how to answer."""
    problem = scenario.problem
    unit = problem.unit
    rules = RULES
    if any(each.max_lags or each.deadline is not None for each in problem.activities):
        rules += f" {MISSED[goes_on]}"
    form = FORM + (PIECES if any(each.preemptive for each in problem.activities) else "")
    task = f"Complete everything as early as you can{f': {scenario.name}' if scenario.name else ''}."
    held = ", ".join(f"{each.name} ({each.capacity})" for each in problem.resources)
    activities = "\n".join(f"- {told(each, unit)}" for each in problem.activities)
    resources = f"Resources, and how many there are of each: {held}." if held else ""
    return parted(
        [
            ("role", ROLE),
            ("task", f"{task}\n\nActivities\n{activities}\n\n{resources}".strip()),
            ("instructions", f"{rules} Time is counted in {unit}."),
            ("answering", form.format(unit=unit)),
        ]
    )


def told(activity: Activity, unit: str) -> str:
    """An activity with all that holds for it, on a line."""
    by_hand, sets, requires = activity.operator_time, activity.sets, activity.requires
    held = ", ".join(f"{n} x {name}" if n > 1 else name for name, n in Counter(activity.resources).items())
    throughout = "throughout" if by_hand == activity.duration else f"for the first {by_hand}"
    facts = [
        f"{activity.duration} {unit}",
        by_hand and f"needs you {throughout}",
        activity.preemptive and "may be interrupted",
        activity.predecessors and f"after {', '.join(activity.predecessors)}",
        held and f"holds {held}",
        *(f"starts within {lag.at_most} of the end of {lag.after}" for lag in activity.max_lags),
        sets and f"sets {sets.resource} to {sets.value}",
        requires and f"needs {requires.resource} set to {requires.value}",
        activity.release and f"not before {activity.release}",
        activity.deadline is not None and f"ends by {activity.deadline}",
    ]
    return f"{activity.name}: {'; '.join(str(fact) for fact in facts if fact)}"


def description_parts(legality: Legality, state: State) -> tuple[Part, ...]:
    """What was refused, the time, what is under way, interrupted, over, yet to be started."""
    refused = refusal_text(state.refusal) if state.refusal else ""
    lines = [f"It is {legality.problem.unit.removesuffix('s')} {state.time}."]
    kinds: dict[str, list[str]] = {"Under way": [], "Interrupted": [], "To be started": [], "Completed": []}
    for index, (activity, work) in enumerate(zip(legality.activities, state.works, strict=True)):
        if state.runs(index):
            kinds["Under way"].append(f"{activity.name} (until {work.end})")
        elif not work.is_open:
            kinds["Completed"].append(activity.name)
        else:
            latest = legality.latest(state, index)
            late = "" if latest is None else f" (at {latest} at the latest)"
            kinds["To be started" if work.start < 0 else "Interrupted"].append(activity.name + late)
    lines += [f"{kind}: {', '.join(names)}." for kind, names in kinds.items() if names]
    return parted([("feedback", refused), ("state", "\n".join(lines)), ("question", "What do you do?")])


REFUSALS = {
    "unreadable": "No decision could be read in your answer.",
    "unknown_activity": "There is no activity {activity!r}. Nearest: {nearest}.",
    "nothing_to_wait_for": "Nothing is under way or yet to be released: there is nothing to wait for.",
    "no_such_time": "A wait is from 1 to {longest}.",
    "not_interrupted": "{activity} cannot be interrupted: start it as a whole.",
    "no_such_piece": "Of {activity}, {left} is left; a piece is less, and at least 1.",
    "under_way": "{activity} is under way until {until}.",
    "already_done": "{activity} has been done already.",
    "not_released": "{activity} cannot start before {until}.",
    "too_late": "{activity} had to start at {latest} at the latest.",
    "predecessor_missing": "{activity} comes after {first}.",
    "wrong_state": "{activity} needs {machine} set to {value}.",
    "resource_busy": "Not enough of {resource} is free for {activity}.",
}


def refusal_text(refusal: Refusal) -> str:
    """A refusal as a sentence."""
    return REFUSALS.get(refusal.code, "Refused.").format_map(defaultdict(str, refusal.detail))


def words(decision: Decision) -> str:
    """The text that is read as this decision."""
    match decision:
        case Start(activity, ticks):
            return f"start {activity}" + ("" if ticks is None else f" for {ticks}")
        case Wait(ticks):
            return "wait" if ticks is None else f"wait {ticks}"
        case Silence(ticks):
            return f"(silent for {ticks})"


class Reader:
    """Reads answers: one decision, whatever its capitals, and whatever people and models put around it."""

    def __init__(self, problem: Problem) -> None:
        self._names = {activity.name.casefold(): activity.name for activity in problem.activities}

    def read(self, answer: str) -> Decision | Refusal:
        """The decision that an answer asks for. Never raises."""
        text = answer[-LONGEST:]
        alone = self._line(text)
        if not isinstance(alone, Refusal):
            return alone
        found: tuple[Decision, ...] = found_within(text, self._line)
        if found:
            return found[0] if len(found) == 1 else UNREADABLE
        verb, _, name = " ".join(text.split()).partition(" ")
        return unknown(name, self._names.values()) if verb.casefold() in _VERBS and name else UNREADABLE

    def _line(self, text: str) -> Decision | Refusal:
        """The decision that a text is, as it stands or without marks around it."""
        plain = " ".join(text.casefold().split())
        read = self._exactly(plain)
        return self._exactly(plain.strip(_MARKS)) if isinstance(read, Refusal) else read

    def _exactly(self, plain: str) -> Decision | Refusal:
        if (wait := _WAIT.fullmatch(plain)) is not None:
            return Wait(int(wait[1]) if wait[1] else None)
        verb, _, name = plain.partition(" ")
        if verb in _VERBS and name in self._names:
            return Start(self._names[name])
        piece = _PIECE.fullmatch(name)
        if verb in _VERBS and piece is not None and piece[1] in self._names:
            return Start(self._names[piece[1]], int(piece[2]))
        return UNREADABLE
