"""The episode records in logs of Inspect, as the files that ``backburner run`` writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from inspect_ai.log import EvalSample, read_eval_log_samples
from msgspec import Struct

from backburner.evaluation.jobs import former
from backburner.inspect.samples import attempts_in, episode_of, file_in
from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.files import write_whole

LOG = ".eval"

NOT_NEEDED = {"events", "events_data", "attachments", "messages", "output"}
"""The bulk of a log; the record stands in the store."""


class Converted(Struct, frozen=True):
    """What came of a log: records written, records that lay there already, samples without an episode
    that was played to its end."""

    written: tuple[Path, ...]
    kept: tuple[Path, ...]
    unfinished: tuple[str, ...]


def convert(log: Path, out: Path) -> Converted:
    """Write the record of every finished episode in a log under ``out``, as ``backburner run`` would.

    Former attempts are written beside the record. A record that is there already stays; raises ``Refused``
    if it is another one, and ``BadFile`` if the log cannot be read.
    """
    written: list[Path] = []
    kept: list[Path] = []
    unfinished: list[str] = []
    for sample in _samples(log):
        attempts = attempts_in(sample.store)
        if episode_of(sample.store, str(sample.id)) is None:
            unfinished.append(str(sample.id))
            continue
        path = _inside(out, file_in(sample.store), log)
        if not path.exists():
            for number, content in enumerate(attempts[:-1], 1):
                write_whole(former(path, number), content)
            write_whole(path, attempts[-1])
            written.append(path)
        elif path.read_bytes() == attempts[-1]:
            kept.append(path)
        else:
            raise Refused(
                f"{path} is another record than {log} has for {sample.id}; use another --out folder"
            )
    return Converted(tuple(written), tuple(kept), tuple(unfinished))


def _samples(log: Path) -> Iterator[EvalSample]:
    if not log.is_file():
        raise BadFile(log, "", "no such file")
    try:
        yield from read_eval_log_samples(log, all_samples_required=False, exclude_fields=NOT_NEEDED)
    except Exception as error:  # whatever a file that is no log does to Inspect's reader
        raise BadFile(log, "", f"not a log of Inspect ({type(error).__name__}: {error})") from error


def _inside(out: Path, file: str, log: Path) -> Path:
    path = out / file
    if not file or not path.resolve().is_relative_to(out.resolve()):
        raise BadFile(log, f"field {file!r}", "the place of a record is a path within the folder")
    return path
