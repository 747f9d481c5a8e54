"""What a record says, held against what is known here: the world, its scenarios and rule sets, a replay.

Each part of a record is *verified* (it was derived again, and agrees) or *claimed* (nothing here can tell
whether it is true). What can be told and is not true raises ``ReplayMismatch``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from backburner.kernel import registry
from backburner.kernel.catalogue import Catalogue
from backburner.kernel.clock import SPEED, Timing, thinks_longer, timed
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Answer, Ending, Entry, Episode, Header
from backburner.kernel.errors import (
    BackburnerError,
    BadFile,
    Refused,
    ReplayMismatch,
    UnknownName,
    one_line,
    shorten,
)
from backburner.kernel.policy import Reply
from backburner.kernel.replay import trajectory, world_of
from backburner.kernel.text import Text
from backburner.kernel.timekeeping import NEVER, Moment, Timekeeper
from backburner.kernel.turns import decided, unreadable
from backburner.kernel.values import Refusal, Seat, digest, json_values

OTHER_SEEDS = 4
"""So many other seeds are tried, to find out whether the first state tells the seed."""


# --- a verdict -------------------------------------------------------------------------------------------


class Fact(Struct, frozen=True):
    """What is known of one ``part`` of a record, such as ``header.rules`` or ``steps.answers.text``."""

    part: str
    why: str


class Verdict(Struct, frozen=True):
    """What a check has come to: steps played again, what agreed, and what nothing can be said of."""

    steps: int
    finished: bool
    verified: tuple[Fact, ...]
    claimed: tuple[Fact, ...]


class Facts:
    """Collects what is verified and what is claimed of one record.

    A record of an ``older`` version of its world may differ where the world has changed since.
    """

    def __init__(self, id: str, older: bool) -> None:
        self.verified: list[Fact] = []
        self.claimed: list[Fact] = []
        self._id, self._older = id, older

    def verify(self, part: str, why: str) -> None:
        """Note what was derived again."""
        self.verified.append(Fact(part, why))

    def claim(self, part: str, why: str) -> None:
        """Note what nothing here can tell; of each part once."""
        if (fact := Fact(part, why)) not in self.claimed:
            self.claimed.append(fact)

    def wrong(self, what: str, why: str) -> ReplayMismatch:
        """The error that something is not true."""
        return ReplayMismatch(one_line(f"{shorten(self._id)}: {what}: {why}"))

    def compare(self, what: str, replayed: object, recorded: object) -> None:
        """Raises ``ReplayMismatch`` unless they are equal."""
        if replayed != recorded:
            was, holds = shorten(repr(replayed), 300), shorten(repr(recorded), 300)
            raise self.wrong(what, f"replay gives {was}, the record holds {holds}")

    def differs(self, part: str, what: str, why: str) -> None:
        """Raises ``ReplayMismatch``; of an older record it is noted as claimed."""
        if not self._older:
            raise self.wrong(what, why)
        self.claim(part, f"{why}; the world has changed since")


# --- a whole record --------------------------------------------------------------------------------------


def check(episode: Episode, world: World[Any, Any, Any] | None = None) -> int:
    """``verify``, for those who want no more than the number of steps compared."""
    return verify(episode, world).steps


def verify(episode: Episode, world: World[Any, Any, Any] | None = None) -> Verdict:
    """Derive again what can be, and say of everything else that it is claimed.

    Raises ``ReplayMismatch`` naming the first part of header, steps or ending that is not what the world
    gives, or if the world cannot play the record at all, and ``BadFile`` if the header does not describe a
    world.
    """
    world = world_of(episode) if world is None else world
    try:
        return _verified(episode, world)
    except (ReplayMismatch, BadFile):
        raise
    except Exception as error:  # a scenario or decisions that no run of ours would have recorded
        why = f"{type(error).__name__}: {error}"
        raise ReplayMismatch(f"{episode.header.id}: the world cannot play this record ({why})") from error


def _verified(episode: Episode, world: World[Any, Any, Any]) -> Verdict:
    facts = facts_of(episode.header, world)
    state = world.start(episode.header.seed)
    clock = _ClockCheck(facts, episode, world) if episode.header.clock is not None else None
    for before, entry, step in trajectory(episode, world):
        where = f"step {entry.index}"
        deciders = world.deciders(before)
        facts.compare(f"{where}: the seats asked", sorted(deciders), sorted(entry.answers))
        facts.compare(f"{where}: events", step.events, entry.events)
        facts.compare(f"{where}: refusals", step.refusals, entry.refusals)
        facts.compare(f"{where}: state", digest(step.state), entry.digest)
        if others := set(entry.usage) - set(entry.answers):
            raise facts.wrong(where, f"{', '.join(sorted(others))} spent something and was not asked")
        if clock is not None:
            clock.check(before, deciders, entry)
        for seat, answer in entry.answers.items():
            _check_answer(facts, world, before, seat, answer, where, clock)
        if clock is not None:
            clock.keeper.hear(step.events)
        state = step.state
    if clock is not None:
        clock.check_end(episode.ending)
    elif any(answer.thought or answer.silent for e in episode.entries for answer in e.answers.values()):
        raise facts.wrong("the header", "it has no clock, and somebody thought or was silent")
    facts.verify("steps", "who was asked, events, refusals and states: the world gives the same again")
    _claim_of_steps(facts, episode)
    _check_ending(facts, episode, world, state)
    return Verdict(len(episode.entries), episode.finished, tuple(facts.verified), tuple(facts.claimed))


def _check_answer(
    facts: Facts,
    world: World[Any, Any, Any],
    state: Any,
    seat: Seat,
    answer: Answer,
    where: str,
    clock: _ClockCheck | None,
) -> None:
    """A recorded text reads as the recorded decision or refusal, and nothing stands beside it."""
    what = f"{where}: the answer of {seat!r}"
    decision = decision_of(world, answer.decision)
    if answer.unread is not None:
        if answer.decision is not None:
            raise facts.wrong(what, "it has a decision, and was not read")
    elif (place := unread(answer.decision, decision)) is not None:
        raise facts.wrong(what, f"the decision holds {place or 'what'} no world reads")
    elif (missing := unread(decision, answer.decision)) is not None:
        facts.claim("steps.answers.decision", f"somewhere no {missing} stands; it is taken as usual")
    if answer.text is None:
        if clock is not None and answer.unread is None:
            facts.compare(f"{what}: the words that it may say", clock.keeper.within(seat, decision), decision)
        return
    if not isinstance(world, Text):
        raise facts.wrong(what, "it is a text, and this world has no words")
    read = world.parse(state, seat, answer.text)
    if clock is not None:
        read = clock.keeper.within(seat, read)
    recorded = decision if answer.unread is None else answer.unread
    if _spelt(read) != _spelt(recorded) or isinstance(read, Refusal) != isinstance(recorded, Refusal):
        why = f"its text reads as {shorten(repr(read), 300)}, the record holds {shorten(repr(recorded), 300)}"
        facts.differs("steps.answers.decision", what, why)


_spelt = msgspec.json.Encoder(order="sorted").encode


class _ClockCheck:
    """Derives every charge, every moment of a decision and every silence again, from what calls are claimed
    to have taken."""

    def __init__(self, facts: Facts, episode: Episode, world: World[Any, Any, Any]) -> None:
        clock = episode.header.clock
        assert clock is not None  # noqa: S101  # only then it is checked
        self._facts, self._world = facts, world
        self._timed = timed(world)
        facts.compare("the clock's tick", self._timed.tick_microseconds, clock.tick_microseconds)
        facts.compare("the clock's seats", sorted(world.seats), sorted(clock.profiles))
        for seat, player in episode.header.players.items():
            latency, charged = player.settings.get("latency", "0"), clock.profiles[seat].latency
            if not thinks_longer(charged, latency):
                facts.compare(f"the latency of {seat!r}", latency, charged)
        for seat, profile in clock.profiles.items():
            if SPEED.fullmatch(profile.name):
                named = Timing(speed=profile.name).bound(world).profiles[seat]
                rates = [(each.decode, each.unit_microseconds) for each in (named, profile)]
                facts.compare(f"the speed of {seat!r}, {profile.name}", *rates)
        facts.claim("header.clock", "how fast somebody thinks, and what thoughts and words are limited to")
        self.keeper = Timekeeper(world, clock, episode.header.seed)
        told = [(answer, seat) for entry in episode.entries for seat, answer in entry.answers.items()]
        thoughts = [(seat, answer.thought) for answer, seat in told if answer.thought is not None]
        if episode.ending is not None:
            thoughts += episode.ending.thoughts.items()
        self._thoughts = {(seat, thought.asked): thought for seat, thought in thoughts}
        self._complete = episode.ending is not None
        facts.compare("the thoughts of each seat at one step", len(self._thoughts), len(thoughts))

    def check(self, state: Any, deciders: Sequence[Seat], entry: Entry) -> None:
        """Raises ``ReplayMismatch`` unless these answers come when their thoughts are over."""
        where, keeper = f"step {entry.index}", self.keeper
        for seat in keeper.to_ask(state, deciders):
            self._begin(state, seat, entry.index)
        moment = keeper.moment(state, deciders)
        silences = self._silences(state, moment, entry) if moment.silences else moment.silences
        for seat, answer in entry.answers.items():
            pending, thought = moment.decided.get(seat), answer.thought
            usual = not (answer.silent or thought is None or thought.cut)
            if usual and pending is not None and pending.thought == thought:
                continue
            what, compare = f"{where}: the answer of {seat!r}", self._facts.compare
            compare(f"{what}: whether it is silent", pending is None, answer.silent)
            if pending is not None:
                compare(f"{what}: its thought", pending.thought, thought)
                if pending.thought.cut:
                    said = answer.unread if answer.text is None else answer.text
                    compare(f"{what}, cut off", unreadable(self._world, Reply(None)).answer, said)
                continue
            compare(f"{what}: its silence", silences[seat], decided(self._world, answer))
            if answer.text is not None:
                raise self._facts.wrong(what, "it is silent, and says something")
            begun = keeper.pending.get(seat)
            cut = begun is not None and not begun.speaks and begun.thought.asked == entry.index
            compare(f"{what}: the thought that was cut", begun.thought if begun and cut else None, thought)

    def _silences(self, state: Any, moment: Moment, entry: Entry) -> Mapping[Seat, Any]:
        """Those of the moment. Where no record tells how long somebody thinks, who may have done so before
        all others, those of the ticks that they tell themselves."""
        if any(pending.due is NEVER for pending in self.keeper.pending.values()):
            given = {seat: decided(self._world, entry.answers[seat]) for seat in moment.silences}
            for ticks in {1, *_numbers(json_values(list(given.values())))}:
                if 1 <= ticks <= (moment.most or ticks):
                    silences = {seat: self._timed.silence(state, seat, ticks) for seat in given}
                    if silences == given:
                        return silences
        return moment.silences

    def _begin(self, state: Any, seat: Seat, index: int) -> None:
        thought = self._thoughts.pop((seat, index), None)
        if thought is None:
            if self._complete:
                what = f"the thought of {seat!r} at step {index}"
                raise self._facts.wrong(what, "the seat was asked then, and no thought stands there")
            self.keeper.begin_unknown(state, seat, index)
            return
        charged = self.keeper.charged(seat, thought.calls)
        if charged != (thought.charge, thought.cut):
            what = f"the thought of {seat!r} at step {index}: its charge"
            self._facts.compare(what, charged, (thought.charge, thought.cut))
        self.keeper.begin(state, seat, thought)

    def check_end(self, ending: Ending | None) -> None:
        """Raises ``ReplayMismatch`` unless each thought was somebody's, and those of the ending go on."""
        if ending is not None:
            unfinished = self.keeper.unfinished(ending.steps)
            self._facts.compare("the thoughts at the end", unfinished, ending.thoughts)
        if self._thoughts:
            seat, asked = next(iter(self._thoughts))
            raise self._facts.wrong(f"a thought of {seat!r}", f"at step {asked}, where it was not asked")
        self._facts.verify("steps.answers.thought", "when each decision came, by what its calls took")
        self._facts.claim("steps.answers.thought.calls", "tokens, or seconds, of the calls of a thought")


