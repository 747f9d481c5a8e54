"""A server that is killed at any moment comes back with every game where it was.

The process of ``support.serve.served_play`` is killed (SIGKILL) after so many moves, in the middle of
whatever it does, and started again. In the end each record is what it is without any kill, up to what
answers cost.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
import pytest

from backburner.kernel.claims import verify
from backburner.kernel.episode import Episode, read_episode
from backburner.serve.protocol import GamePlan, Opened, Wanted
from backburner.serve.store import journal_file, record_file

PERSON, AWAY = Wanted("person"), Wanted("person", "away")
PLANS = [
    GamePlan(
        "cuisineworld/level_3@bodies=3,seats=each",
        {"agent0": PERSON, "agent1": PERSON, "agent2": Wanted("agent", "greedy")},
    ),
    GamePlan(
        "cuisineworld/level_0@bodies=2,seats=each",
        {"agent0": PERSON, "agent1": Wanted("model", "act", "some-model")},
    ),
    GamePlan(
        "cuisineworld/level_0@bodies=2,seats=each",
        {"agent0": PERSON, "agent1": AWAY},
        quorum=1,
        away_seconds=0.0,
        stand_in="first-legal",
    ),
    GamePlan("timearena/cooking1", {"agent": PERSON}),
]


def begun(folder: Path, pace: str = "") -> subprocess.Popen[str]:
    here = Path(__file__).parent.parent
    paths = os.pathsep.join([str(here), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-m", "support.serve.served_play", str(folder), *filter(None, [pace])],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
    )


def played(folder: Path, kills: int, draw: random.Random, pace: str = "") -> list[Episode]:
    """The records of the plans, with a process that is killed so often; ``pace``: where thinking takes
    time."""
    folder.mkdir()
    (folder / "plans.json").write_bytes(msgspec.json.encode(PLANS))
    for _ in range(kills):
        process = begun(folder, pace)
        assert process.stdout is not None
        impatient = threading.Timer(60, process.kill)
        impatient.start()
        for _ in range(draw.randrange(1, 14)):
            assert process.stdout.readline() or process.poll() != -signal.SIGKILL, "it does not go on"
        impatient.cancel()
        time.sleep(draw.random() * 0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    process = begun(folder, pace)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    return [read_episode(record_file(folder / "served", game)) for game in ids(folder)]


def ids(folder: Path) -> list[str]:
    """Those of the games that were played to their end; one that was opened and then lost by its host is not
    among them."""
    opened = [(folder / f"opened-{n}.json").read_bytes() for n in range(len(PLANS))]
    return [msgspec.json.decode(each, type=Opened).game for each in opened]


def without_costs(episode: Episode) -> bytes:
    entries = [msgspec.structs.replace(entry, usage={}) for entry in episode.entries]
    return msgspec.json.encode([episode.header, *entries, episode.ending])


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_records_are_the_same_however_often_the_server_was_killed(tmp_path: Path) -> None:
    whole = played(tmp_path / "whole", 0, random.Random(0))
    killed = played(tmp_path / "killed", 6, random.Random(1))
    for one, other in zip(whole, killed, strict=True):
        assert without_costs(one) == without_costs(other)
        assert verify(other).finished
        assert other.ending is not None and other.ending.status in ("ended", "cut off")
    # Nothing is asked for twice: each answer of the model stands once in the journal, which is gone by now.
    folder = tmp_path / "killed"
    assert not [game for game in ids(folder) if journal_file(folder / "served", game).exists()]
    stood_in = [answer for entry in killed[2].entries for answer in (entry.answers["agent1"],)]
    assert all(any(thought.purpose == "stand-in" for thought in answer.thoughts) for answer in stood_in)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_thoughts_cost_what_they_cost_before_the_server_was_killed(tmp_path: Path) -> None:
    # A thousand seconds for one: moves within milliseconds take some steps. Whenever the server starts again,
    # it compares all lines with those that it has: a thought that is charged otherwise would end its game.
    for episode in played(tmp_path / "killed", 5, random.Random(2), pace="1000"):
        assert verify(episode).finished
        assert episode.header.clock is not None and episode.header.clock.mode == "seconds"
        assert any(answer.silent for entry in episode.entries for answer in entry.answers.values())


def test_the_store_keeps_no_secret(tmp_path: Path) -> None:
    played(tmp_path / "one", 0, random.Random(0))
    database = tmp_path / "one" / "served" / "games.sqlite"
    tokens = [
        token
        for n in range(len(PLANS))
        for opened in [msgspec.json.decode((tmp_path / "one" / f"opened-{n}.json").read_bytes(), type=Opened)]
        for token in (opened.host, opened.watch, *opened.seats.values())
    ]
    content = b"".join(file.read_bytes() for file in database.parent.rglob("*") if file.is_file())
    assert len(tokens) > 8 and not [token for token in tokens if token.encode() in content]
    with sqlite3.connect(database) as rows:
        assert rows.execute("select count(*) from link").fetchone() == (len(tokens),)
