"""Whose builder builds."""

from __future__ import annotations

import pytest

from backburner.generation.builder import builder_of
from backburner.kernel import packs
from backburner.kernel.errors import Refused
from backburner.kernel.pack import Pack


def test_a_world_without_drafts_and_without_a_builder_builds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "pack", lambda name: Pack(name="neither", title="", version=1, catalogue=""))
    with pytest.raises(Refused, match="neither: no scenarios are built for it"):
        builder_of("neither")