def _numbers(value: Any) -> Iterator[int]:
    if type(value) is int:
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _numbers(inner)


def _claim_of_steps(facts: Facts, episode: Episode) -> None:
    answers = [answer for entry in episode.entries for answer in entry.answers.values()]
    if any(answer.text is not None for answer in answers):
        facts.verify("steps.answers.decision", "each text reads as the decision, or refusal, beside it")
    if any(answer.text is None for answer in answers):
        why = "those given without words, as far as others would have done the same"
        facts.claim("steps.answers.decision", why)
    if answers:
        facts.claim(
            "steps.answers.text", "the words, as far as others would read alike; or that there were none"
        )
    if any(answer.thoughts for answer in answers):
        facts.claim("steps.answers.thoughts", "what was thought before answering")
    if any(episode.costs()):
        facts.claim("steps.spent", "what answers cost: seconds, calls, tokens")


def _check_ending(facts: Facts, episode: Episode, world: World[Any, Any, Any], state: Any) -> None:
    """A record that was stopped from outside says so, of a play that was not over; any other must end as the
    world does."""
    ending, over, outcome = episode.ending, not world.deciders(state), world.outcome(state)
    if ending is None:
        if over:
            raise facts.wrong("the ending", "the play is over, and the line that says so is not there")
        facts.claim("ending", "there is none: play was not over, or the record was cut")
        return
    facts.compare("the ending's steps", len(episode.entries), ending.steps)
    facts.compare("the ending's numbers", outcome.numbers, ending.numbers)
    facts.verify("ending.numbers", "those of the world after the last step")
    if ending.status in ("ended", "cut off"):
        facts.compare("the ending", (outcome.status, outcome.reason), (ending.status, ending.reason))
        facts.verify("ending.status", f"the play {outcome.status}: {outcome.reason}")
    else:
        if over and ending.status != "interrupted":
            raise facts.wrong("the ending", f"{ending.status!r}, of a play that was over")
        facts.claim("ending.status", f"somebody or something stopped the play ({ending.status}), and why")
    said = {"capped": f"{ending.steps} steps", "interrupted": "interrupted"}
    facts.compare("the ending's reason", said.get(ending.status, ending.reason), ending.reason)
    if ending.error and ending.status != "failed" and not ending.overflowed:
        raise facts.wrong("the ending", f"it tells an error, and is called {ending.status!r}")


