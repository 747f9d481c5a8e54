"""A machine on which every look at the clock takes a thousand seconds."""

from __future__ import annotations

import time
from itertools import count

import pytest


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the clocks of ``time`` are a thousand seconds ahead whenever they are read."""
    for name in ("monotonic", "perf_counter", "process_time", "time"):
        monkeypatch.setattr(time, name, count(getattr(time, name)(), 1000.0).__next__)
