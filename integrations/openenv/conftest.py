"""A server of the installed wheel."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BACKBURNER = Path(sys.executable).with_name("backburner")


class Server:
    """``backburner env-server``: where it is, and where it leaves its records."""

    def __init__(self, address: str, records: Path) -> None:
        self.address, self.records = address, records


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One with six sessions; every suite has one seat."""
    folder = tmp_path_factory.mktemp("served")
    offered = ["timearena/quick", "cuisineworld/quick", "recipe2plan/quick"]
    command = [str(BACKBURNER), "env-server", *offered, "--port", "0", "--most-sessions", "6"]
    process = subprocess.Popen(
        [*command, "--records", "records"], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), address
        yield Server(address, folder / "records")
        assert process.poll() is None, "the server did not live through its tests"
    finally:
        process.terminate()
        process.wait(20)
