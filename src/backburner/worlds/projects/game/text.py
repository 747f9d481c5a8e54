"""The problem in words, both ways. All of it is told: there is nothing to be found out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from backburner.kernel.errors import nearest
from backburner.kernel.schedule import Activity, Problem
from backburner.kernel.text import Part, parted
from backburner.kernel.values import Fault, Refusal
from backburner.kernel.wrapping import found_within
from backburner.worlds.projects.game.legality import UNREADABLE, Legality
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
    return f"{activity.name}: " + "; ".join(_facts(activity, unit))


def _facts(activity: Activity, unit: str) -> Iterator[str]:
    yield f"{activity.duration} {unit}"
    if activity.operator_time:
        whole = activity.operator_time == activity.duration
        yield "needs you throughout" if whole else f"needs you for the first {activity.operator_time}"
    if activity.preemptive:
        yield "may be interrupted"
    if activity.predecessors:
        yield f"after {', '.join(activity.predecessors)}"
    if activity.resources:
        held = dict.fromkeys(activity.resources)
        counts = ((name, activity.resources.count(name)) for name in held)
        yield "holds " + ", ".join(name if count == 1 else f"{count} x {name}" for name, count in counts)
    for lag in activity.max_lags:
        yield f"starts within {lag.at_most} of the end of {lag.after}"
    if activity.sets:
        yield f"sets {activity.sets.resource} to {activity.sets.value}"
    if activity.requires:
        yield f"needs {activity.requires.resource} set to {activity.requires.value}"
    if activity.release:
        yield f"not before {activity.release}"
    if activity.deadline is not None:
        yield f"ends by {activity.deadline}"


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


def refusal_text(refusal: Refusal) -> str:
    """A refusal as a sentence."""
    name, until, first = refusal.get("activity"), refusal.get("until"), refusal.get("first")
    match refusal.code:
        case "unreadable":
            return "No decision could be read in your answer."
        case "unknown_activity":
            meant = refusal.get("nearest")
            return f"There is no activity {name!r}." + (f" Did you mean {meant}?" if meant else "")
        case "nothing_to_wait_for":
            return "Nothing is under way, and nothing is yet to be released: there is nothing to wait for."
        case "no_such_time":
            return f"A wait is from 1 to {refusal.get('longest')}."
        case "not_interrupted":
            return f"{name} cannot be interrupted: start it as a whole."
        case "no_such_piece":
            grid, left = refusal.get("grid"), refusal.get("left")
            return f"Of {name}, {left} is left; a piece is less, and a multiple of {grid}."
        case "under_way":
            return f"{name} is under way until {until}."
        case "already_done":
            return f"{name} has been done already."
        case "not_released":
            return f"{name} cannot start before {until}."
        case "too_late":
            return f"{name} had to start at {refusal.get('latest')} at the latest."
        case "predecessor_missing" if isinstance(first, tuple):
            return f"{name} comes after {', '.join(first)}."
        case "wrong_state":
            return f"{name} needs {refusal.get('machine')} set to {refusal.get('value')}."
        case "resource_busy":
            return f"Not enough of {refusal.get('resource')} is free for {name}."
    return f"Refused: {refusal.code}."


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
        return alone

    def _line(self, text: str) -> Decision | Refusal:
        """The decision that a text is, as it stands or without marks around it."""
        plain = " ".join(text.split())
        read = self._exactly(plain)
        return self._exactly(plain.strip(_MARKS)) if isinstance(read, Refusal) else read

    def _exactly(self, plain: str) -> Decision | Refusal:
        folded = plain.casefold()
        if (wait := _WAIT.fullmatch(folded)) is not None:
            return Wait(int(wait[1]) if wait[1] else None)
        verb, _, name = folded.partition(" ")
        if verb not in ("start", "resume", "continue") or not name:
            return UNREADABLE
        if name in self._names:
            return Start(self._names[name])
        piece = _PIECE.fullmatch(name)
        if piece is not None and piece[1] in self._names:
            return Start(self._names[piece[1]], int(piece[2]))
        said = plain.partition(" ")[2][:100]
        meant = tuple(("nearest", name) for name in nearest(said, self._names.values(), 1))
        return Refusal("unknown_activity", Fault.UNKNOWN_THING, (("activity", said), *meant))
