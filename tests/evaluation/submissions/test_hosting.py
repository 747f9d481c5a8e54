"""Scenarios from a secret seed: nothing leaks, the commitment binds, a reveal is checked against records."""

from __future__ import annotations

import json
import shutil
import stat
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import replace
from typer.testing import CliRunner

from backburner.agents.spec import AgentSpec
from backburner.cli import app
from backburner.evaluation.records import records
from backburner.evaluation.running import runner
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.submissions import hosting
from backburner.evaluation.submissions.hosting import (
    Commitment,
    check_reveal,
    checked_options,
    committed,
    digest_of_secret,
    options_of,
    read_commitment,
    secret_in,
    seed_from,
)
from backburner.evaluation.submissions.submission import digest_of
from backburner.generation import build as building
from backburner.generation.builder import builder_of
from backburner.kernel import registry
from backburner.kernel.answers import answers_at
from backburner.kernel.errors import BackburnerError, BadFile, Refused
from backburner.kernel.values import digest

PUBLIC = "@public=11 July, 4 8 15"
"""A text that nobody could know when the secret was made."""

BUILD = ("build", "robotouille@task=synchronous/1,size=5x4,split=open,scenarios=3,attempts=24")


def run(*arguments: str | Path, code: int = 0) -> tuple[str, str]:
    result = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the secret, the suite of three kitchens, its commitment, and records of two agents."""
    folder = tmp_path_factory.mktemp("hosted")
    line = (
        "--secret-seed-file",
        f"{folder / 'my.secret'}{PUBLIC}",
        "--out",
        folder / "suite",
    )
    told, said = run(*BUILD, *line)
    assert f"publish now: {folder}/suite.commitment.json" in told and "a new secret" in said
    agents = [AgentSpec("greedy"), AgentSpec("random")]
    runner.run(jobs_of([str(folder / "suite")], agents, 2, "standard", "article"), folder / "runs")
    return folder


def secret_of(folder: Path) -> str:
    return secret_in(folder / "my.secret")[0]


def commitment_of(folder: Path) -> Commitment:
    return read_commitment(folder / "suite.commitment.json")


def problems(folder: Path, commitment: Commitment | None = None, secret: str = "") -> str:
    found = check_reveal(
        commitment or commitment_of(folder),
        secret or secret_of(folder),
        folder / "suite",
        list(records(folder / "runs")),
    )
    return "\n".join(found.problems)


def wider(scenario: str) -> str:
    """Another kitchen, with a column more."""
    raw = json.loads(scenario)
    raw["problem"]["width"] += 1
    return json.dumps(raw)


# --- the secret and what it gives ------------------------------------------------------------------------


def test_a_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    secret, new = secret_in(tmp_path / "a" / "secret")
    assert new and len(secret) == 64 and secret_in(tmp_path / "a" / "secret") == (secret, False)
    assert stat.S_IMODE((tmp_path / "a" / "secret").stat().st_mode) == 0o600
    assert secret_in(tmp_path / "other")[0] != secret
    (tmp_path / "bad").write_text("hunter2")
    with pytest.raises(BadFile, match="is no secret seed: 64 hexadecimal digits"):
        secret_in(tmp_path / "bad")


@given(st.binary(min_size=32, max_size=32), st.text(max_size=10), st.integers(0, 9))
def test_the_seed_follows_from_secret_options_and_public_text(raw: bytes, public: str, kitchens: int) -> None:
    secret, options = raw.hex(), {"kitchens": kitchens}
    seed = seed_from(secret, "robotouille", options, public)
    assert 0 <= seed < 2**62 and seed == seed_from(secret, "robotouille", options, public)
    others = (
        seed_from(bytes([raw[0] ^ 1, *raw[1:]]).hex(), "robotouille", options, public),
        seed_from(secret, "recipe2plan", options, public),
        seed_from(secret, "robotouille", {"kitchens": kitchens + 1}, public),
        seed_from(secret, "robotouille", options, public + "x"),
    )
    assert seed not in others and len(set(others)) == 4


def test_nothing_that_is_handed_on_tells_the_seed(hosted: Path) -> None:
    commitment, secret = commitment_of(hosted), secret_of(hosted)
    seed = seed_from(secret, "robotouille", commitment.options, commitment.public)
    handed_on = [hosted / "suite.commitment.json", *(hosted / "suite").iterdir(), *records(hosted / "runs")]
    for path in handed_on:
        told = f"{path}{path.read_text()}"
        assert str(seed)[:9] not in told and secret not in told
    assert sorted(path.stem[-4:] for path in (hosted / "suite").iterdir()) == ["0001", "0002", "0003"]
    ids = {registry.world(str(path)).id for path in (hosted / "suite").iterdir()}
    assert ids == {f"robotouille/user/hosted-{commitment.secret[:8]}-000{n}" for n in (1, 2, 3)}
    assert str(seed)[:9] in str(list((hosted / "my.secret.build").iterdir())), (
        "what the builder wrote tells it"
    )


def test_files_are_not_in_the_order_of_seeds(hosted: Path) -> None:
    """They are numbered by their contents: the plain build's order is that of its seeds."""
    plain = [json.loads(path.read_text()) for path in sorted((hosted / "my.secret.build").glob("s*.json"))]
    given = [json.loads(path.read_text()) for path in sorted((hosted / "suite").iterdir())]
    contents = [[{**raw, "id": ""} for raw in own] for own in (plain, given)]
    assert all(raw in contents[1] for raw in contents[0]) and len(contents[1]) == 3


