"""A build: attempts are made, those that fit are kept, in a folder that a stopped build goes on from.

In the folder are a scenario file for each that is kept; ``index.json``, what was asked for and what is kept;
``attempts.jsonl``, a line for each attempt, whole generations only; ``answers.jsonl``, what is proven of each
scenario. A build that goes on reads the attempts and makes none twice; it equals one that was never stopped.
"""

from __future__ import annotations

import os.path
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from backburner.evaluation.running.pool import Run, Workers, processes
from backburner.generation.attempt import UNPROVEN, Asked, Attempt, Made, attempt
from backburner.generation.headline import packed
from backburner.generation.index import Index, Kept, seen_before
from backburner.generation.steer import GENERATION, drawn, stream
from backburner.kernel import __version__
from backburner.kernel.answers import FILE as ANSWERS
from backburner.kernel.answers import Answered, encoded, read_answers
from backburner.kernel.building import CLUSTER, SEALED, WORKERS, Progress, Standing, begun, write_index
from backburner.kernel.built import EDITIONS, Edition, beside
from backburner.kernel.errors import BackburnerError, BadFile, Refused
from backburner.kernel.files import (
    CONTROL,
    check_destination,
    check_regular,
    hold,
    open_to_add,
    read_lines,
    write_whole,
)
from backburner.kernel.generating import Draw, Generator, Rejected

ATTEMPTS = "attempts.jsonl"

PLAIN = re.compile(r"([\w=@+-][\w.=@+-]*(/[\w=@+-][\w.=@+-]*)*)?")
"""What attempts are called: a path that stays within its folder."""

ATTEMPTS_EACH = 40
"""Attempts that are made for each scenario that is asked for, unless told otherwise."""

ATTEMPTS_EACH_OF_BANDS = 1000
"""The same of the headline's suites, whose bands are narrow in some worlds."""


# --- the folder --------------------------------------------------------------------------------------------


