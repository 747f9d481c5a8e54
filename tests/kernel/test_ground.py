"""Ground comes from outside: what is none, or too much, is told and is no value."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from backburner.kernel.reported import LONGEST_NAME, MOST_COLUMNS, MOST_KINDS, MOST_OTHERS, Ground, Other
from support.promptly import within

GROUND: dict[str, Any] = {
    "corner": [-4, 7],
    "width": 3,
    "depth": 2,
    "kinds": ["grass_block", "water", ""],
    "runs": [[2, 0, -1], [3, 1, -2], [1, 2, -9]],
}


def read(**changes: Any) -> Ground:
    return msgspec.json.decode(msgspec.json.encode({**GROUND, **changes}), type=Ground)


def test_runs_are_columns_row_by_row() -> None:
    ground = read(others=[{"kind": "player", "at": [-3.5, 8.2], "name": "Maya"}], source="here")
    assert list(ground.columns()) == [
        *[("grass_block", -1)] * 2,
        *[("water", -2)] * 3,
        ("", -9),
    ]
    assert ground.usual_height() == -2  # three columns of six
    assert msgspec.json.decode(msgspec.json.encode(ground), type=Ground) == ground
    assert len({ground, read()}) == 2


def test_of_heights_that_are_as_usual_the_lowest_is_meant() -> None:
    assert read(runs=[[3, 0, 1], [3, 1, 0]]).usual_height() == 0


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "none": ({"width": 0}, "not 1 to 4096 columns"),
    "both sides negative": ({"width": -3, "depth": -2}, "not 1 to 4096 columns"),
    "too large": ({"width": 65, "depth": 64, "runs": [[65 * 64, 0, 0]]}, "not 1 to 4096 columns"),
    "too few": ({"runs": [[5, 0, 0]]}, "runs are not of 6 columns"),
    "too many": ({"runs": [[10**17, 0, 0]]}, "runs are not of 6 columns"),
    "none of a run": ({"runs": [[7, 0, 0], [-1, 0, 0]]}, "a run of no column"),
    "no such kind": ({"runs": [[6, 3, 0]]}, "a run of no kind"),
    "from behind": ({"runs": [[6, -1, 0]]}, "a run of no kind"),
    "to the sky": ({"runs": [[6, 0, 10**9]]}, "a height beyond 1024"),
    "far": ({"corner": [10**12, 0]}, "`corner` is out of the world"),
    "kinds": ({"kinds": ["a"] * (MOST_KINDS + 1)}, "more than 256 kinds"),
    "a kind": ({"kinds": ["a" * (LONGEST_NAME + 1)] * 3}, "the name of a kind is too long"),
    "others": ({"others": [{"kind": "cow", "at": [0, 0]}] * (MOST_OTHERS + 1)}, "more than 256 others"),
    "an other": ({"others": [{"kind": "cow", "at": [1e300, 0]}]}, "`at` is out of the world"),
    "a name": ({"others": [{"kind": "cow", "at": [0, 0], "name": "M" * 81}]}, "a name is too long"),
    "source": ({"source": "s" * 201}, "`source` is too long"),
    "turned around": ({"source": "a\u202eb"}, "`kinds` or `source` have signs that are not printed"),
    "a bell": ({"others": [{"kind": "cow", "at": [0, 0], "name": "\a"}]}, "a name has signs that are not"),
    "unknown": ({"colour": "green"}, "unknown field `colour`"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_ground_is_told(what: str) -> None:
    changes, words = BAD[what]
    with pytest.raises(msgspec.ValidationError, match=words):
        read(**changes)


def test_a_name_that_is_no_number_is_refused_where_it_is_made() -> None:
    with pytest.raises(ValueError, match="`at` is out of the world"):
        Other("cow", (float("nan"), 0.0))


def test_much_is_refused_quickly() -> None:
    written = msgspec.json.encode({**GROUND, "runs": [[1, 0, 0]] * 140_000})
    assert len(written) > 1_000_000
    with within(0.1), pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(written, type=Ground)


def test_the_largest_ground_is_read() -> None:
    ground = read(width=64, depth=64, runs=[[1, n % 3, n % 7] for n in range(MOST_COLUMNS)])
    assert len(list(ground.columns())) == MOST_COLUMNS