def test_the_same_secret_makes_the_same_scenarios(hosted: Path, tmp_path: Path) -> None:
    shutil.copy(hosted / "my.secret", tmp_path)
    line = (
        "--secret-seed-file",
        f"{tmp_path / 'my.secret'}{PUBLIC}",
        "--out",
        tmp_path / "suite",
    )
    run(*BUILD, *line, "--json")
    for path in (hosted / "suite").iterdir():
        assert (tmp_path / "suite" / path.name).read_bytes() == path.read_bytes()
    assert commitment_of(tmp_path) == commitment_of(hosted)


# --- the reveal ------------------------------------------------------------------------------------------


def test_a_true_reveal_holds(hosted: Path) -> None:
    revealed = f"secret={hosted / 'my.secret'},suite={hosted / 'suite'}"
    line = f"{hosted / 'suite.commitment.json'}@{revealed}"
    told, _ = run("verify", hosted / "runs", "--commitment", f"{line},rebuild=yes")
    assert "verified  scenarios: 3, fixed" in told
    assert "verified  origin: the builder makes these scenarios of the secret, again" in told
    assert "verified  records: 12, each played again" in told
    assert "claimed   choice: that this secret was not chosen among many; it was not if its digest" in told
    told, _ = run("verify", hosted / "runs", "--commitment", line)
    assert "claimed   origin: that the builder made these scenarios of the secret; rebuild=yes tells" in told


def test_another_secret_or_other_scenarios_do_not_fit(copy: Path) -> None:
    assert "the secret is not the one" in problems(copy, secret="ab" * 32)
    first = sorted((copy / "suite").iterdir())[0]
    raw = first.read_text()
    first.write_text(wider(raw))
    assert "these are not the scenarios that were committed to" in problems(copy)
    first.unlink()
    assert "or not all of them" in problems(copy)
    first.write_text(raw)
    assert problems(copy) == ""
    (copy / "suite" / "more.json").write_text(raw)
    assert "or not all of them" in problems(copy)


@pytest.mark.parametrize(
    "change",
    [{"options": {"task": "synchronous/2"}}, {"public": "12 July"}, {"world_version": 1}, {"world": "tea"}],
)
def test_a_commitment_that_was_changed_does_not_fit(copy: Path, change: Mapping[str, Any]) -> None:
    assert "not the scenarios that were committed to" in problems(
        copy, replace(commitment_of(copy), **change)
    )


