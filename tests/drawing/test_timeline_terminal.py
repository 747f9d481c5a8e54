from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from backburner.drawing import timeline_text
from backburner.drawing.timeline.chart import Chart
from backburner.kernel.values import Event
from drawing.samples import did, event_lists, in_time, kitchen, tea


def lines(drawing, width=200):
    console = Console(width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(drawing)
    return [line.rstrip() for line in capture.get().splitlines()]


def test_tea_in_fifty_cells():
    # 50 cells less the names (7) and a blank are 42 for 10 minutes: 4 cells a minute
    assert lines(timeline_text(tea(), width=50)) == [
        "agent   ▸───▐wash cup███xxxx············▐make t…",
        "kettle  ▐boil water█████████████████████",
        "        ┬───────┬───────┬───────┬───────┬───────",
        "minutes 0       2       4       6       8",
        "score   ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▆▆▆▆ 100",
        "        ▐█ work  ▸ starts something  · waits  x r…",
    ]


def test_narrow_terminals_get_fewer_cells_a_minute():
    # 30 cells: 22 for 10 minutes, 2 a minute
    assert lines(timeline_text(tea(), width=30))[:2] == [
        "agent   ▸─▐wash…xx······▐███",
        "kettle  ▐boil water█████",
    ]


def test_long_episodes_share_cells_and_a_refusal_stays_visible():
    steps = [did("agent", f"s{i}", i, i + 1) for i in range(400)]
    steps[200] = did("agent", "no", 200, 201, "refused")
    agent = lines(timeline_text(in_time(*steps), width=60))[0]
    assert cell_len(agent) <= 60
    assert agent.count("x") == 1


def test_the_list_tells_every_activity():
    told = lines(timeline_text([*tea(), Event(10, "start", "agent", "drink", "d")], width=80, listing=True))
    assert "agent         1–4  wash cup (3 minutes)" in told
    assert "agent         4–5  refused: too_early (1 minute)" in told
    assert "agent       10–10  drink (0 minutes, unfinished)" in told


def test_markup_and_control_characters_in_names_do_nothing():
    drawing = timeline_text(did("[red]pot\x1b[2J", "[/]boil\nover", 0, 30), width=80, listing=True)
    first, *_, last = lines(drawing)
    assert first.startswith(r"[red]pot\x1b[2J ")
    assert "[/]boil over" in last


def test_a_kitchen_episode_has_a_row_for_agent_and_pot():
    agent, pot, *_ = lines(timeline_text(kitchen(), width=100))
    assert agent.startswith("agent") and "x" in agent and "·" in agent and "▸" in agent
    assert pot.startswith("pot_1") and "cook rice" in pot


@given(event_lists(), st.integers(1, 150), st.booleans())
def test_any_events_fit_the_width_with_a_row_for_each_lane(events, width, listing):
    chart = Chart(events)
    drawn = lines(timeline_text(events, width=width, listing=listing), width=300)
    assert all(cell_len(line) <= width for line in drawn)
    below = 3 + chart.scored + len(chart.said) + (1 + len(chart.activities) if listing else 0)
    assert len(drawn) == len(chart.lanes) + sum(bool(lane.said) for lane in chart.lanes) + below
