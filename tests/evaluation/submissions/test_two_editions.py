"""Editions share scenarios: what one key has signed in two of them is no copy, and anybody else's is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from backburner.agents.spec import AgentSpec
from backburner.evaluation.comparing.headline import Scale
from backburner.evaluation.records import make_keys, read_signer
from backburner.evaluation.running import runner
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.scoring import scores
from backburner.evaluation.submissions import leaderboard as module
from backburner.evaluation.submissions.leaderboard import leaderboard
from backburner.evaluation.submissions.originality import RECEIPTS
from backburner.evaluation.submissions.submission import About
from backburner.evaluation.submissions.submitting import collect, submit
from backburner.kernel.errors import MissingExtra
from backburner.kernel.headline import suites_of

pytest.importorskip("cryptography", reason="the extra sign")


def first(number: int, of: str) -> Scale:
    """An edition of the first scenarios of a suite."""
    suite = suites_of("recipe2plan")[0]
    return Scale((replace(suite, references=dict(list(suite.references.items())[:number])),), (), of)


OLDER, NEWER = first(5, "built-1"), first(6, "built-2")


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six plays of one agent: their owner sends five and all six, somebody with another key all six."""
    at = tmp_path_factory.mktemp("sent")
    agents = [AgentSpec("first-legal")]
    runner.run(jobs_of(list(NEWER.suites[0].references), agents, 1, "standard", "article"), at / "runs")
    loaded = scores.load(at / "runs")
    for name, editions in (("owner", (OLDER, NEWER)), ("thief", (NEWER,))):
        signer = read_signer(make_keys(at / name)[0])
        for over in editions:
            collected = collect(loaded, over, "first-legal")
            submit(collected, over, at / f"{name}-{over.of}", About(), sign=signer)
    return at


def why(sent: Path, board: Path, *folders: str) -> dict[str, str]:
    """Why submissions that are there have no place; empty of those that have one."""
    for name in folders:
        shutil.copytree(sent / name, board / "there" / name)
    found = leaderboard(board / "there", [NEWER, OLDER], board / RECEIPTS)
    assert not found.refused
    return {one.folder: one.why for one in (*found.ranked, *found.unranked)}


ELSEWHERE = "it is of the edition built-1, and places are by built-2"


def test_plays_that_one_key_has_signed_in_two_editions_are_no_copies(sent: Path, tmp_path: Path) -> None:
    assert why(sent, tmp_path, "owner-built-1") == {"owner-built-1": ""}
    found = why(sent, tmp_path, "owner-built-2")
    assert found == {"owner-built-1": ELSEWHERE, "owner-built-2": ""}
    found = why(sent, tmp_path, "thief-built-2")
    assert "6 of its 6 records play what those of owner-built-1 and 1 more did" in found.pop("thief-built-2")
    assert found == {"owner-built-1": ELSEWHERE, "owner-built-2": ""}


def test_the_same_look_is_no_matter_for_one_key(sent: Path, tmp_path: Path) -> None:
    assert why(sent, tmp_path, "owner-built-1", "owner-built-2")["owner-built-2"] == ""


def test_who_came_at_one_look_with_the_owner_has_as_much_claim(sent: Path, tmp_path: Path) -> None:
    """Five of the six were the owner's first; somebody who came at once with them has as much claim."""
    why(sent, tmp_path, "owner-built-1", "thief-built-2")
    found = why(sent, tmp_path, "owner-built-2")
    assert all("nobody here can tell" in found[name] for name in ("owner-built-1", "thief-built-2"))
    assert "play what those of thief-built-2 do, seen at the same look" in found["owner-built-2"]


def test_where_no_signature_can_be_checked_all_count_as_others(
    sent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*asked: object) -> bool:
        raise MissingExtra("sign", "a signature")

    monkeypatch.setattr(module, "is_signature", missing)
    found = why(sent, tmp_path, "owner-built-1", "owner-built-2")
    assert "nobody here can tell" in found["owner-built-2"]
