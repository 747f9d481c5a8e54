"""The play on a server that ships: greedy on level 2, on our own server, with the drops of its seed."""

from __future__ import annotations

from pathlib import Path

from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.kernel.replay import final_state, world_of
from backburner.live.stage import compared, stage_of

RECORD = Path(__file__).parents[3] / "examples" / "live" / "level_2.jsonl"


def test_it_replays_without_a_server_and_each_step_went_as_predicted() -> None:
    episode = read_episode(RECORD)
    assert check(episode) == len(episode.entries)
    assert episode.ending and episode.ending.status == "ended"
    assert episode.header.players["server"].name == "live"
    stage = stage_of(world_of(episode))
    steps = list(compared(episode, stage))
    assert len(steps) >= 60 and not [step for step in steps if step.differs]
    assert sum(stage.chest(final_state(episode)).values()) >= episode.ending.numbers["completed"] == 7
