"""Gold: the best play that is known of a scenario, whoever found it, as the replies of a learner."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.planned import ORACLE, shipped_plan, solved_plan, world_agent
from backburner.kernel import packs
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Episode
from backburner.kernel.errors import MissingExtra, Refused
from backburner.kernel.play import play
from backburner.kernel.policy import Policy
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
from backburner.training.leaving import Leaving
from backburner.training.pay import METRIC, WHOLE, share_of

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
