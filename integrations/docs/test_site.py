"""What `make docs` builds: links lead somewhere, nothing is loaded from elsewhere, every command is there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from backburner.cli import COMMANDS, GROUPS

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "site"


class Page(HTMLParser):
    """The ids of a page, what it links to, and what it loads."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag != "a":
            sets = [part.split()[0] for part in given.get("srcset", "").split(",") if part.strip()]
            self.loaded += [
                *sets,
                *(given[name] for name in ("src", "href", "data", "poster") if name in given),
            ]


@pytest.fixture(scope="module")
def pages() -> dict[Path, Page]:
    """The site as it is built, strictly."""
    subprocess.run([sys.executable, ROOT / "docs" / "make.py"], check=True)
    zensical = Path(sys.executable).parent / "zensical"
    done = subprocess.run(
        [zensical, "build", "--strict", "-f", "zensical.toml"], cwd=BUILT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return {file.resolve(): Page(file) for file in (BUILT / "html").rglob("*.html")}


def inside(pages: dict[Path, Page]) -> Iterator[tuple[Path, str, Path, str]]:
    """(page, link, file, anchor) of every link within the site."""
    for file, page in pages.items():
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if not parts.scheme and not parts.netloc and file.name != "404.html":
                target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
                yield (
                    file,
                    link,
                    target / "index.html" if target.is_dir() else target,
                    unquote(parts.fragment),
                )


def test_every_link_leads_to_a_page_and_a_heading_that_are_there(pages: dict[Path, Page]) -> None:
    broken = [
        f"{file.name}: {link}"
        for file, link, target, anchor in inside(pages)
        if not target.exists() or (anchor and target in pages and anchor not in pages[target].ids)
    ]
    assert len(pages) > 60 and not broken


def test_no_page_loads_anything_from_another_host(pages: dict[Path, Page]) -> None:
    foreign = [
        f"{file.name}: {link}"
        for file, page in pages.items()
        for link in page.loaded
        if urlsplit(link).netloc or urlsplit(link).scheme not in ("", "data")
    ]
    assert not foreign
    assert not [file for file in (BUILT / "html").rglob("*.css") if "//" in "".join(_urls(file))]


def _urls(sheet: Path) -> list[str]:
    pieces = sheet.read_text("utf-8").split("url(")[1:]
    return [
        url
        for url in (piece.partition(")")[0].strip("\"'") for piece in pieces)
        if not url.startswith("data:")
    ]


def test_every_command_and_public_name_is_in_the_reference_and_is_found(pages: dict[Path, Page]) -> None:
    commands = [page.ids for file, page in pages.items() if file.parent.name == "commands"]
    assert len(commands) == len(GROUPS)
    assert set(COMMANDS) <= set().union(*commands)
    found = json.loads((BUILT / "html" / "search.json").read_text("utf-8"))
    places = {item["location"] for item in found["items"]}
    assert {"reference/commands/measure.html#run", "reference/python/index.html#world"} <= places
