"""Checking what a host reveals: the secret and the scenarios against the commitment, records against both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from backburner.evaluation.hosting import (
    MOST_SCENARIOS,
    SEED,
    Commitment,
    committed,
    digest_of_secret,
    scenarios_in,
    seed_from,
)
from backburner.evaluation.verification import Unusable, read_verified
from backburner.kernel import registry
from backburner.kernel.claims import Fact
from backburner.kernel.errors import BadFile, shorten
from backburner.kernel.files import read_regular
from backburner.kernel.scoring import grouped
from backburner.kernel.values import canonical_json, digest


class Reveal(Struct, frozen=True):
    """What checking a reveal has come to: a line for each problem, what is verified, what is claimed."""

    problems: tuple[str, ...]
    verified: tuple[Fact, ...] = ()
    claimed: tuple[Fact, ...] = ()


def check_reveal(
    commitment: Commitment,
    secret: str,
    suite: Path,
    records: Sequence[Path] = (),
    rebuild: Callable[[Mapping[str, Any]], Path] | None = None,
    key: str = "",
) -> Reveal:
    """Whether secret and scenarios are those committed to, and records are of them, of all and no others.

    ``rebuild`` runs the builder with options and tells the folder: then the scenarios have to come out again.
    Raises ``BadFile`` for what cannot be read.
    """
    paths = sorted(suite.rglob("*.json"))
    if len(paths) > MOST_SCENARIOS:
        raise BadFile(suite, "", f"holds more than {MOST_SCENARIOS} files")
    files = {str(path.relative_to(suite)): read_regular(path) for path in paths}
    asked = [commitment.world, commitment.world_version, commitment.options, commitment.public]
    verified, claimed, problems = [], [], []
    if digest_of_secret(secret) != commitment.secret:
        problems.append("the secret is not the one whose digest the commitment tells")
    elif committed(secret, asked, files) != commitment.commitment:
        problems.append(f"{suite}: these are not the scenarios that were committed to, or not all of them")
    else:
        verified.append(
            Fact("scenarios", f"{len(files)}, fixed when the commitment was made, with the secret")
        )
    if rebuild is not None and not problems:
        seed = seed_from(secret, commitment.world, commitment.options, commitment.public)
        again = _contents(rebuild({**commitment.options, SEED: seed}))
        if missing := [content for content in _contents(suite) if content not in again]:
            other = f"{len(missing)} of {len(files)} scenarios"
            problems.append(f"{suite}: {other} are not what the builder makes of the secret")
        else:
            verified.append(Fact("origin", "the builder makes these scenarios of the secret, again"))
    elif not problems:
        claimed.append(Fact("origin", "that the builder made these scenarios of the secret; --rebuild tells"))
    if records and not problems:
        problems += _of_records(paths, records, key)
        verified.append(Fact("records", f"{len(records)}, each played again, of all these scenarios alone"))
    claimed.append(Fact("when", "that the commitment was published before anybody played"))
    claimed.append(Fact("choice", "that this secret was not chosen among many" + _mixed(commitment)))
    claimed.append(Fact("secrecy", "that nobody who played had seen the scenarios"))
    return Reveal(tuple(problems)) if problems else Reveal((), tuple(verified), tuple(claimed))


def _contents(folder: Path) -> list[tuple[str, bytes]]:
    """Each scenario of a folder, with the folder in it where it stands, whatever it is called."""
    return [(str(place.parent), canonical_json(raw)) for place, raw in scenarios_in(folder).items()]


def _mixed(commitment: Commitment) -> str:
    if not commitment.public:
        return ""
    return f"; it was not if its digest was known before the text {shorten(commitment.public)!r} was"


class Played(Struct, frozen=True):
    """An episode of a hosted scenario; ``conditions``: a digest of rules and limits."""

    agent: str
    scenario: str
    seed: int
    conditions: str


def _of_records(paths: Sequence[Path], records: Sequence[Path], key: str) -> Iterator[str]:
    """A line for each record that is not of the suite, and for what agents lack or played otherwise."""
    hosted = {digest(registry.world(str(path), limits="none").scenario): path.stem for path in paths}
    played: list[Played] = []
    for path in records:
        try:
            header = read_verified(path, key).episode.header
        except Unusable as error:
            yield str(error)
            continue
        if header.scenario_digest not in hosted:
            yield f"{path}: its scenario is not one of those that were committed to"
        else:
            name, conditions = hosted[header.scenario_digest], digest([header.rules, header.limits])
            played.append(Played(header.agent, name, header.seed, conditions))
    for name, alike in grouped(played, lambda one: one.scenario).items():
        if len({one.conditions for one in alike}) > 1:
            yield f"{name}: was played under several rules or limits"
    for agent, own in grouped(played, lambda one: one.agent).items():
        yield from _of_agent(agent, own, list(hosted.values()))


def _of_agent(agent: str, own: Sequence[Played], hosted: Sequence[str]) -> Iterator[str]:
    """Each scenario once with each of the seeds from 0 on."""
    there = Counter((one.scenario, one.seed) for one in own)
    wanted = {(name, seed) for name in hosted for seed in range(len(own) // len(hosted) or 1)}
    for (name, seed), number in there.items():
        if number > 1:
            yield f"{agent}: {name}, seed {seed}, is there {number} times"
    if missing := sorted(wanted - there.keys()):
        name, seed = missing[0]
        yield f"{agent}: {len(missing)} episodes are missing, such as {name}, seed {seed}"
