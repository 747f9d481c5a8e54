"""A film of a live kitchen: scripted hands play it in two browsers, and pictures of one page are kept.

    python integrations/browser/film.py --out FOLDER [--scheme dark] [--width 390] [--pictures 10]

Each person makes one dish after the other at tools of their own: fish is cut, rice cooked, both are put
together and served.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright
from served import Site, Somebody, offered, until

SCENARIO = "clocked_kitchen/level_3@asks=always"
PEOPLE = {"agent0": ("Ann", "tuna", 0), "agent1": ("Bob", "salmon", 1)}
"""By their seats: names, the fish that they cut, and the number of their tools."""

HANDS = """
goto_{seat}_storage0 get_{seat}_rice_storage0 goto_{seat}_pot{n} put_{seat}_pot{n} activate_{seat}_pot{n}
goto_{seat}_storage0 get_{seat}_{fish}_storage0 goto_{seat}_chopboard{n} put_{seat}_chopboard{n}
activate_{seat}_chopboard{n} get_{seat}_chopboard{n} goto_{seat}_mixer{n} put_{seat}_mixer{n}
goto_{seat}_pot{n} get_{seat}_pot{n} goto_{seat}_mixer{n} put_{seat}_mixer{n} activate_{seat}_mixer{n}
get_{seat}_mixer{n} goto_{seat}_servingtable0 put_{seat}_servingtable0
"""
"""What each of them does, as soon as it is possible; then from the first again."""

PATIENCE = 1.2
"""Seconds until a line is tried again: what has been begun is not begun anew."""

SECONDS = 56.0
"""How long the film is; the kitchen is open for a minute."""


class Hands:
    """What one of them does: a line again and again until it has been done, then the next."""

    def __init__(self, seat: str, somebody: Somebody) -> None:
        _, fish, number = PEOPLE[seat]
        self.seat, self.somebody, self.at, self.tries, self.tried = seat, somebody, 0, 0, 0.0
        self.lines = HANDS.format(seat=seat, fish=fish, n=number).split()

    def move(self) -> None:
        """Make the next move, if it is possible."""
        verb, _, *words = self.lines[self.at % len(self.lines)].split("_")
        bodies = self.somebody.messages("frame")[-1]["scene"]["bodies"]
        body = next(each for each in bodies if each["name"] == self.seat)
        is_there = body.get("place", "").startswith(words[-1])
        if {"get": "holding" in body, "put": "holding" not in body, "goto": is_there}.get(verb):
            self.at, self.tries, self.tried = self.at + 1, 0, 0.0
        elif time.monotonic() - self.tried > PATIENCE:
            possible = offered(self.somebody)
            steps = [each for each in possible if each.startswith("move")]
            line = self.lines[self.at % len(self.lines)]
            if self.tries % 3 == 2 and steps:  # somebody is in the way: a step aside
                line = steps[self.tries // 3 % len(steps)]
            self.tries, self.tried = self.tries + 1, time.monotonic()
            if line in possible:
                self.somebody.types(line)
                self.at += line.startswith("activate")


def film(people: dict[str, Somebody], out: Path, pictures: int) -> None:
    """Play, and take a picture every few seconds."""
    hands, page, taken = [Hands(*each) for each in people.items()], next(iter(people.values())).page, 0
    for somebody in people.values():
        somebody.is_ready()
    for somebody in people.values():
        until(lambda s=somebody: bool(s.messages("turn")), somebody.page, "a turn")  # type: ignore[misc]
    began = time.monotonic()
    while taken < pictures:
        for each in hands:
            each.move()
            each.somebody.page.wait_for_timeout(150)
        if time.monotonic() - began >= (taken + 0.5) * SECONDS / pictures:
            page.screenshot(path=out / f"{taken + 1:02}.png")
            taken += 1


def main() -> None:
    """Serve a game of its own, and film it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scheme", choices=["light", "dark"], default="light")
    parser.add_argument("--width", type=int, default=1240)
    parser.add_argument("--pictures", type=int, default=10)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    size = {"width": asked.width, "height": 930}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder) / "games")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        try:
            players = {seat: {"kind": "person", "name": name} for seat, (name, _, _) in PEOPLE.items()}
            seats = site.opens(SCENARIO, players)["seats"]
            people = {
                seat: Somebody(
                    browser.new_context(viewport=size, color_scheme=asked.scheme),  # type: ignore[arg-type]
                    f"{site.address}/play#{seats[seat]}",
                )
                for seat in PEOPLE
            }
            film(people, asked.out, asked.pictures)
        finally:
            browser.close()
            site.stop()


if __name__ == "__main__":
    main()