def test_scenarios_that_the_builder_does_not_make_are_noticed(copy: Path) -> None:
    """A host may commit to scenarios of another origin; the builder tells."""
    plain = copy / "my.secret.build"
    one = next(path for path in plain.glob("s*.json"))
    (plain / "other.json").write_text(wider(one.read_text()))
    found = check_reveal(commitment_of(copy), secret_of(copy), copy / "suite", rebuild=lambda options: plain)
    assert not found.problems, "all that were committed to are there"
    one.unlink()
    found = check_reveal(commitment_of(copy), secret_of(copy), copy / "suite", rebuild=lambda options: plain)
    assert "are not what the builder makes of the secret" in found.problems[0]


def test_records_have_to_be_of_all_scenarios_and_of_no_others(copy: Path) -> None:
    own = sorted(records(copy / "runs"))
    one = own[0]
    content = one.read_bytes()
    one.unlink()
    assert "greedy: 1 episodes are missing, such as hosted-" in problems(copy)
    one.write_bytes(content)
    shutil.copy(one, one.with_name("again.jsonl"))
    assert "is there 2 times" in problems(copy)
    one.with_name("again.jsonl").unlink()
    runner.run(
        jobs_of(["robotouille/synchronous/1@seed=42"], [AgentSpec("greedy")], 1, "standard", "article"),
        copy / "runs",
    )
    assert "its scenario is not one of those that were committed to" in problems(copy)


def test_records_that_were_changed_or_played_otherwise_are_noticed(copy: Path) -> None:
    one = next(iter(records(copy / "runs")))
    content = one.read_bytes()
    one.write_bytes(content.replace(b'"completed":1', b'"completed":0', 1))
    assert str(one) in problems(copy)
    one.write_bytes(content)
    shutil.rmtree(copy / "runs" / "robotouille" / "standard" / "greedy")
    jobs = jobs_of([str(copy / "suite")], [AgentSpec("greedy")], 2, "standard", "none")
    runner.run(jobs, copy / "runs")
    assert "was played under several rules or limits" in problems(copy)


# --- what makes no sense ---------------------------------------------------------------------------------


def test_a_builder_without_a_seed_hosts_nothing() -> None:
    builder = builder_of("recipe2plan")
    assert options_of(builder, "recipe2plan", {"size": 2, "from": Path("x")}) == {"size": 2, "from": "x"}
    without = replace(builder, arguments=tuple(one for one in builder.arguments if one.name != "seed"))
    with pytest.raises(Refused, match="draws nothing by a seed"):
        options_of(without, "recipe2plan", {})


@pytest.mark.parametrize(
    "options",
    [{"scenarios": "3"}, {"scenarios": True}, {"spread": 1}, {"kitchen": 3}, {"task": None}, {"task": [1]}],
)
def test_options_of_a_stranger_are_checked(options: Mapping[str, Any]) -> None:
    with pytest.raises(Refused, match="is none of the builder's, or malformed"):
        checked_options(builder_of("robotouille"), options)


def test_a_given_seed_is_no_secret(tmp_path: Path, hosted: Path) -> None:
    line = ("--secret-seed-file", tmp_path / "s", "--out", tmp_path / "suite")
    with pytest.raises(BackburnerError, match="seed= tells the seed"):
        run(BUILD[0], f"{BUILD[1]},seed=5", *line)
    assert not (tmp_path / "s").exists()
    with pytest.raises(BackburnerError, match="is in use"):
        run(*BUILD, "--secret-seed-file", hosted / "my.secret", "--out", hosted / "suite")
    with pytest.raises(BackburnerError, match="needs what the host reveals"):
        run("verify", hosted / "runs", "--commitment", hosted / "suite.commitment.json")


def test_a_malformed_commitment_is_one_line(tmp_path: Path, hosted: Path) -> None:
    raw = json.loads((hosted / "suite.commitment.json").read_text())
    file = tmp_path / "c.json"
    wrong = {"reads 1 to 2": {"format": 9}, "not written as": {"secret": "x"}, "unknown field": {"more": 1}}
    for why, change in wrong.items():
        file.write_text(json.dumps({**raw, **change}))
        with pytest.raises(BadFile, match=why):
            read_commitment(file)


def test_a_commitment_names_no_machines() -> None:
    with pytest.raises(Refused, match="option 'cluster' is none of the builder's"):
        checked_options(builder_of("recipe2plan"), {"workers": 1, "cluster": "there:6379"})


