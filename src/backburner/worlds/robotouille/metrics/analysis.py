"""What the article's analyses look for in one episode (section 4 and sections A.9, A.12).

How close it came to a shortest plan, what was repeated, what was done first, which rules were broken, and why
it failed. A *mistake* is a rule broken with an action at a kind of station. An agent *recovers* from it by
carrying out that action at such a station later, and *repeats* it by making it again after that.

The article's authors sorted each failure by hand, by the part of the decision process that was misunderstood:
the state, the possible actions, the rules of transition, or the goal. What a record decides of that:

* A rule about hands or stations that was broken and never recovered from is a *transition* failure, whatever
  else was misunderstood; so is play that ends in a call whose refused answers break such a rule.
* Play that ends because answer after answer was no possible action is an *action* failure.
* An agent that says it is done, without having written a word but its actions, has not reasoned about what is
  missing, and so misunderstood the *goal*: in preparing the things, if they lie as the goal wants them.

Everything else shows in what the agent thought, and waits for a label: a misread state, a goal that was
restated wrongly from the beginning, steps used up for whatever reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import quantiles

from msgspec import Struct

from backburner.kernel.assessment import Annotation, Case, LabelSet, label_in
from backburner.kernel.episode import Answer, Entry, Episode
from backburner.kernel.files import shipped
from backburner.kernel.replay import final_state, trajectory
from backburner.kernel.scoring import Measures
from backburner.kernel.values import Fault, Refusal, Step
from backburner.worlds.robotouille.game.catalogue import catalogue
from backburner.worlds.robotouille.game.goal import Goal
from backburner.worlds.robotouille.game.legality import GroundAction
from backburner.worlds.robotouille.game.schema import STATION
from backburner.worlds.robotouille.game.state import Kitchen, Layout, State
from backburner.worlds.robotouille.game.world import Robotouille

Bins = Sequence[tuple[str, float]]
"""Names of bins with their upper ends, which belong to them."""

OPTIMALITY_BINS: Bins = (("1", 1.0), ("(1, 1.25]", 1.25), ("(1.25, 1.5]", 1.5), ("above 1.5", float("inf")))
"""Those of the article's Figure 3, and what its step limit cuts off."""

TO_GO_BINS: Bins = (("[0, 0.5]", 0.5), ("(0.5, 1]", 1.0), ("above 1", float("inf")))
"""Those of the article's Figure 4."""

HANDS = "one thing in hand"
STATION_ROOM = "one item at a station"
ROBOT_ROOM = "one robot at a station"
PRESENCE = "at the station"
OTHER = "other conditions"
RULE_OF_FAULT = {Fault.CAPACITY: HANDS, Fault.OCCUPIED: STATION_ROOM, Fault.REACH: PRESENCE}


class Mistake(Struct, frozen=True):
    """A rule broken with an action at a kind of station (empty if the action has none)."""

    rule: str
    action: str
    station: str


class Course(Struct, frozen=True):
    """A mistake, and what became of it: recovered from or not, then repeated or made elsewhere."""

    mistake: Mistake
    recovered: bool
    repeated: bool
    elsewhere: bool


class _Tried(Struct, frozen=True):
    """One decision point: the mistakes made, and (action, kind of station) of what was carried out."""

    mistakes: tuple[Mistake, ...]
    done: tuple[tuple[str, str], ...]


def counts(episode: Episode, world: Robotouille) -> Iterator[tuple[str, float]]:
    """The numbers of one episode from which the article's questions are answered."""
    yield "repeated", repeated_transitions(episode, world)
    first = asynchronous_first(episode, world)
    if first is not None:
        yield "asynchronous first", float(first)
    made = courses(episode, world)
    yield "mistakes", len(made)
    yield "recovered", sum(course.recovered for course in made)
    yield "made again", sum(course.repeated for course in made)
    yield "made elsewhere", sum(course.elsewhere and not course.repeated for course in made)


def decided(episode: Episode, world: Robotouille) -> Iterator[tuple[State, Entry, Step[State]]]:
    """The steps of ``trajectory`` but those in which everybody still thinks."""
    for state, entry, step in trajectory(episode, world):
        if not all(answer.silent for answer in entry.answers.values()):
            yield state, entry, step


def repeated_transitions(episode: Episode, world: Robotouille) -> int:
    """Steps in which an agent does what it has done before in the same kitchen (article, question 5).

    Kitchens are the same if their facts, timers and counts are. So neither cutting three times nor
    waiting for a timer repeats anything, in keeping with the article, where most successes have no
    repetition.
    """
    seen: Counter[tuple[Kitchen, tuple[str, ...]]] = Counter()
    for state, _, step in decided(episode, world):
        if step.state.steps > state.steps:
            seen[state.kitchen, step.state.feedback.done] += 1
    return sum(count - 1 for count in seen.values())


