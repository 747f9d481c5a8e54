"""Several attempts at an episode: who asks for them, and what becomes of their records."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from backburner.agents.attempts import play_attempts
from backburner.evaluation.records import former, records
from backburner.evaluation.running.jobs import AttemptFiles
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.values import Seat
from support.policies import Answers
from support.small_worlds.relay import READER, RUNNER, Limits, Oil, Relay, Rest


class Stubborn:
    """Rests, and asks for so many attempts more; in the last of them it oils."""

    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self, more: int) -> None:
        self.more = more
        self.name = f"stubborn{more}"

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return Reply(Rest() if self.more else Oil())

    def after(self, world: Any, episode: Episode, seat: Seat) -> Policy | None:
        assert seat in episode.header.players
        return Stubborn(self.more - 1) if self.more else None


def world() -> Relay:
    return Relay(Limits(steps=2))


def test_policies_that_want_no_more_play_once() -> None:
    policies = {READER: Answers(Rest()), RUNNER: Answers(Rest())}
    (only,) = asyncio.run(play_attempts(world(), policies, 7))
    assert only == play_now(world(), policies, 7)


def test_one_seat_that_wants_more_is_enough_and_the_others_play_on() -> None:
    policies: dict[Seat, Policy] = {READER: Stubborn(2), RUNNER: Answers(Rest(), name="patient")}
    episodes = asyncio.run(play_attempts(world(), policies))
    assert [episode.header.players[READER].name for episode in episodes] == [
        "stubborn2",
        "stubborn1",
        "stubborn0",
    ]
    assert {episode.header.players[RUNNER].name for episode in episodes} == {"patient"}
    assert [len(episode.entries) for episode in episodes] == [2, 2, 2]


def test_one_policy_for_all_seats_becomes_one_for_each() -> None:
    first, second = asyncio.run(play_attempts(world(), Stubborn(1)))
    assert {player.name for player in second.header.players.values()} == {"stubborn0"}
    assert first.header.seed == second.header.seed


def test_the_last_attempt_has_the_jobs_file_and_former_ones_stand_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "agent" / "door[1].seed0.jsonl"
    for attempts in (3, 2):  # run again, fewer attempts leave no old file behind
        with AttemptFiles(path) as files:
            episodes = asyncio.run(play_attempts(world(), Stubborn(attempts - 1), sink=files.sink))
            assert not path.exists() or attempts == 2
            files.finish()
        assert list(records(tmp_path)) == [path]
        found = [*(former(path, number) for number in range(1, attempts)), path]
        written = [read_episode(file) for file in found]
        assert [one.header.players for one in written] == [one.header.players for one in episodes]
        assert [one.ending for one in written] == [one.ending for one in episodes]
        assert sorted(path.parent.iterdir()) == sorted(found)


def test_an_attempt_that_breaks_leaves_no_finished_record(tmp_path: Path) -> None:
    path = tmp_path / "door.jsonl"
    with AttemptFiles(path) as files:
        write = files.sink(1)
        write(play_now(world(), Answers(Rest())).header)
    assert list(records(tmp_path)) == []
    (part,) = tmp_path.iterdir()
    assert ".part-" in part.name and read_episode(part).ending is None
