"""How language models were asked for the decisions of a record that a stranger may have sent.

A seat that a model has had names every request that was answered, beside what the provider called the answer.
A request follows from the world, the method, its wording and settings, the model's name, and all that was
answered before. So it is made again and compared. That the answers came from the model named, nothing here
can tell; that they were asked for as the record says, this can.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.stand_in import STAND_IN
from backburner.agents.spec import is_method
from backburner.evaluation.records import read_verified, usable
from backburner.evaluation.submissions.retelling import Asked, asked_in
from backburner.kernel import __version__
from backburner.kernel.claims import Fact, Verdict
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode, Player
from backburner.kernel.errors import ReplayMismatch, one_line, shorten
from backburner.kernel.replay import world_of
from backburner.kernel.values import Seat, Usage

Asking = Literal["checked", "not checked", "not told"]
"""What is known of how a model was asked: its requests follow from the record; they are named, and nothing
here can make them again; some, or all, are not named."""

CHECKED: Asking = "checked"
NOT_CHECKED: Asking = "not checked"
NOT_TOLD: Asking = "not told"
ASKINGS = (CHECKED, NOT_CHECKED, NOT_TOLD)
"""The best first."""

PART = "player"


class Vouched(Struct, frozen=True):
    """What is known of one seat: its number of requests, and ``why`` they are not checked."""

    seat: Seat
    asking: Asking
    requests: int
    why: str = ""

    @property
    def fact(self) -> Fact:
        """In words, for what is verified or claimed."""
        if self.asking == CHECKED:
            why = f"{self.seat}: its {self.requests} requests follow from method, settings and answers"
            return Fact(PART, f"{why}; that the model named gave these, it claims")
        return Fact(PART, one_line(f"{self.seat}: {self.asking}: {self.why}"))


def is_model(player: Player) -> bool:
    """Whether a record says that this package asked a language model: its settings have a prompting method,
    or its name is made as those of models are, ``METHOD(MODEL)``."""
    name, bracket, _ = player.name.partition("(")
    return "method" in player.settings or (bool(bracket) and is_method(name))


def model_seats(episode: Episode) -> list[Seat]:
    """The seats that a language model has had, by the record; stand-ins are none."""
    players = episode.header.players.items()
    return [seat for seat, player in players if is_model(player) and STAND_IN not in player.settings]


def untold(episode: Episode) -> Iterator[tuple[Seat, str]]:
    """The seats of models whose requests are not all named, and what is lacking.

    Raises ``ReplayMismatch`` for a seat of a model that was never asked, and for more requests than calls.
    """
    for seat in model_seats(episode):
        spent = [entry.usage.get(seat, Usage()) for entry in episode.entries if seat in entry.decided]
        if more := next((usage for usage in spent if len(usage.requests) > usage.calls), None):
            raise _wrong(episode, seat, f"{len(more.requests)} requests of {more.calls} calls")
        lacking = sum(1 for usage in spent if usage.calls and not usage.requests)
        if spent and not any(usage.calls for usage in spent):
            if not _starts_elsewhere(episode.header.players[seat]):
                why = f"a language model, and no call was made for any of {len(spent)} decisions"
                raise _wrong(episode, seat, why)
            yield seat, "its one decision comes from another file, and nobody was asked"
        elif lacking:
            yield seat, f"the record names no request of {lacking} of {len(spent)} decisions"


def _starts_elsewhere(player: Player) -> bool:
    choices = player.settings.get("choices")
    return isinstance(choices, dict) and bool(choices.get("start"))


def vouched(path: Path, episode: Episode) -> list[Vouched]:
    """What is known of each seat that a language model has had.

    Raises ``ReplayMismatch`` where requests are not those that follow from the record, and what ``untold``
    raises.
    """
    told = dict(untold(episode))
    seats = [seat for seat in model_seats(episode) if seat in _deciding(episode)]
    found = [Vouched(seat, NOT_TOLD, _named(episode, seat), told[seat]) for seat in seats if seat in told]
    if not (rest := [seat for seat in seats if seat not in told]):
        return found
    world = world_of(episode)
    if why := _other_version(episode, world):
        return found + [Vouched(seat, NOT_CHECKED, _named(episode, seat), why) for seat in rest]
    asked = asked_in(path, episode, world, words=False)
    return found + [_checked(episode, seat, asked) for seat in rest]


def _deciding(episode: Episode) -> set[Seat]:
    return {seat for entry in episode.entries for seat in entry.decided}


def _named(episode: Episode, seat: Seat) -> int:
    return sum(len(entry.usage[seat].requests) for entry in episode.entries if seat in entry.usage)


def _other_version(episode: Episode, world: World[Any, Any, Any]) -> str:
    header = episode.header
    if header.version != __version__:
        return f"version {shorten(header.version)} of the package made them, and {__version__} is here"
    if header.world_version != world.version:
        return f"they are of version {header.world_version} of the world, and {world.version} is here"
    return ""


def _checked(episode: Episode, seat: Seat, asked: Asked) -> Vouched:
    why = asked.unknown.get(seat, "")
    for entry in (entry for entry in episode.entries if seat in entry.decided):
        made = asked.calls.get((entry.index, seat))
        if made is None and why:
            break
        usage = entry.usage.get(seat, Usage())
        if made and not usage.calls:  # as where a stand-in, or somebody else, has had the seat for a while
            return Vouched(seat, NOT_TOLD, _named(episode, seat), f"step {entry.index} has no call")
        named = [sent.request for sent in usage.requests]
        if [call.request for call in made or ()] != named:
            wrong = f"step {entry.index}: its requests do not follow from method, settings and answers"
            raise _wrong(episode, seat, wrong)
    if seat in asked.departed:
        raise _wrong(episode, seat, why)
    return Vouched(seat, NOT_CHECKED if why else CHECKED, _named(episode, seat), why)


def _wrong(episode: Episode, seat: Seat, why: str) -> ReplayMismatch:
    player = episode.header.players[seat].name
    return ReplayMismatch(one_line(f"{shorten(episode.header.id)}: {seat}, {shorten(player)}: {why}"))


# --- records ---------------------------------------------------------------------------------------------


class Vouching(Struct, frozen=True):
    """A record that can be used, what was found out about it, and about its ``players`` that are models."""

    episode: Episode
    verdict: Verdict
    players: tuple[Vouched, ...]


def read_vouched(path: Path, key: str = "") -> Vouching:
    """Read a record as ``read_verified`` does, and make the requests to its language models again, too.

    Raises what ``read_verified`` raises.
    """
    read = read_verified(path, key)
    with usable(path):
        who = vouched(path, read.episode)
    verified = (*read.verdict.verified, *(one.fact for one in who if one.asking == CHECKED))
    claimed = (*read.verdict.claimed, *(one.fact for one in who if one.asking != CHECKED))
    return Vouching(read.episode, replace(read.verdict, verified=verified, claimed=claimed), tuple(who))
