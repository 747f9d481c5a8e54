"""A hosted suite of desks: built of a secret, played, scored, submitted, verified, and built again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.generation import build, headline
from backburner.kernel.generating import generator_of

ASKED = "grid=built-2,scenarios=2,split=open,set=jobs=6+silent=.5+spread=.8"
EDITION = "my.secret.build.sealed.json"


@pytest.fixture(scope="module", autouse=True)
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Two short days of the highest band, in a folder of their own, and records of three agents."""
    folder, kind = tmp_path_factory.mktemp("hosted"), type(generator_of("desk"))
    (folder / "my.secret").write_text("de" * 32)
    with pytest.MonkeyPatch.context() as here:
        here.chdir(folder)
        here.setattr(kind, "lengths", ((6, 20),))
        here.setattr(kind, "bands", ("high",))
        here.setattr(build, "seen_before", lambda *asked: set())
        here.setattr(headline, "SEEDS", (100, 103))
        told(f"build desk@{ASKED} --secret-seed-file my.secret --out suite")
        told("run suite --agent busy --agent eager --agent oracle --out runs")
        yield


def told(line: str) -> str:
    """What a command says that ends well."""
    made = CliRunner().invoke(app, line.split())
    assert made.exit_code == 0, made.output
    return made.output


def test_the_hosts_file_scores_records_of_the_suite() -> None:
    """In this band ``eager`` takes 1.3 times the best time or more, so that it attains at most 1 / 1.3."""
    file = json.loads(Path(EDITION).read_bytes())
    assert (file["world"], file["edition"]) == ("desk", "built-2") and "--seed " not in file["source"]
    found = CliRunner().invoke(app, f"score runs --over {EDITION} --json".split())
    points = {one["agent"]: one["score"]["value"] for one in json.loads(found.stdout)}
    assert points["oracle"] == pytest.approx(100) and points["busy"] < points["eager"] < 100 / 1.3


def test_records_are_submitted_and_verified_by_that_file() -> None:
    told(f"submit runs --agent eager --over {EDITION} --out sent")
    assert "2 records, " in (found := told(f"verify sent --over {EDITION}")) and "all equal" in found


def test_what_the_host_reveals_is_built_again() -> None:
    line = f"verify runs --commitment suite.commitment.json@secret=my.secret,suite=suite,edition={EDITION}"
    assert "the builder makes these scenarios of the secret, again" in told(f"{line},rebuild=yes")
