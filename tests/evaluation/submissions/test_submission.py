"""Submissions: what goes in, what is refused, and every kind of tampering found, with file and item."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backburner import __version__
from backburner.agents.models.stand_in import stand_in_named
from backburner.agents.spec import AgentSpec
from backburner.evaluation.comparing.headline import Scale, scale
from backburner.evaluation.records import make_keys, read_public, read_signer
from backburner.evaluation.running import runner
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.usage import Price, Prices
from backburner.evaluation.submissions.checking import Verification, verify_submission
from backburner.evaluation.submissions.submission import (
    MANIFEST,
    About,
    Manifest,
    digest_of,
    read_submission,
    write_manifest,
)
from backburner.evaluation.submissions.submitting import collect, submit
from backburner.kernel import registry
from backburner.kernel.episode import EpisodeFile, read_episode
from backburner.kernel.errors import BackburnerError, BadFile, Refused
from backburner.kernel.play import play_now
from support.policies import Answers

SINGLES = registry.expand("timearena/singles")[:6]


@pytest.fixture(scope="module")
def over() -> Scale:
    return scale(["timearena"])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six scenarios with two seeds, at random."""
    out = tmp_path_factory.mktemp("runs")
    runner.run(jobs_of(SINGLES, [AgentSpec("random")], 2, "standard", "article"), out)
    return out


@pytest.fixture(scope="module")
def made(runs: Path, over: Scale, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / "submission"
    submit(collect(scores.load(runs), over), over, out, About("Dice", "The dice", ("none",)))
    return out


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "copy"))


def manifest_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    return found


