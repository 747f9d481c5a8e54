from __future__ import annotations

import re

from backburner.drawing import timeline_html
from backburner.drawing.timeline.page import compact
from backburner.kernel import registry
from backburner.kernel.episode import Answer, Entry, Episode, Header, Player, read_episode, write_episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply
from backburner.kernel.values import Event, Fault, Refusal, Thought
from drawing.samples import DINNER, parsed


class Scripted:
    """Says its texts one after the other, then gives up."""

    name, informed, settings = "scripted", False, {}

    def __init__(self, texts):
        self.texts = texts

    async def decide(self, turn, memory):
        at = memory or 0
        text = self.texts[at] if at < len(self.texts) else "quit"
        return Reply(text, at + 1, (Thought("plan", f"thought {at}"),))


def dinner():
    return play_now(registry.world("timearena/cooking1+cooking2"), Scripted(DINNER))


def rows(page):
    return [["".join(cell.itertext()) for cell in row] for row in parsed(page).iter("tr")]


def test_the_page_tells_facts_chart_and_steps():
    page = timeline_html(dinner())
    for fact in ("timearena/cooking1+cooking2", "scripted", "minutes=80 errors=5", "ended: quit"):
        assert fact in page
    assert page.count("<svg") == 1
    table = rows(page)
    assert table[0] == ["step", "minute", "answer", "result"]
    # pick rice 0-2, the rice is started at 2, nobody sings in a kitchen at 3
    assert table[1][:2] == ["0", "0"] and "pick rice done at 2; score" in table[1][3]
    assert table[2][:2] == ["1", "2"] and table[2][3] == "cook rice in pot_1 begins"
    assert table[3][:2] == ["2", "3"] and table[3][3] == "refused: unreadable"
    assert "sing" in table[3][2] and "thought 2" in table[3][2]
    assert (
        table[4][3]
        == "refused: dependency violation (missing prerequisite); object: noodle, because: noodle unpicked"
    )


def test_a_record_read_from_its_file_gives_the_same_table(tmp_path):
    episode = dinner()
    write_episode(episode, tmp_path / "dinner.jsonl")
    assert rows(timeline_html(read_episode(tmp_path / "dinner.jsonl"))) == rows(timeline_html(episode))


def header():
    facts = {
        "format": 1,
        "version": "0",
        "world": "w",
        "world_version": 1,
        "id": "w/<one>",
        "scenario": {},
        "scenario_digest": "",
        "rules": {"name": "standard"},
        "limits": {},
        "seed": 7,
        "players": {"left": Player("a"), "right": Player("b", informed=True)},
        "time_unit": "steps",
        "start_digest": "",
        "seats": ("left", "right"),
    }
    return Header(**facts)


def test_two_seats_a_decision_without_text_and_foreign_markup():
    entry = Entry(
        0,
        {"left": Answer({"do": "act", "on": ["a", "b"]}), "right": Answer(text="<script>1</script>")},
        "",
        (Event(0, "start", "left", "stir", "k"), Event(1, "delivered", "", "soup & bread")),
        (Refusal("late", Fault.TIMING, (("by", 2),)),),
    )
    page = timeline_html(Episode(header(), (entry,), None))
    assert "<script" not in page and "<one>" not in page
    assert rows(page) == [
        ["step", "step", "seat", "answer", "result"],
        [
            "0",
            "0",
            "left",
            "do=act on=a b",
            "refused: late (too early or late); by: 2stir begins; delivered: soup & bread",
        ],
        ["0", "0", "right", "<script>1</script>", ""],
    ]
    assert "b (informed) as right" in page
    assert "unfinished record" in page


def test_a_caller_can_put_decisions_into_words():
    entry = Entry(0, {"left": Answer({"do": "wait"})}, "")
    page = timeline_html(Episode(header(), (entry,), None), words=lambda decision: f"please {decision['do']}")
    assert rows(page)[1][3] == "please wait"


def test_the_page_needs_nothing_from_elsewhere():
    page = timeline_html(dinner()).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|<script|@import|<img|href|src=", page)


def test_compact_writes_any_value_in_one_line():
    assert compact({"a": 1, "b": ["x", {"c": None}]}) == "a=1 b=x c=None"
