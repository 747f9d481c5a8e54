from __future__ import annotations

import base64
import json
import re
import zlib
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

from backburner.agents.models.client import ScriptedModel
from backburner.agents.models.policy import model_policy
from backburner.evaluation.transcripts.page import Links, transcript_html, write_transcript
from backburner.evaluation.transcripts.steps import MOST_SHOWN, compact, visible
from backburner.kernel import registry
from backburner.kernel.episode import Answer, Entry, Episode, Header, Player, read_episode, write_episode
from backburner.kernel.play import play_now
from backburner.kernel.values import Event, Fault, Refusal, Thought
from drawing.samples import DINNER
from drawing.samples import parsed as as_xml
from support.scripted import Scripted

RECORD = Path("dinner.jsonl")


def dinner():
    return play_now(registry.world("timearena/cooking1+cooking2"), Scripted(DINNER))


def page_of(episode, **options):
    return transcript_html(RECORD, episode, **options)


def parsed(page):
    """A page as XML, which it is but for its scripts and styles."""
    return as_xml(re.sub(r"(?s)(<style>|<script>).*?(</style>|</script>)", r"\1\2", page))


def steps(page):
    """The words of each step, in pieces."""
    return [
        [text for text in item.itertext() if text.strip()]
        for item in parsed(page).iter("li")
        if item.get("data-step")
    ]


def carried(page):
    """The data that a page's script reads."""
    return json.loads(zlib.decompress(base64.b64decode(parsed(page).find(".//*[@id='data']").text)))


def header(**changed):
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
    return Header(**{**facts, **changed})


# --- what a page tells ------------------------------------------------------------------------------------


def test_the_page_tells_facts_chart_and_steps():
    page = page_of(dinner())
    for fact in ("timearena/cooking1+cooking2", "scripted", "<dt>minutes</dt><dd>80</dd>", "quit", "8 steps"):
        assert fact in page
    assert page.count("<svg") == 2  # the chart, and the board
    # pick rice 0-2, the rice is started at 2, nobody sings in a kitchen at 3
    told = steps(page)
    assert told[0][:2] == ["step 0", "0 minutes"] and any("pick rice done at 2" in text for text in told[0])
    assert told[1][:2] == ["step 1", "2 minutes"] and told[1][-1] == "cook rice in pot_1 begins"
    assert told[2][:3] == ["step 2", "3 minutes", "first refusal"]
    assert {"thought 2", "sing", "not read as any decision", "refused: unreadable"} <= set(told[2])
    assert told[3][-3:] == [
        "refused: dependency violation",
        "missing prerequisite",
        " object: noodle, because: noodle unpicked",
    ]


def test_each_step_has_an_anchor_and_its_frame():
    page = page_of(dinner())
    film = carried(page)["film"]
    anchors = [item.get("id") for item in parsed(page).iter("li")]
    assert anchors == [f"step-{number}" for number in range(len(DINNER) + 1)]
    assert film["steps"] == [-1, *range(len(DINNER) + 1)]
    assert all(before <= after for before, after in pairwise(film["times"]))


def test_a_record_read_from_its_file_gives_the_same_steps(tmp_path):
    episode = dinner()
    write_episode(episode, tmp_path / "dinner.jsonl")
    assert steps(page_of(read_episode(tmp_path / "dinner.jsonl"))) == steps(page_of(episode))


def test_scenes_are_carried_where_a_world_can_be_drawn():
    episode = play_now(registry.world("robotouille/synchronous/1@seed=42"), Scripted(("wait", "wait")))
    page = page_of(episode)
    assert page.count('class="scene"') == 1
    assert any(actor["name"] == "body robot1" for actor in carried(page)["film"]["actors"])
    assert parsed(page).find(".//*[@id='controls']").get("hidden") == "hidden"


def test_two_seats_a_decision_without_text_and_foreign_markup():
    entry = Entry(
        0,
        {"left": Answer({"do": "act", "on": ["a", "b"]}), "right": Answer(text="<script>1</script>")},
        "",
        (Event(0, "start", "left", "stir", "k"), Event(1, "delivered", "", "soup & bread")),
        (Refusal("late", Fault.TIMING, (("by", 2),)),),
    )
    page = page_of(Episode(header(), (entry,), None))
    assert page.count("<script") == 2 and "<one>" not in page
    (told,) = steps(page)
    assert told[3:5] == ["left", "do=act on=a b"]
    assert told[5:7] == ["right", "<script>1</script>"]
    assert told[-3:] == ["too early or late", " by: 2", "stir begins; delivered: soup & bread"]
    assert "<dt>right, agent</dt><dd>b (informed)</dd>" in page and "not finished" in page
    assert "unknown world" in page  # so that there are neither scenes nor words


