"""The built view on a page of its own, scenes of several worlds for it, and an emulated headset."""

from __future__ import annotations

import functools
import math
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

import backburner

ASSETS = Path(backburner.__file__).parent / "serve" / "assets"

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'"
"""What the server of games allows its pages; the view must do with it."""

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>space</title>
<link rel="stylesheet" href="style.css"><body><main></main><script type="module" src="page.js"></script>"""

SCRIPT = """import { mount } from "./space.js";
window.acts = [];
window.begin = (about) => {
  const told = { hues: new Map(), ...about };
  window.space = mount(document.querySelector("main"), (answer) => window.acts.push(answer), told);
};"""

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
"""Chromium draws with the processor: the machines that test have no graphics card."""

SEARCH = """wanted => {
  const canvas = document.querySelector(".space-canvas");
  const box = canvas.getBoundingClientRect();
  for (let row = 4; row < 100; row += 2) {
    for (let step = 0; step < 50; step++) {
      const share = (50 + (step % 2 ? step : -step)) / 100;
      const clientX = Math.round(box.x + box.width * share);
      const clientY = Math.round(box.y + (box.height * row) / 100);
      canvas.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, pointerType: "mouse" }));
      if ((canvas.dataset.pointed ?? "") === wanted) return [clientX, clientY];
    }
  }
  return null;
}"""
"""Where on the canvas something is pointed at, from the middle of each row outwards."""

PICTURES = """() => {
  const next = (then) => requestAnimationFrame(then);
  return new Promise((shown) => next(() => next(() => shown())));
}"""
"""Wait until what has changed is on the screen."""

HEAD = (0.0, 1.6, 0.0)
"""Where the eyes of somebody are who stands."""

EMULATOR = "iwer@2.5.0"

Move = Any
Told = dict[str, Any]
XYZ = Sequence[float]


class Game:
    """A world that is played by drawing options, as the pages are told about it."""

    def __init__(self, scenario: str, seed: int = 3) -> None:
        self.world: Any = backburner.world(scenario)
        self.random = Random(seed)
        self.state = self.world.start(seed)

    @property
    def seat(self) -> str:
        return str(self.world.deciders(self.state)[0])

    @property
    def about(self) -> Told:
        return {
            "controls": msgspec.to_builtins(self.world.controls),
            "verbs": self.world.verbs,
            "live": False,
        }

    @property
    def scene(self) -> Told:
        found: Told = msgspec.to_builtins(self.world.scene(self.state))
        return found

    @property
    def options(self) -> list[Told]:
        menu = self.world.menu(self.state, self.seat)
        fields = ("label", "gloss", "body", "verb", "things", "passes")
        return [{name: getattr(option, name) for name in fields} for option in menu.options]

    def go_on(self, steps: int) -> None:
        for _ in range(steps):
            seats = self.world.deciders(self.state)
            if not seats:
                return
            menus = {seat: self.world.menu(self.state, seat).options for seat in seats}
            chosen = {
                seat: self.random.choice([option for option in options if not option.passes] or options)
                for seat, options in menus.items()
            }
            self.state = self.world.step(
                self.state, {seat: option.decision for seat, option in chosen.items()}
            ).state


class View:
    """A page with the view, and what it has answered and complained of."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        # ReadPixels is what a screenshot does.
        if message.type in ("error", "warning") and "ReadPixels" not in message.text:
            self.complaints.append(message.text)

    def begin(self, about: Told) -> None:
        self.page.evaluate("about => begin(about)", about)

    def show(self, scene: Told, seat: str = "", options: list[Told] | None = None) -> None:
        self.page.evaluate(
            """([scene, seat, options]) => {
                space.show(scene, seat);
                space.ask(options && { options });
            }""",
            [scene, seat, options],
        )
        self.page.evaluate(PICTURES)

    def play(self, game: Game) -> None:
        """Show where a game is, and ask its seat."""
        self.show(game.scene, game.seat, game.options)

    @property
    def acts(self) -> list[Told]:
        found: list[Told] = self.page.evaluate("acts")
        return found

    @property
    def pointed(self) -> str:
        return pointed_on(self.page)

    @property
    def said(self) -> str:
        return self.page.locator(".space-note").inner_text()

    def find(self, wanted: str) -> tuple[float, float]:
        """A point of the page at which the mouse points at this: searched for as somebody would."""
        self.page.evaluate(PICTURES)
        found = self.page.evaluate(SEARCH, wanted)
        assert found, f"{wanted!r} is nowhere to be pointed at"
        self.page.mouse.move(*found)
        assert self.pointed == wanted
        return found[0], found[1]


