"""Series: a world played episode after episode by a learner, with other agents at the seats it does not have.

This is what the environments of Gymnasium and PettingZoo have in common. Batches of many episodes at once
are in ``batches``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import PathLike
from typing import Any, TypedDict, TypeVar

from msgspec import Struct

from backburner.agents.roster import make_policy
from backburner.agents.spec import AgentSpec
from backburner.arrays.batch import episode_seed, pool_of, seed_of
from backburner.arrays.rewards import SCORE, encoding_or_none, reward_of, score_of
from backburner.kernel import packs, registry
from backburner.kernel.contract import World
from backburner.kernel.errors import PolicyFailure, PolicyStops, Refused, UnknownName, shorten
from backburner.kernel.policy import Policy, Reply
from backburner.kernel.timekeeping import Timekeeper
from backburner.kernel.turns import read, turn_of
from backburner.kernel.values import Event, Refusal, Seat, Step
from backburner.training.latency import Latency, clock_of
from backburner.training.pay import MOST_STEPS, RELATIVE, WHOLE, check_pay, waiting

MOST_KEPT = 4096
"""Episodes of which is kept what the partners earn alone."""

T = TypeVar("T")

Partners = str | Policy | Mapping[Seat, str | Policy]
"""Who plays the other seats: an agent by its name or a policy for all of them, or one for each."""


class Options(TypedDict, total=False):
    """What all environments take by name.

    - ``observation``: ``features`` (numbers, masks, codes) or ``text``; by default features where the
      scenario has an encoding
    - ``reward``: as in ``arrays.rewards``; ``discount`` is the learner's, for ``potential``
    - ``rules``, ``limits``: as everywhere
    - ``seeds``: the pool that the seeds of episodes are drawn from; without one they are any numbers
    - ``latency``: seconds of the world that each decision takes, such as 0.5, or (2, 6) for any time between
    """

    observation: str | None
    reward: str
    discount: float
    rules: Any
    limits: Any
    seeds: Sequence[int] | None
    latency: Latency | None


class SeatOptions(Options, total=False):
    """What environments of one learner take beside these.

    - ``pay``: ``whole``, or ``relative`` beside partners: what the seat adds to what they get alone
    - ``seat``, ``partners``: the learner's seat, and who plays the others (an agent's name or a policy, or
      one for each seat by its name)
    """

    pay: str
    seat: Seat | None
    partners: Partners | None


class Gain(Struct, frozen=True):
    """What a step of the learner brought: its reward, and what was refused of the learner's decisions."""

    reward: float
    refusals: tuple[Refusal, ...] = ()


