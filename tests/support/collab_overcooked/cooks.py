"""Cooks of Collab-Overcooked for tests: one follows a reference call by call, one reads replies aloud."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.worlds.collab_overcooked.game.calls import WAIT, wait
from backburner.worlds.collab_overcooked.game.reading import reply_of
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked


class Followers:
    """Each seat does its calls in their order, each as soon as it can be begun, and waits meanwhile.

    Waits among the calls are waited as they stand.
    """

    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self, calls: Mapping[str, Sequence[str]], name: str = "followers") -> None:
        self.calls = calls
        self.name = name

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        done = memory or 0
        possible = {option.label for option in turn.menu.options}
        due = self.calls[turn.seat][done : done + 1]
        if due and (due[0] in possible or due[0].startswith(WAIT)):
            return Reply(reply_of(due[0]), memory=done + 1)
        return Reply(reply_of(wait().text), memory=done)


class Script:
    """The replies of both seats in the order in which they are asked for; then everybody waits.

    A reply is the text of all three fields, or a plan and what is said with it.
    """

    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self, *replies: str | tuple[str, str], name: str = "script") -> None:
        self.replies = replies
        self.name = name

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        if turn.index >= len(self.replies):
            return Reply(reply_of(wait(5).text))
        reply = self.replies[turn.index]
        if isinstance(reply, str):
            return Reply(reply)
        return Reply(f"analysis: as it is\nplan: {reply[0]}\nsay: {reply[1]}")


def spoken(world: CollabOvercooked, *replies: str | tuple[str, str], name: str = "script") -> Episode:
    """The episode in which these replies are given."""
    return play_now(world, Script(*replies, name=name))
