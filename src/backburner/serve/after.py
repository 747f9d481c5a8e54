"""What is told when a game is over, and what is played next: its lesson, a game that begins as it did, the
next scenario, and the board of those who have played the same.

A game that is played again from a moment begins with the recorded steps, so that its record is one that
verifies. It says so itself: players have the setting ``replayed``, the number of those steps, and each answer
of them has a thought called ``replayed`` that names the game it comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.evaluation.transcripts.lesson import MOST_EVENTS, Lesson
from backburner.evaluation.transcripts.turning_points import Counts, worth
from backburner.kernel import packs, registry
from backburner.kernel.contract import World
from backburner.kernel.episode import Answer, Entry, Episode, Lines, Player
from backburner.kernel.errors import BackburnerError, Refused, amount
from backburner.kernel.reported import reporter_of
from backburner.kernel.values import Event, Outcome, Seat, Thought
from backburner.serve.protocol import GamePlan, Opened, Wanted
from backburner.serve.recording import thought_by
from backburner.serve.store import Score

REPLAYED = "replayed"
"""The setting of players, and the purpose of thoughts, in games that begin as another one did."""

ROWS = 10
"""Games that a board shows."""


class LessonTold(Struct, frozen=True):
    """What a page is told of a game that is over: ``GET /api/lesson``.

    ``headline``: the lesson in a sentence, said to a player or of them. ``again``: whether this page may open
    games that begin as this one. ``next``: the next scenario of its suite, ``harder``: the first of the suite
    behind that; empty where there is none.
    """

    headline: str
    lesson: Lesson
    again: bool
    next: str = ""
    harder: str = ""


class Again(Struct, frozen=True, forbid_unknown_fields=True):
    """What a page asks for: ``POST /api/again``. ``step``: so many steps are as in the game that is over;
    ``scenario``: another one, from its beginning."""

    step: int = 0
    scenario: str = ""


class OpenedAgain(Struct, frozen=True):
    """A game that was opened after another; ``seat``: of whoever asked for it."""

    opened: Opened
    plan: GamePlan
    seat: Seat
    title: str


class Ghost(Struct, frozen=True):
    """Another play of what is being played: ``GET /api/ghosts``. Nothing that was said is told of it."""

    name: str
    events: tuple[Event, ...]

    @staticmethod
    def of(name: str, events: Iterable[Event]) -> Ghost:
        """A play as a ghost."""
        return Ghost(name, tuple(event for event in events if event.what != "said")[:MOST_EVENTS])


class Row(Struct, frozen=True):
    """A game on a board: who played, what they came to, and when it was over (seconds since 1970)."""

    names: tuple[str, ...]
    told: str
    ended: float


class BoardTold(Struct, frozen=True):
    """The best games of a scenario on this server: ``GET /api/board``, of the scenario of the day if no other
    is named. ``today``: those of this day, by UTC."""

    scenario: str
    title: str
    today: tuple[Row, ...]
    best: tuple[Row, ...]


# --- boards ------------------------------------------------------------------------------------------------


def score_of(game: str, plan: GamePlan, world: World[Any, Any, Any], outcome: Outcome, ended: float) -> Score:
    """What a board knows of a game that is over."""
    counts = Counts(world)
    result = counts.result_of(outcome)
    best = worth(result, counts.sense)
    told = amount(result.value, counts.unit(None))
    if counts.sense == "min" and not result.complete:
        best, told = result.share - 1e12, f"{result.share:.0%} done"
    return Score(game, plan.scenario, played_by(plan), ended, best, told)


def played_by(plan: GamePlan) -> str:
    """What games of a board have in common, besides their scenario."""
    return f"{plan.rules} {plan.limits}"


def scenario_of(day: str) -> str:
    """The scenario of a day such as ``2026-11-29``, drawn from published suites."""
    draw = Random(day)  # the same for everybody
    suites = {name: found for name in packs.names() if (found := _published(name))}
    name = draw.choice(sorted(suites))
    return draw.choice(registry.expand(f"{name}/{draw.choice(suites[name])}"))


def _published(name: str) -> Sequence[str]:
    """The suites that a world is measured by."""
    pack = packs.pack(name)
    if pack.headline is not None:
        return tuple(pack.headline.suites)
    return tuple(filter(None, pack.surveyed.rpartition(":")[2].split("+")))


def following(id: str) -> tuple[str, str]:
    """The next scenario of a scenario's suite, and the first of the suite behind that; empty where there is
    none. Suites come from easy to hard."""
    name, path, options = registry.split(id)
    there, published = registry.catalogue(name).suites(), _published(name)
    named = [suite for suite in dict.fromkeys((*published, *there)) if suite in there]
    suites = [list(dict.fromkeys(each.partition("@")[0] for each in there[suite])) for suite in named]
    places = [(number, ids.index(path)) for number, ids in enumerate(suites) if path in ids and len(ids) > 1]
    if not places:
        return "", ""
    number, place = places[0]
    harder = suites[number + 1][0] if number + 1 < len(published) else path
    found = [
        _there(registry.join(name, each, options)) for each in (*suites[number][place + 1 :][:1], harder)
    ]
    return (found[0] if len(found) > 1 else ""), (found[-1] if harder != path else "")


def _there(id: str) -> str:
    """The scenario of an id; empty where there is none, as it lacks an option."""
    try:
        return registry.world(id).id
    except BackburnerError:
        return ""


# --- again -------------------------------------------------------------------------------------------------


class Begun(Struct, frozen=True):
    """How a game begins: with these steps of the ``game`` that is over."""

    game: str
    episode: Episode

    def lines(self, players: Mapping[Seat, Player]) -> list[bytes]:
        """The beginning of the record of the new game, in which these have the seats."""
        told = {REPLAYED: len(self.episode.entries)}
        known = {seat: replace(each, settings={**each.settings, **told}) for seat, each in players.items()}
        lines, header = Lines(), replace(self.episode.header, players=known)
        return [lines.line(header), *map(lines.line, self._entries())]

    def _entries(self) -> Iterator[Entry]:
        for entry in self.episode.entries:
            said = thought_by(entry)
            answers = {
                seat: self._marked(answer) if seat in said else answer
                for seat, answer in entry.answers.items()
            }
            yield replace(entry, answers=answers, usage={})

    def _marked(self, answer: Answer) -> Answer:
        """What an answer is called that nobody gives now; one that was replayed before stays as it is."""
        if any(thought.purpose == REPLAYED for thought in answer.thoughts):
            return answer
        return replace(answer, thoughts=(*answer.thoughts, Thought(REPLAYED, f"game {self.game}")))


def begun_as(game: str, episode: Episode, step: int) -> Begun | None:
    """The first steps of a game that is over; ``None`` for none of them. Raises ``Refused`` where they cannot
    be the beginning of another."""
    if step <= 0:
        return None
    if step > len(episode.entries):
        raise Refused(f"the game had {len(episode.entries)} steps, and no step {step}")
    if episode.header.clock is not None:
        raise Refused("a game in which thinking takes time is played again from its beginning only")
    return Begun(game, replace(episode, entries=episode.entries[:step], ending=None))


def plan_after(plan: GamePlan, scenario: str) -> GamePlan:
    """A friendly game as another one, or of another scenario; nobody has agreed to its changes elsewhere."""
    title = plan.title if scenario in ("", plan.scenario) else ""
    return replace(plan, scenario=scenario or plan.scenario, strict=False, agreed=False, title=title)


def seated_after(plan: GamePlan, world: World[Any, Any, Any]) -> GamePlan:
    """The plan with the players whose seats there are in its world, and a person among them."""
    players = {seat: each for seat, each in plan.players.items() if seat in world.seats}
    if not any(each.kind == "person" for each in players.values()):
        players = {
            next(seat for seat in world.seats if seat != reporter_of(world)): Wanted("person"),
            **players,
        }
    return replace(plan, players=players)