def test_how_many_processes_build_decides_nothing_of_what_a_secret_gives() -> None:
    many = {"size": 2, "workers": 4, "cluster": "there:6379"}
    assert options_of(builder_of("recipe2plan"), "recipe2plan", many) == {"size": 2, "workers": 1}


def test_the_digest_of_a_secret_is_no_secret() -> None:
    assert digest_of_secret("00" * 32) != digest_of_secret("01" + "00" * 31)
    assert len(digest_of_secret("00" * 32)) == 64


def test_sets_of_recipes_are_drawn_by_a_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed begins with the same set."""
    monkeypatch.setattr(building, "GENERATION", 3)
    kept = []
    for number, seed in enumerate((7, 7, 8)):
        line = ("build", f"recipe2plan@from=published,max=1,split=open,seed={seed}", "--json")
        index = json.loads(run(*line, "--out", tmp_path / str(number))[0])
        kept.append([one["file"] for one in index["kept"]])
    assert kept[0] == kept[1] and len(kept[0]) == 1
    assert kept[0] != kept[2]


# --- what is proven of hosted scenarios ------------------------------------------------------------------


@pytest.fixture(scope="module")
def proven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a secret, and a suite of one scenario whose best is proven."""
    folder = tmp_path_factory.mktemp("proven")
    line = ("--secret-seed-file", folder / "my.secret", "--out", folder / "suite")
    run("build", "recipe2plan@length=6,scenarios=1,split=open", *line)
    return folder


def reveal(folder: Path, again: Path, commitment: Commitment | None = None) -> str:
    found = check_reveal(
        commitment or commitment_of(folder),
        secret_of(folder),
        folder / "suite",
        rebuild=lambda options: again,
    )
    return "\n".join(found.problems)


def test_a_commitment_binds_answers_that_the_host_keeps(proven: Path) -> None:
    private, commitment = proven / "my.secret.build", commitment_of(proven)
    assert not list((proven / "suite").rglob("answers.jsonl"))
    answers = answers_at(private)
    hosted_ids = registry.expand(str(proven / "suite"))
    assert [digest(registry.world(id).scenario) for id in hosted_ids] == list(answers)
    assert commitment.format == 2 and commitment.ortools == version("ortools")
    assert commitment.answers == digest_of((private / "answers.jsonl").read_bytes())
    assert reveal(proven, private) == ""


def test_other_answers_than_were_committed_to_are_noticed(
    proven: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(proven, tmp_path / "copy"))
    private, answers = folder / "my.secret.build", folder / "suite" / "answers.jsonl"
    shutil.copy(private / "answers.jsonl", answers)
    assert reveal(folder, private) == "", "a host may reveal them"
    answers.write_bytes(b"")
    assert "not the answers that were committed to" in reveal(folder, private)
    answers.unlink()
    (private / "answers.jsonl").write_bytes(b"")
    told = reveal(folder, private)
    assert "proves something else" in told and "ortools" not in told
    monkeypatch.setattr(hosting, "_ortools", lambda: "8.1")
    assert f"proven with ortools {version('ortools')}, here is 8.1" in reveal(folder, private)
    changed = replace(commitment_of(folder), ortools="8.1")
    assert "not the scenarios that were committed to" in reveal(folder, private, changed)


def test_a_commitment_of_format_1_is_read(proven: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(proven, tmp_path / "copy"))
    files = {path.name: path.read_bytes() for path in (folder / "suite").iterdir()}
    old = replace(commitment_of(folder), format=1, answers=None, ortools="")
    old = replace(old, commitment=committed(secret_of(folder), old, files))
    raw = {name: value for name, value in to_builtins(old).items() if name not in ("answers", "ortools")}
    (folder / "suite.commitment.json").write_text(json.dumps(raw))
    assert reveal(folder, folder / "my.secret.build") == ""
    (folder / "suite.commitment.json").write_text(json.dumps({**raw, "ortools": "9.1"}))
    with pytest.raises(BadFile, match="tells neither answers nor ortools"):
        commitment_of(folder)
