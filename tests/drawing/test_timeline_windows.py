"""Windows of time below their lanes: as long as they are, beside each other, in words."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from backburner.drawing import palette, timeline_svg, timeline_text
from backburner.drawing.svg import text_width
from backburner.drawing.timeline.marks import LABEL, brackets
from backburner.kernel.assessment import Window
from drawing.samples import (
    SVG,
    TEA_LIMITS,
    bars,
    did,
    event_lists,
    parsed,
    shown,
    tea,
    window_lists,
)


class Drawn(NamedTuple):
    """A window as it was drawn: its tooltip, its state, where its line runs, its label."""

    told: str
    state: str
    x: float
    y: float
    width: float
    label: str | None
    dots: int
    colours: frozenset[str]


def drawn(svg: str) -> list[Drawn]:
    found = []
    for group in parsed(svg).iter(f"{SVG}g"):
        kind, _, state = group.get("class", "").partition(" ")
        if kind != "window" or not group.findtext(f"{SVG}title"):  # those of the legend tell nothing
            continue
        line, *_ = (path.get("d") for path in group.iter(f"{SVG}path"))
        x, _, rest = line.removeprefix("M").partition(" ")
        y, _, width = rest.partition("h")
        colours = {path.get("stroke") for path in group.iter(f"{SVG}path")}
        dots = sum(1 for _ in group.iter(f"{SVG}circle"))
        told, label = group.findtext(f"{SVG}title"), group.findtext(f"{SVG}text")
        found.append(Drawn(told, state, float(x), float(y), float(width), label, dots, frozenset(colours)))
    return found


def test_each_window_is_told_with_its_times_and_what_became_of_it() -> None:
    assert [one.told for one in drawn(timeline_svg(tea(), windows=TEA_LIMITS))] == [
        "cup within 1 of boiling\n8–9 minutes, too late",
        "tea within 2 of boiling\n8–10 minutes, in time: at 8",
        "descale by 30\n9–30 minutes, still open",
    ]


def test_a_bracket_is_as_long_as_its_window() -> None:
    """The last window makes the picture 30 minutes long, at least 900 pixels: 30 a minute."""
    cup, tea_, descale = drawn(timeline_svg(tea(), windows=TEA_LIMITS))
    minute = cup.width
    assert minute >= 30
    assert (round(tea_.width / minute, 2), round(descale.width / minute, 2)) == (2, 21)
    assert cup.x == tea_.x and abs(descale.x - cup.x - minute) < 0.02


def test_brackets_stand_below_the_bars_of_their_lane() -> None:
    svg = timeline_svg(tea(), windows=TEA_LIMITS)
    of_agent = [bar for bar in bars(svg) if "(agent)" in bar.told]
    (boiling,) = (bar for bar in bars(svg) if "(kettle)" in bar.told)
    cup, tea_, descale = drawn(svg)
    assert max(bar.y + bar.height for bar in of_agent) < min(cup.y, tea_.y) < max(cup.y, tea_.y) < boiling.y
    assert boiling.y + boiling.height < descale.y


def test_what_was_missed_has_a_colour_and_a_cross_of_its_own_and_what_was_kept_a_dot() -> None:
    by_state = {one.state: one for one in drawn(timeline_svg(tea(), windows=TEA_LIMITS))}
    assert by_state["missed"].colours == {palette.MISSED}
    assert palette.MISSED not in by_state["kept"].colours | by_state["open"].colours
    assert [by_state[state].dots for state in ("kept", "missed", "open")] == [1, 0, 0]


def test_the_legend_has_the_states_that_there_are() -> None:
    for count, words in enumerate(("in time", "too late", "still open"), 1):
        text = shown(timeline_svg(tea(), windows=TEA_LIMITS[:count]))
        assert f"limit: {words}" in text
    assert "limit:" not in shown(timeline_svg(tea()))


def test_a_window_without_activities_has_a_lane_of_its_own() -> None:
    svg = timeline_svg(did("cook", "salad", 0, 5), windows=[Window("counter", "order 1", 0, 4, "missed")])
    lanes = [text.text for text in parsed(svg).iter(f"{SVG}text") if "name" in text.get("class", "")]
    assert lanes == ["cook", "counter"]


def test_labels_stand_on_the_right_where_there_is_room_and_else_on_the_left() -> None:
    """A hundred minutes on 100 to 500, four pixels each. A label of ten letters takes about 60."""
    early, late = Window("cook", "ten lettrs", 10, 20, "kept"), Window("cook", "ten lettrs", 80, 96, "kept")
    one, two = brackets([early, late], lambda time: 100 + 4 * time, 100, 500)
    assert (one.x, one.width, one.after, one.edge) == (140, 40, True, 188)
    assert (two.x, two.width, two.after, two.edge) == (420, 64, False, 412)
    assert one.row == two.row == 0


def test_what_would_meet_stands_in_another_row() -> None:
    """10-20, 15-25 and, with room for the first label in between, 60-70."""
    windows = [Window("cook", "label", begin, begin + 10, "kept") for begin in (10, 15, 60)]
    assert [one.row for one in brackets(windows, lambda time: 4 * time, 0, 400)] == [0, 1, 0]


@given(window_lists(), st.floats(0.5, 20), st.floats(200, 2000))
def test_no_bracket_or_label_meets_another_or_leaves_the_picture(
    windows: list[Window], scale: float, width: float
) -> None:
    right = max(width, *(scale * window.closes for window in windows)) if windows else width
    placed = brackets(windows, lambda time: scale * time, 0, right)
    assert len(placed) == len(windows)
    for one, other in combinations(placed, 2):
        apart = one.span[1] < other.span[0] or other.span[1] < one.span[0]
        assert apart or one.row != other.row
    for one in placed:
        label = text_width(one.label, LABEL)
        begin = one.edge if one.after else one.edge - label
        assert not one.label or (begin >= 0 and begin + label <= right)


@given(event_lists(), window_lists())
def test_any_windows_can_be_drawn(events, windows) -> None:
    svg = timeline_svg(events, windows=windows)
    # markup does not know all characters, so only the windows are counted
    assert svg.count('class="window ') - len({window.state for window in windows}) == len(windows)
    parsed(svg)


# --- in the terminal ------------------------------------------------------------------------------


def lines(drawing, width=200) -> list[str]:
    console = Console(width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(drawing)
    return [line.rstrip() for line in capture.get().splitlines()]


def test_tea_with_limits_in_seventy_cells() -> None:
    """70 cells less the names (7) and a blank are 62 for 30 minutes: two a minute."""
    assert lines(timeline_text(tea(), width=70, windows=TEA_LIMITS)) == [
        "agent   ▸─▐wash…xx······▐███",
        "                        └─!",
        "                        └───┘",
        "kettle  ▐boil water█████",
        "                          └────────────────────────────────────────?",
        "        ┬─────────┬─────────┬─────────┬─────────┬─────────┬─────────",
        "minutes 0         5         10        15        20        25",
        "score   ▁▁▁▁▁▁▁▁▃▃▃▃▃▃▃▃▆▆▆▆████████████████████████████████████ 100",
        "        ▐█ work  ▸ starts something  · waits  x refused  └┘ in time  …",
        "        too late: cup within 1 of boiling",
    ]


def test_the_list_tells_every_window() -> None:
    told = lines(timeline_text(tea(), width=100, windows=TEA_LIMITS, listing=True))
    assert "tea within 2 of boiling 8–10 minutes, in time: at 8" in told


@given(event_lists(), window_lists(), st.integers(1, 150))
def test_any_windows_fit_the_width(events, windows, width) -> None:
    drawing = lines(timeline_text(events, width=width, windows=windows, listing=True), width=300)
    assert all(cell_len(line) <= width for line in drawing)
