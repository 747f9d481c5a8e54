"""What ``export`` writes for training, read by ``datasets`` from the folder alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}

datasets: Any = pytest.importorskip("datasets", reason="pip install datasets")

SUITE = "timearena/singles/lab"


def export(folder: Path, *arguments: str) -> Path:
    """A data set in ``folder``, made by the installed command."""
    command = [Path(sys.executable).parent / "backburner", "export", SUITE, *arguments, folder]
    subprocess.run(list(map(str, command)), check=True, timeout=200)
    return folder


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What ``datasets`` keeps is kept beside the data."""
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


def test_messages_load_as_conversations(tmp_path: Path) -> None:
    folder = export(tmp_path / "data", "--format", "messages@methods=act,react@calls=together")
    found = datasets.load_dataset(str(folder))
    assert {split: rows.num_rows for split, rows in found.items()} == {
        "train": 16,
        "validation": 2,
        "test": 2,
    }
    row = found["train"][0]
    assert [set(message) for message in row["messages"]] == [{"role", "content"}] * len(row["messages"])
    assert {row["messages"][place]["role"] for place in row["own"]} == {"assistant"}


def test_calls_load_beside_what_is_told_in_words(tmp_path: Path) -> None:
    folder = export(tmp_path / "data", "--format", "messages@methods=act,calls")
    found = {row["method"]: row for row in datasets.load_dataset(str(folder), split="train")}
    assert found["act"]["tools"] is None
    assert {each["type"] for each in json.loads(found["calls"]["tools"])} == {"function"}
    own = [found["calls"]["messages"][place] for place in found["calls"]["own"]]
    assert all(message["tool_calls"][0]["function"]["arguments"] for message in own)


def test_trajectories_load_table_by_table(tmp_path: Path) -> None:
    folder = export(tmp_path / "data", "--format", "trajectories@agents=oracle,random")
    assert datasets.get_dataset_config_names(str(folder)) == ["states", "preferences", "scenarios"]
    states = datasets.load_dataset(str(folder), split="train")
    assert {"menu", "lost", "optimal_decisions"} <= set(states.column_names)
    assert all(row["lost"] == 0 for row in states if row["agent"] == "oracle")
    pairs = datasets.load_dataset(str(folder), "preferences", split="train")
    # What trainers of preferences ask for: three conversations under these names.
    assert {"prompt", "chosen", "rejected"} <= set(pairs.column_names)
    assert all(row["chosen"][0]["role"] == "assistant" != row["prompt"][-1]["role"] for row in pairs)
    scenarios = datasets.load_dataset(str(folder), "scenarios")
    assert sum(rows.num_rows for rows in scenarios.values()) == 10