def changed(folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """The submission with another manifest."""
    raw = manifest_of(folder)
    change(raw)
    (folder / MANIFEST).write_text(json.dumps(raw))
    return folder


def relisted(folder: Path, index: int) -> None:
    """Let the manifest tell the digest and size that a record has now."""

    def relist(raw: dict[str, Any]) -> None:
        item = raw["records"][index]
        content = (folder / item["path"]).read_bytes()
        item |= {"digest": digest_of(content), "bytes": len(content)}

    changed(folder, relist)


def problems(folder: Path, over: Scale, key: str = "") -> str:
    found = verify_submission(folder, over, key)
    assert found.headline is None or not found.problems
    return "\n".join(found.problems)


# --- a true one ------------------------------------------------------------------------------------------


def test_a_submission_tells_what_its_records_show(made: Path, over: Scale) -> None:
    found = verify_submission(made, over)
    assert not found.problems and found.marks == ()
    manifest = found.manifest
    assert (manifest.agent, manifest.seeds, len(manifest.records)) == ("random", 2, 12)
    assert [(one.world, one.seat, one.name) for one in manifest.settings] == [
        ("timearena", "agent", "random")
    ]
    assert manifest.figures["headline"].value is None, "it has played six scenarios of ninety"
    singles = found.headline.suites[0] if found.headline else None
    assert singles is not None
    assert manifest.figures["timearena/singles"].value == pytest.approx(singles.score.value)
    # Two seeds of random play are not the 50 of the references, but near.
    assert singles.score.value is not None and abs(singles.score.value) < 60
    assert {fact.part for fact in found.verified} == {"files", "records", "seeds", "settings", "figures"}
    assert {"about", "agent", "attempts", "header.players"} <= {fact.part for fact in found.claimed}
    assert found.steps == sum(len(read_episode(path).entries) for path in made.rglob("*.jsonl"))


def test_a_submission_is_written_again_alike(made: Path, runs: Path, over: Scale, tmp_path: Path) -> None:
    submit(collect(scores.load(runs), over), over, tmp_path / "again", About("Dice", "The dice", ("none",)))
    assert (tmp_path / "again" / MANIFEST).read_bytes() == (made / MANIFEST).read_bytes()


# --- what is refused when it is made ---------------------------------------------------------------------


def test_a_folder_in_use_is_left_alone(made: Path, runs: Path, over: Scale) -> None:
    with pytest.raises(Refused, match="is in use"):
        submit(collect(scores.load(runs), over), over, made, About())


def test_one_of_several_agents_has_to_be_named(runs: Path, over: Scale, tmp_path: Path) -> None:
    both = Path(shutil.copytree(runs, tmp_path / "both"))
    runner.run(jobs_of(SINGLES[:1], [AgentSpec("serial")], 2, "standard", "article"), both)
    with pytest.raises(Refused, match="records of 2 agents; choose one with --agent: random, serial"):
        collect(scores.load(both), over)
    chosen = collect(scores.load(both), over, "serial")
    assert (len(chosen.records), chosen.left_out) == (
        2,
        ("12 records that count for no headline of it are left out",),
    )
    with pytest.raises(BackburnerError, match="unknown agent 'serail'"):
        collect(scores.load(both), over, "serail")


def test_seeds_are_those_that_all_scenarios_have(runs: Path, over: Scale, tmp_path: Path) -> None:
    """Seed 1 of one scenario is missing: seeds 0 alone are taken; asked for two, it is refused."""
    less = Path(shutil.copytree(runs, tmp_path / "less"))
    next(less.rglob("*.seed1.jsonl")).unlink()
    found = collect(scores.load(less), over)
    assert (found.seeds, len(found.records)) == (1, 6)
    assert found.left_out == ("5 records with other seeds than 0 to 0 are left out",)
    with pytest.raises(Refused, match="seed 1 was not played; each scenario needs seeds 0 to 1"):
        collect(scores.load(less), over, seeds=2)
    assert collect(scores.load(less), over, seeds=2, allowed=["unfinished"]).unfinished


def test_an_episode_that_is_there_twice_is_refused(runs: Path, over: Scale, tmp_path: Path) -> None:
    twice = Path(shutil.copytree(runs, tmp_path / "twice"))
    one = next(twice.rglob("*.jsonl"))
    shutil.copy(one, one.with_name("again.jsonl"))
    with pytest.raises(Refused, match="an episode counts once"):
        collect(scores.load(twice), over)


def test_unfinished_records_are_refused_unless_said(runs: Path, over: Scale, tmp_path: Path) -> None:
    cut = Path(shutil.copytree(runs, tmp_path / "cut"))
    one = next(cut.rglob("*.seed1.jsonl"))
    one.write_bytes(b"".join(one.read_bytes().splitlines(keepends=True)[:3]))
    with pytest.raises(Refused, match=r"left out, because .*--allow unfinished"):
        collect(scores.load(cut), over)
    out = tmp_path / "submission"
    submit(collect(scores.load(cut), over, seeds=2, allowed=["unfinished"]), over, out, About())
    found = verify_submission(out, over)
    assert (found.problems, found.manifest.allowed, len(found.manifest.records)) == ((), ("unfinished",), 11)


def model_runs(out: Path, *models: str) -> Path:
    specs = [AgentSpec("act", model=model) for model in models]
    jobs = jobs_of(SINGLES[:2], specs, 1, "standard", "article")
    runner.run(jobs, out, client_of=lambda endpoint: stand_in_named(endpoint.model))
    return out


def test_stand_ins_are_refused_unless_said_and_then_marked(over: Scale, tmp_path: Path) -> None:
    stand_in = model_runs(tmp_path / "runs", "stand-in:skill=1")
    with pytest.raises(Refused, match=r"is no model.*--allow stand-ins"):
        collect(scores.load(stand_in), over)
    out = tmp_path / "submission"
    submit(collect(scores.load(stand_in), over, allowed=["stand-ins"]), over, out, About("GPT-9"))
    found = verify_submission(out, over)
    assert (found.problems, found.marks) == ((), ("stand-ins", "informed"))
    changed(out, lambda raw: raw.update(allowed=[]))
    assert "field 'allowed': says nothing of stand-ins" in problems(out, over)


def said(folder: Path, temperature: float, *ids: str) -> None:
    """Episodes of an agent with a setting, of one name."""
    for number, id in enumerate(ids):
        with EpisodeFile(folder / f"{temperature}-{number}.jsonl") as file:
            policy = Answers("wait")
            policy.settings = {"temperature": temperature}
            play_now(registry.world(id), policy, sink=file.write)
            file.finish()


def test_mixed_settings_are_refused_unless_said_and_then_marked(over: Scale, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    said(folder, 0.0, SINGLES[0])
    said(folder, 0.7, SINGLES[1])
    with pytest.raises(Refused, match=r"agent: played with another temperature.*--allow mixed-settings"):
        collect(scores.load(folder), over)
    out = tmp_path / "submission"
    submit(collect(scores.load(folder), over, allowed=["mixed-settings"]), over, out, About())
    assert verify_submission(out, over).marks == ("mixed-settings",)


def test_other_rules_and_limits_count_for_no_headline(over: Scale, tmp_path: Path) -> None:
    runner.run(jobs_of(SINGLES[:1], [AgentSpec("random")], 1, "released", "article"), tmp_path)
    with pytest.raises(Refused, match="no record of a headline suite under standard rules"):
        collect(scores.load(tmp_path), over)


# --- tampering -------------------------------------------------------------------------------------------


def test_a_record_that_was_changed(copy: Path, over: Scale) -> None:
    item = manifest_of(copy)["records"][3]
    file = copy / item["path"]
    file.write_bytes(file.read_bytes().replace(b'"completed":1', b'"completed":0'))
    assert f"{file}: is not the file that submission.json lists" in problems(copy, over)


def test_a_record_that_was_changed_and_listed_anew(copy: Path, over: Scale) -> None:
    """The digest fits; the chain does not."""
    file = copy / manifest_of(copy)["records"][3]["path"]
    file.write_bytes(file.read_bytes().replace(b'"score":', b'"score": ', 1))
    relisted(copy, 3)
    assert str(file) in problems(copy, over)


def test_files_that_changed_places(copy: Path, over: Scale) -> None:
    one, other = (copy / item["path"] for item in manifest_of(copy)["records"][:2])
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    found = problems(copy, over)
    assert f"{one}: " in found and f"{other}: " in found and "is not the file" in found
    relisted(copy, 0)
    relisted(copy, 1)
    assert "field 'seed': submission.json says 0, the record holds 1" in problems(copy, over)


def test_a_figure_that_was_changed(copy: Path, over: Scale) -> None:
    def better(raw: dict[str, Any]) -> None:
        raw["figures"]["timearena/singles"]["value"] += 1

    found = problems(changed(copy, better), over)
    assert "submission.json: figures, 'timearena/singles': claims" in found and "the records give" in found


def test_a_figure_that_is_missing_or_invented(copy: Path, over: Scale) -> None:
    def other(raw: dict[str, Any]) -> None:
        del raw["figures"]["timearena/singles"]
        raw["figures"]["robotouille"] = {"value": 99.0}

    found = problems(changed(copy, other), over)
    assert "'timearena/singles': claims none" in found
    assert "'robotouille': claims 99, the records give none" in found


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("agent", "react(gpt-9)", "is of the agent 'random', not of 'react(gpt-9)'"),
        ("edition", "0123", "field 'edition': its headline is over other worlds or references (0123)"),
        ("worlds", {"timearena": 99}, "field 'worlds': is not what the records hold"),
        ("seeds", 3, "seed 2 is missing of 3 that are claimed"),
        ("seeds", 1, "seed 1; the seeds are 0 to 0"),
        ("settings", [], "field 'settings': is not what the records hold (timearena, agent)"),
    ],
)
def test_a_manifest_that_says_otherwise(copy: Path, over: Scale, field: str, value: object, why: str) -> None:
    assert why in problems(changed(copy, lambda raw: raw.update({field: value})), over)