# --- its header ------------------------------------------------------------------------------------------


def facts_of(header: Header, world: World[Any, Any, Any]) -> Facts:
    """What the header of a record of this world says, held against what is known here.

    Raises ``ReplayMismatch`` for the first part that is not true.
    """
    facts = Facts(header.id, older=header.world_version < world.version)
    _plain_parts(facts, header, world)
    _as_written(facts, "scenario", header.scenario, world.scenario)
    for part, written in (("rules", world.rules), ("limits", world.limits)):
        _as_written(facts, part, getattr(header, part), written)
    offered = registry.catalogue(header.world) if _known(header.world) else None
    if offered is None:
        facts.claim("header.id", "nobody here knows the scenarios of this world")
        facts.claim("header.rules.name", "nobody here knows the rule sets of this world")
    else:
        _id(facts, header, digest(offered.by_name(world.scenario)))
        _rules(facts, header, world, offered)
    _seed(facts, header, world)
    facts.claim("header.limits", "they contradict nothing; where none was reached, others would fit as well")
    facts.claim("header.version", f"version {shorten(header.version)} of the package wrote it")
    facts.claim("header.players", "who played: names, settings, and whether they knew more than their seat")
    return facts


def _known(world: str) -> bool:
    try:
        return bool(registry.catalogue(world))
    except BackburnerError:
        return False


