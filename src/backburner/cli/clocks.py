"""The clock on the command line: what thinking costs, in a run and in play."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import typer
from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.profiles import read_profile
from backburner.cli.grammar import Key, Keyed, about, keys_of, named, read
from backburner.evaluation.running.clocks import NO_CLOCK, speeds
from backburner.kernel.clock import Profile, Timing
from backburner.kernel.errors import Refused, UnknownName, shorten
from backburner.kernel.files import Place, converted

PANEL = "Time that thinking takes"

MODES = ("tokens", "seconds", "latency", "profile:FILE", "recorded:FOLDER", "none")


class Manner(Struct, frozen=True):
    """How a clock charges; each field is a key behind its mode."""

    speed: Annotated[
        str,
        Key("Tokens a second (80), or of the world's time: 250/step, 500/beat. One run for each of a list"
            " (20,80,inf); inf: no clock.", free=True),
    ] = ""  # fmt: skip
    pace: Annotated[str, Key("Seconds of the world for one of thinking; else 1.")] = "1"
    count: Annotated[str, Key("Output tokens as told, or a quarter of bytes.", values=("told", "bytes"))] = (
        "told"
    )
    limit: Annotated[str, Key("Seconds of the longest thought; it is cut there.")] = "0"
    speech: Annotated[str, Key("Seconds that each word takes that is said to others.")] = "0"
    talk: Annotated[int | None, Key("Words that a seat may say in an episode.", least=0)] = None
    tell: Annotated[bool, Key("no: nobody is told that time passes.")] = True
    seat: Annotated[tuple[str, ...], Key("SEAT=FILE, or SEAT=80: one seat's profile; repeatable.")] = ()


class Clocking(Keyed, frozen=True):
    """What thinking costs: the mode of a clock, the file or folder that it is of, how it charges."""

    OPTION: ClassVar[Any] = typer.Option(
        "--clock",
        metavar="MODE[@KEY=VALUE,...]",
        help=f"Thinking takes time in the world. One of: {', '.join(MODES)}.",
        rich_help_panel=PANEL,
    )

    mode: str = ""
    place: Path | None = None
    manner: Manner = Manner()

    @classmethod
    def said(cls, written: str | None) -> Self:
        """What is written; raises ``UnknownName`` and ``Refused``."""
        if not written:
            return cls()
        whole, tail = named(written)
        mode, _, place = whole.partition(":")
        where = f"--clock {shorten(whole)}"
        with_place = {each.partition(":")[0]: ":" in each for each in MODES}
        if mode not in with_place:
            raise UnknownName("mode", mode, with_place, "--clock")
        if with_place[mode] != bool(place):
            raise Refused(f"{where}: write one of {', '.join(MODES)}")
        return cls(mode, Path(place) if place else None, read(Manner, tail, where))

    @classmethod
    def about(cls) -> str:
        """See ``Keyed``."""
        return about(keys_of(Manner), cls.OPTION.help)

    @property
    def recorded(self) -> Path | None:
        """The folder of the records that say how long thoughts took."""
        return self.place if self.mode == "recorded" else None

    def timings(self) -> list[Timing | None]:
        """The clocks that are asked for, one for each speed; ``None``: thinking takes no time.

        Raises ``Refused`` and ``BadFile``.
        """
        mode, speed = self.mode or "none", self.manner.speed
        if mode == "none":
            if self.manner != Manner():
                raise Refused("without a clock there is no speed and no pace; --clock tokens has both")
            return [None]
        if mode == "tokens" and not speed:
            raise Refused("--clock tokens: how many a second? tokens@speed=80, or several: speed=20,80,inf")
        if speed and mode not in ("tokens", "recorded"):
            raise Refused(f"--clock {mode}: speed is for --clock tokens")
        usual = self._timing(mode)
        if not speed:
            return [usual]
        return [None if each == NO_CLOCK else replace(usual, speed=each) for each in speeds(speed)]

    def _timing(self, mode: str) -> Timing:
        said = self.manner
        plain = {
            "mode": "tokens" if mode == "profile" else mode,
            "pace": said.pace,
            "count": said.count,
            "limit": said.limit,
            "speech": said.speech,
            "talk_words": said.talk,
            "tells": said.tell,
        }
        made = converted(plain, Timing, Place(f"--clock {mode}"))
        if not Fraction(said.pace):
            raise Refused(f"--clock {mode}: pace is more than 0")
        profile = read_profile(self.place) if mode == "profile" and self.place is not None else None
        return replace(made, profile=profile, seats=dict(map(_of_seat, said.seat)))


NO_TIME = Clocking()
"""Thinking takes no time."""


def _of_seat(written: str) -> tuple[str, Profile]:
    seat, equals, how = written.partition("=")
    if not (seat and equals and how):
        raise Refused(f"--clock: seat={shorten(written)}: write SEAT=FILE, or SEAT=80")
    if how.replace(".", "", 1).isdecimal():
        return seat, converted({"name": how, "decode": how}, Profile, Place(f"--clock: seat={seat}"))
    return seat, read_profile(Path(how))
