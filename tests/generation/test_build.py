"""Builds: what is kept, what is told where too little is, and that a stopped build goes on as before."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from backburner.generation import survey
from backburner.generation.build import ATTEMPTS, GENERATION
from backburner.generation.builder import builder_of
from backburner.generation.canonical import form, split_of
from backburner.generation.survey import surveyed
from backburner.kernel import registry
from backburner.kernel.answers import BIASED, answers_at
from backburner.kernel.answers import FILE as ANSWERS
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.generating import generator_of
from backburner.kernel.values import digest
from support.command_line import Ran, ran
from support.folders import contents
from support.generation.builds import WORLD, build


def backburner(*arguments: str, code: int = 0) -> Ran:
    run = ran(*arguments)
    assert run.code == code, run.stderr
    return run


SMALL = {"length": "6:8", "gap": "busy=.05:.6", "scenarios": 6}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("unbroken") / "new"
    build(out, **SMALL)
    return out


@pytest.mark.parametrize("with_answers", [True, False])
def test_what_is_kept_has_what_was_asked_and_measures_the_same_again(
    unbroken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_answers: bool
) -> None:
    """By the answers beside the files nothing is searched for; without these it is all proven again."""
    if with_answers:
        monkeypatch.setattr(survey, "solve_world", None)
    index = json.loads((unbroken / registry.INDEX).read_bytes())
    assert len(index["kept"]) == 6 == len(registry.expand(str(unbroken)))
    for kept in index["kept"]:
        file = unbroken / kept["file"]
        found = surveyed(str(file if with_answers else shutil.copy(file, tmp_path)))
        assert found.dials == kept["attempt"]["dials"]
        assert 6 <= found.dials["length"] <= 8 and 0.05 <= found.dials["gap:busy"] <= 0.6
        assert (found.status, found.best) == ("optimal", kept["attempt"]["best"])
        assert split_of(kept["attempt"]["shape"]) == "train"
    assert len({kept["attempt"]["form"] for kept in index["kept"]}) == 6


def test_show_and_measure_tell_the_same_dials(unbroken: Path) -> None:
    file = registry.expand(str(unbroken))[0]
    assert (
        backburner("show", file, "--dials", "--json").stdout == backburner("measure", file, "--json").stdout
    )


def test_answers_lie_beside_the_scenarios_and_not_in_them(unbroken: Path) -> None:
    answers = answers_at(unbroken)
    for id in registry.expand(str(unbroken)):
        answer = answers[digest(registry.world(id).scenario)]
        assert answer.best == answer.bound and answer.plan
        assert answer.plan[0] not in Path(id).read_text()


def test_play_ends_at_twice_the_time_of_single_file(unbroken: Path) -> None:
    for id in registry.expand(str(unbroken))[:2]:
        world = registry.world(id)
        episode_limit = world.scenario.limit
        from backburner.generation.measure import played

        assert episode_limit == 2 * played(world, generator_of(WORLD), "serial", 0).value


@pytest.mark.parametrize("generations", [0, 1])
def test_a_build_that_was_stopped_goes_on_to_the_same_bytes(
    unbroken: Path, tmp_path: Path, generations: int
) -> None:
    """Killed in the middle of writing a generation's lines: the part of it is made again."""
    out = tmp_path / "new"
    build(out, **SMALL | {"scenarios": 1})
    lines = (unbroken / ATTEMPTS).read_bytes().splitlines(keepends=True)
    kept = lines[: generations * GENERATION]
    (out / ATTEMPTS).write_bytes(b"".join(kept) + (lines[len(kept)][:20] if len(kept) < len(lines) else b""))
    build(out, **SMALL)
    assert contents(out) == contents(unbroken)


def test_processes_do_not_decide_what_is_kept(unbroken: Path, tmp_path: Path) -> None:
    build(tmp_path / "new", **SMALL, workers=2)
    assert contents(tmp_path / "new") == contents(unbroken)


def test_more_scenarios_of_the_same_build_are_the_same_and_more(unbroken: Path, tmp_path: Path) -> None:
    build(tmp_path / "new", **SMALL | {"scenarios": 2})
    few = set(contents(tmp_path / "new"))
    build(tmp_path / "new", **SMALL)
    assert few <= set(contents(tmp_path / "new")) and contents(tmp_path / "new") == contents(unbroken)


def test_a_scenario_file_that_was_deleted_is_written_again(unbroken: Path, tmp_path: Path) -> None:
    out = tmp_path / "new"
    build(out, **SMALL)
    Path(registry.expand(str(out))[0]).unlink()
    build(out, **SMALL)
    assert contents(out) == contents(unbroken)


