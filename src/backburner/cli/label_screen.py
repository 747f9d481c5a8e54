"""Labelling at a terminal: one case after the other, in pages, a key for each label.

Nothing of a case reaches the terminal but printable lines that fit it. Each label is on the disk before the
next case is shown.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from rich.console import Console
from rich.text import Text

from backburner.evaluation.labels.cases import Item
from backburner.evaluation.labels.label_files import LONGEST_REMARK, Key, Said
from backburner.kernel.assessment import KEYS, LabelSet
from backburner.kernel.errors import one_line, shorten

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

FEWEST_COLUMNS, FEWEST_ROWS = 40, 16

NEXT, BACK, FIRST, LAST = (" ", "n", "\r", "\n"), ("b", "p", "\x7f"), "a", "z"
HELP, REMARK, UNDO, SKIP, QUIT = "?", "r", "u", "s", "q"
QUITS = (QUIT, "", "\x03", "\x04")
"""``q``, the end of the input, Ctrl-C and Ctrl-D."""

COMMANDS = "space next  b back  a first  z last  ? definitions  r remark  u undo  s skip  q quit"


class Terminal(Protocol):
    """Where pages are shown and keys come from."""

    @property
    def columns(self) -> int:
        """The width, in cells."""

    @property
    def rows(self) -> int:
        """The height, in lines."""

    def show(self, lines: Sequence[str]) -> None:
        """Show this screen in place of the last one."""

    def key(self) -> str:
        """The next key; empty when there are no more."""

    def line(self, prompt: str) -> str:
        """A line that is typed."""


class ConsoleTerminal:
    """A console and the keyboard; where the input is no terminal, its characters are the keys."""

    def __init__(self, console: Console) -> None:
        self._console = console

    @property
    def columns(self) -> int:
        """As the console says."""
        return max(FEWEST_COLUMNS, self._console.width)

    @property
    def rows(self) -> int:
        """As the console says."""
        return max(FEWEST_ROWS, self._console.height)

    def show(self, lines: Sequence[str]) -> None:
        """On a terminal the screen is cleared first."""
        self._console.clear()
        for line in lines:
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def key(self) -> str:
        """One key press, unseen; keys with arrows turn pages. What was typed ahead is not lost."""
        if not sys.stdin.isatty():
            return sys.stdin.read(1)
        from prompt_toolkit import Application
        from prompt_toolkit.output import DummyOutput

        pressed: str = Application(key_bindings=_bindings(), output=DummyOutput()).run()
        return pressed

    def line(self, prompt: str) -> str:
        """Until the next line break."""
        if not sys.stdin.isatty():
            return sys.stdin.readline().rstrip("\n")
        try:
            return self._console.input(prompt, markup=False)
        except (KeyboardInterrupt, EOFError):
            return ""


MEANING = {
    "up": "b", "left": "b", "pageup": "b", "backspace": "b", "down": " ", "right": " ", "pagedown": " ",
    "home": FIRST, "end": LAST, "enter": " ", "c-c": QUIT, "c-d": QUIT, "<sigint>": QUIT,
}  # fmt: skip
"""Keys that are no signs, and which signs they stand for; all others of them do nothing.
Ctrl-C comes as a signal where it is pressed before the terminal reads single keys."""


def _bindings() -> KeyBindings:
    from prompt_toolkit.key_binding import KeyBindings

    bindings = KeyBindings()

    @bindings.add("<any>")
    def sign(event: KeyPressEvent) -> None:
        if event.data.isprintable():
            event.app.exit(result=event.data[:1])

    def bind(key: str, meaning: str) -> None:
        @bindings.add(key)
        def pressed(event: KeyPressEvent) -> None:
            event.app.exit(result=meaning)

    for key, meaning in MEANING.items():
        bind(key, meaning)
    return bindings


class Work(Struct, frozen=True):
    """What a session is about: the items in their order, what others said of them (nothing in a blind
    session), what to call an item's agent (nothing either), and where labels go."""

    items: Sequence[Item]
    others: Mapping[Key, Sequence[Said]]
    agent: Callable[[Item], str]
    keep: Callable[[Item, str, str], None]


