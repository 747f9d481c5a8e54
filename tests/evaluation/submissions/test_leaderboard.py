"""The leaderboard: places with their uncertainty, what has none, what is refused, and the page."""

from __future__ import annotations

import datetime
import html.parser
import json
import random
import re
import shutil
from pathlib import Path

import msgspec
import pytest
from scipy import stats
from typer.testing import CliRunner

from backburner.agents.spec import AgentSpec
from backburner.cli import app
from backburner.evaluation.comparing.headline import Points, Scale, scale
from backburner.evaluation.running import runner
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.scoring import scores
from backburner.evaluation.submissions import leaderboard as module
from backburner.evaluation.submissions.leaderboard import (
    Board,
    difference,
    leaderboard,
    plain,
    write_leaderboard,
)
from backburner.evaluation.submissions.leaderboard import html as page_of
from backburner.evaluation.submissions.originality import RECEIPTS
from backburner.evaluation.submissions.submission import CLOCKED, MANIFEST, About
from backburner.evaluation.submissions.submitting import collect, submit
from backburner.kernel.errors import BackburnerError
from backburner.kernel.headline import Reference, Suite
from backburner.kernel.scoring import Estimate
from support.evaluation.samples import SCORE

WHEN = datetime.datetime(2026, 1, 2, 3, 4, tzinfo=datetime.UTC)


def suite(world: str, *ids: str) -> Suite:
    return Suite(world, "s", SCORE, {id: Reference(id, 0, 100, "end") for id in ids})


TWO = Scale((suite("tea", "a", "b", "c"), suite("coffee", "d", "e")), ())


def points(tea: tuple[float, ...], coffee: tuple[float, ...]) -> Points:
    return {"tea/s": dict(zip("abc", tea, strict=True)), "coffee/s": dict(zip("de", coffee, strict=True))}


def test_a_difference_is_tested_over_independent_suites() -> None:
    """tea: 10, 20, 30 more, mean 20, variance 100, of the mean 100/3; coffee: 4, 8, mean 6, variance 8, 8/2.
    Both weigh a half: (20 + 6) / 2 = 13; V = (100/3 + 4) / 4 = 9.333; t = 13 / 3.055 = 4.255;
    f = 9.333² / ((8.333)² / 2 + 1² / 1) = 2.440."""
    mean, p = difference(points((10, 20, 30), (4, 8)), points((0, 0, 0), (0, 0)), TWO)
    assert mean == pytest.approx(13)
    assert p == pytest.approx(2 * stats.t.sf(13 / (28 / 3) ** 0.5, (28 / 3) ** 2 / ((25 / 3) ** 2 / 2 + 1)))
    back = difference(points((0, 0, 0), (0, 0)), points((10, 20, 30), (4, 8)), TWO)
    assert back == (pytest.approx(-13), pytest.approx(p))


def test_equal_submissions_do_not_differ_and_constant_ones_by_permutations() -> None:
    same = points((1, 2, 3), (4, 5))
    assert difference(same, same, TWO) == (0, 1.0)
    more = points((2, 3, 4), (5, 6))
    assert difference(more, same, TWO) == (pytest.approx(1.0), 2 / 2**5)


def test_equal_agents_are_told_apart_no_oftener_than_promised() -> None:
    """Two suites of 12 and 6 scenarios, four agents alike: some are told apart in at most 5 % of boards."""
    draw, wrong, times = random.Random(5), 0, 300
    over = Scale((suite("tea", *map(str, range(12))), suite("coffee", *map(str, range(20, 26)))), ())
    for _ in range(times):
        agents = {
            name: {one.name: {id: draw.gauss(0, 30) for id in one.references} for one in over.suites}
            for name in "abcd"
        }
        wrong += any(place != (1, 4) for place in module._places(agents, over).values())
    assert wrong / times < 0.08


def test_who_is_better_for_certain_stands_ahead() -> None:
    over = Scale((suite("tea", *map(str, range(20))),), ())
    draw = random.Random(2)

    def agent(level: float) -> Points:
        return {"tea/s": {str(n): level + draw.gauss(0, 10) for n in range(20)}}

    places = module._places({"low": agent(10), "high": agent(60), "high too": agent(60)}, over)
    assert places == {"low": (3, 3), "high": (1, 2), "high too": (1, 2)}


