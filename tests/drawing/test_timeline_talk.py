"""What is said stands above the lane of who says it, at its time, in full in a tooltip."""

from __future__ import annotations

from backburner.drawing.timeline import timeline_svg, timeline_text
from backburner.drawing.timeline.marks import bubbles
from backburner.kernel.values import Event
from drawing.samples import SVG, did, in_time, parsed
from drawing.test_timeline_terminal import lines

LONG = "Please cut the onion, put the slices on a counter, and then bring me a dish from over there <b>"

# The chef works from 0 to 4 and 6 to 20, asks at 2 and at 20; the assistant answers at 2 and does nothing.
TALK = in_time(
    did("chef", "boil egg", 0, 4),
    did("chef", "bake egg", 6, 20),
    [
        Event(2, "said", "chef", LONG),
        Event(2, "said", "assistant", "Yes."),
        Event(20, "said", "chef", "Done?"),
    ],
)


def drawn(svg: str) -> dict[str, list[str | None]]:
    """The tooltip and the visible words of each bubble, by lane's place."""
    lanes = [g for g in parsed(svg).iter(f"{SVG}g") if "lane" in g.get("class", "").split()]
    found = {}
    for index, lane in enumerate(lanes):
        told = [g for g in lane.iter(f"{SVG}g") if g.get("class") == "bubble"]
        found[str(index)] = [part.findtext(f"{SVG}title") for part in told]
    return found


def test_every_lane_has_its_own_bubbles_with_all_words_in_the_tooltip() -> None:
    assert drawn(timeline_svg(TALK, unit="steps")) == {
        "0": [f"chef, at 2 steps\n{LONG}", "chef, at 20 steps\nDone?"],
        "1": ["assistant, at 2 steps\nYes."],
    }


def test_bubbles_stay_in_the_picture_and_off_each_other() -> None:
    """Each time is 10 pixels; three long bubbles from the same moment stand in three rows."""
    said = [Event(time, "said", "chef", LONG) for time in (2, 2, 2, 59, 60)]
    placed = bubbles(said, lambda time: 10 * time, 0, 600)
    assert [bubble.row for bubble in placed] == [0, 1, 2, 0, 1]
    assert all(bubble.x >= 0 and bubble.x + bubble.width <= 600 for bubble in placed)
    assert all(bubble.x <= bubble.at <= bubble.x + bubble.width for bubble in placed)
    assert all(bubble.label.endswith("…") for bubble in placed)


def test_lanes_grow_by_what_is_said_in_them() -> None:
    """A lane with one row of bubbles is 21 pixels higher; the bars keep their size."""
    quiet = [event for event in TALK if event.what != "said"]
    talk = [*quiet, Event(2, "said", "chef", "Yes.")]
    heights = [float(parsed(timeline_svg(events)).get("height", "0")) for events in (quiet, talk)]
    assert heights[1] - heights[0] == 21


def test_the_terminal_marks_the_moment_and_lists_the_words() -> None:
    """Six cells a step: the marks stand in cells 12 and 119, the last."""
    marks, chef, other, assistant, *_, first, answer, last = lines(
        timeline_text(TALK, unit="steps", width=140)
    )
    assert marks.strip() == '"' + " " * 106 + '"' and marks.rstrip().endswith('"')
    assert chef.startswith("chef") and assistant.startswith("assistant") and other.strip() == '"'
    assert first.split(maxsplit=2) == ["chef", "2", LONG]
    assert answer.split() == ["assistant", "2", "Yes."] and last.split() == ["chef", "20", "Done?"]
