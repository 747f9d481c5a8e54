"""A hosted suite of the headline's recipe: what its host keeps scores records of it as an edition."""

from __future__ import annotations

import datetime
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from typer.testing import CliRunner

from backburner.agents.spec import AgentSpec
from backburner.cli import app
from backburner.evaluation.comparing.headline import Headline, Scale, counts, headlines, scale, scales
from backburner.evaluation.comparing.headline_tables import headline_sections
from backburner.evaluation.records import records
from backburner.evaluation.running import runner
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.scoring import scores
from backburner.evaluation.submissions.checking import verify_submission
from backburner.evaluation.submissions.hosting import check_reveal, committed, read_commitment
from backburner.evaluation.submissions.leaderboard import html, leaderboard
from backburner.evaluation.submissions.originality import RECEIPTS
from backburner.evaluation.submissions.submission import About, digest_of
from backburner.evaluation.submissions.submitting import collect, submit
from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.generating import generator_of
from backburner.kernel.headline import suites_of

WORLD = "recipe2plan"
SECRET = "5e" * 32


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A secret, a suite of two scenarios in one band, its commitment, and records of two agents."""
    folder = tmp_path_factory.mktemp("sealed")
    (folder / "my.secret").write_text(SECRET)
    line = ("build", f"{WORLD}@grid=built-1,scenarios=2,split=open", "--secret-seed-file")
    with pytest.MonkeyPatch.context() as short:
        short.setattr(type(generator_of(WORLD)), "lengths", ((5, 8),))
        short.setattr(type(generator_of(WORLD)), "bands", ("middle",))
        made = CliRunner().invoke(app, [*line, str(folder / "my.secret"), "--out", str(folder / "suite")])
    assert made.exit_code == 0, made.output
    agents = [AgentSpec("busy"), AgentSpec("oracle")]
    runner.run(jobs_of([str(folder / "suite")], agents, 1, "standard", "article"), folder / "runs")
    yield folder


def edition_of(folder: Path) -> Path:
    return folder / "my.secret.build.sealed.json"


def scored(folder: Path) -> dict[str, Headline]:
    loaded = scores.load(folder / "runs")
    found = headlines(scores.score(e for _, e in loaded.episodes), scale([str(edition_of(folder))]))
    return {one.agent: one for one in found}


def problems(folder: Path, *, again: bool = False) -> str:
    commitment, build = read_commitment(folder / "suite.commitment.json"), folder / "my.secret.build"
    rebuild = (lambda options: build) if again else None
    found = check_reveal(
        commitment, SECRET, folder / "suite", list(records(folder / "runs")), rebuild, "", edition_of(folder)
    )
    return "\n".join(found.problems)


def test_bands_and_references_stay_with_the_secret_and_the_commitment_is_made_of_them(hosted: Path) -> None:
    commitment, raw = read_commitment(hosted / "suite.commitment.json"), edition_of(hosted).read_bytes()
    assert commitment.edition == digest_of(raw)
    file = json.loads(raw)
    assert file["world"] == WORLD and [one["band"] for one in file["scenarios"]] == ["middle"] * 2
    names = {path.stem for path in (hosted / "suite").iterdir()}
    assert {one["name"] for one in file["scenarios"]} == names and len(names) == 2
    assert "--secret-seed-file FILE" in file["source"] and "--seed " not in file["source"]
    public = "".join(path.read_text() for path in (hosted / "suite").iterdir())
    assert "middle" not in public and "busy" not in public and len(list((hosted / "suite").iterdir())) == 2
    files = {path.name: path.read_bytes() for path in (hosted / "suite").iterdir()}
    assert committed(SECRET, commitment, files) == commitment.commitment
    assert committed(SECRET, replace(commitment, edition=UNSET), files) != commitment.commitment


def test_the_file_scores_records_of_the_suite(hosted: Path) -> None:
    """With b the mean of busy's 32 plays and x that of the one that is recorded, its points are
    100 (x - b) / (100 - b); the proven plan has 100."""
    found = scored(hosted)
    assert {one.of for one in found.values()} == {"sealed"}
    assert found["oracle"].score.value == pytest.approx(100) and not found["oracle"].missing
    (suite,) = found["busy"].suites
    assert suite.suite == "sealed/middle" and suite.played is not None
    assert suite.random == pytest.approx(
        50 * sum(one["busy"] for one in json.loads(edition_of(hosted).read_bytes())["scenarios"])
    )
    assert suite.score.value == pytest.approx(100 * (suite.played - suite.random) / (100 - suite.random))
    titles = [section.title for section in headline_sections(list(found.values()))]
    assert titles == ["Headline score (sealed)", "Headline score by suite (sealed)"]


def test_a_record_counts_of_the_hosted_scenario_alone(hosted: Path) -> None:
    over = scale([str(edition_of(hosted))])
    header = scores.load(hosted / "runs").episodes[0][1].header
    own = over.hosted[header.id]
    assert counts(header, own)
    assert not counts(replace(header, scenario_digest="0" * 16), own)
    assert not counts(replace(header, limits={}), own)


def test_records_are_submitted_and_verified_by_the_file(hosted: Path, tmp_path: Path) -> None:
    over = scale([str(edition_of(hosted))])
    collected = collect(scores.load(hosted / "runs"), over, "oracle")
    submit(collected, over, tmp_path / "oracle", About())
    found = verify_submission(tmp_path / "oracle", over)
    assert not found.problems and found.headline is not None
    assert found.headline.score.value == pytest.approx(100)


def test_a_reveal_holds_the_edition_against_the_commitment(copy: Path) -> None:
    assert problems(copy) == "" and problems(copy, again=True) == ""
    raw = json.loads(edition_of(copy).read_bytes())
    raw["scenarios"][0]["busy"] = 0.5
    edition_of(copy).write_text(json.dumps(raw))
    assert "this is not the edition that was committed to" in problems(copy)
    shutil.copy(Path(copy) / "my.secret.build.built-1.json", edition_of(copy))
    assert "this is not the edition" in problems(copy)


def test_a_builder_that_makes_another_edition_is_noticed(copy: Path) -> None:
    made = copy / "my.secret.build.built-1.json"
    made.write_text(made.read_text().replace('"band":"middle"', '"band":"high"', 1))
    assert "makes another edition of these scenarios" in problems(copy, again=True)


def test_a_file_that_is_no_edition_is_refused_by_what_is_wrong(copy: Path) -> None:
    name = str(edition_of(copy))
    with pytest.raises(Refused, match="one edition: sealed or timearena"):
        scale([name, "timearena"])
    with pytest.raises(Refused, match="one edition: built-1 or sealed"):
        scale([name, "built-1"])
    with pytest.raises(Refused, match="one file of each world"):
        scale([name, name])
    raw = json.loads(edition_of(copy).read_bytes())
    raw["scenarios"][0]["answer"]["scenario"] = "0" * 16
    edition_of(copy).write_text(json.dumps(raw))
    with pytest.raises(BadFile, match=r"hosted-.*field 'answer': is of another scenario"):
        scale([name])
    edition_of(copy).write_text('{"source": ""}')
    with pytest.raises(BadFile, match="version"):
        scale([name])


# --- on a board --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def published() -> Scale:
    """The edition of the articles, cut down to two scenarios."""
    suite = suites_of(WORLD)[0]
    return Scale((replace(suite, references=dict(list(suite.references.items())[:2])),), ())


@pytest.fixture(scope="module")
def submissions(hosted: Path, published: Scale, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of busy and the oracle in both editions, of first-legal in that of the articles alone."""
    out = tmp_path_factory.mktemp("submissions")
    agents = [AgentSpec(name) for name in ("busy", "oracle", "first-legal")]
    runner.run(jobs_of(list(published.suites[0].references), agents, 1, "standard", "article"), out / "runs")
    sealed = scale([str(edition_of(hosted))])
    for over, runs, names in (
        (sealed, hosted, ("busy", "oracle")),
        (published, out, ("busy", "oracle", "first-legal")),
    ):
        loaded = scores.load(runs / "runs")
        for name in names:
            submit(collect(loaded, over, name), over, out / "all" / f"{name}-{over.of}", About())
    return out / "all"


