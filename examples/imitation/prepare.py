"""Make tokens of exported conversations, and the vocabulary: ``python prepare.py EXPORT FOLDER``.

``EXPORT`` is what ``backburner export --format messages`` has written.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import scenarios
import words
from orderly import Orderly, Slipping, slips

CHECKED = 200
"""One conversation in so many is kept to check with."""


def conversations(folder: Path) -> Iterator[list[dict[str, Any]]]:
    """The messages of each conversation about a scenario in which the fixed order is as quick as the oracle's
    proven plan; ``learnt`` says which of them are answers to be learnt."""
    for file in sorted((folder / "messages").rglob("*.parquet")):
        rows = pyarrow.parquet.read_table(file).to_pylist()
        best = {
            row["scenario"]
            for row in rows
            if row["agent"].endswith(Orderly.__name__) and row["proven"] and row["regret"] == 0
        }
        for row in rows:
            if row["scenario"] not in best:
                continue
            decision = {place: number for number, place in enumerate(row["own"])}
            for place, message in enumerate(row["messages"]):
                slipped = row["agent"].endswith(Slipping.__name__) and place in decision
                slipped = slipped and slips(row["scenario"], row["seed"], row["first_step"] + decision[place])
                message["learnt"] = place in decision and not slipped
            yield row["messages"]


def main() -> None:
    """Read what was exported, learn a vocabulary, write what is learnt from as tokens."""
    parser = argparse.ArgumentParser()
    parser.add_argument("export", type=Path)
    parser.add_argument("folder", type=Path)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    found = list(conversations(chosen.export))
    if not found:
        parser.error(f"{chosen.export}: no conversations; backburner export --format messages writes them")
    random.Random(0).shuffle(found)
    checks, lessons = found[::CHECKED], [each for n, each in enumerate(found) if n % CHECKED]
    file = chosen.folder / "vocabulary.json"
    vocabulary = words.Vocabulary.load(file) if file.exists() else words.learn(lessons[:2000], known_names())
    vocabulary.save(file)
    (chosen.folder / "tokens.json").write_text(json.dumps(vocabulary.tokens), encoding="utf-8")
    write(chosen.folder / "lessons.npz", vocabulary, lessons)
    write(chosen.folder / "checks.npz", vocabulary, checks)
    print(f"{len(lessons)} conversations, {len(vocabulary)} tokens")


def known_names() -> list[str]:
    """All things, verbs and states that there may be."""
    others = ("pot", "fryer", "oven", "wait")
    return [*scenarios.NOUNS, *scenarios.VERBS, *scenarios.STATES, *others]


def write(path: Path, vocabulary: words.Vocabulary, found: list[list[dict[str, Any]]]) -> None:
    """Tokens in a row, where each conversation begins, what each is to whoever learns."""
    tokens: list[int] = []
    kinds: list[int] = []
    starts = [0]
    for each in found:
        numbers, each_is = words.conversation(vocabulary, each)
        tokens += numbers
        kinds += each_is
        starts.append(len(tokens))
    np.savez_compressed(
        path,
        tokens=np.array(tokens, np.int32),
        kinds=np.array(kinds, np.uint8),
        starts=np.array(starts, np.int64),
    )


if __name__ == "__main__":
    main()