def _plain_parts(facts: Facts, header: Header, world: World[Any, Any, Any]) -> None:
    facts.compare("the scenario's digest", digest(world.scenario), header.scenario_digest)
    facts.compare("the first state", digest(world.start(header.seed)), header.start_digest)
    facts.verify("header.scenario", "its digest, and the first state in it")
    facts.compare("the id", world.id, header.id)
    facts.compare("the world", world.id.partition("/")[0], header.world)
    facts.compare("the unit of time", world.time_unit, header.time_unit)
    facts.compare("the seats", tuple(world.seats), header.seats)
    facts.compare("the players' seats", sorted(world.seats), sorted(header.players))
    facts.verify("header.seats", "those of the world, and its unit of time")
    if not 1 <= header.world_version <= world.version:
        why = f"version {header.world_version} of the world; there are 1 to {world.version}"
        raise facts.wrong("the world's version", why)
    if header.world_version < world.version:
        why = f"{header.world_version}; by version {world.version}, which is here, it was played again"
        facts.claim("header.world_version", why)
    else:
        facts.verify("header.world_version", f"{world.version}, which is here")


def _as_written(facts: Facts, part: str, recorded: Any, restored: Any) -> None:
    """Nothing stands in the record that the world has not read. A field that came later may be missing, and
    in the record of an older world one may stand that is gone."""
    place = unread(recorded, restored)
    if place is not None:
        facts.differs(f"header.{part}", f"the {part}", f"{place or 'all of it'} is not what was read")
    if (missing := unread(restored, recorded)) is not None:
        facts.claim(
            f"header.{part}", f"no {missing} stands there; it is taken as it was before there was one"
        )