class Session:
    """One sitting. ``run`` returns how many cases have a label when it ends."""

    def __init__(self, work: Work, terminal: Terminal) -> None:
        self._work, self._terminal = work, terminal
        self._done: list[int] = []
        self._note = ""
        self._remark = ""

    def run(self) -> int:
        """Case by case, until all are seen or the annotator quits."""
        index = 0
        while index < len(self._work.items):
            step = self._case(index)
            if step is None:
                break
            index = step
        return len(self._done)

    def _case(self, index: int) -> int | None:
        """The index of the case that is next; ``None`` to quit."""
        item, page = self._work.items[index], 0
        labels = dict(zip(KEYS, item.choices, strict=False))
        foot = self._foot(item.labels, labels)
        pages = list(self._pages(item, len(foot)))
        while True:
            head = self._head(index, item, page, len(pages))
            self._terminal.show([*head, *pages[page], *foot])
            key = self._terminal.key()
            if key in labels:
                self._work.keep(item, labels[key], self._remark)
                self._done.append(index)
                self._note, self._remark = f"{labels[key]}; u takes it back", ""
                return index + 1
            if key in QUITS:
                return None
            if key == SKIP:
                self._note, self._remark = "skipped", ""
                return index + 1
            if key == UNDO:
                return self._undo(index)
            page = self._command(key, item, page, len(pages))

    def _undo(self, index: int) -> int:
        """Take back the last label of this session, and go to its case."""
        if not self._done:
            self._note = "there is nothing to take back"
            return index
        last = self._done.pop()
        self._work.keep(self._work.items[last], "", "")
        self._note = "taken back"
        return last

    def _command(self, key: str, item: Item, page: int, pages: int) -> int:
        """The page to show after a key that does not end the case."""
        self._note = ""
        if key in NEXT:
            return min(page + 1, pages - 1)
        if key in BACK:
            return max(page - 1, 0)
        if key in (FIRST, LAST):
            return 0 if key == FIRST else pages - 1
        if key == HELP:
            self._definitions(item.labels)
        elif key == REMARK:
            self._remark = one_line(self._terminal.line("remark: ")).strip()[:LONGEST_REMARK]
            self._note = f"remark: {self._remark}" if self._remark else ""
        else:
            self._note = "no such key; ? has the definitions"
        return page

    def _definitions(self, labels: LabelSet) -> None:
        """The labels with what belongs to them, page by page."""
        lines = [labels.question, ""]
        for label in labels.labels:
            lines += [f"{label.key}: {label.definition}", ""]
        lines += [f"- {rule}" for rule in labels.precedence]
        lines += [f"({labels.source})"] if labels.source else []
        foot = "any key goes on"
        for page in paged(lines, self._terminal.columns, self._terminal.rows - 3):
            self._terminal.show([*page, "", foot])
            if self._terminal.key() in QUITS:
                return

    def _head(self, index: int, item: Item, page: int, pages: int) -> list[str]:
        width = self._terminal.columns
        place = f"{index + 1} of {len(self._work.items)}, page {page + 1} of {pages}"
        note = f"  [{self._note}]" if self._note else ""
        return [shorten(one_line(f"{item.key.world}, {item.labels.title}: {place}{note}"), width), ""]

    def _foot(self, labels: LabelSet, keys: Mapping[str, str]) -> list[str]:
        told = [f"{key} {label}" for key, label in keys.items()]
        width = self._terminal.columns
        lines = ["-" * width, *wrapped(labels.question, width), *flowed(told, width)]
        return [*lines, *flowed(COMMANDS.split("  "), width)]

    def _pages(self, item: Item, foot: int) -> Iterator[list[str]]:
        account = item.told()
        agent = self._work.agent(item)
        lines = [account.title, *([f"agent: {agent}"] if agent else [])]
        for said in self._work.others.get(item.key, ()):
            remark = f" ({said.remark})" if said.remark else ""
            lines.append(f"{said.annotator}: {said.label}{remark}")
        for heading, told in account.parts:
            lines += ["", f"= {heading} =", *told]
        return paged(lines, self._terminal.columns, max(4, self._terminal.rows - foot - 3))


def paged(lines: Sequence[str], columns: int, rows: int) -> Iterator[list[str]]:
    """Pages of exactly so many rows, of lines that are no wider; at least one."""
    narrow = [row for line in lines for row in wrapped(line, columns)]
    for begin in range(0, max(1, len(narrow)), rows):
        page = narrow[begin : begin + rows]
        yield [*page, *[""] * (rows - len(page))]


_MEASURE = Console(file=None, force_terminal=False, color_system=None)


def wrapped(line: str, columns: int) -> list[str]:
    """A line as rows of at most so many cells; wide characters take two. Its indent stays."""
    line = one_line(line)
    if line.isascii() and len(line) <= columns:
        return [line]
    indent = " " * min(len(line) - len(line.lstrip()), columns // 4)
    room = columns - len(indent)
    if line.isascii():
        return [f"{indent}{row}" for row in textwrap.wrap(line.strip(), room)]
    rows = Text(line.strip()).wrap(_MEASURE, room)
    return [f"{indent}{row.plain.rstrip()}" for row in rows]


def flowed(words: Sequence[str], columns: int) -> list[str]:
    """Words with two blanks between them, on as few rows as hold them."""
    rows: list[str] = [""]
    for word in words:
        if rows[-1] and len(rows[-1]) + 2 + len(word) > columns:
            rows.append("")
        rows[-1] += f"  {word}" if rows[-1] else shorten(word, columns)
    return rows