def test_a_long_answer_that_is_read_as_it_stands_is_told_once():
    said = "analysis: " + "I look around. " * 40 + "\nplan: wait(1)\nsay: [NOTHING]"
    world = registry.world("collab_overcooked/baked_bell_pepper")
    page = page_of(play_now(world, Scripted((said, said))))
    assert "plan: wait(1)" in " ".join(steps(page)[0]) and "read as " not in steps(page)[0]
    assert {"0 steps", "1 step"} <= {step[1] for step in steps(page)}


def test_the_page_carries_what_each_seat_was_told_where_nobody_was_prompted():
    page = page_of(dinner())
    told = carried(page)["told"]
    assert set(told) == {str(number) for number in range(len(DINNER) + 1)}
    assert "rice" in told["1"]["agent"]
    folded = [e for e in parsed(page).iter("details") if e.get("class") == "sent"]
    assert [e.get("data-of") for e in folded] == list(told)
    assert "scripted: no language model was prompted" in page


def test_an_answer_that_never_came_is_a_step_with_the_error():
    world = registry.world("timearena/cooking1")
    model = ScriptedModel(["pick beef"], then="fail")
    page = page_of(play_now(world, model_policy("act", world, model)))
    assert steps(page)[1][:3] == ["step 1", "2 minutes", "no answer"]
    assert steps(page)[1][-1] == "the script ends after 1 replies"
    ((message, kept, others, answer),) = carried(page)["sent"]["calls"]["1"]["agent"]
    assert (message, kept, len(others), answer) == ("act", 1, 2, None)


# --- files and links --------------------------------------------------------------------------------------


def test_pages_of_a_folder_share_style_and_script(tmp_path):
    episode = dinner()
    links = Links(report="../report.html", record="../a%20b.jsonl", following="two.html#step-3")
    for name in ("one.html", "two.html"):
        write_transcript(RECORD, episode, tmp_path / "pages" / name, links=links)
    assert {file.name for file in (tmp_path / "pages").iterdir()} == {
        "one.html",
        "two.html",
        "transcript.css",
        "transcript.js",
    }
    page = (tmp_path / "pages" / "one.html").read_text()
    assert 'src="transcript.js"' in page and 'href="transcript.css"' in page
    found = [(link.get("href"), link.text) for link in parsed(page).find(".//nav")]
    assert found == [
        ("../report.html", "report"),
        ("two.html#step-3", "next episode ▸"),
        ("../a%20b.jsonl", "record"),
    ]


def test_a_page_by_itself_needs_nothing_from_elsewhere():
    page = page_of(dinner()).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|@import|<img|<link|src=", page)
    assert "default-src 'none'" in unescape(page) and "sha256-" in page


# --- foreign words ----------------------------------------------------------------------------------------


def test_what_nobody_sees_is_made_visible():
    assert visible("a\x00b\x1b[2J\u202egnp\u200b\r\nnext\tcell") == (
        "a⟨0000⟩b⟨001B⟩[2J⟨202E⟩gnp⟨200B⟩\nnext\tcell"
    )
    assert visible("naïve 厨房 🍳") == "naïve 厨房 🍳"


def test_a_megabyte_is_cut_with_a_note():
    answer = Answer(text="x" * 1_000_000)
    (told,) = steps(page_of(Episode(header(), (Entry(0, {"left": answer}, ""),), None)))
    assert "x" * MOST_SHOWN in told
    assert f"… {1_000_000 - MOST_SHOWN} more characters stand in the record" in told


@pytest.mark.parametrize("text", ["</pre><script>alert(1)</script>", "]]>", "&lt;b&gt;", "\x00<"])
def test_no_answer_leaves_its_place(text):
    answer = Answer(text=text, unread=Refusal("x", Fault.UNREADABLE), thoughts=(Thought(text, text),))
    page = page_of(Episode(header(), (Entry(0, {"left": answer}, ""),), None))
    assert page.count("<script") == 2
    assert "".join(steps(page)[0]).count(visible(text)) == 3


def test_compact_writes_any_value_in_one_line():
    assert compact({"a": 1, "b": ["x", {"c": None}]}) == "a=1 b=x c=None"
