from __future__ import annotations

import re
from collections import Counter

from hypothesis import given

from backburner.drawing import timeline_svg
from backburner.drawing.timeline.chart import Chart, told
from backburner.kernel.activities import activities
from backburner.kernel.values import Event
from drawing.samples import SVG, bars, did, event_lists, in_time, kitchen, parsed, shown, tea


def test_every_activity_is_there_once_with_its_times():
    told_of = Counter(bar.told for bar in bars(timeline_svg(tea())))
    assert told_of == Counter(
        [
            "start boil water (agent)\n0–1 minutes, lasts 1 minute",
            "boil water (kettle)\n0–8 minutes, lasts 8 minutes",
            "wash cup (agent)\n1–4 minutes, lasts 3 minutes",
            "refused: too_early (agent)\n4–5 minutes, lasts 1 minute",
            "wait (agent)\n5–8 minutes, lasts 3 minutes",
            "make tea (agent)\n8–10 minutes, lasts 2 minutes",
        ]
    )


def test_a_kitchen_episode_is_drawn_as_it_went():
    events = kitchen()
    drawn = bars(timeline_svg(events, title="dinner"))
    assert Counter(bar.told for bar in drawn) == Counter(told(a, "minutes") for a in activities(events))
    kinds = Counter(kind for bar in drawn for kind in bar.classes & {"wait", "refused", "start"})
    # "sing" and the noodles are refused, two waits, the rice is started
    assert kinds == {"refused": 2, "wait": 2, "start": 1}


def test_a_bar_is_as_long_as_its_activity():
    by_label = {bar.told.split(" (")[0]: bar for bar in bars(timeline_svg(tea()))}
    boil, wash = by_label["boil water"], by_label["wash cup"]
    # every bar leaves the same small gap to the next one, so the difference is 8 - 3 = 5 minutes;
    # a picture is at least 900 pixels wide, 90 for each of the 10 minutes
    minute = (boil.width - wash.width) / 5
    assert minute >= 90
    assert abs(wash.x - boil.x - minute) < 0.02


def test_the_act_of_starting_is_slim_and_tied_to_what_it_starts():
    svg = timeline_svg(tea())
    (start,) = (bar for bar in bars(svg) if "start" in bar.classes)
    (wash,) = (bar for bar in bars(svg) if bar.told.startswith("wash cup"))
    assert start.height == wash.height / 2
    (threads,) = (path for path in parsed(svg).iter(f"{SVG}path") if path.get("class") == "threads")
    assert threads.get("d").count("M") == 1


def test_two_bodies_that_say_the_same_have_not_started_each_other():
    chart = Chart(did("agent_0", "wait", 0, 1, "wait") + did("agent_1", "wait", 0, 1, "wait"))
    assert not chart.started


def test_bodies_stand_on_top_those_that_are_named_in_the_given_order():
    events = in_time(
        did("oven", "bake", 0, 9),
        did("robot", "wait", 1, 2, "wait"),
        did("grill", "roast", 2, 5),
        did("cook", "taste", 3, 4),
    )
    assert [lane.name for lane in Chart(events).lanes] == ["robot", "oven", "grill", "cook"]
    assert [lane.name for lane in Chart(events, ("cook",)).lanes] == ["cook", "robot", "oven", "grill"]
    named = ("robot", "cook", "nobody")
    assert [lane.name for lane in Chart(events, named).lanes] == ["robot", "cook", "oven", "grill"]


def test_what_runs_when_the_record_stops_is_marked():
    unfinished = [*tea(), Event(10, "start", "agent", "drink", "d"), Event(12, "said", "agent", "ah")]
    (torn,) = (bar for bar in bars(timeline_svg(unfinished)) if "unfinished" in bar.classes)
    assert torn.told == "drink (agent)\n10–12 minutes, lasts 2 minutes, unfinished"
    assert "unfinished" in shown(timeline_svg(unfinished))
    assert "unfinished" not in shown(timeline_svg(tea()))


def test_giving_up_leaves_the_rice_unfinished():
    # started at 2 for 4 minutes; the agent gives up at 3
    torn = [
        bar.told
        for bar in bars(timeline_svg(kitchen(["pick rice", "cook rice in pot_1", "quit"])))
        if "unfinished" in bar.classes
    ]
    assert torn == ["cook rice in pot_1 (pot_1)\n2–3 minutes, lasts 1 minute, unfinished"]


def test_activities_of_one_lane_that_overlap_stand_below_each_other():
    both = bars(
        timeline_svg(in_time(did("pot", "rice", 0, 4), did("pot", "soup", 2, 6), did("pot", "tea", 4, 8)))
    )
    rice, tea_, soup = both  # row by row
    assert rice.y == tea_.y < soup.y


def test_the_legend_names_what_is_there_and_nothing_else():
    assert "refused" in shown(timeline_svg(tea()))
    plain = shown(timeline_svg(did("agent", "wash", 0, 3)))
    assert not re.search("refused|waits|unfinished|starts|by itself", plain)


def test_foreign_text_is_escaped():
    svg = timeline_svg(did("<b>&", '<script>alert("1")</script>\x00', 0, 40), title="a < b & c", unit="<min>")
    assert "<script" not in svg
    assert "<b>" not in svg
    assert "a < b & c" in shown(svg)
    assert bars(svg)[0].told.startswith('<script>alert("1")</script>\ufffd (<b>&)')


def test_the_picture_needs_nothing_from_elsewhere():
    svg = timeline_svg(tea(), title="tea").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|<script|@import|<image|href", svg)


def test_long_episodes_grow_wider_and_number_the_axis_sparsely():
    events = in_time(*(did("agent", f"step {i}", i, i + 1) for i in range(300)))
    svg = timeline_svg(events)
    assert min(bar.width for bar in bars(svg)) > 10
    labels = [text.text for text in parsed(svg).iter(f"{SVG}text") if (text.text or "").isdigit()]
    assert labels[:3] == ["0", "5", "10"]
    assert labels[-1] == "300"


def test_an_episode_without_events_is_an_empty_picture():
    assert bars(timeline_svg([])) == []


@given(event_lists())
def test_any_events_can_be_drawn(events):
    svg = timeline_svg(events, title="any")
    drawn = bars(svg)
    assert len(drawn) == len(activities(events))
    lanes = [g for g in parsed(svg).iter(f"{SVG}g") if "lane" in g.get("class", "").split()]
    speaking = {event.lane for event in events if event.what == "said"}
    assert len(lanes) == len(speaking | {activity.lane for activity in activities(events)})


@given(event_lists())
def test_no_bar_covers_another(events):
    lasting = [bar for bar in bars(timeline_svg(events)) if "lasts 0 " not in bar.told]
    for index, bar in enumerate(lasting):
        assert not any(bar.meets(other) for other in lasting[index + 1 :])
