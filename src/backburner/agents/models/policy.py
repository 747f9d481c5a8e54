"""Language models as policies: a method, a model, and the words between them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import ValidationError, convert

from backburner.agents.models.client import (
    Choices,
    Completion,
    Decoding,
    Message,
    ModelClient,
    RequestDigests,
    Settings,
    decoding_of,
)
from backburner.agents.models.method import (
    SEE,
    SEEING,
    Attempt,
    Exchange,
    Form,
    Memory,
    Method,
    Setup,
    joined,
    no_more,
    seeing,
    settled,
    shows_pictures,
    split_name,
)
from backburner.agents.models.methods import METHODS
from backburner.agents.models.prompts import Prompts
from backburner.agents.models.stand_in import STAND_IN, StandInPolicy
from backburner.agents.models.toolbox import NO_TOOLS, Toolbox
from backburner.drawing.png import DRAWING, check_png
from backburner.kernel import packs
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, ReplayMismatch, UnknownName
from backburner.kernel.play import SPENT
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.turns import turn_of
from backburner.kernel.values import Seat, Usage, total
from backburner.kernel.view import draws

SLOW = "slow"
"""The setting that tells of the second model of a method that asks two."""

NO_SECOND = "it asks a second model, --model slow=NAME"


class ModelPolicy:
    """A language model, asked by one method in one world; a ``Policy`` that holds nothing of any episode.

    What an episode remembers is a ``Memory``. It begins with ``notes``, and has had so much ``usage`` already
    in former attempts.
    """

    def __init__(
        self,
        method: Method,
        setup: Setup,
        settings: Mapping[str, Any],
        notes: Any = None,
        usage: Usage | None = None,
    ) -> None:
        models, origin = setup.client.name, {**setup.client.origin}
        if setup.slow is not None:
            models, origin[SLOW] = f"{models},{SLOW}={setup.slow.name}", {**setup.slow.origin}
        self.name = f"{settings['method']}({models})"
        self.informed = method.informed or not setup.choices.keys().isdisjoint(method.informs)
        self.settings = {**settings, **origin}
        self._method, self._setup = method, setup
        self._notes, self._usage = notes, usage or Usage()

    @property
    def forms(self) -> Mapping[str, Form]:
        """What the answers to messages hold, where it is more or other than a decision."""
        return self._method.answers

    @property
    def tries_again(self) -> bool:
        """Whether the method may want other attempts after the first."""
        return self._method.retry is not no_more

    async def decide(self, turn: Turn, memory: Memory | None) -> Reply:
        """The model's answer; raises ``PolicyFailure`` if a call fails, ``PolicyStops`` if it is done.

        What the world wants to be told before a move is told in the same way with every method.
        """
        exchange = Exchange(self._setup, turn, memory or Memory(notes=self._notes))
        if memory is None:
            exchange.usage = self._usage
        try:
            return exchange.reply(await self._answer(exchange))
        except BaseException as error:  # a later call failed or was cancelled: what came before was paid for
            setattr(error, SPENT, exchange.usage + (exchange.beside or Usage()))
            raise

    async def _answer(self, exchange: Exchange) -> Any:
        question = exchange.question
        if question is not None and not question.move:
            return await exchange.tell(question)
        return await self._method.decide(exchange)

    def after(self, world: World[Any, Any, Any], episode: Episode, seat: Seat) -> ModelPolicy | None:
        """Who plays the seat in another attempt, if the method wants one; see ``play_attempts``.

        What this attempt has cost counts with the first decision of the next, whose record stands for both.
        """
        attempt = Attempt(world, episode, seat, self._setup.choices, self._notes)
        notes = self._method.retry(attempt)
        if notes is None:
            return None
        cost = total(usage for who, usage in episode.costs() if who == seat)
        return ModelPolicy(self._method, self._setup, self.settings, notes, cost)


def model_policy(
    name: str,
    world: World[Any, Any, Any],
    client: ModelClient,
    decoding: Choices | None = None,
    *,
    prompts: Path | None = None,
    slow: ModelClient | None = None,
) -> ModelPolicy | StandInPolicy:
    """A model asked by the method of this name, such as ``react`` or ``react@history=none``.

    A ``StandIn`` is seated as a ``StandInPolicy``, whatever client is around it. Models write as the world's
    article had it, but for what ``decoding`` chooses. ``prompts`` is a folder
    with wording of one's own; see ``Prompts``. ``slow``: the second model, for a method that asks one.
    Raises ``UnknownName``, ``Refused`` for a method that makes no sense in this world, and ``BadFile`` for
    faulty templates.
    """
    method, choices, words = _made(name, world, prompts)
    writing = decoding_of(_kind(world), decoding)
    if method.advised and slow is None:
        raise Refused(f"method {name!r} makes no sense in {world.id}: {NO_SECOND}")
    slow = slow if method.advised else None
    standing_in = any(STAND_IN in each.origin for each in (client, slow) if each is not None)
    setup = Setup(world, client, writing, words, choices, None if standing_in else RequestDigests(), slow)
    settings = _recorded(name, choices, writing, words) | {**method.told(world, choices)}
    policy = ModelPolicy(method, setup, settings)
    return StandInPolicy(policy, method, world) if standing_in else policy


def policy_in_record(
    settings: Mapping[str, Any], world: World[Any, Any, Any], client: ModelClient
) -> ModelPolicy:
    """The policy that the settings of a record's player tell of, which asks ``client`` what it asked then.

    Raises ``Refused`` where that cannot be had: no model was prompted, in words of somebody's own or in
    words that have changed since, or from a plan in another file, or what it wrote was run;
    ``ReplayMismatch`` where there is no such method or choice here, or the record calls other words by the
    version of those that are.
    """
    name, choices = settings.get("method"), settings.get("choices", {})
    if not isinstance(name, str) or not isinstance(choices, Mapping):
        raise Refused("no language model was prompted")
    if choices.get("start"):
        raise Refused("its prompts began with a plan from another file")
    plain = split_name(name)[0]
    if plain in METHODS and not choices.keys().isdisjoint(METHODS[plain].runs):
        raise Refused("what its model wrote was run as a program, which nobody does who only looks")
    if SLOW in settings:
        raise Refused("a second model was asked beside it")
    if SEE in choices and settings.get("drawing") != DRAWING:
        raise Refused(
            f"its pictures were drawn otherwise (drawing {settings.get('drawing')}; here {DRAWING})"
        )
    try:
        method, chosen, words = _made(
            joined(plain, {str(k): str(v) for k, v in choices.items()}), world, None
        )
    except (Refused, UnknownName) as error:
        raise ReplayMismatch(str(error)) from error
    if words.record["prompts"] != settings.get("prompts"):
        was, now = settings.get("prompts_version"), words.record["prompts_version"]
        if was == now:
            raise ReplayMismatch(f"its prompts are not worded as version {was}, which it names")
        raise Refused(f"its prompts were worded otherwise (version {was}; here is version {now})")
    if any(settings.get(key) != value for key, value in method.told(world, chosen).items()):
        raise Refused("its model was offered other tools than there are here")
    fields = {key: settings[key] for key in Settings.__struct_fields__ if key in settings}
    try:
        writing = convert(fields, Settings), convert(settings.get("caps", {}), dict[str, int])
    except ValidationError as error:
        raise Refused(f"its settings are none of ours ({error})") from error
    setup = Setup(world, client, Decoding(str(settings.get("decoding", "")), *writing), words, chosen)
    return ModelPolicy(method, setup, settings)


def method_settings(
    name: str,
    world: World[Any, Any, Any],
    decoding: Choices | None = None,
    *,
    prompts: Path | None = None,
) -> dict[str, Any]:
    """What a record keeps of a method beside the model: choices, decoding, version and digest of words."""
    method, choices, words = _made(name, world, prompts)
    recorded = _recorded(name, choices, decoding_of(_kind(world), decoding), words)
    return recorded | {**method.told(world, choices)}


def _recorded(name: str, choices: dict[str, str], writing: Decoding, words: Prompts) -> dict[str, Any]:
    kept: dict[str, Any] = {"method": joined(*split_name(name))}
    if choices:
        kept["choices"] = choices
    if SEE in choices:
        kept["drawing"] = DRAWING
    return {**kept, **writing.record, **words.record}


def check_method(name: str) -> None:
    """Raises ``UnknownName`` or ``Refused`` if there is no such method or choice, and
    ``MissingExtra`` if it shows pictures and they cannot be made."""
    method, chosen = split_name(name)
    seeing(settled(method, {**_method(method).options, **SEEING}, {}, chosen), chosen)
    if shows_pictures(name):
        check_png()


def runs_programs(name: str) -> bool:
    """Whether the method of this name runs what its model writes; raises as ``check_method``."""
    method, chosen = split_name(name)
    return not chosen.keys().isdisjoint(_method(method).runs)


def first_prompt(
    name: str, world: World[Any, Any, Any], *, seat: Seat | None = None, prompts: Path | None = None
) -> list[Message]:
    """What a model is sent first, word for word, at the first decision (of ``seat``, or of whoever decides).

    Raises what ``model_policy`` raises, and ``Refused`` if the method asks nothing at the first decision.
    """
    state = world.start()
    deciders = world.deciders(state)
    turn = turn_of(world, state, seat or deciders[0], 0, 0)
    listener = _Listener()
    try:
        asyncio.run(model_policy(name, world, listener, prompts=prompts).decide(turn, None))
    except _Heard as heard:
        return list(heard.messages)
    raise Refused(f"method {name!r} asks nothing at the first decision of {world.id}")


class _Heard(Exception):
    """What was sent to a model that only listens."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages = messages


