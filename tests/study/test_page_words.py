"""The words that participants' pages use are those that ship."""

from __future__ import annotations

import re
from pathlib import Path

from backburner.study.words import shipped

FOLDER = Path(__file__).parents[2] / "web" / "src" / "study"


def test_every_word_that_pages_use_ships() -> None:
    sources = "".join(file.read_text() for file in FOLDER.glob("*.tsx"))
    used = set(re.findall(r"(?<!\.)\bwords\.(?:words\.)?(\w+)", sources))
    used -= {"words", "title", "languages", "language", "contact", "withdrawal"}
    assert used
    assert {f"ui.{word}" for word in used} <= shipped()["en"].keys()
