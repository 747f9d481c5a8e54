"""Charts: figures are to scale, nothing is cut off, everything is told in words as well."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import structs

from backburner.drawing.charts import chart_svg
from backburner.drawing.charts.axes import Axis, cut_in_the_middle
from backburner.drawing.charts.panels import DARK, SHADES, shade
from backburner.drawing.svg import text_width
from backburner.kernel.charts import Bar, Bars, Box, Boxes, Group, Heatmap, Line, Lines, Point, Stack, Stacks
from drawing.samples import SVG, parsed

NASTY = '<b>&"]]> \x00 ☃' + "x" * 300

BARS = Bars(
    "Success",
    "%",
    (
        Group("level 1", (Bar("ours", 50.0, 25.0, 75.0), Bar("theirs", 100.0, quoted=True))),
        Group("level 2", (Bar("ours", None),)),
    ),
    full=100.0,
)
STACKS = Stacks(
    "Types",
    "%",
    ("good", "bad", "never"),
    (Stack("one", {"good": 75.0, "bad": 25.0}), Stack("article", {"bad": 100.0}, quoted=True)),
    100.0,
)
BOXES = Boxes("Repeats", "steps", (Box("one", 0, 2, 4, 6, 10, 9), Box("two", 3, 3, 3, 3, 3, 1)))
LINES = Lines(
    "IC",
    "level",
    "%",
    (Line("one", (Point(1, 100.0), Point(2, 50.0, 25.0, 75.0))), Line("two", (Point(2, 0.0),))),
    100.0,
)
HEATMAP = Heatmap(
    "Cross-play", "%", "left", "right", ("one", "two"), ("one", "two"), ((90.0, 20.0), (None, 60.0))
)
DRAWN = {
    "heatmap": chart_svg(HEATMAP),
    "bars": chart_svg(BARS),
    "stacks": chart_svg(STACKS),
    "boxes": chart_svg(BOXES),
    "lines": chart_svg(LINES),
}


def texts(picture: ET.Element) -> list[str]:
    return [text.text or "" for text in picture.iter(f"{SVG}text")]


def tooltips(picture: ET.Element, name: str) -> dict[str, ET.Element]:
    """The shapes of this kind by what they say."""
    found = ((shape.findtext(f"{SVG}title"), shape) for shape in picture.iter(f"{SVG}{name}"))
    return {told: shape for told, shape in found if told}


def number(shape: ET.Element, name: str) -> float:
    return float(shape.get(name) or "nan")


@pytest.mark.parametrize("kind", DRAWN)
def test_a_picture_has_a_title_and_tells_all_in_words(kind: str) -> None:
    picture = parsed(DRAWN[kind])
    assert picture.get("role") == "img" and picture.findtext(f"{SVG}title")
    told = picture.findtext(f"{SVG}desc") or ""
    assert "one" in told or "ours" in told


def test_bars_are_to_scale_and_say_their_figures() -> None:
    bars = tooltips(parsed(DRAWN["bars"]), "rect")
    ours, theirs = bars["ours: 50 [25, 75]"], bars["theirs: 100"]
    assert number(ours, "width") * 2 == pytest.approx(number(theirs, "width"), abs=0.05)
    assert theirs.get("stroke-dasharray") and not ours.get("stroke-dasharray")
    assert {"level 1", "level 2", "ours", "theirs", "–"} <= set(texts(parsed(DRAWN["bars"])))


def test_an_interval_stands_where_its_ends_are() -> None:
    picture = parsed(DRAWN["bars"])
    bar = tooltips(picture, "rect")["ours: 50 [25, 75]"]
    start, width = number(bar, "x"), number(bar, "width")
    path = next(path.get("d", "") for path in picture.iter(f"{SVG}path"))
    assert path.startswith(f"M{start + width / 2:.1f} ")  # 25 is half of 50


def test_bars_below_zero_go_to_the_left() -> None:
    picture = parsed(chart_svg(Bars("", "", (Group("g", (Bar("down", -2.0), Bar("up", 2.0))),))))
    down, up = (tooltips(picture, "rect")[told] for told in ("down: -2", "up: 2"))
    assert number(down, "x") + number(down, "width") == pytest.approx(number(up, "x"), abs=0.02)
    assert number(down, "width") == pytest.approx(number(up, "width"), abs=0.02)


def test_groups_of_one_bar_go_by_their_names() -> None:
    words = texts(parsed(chart_svg(Bars("", "", (Group("greedy", (Bar("figure", 1.0),)),)))))
    assert "greedy" in words and "figure" not in words


def test_parts_follow_each_other_and_the_key_names_those_that_occur() -> None:
    picture = parsed(DRAWN["stacks"])
    good, bad = (tooltips(picture, "rect")[told] for told in ("one, good: 75", "one, bad: 25"))
    assert number(good, "x") + number(good, "width") == pytest.approx(number(bad, "x"), abs=0.02)
    assert number(good, "width") == pytest.approx(3 * number(bad, "width"), abs=0.05)
    assert {"good", "bad"} <= set(texts(picture)) and "never" not in texts(picture)


def test_a_part_has_one_colour_wherever_it_stands() -> None:
    parts = tooltips(parsed(DRAWN["stacks"]), "rect")
    assert parts["one, bad: 25"].get("fill") == parts["article, bad: 100"].get("fill")
    assert parts["one, bad: 25"].get("fill") != parts["one, good: 75"].get("fill")


def test_shares_that_were_rounded_do_not_make_the_axis_longer() -> None:
    rounded = Stacks("", "%", ("a", "b"), (Stack("one", {"a": 33.4, "b": 66.7}),), 100.0)
    assert "120" not in texts(parsed(chart_svg(rounded)))


def grey(colour: str) -> float:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_neighbouring_parts_differ_without_colour() -> None:
    names = tuple("abcdefghijkl")
    chart = Stacks("", "", names, (Stack("one", dict.fromkeys(names, 1.0)),))
    fills = [shape.get("fill") or "" for shape in tooltips(parsed(chart_svg(chart)), "rect").values()]
    assert len(set(fills)) == len(names)
    assert all(abs(grey(a) - grey(b)) > 60 for a, b in pairwise(fills))


def test_a_box_goes_from_quartile_to_quartile() -> None:
    picture = parsed(DRAWN["boxes"])
    boxes = tooltips(picture, "rect")
    box = boxes["one: median 4, quartiles 2 and 6, 0 to 10, n = 9"]
    whiskers, median, *_ = (path.get("d", "") for path in picture.iter(f"{SVG}path"))
    assert median.startswith(f"M{number(box, 'x') + number(box, 'width') / 2:.1f} ")  # 4 is in the middle
    assert whiskers.startswith(f"M{number(box, 'x') - number(box, 'width') / 2:.1f} ")  # 0 is 2 below 2
    assert {"n = 9", "n = 1"} <= set(texts(picture))


def test_lines_differ_in_marker_and_dash() -> None:
    picture = parsed(DRAWN["lines"])
    markers = tooltips(picture, "path")
    assert set(markers) == {"one: 100 at 1", "one: 50 at 2", "two: 0 at 2"}
    one, two = (markers[told].get("d", "").split("m")[1] for told in ("one: 50 at 2", "two: 0 at 2"))
    assert one != two
    dashes = {path.get("stroke-dasharray") for path in picture.iter(f"{SVG}line")}
    assert len(dashes) == 2


# --- lines: families, quoted lines, and lines over the time of an episode -----------------------------

OURS = Line("2 agents", (Point(1.0, 0.25), Point(1.5, 0.5), Point(3.0, 1.0)), "2")
PRINTED = Line("GPT-4, 2 agents", (Point(1.0, 0.5), Point(3.0, 0.75)), "2", quoted=True)
MORE = Line("<3> agents", (Point(2.0, 0.0),), "3")


def shares(*lines: Line) -> ET.Element:
    return parsed(chart_svg(Lines("level", "τ", "share", lines, 1.0)))


def strokes(picture: ET.Element) -> list[ET.Element]:
    """The lines themselves, in their order."""
    return [path for path in picture.iter(f"{SVG}path") if path.get("fill") == "none"]


def place(marker: ET.Element) -> tuple[float, float]:
    """Where a marker stands: the first point of its path."""
    x, y = marker.get("d", "").removeprefix("M").split("m")[0].split()
    return float(x), float(y)


def test_every_point_says_what_it_is() -> None:
    assert list(tooltips(shares(OURS, PRINTED, MORE), "path")) == [
        "2 agents: 0.25 at 1",
        "2 agents: 0.5 at 1.5",
        "2 agents: 1 at 3",
        "GPT-4, 2 agents: 0.5 at 1",
        "GPT-4, 2 agents: 0.75 at 3",
        "<3> agents: 0 at 2",
    ]


def test_points_are_to_scale() -> None:
    """A quarter of the height from 0.25 to 0.5, a quarter of the width from 1.0 to 1.5 of 1.0 to 3.0."""
    first, second, third = map(place, tooltips(shares(OURS), "path").values())
    assert round((second[0] - first[0]) / (third[0] - first[0]), 2) == 0.25
    assert round((first[1] - second[1]) / (second[1] - third[1]), 2) == 0.5


def test_a_family_has_one_colour_and_one_marker_and_what_is_quoted_is_dashed_and_hollow() -> None:
    picture = shares(OURS, PRINTED, MORE)
    ours, printed, more = strokes(picture)
    assert ours.get("stroke") == printed.get("stroke") != more.get("stroke")
    assert ours.get("stroke-dasharray") is None and printed.get("stroke-dasharray") is not None
    markers = tooltips(picture, "path")
    mine, quoted = markers["2 agents: 0.25 at 1"], markers["GPT-4, 2 agents: 0.5 at 1"]
    assert mine.get("d", "").split("m")[1] == quoted.get("d", "").split("m")[1]
    assert mine.get("fill") == mine.get("stroke") and quoted.get("fill") == "#ffffff"


def test_the_axis_reaches_1_or_the_highest_value() -> None:
    assert "1" in texts(shares(MORE))
    assert "8" in texts(shares(Line("orders", (Point(0.0, 8.0), Point(1.0, 2.0)))))


def test_lines_without_points_are_an_empty_picture() -> None:
    assert not strokes(shares(Line("nothing", ())))


def test_what_is_drawn_by_powers_of_ten_has_round_numbers_and_equal_distances() -> None:
    line = Line("learnt", (Point(10, 0.1), Point(100, 0.5, 0.4, 0.6), Point(1000, 0.9, 0.8, 1.0)))
    picture = parsed(chart_svg(Lines("curve", "steps", "score", (line,), 1.0, powers=True, bands=True)))
    first, second, third = (place(marker)[0] for marker in tooltips(picture, "path").values())
    assert second - first == pytest.approx(third - second, abs=0.2)
    shown = [text.text for text in picture.iter(f"{SVG}text") if text.get("text-anchor") == "middle"]
    assert shown == ["10", "20", "50", "100", "200", "500", "1000"]
    (band,) = [path for path in picture.iter(f"{SVG}path") if path.get("fill-opacity")]
    assert band.get("d", "").count("L") == 3, "two points have intervals, each with two ends"


def test_many_powers_of_ten_are_told_without_those_between() -> None:
    line = Line("learnt", (Point(3, 0.1), Point(4e6, 0.9)))
    picture = parsed(chart_svg(Lines("curve", "steps", "score", (line,), 1.0, powers=True)))
    shown = [text.text for text in picture.iter(f"{SVG}text") if text.get("text-anchor") == "middle"]
    assert shown == ["10", "100", "1000", "10k", "100k", "1M"]


def over_time(*points: tuple[float, float], full: float) -> ET.Element:
    line = Line("greedy", tuple(Point(time, score) for time, score in points))
    return parsed(chart_svg(Lines("orders over time", "steps", "orders", (line,), full, stepped=True)))


def heights(picture: ET.Element) -> list[str]:
    """What stands along the vertical axis, from below."""
    left = [text for text in picture.iter(f"{SVG}text") if text.get("text-anchor") == "end"]
    return [text.text or "" for text in left][:-1]


SERVED = ((0, 0), (10, 1), (30, 4), (60, 4))


def test_scores_out_of_100_have_an_axis_to_100() -> None:
    assert heights(over_time(*SERVED, full=100.0)) == ["0", "20", "40", "60", "80", "100"]


def test_what_is_counted_has_an_axis_to_the_highest_count() -> None:
    picture = over_time(*SERVED, full=1.0)
    assert heights(picture) == ["0", "1", "2", "3", "4"]
    assert picture.findtext(f"{SVG}desc") == "orders over steps. greedy: 4 after 60 steps"


def test_a_score_holds_until_it_changes() -> None:
    """It goes along to the time of the change, and only there up: four points, three steps."""
    (path,) = strokes(over_time(*SERVED, full=1.0))
    assert "".join(filter(str.isalpha, path.get("d", ""))) == "MHVHVHV"


def test_a_count_of_nothing_is_a_line_along_the_bottom() -> None:
    (path,) = strokes(over_time((0, 0), (60, 0), full=1.0))
    height = path.get("d", "").split("H")[0].split()[1]
    assert path.get("d", "").endswith(f"V{height}"), "as high at the end as at the start"


# --- all -----------------------------------------------------------------------------------------------


def ends(picture: ET.Element) -> Iterator[tuple[float, float]]:
    """The left and right end of every text, as wide as it is at most."""
    for text in picture.iter(f"{SVG}text"):
        width = text_width(text.text or "", float(text.get("font-size") or 0))
        x = float(text.get("x") or 0)
        left = {"end": x - width, "middle": x - width / 2}.get(text.get("text-anchor") or "", x)
        yield left, left + width


names = st.text(max_size=80)
values = st.floats(-1e6, 1e6)


@settings(max_examples=40)
@example([("", 0.0, 5e-324)])
@given(st.lists(st.tuples(names, values, st.floats(0, 100)), min_size=1, max_size=5))
def test_no_text_is_cut_off_whatever_the_names_and_values(rows: list[tuple[str, float, float]]) -> None:
    bars = tuple(Bar(name, value, value - spread, value + spread) for name, value, spread in rows)
    stacks = tuple(Stack(name, {"a": abs(value), "b": spread}) for name, value, spread in rows)
    boxes = tuple(Box(name, v - 2 * s, v - s, v, v + s, v + 2 * s, 5) for name, v, s in rows)
    lines = tuple(Line(name, (Point(spread, value),)) for name, value, spread in rows)
    for drawn in (
        chart_svg(Lines("t", "x", "y", lines, stepped=True)),
        chart_svg(Bars("t", "u", (Group("group", bars),))),
        chart_svg(Stacks("t", "u", ("a", "b"), stacks)),
        chart_svg(Boxes("t", "u", boxes)),
        chart_svg(Lines("t", "x", "y", lines)),
    ):
        picture = parsed(drawn)
        width = float(picture.get("width") or 0)
        assert all(left >= -1 and right <= width + 1 for left, right in ends(picture))


def test_foreign_text_is_escaped() -> None:
    for drawn in (
        chart_svg(Bars(NASTY, NASTY[:9], (Group(NASTY, (Bar(NASTY, 1.0),)),))),
        chart_svg(Stacks(NASTY, "u", (NASTY,), (Stack(NASTY, {NASTY: 1.0}),))),
        chart_svg(Boxes(NASTY, "u", (Box(NASTY, 0, 1, 2, 3, 4, 5),))),
        chart_svg(Lines(NASTY, "x", "y", (Line(NASTY, (Point(0, 1),)),))),
    ):
        assert parsed(drawn).findtext(f"{SVG}title")


def test_charts_of_nothing_are_pictures_too() -> None:
    for drawn in (
        chart_svg(Bars("t", "u", ())),
        chart_svg(Stacks("t", "u", (), ())),
        chart_svg(Boxes("t", "u", ())),
        chart_svg(Lines("t", "x", "y", ())),
    ):
        assert parsed(drawn).findtext(f"{SVG}title") == "t"


@given(st.floats(-1e9, 0), st.floats(1e-6, 1e9))
def test_an_axis_has_a_few_round_numbers_around_its_values(low: float, high: float) -> None:
    axis = Axis(low, high, 0.0, 100.0)
    assert axis.low <= low + 1e-6 * axis.step and axis.high >= high - 1e-6 * axis.step
    assert 2 <= len(axis.ticks()) <= 9
    assert axis.x(axis.low) == 0.0 and axis.x(axis.high) == pytest.approx(100.0)


def test_names_are_cut_in_the_middle() -> None:
    cut = cut_in_the_middle("react@history=none(some-model), synchronous", 12, 150)
    assert cut.startswith("react") and cut.endswith("nous") and "…" in cut
    assert cut_in_the_middle("greedy", 12, 150) == "greedy"


def test_a_heatmap_has_each_figure_in_a_square_the_better_the_darker() -> None:
    """Of 20 to 90 in six shades: 60 is at 40 / 70, the fourth; 90 is the darkest, with light figures."""
    squares = {square.findtext(f"{SVG}title"): square for square in parsed(DRAWN["heatmap"]).iter(f"{SVG}g")}
    fills = {told: square.find(f"{SVG}rect").get("fill") for told, square in squares.items()}
    assert fills["one, one: 90"] == SHADES[5] and fills["one, two: 20"] == SHADES[0]
    assert fills["two, two: 60"] == SHADES[3] and fills["two, one: –"] not in SHADES
    inks = {told: square.find(f"{SVG}text").get("fill") for told, square in squares.items()}
    assert inks["one, one: 90"] == "#ffffff" != inks["two, two: 60"] and DARK > 3
    told = parsed(DRAWN["heatmap"]).findtext(f"{SVG}desc")
    assert told == ("%; rows: left, columns: right. one, one: 90; one, two: 20; two, one: –; two, two: 60")


def test_where_less_is_better_less_is_darker() -> None:
    turned = structs.replace(HEATMAP, higher_is_better=False)
    assert [shade(turned, value) for value in (20.0, 60.0, 90.0)] == [5, 2, 0]
    equal = structs.replace(HEATMAP, cells=((5.0, 5.0), (5.0, None)))
    assert shade(equal, 5.0) == 0


def test_a_heatmap_with_long_names_keeps_all_within_the_picture() -> None:
    names = (NASTY, "b")
    picture = parsed(chart_svg(Heatmap("x", "%", "row", "column", names, names, ((1.0, 2.0), (3.0, 4.0)))))
    width, height = number(picture, "width"), number(picture, "height")
    for text in picture.iter(f"{SVG}text"):
        assert 0 <= number(text, "x") <= width and 0 <= number(text, "y") <= height
