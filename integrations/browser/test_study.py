"""A participant's whole study: consent, a check, a game, the questionnaire, the code at the end; and the
researcher's page meanwhile."""

from __future__ import annotations

import base64
import csv
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from served import Photograph, Site, Somebody, until

POT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAMAAABg3Am1AAAACVBMVEUAAABajLTmljxta7sGAAAAKElEQVR42mNgJB"
    "EwjGoY1UCEBiYcYFTDqIZRDaMaBkrDaOk9qoECDQC6LQtBBsvNlAAAAABJRU5ErkJggg=="
)
"""A picture of two squares."""

STUDY = """
format = 1
name = "tea"
title = "title"
language = "en"
contact = "contact"

[design]
teams = 4

[play]
lessons = true
offers = ["recipes", "help"]

[[conditions]]
name = "alone"
seats = { "*" = "person" }

[[levels]]
name = "tea"
scenarios = ["timearena/household1"]

[[stages]]
kind = "consent"
name = "consent"
title = "consent.title"
text = "consent"
boxes = ["consent.adult"]

[[stages]]
kind = "form"
name = "understood"
questionnaire = "understood"

[[stages]]
kind = "trials"
name = "games"
each = [
    { kind = "play", name = "game" },
    { kind = "form", name = "after", questionnaire = "after" },
]

[[questionnaires]]
name = "understood"
items = [
    { kind = "choice", name = "goal", text = "goal", check = "comprehension", correct = "tea", options = [
        { value = "tea", text = "goal.tea" },
        { value = "rice", text = "goal.rice" },
    ] },
]

[[questionnaires]]
name = "after"
use = "mindagent"
items = [{ kind = "text", name = "plan", text = "plan", lines = 3, required = false }]

[recruitment]
participant = "PROLIFIC_PID"
codes = { complete = "TEA-DONE" }

[texts.en]
title = "A cup of tea"
contact = "Ask the people of this test."
"consent.title" = "Before you begin"
consent = '''
# What you do

You make tea **once**. *Nothing else* is asked of you, and taking part is **voluntary**.

1. Read.
2. Play.

See [the board](https://board.example/tea).

![Two squares, one in the other](pot.png)
'''
"consent.adult" = "I am at least 18 years old."
goal = "What is to be made?"
"goal.tea" = "a cup of tea"
"goal.rice" = "a bowl of rice"
plan = "What was your plan?"
"""


def stage(page: Page) -> str:
    return str(page.locator("main[data-stage]").get_attribute("data-stage"))


def answers(page: Page) -> int:
    """The fourth point of every scale; how many there are."""
    names = page.eval_on_selector_all(
        'input[type="radio"]', "all => [...new Set(all.map(each => each.name))]"
    )
    for name in names:
        page.locator(f'input[name="{name}"]').nth(3).check()
    return len(names)


def message(researcher: Page, page: Page, words: str) -> None:
    """The researcher writes to all, and a participant has read it."""
    researcher.get_by_role("button", name="Message to all").click()
    researcher.locator("dialog textarea").fill(words)
    researcher.get_by_role("button", name="Send").click()
    expect(page.locator(".message p")).to_have_text(words)
    page.get_by_role("button", name="I have read it").click()
    expect(page.locator(".message")).to_have_count(0)


@pytest.fixture
def study(tmp_path: Path, command: Callable[..., str]) -> Any:
    """The study's server; its file checks."""
    file = tmp_path / "tea.toml"
    file.write_text(STUDY, encoding="utf-8")
    (tmp_path / "pot.png").write_bytes(POT)
    command("study", "check", file)
    found = Site(tmp_path / "tea-data", "study", "serve", str(file))
    yield found
    found.stop()