class _Listener:
    """Takes the first call, and answers none."""

    name = "listener"
    origin: Mapping[str, Any] = {}

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        raise _Heard(messages)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def _made(
    name: str, world: World[Any, Any, Any], folder: Path | None
) -> tuple[Method, dict[str, str], Prompts]:
    plain, chosen = split_name(name)
    method = _method(plain)
    usual = packs.pack_of(world).method_options.get(plain, {})
    choices = seeing(settled(plain, {**method.options, **SEEING}, usual, chosen), chosen)
    choices = method.recorded(choices)
    if shows_pictures(name) and not draws(world):
        raise Refused(f"method {name!r} makes no sense in {world.id}: this world has no scene to show")
    if why := method.check(world, choices):
        raise Refused(f"method {name!r} makes no sense in {world.id}: {why}")
    return method, choices, _prompts(plain, _kind(world), tuple(sorted(choices.items())), folder)


@lru_cache(maxsize=256)
def _prompts(method: str, world: str, choices: tuple[tuple[str, str], ...], folder: Path | None) -> Prompts:
    return Prompts(method, world, METHODS[method].sent(dict(choices)), dict(choices), folder)


def _method(name: str) -> Method:
    if name not in METHODS:
        raise UnknownName("prompting method", name, METHODS)
    return METHODS[name]


def _kind(world: World[Any, Any, Any]) -> str:
    return world.id.partition("/")[0]