def test_seeds_that_were_picked(copy: Path, over: Scale) -> None:
    """The better of two seeds of a scenario, called the only one."""

    def picked(raw: dict[str, Any]) -> None:
        raw["records"] = [item for item in raw["records"] if item["seed"] == 1]
        raw["seeds"] = 1

    for item in manifest_of(copy)["records"]:
        if item["seed"] == 0:
            (copy / item["path"]).unlink()
    assert "seed 1; the seeds are 0 to 0" in problems(changed(copy, picked), over)


def test_an_episode_that_is_listed_twice(copy: Path, over: Scale) -> None:
    def twice(raw: dict[str, Any]) -> None:
        raw["records"].append({**raw["records"][0], "path": "records/timearena/again.jsonl"})

    shutil.copy(copy / manifest_of(copy)["records"][0]["path"], copy / "records/timearena/again.jsonl")
    with pytest.raises(BadFile, match=r"records\[12\] 'records/timearena/again.jsonl': has the same content"):
        verify_submission(changed(copy, twice), over)
    file = copy / "records/timearena/again.jsonl"
    file.write_bytes(file.read_bytes() + b"\n")
    changed(copy, lambda raw: raw["records"][12].update(digest=digest_of(file.read_bytes())))
    with pytest.raises(BadFile, match="an episode counts once"):
        verify_submission(copy, over)


def test_a_file_that_is_missing_or_that_nobody_lists(copy: Path, over: Scale) -> None:
    (copy / "notes.txt").write_text("hello")
    with pytest.raises(BadFile, match=r"notes\.txt: is not listed in submission\.json"):
        verify_submission(copy, over)
    (copy / "notes.txt").unlink()
    file = copy / manifest_of(copy)["records"][5]["path"]
    file.unlink()
    with pytest.raises(BadFile, match=r"is listed in submission\.json and not there"):
        verify_submission(copy, over)


@pytest.mark.parametrize(
    "path",
    ["../runs/x.jsonl", "/etc/passwd", "records/../../x", "records//x", "records", "a\\b", "records/\x1b"],
)
def test_no_path_leads_out_of_the_folder(copy: Path, over: Scale, path: str) -> None:
    with pytest.raises(BadFile, match=r"records\[0\].*is no path of a file in records/") as error:
        verify_submission(changed(copy, lambda raw: raw["records"][0].update(path=path)), over)
    assert "\x1b" not in str(error.value)


