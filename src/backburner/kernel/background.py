"""Jobs that end later, as a seat knows them: for whoever waits for one of them by a handle."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

O_contra = TypeVar("O_contra", contravariant=True)

Deed = Literal["await", "check", "reply", "cancel"]
"""What is done about a job that goes on."""


class Job(Struct, frozen=True):
    """A job that was begun, as far as its seat is told.

    ``silent``: its end is told to nobody who does not check it. ``told``: in words; of one that is
    ``asking`` the question, with ``choices`` if only some answers will do. ``result``: JSON values by name.
    """

    status: Literal["working", "asking", "done", "failed", "cancelled"]
    silent: bool = False
    told: str = ""
    choices: tuple[str, ...] = ()
    result: Mapping[str, Any] = {}


@runtime_checkable
class Background(Protocol[O_contra]):
    """The world has jobs that go on by themselves."""

    @abstractmethod
    def jobs(self, observation: O_contra) -> Mapping[str, Job]:
        """Every job that was begun, by a name that no other run has, such as ``export orders#2``."""

    @abstractmethod
    def job_text(self, deed: Deed, job: str, value: str = "") -> str:
        """The text for ``parse`` that waits for a job and for nothing else, checks it, answers its question
        with a value, or cancels it."""