class Headset:
    """The emulated headset and its controllers, on a page that has the view."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def enter(self) -> None:
        """Begin a session, and look at the table."""
        self.page.get_by_text("enter the headset").click()
        self.page.wait_for_function("emulated.activeSession")
        self.look((0, 0.8, -1.2))

    def pause(self, frames: int = 2) -> None:
        """Wait for so many pictures of the headset."""
        self.page.evaluate(
            """frames => new Promise((done) => {
                const ask = (then) => emulated.activeSession.requestAnimationFrame(then);
                const next = () => frames-- > 0 ? ask(next) : done();
                next();
            })""",
            frames,
        )

    def look(self, to: XYZ, at: XYZ = HEAD) -> None:
        self.page.evaluate("([p, q]) => { emulated.position.set(...p); emulated.quaternion.set(...q); }",
                           [list(at), turned(at, to)])  # fmt: skip
        self.pause()

    def aim(self, to: XYZ, at: XYZ = (0.2, 1.2, -0.1), hand: str = "right") -> str:
        """Point a controller there; what it points at."""
        self.page.evaluate(
            """([hand, p, q]) => {
                const held = emulated.controllers[hand];
                held.position.set(...p);
                held.quaternion.set(...q);
            }""",
            [hand, list(at), turned(at, to)],
        )
        self.pause(1)
        return pointed_on(self.page)

    def aim_down_at(self, scene: Told, place: Told) -> str:
        """Point at a place from above, where nobody is in the way."""
        x, y, z = where(scene, place["at"])
        return self.aim((x, y, z), at=(x + 0.02, y + 0.5, z + 0.02))

    def find_line(self, scene: Told, place: Told, wanted: str) -> bool:
        """Point at this line of the panel that opened for a place, if it has one: the panel is on the way
        from the eyes to the place, 0.7 m away at most."""
        about = where(scene, place["at"], above=1.4)
        share = min(1.0, 0.7 / math.dist(HEAD, about))
        x, y, z = (a + (b - a) * share for a, b in zip(HEAD, about, strict=True))
        return any(self.aim((x, y + 0.1 - 0.04 * step, z)) == wanted for step in range(8))

    def press(self, button: str = "trigger", hand: str = "right") -> None:
        for value in (1, 0):
            self.page.evaluate(
                "([hand, button, value]) => emulated.controllers[hand].updateButtonValue(button, value)",
                [hand, button, value],
            )
            self.pause()

    def lean(self, x: float, y: float, hand: str = "left") -> None:
        self.page.evaluate(
            "([hand, x, y]) => emulated.controllers[hand].updateAxes('thumbstick', x, y)", [hand, x, y]
        )
        self.pause()


def pointed_on(page: Page) -> str:
    """What is pointed at, by its name or its words."""
    return page.evaluate("document.querySelector('.space-canvas').dataset.pointed ?? ''") or ""


def where(scene: Told, cell: Sequence[int], above: float = 0.3) -> tuple[float, float, float]:
    """Where a cell is, in metres, for somebody who stands at the origin: on a table 0.72 m high that begins
    half a metre before them, 1.5 m wide at most and a cell 0.3 m at most."""
    width, height = scene["width"], scene["height"]
    size = min(0.3, 1.5 / max(width, height))
    return (
        (cell[0] - (width - 1) / 2) * size,
        0.72 + above * size,
        -(0.5 + height * size / 2) + (cell[1] - (height - 1) / 2) * size,
    )


def turned(at: XYZ, to: XYZ) -> list[float]:
    """The quaternion of something at ``at`` that looks at ``to``."""
    dx, dy, dz = (b - a for a, b in zip(at, to, strict=True))
    yaw, pitch = math.atan2(-dx, -dz) / 2, math.atan2(dy, math.hypot(dx, dz)) / 2
    return [
        math.cos(yaw) * math.sin(pitch),
        math.sin(yaw) * math.cos(pitch),
        -math.sin(yaw) * math.sin(pitch),
        math.cos(yaw) * math.cos(pitch),
    ]


class _Served(SimpleHTTPRequestHandler):
    extensions_map: ClassVar[dict[str, str]] = {
        ".js": "text/javascript",
        ".css": "text/css",
        ".html": "text/html; charset=utf-8",
    }

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the page is served, with what the wheel brings."""
    folder = tmp_path_factory.mktemp("page")
    for name in ("space.js", "three.js", "style.css"):
        shutil.copy(ASSETS / name, folder / name)
    (folder / "index.html").write_text(PAGE, "utf-8")
    (folder / "page.js").write_text(SCRIPT, "utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Served, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()


@pytest.fixture(scope="session")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The emulated devices of the npm package iwer, as a script for a page."""
    folder = tmp_path_factory.mktemp("emulator")
    command = ["npm", "install", EMULATOR, "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "node_modules" / "iwer" / "build" / "iwer.min.js"


@pytest.fixture(scope="session")
def browsers() -> Iterator[Callable[[Sequence[str]], Browser]]:
    """Chromium with these flags, each set of flags started once."""
    with sync_playwright() as playwright:
        started: dict[tuple[str, ...], Browser] = {}

        def browser(flags: Sequence[str]) -> Browser:
            key = tuple(flags)
            if key not in started:
                program = shutil.which("chromium")
                started[key] = playwright.chromium.launch(executable_path=program, args=list(flags))
            return started[key]

        yield browser
        for each in started.values():
            each.close()


@pytest.fixture
def opening(browsers: Callable[[Sequence[str]], Browser], address: str) -> Iterator[Callable[..., View]]:
    """Opens the page; at the end nothing outside was asked for, and nothing was complained of."""
    contexts: list[BrowserContext] = []
    views: list[View] = []

    def open_page(
        width: int = 1100,
        height: int = 800,
        flags: Sequence[str] = FLAGS,
        scripts: Sequence[str | Path] = (),
        **options: Any,
    ) -> View:
        context = browsers(flags).new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        for script in scripts:
            context.add_init_script(**({"path": script} if isinstance(script, Path) else {"script": script}))
        views.append(View(context.new_page()))
        views[-1].page.goto(address)
        views[-1].page.wait_for_function("typeof window.begin === 'function'")
        return views[-1]

    yield open_page
    for view in views:
        assert not [url for url in view.asked if not url.startswith((address.rsplit("/", 1)[0], "data:"))]
        assert not view.complaints
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def device(emulator: Path) -> tuple[Path | str, ...]:
    """Scripts that give a page the browser of a headset."""
    start = """window.emulated = new IWER.XRDevice(IWER.metaQuest3);
        emulated.installRuntime({ forceInstall: true });
        emulated.position.set(0, 1.6, 0);"""
    return emulator, start


@pytest.fixture(scope="session")
def headset_of() -> Callable[[Page], Headset]:
    """The headset of a page that was opened with the scripts of ``device``."""
    return Headset


@pytest.fixture
def worn(opening: Callable[..., View], device: tuple[Path | str, ...]) -> Callable[[], tuple[View, Headset]]:
    """Opens the page in the browser of a headset."""

    def wear() -> tuple[View, Headset]:
        view = opening(480, 400, scripts=device)
        return view, Headset(view.page)

    return wear


@pytest.fixture(scope="session")
def chromium_flags() -> list[str]:
    """With which Chromium draws in three dimensions without a graphics card."""
    return FLAGS


@pytest.fixture(scope="session")
def place_in() -> Callable[..., tuple[float, float, float]]:
    """Where a cell is in the room of the headset."""
    return where


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: the folder that SCREENSHOTS names, or one that pytest clears away."""
    named = os.environ.get("SCREENSHOTS")
    path = Path(named) if named else tmp_path_factory.mktemp("screenshots")
    path.mkdir(parents=True, exist_ok=True)
    return path


@pytest.fixture(scope="session")
def game() -> Callable[..., Game]:
    """A game of a scenario that has come so far."""

    def begun(scenario: str, steps: int = 0) -> Game:
        found = Game(scenario)
        found.go_on(steps)
        return found

    return begun