class Series:
    """Episodes of one world, one after the other.

    ``world``: the world, and ``encoding`` its numbers, ``None`` if it has none. ``seats``: those that the
    learner decides for, all of them unless ``seat`` names one; then ``partners`` play the others, which
    are asked between the learner's turns. ``state``: where the episode is at. ``episode_seed``: the
    world's seed of the episode. ``stopped``: why a partner could not go on, which cuts the episode off.
    ``pay``: ``whole``, or ``relative``: less what the partners earn alone, which the first step is charged.

    With a ``latency``, or partners that have one, time passes in silence between the state in which a seat is
    asked and the one in which it decides. ``ticks_thought``: how many ticks that took at each learner's last
    decision; ``is_timed``: whether it may take any. Texts are read when they come, other decisions mean what
    they did when the seat was asked. What partners earn alone is told without a learner's latency.

    Raises ``UnknownName`` for a reward, a seat or a partner that there is not, ``Refused`` for partners
    without a seat of the learner's own, and the other way round where there are other seats.
    """

    def __init__(
        self,
        world: World[Any, Any, Any],
        *,
        reward: str = SCORE,
        discount: float = 1.0,
        pay: str = WHOLE,
        seeds: Sequence[int] | None = None,
        seat: Seat | None = None,
        partners: Partners | None = None,
        latency: Latency | None = None,
    ) -> None:
        check_pay(pay, partners=partners is not None)
        self.world = world
        self.encoding = encoding_or_none(world)
        self.seats = _learners(world, seat)
        self._reward = reward_of(world, self.encoding, reward, discount)
        self._score = score_of(world, self.encoding)
        self._policies = _policies(world, self.seats, partners)
        self._clock = clock_of(world, self.seats, latency, self._policies)
        self._alone: Series | None = None
        if pay == RELATIVE:
            self._alone = Series(world, reward=reward, discount=discount, seat=seat, partners=self._policies)
        self._earned_alone: dict[int, float] = {}
        self._pool = pool_of(seeds)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._seed, self._number = 0, -1
        self._begin(episode_seed(0, 0, self._pool))

    def reset(self, seed: int | None = None) -> None:
        """The next episode begins; with ``seed``, the first one after this seed."""
        if seed is None:
            self._number += 1
        else:
            self._seed, self._number = seed_of(seed), 0
        self._begin(episode_seed(self._seed, self._number, self._pool))
        self._go_on()

    def _begin(self, seed: int) -> None:
        self.episode_seed = seed
        self.state = self.world.start(seed)
        self.stopped = ""
        self._index = 0
        self._is_charged = self._alone is None
        self._told = self.state  # the learner's rewards tell how it has been since then
        self._events: list[Event] = []
        self._memories: dict[Seat, Any] = {}
        self._silent: set[Seat] = set()
        self._refused: dict[Seat, tuple[Refusal, ...]] = {}
        self._keeper = None if self._clock is None else Timekeeper(self.world, self._clock, seed)
        self.ticks_thought = dict.fromkeys(self.seats, 0)
        self._reward.begin(self.state)

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The learner's seats that must decide now; none when the episode is over."""
        if self.stopped:
            return ()
        seats: Sequence[Seat] = self.world.deciders(self.state)
        if self._keeper is not None:
            seats = self._keeper.to_ask(self.state, seats)
        return tuple(seat for seat in seats if seat in self.seats)

    @property
    def is_timed(self) -> bool:
        """Whether decisions may take time."""
        return self._keeper is not None

    def read(self, seat: Seat, text: str) -> Any:
        """What a text decides; itself, where it comes later."""
        return text if self._keeper is not None else read(self.world, self.state, seat, text)

    @property
    def terminated(self) -> bool:
        """Whether the world says that the episode is over, well or badly. Its limits are a part of the task:
        states tell of them, and nothing is to be hoped for beyond."""
        return not self.stopped and not self.world.deciders(self.state)

    @property
    def truncated(self) -> bool:
        """Whether a partner could not go on, so that it might have gone on."""
        return bool(self.stopped)

    @property
    def score(self) -> float:
        """How well the episode has gone so far."""
        return self._score(self.state)

    @property
    def told(self) -> dict[str, Any]:
        """What there is to tell of the episode beside observations: its seed, score, the world's own numbers,
        which of the learner's seats are asked, and once it is over the reason."""
        outcome = self.world.outcome(self.state)
        told: dict[str, Any] = {"seed": self.episode_seed, "score": self.score, "asked": self.asked}
        told["outcome"] = dict(outcome.numbers)
        if self.is_timed:
            told["ticks_thought"] = max(self.ticks_thought.values())
        reason = self.stopped or outcome.reason
        return told | ({"reason": reason} if reason else {})

    def step(self, decisions: Mapping[Seat, Any]) -> Gain:
        """The learner's seats decide, and play goes on until one of them is asked again or it is over.

        A seat that is asked and says nothing has its silence refused; those that are not asked are not heard.
        """
        refusals: list[Refusal] = []
        if asked := self.asked:
            refusals += self._step({seat: decisions[seat] for seat in asked if seat in decisions})
            refusals += self._go_on()
        merged = Step(self.state, tuple(self._events), tuple(refusals))
        reward = float(self._reward.add(self._told, merged))
        if not self._is_charged:
            self._is_charged = True
            reward -= self._alone_earns()
        self._told, self._events = self.state, []
        return Gain(reward, tuple(refusal for refusal in refusals if refusal.seat in ("", *self.seats)))

    def _alone_earns(self) -> float:
        """What the partners earn in this episode while the learner only waits; played once for each seed."""
        seed = self.episode_seed
        if self._alone is not None and seed not in self._earned_alone:
            self._earned_alone[seed] = self._alone.waited_out(seed)
            if len(self._earned_alone) > MOST_KEPT:
                del self._earned_alone[next(iter(self._earned_alone))]
        return self._earned_alone[seed]

    def waited_out(self, seed: int) -> float:
        """What is earned in the episode of the world's ``seed`` in which the learner only waits; one without
        an end is left after ``MOST_STEPS``."""
        self._begin(seed)
        self._go_on()
        earned = self.step({}).reward if not self.asked else 0.0
        while self.asked and self._index < MOST_STEPS:
            earned += self.step({seat: self._waits(seat) for seat in self.asked}).reward
        return earned

    def _waits(self, seat: Seat) -> Any:
        turn = turn_of(self.world, self.state, seat, self._index, self.episode_seed)
        return read(self.world, self.state, seat, waiting(turn).answer)

    def _go_on(self) -> list[Refusal]:
        """As long as the partners alone are asked."""
        refusals: list[Refusal] = []
        begun = self._index
        while not (self.asked or self.stopped) and self.world.deciders(self.state):
            refusals += self._step({})
            if self._index >= begun + MOST_STEPS:
                self.stopped = f"no learner is asked for {MOST_STEPS} steps"
        return refusals

    def _step(self, decisions: Mapping[Seat, Any]) -> Sequence[Refusal]:
        try:
            decided = self._decided(decisions) if self._keeper is None else self._thought(decisions)
        except (PolicyFailure, PolicyStops) as error:
            self.stopped = str(error)
            return ()
        step = self.world.step(self.state, decided)
        for seat in decided.keys() & self._policies.keys() - self._silent:
            self._refused[seat] = tuple(refusal for refusal in step.refusals if refusal.seat == seat)
        if self._keeper is not None:
            self._keeper.hear(step.events)
        self._events += step.events
        self.state = step.state
        self._index += 1
        return step.refusals

    def _decided(self, decisions: Mapping[Seat, Any]) -> dict[Seat, Any]:
        """What is decided now, by partners as well."""
        seats = self.world.deciders(self.state)
        others = {
            seat: read(self.world, self.state, seat, self._reply(seat).answer)
            for seat in seats
            if seat in self._policies
        }
        return {**others, **decisions}

    def _thought(self, decisions: Mapping[Seat, Any]) -> dict[Seat, Any]:
        """What those decide who have thought to the end, and the silence of all others. Whoever is asked
        begins to think, learners of these decisions."""
        keeper, state = self._keeper, self.state
        assert keeper is not None  # noqa: S101
        seats = self.world.deciders(state)
        for seat in keeper.to_ask(state, seats):
            reply = self._reply(seat) if seat in self._policies else Reply(decisions.get(seat))
            keeper.think(state, seat, self._index, reply)
        moment = keeper.moment(state, seats)
        self._silent = set(moment.silences)
        decided: dict[Seat, Any] = dict(moment.silences)
        for seat, pending in moment.decided.items():
            answer = pending.reply.answer
            if seat in self._policies or isinstance(answer, str):
                answer = read(self.world, state, seat, answer)
            if answer is not None:
                decided[seat] = answer
            if seat in self.ticks_thought and pending.due is not None:
                self.ticks_thought[seat] = pending.due - pending.since
        return decided

    def _reply(self, seat: Seat) -> Reply:
        """What a partner answers."""
        policy = self._policies[seat]
        turn = turn_of(
            self.world,
            self.state,
            seat,
            self._index,
            self.episode_seed,
            informed=policy.informed,
            refused=self._refused.get(seat, ()),
        )
        reply = self._waited_for(policy.decide(turn, self._memories.get(seat)))
        self._memories[seat] = reply.memory
        return reply

    def _waited_for(self, answer: Coroutine[Any, Any, T]) -> T:
        """What a policy answers; also where an event loop runs already, as in notebooks."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()  # one each time takes ten times as long
            return self._loop.run_until_complete(answer)
        with ThreadPoolExecutor(1) as aside:
            return aside.submit(asyncio.run, answer).result()

    def __getstate__(self) -> dict[str, Any]:
        """For copies, here and in other processes: all but the event loop, of which each makes its own."""
        return {**self.__dict__, "_loop": None}

    def close(self) -> None:
        """Nothing more is played."""
        if self._alone is not None:
            self._alone.close()
        if self._loop is not None:
            self._loop.close()
            self._loop = None


def check_options(given: Iterable[str], known: Iterable[str], where: str) -> None:
    """Raises ``UnknownName`` for the first option that is none of those known."""
    known = ("scenario", *known, "render_mode")
    for name in given:
        if name not in known:
            raise UnknownName("option", name, known, where)


def those(options: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The options of these names that are there."""
    return {name: options[name] for name in names if name in options}


