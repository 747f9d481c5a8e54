"""A person at a real terminal: keys that need no Enter, completion by Tab, a turn that fits."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from pathlib import Path

import pytest

from backburner.agents.person.policy import Sight
from backburner.cli.terminal import keys_without_enter, lines_of
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.menu import Option
from backburner.kernel.text import Glance, Suggestion

PATIENCE_SECONDS = 60.0
"""For a prompt to come on a busy machine."""


class Person:
    """A process at a terminal of 80 by 24."""

    def __init__(self, *arguments: str) -> None:
        size = {"TERM": "xterm", "COLUMNS": "80", "LINES": "24", "PROMPT_TOOLKIT_NO_CPR": "1"}
        command = [sys.executable, "-m", "backburner", *arguments]
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, command, {**os.environ, **size})  # noqa: S606
        fcntl.ioctl(self.screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.seen = ""

    def waits_for(self, words: str) -> str:
        """Everything that is written until these words are; what came before is forgotten then."""
        end = time.monotonic() + PATIENCE_SECONDS
        while words not in self.seen:
            ready, _, _ = select.select([self.screen], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"{words!r} did not come: {self.seen[-2000:]}"
            self._reads()
        before, _, self.seen = self.seen.partition(words)
        return before

    def types(self, keys: str) -> None:
        os.write(self.screen, keys.encode())

    def ends(self) -> int:
        """The exit code."""
        with contextlib.suppress(OSError):  # when nobody writes any more
            while True:
                assert select.select([self.screen], [], [], PATIENCE_SECONDS)[0], self.seen[-2000:]
                self._reads()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def _reads(self) -> None:
        self.seen += os.read(self.screen, 65536).decode("utf-8", "replace")


def acts(episode: Episode) -> list[str]:
    return [act for entry in episode.entries for act in entry.answers["robot1"].decision.get("acts", ())]


HINT = "recipes  state  quit)"


def test_single_keys_act_at_once(tmp_path: Path) -> None:
    """The place B, then the blank, then the number 1: no Enter is pressed until words are typed."""
    record = tmp_path / "play.jsonl"
    person = Person("play", "robotouille/synchronous/1", "--limits", "none", "--out", str(record))
    person.waits_for(HINT)
    for key in ("B", " ", "2"):
        person.types(key)
        person.waits_for(HINT)
    person.types("Wai\t\r")  # Tab completes it
    person.waits_for(HINT)
    person.types("finish\r")
    person.waits_for("Again, if you mean it")
    person.types("finish\r")
    assert person.ends() == 0, person.seen
    done = acts(read_episode(record))
    assert done[0].startswith("move(") and done[1] == "wait()" and done[3] == "wait()" and len(done) == 4


def test_ctrl_c_keeps_the_record(tmp_path: Path) -> None:
    record = tmp_path / "play.jsonl"
    person = Person("play", "timearena/cooking1", "--out", str(record))
    person.waits_for(HINT)
    person.types("1")
    person.waits_for(HINT)
    person.types("\x03")
    assert person.ends() == 130, person.seen
    episode = read_episode(record)
    assert episode.ending is not None and (episode.ending.status, len(episode.entries)) == ("interrupted", 1)


def sight_of(n_options: int, bodies: tuple[str, ...] = ("",), **others: object) -> Sight:
    options = tuple(Option(n, f"act {n}", body=bodies[n % len(bodies)]) for n in range(n_options))
    return Sight("cook", Glance(suggestions=(Suggestion("say: "),)), options, **others)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("n_options", "digits"),
    [(0, ""), (3, "123"), (9, "123456789"), (15, "23456789"), (39, "456789"), (120, "")],
)
def test_a_digit_acts_at_once_where_no_longer_number_begins_with_it(n_options: int, digits: str) -> None:
    """With 15 actions, 1 may be the beginning of 10 to 15, and 2 is nothing but 2."""
    assert keys_without_enter(sight_of(n_options)) == {*digits, "?"}


def test_letters_and_keys_act_at_once_but_for_several_bodies() -> None:
    shown = {"labels": {"stove1": "A", "far": "AA"}, "keys": ("e", "space")}
    assert keys_without_enter(sight_of(2, **shown)) == {"A", "e", "space", "1", "2", "?"}
    assert keys_without_enter(sight_of(2, ("agent0", "agent1"), **shown)) == {"?"}


def test_what_tab_completes() -> None:
    assert list(lines_of(sight_of(1))) == ["act 0", "say: ", "help", "briefing", "state", "recipes", "quit"]
