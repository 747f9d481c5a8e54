"""What a reward is worth: who tries to earn without playing, beside who plays, and the best play that is
known.

    table = earnings(Talk("timearena/cooking1", Setting(reward="potential")))

*Gold* is the best play of a scenario, whoever found it, as the replies of a learner. A reward is safe where
no adversary earns more than ``greedy`` and gold earns at least as much as any: where ``gamed(table)`` is
empty. ``benchmarks/adversaries.py`` prints them for every world, face and reward.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.planned import GREEDY, ORACLE, shipped_plan, solved_plan, world_agent
from backburner.arrays.rewards import GENERAL, SCORE, VALUE, encoding_or_none
from backburner.kernel import packs
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError, MissingExtra, Refused
from backburner.kernel.play import play
from backburner.kernel.policy import Policy
from backburner.kernel.turns import LONGEST_ANSWER, turn_of
from backburner.kernel.values import Seat
from backburner.training.conversation import (
    Conversation,
    Setting,
    driven,
    partners_of,
    seat_in,
    speaking,
    world_of,
)
from backburner.training.pay import METRIC, RELATIVE, WHOLE, Leaving, pay_of, share_of, waiting
from backburner.training.trl import OVER, WorldEnvironment

# --- gold ------------------------------------------------------------------------------------------------


PLAIN_METHOD = "act"


class Gold(Struct, frozen=True):
    """The best play of one scenario. ``proven``: whether none is better, as far as is known; ``by``: whose it
    is."""

    episode: Episode
    replies: tuple[str, ...]
    proven: bool
    by: str

    @property
    def share(self) -> float:
        """The main metric of the play between 0 and 1; see ``pay``."""
        return share_of(self.episode)


def gold_of(scenario: str, setting: Setting, seed: int = 0, seconds: float = 60.0) -> Gold:
    """The best play of a scenario by its main metric: of the plan that ships with it, or else the best that
    its oracle finds in the time, and of the world's own agents.

    Where several seats play, of these agents at the learner's seat beside its ``partners``, and nothing is
    proven. Raises ``Refused`` where nobody knows how to play, or partners are missing, ``MissingExtra`` where
    the oracle's solver is not installed.
    """
    world = world_of(scenario, setting.rules, setting.limits)
    seat = seat_in(world, setting)
    best: Gold | None = None
    for policy, proven in _players(world, seconds):
        players = {**partners_of(world, seat, setting), seat: policy}
        episode = driven(play(world, Leaving(seat).seated(players), seed, together=False))
        found = Gold(episode, tuple(replies_of(world, episode, seat)), proven, policy.name)
        if best is None or found.share > best.share:
            best = found
        if best.proven and best.share == 1.0:
            break
    if best is None:
        raise Refused(f"{world.id}: nobody knows a plan")
    return best


def _players(world: World[Any, Any, Any], seconds: float) -> Iterator[tuple[Policy, bool]]:
    """Who may know the best play, and whether that is proven: who plays a plan comes first."""
    if len(world.seats) == 1:
        policy, proven = shipped_plan(world), True
        if policy is None:
            with suppress(Refused):
                policy, solution = solved_plan(world, seconds)
                proven = solution.proven
        if policy is not None:
            yield policy, proven
    for name in packs.pack_of(world).agents:
        if name != ORACLE:
            with suppress(Refused, MissingExtra):
                yield world_agent(name, world), False


def replies_of(world: World[Any, Any, Any], episode: Episode, seat: Seat) -> Iterator[str]:
    """What a seat decided in an episode, in words."""
    words = speaking(world)
    for entry in episode.entries:
        answer = entry.answers.get(seat)
        if answer is not None:
            decided = answer.text is None and answer.decision is not None
            yield words.words(decision_of(world, answer.decision), seat) if decided else answer.text or ""


def plays_alike(gold: Gold, scenario: str, setting: Setting, seed: int = 0) -> bool:
    """Whether a learner that replies with the play's words has what the play has: the same figures at the
    same end, and a metric above 0."""
    plain = replace(setting, method=PLAIN_METHOD, reward=METRIC, pay=WHOLE)
    conversation = Conversation(scenario, seed, plain)
    for reply in gold.replies:
        if conversation.told.over:
            return False
        conversation.reply(reply)
    ending = gold.episode.ending
    return (
        conversation.told.over
        and ending is not None
        and dict(conversation.told.numbers) == ending.numbers
        and conversation.told.reward == gold.share > 0
    )


# --- adversaries -----------------------------------------------------------------------------------------


GOLD = "gold"

ADVERSARIES = ("quits", "quits after a success", "sleeps", "says nothing", "floods", "repeats")

PLAYERS = (GREEDY, GOLD, *ADVERSARIES)

TOLERANCE = 1e-6

BESIDE_GREEDY = Setting(partners=GREEDY)

CASES = {
    "clocked_kitchen/level_0@tau=1.5": BESIDE_GREEDY,
    "collab_grid/baked_bell_pepper": BESIDE_GREEDY,
    "collab_overcooked/baked_bell_pepper": BESIDE_GREEDY,
    "cuisineworld/level_0@tau=1.5": Setting(),
    "cuisineworld/level_0@tau=1.5,seats=each": BESIDE_GREEDY,
    "desk/made/counter": Setting(),
    "minecraft/level_1@tau=1.5,seats=each": BESIDE_GREEDY,
    "projects/bakery": Setting(),
    "recipe2plan/Cobbler+Pancakes": Setting(),
    "robotouille/synchronous/1@seed=42": Setting(),
    "timearena/cooking1": Setting(),
}
"""A short scenario of every world, or two."""


class Script(Struct, frozen=True):
    """What a player says: the replies, and then the same ``again`` and again; ``None``: then it leaves."""

    replies: tuple[str, ...] = ()
    again: str | None = None


class Face(Protocol):
    """One way to play one scenario."""

    scenario: str
    setting: Setting

    def begin(self) -> bool:
        """The episode begins; whether it is over."""

    def reply(self, text: str) -> tuple[float, bool]:
        """What a reply is paid, and whether the episode is over."""

    def leave(self) -> float:
        """What is paid to who leaves now."""


class Talk:
    """A conversation, as every face for language models has it."""

    def __init__(self, scenario: str, setting: Setting) -> None:
        self.scenario, self.setting = scenario, setting

    def begin(self) -> bool:
        """A new conversation."""
        self.conversation = Conversation(self.scenario, 0, self.setting)
        return self.conversation.told.over

    def reply(self, text: str) -> tuple[float, bool]:
        """The learner's reply."""
        told = self.conversation.reply(text)
        return told.reward, told.over

    def leave(self) -> float:
        """The learner stops."""
        return self.conversation.stop("it leaves").reward