@pytest.mark.parametrize("where", ["record", "folder", "manifest"])
def test_no_link_is_followed(copy: Path, over: Scale, tmp_path: Path, where: str) -> None:
    path = {
        "record": copy / manifest_of(copy)["records"][0]["path"],
        "folder": copy / "records" / "timearena",
        "manifest": copy / MANIFEST,
    }[where]
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadFile, match="is a link"):
        verify_submission(copy, over)


def test_a_pipe_is_no_file(copy: Path, over: Scale) -> None:
    os.mkfifo(copy / "records" / "pipe.jsonl")
    with pytest.raises(BadFile, match="is no regular file"):
        verify_submission(copy, over)


@pytest.mark.parametrize(
    ("about", "why"),
    [
        ({"agent": "a\x1b[2Jb"}, "about.agent.*character that is no text"),
        ({"agent": "a\u202eb"}, "about.agent.*character that is no text"),
        ({"organisation": "x" * 500}, "at most 200"),
        ({"links": ["javascript:alert(1)"]}, "not written as"),
        ({"links": ['https://a.b/" onclick="x']}, "not written as"),
        ({"models": ["m"] * 50}, "at most 20"),
        ({"hidden": 1}, "unknown field"),
    ],
)
def test_what_a_submitter_says_is_plain_text(copy: Path, over: Scale, about: Any, why: str) -> None:
    with pytest.raises(BadFile, match=why):
        verify_submission(changed(copy, lambda raw: raw["about"].update(about)), over)


# --- signatures and costs --------------------------------------------------------------------------------


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, Path]:
    pytest.importorskip("cryptography")
    return make_keys(tmp_path / "my.key")


def test_a_signature_vouches_for_the_manifest(
    runs: Path, over: Scale, tmp_path: Path, keys: tuple[Path, Path]
) -> None:
    out, (private, public) = tmp_path / "signed", keys
    submit(collect(scores.load(runs), over), over, out, About("Dice"), sign=read_signer(private))
    key = read_public(public)
    assert not verify_submission(out, over, key).problems
    assert any(fact.part == "signature" for fact in verify_submission(out, over, key).verified)
    assert any(fact.part == "signature" for fact in verify_submission(out, over).claimed)
    other = read_public(make_keys(tmp_path / "other.key")[1])
    assert f"is of the key {key[:16]}…, and {other[:16]}… is asked for" in problems(out, over, other)
    changed(out, lambda raw: raw["about"].update(agent="Somebody else"))
    assert "is no signature of this manifest by its key" in problems(out, over)
    changed(out, lambda raw: raw.update(key="", signature=""))
    assert "field 'signature': there is none" in problems(out, over, key)


def test_costs_are_summed_again(over: Scale, tmp_path: Path) -> None:
    stand_in = model_runs(tmp_path / "runs", "stand-in:skill=1")
    prices = Prices({"m": Price(1.0, 2.0)}, "EUR")
    out = tmp_path / "submission"
    found = collect(scores.load(stand_in), over, allowed=["stand-ins"])
    manifest, _ = submit(found, over, out, About(), prices=prices)
    assert manifest.cost.calls > 0 and manifest.cost.currency == "EUR"
    changed(out, lambda raw: raw["cost"].update(calls=1))
    assert "field 'cost': is not what the records hold (calls)" in problems(out, over)


# --- anything at all -------------------------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_manifest_with_anything_in_it_is_an_error_and_never_a_crash(
    made: Path, over: Scale, data: st.DataObject
) -> None:
    """A field, or an item of one, is replaced by any JSON value. Nothing but the true one is verified."""
    raw = manifest_of(made)
    place: Any = raw
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    was, place[key] = place[key], data.draw(json_values)
    if place[key] == was:
        return
    original = (made / MANIFEST).read_bytes()
    try:
        (made / MANIFEST).write_text(json.dumps(raw))
        try:
            found: Verification | None = verify_submission(made, over)
        except BackburnerError as error:
            assert str(error).isprintable()
            return
        assert found is not None
        said_so = raw["about"] != json.loads(original)["about"]
        said_so = said_so or raw["made_by"] != f"backburner {__version__}"
        priced = raw["prices"] is not None or raw["allowed"] != []
        assert found.problems or said_so or priced
        assert all(line.isprintable() for line in found.problems)
    finally:
        (made / MANIFEST).write_bytes(original)


def test_a_manifest_reads_and_writes_alike(made: Path, tmp_path: Path) -> None:
    manifest = read_submission(made).manifest
    write_manifest(tmp_path, manifest)
    assert msgspec.json.decode((tmp_path / MANIFEST).read_bytes(), type=Manifest) == manifest