def test_places_are_by_the_sealed_edition_and_the_others_stand_beside(
    hosted: Path, submissions: Path, published: Scale, tmp_path: Path
) -> None:
    over = scale([str(edition_of(hosted))])
    board = leaderboard(submissions, [over, published], tmp_path / RECEIPTS)
    assert (board.of, board.beside, board.edition) == ("sealed", ("published",), over.edition)
    (busy,) = board.ranked
    assert busy.folder == "busy-sealed" and set(busy.editions) == {"sealed", "published"}
    why = {one.folder: one.why for one in board.unranked}
    assert why.pop("oracle-sealed") == "it knew more than a player may"
    assert set(why) == {"busy-published", "first-legal-published", "oracle-published"}
    assert set(why.values()) == {"it is of the edition published, and places are by sealed"}
    page = html(board, datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC))
    assert "<button>sealed</button>" in page and "<button>published</button>" in page
    assert "0 is play that is never idle" in page
    without = page.partition("<h2>Without a place</h2>")[2].partition("<h2>Submissions</h2>")[0]
    shown = re.findall(r'href="#([\w-]+)"', without)
    assert sorted(shown) == ["first-legal-published", "oracle-sealed"], "the others stand beside their own"


def test_a_board_gives_places_by_the_first_edition_in_which_there_is_a_score(
    hosted: Path, submissions: Path, published: Scale, tmp_path: Path
) -> None:
    """Nobody has submitted anything of built-1; an edition that nobody asks for is refused."""
    board = leaderboard(submissions, [scale(["built-1"]), published], tmp_path / RECEIPTS)
    assert board.of == "published" and board.beside == ()
    assert {one.folder for one in board.ranked} == {"busy-published", "first-legal-published"}
    assert {one.folder for one in board.refused} == {"busy-sealed", "oracle-sealed"}


def test_editions_are_shown_in_their_order_and_worlds_that_are_named_alone(hosted: Path) -> None:
    assert [one.of for one in scales()] == ["built-2", "built-1", "published"]
    assert [one.of for one in scales(["published"])] == ["published", "built-2", "built-1"]
    assert [one.of for one in scales([str(edition_of(hosted))])] == [
        *("sealed", "built-2", "built-1", "published"),
    ]
    assert [one.worlds for one in scales([WORLD])] == [(WORLD,)]
