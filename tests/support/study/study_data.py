"""Tables of studies for tests: written as CSV, and simulated people whose truth is known."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

CONDITIONS = ("alone", "agents1", "agents2", "agents3", "random")
LABELS = ("alone", "1 agent", "2 agents", "3 agents", "random agents")
ITEMS = ("enjoyment", "more_fun", "trust", "productivity")


def write_table(folder: Path, name: str, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write ``<folder>/<name>.csv`` with the columns of the rows."""
    folder.mkdir(parents=True, exist_ok=True)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    path = folder / f"{name}.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_measures(
    folder: Path, rows: Sequence[tuple[str, str, float | str]], measure: str = "score"
) -> Path:
    """The least that an analysis reads: (person, condition, value) as ``episodes`` and ``measures``."""
    episodes, measures = [], []
    for place, (person, condition, value) in enumerate(rows):
        episodes.append({"episode": f"e{place}", "participant": person, "condition": condition})
        measures.append({"episode": f"e{place}", "measure": measure, "value": value})
    write_table(folder, "episodes", episodes)
    write_table(folder, "measures", measures)
    return folder


def write_study(folder: Path, people: int = 12, seed: int = 0, **changed: Any) -> Path:
    """A study within subjects as MindAgent's: five conditions, CoS and ratings, orders drawn.

    ``changed``: other true means of CoS (``means``).
    """
    random = np.random.default_rng(seed)
    means = changed.get("means", (0.35, 0.6, 0.66, 0.68, 0.38))
    levels = {"enjoyment": (3, 4, 4, 3.4, 2.8), "more_fun": (0, 4, 4.1, 3.8, 2.6), "trust": (0, 3.9, 4, 4, 2)}
    levels["productivity"] = (0, 4, 4.3, 4.4, 2.4)
    labelled = zip(CONDITIONS, LABELS, strict=True)
    write_table(folder, "conditions", [{"condition": key, "label": label} for key, label in labelled])
    items = [
        {"item": item, "label": item.replace("_", " "), "text": f"How much {item}?", "kind": "likert",
         "lowest": 1, "highest": 5, "scale": "" if item in ("enjoyment", "more_fun") else "working together"}
        for item in ITEMS
    ]  # fmt: skip
    write_table(folder, "items", items)
    episodes, measures, answers, persons = [], [], [], []
    for number in range(people):
        person, own = f"p{number + 1:02d}", random.normal(0, 0.06)
        persons.append({"participant": person, "status": "finished"})
        for order, place in enumerate(random.permutation(5), 1):
            episode, condition = f"{person}-{order}", CONDITIONS[place]
            about = {"scenario": "cuisineworld/level_3", "status": "ended"}
            row = {"episode": episode, "participant": person, "condition": condition, "order": order}
            episodes.append(row | about)
            value = float(np.clip(means[place] + own + random.normal(0, 0.08), 0, 1))
            measures.append({"episode": episode, "measure": "CoS", "value": round(value, 4), "title":
                             "collaboration score", "lowest": 0, "highest": 1})  # fmt: skip
            for item in ITEMS:
                level = levels[item][place]
                if level:
                    rating = int(np.clip(round(level + 8 * own + random.normal(0, 0.7)), 1, 5))
                    answers.append({"participant": person, "item": item, "episode": episode, "value": rating})
    for name, rows in (
        ("participants", persons),
        ("episodes", episodes),
        ("measures", measures),
        ("answers", answers),
    ):
        write_table(folder, name, rows)
    return folder
