"""Small multiples: which charts are panels of one picture, and what they share."""

from __future__ import annotations

from backburner.drawing.charts.panels import in_panels, panels_html
from backburner.kernel.charts import Bar, Bars, Group, Line, Lines, Point


def chart(title: str, *names: str, y: str = "score", top: float = 1.0) -> Lines:
    lines = (Line(name, (Point(0, 0), Point(4, top))) for name in names)
    return Lines(title, "minutes", y, tuple(lines), stepped=True)


def test_neighbours_with_the_same_axes_are_panels_and_others_stand_alone() -> None:
    bars = Bars("bars", "%", (Group("a", (Bar("b", 1.0),)),))
    one, other, apart = chart("one", "a"), chart("other", "b"), chart("apart", "a", y="orders")
    assert in_panels([one, other, bars, apart]) == [[one, other], [bars], [apart]]
    crowded = [chart("many", *map(str, range(9))), chart("more", *map(str, range(9, 18)))]
    assert in_panels(crowded) == [[crowded[0]], [crowded[1]]], "18 lines are no key that anybody reads"


def test_panels_share_one_key_their_looks_and_their_height() -> None:
    html = panels_html([chart("<one>", "a", "b", top=10.0), chart("two", "b", top=5.0)])
    key, _, pictures = html.partition('<div class="panels">')
    assert [key.count(f"<span>{name}</span>") for name in "ab"] == [1, 1]
    assert "&lt;one&gt;" in pictures and "<one>" not in html
    one, two = pictures.split("<figure>")[1:]
    # b is the second line of both: same colour; ten is at the top of both
    assert one.count('stroke="#ee6677"') == two.count('stroke="#ee6677"') == 1
    assert ">10</text>" in one and ">10</text>" in two
    assert "b: 5 after 4 minutes" in two, "in words, for those who cannot see it"


def test_as_many_lines_as_have_a_key_look_different() -> None:
    html = panels_html([chart("one", *map(str, range(12))), chart("two", "0")])
    key = html.partition('<div class="panels">')[0]
    looks = [swatch.partition("<line")[2].partition("/>")[0] for swatch in key.split("<svg")[1:]]
    assert len(looks) == len(set(looks)) == 12
