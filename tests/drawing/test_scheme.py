"""Pictures in the dark: colours become variables, and what can be read in the light can be read there."""

from __future__ import annotations

import pytest

from backburner.drawing import palette
from backburner.drawing.charts import chart_svg
from backburner.drawing.charts.axes import COLOURS
from backburner.drawing.palette import PAPER, contrast, dark, dark_variables, themed
from backburner.kernel.charts import Bar, Bars, Group


def test_fills_and_strokes_are_variables_and_texts_stay() -> None:
    name = 'fill="#ffffff" #1f2933'
    chart = Bars("bars", "%", (Group(name, (Bar("own", 3.0),)),))
    picture = themed(chart_svg(chart))
    assert 'fill="var(--c-1f2933,#1f2933)"' in picture
    assert 'fill="#' not in picture and 'stroke="#' not in picture
    assert "fill=&quot;#ffffff&quot; #1f2933" in picture
    assert themed('<rect fill="#fff"/><style>.a { stroke: #c0271d }</style>') == (
        '<rect fill="var(--c-ffffff,#fff)"/><style>.a { stroke: var(--c-c0271d,#c0271d) }</style>'
    )


def test_the_dark_values_of_what_a_page_uses_are_told_once() -> None:
    page = themed('<a fill="#ffffff"/><b fill="#fff"/><c stroke="#1f2933"/>')
    assert dark_variables(page) == f"--c-1f2933: {dark('#1f2933')}; --c-ffffff: {PAPER};"


@pytest.mark.parametrize(
    ("front", "back"),
    [
        (palette.INK, "#ffffff"),
        (palette.INK, palette.BAND),
        (palette.MUTED, "#ffffff"),
        *((palette.ON_HANDS, colour) for colour in palette.BODIES),
        (palette.REFUSED, palette.REFUSED_FILL),
        *((palette.INK, colour) for colour in palette.ALONE),
    ],
)
def test_words_can_be_read_in_the_dark(front: str, back: str) -> None:
    """WCAG 2.2 asks for 4.5 of words, and the light scheme has it."""
    assert contrast(front, back) >= 4.5
    assert contrast(dark(front), dark(back)) >= 4.4


@pytest.mark.parametrize("colour", [*COLOURS, *palette.ALONE, palette.HANDS, palette.REFUSED])
def test_lines_stand_out_in_the_dark_as_in_the_light(colour: str) -> None:
    assert contrast(dark(colour), PAPER) == pytest.approx(contrast(colour, "#ffffff"), rel=0.1)


def test_contrasts_are_those_of_the_guideline() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # a known example


@pytest.mark.parametrize("wrong", ["red", "#12345", "#1F2933", "url(#a)"])
def test_other_words_for_colours_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="no colour"):
        dark(wrong)
