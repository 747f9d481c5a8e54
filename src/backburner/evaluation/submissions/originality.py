"""Whose play a submission is: who played it first, and how alike it is to the package's own agents.

``receipts.jsonl`` is the board's own file, JSON Lines that are chained as records are (``kernel.chain``) and
only added to. Of each submission it says what was played, from when the board first finds it sound: who came
first is what it says, whatever files are called and whatever dates others tell. What came at one look, before
which nobody had looked, has no order.

An agent's play is held against another's of the same scenario and seed wherever both came to the same state.
A decision counts if it was a real choice: two or more decisions that would have been accepted lead to
different states. It is equal if it leads to the same state. Strong agents agree in much, so what is found
stands beside what greedy and the oracle have in common; it proves nothing of anybody.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from backburner.agents.planned import GREEDY, ORACLE, guide, shipped_plan, solved_plan, world_agent
from backburner.kernel import chain, registry
from backburner.kernel.chain import Chain
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError, BadFile, one_line, shorten
from backburner.kernel.files import read_regular, write_whole
from backburner.kernel.menu import lists
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.scoring import grouped
from backburner.kernel.values import Seat, canonical_json, digest

RECEIPTS = "receipts.jsonl"

COPIED = 0.5
"""A submission of whose records more than this share was played before by others is theirs again."""

LEAST_RECORDS = 5
"""Of a submission that can be called a copy: a short play is at times that of another agent by chance."""

Played = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}\Z")]


class Receipt(Struct, frozen=True, forbid_unknown_fields=True):
    """One submission as it was first seen.

    ``look``: the number of the look at which it was there, ``when`` that was, in UTC by the board's clock.
    ``folder``: what it was called. ``submission``: the digest of its manifest. ``plays``: what was played in
    its records, each once (``played``).
    """

    look: Annotated[int, Meta(ge=1)]
    when: Annotated[str, Meta(max_length=40)]
    folder: Annotated[str, Meta(max_length=300)]
    submission: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    plays: tuple[Played, ...]


class Arrival(Struct, frozen=True):
    """A submission that is there now: its folder's name, its manifest's digest, what its records play."""

    folder: str
    submission: str
    plays: tuple[str, ...]


def played(episode: Episode) -> str:
    """The digest of what was played: the scenario, and its state after each decision point.

    Who decided, in which words and at what cost has no part in it, nor has the seed.
    """
    return digest((episode.header.scenario_digest, [entry.digest for entry in episode.entries]))


def read_receipts(file: Path) -> tuple[list[Receipt], bytes]:
    """The receipts in a file and the chain of the last; none where there is no file.

    Raises ``BadFile`` naming the first line that does not follow those before it.
    """
    if not file.exists():
        return [], chain.START
    found: list[Receipt] = []
    links: list[chain.Link] = []
    try:
        lines, begun = chain.lines_of(read_regular(file, chain.MOST_BYTES))
    except ValueError as error:
        raise BadFile(file, "", str(error)) from error
    for number, line in enumerate(lines, 1):
        try:
            links.append(chain.link(line, chained=True))
            found.append(_decode(links[-1].body))
        except (ValueError, RecursionError) as error:
            raise BadFile(file, f"line {number}", f"no receipt ({shorten(str(error))})") from error
    if begun:
        raise BadFile(file, f"line {len(lines)}", "was cut")
    try:
        seal = chain.seal_of(links, ends=False)
    except chain.BadLine as error:
        raise BadFile(file, f"line {error.number}, field {error.field!r}", error.why) from error
    return found, bytes.fromhex(seal.chain) or chain.START


_decode = msgspec.json.Decoder(Receipt).decode


def receive(file: Path, arrivals: Sequence[Arrival]) -> list[Receipt]:
    """The receipts, with one more for each arrival that is not among them; these are written down.

    Raises what ``read_receipts`` raises, before anything is written.
    """
    found, last = read_receipts(file)
    known = {(one.folder, one.submission) for one in found}
    look = 1 + max((one.look for one in found), default=0)
    when = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    new = [
        Receipt(look, when, one.folder, one.submission, tuple(dict.fromkeys(one.plays)))
        for one in arrivals
        if (one.folder, one.submission) not in known
    ]
    if new:
        chained = Chain(last)
        before = read_regular(file, chain.MOST_BYTES) if found else b""
        write_whole(file, before + b"".join(chained.line(canonical_json(one)) for one in new))
    return [*found, *new]


# --- whose plays they are -----------------------------------------------------------------------------------


class First(Struct):
    """Who of those that are there had a play first: the look, its date, and the folders."""

    look: int
    when: str
    folders: list[str]


def firsts(receipts: Iterable[Receipt], there: Iterable[str]) -> dict[str, First]:
    """Of each play, who had it first among the folders that are there."""
    names = set(there)
    found: dict[str, First] = {}
    for one in receipts:
        for play in one.plays if one.folder in names else ():
            first = found.setdefault(play, First(one.look, one.when, []))
            if first.look == one.look and one.folder not in first.folders:
                first.folders.append(one.folder)
    return found


def copied(arrival: Arrival, first: Mapping[str, First], beside: Iterable[str] = ()) -> str:
    """Whose records these are, where most of them were played by others before, or by others as soon; folders
    ``beside`` are of nobody else."""
    own, number = {arrival.folder, *beside}, len(arrival.plays)
    if number < LEAST_RECORDS:
        return ""
    before = [first[play] for play in arrival.plays if own.isdisjoint(first[play].folders)]
    if len(before) > COPIED * number:
        when = min(one.when for one in before)
        return f"{len(before)} of its {number} records play what those of {_most(before, own)} did ({when})"
    shared = [first[play] for play in arrival.plays if not own.issuperset(first[play].folders)]
    if len(shared) > COPIED * number:
        alike = f"{len(shared)} of its {number} records play what those of {_most(shared, own)} do"
        return f"{alike}, seen at the same look: nobody here can tell whose they are"
    return ""


def _most(found: Sequence[First], own: Container[str]) -> str:
    """The folder that most of these plays are of, and how many others there are."""
    (folder, _), *others = Counter(
        name for one in found for name in one.folders if name not in own
    ).most_common()
    return one_line(shorten(folder)) + (f" and {len(others)} more" if others else "")


# --- likeness to the package's own agents ----------------------------------------------------------------


MOST_SCENARIOS = 24
"""Of a submission whose plays are compared: the same for all submissions, as many of each world as of any
other. What the package's own agents play there is found out once."""

