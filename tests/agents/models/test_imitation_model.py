"""The model of ``examples/imitation`` plays what it never saw: by llama.cpp's server, as any model would."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from backburner.agents.models import Choices, OpenAIClient, model_policy
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode
from backburner.kernel.play import play
from backburner.kernel.registry import world
from support.models import tiny_model

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "imitation"
MODEL = EXAMPLE / "imitation.gguf"

HELD_OUT = ("household1+household2", "lab1+lab2", "household4+household5", "cooking3+cooking4")
"""Published pairs: it has learnt their tasks, and never two of them together."""


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    tiny_model.require_server()
    model = shutil.copy(MODEL, tmp_path_factory.mktemp("model"))
    with tiny_model.serving(Path(model), slots=4, context=2048) as server:
        yield server.url


def test_it_is_small_enough_to_be_shipped() -> None:
    assert MODEL.stat().st_size < 2_000_000


def test_it_completes_pairs_that_it_never_saw(base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of them, where any verb with any things completes none; and what it did is in its records."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    from blind import Blind

    async def both(client: OpenAIClient, id: str) -> tuple[Episode, Episode]:
        arena = world(f"timearena/{id}")
        model = model_policy("act", arena, client, Choices(temperature=0.0))
        return await play(arena, model), await play(arena, Blind(arena))

    async def all_of_them() -> list[tuple[Episode, Episode]]:
        async with OpenAIClient("imitation", base_url) as client:
            return await asyncio.gather(*(both(client, id) for id in HELD_OUT))

    episodes = asyncio.run(all_of_them())
    completed = [
        sum(bool(one.ending.numbers["completed"]) for one in each) for each in zip(*episodes, strict=True)
    ]
    assert completed[0] >= 3
    assert completed[1] == 0
    assert all(check(model) == len(model.entries) for model, _ in episodes)
