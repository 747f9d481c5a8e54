"""Broken rules, and whether an agent gets over them (article, sections A.9 and A.12).

A *mistake* is a rule broken with an action at a kind of station. It is recovered from when that
action is carried out at such a station later, and repeated when it is made again after that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from backburner.kernel.episode import Episode
from backburner.kernel.replay import trajectory
from backburner.kernel.values import Fault, Refusal, Step
from backburner.worlds.robotouille.game.actions import GroundAction
from backburner.worlds.robotouille.game.layout import Layout
from backburner.worlds.robotouille.game.schema import STATION
from backburner.worlds.robotouille.game.state import State
from backburner.worlds.robotouille.game.world import Robotouille

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
    """What became of a mistake: recovered from, then repeated or made elsewhere (or neither)."""

    mistake: Mistake
    recovered: bool
    repeated: bool
    elsewhere: bool


class Moment(Struct, frozen=True):
    """What one decision point shows of this: mistakes made, and (action, kind of station) done."""

    mistakes: tuple[Mistake, ...]
    done: tuple[tuple[str, str], ...]


def courses(episode: Episode, world: Robotouille) -> list[Course]:
    """Each different mistake of an episode, in the order in which they are first made."""
    moments = [_moment(world, step) for _, _, step in trajectory(episode, world)]
    first = dict.fromkeys(mistake for moment in moments for mistake in moment.mistakes)
    return [_course(mistake, moments) for mistake in first]


def _course(mistake: Mistake, moments: Sequence[Moment]) -> Course:
    made = next(place for place, moment in enumerate(moments) if mistake in moment.mistakes)
    same = (mistake.action, mistake.station)
    later_places = range(made + 1, len(moments))
    recovery = next((place for place in later_places if same in moments[place].done), None)
    if recovery is None:
        return Course(mistake, False, False, False)
    later = [one for moment in moments[recovery + 1 :] for one in moment.mistakes]
    elsewhere = any(one.rule == mistake.rule and one != mistake for one in later)
    return Course(mistake, True, mistake in later, elsewhere)


def _moment(world: Robotouille, step: Step[State]) -> Moment:
    layout = world.compiled.layout(step.state.kitchen)
    mistakes = [_mistake(world, layout, refusal) for refusal in step.refusals]
    return Moment(
        tuple(mistake for mistake in mistakes if mistake is not None),
        tuple((deed.action, _station(layout, deed)) for deed in carried_out(world, step.state)),
    )


def carried_out(world: Robotouille, state: State) -> Iterator[GroundAction]:
    """What was done in the decision point that led to this state."""
    layout = world.compiled.layout(state.kitchen)
    deeds = (world.compiled.find(layout, name) for name in state.feedback.done)
    return (deed for deed in deeds if deed is not None)


def _mistake(world: Robotouille, layout: Layout, refusal: Refusal) -> Mistake | None:
    """The mistake behind a refusal; ``None`` for what breaks no rule of the kitchen."""
    deed = world.compiled.find(layout, str(refusal.get("action")))
    if refusal.code != "impossible" or deed is None:
        return None
    return Mistake(rule_of(world, refusal), deed.action, _station(layout, deed))


def rule_of(world: Robotouille, refusal: Refusal) -> str:
    """The rule that an impossible action breaks."""
    missing = refusal.get("missing")
    facts = missing if isinstance(missing, tuple) else ()
    free = world.compiled.domain.file.placement.station_free
    if refusal.fault == Fault.OCCUPIED and any(fact.startswith(f"{free}(") for fact in facts):
        return ROBOT_ROOM
    return RULE_OF_FAULT.get(refusal.fault, OTHER)


def _station(layout: Layout, deed: GroundAction) -> str:
    """The kind of the station that an action is about: the last that it names."""
    kinds = [layout.objects[arg].kind for arg in deed.args if layout.objects[arg].type == STATION]
    return kinds[-1] if kinds else ""
