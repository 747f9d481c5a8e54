"""Lines through measured points."""

from __future__ import annotations

from backburner.drawing.lines import lines_svg
from backburner.kernel.scoring import Curves, Line
from drawing.samples import SVG, parsed

OURS = Line("2 agents", ((1.0, 0.25), (1.5, 0.5), (3.0, 1.0)), "2")
PRINTED = Line("GPT-4, 2 agents", ((1.0, 0.5), (3.0, 0.75)), "2", quoted=True)
MORE = Line("<3> agents", ((2.0, 0.0),), "3")


def drawn(*lines):
    return parsed(lines_svg(Curves("level", "τ", "share", lines)))


def dots(picture):
    return list(picture.iter(f"{SVG}circle"))


def paths(picture):
    return list(picture.iter(f"{SVG}path"))


def test_every_point_is_there_with_what_it_says():
    picture = drawn(OURS, PRINTED, MORE)
    told = [dot.findtext(f"{SVG}title") for dot in dots(picture)]
    assert told[:3] == ["2 agents: 0.25 at 1", "2 agents: 0.5 at 1.5", "2 agents: 1 at 3"]
    assert len(told) == 6 and told[-1] == "<3> agents: 0 at 2"


def test_places_are_to_scale():
    """A quarter of the height from 0.25 to 0.5, a quarter of the width from 1.0 to 1.5 of 1.0 to 3.0."""
    first, second, third = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in dots(drawn(OURS))]
    assert round((second[0] - first[0]) / (third[0] - first[0]), 2) == 0.25
    assert round((first[1] - second[1]) / (second[1] - third[1]), 2) == 0.5


def test_a_family_has_one_colour_and_what_is_quoted_is_dashed():
    ours, printed, more = paths(drawn(OURS, PRINTED, MORE))
    assert ours.get("stroke") == printed.get("stroke") != more.get("stroke")
    assert ours.get("stroke-dasharray") is None and printed.get("stroke-dasharray") is not None


def test_the_axis_reaches_1_or_the_highest_value():
    def labels(picture):
        return [text.text for text in picture.iter(f"{SVG}text")]

    assert "1" in labels(drawn(MORE))
    assert "8" in labels(drawn(Line("orders", ((0.0, 8.0), (1.0, 2.0)))))


def test_lines_without_points_are_an_empty_picture():
    assert dots(drawn(Line("nothing", ()))) == []