def test_a_participant_s_whole_study(
    study: Site, sitting: Any, command: Callable[..., str], pictures: Photograph, tmp_path: Path
) -> None:
    """Slips are explained, the page is loaded again in the middle, the server is killed in the game."""
    ann: Somebody = sitting(study, "", "study/tea?PROLIFIC_PID=5f3e", width=800)
    page = ann.page
    watch: Page = sitting(study, study.secret, "researcher/tea", width=1100).page
    expect(watch.locator("tr.here th")).to_have_count(1)
    until(lambda: page.locator("main[data-stage=consent]").count() > 0, page, "consent")
    shown = page.locator(".prose img")
    expect(shown).to_have_attribute("alt", "Two squares, one in the other")
    until(lambda: shown.evaluate("it => it.complete && it.naturalWidth > 0"), page, "the picture")
    expect(page.locator(".prose strong")).to_have_text(["once", "voluntary"])
    assert page.locator(".prose a").count() == 0, "links lead nowhere"
    pictures(page, "study-consent.png", full_page=True)
    page.locator('.go button[type="submit"]').click()
    expect(page.locator(".problem, .wrong").first).to_be_visible()
    page.get_by_label("I am at least 18 years old.").check()
    page.locator('.go button[type="submit"]').click()

    page.locator("main[data-stage=form]").wait_for()
    page.reload()
    page.get_by_label("a cup of tea").check()
    page.locator('.go button[type="submit"]').click()

    page.locator("main[data-stage=play]").wait_for()
    offered = page.locator('.moves button.option[aria-disabled="false"]')
    onward = page.locator(".go").get_by_role("button", name="Next")
    offered.first.click()
    until(lambda: "Minute 1" in page.inner_text("body"), page, "the next minute")
    pictures(page, "study-game.png", full_page=True)
    message(watch, page, "Five minutes are left. <script>document.title='broken into'</script>")
    expect(watch.locator(".miniature .cards-board")).to_be_visible()
    for width in (390, 1100):
        watch.set_viewport_size({"width": width, "height": 900})
        pictures(watch, f"researcher-{width}.png", full_page=True)
        assert watch.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_text("How this is played").click()
    expect(page.get_by_text("Timeline")).to_have_count(0)
    page.wait_for_timeout(2500)  # so often a page tells what it has noticed
    study.kill()
    study.start()
    for _ in range(60):
        until(lambda: offered.count() + onward.count() > 0, page, "a move, or what it came to")
        if onward.count():
            break
        offered.first.click()
        page.wait_for_timeout(100)

    expect(page.get_by_role("heading", name="How good it was")).to_be_visible(timeout=60_000)
    pictures(page, "study-lesson.png", full_page=True)
    onward.click()
    page.locator("main[data-stage=form]").wait_for()
    lefts = page.eval_on_selector_all(".points", "all => all.map(each => each.getBoundingClientRect().left)")
    assert len(lefts) >= 7 and len(set(lefts)) == 1, "all scales stand alike, whatever their ends are called"
    for width in (360, 800):
        page.set_viewport_size({"width": width, "height": 900})
        pictures(page, f"study-questions-{width}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator('.go button[type="submit"]').click()
    expect(page.locator(".problem, .wrong").first).to_be_visible()
    asked = answers(page)
    assert asked >= 7, "MindAgent's seven items"
    page.locator("textarea").fill("Kettle first. <script>document.title='broken into'</script>")
    page.locator('.go button[type="submit"]').click()
    expect(page.locator("output")).to_have_text("TEA-DONE")
    expect(watch.locator(".flow tr", has_text="finished").locator("td").first).to_have_text("1")
    bert: Page = sitting(study, "", "study/tea?PROLIFIC_PID=bert", width=390).page
    bert.locator("main[data-stage=consent]").wait_for()
    watch.get_by_role("button", name="Take out").click()
    watch.locator("dialog textarea").fill("came twice")
    watch.locator("dialog").get_by_role("button", name="Take out").click()
    expect(bert.locator("main[data-stage=end]")).to_be_visible()
    pictures(page, "study-end.png", full_page=True)
    assert page.title() != "broken into"

    command("study", "export", tmp_path / "tea.toml", "--out", tmp_path / "out")
    rows = [row for file in (tmp_path / "out").rglob("*.csv") for row in csv.DictReader(file.open())]
    assert any("Kettle first." in str(row) for row in rows)
    assert list((tmp_path / "out").rglob("*.jsonl")), "the record of the game"
    decided = list(csv.DictReader((tmp_path / "out" / "decisions.csv").open()))
    assert [int(row["step"]) for row in decided] == list(range(len(decided))) and len(decided) > 1
    assert {row["input"] for row in decided} == {"mouse"} and {row["view"] for row in decided} == {"2d"}
    assert all(0 < float(row["seconds"]) < 60 for row in decided)
    assert any(row["round_trip"] for row in decided)
    switched = list(csv.DictReader((tmp_path / "out" / "changes.csv").open()))
    assert [(row["what"], row["on"]) for row in switched][:2] == [("theme", "false"), ("help", "true")]
    done = list(csv.DictReader((tmp_path / "out" / "interventions.csv").open()))
    assert [(row["what"], row["stage"], bool(row["read"])) for row in done] == [("message", "game", True)]


def test_a_rehearsal_goes_on_when_its_server_is_killed(tmp_path: Path, command: Callable[..., str]) -> None:
    """Two simulated participants, each in a page of their own: in the middle of their games the server's
    process is killed, as a failing machine does it, and started again."""
    file, folder = tmp_path / "tea.toml", tmp_path / "tea-pilot"
    file.write_text(STUDY, encoding="utf-8")
    (tmp_path / "pot.png").write_bytes(POT)
    asked = [sys.executable, "-m", "backburner", "study", "pilot", str(file), "--participants", "2"]
    said = ""
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pilot:
        assert pilot.stdout is not None
        for line in pilot.stdout:
            said += line
            server = re.search(r"the server is process (\d+)", line)
            if server and "killed" not in said:
                before = games_with_decisions(folder)
                os.kill(int(server[1]), signal.SIGKILL)
    assert pilot.returncode == 0, said
    assert "the server was killed (SIGKILL); it is started again" in said and "2 complete" in said

    command("study", "export", file, "--folder", folder, "--out", tmp_path / "out")
    episodes = list(csv.DictReader((tmp_path / "out" / "episodes.csv").open()))
    assert before <= {row["episode"] for row in episodes} and len(episodes) == 2, "the same games went on"
    decided = list(csv.DictReader((tmp_path / "out" / "decisions.csv").open()))
    for row in episodes:
        steps = [int(each["step"]) for each in decided if each["episode"] == row["episode"]]
        assert len(steps) > 5 and steps == sorted(set(steps)), "none twice"
        assert command("replay", tmp_path / "out" / row["record"])


def games_with_decisions(folder: Path) -> set[str]:
    """The games under way, once the page of one has told of a decision."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        kept = b"".join(each.read_bytes() for each in (folder / "kept").glob("p*.jsonl"))
        if b'"kind":"noticed"' in kept:
            return {game.decode() for game in re.findall(rb'"game":"([0-9a-f]+)"', kept)}
        time.sleep(0.1)
    raise AssertionError("no decision was made")
