"""Whole episodes, told again word for word; ``support.transcripts`` says how transcripts are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.transcripts import presets_of, retold, transcripts_beside

TRANSCRIPTS = transcripts_beside(__file__)


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_a_transcript_is_told_again_word_for_word(file: Path) -> None:
    transcript = file.read_text(encoding="utf-8")
    assert retold(transcript, changes=True) == transcript


def test_there_are_transcripts_of_both_presets() -> None:
    assert presets_of(TRANSCRIPTS) == {"standard rules", "released rules"}
