"""Gold: the best plan that is known of a scenario, as the replies of a learner that plays it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.planned import shipped_plan, solved_plan
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.play import play
from backburner.training.conversation import Conversation, Setting, driven, speaking, world_of
from backburner.training.pay import METRIC, share_of

PLAIN_METHOD = "act"


class Gold(Struct, frozen=True):
    """The plan of one scenario. ``proven``: whether no plan is better, as far as is known."""

    episode: Episode
    replies: tuple[str, ...]
    proven: bool

    @property
    def share(self) -> float:
        """The main metric of the plan between 0 and 1; see ``pay``."""
        return share_of(self.episode)


def gold_of(scenario: str, setting: Setting, seed: int = 0, seconds: float = 60.0) -> Gold:
    """The plan that ships with a scenario, or else the best that its oracle finds in the time.

    Raises ``Refused`` where nobody knows a plan, or where several seats would have to follow it,
    ``MissingExtra`` where the oracle's solver is not installed.
    """
    world = world_of(scenario, setting.rules, setting.limits)
    if len(world.seats) > 1:
        raise Refused(f"{world.id}: a plan for several seats is no learner's alone")
    policy, proven = shipped_plan(world), True
    if policy is None:
        policy, solution = solved_plan(world, seconds)
        proven = solution.proven
    episode = driven(play(world, policy, seed, together=False))
    return Gold(episode, tuple(_replies(world, episode)), proven)


def _replies(world: World[Any, Any, Any], episode: Episode) -> Iterator[str]:
    words = speaking(world)
    (seat,) = world.seats
    for entry in episode.entries:
        answer = entry.answers[seat]
        yield (
            answer.text if answer.text is not None else words.words(decision_of(world, answer.decision), seat)
        )


def plays_alike(gold: Gold, scenario: str, setting: Setting, seed: int = 0) -> bool:
    """Whether a learner that replies with the plan's words has what the plan has: the same figures at the
    same end, and a metric above 0."""
    plain = replace(setting, method=PLAIN_METHOD, reward=METRIC)
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