def series_of(world: World[Any, Any, Any], options: Mapping[str, Any]) -> Series:
    """The series of a world with these options; raises what it raises."""
    names = ("reward", "discount", "seeds", "pay", "seat", "partners", "latency")
    return Series(world, **those(options, *names))


def series_world(
    name: str, scenario: str | PathLike[str] | None, options: Mapping[str, Any]
) -> World[Any, Any, Any]:
    """A scenario of the world ``name``, under the options' rules and limits; without one, the first of its
    quick suite, or of all.

    Raises ``UnknownName`` with the nearest names, ``Refused`` for a scenario of another world.
    """
    if scenario is None:
        suites = registry.catalogue(name).suites()
        first = suites["quick"] if "quick" in suites else next(iter(suites.values()))
        scenario = registry.expand(f"{name}/{first[0]}")[0]
    world = registry.world(scenario, **those(options, "rules", "limits"))
    if (other := packs.pack_of(world).name) != name:
        raise Refused(f"{scenario} is a scenario of {other}, and this is an environment of {name}")
    return world


def _learners(world: World[Any, Any, Any], seat: Seat | None) -> tuple[Seat, ...]:
    if seat is None:
        return tuple(world.seats)
    if seat not in world.seats:
        raise UnknownName("seat", seat, world.seats, world.id)
    return (seat,)


