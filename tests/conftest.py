"""Options and fixtures for all tests."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("support")  # differences are told by what was asserted

from support.recordings import Compare, Comparison, Named  # noqa: E402

settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")  # machines that run tests may be slow, and busy with other things

COMPARED = "compared"
"""The property of a test's report that says what it compared."""

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


@pytest.fixture
def compare(record_property: Any) -> Compare:
    """See ``Compare``; the count is printed at the end of the run, also where all is well."""

    def compare(what: str, unit: str, cases: Iterable[Named]) -> None:
        comparison = Comparison(what, unit)
        for name, check in cases:
            comparison.add(name, check)
        record_property(COMPARED, str(comparison))
        assert comparison.cases, f"{what}: no cases"
        if comparison.different:
            pytest.fail("\n".join((str(comparison), *comparison.different[:10])), pytrace=False)

    return compare


ABSENT = ("is not there", "are not there", "no recorded runs")
"""What the reasons of tests say that skip where the files beside the checkout are missing."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A line for each part of a file of recordings that was compared, also where all is well; and one for
    all tests that were skipped as ../shared is missing."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    n_absent = sum(any(word in reason for word in ABSENT) for reason in skipped)
    if n_absent:
        terminalreporter.write_line(
            f"{n_absent} tests skipped: no facts, recordings or files of the released programs in ../shared"
        )
    for reports in (terminalreporter.stats.get(outcome, []) for outcome in ("passed", "failed")):
        for report in reports:
            for name, value in report.user_properties:
                if name == COMPARED:
                    terminalreporter.write_line(value)