# --- submissions that are played -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def over() -> Scale:
    return scale(["timearena"])


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory, over: Scale) -> Path:
    """Two with a place, one that knew more, one that lacks scenarios, a copy, and three bad ones."""
    folder = tmp_path_factory.mktemp("board")
    everything = ["timearena/singles", "timearena/pairs", "timearena/triples"]
    agents = [AgentSpec(name) for name in ("random", "first-legal", "greedy")]
    runner.run(jobs_of(everything, agents, 1, "standard", "article"), folder / "runs")
    runner.run(jobs_of(["timearena/lab1"], [AgentSpec("serial")], 1, "standard", "article"), folder / "runs")
    loaded = scores.load(folder / "runs")
    out = folder / "submissions"
    for name in ("random", "first-legal", "greedy", "serial"):
        about = About(
            f"<b>{name}</b> & co", "Lab <script>alert(1)</script>", links=("https://example.org/?a=1&b=2",)
        )
        submit(collect(loaded, over, name), over, out / name, about)
    shutil.copytree(out / "random", out / "aaa-again")
    bad = Path(shutil.copytree(out / "random", out / "tampered"))
    raw = json.loads((bad / MANIFEST).read_text())
    raw["figures"]["headline"]["value"] = 99.0
    (bad / MANIFEST).write_text(json.dumps(raw))
    (out / "empty").mkdir()
    (out / "broken").mkdir()
    (out / "broken" / MANIFEST).write_text("{]\x1b[2J")
    return out


@pytest.fixture(scope="module")
def board(submissions: Path, over: Scale, tmp_path_factory: pytest.TempPathFactory) -> Board:
    """At the second look, before which the copy came."""
    elsewhere = tmp_path_factory.mktemp("out")
    copy = (submissions / "aaa-again").rename(elsewhere / "copy")
    leaderboard(submissions, [over], elsewhere / RECEIPTS)
    copy.rename(submissions / "aaa-again")
    return leaderboard(submissions, [over], elsewhere / RECEIPTS)


def test_a_bad_submission_is_listed_with_the_reason_and_stops_no_other(board: Board) -> None:
    """The copy is called by an earlier name and came later."""
    assert [one.folder for one in board.ranked] == ["first-legal", "random"]
    places = {one.folder: (one.best, one.worst) for one in board.ranked}
    assert places == {"first-legal": (1, 1), "random": (2, 2)}
    assert {one.folder: re.split(r":| and \d+ more| did \(", one.why)[0] for one in board.unranked} == {
        "aaa-again": "90 of its 90 records play what those of random",
        "greedy": "it knew more than a player may",
        "serial": "it has no headline score",
    }
    refused = {one.folder: one.why for one in board.refused}
    assert refused["tampered"].startswith("submission.json: figures, 'headline': claims 99")
    assert refused["empty"] == "submission.json: No such file or directory"
    assert "not JSON" in refused["broken"] and "\x1b" not in refused["broken"]


def test_the_json_has_verified_apart_from_claimed(board: Board) -> None:
    first = msgspec.to_builtins(plain(board))["ranked"][0]
    assert first["place"] == {"best": 1, "worst": 1}
    assert set(first["verified"]) >= {"headline", "worlds", "suites", "seeds", "records"}
    assert "agent" not in first["verified"]
    assert set(first["claimed"]) == {"about", "agent", "player", "settings", "cost", "key", "made_by"}
    assert first["claimed"]["player"] == "by the records no model was asked"


