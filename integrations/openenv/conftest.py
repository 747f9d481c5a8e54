"""A server of the installed wheel."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BACKBURNER = Path(sys.executable).with_name("backburner")


class Server:
    """``backburner env-server``: where it is, and where it leaves its records."""

    def __init__(self, address: str, records: Path) -> None:
        self.address, self.records = address, records


@contextmanager
def serving(folder: Path, *arguments: str, most: int = 64) -> Iterator[Server]:
    """A server on a port that is free; it must live until it is stopped."""
    sessions = ("--sessions", f"most={most},records=records")
    command = [str(BACKBURNER), "env-server", *arguments, "--listen", "0", *sessions]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://"), address
        yield Server(address, folder / "records")
        assert process.poll() is None, "the server did not live through its tests"
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One with six sessions; every suite has one seat."""
    offered = ("timearena/quick", "cuisineworld/quick", "recipe2plan/quick")
    with serving(tmp_path_factory.mktemp("served"), *offered, most=6) as running:
        yield running
