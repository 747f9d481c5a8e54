"""``env-server`` without what it needs, and with what it does not take; ``integrations/openenv`` runs it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from backburner.cli.serve import PlayOfLearners, Sessions
from support.command_line import ran


@pytest.mark.skipif(find_spec("openenv") is not None, reason="openenv is installed")
def test_a_missing_extra_is_named() -> None:
    ended = ran("env-server", "timearena/quick")
    assert ended.code == 2
    assert "env-server needs an optional part" in ended.stderr and "[openenv]" in ended.stderr


def test_it_is_listed_and_explains_its_options() -> None:
    help = ran("env-server", "--help")
    assert help.code == 0 and "--sessions" in help.stdout and "--play" in help.stdout


def test_what_learners_play_is_said_as_over_mcp() -> None:
    said = PlayOfLearners.said("partner=greedy+act@calls=together,method=react@history=3,limits=none")
    assert said == PlayOfLearners(
        partner="greedy+act@calls=together", method="react@history=3", limits="none"
    )
    assert Sessions.said("records=a,b,most=3") == Sessions(most=3, records=Path("a,b"))
