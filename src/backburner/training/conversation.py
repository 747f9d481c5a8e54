"""A world as a conversation: a learner is told something, replies, is told more, until the episode is over.

This is what lies under every face for the post-training of language models. The learner is asked by one of
the prompting methods, so that it is told, message for message, what ``backburner run --agent act`` tells a
model; thoughts in its replies are parted off in the same place, and what it played is an ordinary record.

The play is that of ``kernel.play``, driven by hand: wherever a model would be asked it is suspended, and goes
on with the learner's reply. So there is no event loop and no thread, and any number of conversations, one
object each, may be under way in whatever loop or thread calls them.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from contextvars import copy_context
from functools import lru_cache, partial
from typing import Any, TypeVar, cast

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from backburner.agents.latency import latencies
from backburner.agents.models.client import Choices, Completion, Message, Settings
from backburner.agents.models.method import in_words
from backburner.agents.models.openai_client import offered, with_calls
from backburner.agents.models.policy import model_policy
from backburner.agents.models.toolbox import NO_TOOLS, Received, Toolbox, called
from backburner.agents.roster import make_policy
from backburner.agents.spec import AgentSpec
from backburner.arrays.batch import seed_of
from backburner.kernel import registry
from backburner.kernel.clock import Clock, Timing
from backburner.kernel.contract import World
from backburner.kernel.episode import Entry, Episode, Record
from backburner.kernel.errors import PolicyFailure, PolicyStops, Refused, UnknownName, shorten
from backburner.kernel.play import play
from backburner.kernel.policy import Policy
from backburner.kernel.text import Text, speaks, without
from backburner.kernel.turns import LONGEST_ANSWER
from backburner.kernel.values import Refusal, Seat, Step
from backburner.training.pay import (
    METRIC,
    RELATIVE,
    WHOLE,
    Leaving,
    check_pay,
    main_metric,
    nothing,
    pay_of,
    value_of,
)

T = TypeVar("T")

LEARNER = "learner"

ALONE = "its partners play alone"

NO_CALLS = "there are no tools to call; method=calls has some"

WAITS = "partners must answer at once, without waiting for anything"

OWN_WORDS = Choices(temperature=None, max_tokens=None)
"""Who trains decides how the learner writes; records claim nothing about it."""


class Setting(Struct, frozen=True, kw_only=True):
    """How conversations are played and paid; all of it but ``name`` decides what a learner learns.

    - ``rules``, ``limits``: as everywhere
    - ``reward``: ``metric``, or a reward of the world's numbers (see ``pay``); ``discount`` is that of the
      reward ``potential``
    - ``pay``: ``whole``, or ``relative``: what the seat adds to what its partners get alone
    - ``method``: the prompting method, with its choices, that words what is told, such as
      ``react@calls=together``
    - ``seat``: the learner's; the world's first one if none is named
    - ``partners``: agents that play the other seats, one for all or ``a+b`` in the order of the seats
    - ``clock``: ``tokens``, where thinking takes time, or nothing; ``speed``: tokens a second, or in a unit
      of the world, as in ``250/beat``. A reply whose tokens the trainer does not tell is counted by its
      bytes. What a reply is worth depends on how long it is then: length and content are one action
    - ``name``: the learner's, in records
    """

    rules: str = "standard"
    limits: str = "article"
    reward: str = METRIC
    discount: float = 1.0
    pay: str = WHOLE
    method: str = "act"
    seat: Seat = ""
    partners: str = ""
    clock: str = ""
    speed: str = ""
    name: str = LEARNER


class Told(Struct, frozen=True):
    """What the learner is told, and what its reply before it was worth; of the first one, all before it too.

    ``messages``: those since that reply, a system message first if the method has one. At the end: how things
    stand. ``refused``: what of the reply was refused and why, in the world's words; empty for nothing.
    ``over``: whether the episode is over, and ``why``, in a word. ``numbers``: the world's own figures.
    """

    messages: tuple[Message, ...]
    reward: float
    over: bool
    why: str
    refused: str
    numbers: Mapping[str, int | float]

    @property
    def text(self) -> str:
        """The messages as one text."""
        return "\n\n".join(message.content for message in self.messages)

    @property
    def chat(self) -> list[dict[str, Any]]:
        """The messages as chat templates take them."""
        return _chat(self.messages)


class Conversation:
    """One episode. ``told`` is what the learner was told last, first of all what begins the conversation.

    ``episode`` is the record of what was played, once it is over. One that the learner leaves is paid as it
    ends without it (``leaving``).

    Raises ``Refused`` for a world without words, for a scenario with several seats where ``partners`` are
    missing, and what making worlds, methods and agents raises.
    """

    def __init__(self, scenario: str, seed: int = 0, setting: Setting | None = None) -> None:
        setting = setting or Setting()
        self.world = world_of(scenario, setting.rules, setting.limits)
        self._words = speaking(self.world)
        self.seat = seat_in(self.world, setting)
        self.seed = seed_of(seed)
        self.messages: tuple[Message, ...] = ()
        self._offered = NO_TOOLS
        self.episode: Episode | None = None
        self._refusals: list[Refusal] = []
        self._entry: Entry | None = None
        self._state = self.world.start(self.seed)
        check_pay(setting.pay, partners=bool(setting.partners))
        without = partial(alone, scenario, self.seed, setting) if setting.pay == RELATIVE else nothing
        self._pay = pay_of(self.world, setting.reward, setting.discount)(self._state, without)
        self._whole: Episode | None = None
        self._leaving = Leaving(self.seat)
        players = players_of(self.world, self.seat, setting)
        self._play = play(
            self.world,
            self._leaving.seated(players),
            self.seed,
            sink=self._recorded,
            watch=self._watched,
            together=False,
            clock=clock_of(self.world, setting, players),
        )
        self._replied, self._earned = False, 0.0
        self._context = copy_context()  # methods note there what they ask: not in the caller's
        self.told = self._go_on(partial(self._play.send, None))

    def reply(self, text: str, tokens: int = 0, calls: Sequence[Received] = ()) -> Told:
        """What follows from the learner's reply, of which so many ``tokens`` were generated (0: nobody says);
        ``calls`` are of the ``tools``. One of more than ``LONGEST_ANSWER`` characters ends the episode as
        failed. Raises ``Refused`` once it is over, for what is no text, and for calls where there are no
        tools."""
        if self.episode is not None:
            raise Refused(f"{self.world.id}: the episode is over: {self.told.why}")
        if not isinstance(text, str):
            raise Refused(f"{self.world.id}: a reply is a text, not {shorten(repr(text))}")
        if calls and not self._offered.tools:
            raise Refused(f"{self.world.id}: {NO_CALLS}")
        self._replied = True
        if len(text) > LONGEST_ANSWER:
            why = f"a reply of {len(text)} characters; at most {LONGEST_ANSWER} are read"
            self.told = self._go_on(partial(self._play.throw, PolicyFailure("answer", why)))
        else:
            made = called(calls, self._offered.tools)
            completion = Completion(text, output_tokens=tokens, calls=made)
            self.told = self._go_on(partial(self._play.send, completion))
        return self.told

    def stop(self, why: str) -> Told:
        """The learner leaves the episode; its record says that it was stopped, and why. Nothing if it is
        over."""
        if self.episode is None:
            self.told = self._go_on(partial(self._play.throw, PolicyStops(why)))
        return self.told

    @property
    def tools(self) -> list[dict[str, Any]]:
        """What the learner may call, as chat templates take it: with ``method=calls``, the same at every
        turn."""
        return list(to_builtins(offered(self._offered).get("tools", ())))

    @property
    def chat(self) -> list[dict[str, Any]]:
        """All that a model would be sent now, its own replies included, as chat templates take it."""
        return _chat(self.messages)

    @property
    def metric(self) -> tuple[str, float | None]:
        """(the world's main metric, its value over this episode, played on where the learner left it);
        ``None`` while play goes on."""
        key = main_metric(self.world.id.partition("/")[0]).key
        return key, value_of(self._whole) if self._whole is not None else None

    def summary(self) -> dict[str, Any]:
        """What a log keeps of an episode, as plain values: what was played, how it stands, its figures."""
        key, value = self.metric
        return {
            "scenario": self.world.id,
            "seed": self.seed,
            "seat": self.seat,
            "status": self._status,
            "why": self.told.why,
            "numbers": dict(self.told.numbers),
            "metric": key,
            "value": value,
        }

    @property
    def _status(self) -> str:
        ending = self.episode.ending if self.episode is not None else None
        return ending.status if ending is not None else "running"

    def _go_on(self, advance: Callable[[], Any]) -> Told:
        """Let play go on until the learner is asked or the episode is over."""
        self._refusals = []
        while True:
            try:
                waiting = self._context.run(advance)
            except StopIteration as done:
                return self._ended(done.value)
            if isinstance(waiting, _Asked):
                self._offered = waiting.tools
                return self._told(self._new_in(waiting.messages))
            if waiting is not None:  # which is what somebody yields who only lets others go first
                self._play.close()
                raise Refused(f"{self.world.id}: {WAITS}")
            advance = partial(self._play.send, None)

    def _new_in(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """Those that the learner has not been told yet; all of them where the conversation is another one."""
        known = self.messages
        new = messages[len(known) :] if messages[: len(known)] == known else messages
        self.messages = messages
        return tuple(message for message in new if message.role != "assistant")

    def _ended(self, whole: Episode) -> Told:
        self._whole = whole
        self.episode = episode = self._leaving.played(whole, self.world.outcome(self._state).numbers)
        parts = self._words.description_parts(self.world.observe(self._state, self.seat))
        stands = without(parts, "question")
        return self._told((Message("user", f"{stands}\n\nIt is over: {_why(episode)}.".strip()),))

    def _told(self, messages: tuple[Message, ...]) -> Told:
        over = self.episode is not None
        if self._replied or over:
            self._earned += self._pay.collect(self._whole)
        earned, self._earned = self._earned, 0.0
        return Told(
            messages,
            earned,
            over,
            _why(self.episode),
            self._refused(),
            self.world.outcome(self._state).numbers,
        )

    def _refused(self) -> str:
        if not self._refusals:
            return ""
        told = self._words.news(self.world.observe(self._state, self.seat))
        kind = registry.scoring(self.world.id.partition("/")[0]).kind_of_refusal
        return told or "; ".join(kind(refusal) for refusal in self._refusals)

    def _recorded(self, record: Record) -> None:
        if isinstance(record, Entry):
            self._entry = record
            if self._leaving.error is None:
                self._refusals += [each for each in record.refusals if each.seat in ("", self.seat)]

    def _watched(self, state: Any) -> None:
        if self._leaving.error is None:
            self._state = state
        if (entry := self._entry) is None:
            return
        if self._leaving.error is not None and self.seat in entry.answers:
            self._earned += self._pay.collect(None)  # as if it had replied
        self._pay.add(Step(state, entry.events, entry.refusals))


@lru_cache(maxsize=4096)
def alone(scenario: str, seed: int, setting: Setting) -> float:
    """What a learner is paid that only waits: what its partners get alone. Once for each episode's seed."""
    conversation = Conversation(scenario, seed, replace(setting, pay=WHOLE))
    return conversation.told.reward + (conversation.stop(ALONE).reward if not conversation.told.over else 0.0)


def _chat(messages: Sequence[Message]) -> list[dict[str, Any]]:
    return [
        dict(with_calls(message))
        if message.calls or message.call
        else {"role": message.role, "content": message.content}
        for message in messages
    ]


def _why(episode: Episode | None) -> str:
    """Why play is over; empty while it goes on."""
    if episode is None or episode.ending is None:
        return ""
    return episode.ending.error or episode.ending.reason.replace("_", " ")


def driven(play: Coroutine[Any, Any, T]) -> T:
    """What comes of a play in which everybody answers at once, or of an answer, without an event loop."""
    while True:
        try:
            waiting = play.send(None)
        except StopIteration as done:
            return cast(T, done.value)
        if waiting is not None:
            play.close()
            raise Refused(WAITS)


# --- who plays --------------------------------------------------------------------------------------------


class _Asked:
    """The learner is asked: what play waits for, and where it goes on with the reply."""

    def __init__(self, messages: Sequence[Message], tools: Toolbox) -> None:
        self.messages, self.tools = tuple(messages), tools

    def __await__(self) -> Generator[_Asked, Completion, Completion]:
        return (yield self)


class _Learner:
    """The learner as a ``ModelClient``: a call to it suspends play until there is a reply."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def origin(self) -> Mapping[str, Any]:
        """The name."""
        return {"model": self.name}

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        """The learner's reply."""
        return await _Asked(messages, tools)

    async def aclose(self) -> None:
        """Nothing to let go of."""


@lru_cache(maxsize=256)
def world_of(scenario: str, rules: str, limits: str) -> World[Any, Any, Any]:
    """The world of a scenario, made once; raises what ``registry.world`` raises."""
    return registry.world(scenario, rules=rules, limits=limits)


def speaking(world: World[Any, Any, Any]) -> Text[Any, Any, Any]:
    """The world's words; raises ``Refused`` where it has none."""
    if not speaks(world):
        raise Refused(f"{world.id}: this world has no words, and cannot be a conversation")
    return world


def seat_in(world: World[Any, Any, Any], setting: Setting) -> Seat:
    """The learner's seat; raises ``UnknownName``, ``Refused`` if nobody plays the others."""
    seat = setting.seat or world.seats[0]
    if seat not in world.seats:
        raise UnknownName("seat", seat, world.seats, world.id)
    if len(world.seats) > 1 and not setting.partners:
        raise Refused(
            f"{world.id} has {len(world.seats)} seats ({', '.join(world.seats)});"
            f" name agents that play beside {seat} as partners, such as greedy or random"
        )
    return seat


def clock_of(world: World[Any, Any, Any], setting: Setting, players: Mapping[Seat, Policy]) -> Clock | None:
    """The clock of an episode; ``None`` where thinking takes no time. Raises ``Refused`` for a world without
    time, and for a clock or a speed that there is not."""
    if not setting.clock:
        if setting.speed:
            raise Refused(f"a speed of {setting.speed} is that of a clock: clock is 'tokens'")
        return None
    if setting.clock != "tokens" or not setting.speed:
        what = f"clock {shorten(setting.clock)!r}, speed {shorten(setting.speed)!r}"
        raise Refused(f"{what}: a clock counts 'tokens', at a speed")
    return Timing(speed=setting.speed).bound(world, latencies(players))


def players_of(world: World[Any, Any, Any], seat: Seat, setting: Setting) -> dict[Seat, Policy]:
    """Everybody's policy; raises what ``partners_of`` raises."""
    in_words(setting.method, "episodes for a learner")
    learner = model_policy(setting.method, world, _Learner(setting.name), OWN_WORDS)
    return {seat: learner, **partners_of(world, seat, setting)}


def partners_of(world: World[Any, Any, Any], seat: Seat, setting: Setting) -> dict[Seat, Policy]:
    """Who plays the seats that are not the learner's. Raises ``Refused`` for another number of partners than
    there are other seats."""
    others = [other for other in world.seats if other != seat]
    names = AgentSpec(setting.partners).members if others else ()
    names = names * len(others) if len(names) == 1 else names
    if len(names) != len(others):
        raise Refused(f"{world.id}: {len(names)} partners for {len(others)} seats ({', '.join(others)})")
    made = {name: make_policy(AgentSpec(name), world) for name in dict.fromkeys(names)}
    return {other: made[name] for other, name in zip(others, names, strict=True)}
