"""Scores over time."""

from __future__ import annotations

from backburner.drawing.curves import curves_svg
from drawing.samples import SVG, parsed

SERVED = [(0, 0), (10, 1), (30, 4), (60, 4)]


def axis(picture):
    """What stands along the vertical axis, from below."""
    return [text.text for text in picture.iter(f"{SVG}text") if text.get("text-anchor") == "end"][:5]


def test_scores_out_of_100_have_an_axis_to_100():
    assert axis(parsed(curves_svg({"greedy": SERVED}, unit="steps"))) == ["0", "25", "50", "75", "100"]


def test_what_is_counted_has_an_axis_to_the_highest_count():
    picture = parsed(curves_svg({"greedy": SERVED}, unit="steps", title="orders served over time", full=1))
    assert axis(picture) == ["0", "1", "2", "3", "4"]
    assert picture.findtext(f"{SVG}title") == "orders served over time"


def test_a_count_of_nothing_is_a_line_along_the_bottom():
    picture = parsed(curves_svg({"idle": [(0, 0), (60, 0)]}, unit="steps", full=1))
    (path,) = picture.iter(f"{SVG}path")
    height = path.get("d").split("H")[0].split()[1]
    assert path.get("d").endswith(f"V{height}"), "as high at the end as at the start"