class Tags(html.parser.HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_stands_alone_and_foreign_words_stay_words(board: Board) -> None:
    page = page_of(board, WHEN)
    tags = Tags(page)
    assert tags.open == [], "every tag is closed, in order"
    loading = {"img", "link", "iframe", "object", "video", "audio", "source", "embed"}
    assert not loading & {tag for tag, _ in tags.found}
    assert all("src" not in attributes for _, attributes in tags.found)
    assert [attributes for tag, attributes in tags.found if tag == "script"] == [{}]
    assert "url(" not in page and "@import" not in page
    links = [attributes.get("href") or "" for tag, attributes in tags.found if tag == "a"]
    assert all(link.startswith("#") or link == "https://example.org/?a=1&b=2" for link in links)
    assert "&lt;b&gt;random&lt;/b&gt; &amp; co" in page and "<script>alert" not in page
    assert "prefers-color-scheme: dark" in page and "default-src 'none'" in page
    assert "\x1b" not in page


def test_every_link_within_the_page_leads_somewhere_and_columns_sort(board: Board) -> None:
    tags = Tags(page_of(board, WHEN)).found
    ids = {attributes["id"] for _, attributes in tags if "id" in attributes}
    links = [attributes["href"] or "" for tag, attributes in tags if tag == "a"]
    inner = {link[1:] for link in links if link.startswith("#")}
    assert inner and inner <= ids
    heads = [attributes for tag, attributes in tags if tag == "th" and "aria-sort" in attributes]
    assert len(heads) == 3 + len(board.worlds) + 4
    cells = re.findall(r'<td[^>]*data-v="([^"]*)"', page_of(board, WHEN))
    assert len(cells) == len(heads) * len(board.ranked)


def test_no_mark_says_verified_of_play_and_player_alike(board: Board) -> None:
    """The cell with names says that they are claimed; what is verified stands by the score."""
    page = page_of(board, WHEN)
    cells = re.findall(r'<td class="left name".*?</td>', page, re.DOTALL)
    assert len(cells) == len(board.ranked) + len(board.unranked)
    assert not any('class="mark verified"' in cell for cell in cells)
    ranked = cells[: len(board.ranked)]
    assert all("player: claimed" in cell and "by the records no model was asked" in cell for cell in ranked)
    assert page.count("play: verified</span></td>") == len(board.ranked)
    assert "The player is claimed" in page and "Play is verified" in page


def test_likeness_to_our_own_agents_stands_as_a_remark(board: Board) -> None:
    """Of 24 scenarios; greedy, submitted as itself, decides as greedy wherever there is a choice."""
    by_folder = {
        one.folder: {(o.one, o.other): o for o in one.likenesses} for one in (*board.ranked, *board.unranked)
    }
    own = by_folder["greedy"]["it", "greedy"]
    assert own.equal == own.choices > 200
    usual = by_folder["greedy"]["greedy", "oracle"]
    assert 0.3 < usual.equal / usual.choices < 0.9
    assert by_folder["greedy"]["it", "oracle"] == msgspec.structs.replace(usual, one="it")
    dice = by_folder["random"]["it", "oracle"]
    assert dice.equal / dice.choices < usual.equal / usual.choices
    assert usual.words in page_of(board, WHEN)


def test_a_board_without_a_place_says_so(board: Board) -> None:
    page = page_of(Board(board.edition, board.worlds, (), board.unranked, board.refused), WHEN)
    assert "No submission has a headline score yet." in page


def test_page_and_json_are_written(board: Board, tmp_path: Path) -> None:
    page, data = write_leaderboard(board, tmp_path / "board", WHEN)
    assert page.read_text().startswith("<!doctype html>") and "2026-01-02 03:04" in page.read_text()
    assert json.loads(data.read_text())["edition"] == board.edition


def test_the_command_lists_all_and_exits_with_1_for_bad_ones(submissions: Path, tmp_path: Path) -> None:
    line = ["leaderboard", str(submissions), "--out", str(tmp_path / "board"), "--over", "timearena"]
    found = CliRunner().invoke(app, line, catch_exceptions=False)
    assert found.exit_code == 1
    assert (
        "<b>first-legal</b> & co" in found.stdout
        and "tampered: refused: submission.json: figures" in found.stderr
    )
    assert (tmp_path / "board" / "index.html").exists()


def test_a_folder_without_submissions_is_refused(tmp_path: Path, over: Scale) -> None:
    with pytest.raises(BackburnerError, match="no folder of submissions"):
        leaderboard(tmp_path, [over], tmp_path / RECEIPTS)


def test_the_common_clock_has_a_column_beside_the_headline(board: Board) -> None:
    """Of the same agent by the same submitter; other clocks, and others, stand beside nothing."""
    first, second = board.ranked
    why = module.UNRANKED[CLOCKED]

    def under(label: str, organisation: str) -> module.Standing:
        about = msgspec.structs.replace(first.manifest.about, organisation=organisation)
        manifest = msgspec.structs.replace(first.manifest, agent=f"first-legal @{label}", about=about)
        return msgspec.structs.replace(first, manifest=manifest, score=Estimate(12.5), why=why)

    own = first.manifest.about.organisation
    others = [under("80", own), under("500/beat", "somebody else")]
    assert [one.clocked for one in module._beside_their_clock([first, second, *others])] == [None] * 4
    found, *_ = module._beside_their_clock([first, second, *others, under("500/beat", own)])
    assert found.clocked == Estimate(12.5)
    shown = page_of(msgspec.structs.replace(board, ranked=(found, second)), WHEN)
    assert shown.count("@500/beat") == 2
    assert "@500/beat" not in page_of(board, WHEN)