def test_other_settings_are_refused_in_the_same_folder(unbroken: Path) -> None:
    with pytest.raises(Refused, match="another length"):
        build(unbroken, **SMALL | {"length": "9"})


def test_scenarios_that_were_seen_are_left_out(unbroken: Path, tmp_path: Path) -> None:
    build(tmp_path / "new", **SMALL, apart=str(unbroken))
    forms = [
        {kept["attempt"]["form"] for kept in json.loads((folder / registry.INDEX).read_bytes())["kept"]}
        for folder in (unbroken, tmp_path / "new")
    ]
    assert len(forms[1]) == 6 and not forms[0] & forms[1]


def test_nothing_is_drawn_around_what_is_not_proven(tmp_path: Path) -> None:
    """Kitchens of two cooks, with work for three states of each search."""
    builder = builder_of("collab_overcooked")
    usual = {each.name: each.default for each in builder.arguments if each.default is not None}
    asked = {**usual, "scenarios": 1, "attempts": 8, "effort": 0.0003, "length": "1:"}
    builder.build(tmp_path / "new", asked, lambda total: None)
    tried = [json.loads(line) for line in (tmp_path / "new" / ATTEMPTS).read_text().splitlines()]
    unproven = [attempt for attempt in tried if attempt.get("verdict") == "not proven"]
    assert unproven and not any("deviation" in attempt for attempt in unproven)


def test_answers_say_so_where_many_drafts_were_dropped_as_unproven(unbroken: Path, tmp_path: Path) -> None:
    """Long sets, with hardly any work for each proof; the answer of the second comes as the build goes on."""
    hard = {"length": "30:40", "effort": 0.003, "attempts": 24}
    build(tmp_path / "new", **hard, scenarios=1)
    built = build(tmp_path / "new", **hard, scenarios=2)
    (share,) = built.index.unproven
    assert share > BIASED and built.remarks == [
        f"{share:.0%} of the drafts that were tried were dropped as nothing was proven: mind the bias"
    ]
    answers = answers_at(tmp_path / "new").values()
    assert [answer.unproven for answer in answers] == [share, share]
    assert b"unproven" not in (unbroken / ANSWERS).read_bytes()


def test_twins_tell_one_structure_in_two_themes(tmp_path: Path) -> None:
    build(tmp_path, length="6", scenarios=2, theme="pottery", twins=True)
    generator = generator_of(WORLD)
    names = sorted(registry.expand(str(tmp_path)))
    assert len(names) == 4
    for nonsense, plain in zip(names[::2], names[1::2], strict=True):
        plain, nonsense = sorted((plain, nonsense), key=len)
        worlds = [registry.world(id) for id in (plain, nonsense)]
        one, other = (form(generator.structure(world)) for world in worlds)
        assert one == other and worlds[0].scenario != worlds[1].scenario
    assert (tmp_path / ANSWERS).read_bytes().count(b"\n") == 4


def test_shapes_of_the_sealed_split_need_a_secret(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="secret-seed-file"):
        build(tmp_path, length="6", split="sealed")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"gap": "clever=.1:"}, "clever"),
        ({"grid": "rooms=.5"}, "no dial 'rooms'; it has length"),
        ({"set": "stoves=3"}, "stoves"),
        ({"length": "many"}, "length is a number"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_line(tmp_path: Path, said: dict[str, str], why: str) -> None:
    with pytest.raises((Refused, UnknownName), match=why):
        build(tmp_path, **said)


def test_a_dial_that_no_draft_meets_is_told_with_the_nearest(tmp_path: Path) -> None:
    line = ("build", WORLD, "--length", "6:", "--width", "40", "--scenarios", "1", "--attempts", "24")
    run = backburner(*line, "--out", str(tmp_path / "new"), code=1)
    assert "0 of 1" in run.stderr and "width of 36:44: the nearest drafts have" in run.stderr


def test_dials_are_options_of_the_command_line(tmp_path: Path) -> None:
    line = [
        "build",
        WORLD,
        "--length",
        "6",
        "--gap",
        "busy=:2",
        "--gap",
        "serial=:9",
        "--out",
        str(tmp_path / "a"),
    ]
    assert "kept" in backburner(*line, "--scenarios", "1").stdout
    assert (
        "no dial"
        not in backburner("build", WORLD, "--slack", "2", "--out", str(tmp_path / "b"), code=2).stdout
    )
