"""Options and fixtures for all tests."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")  # machines that run tests may be slow, and busy with other things

DEFAULT_VECTORS = Path(__file__).resolve().parents[2] / "shared" / "conformance"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors",
        type=Path,
        default=DEFAULT_VECTORS,
        help="folder with recorded runs of the released programs (timearena.json, ...)",
    )


def pytest_collection_finish() -> None:
    """Spare the collector of garbage the tests themselves, thousands of them: a tenth of the time."""
    gc.freeze()


@pytest.fixture(scope="session")
def vectors(request: pytest.FixtureRequest) -> Path:
    """The folder with recorded runs; skips where there is none."""
    folder: Path = request.config.getoption("--vectors")
    if not folder.is_dir():
        pytest.skip(
            f"no recorded runs of the released programs in {folder}; name a folder with --vectors DIR"
        )
    return folder


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what the replays of recorded runs have compared (their ``compared`` property)."""
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            if name == "compared":
                terminalreporter.write_line(f"recorded runs of {value}")