def asynchronous_first(episode: Episode, world: Robotouille) -> bool | None:
    """Whether the first work that was started goes on by itself (article, question 6).

    ``None`` if no work was started.
    """
    effects = world.compiled.domain.special_effects
    for _, _, step in decided(episode, world):
        for action in carried_out(world, step.state):
            if action.starts:
                return any(effects[effect].takes_time for effect, _ in action.starts)
    return None


def courses(episode: Episode, world: Robotouille) -> list[Course]:
    """Each different mistake of an episode, in the order in which they are first made."""
    tried = [_tried(world, step) for _, _, step in decided(episode, world)]
    first = dict.fromkeys(mistake for point in tried for mistake in point.mistakes)
    return [_course(mistake, tried) for mistake in first]


def _course(mistake: Mistake, tried: Sequence[_Tried]) -> Course:
    made = next(index for index, point in enumerate(tried) if mistake in point.mistakes)
    same = (mistake.action, mistake.station)
    recovery = next((index for index in range(made + 1, len(tried)) if same in tried[index].done), None)
    if recovery is None:
        return Course(mistake, False, False, False)
    later = [other for point in tried[recovery + 1 :] for other in point.mistakes]
    elsewhere = any(other.rule == mistake.rule and other != mistake for other in later)
    return Course(mistake, True, mistake in later, elsewhere)


def _tried(world: Robotouille, step: Step[State]) -> _Tried:
    layout = world.compiled.layout(step.state.kitchen)
    mistakes = [_mistake(world, layout, refusal) for refusal in step.refusals]
    return _Tried(
        tuple(mistake for mistake in mistakes if mistake is not None),
        tuple((action.action, _station(layout, action)) for action in carried_out(world, step.state)),
    )


def carried_out(world: Robotouille, state: State) -> Iterator[GroundAction]:
    """The actions that were carried out in the step that led to this state."""
    layout = world.compiled.layout(state.kitchen)
    actions = (world.compiled.find(layout, name) for name in state.feedback.done)
    return (action for action in actions if action is not None)


def _mistake(world: Robotouille, layout: Layout, refusal: Refusal) -> Mistake | None:
    """The mistake behind a refusal; ``None`` where no rule of the kitchen is broken."""
    action = world.compiled.find(layout, str(refusal.get("action")))
    if refusal.code != "impossible" or action is None:
        return None
    return Mistake(rule_of(world, refusal), action.action, _station(layout, action))


def rule_of(world: Robotouille, refusal: Refusal) -> str:
    """The rule that an inapplicable action breaks."""
    missing = refusal.get("missing")
    facts = missing if isinstance(missing, tuple) else ()
    free = world.compiled.domain.file.placement.station_free
    if refusal.fault == Fault.OCCUPIED and any(fact.startswith(f"{free}(") for fact in facts):
        return ROBOT_ROOM
    return RULE_OF_FAULT.get(refusal.fault, OTHER)


def _station(layout: Layout, action: GroundAction) -> str:
    """The kind of the station that an action is about: the last that it names."""
    kinds = [layout.objects[arg].kind for arg in action.args if layout.objects[arg].type == STATION]
    return kinds[-1] if kinds else ""


def task_of(episode: Episode) -> str:
    """The published task of which an episode's kitchen is an instance, or else its id."""
    return str(episode.header.scenario.get("task") or episode.header.id)