ORACLE_SECONDS = 5.0
"""For the oracle's plan of one scenario that ships with none."""

MOST_DECISIONS = 100
"""Steps of one play, and decisions on one menu, that are looked at."""


IT = "it"
"""What the agent is called that is held against others."""


class Likeness(Struct, frozen=True):
    """Of ``choices`` in states that both came to, ``equal`` were decided alike."""

    one: str
    other: str
    equal: int
    choices: int

    @property
    def words(self) -> str:
        """In words, for people."""
        if not self.choices:
            return f"{self.one} and {self.other}: no choice in a state that both came to"
        share = 100 * self.equal / self.choices
        return f"{self.one} decides as {self.other} in {share:.0f} % ({self.equal} of {self.choices} choices)"


OWN: Mapping[str, Callable[[World[Any, Any, Any]], Policy]] = {
    ORACLE: lambda world: shipped_plan(world) or solved_plan(world, ORACLE_SECONDS)[0],
    GREEDY: lambda world: world_agent(GREEDY, world),
    "stand-in": guide,
}
"""The package's own agents; the stand-in for a model is asked as one that never slips."""


def likenesses(episodes: Iterable[Episode]) -> tuple[Likeness, ...]:
    """An agent's episodes beside the package's own agents, and greedy beside the oracle in the same."""
    sampled = sample(episodes)
    found = [_together(IT, name, [(one, _own(name, one)) for one in sampled]) for name in OWN]
    own = [(_own(GREEDY, one), _own(ORACLE, one)) for one in sampled]
    return (*found, _together(GREEDY, ORACLE, own))


def sample(episodes: Iterable[Episode]) -> list[Episode]:
    """Episodes of the scenarios that are looked at, each with its lowest seed."""
    lowest = sorted(episodes, key=lambda episode: episode.header.seed)
    by_id = {episode.header.id: episode for episode in reversed(lowest)}
    in_order = sorted(by_id.values(), key=lambda episode: digest(episode.header.id))
    worlds = list(grouped(in_order, lambda episode: episode.header.world).values())
    rounds = (one[number] for number in range(MOST_SCENARIOS) for one in worlds if number < len(one))
    return [episode for episode, _ in zip(rounds, range(MOST_SCENARIOS), strict=False)]


def _together(one: str, other: str, pairs: Iterable[tuple[Episode | None, Episode | None]]) -> Likeness:
    both = [
        (mine, theirs) for mine, theirs in pairs if mine and theirs and _planned(mine) == _planned(theirs)
    ]
    choices = [equal for mine, theirs in both for equal in compared(mine, theirs)]
    return Likeness(one, other, sum(choices), len(choices))


def _planned(episode: Episode) -> bool:
    """Whether all was decided at once: a plan is no choice among steps."""
    return len(episode.entries) == 1


def _own(name: str, episode: Episode) -> Episode | None:
    return _played(name, episode.header.id, episode.header.seed)


@lru_cache(maxsize=16 * MOST_SCENARIOS)
def _played(name: str, id: str, seed: int) -> Episode | None:
    """What one of our agents plays under standard rules; ``None`` where it can do nothing."""
    try:
        world = registry.world(id)
        return play_now(world, OWN[name](world), seed, max_steps=10 * MOST_DECISIONS)
    except BackburnerError:
        return None


# --- two plays of one scenario ------------------------------------------------------------------------------


def compared(mine: Episode, theirs: Episode) -> Iterator[bool]:
    """Of each real choice in a state that both plays came to, whether it was decided alike."""
    world = registry.world(mine.header.id)
    listed: bool = lists(world)
    if not listed:
        return
    there = dict(zip(_states(theirs), theirs.entries, strict=False))
    for before, (state, entry, step) in zip(_states(mine), trajectory(mine, world), strict=False):
        if entry.index == MOST_DECISIONS:
            return
        other = there.get(before)
        if other is None:
            continue
        taken, came = decisions_in(world, entry), digest(step.state)
        for seat in entry.decided.keys() & other.decided.keys():
            if is_choice(world, state, taken, seat):
                theirs_taken = {**taken, seat: decisions_in(world, other)[seat]}
                yield came == digest(world.step(state, theirs_taken).state)


def _states(episode: Episode) -> Sequence[str]:
    """The digests of the states before each step."""
    return [episode.header.start_digest, *(entry.digest for entry in episode.entries)]


def is_choice(world: Any, state: Any, taken: Mapping[Seat, Any], seat: Seat) -> bool:
    """Whether decisions on the seat's menu that are accepted lead to different states, all else being taken
    as it was."""
    outcomes: set[str] = set()
    for option in world.menu(state, seat).options[:MOST_DECISIONS]:
        step = world.step(state, {**taken, seat: option.decision})
        if not any(refusal.seat in ("", seat) for refusal in step.refusals):
            outcomes.add(digest(step.state))
        if len(outcomes) > 1:
            return True
    return False
