"""Samples of Inspect: the episode that each asks for, where it keeps its records, and these as files.

The files are those that ``backburner run`` writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, TypeVar

from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSample, read_eval_log_samples
from inspect_ai.util import Store
from msgspec import Struct, to_builtins

from backburner.agents.roster import AnyWorld
from backburner.agents.scripted import FirstLegalPolicy
from backburner.evaluation.records import RECORD, former, left_out
from backburner.kernel import registry
from backburner.kernel.bounds import MOST_MEMBER_VALUES, check_json, unpacked
from backburner.kernel.chain import MOST_BYTES as MOST_RECORD_BYTES
from backburner.kernel.episode import Episode, episode_in
from backburner.kernel.errors import BadFile, Refused, one_line, shorten
from backburner.kernel.files import read_regular, write_whole
from backburner.kernel.play import header_of
from backburner.kernel.policy import Policy
from backburner.kernel.values import Seat, digest


class Asked(Struct, frozen=True, omit_defaults=True):
    """The episode that a sample asks for, in its metadata. ``file``: where the record belongs, if settled."""

    scenario: str
    seed: int
    rules: str
    limits: str
    file: str = ""

    def world(self) -> AnyWorld:
        """The world to be played; raises what ``registry.world`` raises."""
        return registry.world(self.scenario, rules=self.rules, limits=self.limits)


def samples(scenarios: Sequence[str], seeds: int, rules: str, limits: str) -> Iterator[Sample]:
    """One sample for each scenario and seed."""
    for scenario in scenarios:
        for seed in range(seeds):
            yield sample(Asked(scenario, seed, rules, limits))


def sample(asked: Asked) -> Sample:
    """The sample: an id that never changes, and facts of the scenario to group by as metadata.

    ``group`` is the cell of the article's table.
    """
    world = asked.world()
    name, path, options = registry.split(world.id)
    return Sample(
        input=f"{world.id}, seed {asked.seed}",
        id=f"{world.id}.seed{asked.seed}",
        metadata={
            **to_builtins(asked),
            "world": name,
            "path": path,
            "options": options,
            "group": _group(world, asked.seed),
        },
    )


def _group(world: AnyWorld, seed: int) -> str:
    """The group of an episode in which nothing has been decided yet: worlds group records, not scenarios."""
    players: dict[Seat, Policy] = dict.fromkeys(world.seats, FirstLegalPolicy())
    header = header_of(world, players, seed, digest(world.start(seed)))
    return registry.scoring(header.world).group(Episode(header, (), None))


# --- a sample's store keeps the content of the records' files -----------------------------------------


ATTEMPTS, FILE = "backburner:attempts", "backburner:file"


def keep(store: Store, attempts: Sequence[Sequence[bytes]], file: str) -> None:
    """Put the lines of each attempt's record into the store of its sample."""
    store.set(ATTEMPTS, [b"".join(lines).decode() for lines in attempts])
    store.set(FILE, file)


def attempts_in(store: Store | Mapping[str, Any]) -> list[bytes]:
    """The contents of the record's files, former attempts first; empty if nothing was played."""
    return [str(content).encode() for content in store.get(ATTEMPTS, ())]


def file_in(store: Store | Mapping[str, Any]) -> str:
    """Where the record belongs, in the folder of a run."""
    return str(store.get(FILE, ""))


def episode_of(store: Store | Mapping[str, Any], sample: str) -> Episode | None:
    """The finished episode of a sample, if there is one; raises ``BadFile`` if it cannot be read."""
    attempts = attempts_in(store)
    episode = episode_in(attempts[-1], f"sample {sample}") if attempts else None
    return episode if episode is not None and episode.finished else None


# --- the records in a log, as files ------------------------------------------------------------------------


NOT_NEEDED = {"events", "events_data", "attachments", "messages", "output"}
"""The bulk of a log; the record stands in the store."""


class Converted(Struct, frozen=True):
    """What came of a log: records written, records that lay there already, samples without an episode
    that was played to its end; a line about each whose record cannot be read."""

    written: tuple[Path, ...]
    kept: tuple[Path, ...]
    unfinished: tuple[str, ...]
    unusable: tuple[str, ...] = ()


def convert(log: Path, out: Path) -> Converted:
    """Write the record of every finished episode in a log under ``out``, as ``backburner run`` would.

    Former attempts are written beside the record. A record that is there already stays; raises ``Refused``
    if it is another one, and ``BadFile`` if the log cannot be read.
    """
    written: list[Path] = []
    kept: list[Path] = []
    unfinished: list[str] = []
    unusable: list[str] = []
    for sample in _samples(log):
        try:
            attempts = attempts_in(sample.store)
            episode = episode_of(sample.store, str(sample.id))
        except Exception as error:  # a log may be a stranger's, and hold anything
            unusable.append(left_out(f"{log}, sample {sample.id}", error))
            continue
        if episode is None:
            unfinished.append(str(sample.id))
            continue
        path = _inside(out, file_in(sample.store), log)
        if not path.exists():
            for number, content in enumerate(attempts[:-1], 1):
                write_whole(former(path, number), content)
            write_whole(path, attempts[-1])
            written.append(path)
        elif read_regular(path, MOST_RECORD_BYTES) == attempts[-1]:
            kept.append(path)
        else:
            raise Refused(
                f"{path} is another record than {log} has for {sample.id}; use another --out folder"
            )
    return Converted(tuple(written), tuple(kept), tuple(unfinished), tuple(unusable))


def _samples(log: Path) -> Iterator[EvalSample]:
    """The samples of a log, whose archive is bounded before Inspect's reader sees what is in it."""
    if not log.is_file():
        raise BadFile(log, "", "no such file")
    with TemporaryDirectory(prefix="backburner-") as folder:
        plain = log
        if log.suffix != ".json":
            unpacked(log, plain := Path(folder) / log.name)
        try:
            if plain == log:
                check_json(read_regular(log), MOST_MEMBER_VALUES)
            yield from _aside(read_eval_log_samples(plain, False, exclude_fields=NOT_NEEDED))
        except BadFile:
            raise
        except Exception as error:  # whatever a file that is no log does to Inspect's reader
            raise BadFile(log, "", f"not a log of Inspect ({one_line(str(error))})") from error


T = TypeVar("T")


def _aside(items: Iterator[T]) -> Iterator[T]:
    """What an iterator yields, made in a thread that nobody waits for: Ctrl-C and SIGTERM end us at once,
    where Inspect's reader would wait for tasks of the event loop that they stopped."""
    found: Queue[tuple[T] | BaseException | None] = Queue(1)

    def work() -> None:
        try:
            for each in items:
                found.put((each,))
            found.put(None)
        except BaseException as error:
            found.put(error)

    Thread(target=work, daemon=True).start()
    while (told := found.get()) is not None:
        if isinstance(told, BaseException):
            raise told
        yield told[0]


def _inside(out: Path, file: str, log: Path) -> Path:
    path = out / file
    if not file or "\0" in file or not path.resolve().is_relative_to(out.resolve()):
        where = f"field {shorten(file)!r}"
        raise BadFile(log, where, "the place of a record is a path within the folder")
    if path.suffix != RECORD:
        raise BadFile(log, f"field {shorten(file)!r}", f"a record is called *{RECORD}")
    return path