def unread(recorded: Any, restored: Any) -> str | None:
    """Where in ``recorded`` something stands that ``restored``, read from it, does not say; ``None`` for
    nowhere. The other way round: where something is missing."""
    return next(_differences(json_values(recorded), json_values(restored), ""), None)


def _differences(recorded: Any, restored: Any, place: str) -> Iterator[str]:
    if isinstance(recorded, dict) and isinstance(restored, dict):
        for key, value in recorded.items():
            inner = f"{place}.{key}" if place else key
            if key in restored:
                yield from _differences(value, restored[key], inner)
            else:
                yield inner
    elif isinstance(recorded, list) and isinstance(restored, list) and len(recorded) == len(restored):
        for index, (one, other) in enumerate(zip(recorded, restored, strict=True)):
            yield from _differences(one, other, f"{place}[{index}]")
    elif recorded != restored or isinstance(recorded, bool) != isinstance(restored, bool):
        yield place


def _id(facts: Facts, header: Header, named: str) -> None:
    """A published id belongs to the published scenario; ``named``: the digest of the record's by its id."""
    part = "header.id"
    if named != header.scenario_digest:
        facts.claim(
            "header.scenario", "what it took over from the episode before it, whose record is another"
        )
    if header.id.startswith(f"{header.world}/{registry.USER}/"):
        facts.claim(part, "the scenario is of a file of the user's own, and called so by it")
        return
    try:
        published, spelt = _published(header.id)
    except (UnknownName, Refused) as error:
        facts.claim(part, f"no scenario here is called so ({error})")
        return
    if published != named:
        facts.differs(part, "the id", "the scenario of this name is another one")
    elif spelt != header.id:
        facts.claim(part, f"the scenario is that of {spelt}, which is how its name is written")
    else:
        facts.verify(part, "the published scenario of this name")


@lru_cache(maxsize=4096)
def _published(id: str) -> tuple[str, str]:
    """(digest of the scenario that is published under an id, how the id is written); raises as ``world``."""
    name, path, options = registry.split(id)
    defaults = registry.catalogue(name).defaults
    told = {key: value for key, value in options.items() if defaults.get(key) != value}
    return digest(registry.scenario(id)), registry.join(name, path, told)


def _rules(facts: Facts, header: Header, world: World[Any, Any, Any], offered: Catalogue[Any]) -> None:
    """Rules that are called as a published rule set, changed or not, are that rule set."""
    name = header.rules_name
    try:
        called, _ = offered.rules_called(name)
    except BackburnerError:
        facts.claim("header.rules.name", f"rules of somebody's own, called {shorten(name)!r}")
        return
    recorded, preset = json_values(header.rules), json_values(called)
    mine = json_values(world.rules)
    differing = [key for key in preset if mine.get(key) != preset[key]]
    if not differing:
        facts.verify("header.rules", f"the rule set {name!r}")
    elif changed := [key for key in differing if key in recorded]:
        facts.differs("header.rules", "the rules", f"{name!r} has another {', '.join(changed)}")
    else:
        why = f"called {name!r}, which has got {', '.join(differing)} since"
        facts.claim("header.rules", why)


def _seed(facts: Facts, header: Header, world: World[Any, Any, Any]) -> None:
    others = (header.seed + 1 + more for more in range(OTHER_SEEDS))
    if any(digest(world.start(seed)) == header.start_digest for seed in others):
        facts.claim("header.seed", "the first state is the same with other seeds")
    else:
        facts.verify("header.seed", "the first state is that of this seed")