def _policies(
    world: World[Any, Any, Any], learners: Sequence[Seat], partners: Partners | None
) -> dict[Seat, Policy]:
    """Who plays each seat that the learner does not have."""
    others = [seat for seat in world.seats if seat not in learners]
    if partners is None:
        if others:
            raise Refused(
                f"{world.id}: who plays {', '.join(others)}? Name an agent with partners=, such as greedy"
            )
        return {}
    if not others:
        why = (
            "it has one seat"
            if len(world.seats) == 1
            else "the learner has all seats; name its own with seat="
        )
        raise Refused(f"{world.id}: there is no seat for partners, as {why}")
    named = partners if isinstance(partners, Mapping) else dict.fromkeys(others, partners)
    for seat in named:
        if seat not in others:
            raise UnknownName("seat for a partner", seat, others, world.id)
    if missing := [seat for seat in others if seat not in named]:
        raise Refused(f"{world.id}: no partner for seat {', '.join(missing)}")
    made = {
        name: make_policy(AgentSpec(name), world)
        for name in dict.fromkeys(each for each in named.values() if isinstance(each, str))
    }
    for each in named.values():
        if not isinstance(each, str) and not callable(getattr(each, "decide", None)):
            raise Refused(f"a partner is an agent's name or a policy, not {shorten(repr(each))}")
    return {seat: made[each] if isinstance(each, str) else each for seat, each in named.items()}
