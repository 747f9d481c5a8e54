"""A browser, and folders of records with their reports, made by the installed command line."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from served import PATIENCE_SECONDS, Photograph, Site, Somebody

SCRIPT = "<script>document.title='broken into'</script><img src=x onerror=\"document.title='broken into'\">"
"""A player's name and words, which nothing may carry out."""

STANDARD_AGENTS = (
    "--agent",
    "random",
    "--agent",
    "greedy",
    "--agent",
    "act",
    "--model",
    "stand-in:skill=0.7",
)


def backburner(*arguments: str | Path) -> str:
    command = [sys.executable, "-m", "backburner", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        program = shutil.which("chromium")
        expect.set_options(timeout=PATIENCE_SECONDS * 1000)
        found = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of three worlds by scripted agents and a stand-in, a hostile record, and the report of them."""
    runs = tmp_path_factory.mktemp("report") / "runs"
    backburner("run", "timearena/quick", *STANDARD_AGENTS, "--seeds", "2", "--out", runs)
    backburner("run", "recipe2plan/quick", "--agent", "random", "--agent", "greedy", "--out", runs)
    backburner("run", "cuisineworld/quick", "--agent", "random", "--agent", "greedy", "--out", runs)
    subprocess.run([sys.executable, "-c", HOSTILE, str(runs / "odd.jsonl"), SCRIPT], check=True)
    (runs.parent / "report.json").write_text(backburner("report", runs, "--json"))
    return runs


HOSTILE = """
import sys
from pathlib import Path
from typing import Any
import backburner
path, words = sys.argv[1:]
world = backburner.world("timearena/lab1")
player = backburner.PlanPolicy(words, [words, words, "quit"], informed=False)
backburner.write_episode(backburner.play_now(world, player), Path(path))
"""


@pytest.fixture(scope="session")
def figures(folder: Path) -> list[dict[str, object]]:
    """What ``report --json`` says of each world."""
    found: list[dict[str, object]] = json.loads((folder.parent / "report.json").read_text())["scores"]
    return found


@pytest.fixture(scope="session")
def pictures() -> Photograph:
    """Puts pictures of pages into the folder that SCREENSHOTS names. Where it names none, none are taken:
    nobody would look at them, and a busy browser may fail to take one of a long page."""
    named = os.environ.get("SCREENSHOTS")
    if named:
        Path(named).mkdir(parents=True, exist_ok=True)

    def photograph(page: Page, name: str, full_page: bool = False) -> None:
        if named:
            page.screenshot(path=Path(named) / name, full_page=full_page)

    return photograph


class Opened:
    """A page that was opened, with what it asked for and complained of."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _hear(self, message: object) -> None:
        if getattr(message, "type", "") in ("error", "warning"):
            self.complaints.append(getattr(message, "text", ""))

    def check(self) -> None:
        """Nothing outside was asked for, nothing went wrong, no stranger's script ran."""
        assert not [url for url in self.asked if not url.startswith(("file://", "data:"))]
        assert not self.complaints
        assert self.page.title() != "broken into"


Opening = Callable[..., Opened]


@pytest.fixture
def opening(browser: Browser) -> Iterator[Opening]:
    """Opens a page as a reader would, with a browser of its own settings.

    At the end what every page has to keep is checked.
    """
    contexts: list[BrowserContext] = []
    found: list[Opened] = []

    def open_page(file: Path, width: int = 1366, scheme: str = "light") -> Opened:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
        contexts.append(context)
        found.append(Opened(context.new_page()))
        found[-1].page.goto(file.as_uri())
        return found[-1]

    yield open_page
    for each in found:
        each.check()
    for context in contexts:
        context.close()


@pytest.fixture
def opened(opening: Opening, folder: Path) -> Opened:
    """The report on a desktop's screen."""
    return opening(folder / "report.html")


@pytest.fixture(scope="session")
def script() -> str:
    """The name and words of a player that nothing may carry out."""
    return SCRIPT


@pytest.fixture(scope="session")
def command() -> Callable[..., str]:
    """The installed command line; what it printed."""
    return backburner


# --- games -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server for all games of these tests."""
    found = Site(tmp_path_factory.mktemp("served") / "games")
    yield found
    found.stop()


@pytest.fixture
def sitting(browser: Browser) -> Iterator[Callable[..., Somebody]]:
    """Puts somebody before a page; what every page has to keep is checked at the end."""
    there: list[tuple[Somebody, Site]] = []

    def sit(
        site: Site, token: str, path: str = "play", width: int = 1400, scheme: str = "light", **more: Any
    ) -> Somebody:
        size = {"width": width, "height": 900}
        context = browser.new_context(viewport=size, color_scheme=scheme, **more)  # type: ignore[arg-type]
        there.append((Somebody(context, f"{site.address}/{path}{f'#{token}' if token else ''}"), site))
        return there[-1][0]

    yield sit
    try:
        for somebody, site in there:
            somebody.check(site)
    finally:
        for somebody, _ in there:
            with contextlib.suppress(Exception):
                somebody.context.close()