def bin_of(bins: Bins, value: float) -> str:
    """The name of the bin in which a value falls."""
    return next(name for name, upper in bins if value <= upper)


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Lower quartile, median and upper quartile of at least one value."""
    lower, median, upper = quantiles(values, n=4, method="inclusive") if values[1:] else (*values,) * 3
    return lower, median, upper


# --- why it failed --------------------------------------------------------------------------------------

GOAL_OPEN, OPEN = "goal: unlabelled", "unlabelled"
"""What is shown of failures without a label: the record decides that it is the goal, or nothing."""

(LABELS,) = shipped("backburner.worlds.robotouille", "labels", tuple[LabelSet, ...])
STATE, ACTION, IN_HANDS, AT_STATIONS, BOTH_RULES, *GOALS, ELSE = LABELS.keys
BAD_START, INGREDIENTS, ORDER, BOTH_UNCERTAIN = GOALS

FAILURES = (*LABELS.keys, GOAL_OPEN, OPEN)
"""Every class in which a failure is shown."""


def failures(episode: Episode, world: Robotouille, made: Sequence[Course]) -> Iterator[tuple[str, float]]:
    """What the record decides about a failed episode, as a measure ``failure: CLASS``."""
    case = case_of(episode, world, made)
    goal = set(case.possible) == {*GOALS, ELSE}
    yield f"failure: {case.decided or (GOAL_OPEN if goal else OPEN)}", 1.0


def failure_of(measures: Measures) -> str:
    """The class of a failed episode, out of its numbers: what the record decides, else the label that people
    settled on, else that there is none."""
    decided = next((name for name in FAILURES if f"failure: {name}" in measures), OPEN)
    return label_in(measures, LABELS) or decided if decided in (GOAL_OPEN, OPEN) else decided


def cases(episode: Episode) -> Sequence[Case]:
    """The episode if it failed, and not because a call did."""
    header, ending = episode.header, episode.ending
    if ending is None or ending.status == "failed" or ending.numbers.get("completed"):
        return ()
    world = catalogue.of(header)
    return (case_of(episode, world, courses(episode, world)),)


ANNOTATIONS = (Annotation(LABELS, cases),)


def case_of(episode: Episode, world: Robotouille, made: Sequence[Course]) -> Case:
    """What the record decides of a failed episode, and what it says besides."""
    reason = episode.ending.reason if episode.ending is not None else ""
    steps = list(decided(episode, world))
    verdict = _transition({course.mistake.rule for course in made if not course.recovered})
    if not verdict and reason == "attempts":
        last = _broken_at_last(world, [entry for _, entry, _ in steps])
        verdict = _transition(last) or ACTION
    possible: tuple[str, ...] = ()
    if not verdict and reason == "finish":
        final = final_state(episode, world)
        if not wordless(episode):
            possible = (STATE, *GOALS, ELSE)
        elif arranged(world, final):
            verdict = INGREDIENTS
        else:
            possible = (*GOALS, ELSE)
    facts = tuple(_facts([entry for _, entry, _ in steps], reason, made))
    return Case(decided=verdict, possible=possible, facts=facts)


def _transition(broken: set[str]) -> str:
    if {HANDS, STATION_ROOM} <= broken:
        return BOTH_RULES
    return IN_HANDS if HANDS in broken else AT_STATIONS if STATION_ROOM in broken else ""


def _broken_at_last(world: Robotouille, entries: Sequence[Entry]) -> set[str]:
    """The rules that the refused answers after the last one that was carried out break."""
    broken: set[str] = set()
    for entry in reversed(entries):
        if not entry.refusals:
            break
        broken |= {rule_of(world, refusal) for refusal in entry.refusals if refusal.code == "impossible"}
    return broken


def wordless(episode: Episode) -> bool:
    """Whether the agent wrote nothing but its actions: no thoughts, and no answer of more lines than acts."""
    return not any(_speaks(answer) for entry in episode.entries for answer in entry.answers.values())


def _speaks(answer: Answer) -> bool:
    if answer.thoughts or answer.text is None:
        return bool(answer.thoughts)
    decision = answer.decision if isinstance(answer.decision, Mapping) else {}
    n_acts = len(decision.get("acts", ())) + bool(decision.get("finish"))
    return sum(bool(line.strip()) for line in answer.text.splitlines()) > max(1, n_acts)


def arranged(world: Robotouille, state: State) -> bool:
    """Whether all that the goal says of several things at once holds: what lies on what, and in what."""
    compiled, kitchen = world.compiled, state.kitchen
    several = [term for term in compiled.terms if len(term.args) > 1]
    goal = Goal(several, compiled.names, compiled.layout(compiled.start), world.rules)
    return goal.reached(compiled.layout(kitchen), kitchen.facts)


ENDINGS: Mapping[str, str] = {
    "finish": "the agent said that it was done, and the goal was not reached",
    "step_limit": "the steps were used up",
    "attempts": "answer after answer was refused",
}


def _facts(entries: Sequence[Entry], reason: str, made: Sequence[Course]) -> Iterator[str]:
    refused = sum(bool(entry.refusals) for entry in entries)
    yield f"It ended because {ENDINGS.get(reason, reason)}."
    yield f"{refused} of {len(entries)} decisions were refused."
    for course in made:
        mistake = course.mistake
        at = f" at a {mistake.station}" if mistake.station else ""
        after = "recovered from" if course.recovered else "never recovered from"
        again = ", made again later" if course.repeated else ""
        yield f"Broken: {mistake.rule} ({mistake.action}{at}), {after}{again}."
