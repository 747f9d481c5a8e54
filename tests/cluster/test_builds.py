"""Builds with a pool of piped workers give what they give without, byte by byte."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.cli import build as command
from backburner.cluster.head import Cluster
from backburner.cluster.pool import Lost
from backburner.cluster.worker import about_here
from backburner.evaluation.running.pool import Run
from backburner.generation.build import ATTEMPTS
from backburner.generation.builder import builder_of
from backburner.kernel.building import Standing
from backburner.kernel.errors import Refused
from support.folders import contents
from support.generation.builds import WORLD, build
from support.piped_workers import PipedMachines
from support.recipe2plan.recipe_folders import EGG, RICE, write_recipes

SMALL = {"length": "6:8", "scenarios": 2}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("here") / "new"
    build(out, **SMALL)
    return dict(contents(out))


def test_a_build_though_a_worker_is_killed(here: dict[str, bytes], tmp_path: Path) -> None:
    """It is killed in the middle of the first generation; all 24 attempts are made, each once."""
    machines, heard = PipedMachines(), list[Standing]()

    def progress(now: Standing) -> None:
        heard.append(now)
        if now.attempts == 5:
            os.kill(machines.workers[0].process.pid, signal.SIGKILL)

    usual = {each.name: each.default for each in builder_of(WORLD).arguments if each.default is not None}
    asked = {**usual, **SMALL, "cluster": Cluster(machines).running}
    builder_of(WORLD).build(tmp_path / "new", asked, progress)
    assert contents(tmp_path / "new") == here
    assert len(machines.workers) == 3
    assert [now.attempts for now in heard if not now.file] == list(range(25))
    assert [now.kept for now in heard if now.file] == [1, 2]


class Dying:
    """A worker that is lost by every attempt."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()

    async def call(self, method: str, *arguments: Any) -> Any:
        if method == "exchange":
            await self.gone.wait()
        if method in ("exchange", "worked"):
            raise Lost("it ended")
        return about_here() if method == "about" else None

    def end(self) -> None:
        self.gone.set()


class Deadly(PipedMachines):
    async def start(self) -> Any:
        return Dying()


def test_an_attempt_that_workers_are_lost_by_ends_the_build_and_is_no_verdict(
    here: dict[str, bytes], tmp_path: Path
) -> None:
    with pytest.raises(Refused, match=r"^attempt \d+ of cell 0: 3 workers were lost by it \(it ended\)$"):
        build(tmp_path / "new", **SMALL, cluster=Cluster(Deadly()).running)
    assert (tmp_path / "new" / ATTEMPTS).read_bytes() == b""
    build(tmp_path / "new", **SMALL)
    assert contents(tmp_path / "new") == here


def test_what_options_name_goes_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_recipes(Path("recipes"), RICE, EGG)
    asked: list[tuple[int, list[str]]] = []

    @contextmanager
    def workers(most: int, files: Iterable[str]) -> Iterator[Run]:
        asked.append((most, list(files)))
        yield map

    options = {"from": "recipes", "split": "open", "attempts": 1, "scenarios": 1}
    build(tmp_path / "new", **options, cluster=workers)
    assert asked == [(24, ["recipes"])]


@pytest.fixture
def on_pipes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int | None]]:
    """Every address is that of piped workers; which were asked for, and how many there."""
    asked: list[tuple[str, int | None]] = []

    @contextmanager
    def cluster_at(address: str, workers: int | None, tell: Callable[[str], None]) -> Iterator[Any]:
        if address:
            asked.append((address, workers))
        yield Cluster(PipedMachines(), workers=workers) if address else None

    monkeypatch.setattr(command, "cluster_at", cluster_at)
    return asked


def test_a_hosted_build_commits_to_the_same(on_pipes: list[tuple[str, int | None]], tmp_path: Path) -> None:
    """The machines are no part of what is asked: neither of the seed nor of what is published."""
    secret = tmp_path / "my.secret"
    told = []
    for name, more in (("a", ()), ("b", ("--cluster", "ray://there:1"))):
        line = ("build", WORLD, "--length", "6", "--scenarios", "1", "--split", "open", *more, "--json")
        hosted = ("--secret-seed-file", str(secret), "--out", str(tmp_path / name))
        result = CliRunner().invoke(app, [*line, *hosted], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        assert "seed" not in result.stderr.replace("my.secret", "") and '"file"' not in result.stderr
        told.append(json.loads(result.stdout))
        secret.with_name("my.secret.build").rename(tmp_path / f"{name}.build")
    assert told[0] == told[1] and contents(tmp_path / "a") == contents(tmp_path / "b")
    assert contents(tmp_path / "a.build") == contents(tmp_path / "b.build")
    assert on_pipes == [("ray://there:1", None)]


def test_workers_are_those_of_the_cluster_if_they_are_said(
    on_pipes: list[tuple[str, int | None]], here: dict[str, bytes], tmp_path: Path
) -> None:
    at = ("--cluster", "there:1", "--workers", "1", "--out", str(tmp_path / "new"))
    line = ("build", f"{WORLD}@length=6:8,scenarios=2", *at)
    assert CliRunner().invoke(app, [*line], catch_exceptions=False).exit_code == 0
    assert on_pipes == [("there:1", 1)] and contents(tmp_path / "new") == here
