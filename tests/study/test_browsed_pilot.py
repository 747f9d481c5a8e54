"""A simulated participant in a browser, where the page changes at any moment."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("playwright")

from backburner.study.pilot_in_browser import where


class ChangingPage:
    """A page that is at the next stage whenever it is looked at again."""

    def __init__(self) -> None:
        self.stages = iter([("1", "form"), ("2", "text"), ("3", "form")])

    def locator(self, selector: str) -> ChangingPage:
        return self

    async def evaluate(self, script: str) -> list[str]:
        return list(next(self.stages))

    async def get_attribute(self, name: str) -> str:
        return dict(zip(("data-position", "data-stage"), next(self.stages), strict=True))[name]

    async def wait_for(self) -> None:
        return None


def test_position_and_stage_belong_together() -> None:
    """A form's button was waited for on a page of text, as the page had changed between two looks."""
    page: Any = ChangingPage()
    assert asyncio.run(where(page)) == ("1", "form")
    assert asyncio.run(where(page)) == ("2", "text")
