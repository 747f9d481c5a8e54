"""Plans that programs answer with: what is odd in one is read or refused, and is never a traceback."""

from __future__ import annotations

import json

import pytest

from backburner.formats.plans import read_plan
from backburner.kernel.errors import Refused
from backburner.kernel.schedule import Activity, Problem

CHOP = Problem("minutes", (Activity("chop", 3, 3, preemptive=True),), (), "an example")


def test_a_program_that_prints_too_few_pieces_has_said_when_the_first_ones_start() -> None:
    """Three pieces are to be printed; of two the second begins later than the first ends."""
    assert read_plan(b"a1 0\na1 4\n----------\n", CHOP, "minizinc").starts == {"chop": 0, "chop+1": 4}


@pytest.mark.parametrize("name", ["chop+x", "chop+" + "9" * 5000, "chop+\u00b2"])
def test_what_is_called_like_no_piece_is_told(name: str) -> None:
    with pytest.raises(Refused, match="unknown activity"):
        read_plan(json.dumps({"starts": {"chop": 0, name: 1}}).encode(), CHOP, "problem")