class Tools:
    """The class for TRL, which pays once the rollout is over."""

    def __init__(self, scenario: str, setting: Setting) -> None:
        self.scenario, self.setting = scenario, setting
        self.environment = WorldEnvironment(setting)

    def begin(self) -> bool:
        """A new rollout."""
        self.environment.reset(self.scenario, 0)
        return False

    def reply(self, text: str) -> tuple[float, bool]:
        """A call of the tool."""
        over = self.environment.act(text).endswith(OVER)
        return self.environment.get_reward() if over else 0.0, over

    def leave(self) -> float:
        """No call of the tool."""
        return self.environment.get_reward()


class Gym:
    """Gymnasium's environment in words. Nobody can leave it: who would, waits."""

    def __init__(self, scenario: str, setting: Setting) -> None:
        from backburner.training.gymnasium_env import WorldEnv

        self.scenario, self.setting = scenario, setting
        beside: dict[str, Any] = {}
        if setting.partners:
            world = world_of(scenario, setting.rules, setting.limits)
            beside = {"seat": seat_in(world, setting), "partners": setting.partners}
        self.env = WorldEnv(
            scenario.partition("/")[0],
            scenario,
            pay=setting.pay,
            **_in_words(setting),
            **beside,
        )

    def begin(self) -> bool:
        """The first episode."""
        self.env.reset(seed=0)
        return False

    def reply(self, text: str) -> tuple[float, bool]:
        """A step."""
        _, reward, terminated, truncated, _ = self.env.step(text)
        return reward, terminated or truncated

    def leave(self) -> float:
        """To the end, by waiting."""
        return _waited_out(self)


class Zoo:
    """PettingZoo's parallel environment in words: the learner's agent, the others by the partners."""

    def __init__(self, scenario: str, setting: Setting) -> None:
        from backburner.training.pettingzoo_env import parallel_env

        self.scenario, self.setting = scenario, setting
        self.env = parallel_env(scenario, **_in_words(setting))
        self._world: Any = self.env.series.world
        self._seat = seat_in(self._world, setting)
        self._others = partners_of(self._world, self._seat, setting)

    def begin(self) -> bool:
        """The first episode, as far as the partners play it alone."""
        self.env.reset(seed=0)
        self._memories: dict[str, Any] = {}
        self._earned, self._index = 0.0, 0
        self._go_on()
        return not self.env.agents

    def reply(self, text: str) -> tuple[float, bool]:
        """The learner's text beside those of the others, until it is asked again."""
        self._step({self._seat: text})
        self._go_on()
        earned, self._earned = self._earned, 0.0
        return earned, not self.env.agents

    def leave(self) -> float:
        """To the end, by waiting."""
        return _waited_out(self)

    def _go_on(self) -> None:
        while self.env.agents and self._seat not in self.env.series.asked:
            self._step({})

    def _step(self, texts: dict[str, str]) -> None:
        series, names = self.env.series, dict(zip(self._world.seats, self.env.possible_agents, strict=True))
        for seat in series.asked:
            if (policy := self._others.get(seat)) is not None:
                turn = turn_of(self._world, series.state, seat, self._index, 0, informed=policy.informed)
                said = driven(policy.decide(turn, self._memories.get(seat)))
                self._memories[seat] = said.memory
                spoken = isinstance(said.answer, str)
                texts[seat] = said.answer if spoken else self._world.words(said.answer, seat)
        self._index += 1
        rewards = self.env.step({names[seat]: text for seat, text in texts.items()})[1]
        self._earned += rewards.get(names[self._seat], 0.0)


