"""A folder of records of which some were made to break whoever reads them: each is one line, the others are
reported. What a stranger's record asks for is refused before the work is done."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

import backburner
from backburner.cli import app
from backburner.evaluation.records import Unusable, read_verified
from backburner.evaluation.scoring import scores
from backburner.kernel import chain, packs, registry
from backburner.kernel.bounds import MOST_VALUES
from backburner.kernel.claims import check
from backburner.kernel.episode import EpisodeFile, read_episode
from backburner.kernel.errors import BadFile
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.scoring import PlainScoring
from backburner.kernel.values import digest
from backburner.worlds.collab_overcooked.game.layout import shipped_layout
from backburner.worlds.collab_overcooked.game.scenarios import SHIPPED
from support.evaluation.forged import Object, forge, forged, objects_in
from support.promptly import within

OURS = [name for name, pack in packs.installed().packs.items() if pack.catalogue.startswith("backburner.")]


def recorded(id: str, path: Path, most_steps: int = 4) -> Path:
    episode = backburner.play_now(backburner.world(id), backburner.FirstLegalPolicy(), max_steps=most_steps)
    backburner.write_episode(episode, path)
    return path


# --- what a world is asked to make of a scenario ---------------------------------------------------------


def shorter_lifetimes(scenario: Any) -> None:
    scenario["lifetimes"] = scenario["lifetimes"][:-1]


def dish_twice(scenario: Any) -> None:
    scenario["dishes"].append(scenario["dishes"][0])


def countless_bodies(scenario: Any) -> None:
    scenario["bodies"] = 10**8


def endless_kitchen(scenario: Any) -> None:
    scenario["kitchen"] = scenario["kitchen"] * 200_000


def after_nothing(scenario: Any) -> None:
    scenario["recipes"][0]["steps"][-1]["after"] = [99]


def many_items(scenario: Any) -> None:
    items = scenario["problem"]["items"]
    items += tuple(items[0] | {"name": f"{items[0]['name']}{number}"} for number in range(3000))


def wide_grid(scenario: Any) -> None:
    layout = msgspec.to_builtins(shipped_layout(SHIPPED))
    scenario["layout"] = layout | {"grid": [row * 4000 for row in layout["grid"]]}


CHANGES: list[tuple[str, Callable[[Any], None]]] = [
    ("cuisineworld", shorter_lifetimes),
    ("cuisineworld", dish_twice),
    ("cuisineworld", countless_bodies),
    ("cuisineworld", endless_kitchen),
    ("recipe2plan", after_nothing),
    ("robotouille", many_items),
    ("collab_overcooked", wide_grid),
]


def with_digest(header: Object) -> None:
    """As a careful stranger does it, where the scenario can be read at all."""
    kind = registry.catalogue(header["world"]).scenario_type
    with suppress(msgspec.ValidationError):
        header["scenario_digest"] = digest(msgspec.convert(header["scenario"], kind))


@pytest.fixture(scope="module")
def demanding(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good record of each world, and others whose scenarios ask for too much, or for nonsense."""
    folder = tmp_path_factory.mktemp("demanding")
    for name in OURS:
        recorded(registry.expand(f"{name}/quick")[0], folder / f"good-{name}.jsonl", 100_000)
    for name, change in CHANGES:
        objects = objects_in((folder / f"good-{name}.jsonl").read_bytes())
        change(objects[0]["scenario"])
        with_digest(objects[0])
        (folder / f"bad-{change.__name__}.jsonl").write_bytes(forged(objects))
    return folder


