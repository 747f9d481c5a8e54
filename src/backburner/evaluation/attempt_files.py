"""The records of a job with several attempts: the last under the job's name, former ones beside it.

A former attempt's file is called ``<name>.attempt1``, ``.attempt2`` ...: it is a record that every
command reads by its name, and none that counts among the records of a folder.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from backburner.kernel.episode import EpisodeFile
from backburner.kernel.play import Sink


class AttemptFiles:
    """Writes one attempt after the other; ``finish`` gives the last one the job's name.

    Former attempts of an earlier run are removed when the first attempt begins.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._number = 0
        self._file: EpisodeFile | None = None

    def __enter__(self) -> AttemptFiles:
        number = 1
        while (old := former(self.path, number)).exists():
            old.unlink(missing_ok=True)
            number += 1
        return self

    def sink(self, number: int) -> Sink:
        """Where the records of the attempt of this number go; the one before it is finished."""
        if self._file is not None:
            self._file.finish(former(self.path, self._number))
        self._number = number
        self._file = EpisodeFile(self.path).__enter__()
        return self._file.write

    def finish(self) -> None:
        """The attempt that was begun last is the one that counts."""
        if self._file is not None:
            self._file.finish()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.__exit__(kind, error, trace)


def former(path: Path, number: int) -> Path:
    """The file of a former attempt of the job with this record."""
    return path.with_name(f"{path.name}.attempt{number}")