def _in_words(setting: Setting) -> dict[str, Any]:
    """The options that environments of both libraries take."""
    chosen = {name: getattr(setting, name) for name in ("reward", "discount", "rules", "limits")}
    return {"observation": "text", **chosen}


def _waited_out(face: Face) -> float:
    earned, over, text = 0.0, False, scripts_of(face.scenario, face.setting)["sleeps"].again or ""
    while not over:
        reward, over = face.reply(text)
        earned += reward
    return earned


def earned(face: Face, script: Script) -> float:
    """What a player is paid for an episode in all."""
    total, over, said = 0.0, face.begin(), iter(script.replies)
    while not over:
        text = next(said, script.again)
        if text is None:
            return total + face.leave()
        reward, over = face.reply(text)
        total += reward
    return total


def gamed(earnings: Mapping[str, float]) -> list[str]:
    """What is wrong with a reward, by what is earned: who earns more than greedy without playing, and who
    more than gold."""
    most = {GREEDY: ADVERSARIES, GOLD: PLAYERS}
    return [
        f"{name} earns {earnings[name]:g}, {honest} {earnings[honest]:g}"
        for honest, others in most.items()
        for name in others
        if earnings[name] > earnings[honest] + TOLERANCE
    ]


def earnings(face: Face, seconds: float = 10.0) -> dict[str, float]:
    """What each of ``PLAYERS`` earns on a face; ``seconds`` are the oracle's, for gold."""
    plain = replace(face.setting, reward=METRIC, discount=1.0, pay=WHOLE)
    scripts = scripts_of(face.scenario, plain, seconds)
    return {name: earned(face, scripts[name]) for name in PLAYERS}


@lru_cache(maxsize=64)
def scripts_of(scenario: str, setting: Setting, seconds: float = 10.0) -> Mapping[str, Script]:
    """What everybody says in a scenario, by name; ``greedy`` leaves no move out, and shows a success."""
    world: Any = world_of(scenario, setting.rules, setting.limits)
    seat = seat_in(world, setting)
    players = {**partners_of(world, seat, setting), seat: world_agent(GREEDY, world)}
    shown = driven(play(world, Leaving(seat).seated(players), 0, together=False))
    greedy = tuple(replies_of(world, shown, seat))
    waits = waiting(turn_of(world, world.start(0), world.deciders(world.start(0))[0], 0, 0)).answer
    return {
        GREEDY: Script(greedy, greedy[-1]),
        GOLD: Script(gold_of(scenario, setting, 0, seconds).replies, greedy[-1]),
        "quits": Script(),
        "quits after a success": Script(greedy[: _first_success(scenario, setting, greedy)]),
        "sleeps": Script((), "wait" if waits is None else world.words(waits, seat)),
        "says nothing": Script((), ""),
        "floods": Script(("x" * (LONGEST_ANSWER + 1),), ""),
        "repeats": Script((), greedy[0]),
    }


def _first_success(scenario: str, setting: Setting, replies: tuple[str, ...]) -> int:
    """How many replies it takes until the score rises."""
    conversation = Conversation(scenario, 0, replace(setting, reward=SCORE))
    for number, reply in enumerate(replies, 1):
        if conversation.told.over or conversation.reply(reply).reward > 0:
            return number
    return len(replies)


def rewards_of(scenario: str, setting: Setting) -> Iterator[str]:
    """The names of the rewards that a scenario has, ``metric`` first."""
    world = world_of(scenario, setting.rules, setting.limits)
    encoding = encoding_or_none(world)
    for name in (METRIC, *GENERAL, VALUE, *(encoding.own_rewards if encoding is not None else ())):
        try:
            pay_of(world, name, setting.discount)
        except BackburnerError:
            continue
        yield name


def settings_of(scenario: str, setting: Setting, face: type) -> Iterator[Setting]:
    """Every reward, and way to pay, that a face has in a scenario."""
    of_states = face in (Gym, Zoo)
    ways = (WHOLE, RELATIVE) if setting.partners and face is not Zoo else (WHOLE,)
    for reward in rewards_of(scenario, setting):
        if not (of_states and reward == METRIC):
            yield from (replace(setting, reward=reward, pay=pay) for pay in ways)
