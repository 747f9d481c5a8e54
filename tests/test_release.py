"""What a release says of itself is true: its version, its files, and what its base brings along."""

from __future__ import annotations

import importlib
import json
import re
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import yaml
from packaging.requirements import Requirement

import backburner
from backburner.kernel import packs

ROOT = Path(__file__).resolve().parents[1]
MOST_PACKAGES, MOST_MEGABYTES = 15, 250


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return found


@cache
def brought_by(requirement: str) -> frozenset[str]:
    """The distributions that come with a requirement, itself among them, on this machine."""
    wanted = Requirement(requirement)
    if wanted.marker and not any(wanted.marker.evaluate({"extra": extra}) for extra in ("", *wanted.extras)):
        return frozenset()
    needs = metadata.distribution(wanted.name).requires or []
    own = [need for need in needs if "extra ==" not in need or wanted.extras]
    return frozenset({wanted.name.lower()}).union(*map(brought_by, own))


def test_the_base_brings_few_packages_and_megabytes(project: dict[str, Any]) -> None:
    """As `pip install .` resolves it, counted from what is installed here; without compiled bytecode."""
    found = frozenset[str]().union(*map(brought_by, project["dependencies"]))
    assert {"msgspec", "mdurl", "wcwidth"} <= found  # those of dependencies as well
    assert "scipy" not in found and "pydantic" not in found
    assert len(found) <= MOST_PACKAGES, sorted(found)
    files = [file for name in found for file in metadata.files(name) or () if file.suffix != ".pyc"]
    ours = sum(path.stat().st_size for path in (ROOT / "src").rglob("*") if path.suffix != ".pyc")
    assert (sum(file.size or 0 for file in files) + ours) / 2**20 <= MOST_MEGABYTES


def test_the_version_stands_in_one_place(project: dict[str, Any]) -> None:
    assert "version" in project["dynamic"] and "version" not in project
    assert re.fullmatch(r"\d+\.\d+\.\d+", backburner.__version__)
    sections = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert sections[:2] == ["Unreleased", backburner.__version__]


def test_the_citation_file_has_what_its_schema_requires() -> None:
    """Citation File Format 1.2.0: four fields, and of each reference three; authors have names."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    assert cited["cff-version"] == "1.2.0" and str(cited["version"]) == backburner.__version__
    assert cited["type"] == "software"
    for reference in cited["references"]:
        assert {"type", "title", "authors"} <= set(reference)
    for author in [*cited["authors"], *(a for r in cited["references"] for a in r["authors"])]:
        assert set(author) in ({"name"}, {"family-names", "given-names"})
    arxiv = {reference["identifiers"][0]["value"].removeprefix("arXiv:") for reference in cited["references"]}
    readme = (ROOT / "README.md").read_text()
    assert len(arxiv) == 5 and all(number in readme for number in arxiv)


def test_the_change_log_of_a_release_can_be_read_in_minutes() -> None:
    for section in re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)[1:]:
        assert len(section.split()) <= 1500, section.split("\n")[0]


def test_hooks_and_templates_are_read_by_their_programs() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    commands = [hook["entry"].split()[0] for hook in hooks]
    assert {hook["id"] for hook in hooks} == {"ruff-check", "ruff-format", "mypy"}
    assert all(command.startswith(".venv/bin/") for command in commands)
    for template in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md"):
        front = yaml.safe_load(template.read_text().split("---")[1])
        assert {"name", "about"} <= set(front)


def test_cards_and_register_entries_say_what_packs_and_data_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it fails, `python release/cards.py` writes them."""
    monkeypatch.syspath_prepend(str(ROOT / "release"))
    made = importlib.import_module("cards").made()
    assert {path for path in made if path.startswith("cards/")} >= {
        f"cards/{name}.md"
        for name, pack in packs.installed().packs.items()
        if "backburner." in pack.catalogue
    }
    for path, text in made.items():
        assert (ROOT / "release" / path).read_text("utf-8") == text, path


def test_manifests_of_hubs_have_the_version() -> None:
    hubs = ROOT / "release" / "hubs"
    openenv = yaml.safe_load((hubs / "openenv" / "openenv.yaml").read_text())
    verifiers = tomllib.loads((hubs / "verifiers" / "pyproject.toml").read_text())["project"]
    assert openenv["version"] == verifiers["version"] == backburner.__version__


def test_the_article_is_set_from_the_data_that_ship() -> None:
    """As `make paper` does it; a table's row of a suite has the figures of its data file."""
    import typst

    made = typst.compile(str(ROOT / "paper" / "backburner.typ"), root=str(ROOT))
    text = "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(made))
    data = ROOT / "src" / "backburner" / "worlds" / "timearena" / "data" / "dials.json"
    triples = json.loads(data.read_text())["suites"][2]
    (row,) = re.findall(r"timearena/triples (.*)", text)
    assert row.split()[:5] == [
        "30",
        "of",
        "30",
        f"{triples['dials']['length']:g}",
        f"{triples['dials']['width']:.2f}",
    ]
