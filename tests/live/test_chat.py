"""Chat of persons on a server as the seat that instructs: who is heard, when, and in which form."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from backburner.kernel.claims import check
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.replay import decisions_in
from backburner.live.messages import Event
from backburner.live.players import ChatInstructor
from backburner.live.stage import stage_of
from backburner.worlds.minecraft.game import Minecraft
from support.minecraft.play import world_of


class Listener:
    """A dispatcher that does nothing but keep what it is told; somebody speaks while it thinks."""

    name, informed, settings = "listener", False, {}

    def __init__(self, chat: deque[Event], spoken: Sequence[Sequence[Event]]) -> None:
        self.chat, self.spoken = chat, list(spoken)
        self.told: list[str] = []

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        self.told.append(next((line for line in turn.text.split("\n") if "erson" in line), ""))
        self.chat.extend(self.spoken.pop(0) if self.spoken else ())
        return Reply("[]")


def played(*spoken: Sequence[tuple[str, str]], persons: Sequence[str] = ()) -> tuple[Episode, list[str]]:
    """An episode in which this was said before the first step, the second ...; what the dispatcher heard."""
    world: Minecraft = world_of("level_1@instructor=yes,tau=1.0")
    turns = [[Event("chat", *each) for each in said] for said in spoken]
    chat = deque(turns[0])

    def hear() -> Sequence[Event]:
        heard = tuple(chat)
        chat.clear()
        return heard

    instructor = ChatInstructor(hear, stage_of(world).instruction, persons)
    listener = Listener(chat, turns[1:])
    episode = play_now(
        world, {"instructor": instructor, "dispatcher": listener}, max_steps=2 * len(spoken) + 2
    )
    assert check(episode) == len(episode.entries)
    assert [decisions_in(world, entry) for entry in episode.entries]
    return episode, listener.told


def test_what_was_said_since_the_last_turn_is_the_instruction_and_holds() -> None:
    episode, told = played(
        [("Maya", "cook chicken"), ("Maya", "hurry")], [], [("Bo", "stop that")], [("Maya", "REVOKE")]
    )
    assert told == [
        "The person says: cook chicken | hurry",
        "The person has said, and it holds: cook chicken | hurry",
        "The person says: stop that",
        "",
        "",
    ]
    assert episode.header.players["instructor"].name == "chat"
    assert episode.header.players["instructor"].settings == {}


def test_only_those_who_are_named_are_heard() -> None:
    episode, told = played([("Maya", "dig")], [("Bo", "cook"), ("maya", "eat")], persons=("MAYA",))
    assert told == ["The person says: dig", "The person says: eat", "The person has said, and it holds: eat"]
    assert episode.header.players["instructor"].settings == {"persons": ["MAYA"]}
    assert played([("Bo", "dig"), ("Bo", "revoke")], persons=("Maya",))[1] == ["", ""]


def test_nobody_who_says_too_much_stops_the_play() -> None:
    _, told = played([("Maya", f"{number} " + "x" * 250) for number in range(100)], [("M" * 600, "y" * 900)])
    assert told[0].startswith("The person says: ... | 99 x") and len(told[0]) < 600
    assert told[1].startswith("The person says: yyy") and len(told[1]) < 600