REPORT = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
from backburner.__main__ import main
sys.argv = ["backburner", *sys.argv[1:]]
main()
"""


def test_scenarios_that_ask_for_too_much_stop_no_report(demanding: Path) -> None:
    """In 3 GB of memory."""
    command = [sys.executable, "-c", REPORT, "report", str(demanding), "--out", str(demanding / "r.html")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr
    lines = [line for line in run.stderr.splitlines() if "left out, because" in line]
    assert len(lines) == len(CHANGES), run.stderr
    assert (demanding / "r.html").stat().st_size > 10_000


@pytest.mark.parametrize(("name", "change"), CHANGES, ids=lambda value: getattr(value, "__name__", value))
def test_a_scenario_that_asks_for_too_much_is_refused_at_once(
    demanding: Path, name: str, change: Callable[[Any], None]
) -> None:
    file = demanding / f"bad-{change.__name__}.jsonl"
    with within(3), pytest.raises(Unusable, match="left out, because"):
        read_verified(file)


# --- what is merely claimed, and breaks who computes with it ----------------------------------------------


def odd_claims(draw: random.Random) -> Callable[[list[Object]], None]:
    """Changes of claims that no play of ours would have made."""
    odd: list[Any] = [None, [], ["x"], {"a": {"b": []}}, "\x1b[2J", -1, 10**40, 1e300, True, "x" * 900]

    def change(objects: list[Object]) -> None:
        for player in objects[0]["players"].values():
            player["name"] = draw.choice(["", "\x1b]0;x\x07", "[red]", "act@=(", "a" * 900, "greedy"])
            player["settings"] = {
                key: draw.choice(odd) for key in ("model", "method", "choices", "temperature", "x" * 500)
            }
            if draw.random() < 0.5:
                player["settings"]["choices"] = {"plan": draw.choice(odd), "\n": draw.choice(odd)}
        objects[0]["version"] = draw.choice(["", "99", "<b>", "\x1b[1m"])
        for step in objects[1:-1]:
            for answer in step["answers"].values():
                purposes = ["plan 1", "plan -1", "critique 99999999999999999999", "predict", "reason", ""]
                answer["thoughts"] = [{"purpose": draw.choice(purposes), "text": "\n\x1b" * 9}]
            counts = [0, 1, 10**15]
            step["spent"] = {
                seat: {
                    "seconds": draw.choice([0.0, 1e15, 1e-300]),
                    "calls": draw.choice(counts[1:]),  # a model that was never asked is refused
                    "input_tokens": draw.choice(counts),
                    "endings": {"\x1b": draw.choice(counts)},
                }
                for seat in step["answers"]
            }

    return change


@pytest.mark.parametrize("name", OURS)
def test_odd_claims_stop_no_report(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    good = recorded(registry.expand(f"{name}/quick")[0], folder / "good.jsonl")
    for number in range(20):
        change = odd_claims(random.Random(f"{name}/{number}"))
        forge(good, change, folder / f"odd{number}.jsonl")
    runner = CliRunner()
    for command in (["report"], ["score"], ["score", "--json"], ["verify"]):
        result = runner.invoke(app, [command[0], str(folder), *command[1:]])
        assert result.exit_code == 0, (command, result.exception, result.output[-2000:])
    assert len(scores.load(folder).episodes) == 21


SOUND = registry.scoring("timearena")
"""Measures what the headline score is made of, too."""


class Breaking(PlainScoring):
    """Metrics that cannot be computed of one scenario, by an error of any kind."""

    def measure(self, episode: Any) -> Any:
        if episode.header.id == "timearena/cooking1":
            raise RecursionError("maximum recursion depth exceeded")
        return {**SOUND.measure(episode), **super().measure(episode)}

    def sections(self, rows: Any) -> Any:
        if any(episode.header.id == "timearena/cooking2" for episode, _ in rows):
            raise ZeroDivisionError("division by zero")
        return super().sections(rows)


def test_a_record_whose_numbers_cannot_be_computed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "scoring", lambda name: Breaking())
    for scenario in ("cooking1", "cooking2", "cooking3"):
        recorded(f"timearena/{scenario}", tmp_path / f"{scenario}.jsonl")
    loaded = scores.load(tmp_path)
    scored = scores.score(episode for _, episode in loaded.episodes)
    used = scores.used(loaded, scored)
    assert [path.name for path, _ in used.episodes] == ["cooking3.jsonl"]
    first, second = used.unusable
    assert "timearena/cooking1, seed 0, first-legal: left out, because RecursionError" in first
    assert "timearena/cooking2, seed 0, first-legal: left out, because ZeroDivisionError" in second
    result = CliRunner().invoke(app, ["report", str(tmp_path)])
    assert result.exit_code == 0 and result.stderr.count("left out, because") == 2
    assert "ZeroDivisionError" in (tmp_path / "report.html").read_text()


# --- files -------------------------------------------------------------------------------------------------


def refused(path: Path, why: str) -> None:
    with within(1), pytest.raises(BadFile, match=why):
        read_episode(path)
    with within(1), pytest.raises(Unusable, match=why):
        read_verified(path)


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    refused(pipe, "is no regular file")
    endless = tmp_path / "endless.jsonl"
    endless.symlink_to("/dev/zero")
    refused(endless, "is no regular file")
    refused(tmp_path, "is a folder")
    refused(tmp_path / "a\0b", "not a file's name")


def test_files_lines_and_nesting_are_bounded_before_work_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = tmp_path / "large.jsonl"
    with large.open("wb") as file:
        file.truncate(chain.MOST_BYTES + 1)  # which takes no room
    refused(large, f"has {chain.MOST_BYTES + 1} bytes")

    good = recorded("timearena/cooking1", tmp_path / "good.jsonl")
    header = good.read_bytes().splitlines(keepends=True)[0]
    deep = tmp_path / "deep.jsonl"
    nested = forge(good, lambda objects: objects[1]["answers"]["agent"].update(decision=inner(200)), deep)
    refused(nested, "line 2: not a record line .nested deeper than 100")
    deep.write_bytes(header + b"[" * 1_000_000 + b"\n")
    refused(deep, "line 2: not a record line")
    deep.write_bytes(b'{"record":"header","format":2,"scenario":' + b"[" * 1_000_000 + b"\n")
    refused(deep, "line 1: not a record line")

    monkeypatch.setattr(chain, "MOST_LINES", 3)
    refused(good, "of more than 3 lines")
    monkeypatch.undo()
    long = tmp_path / "long.jsonl"
    long.write_bytes(header + b'{"record":"step","index":0,"x":"' + b"x" * chain.MOST_LINE_BYTES + b'"}\n')
    refused(long, "line 2: not a record line .of 167772")
    long.write_bytes(header.replace(b'"tasks"', b'"tasks' + b"x" * chain.MOST_HEADER_BYTES + b'"'))
    refused(long, "line 1: not a record line .of 41")


def test_so_many_lists_are_no_line(tmp_path: Path) -> None:
    """Megabytes of lists are refused before anybody makes them; brackets in texts are none."""
    good = recorded("timearena/cooking1", tmp_path / "good.jsonl")
    for many in ([[]] * (MOST_VALUES // 2 + 1), [inner(90)] * 11_000):
        listed = forge(good, lambda objects, many=many: objects[1]["answers"]["agent"].update(decision=many))
        refused(listed, rf"line 2: not a record line .more than {MOST_VALUES} values")
    chain.check_size(b'{"x":"' + b"[" * 2 * MOST_VALUES + b'"}')


class Talks:
    """Says so many characters at every turn."""

    name, informed, settings = "talks", False, {}

    def __init__(self, characters: int) -> None:
        self._said = Reply("x" * characters)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return self._said


def test_a_record_that_is_full_ends_its_episode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three answers of 100 kB fit into 512 kB beside the room that is kept for the ending. The fourth has not
    happened; the record reads and replays."""
    monkeypatch.setattr(chain, "MOST_BYTES", 512_000)
    path = tmp_path / "full.jsonl"
    with EpisodeFile(path) as file:
        episode = backburner.play_now(backburner.world("timearena/lab1"), Talks(100_000), sink=file.write)
        file.finish()
    ending = episode.ending
    assert ending is not None
    assert (ending.status, ending.reason, ending.steps) == ("failed", "record", 3)
    assert ending.error == "a record has at most 512000 bytes, and is full"
    read = read_episode(path)
    assert read.entries == episode.entries and check(read) == 3


def inner(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda spent: spent.update(input_tokens=10**16), "input_tokens"),
        (lambda spent: spent.update(calls=-1), "calls"),
        (lambda spent: spent.update(seconds=1e16), "seconds"),
    ],
)
def test_nobody_has_spent_as_much_as_that(tmp_path: Path, change: Callable[[Object], None], why: str) -> None:
    """Sums of such numbers do not fit what computes with them."""
    good = recorded("timearena/cooking1", tmp_path / "good.jsonl")

    def spend(objects: list[Object]) -> None:
        objects[1]["spent"] = {"agent": {}}
        change(objects[1]["spent"]["agent"])

    refused(forge(good, spend), f"line 2: .*{why}")


def test_no_page_has_a_sign_that_commands_a_terminal(tmp_path: Path) -> None:
    good = recorded("timearena/cooking1", tmp_path / "runs" / "good.jsonl")
    forge(good, lambda objects: objects[0].update(version="0.1\x1b[2J"), good)
    for command in (
        ["report", str(tmp_path / "runs")],
        ["replay", str(good), "--html", str(tmp_path / "a.html")],
    ):
        assert CliRunner().invoke(app, command).exit_code == 0
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 1 and not [page for page in pages if b"\x1b" in page.read_bytes()]