class Folder:
    """What a build has written so far, read strictly, and kept from other builds until it is closed.

    Raises ``BadFile``, and ``Refused`` where another build is at it.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self.answers: dict[str, Answered] = {}
        check_destination(out / ATTEMPTS)
        check_regular(out / ATTEMPTS)
        self._file = open_to_add(out / ATTEMPTS)
        try:
            if not hold(self._file):
                raise Refused(f"{out} is in use: another build writes there")
            self.attempts = list(read_lines(out / ATTEMPTS, Attempt, "an attempt"))
            del self.attempts[len(self.attempts) // GENERATION * GENERATION :]
            if (out / ANSWERS).exists():
                self.answers = read_answers(out / ANSWERS)
        except BackburnerError:
            self.close()
            raise

    def close(self) -> None:
        """Leave the folder to others."""
        self._file.close()

    def cut(self) -> None:
        """Leave out what stands behind the last whole generation, and files that were not written whole."""
        for part in self.out.rglob("*.json*.part-*"):
            part.unlink(missing_ok=True)
        self._file.truncate(0)
        self._append(self.attempts)

    def keep(self, made: Made) -> None:
        """Write what is proven of a scenario, then its files, that of the scenario itself last: where it is,
        all is there."""
        self.answers |= {answer.scenario: answer for answer in made.answers}
        if made.answers:
            write_whole(self.out / ANSWERS, encoded(self.answers.values()))
        for path, content in reversed(made.files.items()):
            write_whole(self.out / path, content)

    def mark(self, bias: float) -> None:
        """Say of every answer which share of drafts was dropped as unproven, or nothing where that is 0."""
        marked = {key: replace(answer, unproven=bias or UNSET) for key, answer in self.answers.items()}
        if marked != self.answers:
            self.answers = marked
            write_whole(self.out / ANSWERS, encoded(marked.values()))

    def add(self, attempts: Sequence[Attempt]) -> None:
        """Append a generation."""
        self.attempts += attempts
        self._append(attempts)

    def _append(self, attempts: Sequence[Attempt]) -> None:
        self._file.write(b"".join(map(_line, attempts)))
        self._file.flush()


def _line(attempt: Attempt) -> bytes:
    return msgspec.json.encode(attempt) + b"\n"


# --- building ----------------------------------------------------------------------------------------------


class Piece(NamedTuple):
    """Which attempt is to be made."""

    cell: int
    number: int
    parameters: dict[str, Any]

    def __str__(self) -> str:
        return f"attempt {self.number} of cell {self.cell}"


def check_options(asked: Asked, generator: Generator) -> None:
    """Raises what a generator raises of options that no draft can come of, before anything is written."""
    parameters = drawn(generator.parameters, asked.pinned, (), stream(asked.seed, "parameters", 0, 0))
    try:
        generator.draft(parameters, asked.options, Draw(asked.seed, stream(asked.seed, "draft", 0, 0)))
    except Rejected:
        return


class Building:
    """A build under way."""

    def __init__(self, out: Path, asked: Asked, generator: Generator, options: Mapping[str, Any]) -> None:
        self.asked = asked
        self.generator = generator
        self.headline = next((each for each in EDITIONS if each == options.get("grid")), None)
        self.cells = len(asked.cells)
        self.wanted: int = options["scenarios"]
        each = ATTEMPTS_EACH_OF_BANDS if self.headline else ATTEMPTS_EACH
        self.most: int = options.get("attempts") or each * self.wanted
        self.workers: int = options[WORKERS]
        self.elsewhere: Workers | None = options.get(CLUSTER)
        self.distinct: str = options["distinct"]
        settings = _settings(options)
        check_options(asked, generator)
        self.index: Index = begun(
            out, Index(f"backburner {__version__}", settings, self.wanted, 0, {}, (), 0, ())
        )
        self.seen = seen_before(asked.world, self.distinct, options.get("apart", ""), bool(self.headline))
        self.kept: list[Attempt] = []
        self.met_again = 0
        self.proofs: list[Counter[str]] = [Counter() for _ in asked.cells]
        self.tried: list[list[Attempt]] = [[] for _ in asked.cells]
        self.folder = Folder(out)
        try:
            self._check()
            self.folder.cut()
            write_index(out, self.index)
        except BackburnerError:
            self.folder.close()
            raise

    def _check(self) -> None:
        """Sort the attempts of the folder by cells; raises ``BadFile`` where this build makes others."""
        attempts, file = self.folder.attempts, self.folder.out / ATTEMPTS
        for start in range(0, len(attempts), GENERATION):
            part = attempts[start : start + GENERATION]
            cell = part[0].cell
            drafted = self._pieces(cell) if 0 <= cell < self.cells else []
            if [(one.cell, one.number, one.parameters) for one in part] != drafted:
                raise BadFile(file, f"line {start + 1}", "is no attempt of this build; delete the file")
            for number, one in enumerate(part, start + 1):
                if not PLAIN.fullmatch(one.name) or CONTROL.search(one.verdict):
                    raise BadFile(file, f"line {number}", "has a name or verdict that no attempt has")
                if one.fits and not self.asked.takes(one.shape):
                    raise BadFile(file, f"line {number}", f"has a shape that is not of {self.asked.split}")
            self.tried[cell] += part

    def run(self, progress: Progress) -> Index:
        """Make attempts until enough are kept, or as many are made as there may be."""
        try:
            return self._run(progress)
        finally:
            self.folder.close()

    def _run(self, progress: Progress) -> Index:
        for one in self.folder.attempts:
            self._look(one)
            self.proofs[one.cell][_proof(one)] += 1
        progress(self._standing())
        for one in self.kept:
            self._write_again(one)
            progress(self._standing(one))
        with self._workers() as run:
            self._go_on(run, progress)
            self.index = self._told()
            self.folder.mark(self.index.bias)
            write_index(self.folder.out, self.index)
            if self.headline and len(self.kept) == self.wanted:
                self._pack(run, self.headline)
        return self.index

    def _workers(self) -> AbstractContextManager[Run]:
        """Who makes attempts: workers elsewhere, processes, or this one."""
        if self.elsewhere is not None:
            said = (str(each) for each in self.asked.options.values() if isinstance(each, str | Path))
            return self.elsewhere(GENERATION, filter(os.path.exists, said))
        return processes(self.workers) if self.workers > 1 else nullcontext(map)

    def _standing(self, kept: Attempt | None = None) -> Standing:
        """How far it is; ``kept``: what was kept just now."""
        return Standing(
            len(self.kept),
            self.wanted,
            sum(proofs.total() for proofs in self.proofs),
            self.most,
            _share(OPTIMAL, sum(self.proofs, Counter())),
            f"{kept.name}.json" if kept is not None else "",
        )

    def _pack(self, run: Run, edition: Edition) -> None:
        """Put the headline's suites beside the folder, as they ship."""
        ordered = sorted(self.kept, key=lambda one: (one.cell, one.number))
        source = f"backburner build {self.asked.world} --grid {edition} --scenarios {self.wanted}"
        options = f" --split {self.asked.split} --seed {self.asked.seed} --effort {self.asked.effort:g}"
        bands = {one.name: band for one in ordered if (band := self.asked.cells[one.cell].band)}
        found = packed(self.asked.world, source + options, self.folder.out, bands, run, edition)
        write_whole(beside(self.folder.out, edition), msgspec.json.encode(found))

    def _go_on(self, run: Run, progress: Progress) -> None:
        """Generation by generation, in the cell that lacks scenarios and has the fewest attempts."""
        while open_cells := [cell for cell in range(self.cells) if self._is_open(cell)]:
            cell = min(open_cells, key=lambda each: (len(self.tried[each]), each))
            attempts = []
            for made in self._made(run, cell, progress):
                attempts.append(made.attempt)
                if self._look(made.attempt):
                    self.folder.keep(made)
                    progress(self._standing(made.attempt))
            self.folder.add(attempts)
            self.tried[cell] += attempts

    def _quota(self, cell: int) -> int:
        """How many of the scenarios come from this cell: equal parts, what is left over spread evenly."""
        return (cell + 1) * self.wanted // self.cells - cell * self.wanted // self.cells

    def _is_full(self, cell: int) -> bool:
        return sum(one.cell == cell for one in self.kept) >= self._quota(cell)

    def _is_open(self, cell: int) -> bool:
        return not self._is_full(cell) and len(self.tried[cell]) < self.most / self.cells

    def _made(self, run: Run, cell: int, progress: Progress) -> list[Made]:
        """A generation, in the order of its numbers."""
        made: list[Made] = []
        for one in run(partial(_attempt, self.asked), self._pieces(cell)):
            made.append(one)
            self.proofs[cell][_proof(one.attempt)] += 1
            progress(self._standing())
        return sorted(made, key=lambda one: one.attempt.number)

    def _pieces(self, cell: int) -> list[Piece]:
        """The next generation of a cell."""
        before = self.tried[cell]
        parameters = self.asked.cells[cell].narrowed(self.generator.parameters)
        asked = self.asked.cells[cell].ranges
        return [
            Piece(
                cell,
                number,
                drawn(
                    parameters,
                    self.asked.pinned,
                    before if asked else (),
                    stream(self.asked.seed, "parameters", cell, number),
                ),
            )
            for number in range(len(before), len(before) + GENERATION)
        ]

    def _look(self, one: Attempt) -> bool:
        """Whether an attempt is kept: it fits, more are wanted, and nothing like it was seen."""
        if not one.fits or self._is_full(one.cell):
            return False
        mark = one.form if self.distinct == "form" else one.shape
        if mark in self.seen:
            self.met_again += 1
            return False
        self.seen.add(mark)
        self.kept.append(one)
        return True

    def _write_again(self, one: Attempt) -> None:
        """What an earlier build made but had no need of, or somebody has deleted."""
        if not (self.folder.out / f"{one.name}.json").exists():
            self.folder.keep(attempt(self.asked, one.cell, one.number, one.parameters))

    def _told(self) -> Index:
        attempts = self.folder.attempts
        return replace(
            self.index,
            scenarios=self.wanted,
            attempts=len(attempts),
            counts=dict(sorted(Counter(one.verdict for one in attempts).items())),
            unproven=tuple(_share(UNPROVEN, proofs) or 0.0 for proofs in self.proofs),
            met_again=self.met_again,
            kept=tuple(Kept(f"{one.name}.json", one) for one in self.kept),
        )


def _attempt(asked: Asked, piece: Piece) -> Made:
    return attempt(asked, *piece)


OPTIMAL = "optimal"


def _proof(one: Attempt) -> str:
    """What came of looking for the best of an attempt; empty where nobody looked."""
    return one.verdict if one.verdict == UNPROVEN else one.status


def _share(of: str, proofs: Counter[str]) -> float | None:
    """The share that came to this of those whose best was looked for; ``None`` if nobody looked."""
    tried = proofs[OPTIMAL] + proofs[UNPROVEN]
    return round(proofs[of] / tried, 4) if tried else None


FREE = ("scenarios", "attempts", WORKERS, CLUSTER, SEALED)
"""Options that decide nothing about which scenarios come, only how many and how fast."""


def _settings(options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "program": f"backburner {__version__}",
        **{
            name: str(value) if isinstance(value, Path) else value
            for name, value in sorted(options.items())
            if name not in FREE
        },
    }
