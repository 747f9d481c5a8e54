"""Scenarios that a host makes from a secret seed, commits to before anybody plays them, and reveals later.

The builder's seed is derived from the secret, a public text and all that was asked for. The commitment is a
digest of the secret, of what was asked for, and of every scenario file: it tells nothing of them, as the
secret has 256 bits, and fits no other secret or files. docs/leaderboard.md says what a reveal proves.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict, replace

from backburner.evaluation.records import Unusable, read_verified
from backburner.evaluation.submissions.submission import Digest, Line, digest_of
from backburner.kernel import __version__, packs, registry
from backburner.kernel.answers import FILE as ANSWERS
from backburner.kernel.building import CLUSTER, SEALED, WORKERS, Builder, Built
from backburner.kernel.built import EDITIONS, BuiltFile, SealedFile, beside
from backburner.kernel.claims import Fact
from backburner.kernel.errors import BadFile, Refused, shorten
from backburner.kernel.files import (
    Place,
    check_unused,
    converted,
    read_json,
    read_regular,
    write_secret,
    write_whole,
)
from backburner.kernel.scoring import grouped
from backburner.kernel.values import canonical_json, digest, indented_json

SEED = "seed"
"""The option of builders that is derived from the secret."""

FORMAT = 2
"""Since 2 a commitment binds what is proven of the scenarios, and tells with which solver; 1 is read."""

MOST_SCENARIOS = 10_000


class Commitment(Struct, frozen=True, forbid_unknown_fields=True):
    """What a host publishes beforehand: what was asked of which builder, and how many ``scenarios`` came out.

    ``secret``: a digest of the secret, which can be published before the ``public`` text is known that is
    mixed into the seed. ``commitment``: the digest of everything. ``answers``: the digest of what is proven
    of the scenarios, which the host keeps, where anything is; ``ortools``: the version that proved it.
    ``edition``: the digest of what scores records as an edition of the headline, which the host keeps, where
    the suite is of the headline's recipe.
    """

    format: int
    made_by: Line
    world: str
    world_version: int
    options: dict[str, Any]
    public: Annotated[str, Meta(max_length=1000)]
    scenarios: Annotated[int, Meta(ge=1, le=MOST_SCENARIOS)]
    secret: Digest
    commitment: Digest
    answers: Digest | None = None
    ortools: Line = ""
    edition: Digest | UnsetType = UNSET


# --- the secret ------------------------------------------------------------------------------------------


def secret_in(file: Path) -> tuple[str, bool]:
    """(the secret of a file, 64 hexadecimal digits; whether it was made now, as there was no such file).

    Nobody else may read a file that is made. Raises ``BadFile``.
    """
    if not file.exists() and not file.is_symlink():
        made = secrets.token_hex(32)
        write_secret(file, f"{made}\n".encode())
        return made, True
    text = read_regular(file, 1024).decode("ascii", "replace").strip()
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise BadFile(file, "", "is no secret seed: 64 hexadecimal digits; name a new file and one is made")
    return text, False


def digest_of_secret(secret: str) -> str:
    """What may be published of a secret."""
    return blake2b(bytes.fromhex(secret), digest_size=32, person=b"bb secret").hexdigest()


def seed_from(secret: str, world: str, options: Mapping[str, Any], public: str) -> int:
    """The builder's seed, below 2^62. Other options or another public text have a seed that tells nothing
    of it."""
    asked = canonical_json([world, dict(options), public])
    found = blake2b(asked, digest_size=8, key=bytes.fromhex(secret), person=b"bb seed").digest()
    return int.from_bytes(found) >> 2


def committed(secret: str, told: Commitment, files: Mapping[str, bytes]) -> str:
    """The digest of a secret, of what was asked of which builder, of every scenario file by its path, of what
    is proven of them, and of the edition, if they are one."""
    scenarios = sorted((name, digest_of(content)) for name, content in files.items())
    asked = [told.world, told.world_version, told.options, told.public]
    proven = [] if told.format == 1 else [told.answers, told.ortools]
    proven += [] if told.edition is UNSET else [told.edition]
    plain = canonical_json([secret, *asked, *proven, scenarios])
    return blake2b(plain, digest_size=32, person=b"bb commitment").hexdigest()


def _answers_in(folder: Path) -> str | None:
    """The digest of what is proven of the scenarios of a folder; ``None`` where nothing is."""
    file = folder / ANSWERS
    return digest_of(read_regular(file)) if file.exists() else None


def _ortools() -> str:
    """The version of the solver that proves here; empty where there is none."""
    try:
        return version("ortools")
    except PackageNotFoundError:
        return ""


# --- hosting ---------------------------------------------------------------------------------------------


def checked_options(builder: Builder, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a commitment, as a builder takes them; raises ``Refused`` for those it does not have."""
    arguments = {argument.name: argument for argument in builder.arguments}
    found: dict[str, Any] = {}
    for name, value in options.items():
        kind = arguments[name].kind if name in arguments and name != CLUSTER else ""
        fits = bool(kind) and isinstance(value, KINDS[kind]) and isinstance(value, bool) == (kind == "switch")
        if not fits:
            raise Refused(f"the commitment's option {shorten(name)!r} is none of the builder's, or malformed")
        found[name] = Path(value) if kind == "path" else value
    return found


KINDS: Mapping[str, Any] = {
    "text": str,
    "whole number": int,
    "number": (int, float),
    "switch": bool,
    "path": str,
}


def options_of(builder: Builder, world: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked of a builder beside its seed and what it runs on, as JSON has it: the number of its
    processes is always the usual one.

    Raises ``Refused`` for a builder that takes no seed, or where one is given.
    """
    arguments = {argument.name: argument for argument in builder.arguments}
    argument = arguments.get(SEED)
    if argument is None:
        raise Refused(f"{world}: its builder draws nothing by a seed; there is nothing to keep secret")
    if options.get(SEED) not in (None, argument.default):
        raise Refused("seed= tells the seed; with a secret one, leave it out")
    plain = {name: value for name, value in options.items() if name not in (SEED, CLUSTER)}
    if WORKERS in plain:
        plain[WORKERS] = arguments[WORKERS].default
    return {name: str(value) if isinstance(value, Path) else value for name, value in plain.items()}


def host(
    world: str,
    builder: Builder,
    options: Mapping[str, Any],
    secret: str,
    private: Path,
    out: Path,
    *,
    public: str = "",
    build: Callable[[Path, Mapping[str, Any]], Built],
) -> tuple[Commitment, Built]:
    """Build scenarios from a secret seed into the new folder ``out``, with names and ids that tell nothing.

    ``build`` runs the builder with options into the folder ``private``, which tells the seed, and from which
    a build that was stopped goes on. Raises ``Refused`` if ``out`` is in use, or a file would tell the seed.
    """
    check_unused(out)
    asked = options_of(builder, world, options)
    seed = seed_from(secret, world, asked, public)
    private.mkdir(parents=True, exist_ok=True, mode=0o700)
    built = build(private, {**options, SEED: seed, SEALED: True})
    told = digest_of_secret(secret)
    files, edition = hosted_of(private, world, told)
    if not files:
        raise Refused(f"{built.missing or 'no scenario was found'}; nothing to commit to")
    for name, content in files.items():
        if _tells(seed, name.encode() + content):
            raise Refused(
                f"{name}: the builder of {world} writes its seed into scenarios; none can be hosted"
            )
    commitment = Commitment(
        FORMAT,
        f"backburner {__version__}",
        world,
        packs.pack(world).version,
        asked,
        public,
        len(files),
        told,
        "",
        _answers_in(private),
        _ortools(),
        digest_of(edition) if edition else UNSET,
    )
    commitment = replace(commitment, commitment=committed(secret, commitment, files))
    for name, content in files.items():
        write_whole(out / name, content, lasting=True)
    if edition:
        write_whole(beside(private, SEALED), edition, lasting=True)
    return commitment, built


def scenarios_in(folder: Path) -> dict[Path, Any]:
    """The scenarios of a build without their ids, by their places in its folder."""
    there = {path.relative_to(folder): path for path in folder.rglob("*.json")}
    kept = {place: read_json(path) for place, path in there.items() if place.name != registry.INDEX}
    return {place: {**raw, "id": ""} for place, raw in kept.items()}


def hosted_of(private: Path, world: str, told: str) -> tuple[dict[str, bytes], bytes | None]:
    """(the scenario files of a build by their new names, in the folders where they stand, with new ids; what
    scores them as an edition of the headline, if they are of its recipe). ``told``: the secret's digest.

    They are numbered in the order of their contents, as the order of their names is that of seeds.
    """
    stem = told[:8]  # tells hosted suites apart in ids, and no more
    files, names = {}, {}
    without_ids = scenarios_in(private)
    in_order = sorted(
        without_ids, key=lambda place: (str(place.parent), digest_of(canonical_json(without_ids[place])))
    )
    for number, place in enumerate(in_order, start=1):
        name = f"hosted-{stem}-{number:04}"
        raw = {**without_ids[place], "id": name}
        names[str(place.with_suffix(""))] = name
        files[f"{place.parent / name}.json"] = indented_json(raw)
    file = next(filter(Path.exists, (beside(private, edition) for edition in EDITIONS)), None)
    if file is None:
        return files, None
    made = read_json(file, BuiltFile)
    scenarios = tuple(replace(one, name=names[one.name]) for one in made.scenarios)
    source = re.sub(r"--seed \d+", "--secret-seed-file FILE", made.source)
    fields = {**asdict(made), "source": source, "scenarios": scenarios}
    return files, msgspec.json.encode(SealedFile(**fields, world=world))


def _tells(seed: int, content: bytes) -> bool:
    """Whether a text holds the seed or one of the next million."""
    return str(seed)[:-6].encode() in content if seed >= 10**9 else str(seed).encode() in content


def read_commitment(file: Path) -> Commitment:
    """Raises ``BadFile`` naming the field that is wrong."""
    place = Place(str(file))
    found = converted(read_json(file), Commitment, place)
    if not 1 <= found.format <= FORMAT:
        raise place.field("format").wrong(f"is {found.format}; this version reads 1 to {FORMAT}")
    if found.format == 1 and (found.answers or found.ortools):
        raise place.field("format").wrong("is 1, which tells neither answers nor ortools")
    return found


# --- what a host reveals ---------------------------------------------------------------------------------


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
    edition: Path | None = None,
) -> Reveal:
    """Whether secret and scenarios are those committed to, and records are of them, of all and no others.

    ``rebuild`` runs the builder with options and tells the folder: then the scenarios have to come out again.
    ``edition``: the file that scores them. Raises ``BadFile`` for what cannot be read.
    """
    paths = sorted(suite.rglob("*.json"))
    if len(paths) > MOST_SCENARIOS:
        raise BadFile(suite, "", f"holds more than {MOST_SCENARIOS} files")
    files = {str(path.relative_to(suite)): read_regular(path) for path in paths}
    verified, claimed, problems = [], [], []
    if digest_of_secret(secret) != commitment.secret:
        problems.append("the secret is not the one whose digest the commitment tells")
    elif committed(secret, commitment, files) != commitment.commitment:
        problems.append(f"{suite}: these are not the scenarios that were committed to, or not all of them")
    elif _answers_in(suite) not in (None, commitment.answers) and commitment.format > 1:
        problems.append(f"{suite / ANSWERS}: these are not the answers that were committed to")
    elif edition is not None and digest_of(read_regular(edition)) != commitment.edition:
        problems.append(f"{edition}: this is not the edition that was committed to")
    else:
        fixed = "the secret" if edition is None else "the secret and the edition"
        verified.append(Fact("scenarios", f"{len(files)}, fixed when the commitment was made, with {fixed}"))
    if rebuild is not None and not problems:
        seed = seed_from(secret, commitment.world, commitment.options, commitment.public)
        again = rebuild({**commitment.options, SEED: seed})
        if other := _otherwise(commitment, suite, again):
            problems.append(f"{suite}: {other}{_other_solver(commitment)}")
        else:
            verified.append(Fact("origin", "the builder makes these scenarios of the secret, again"))
    elif not problems:
        claimed.append(
            Fact("origin", "that the builder made these scenarios of the secret; rebuild=yes tells")
        )
    if records and not problems:
        problems += _of_records(paths, records, key)
        verified.append(Fact("records", f"{len(records)}, each played again, of all these scenarios alone"))
    claimed.append(Fact("when", "that the commitment was published before anybody played"))
    claimed.append(Fact("choice", "that this secret was not chosen among many" + _mixed(commitment)))
    claimed.append(Fact("secrecy", "that nobody who played had seen the scenarios"))
    return Reveal(tuple(problems)) if problems else Reveal((), tuple(verified), tuple(claimed))


def _otherwise(commitment: Commitment, suite: Path, again: Path) -> str:
    """What a builder makes otherwise than was committed to; empty where it makes the same."""
    made, own = _contents(again), _contents(suite)
    if missing := [content for content in own if content not in made]:
        return f"{len(missing)} of {len(own)} scenarios are not what the builder makes of the secret"
    if commitment.answers is not None and _answers_in(again) != commitment.answers:
        return "the builder proves something else of these scenarios than was committed to"
    if commitment.edition is not UNSET:
        edition = hosted_of(again, commitment.world, commitment.secret)[1]
        if edition is None or digest_of(edition) != commitment.edition:
            return "the builder makes another edition of these scenarios than was committed to"
    return ""


def _other_solver(commitment: Commitment) -> str:
    """A likely reason why a builder makes something else; empty where the solver is the same."""
    here = _ortools()
    if not commitment.ortools or commitment.ortools == here:
        return ""
    return f"; they were proven with ortools {commitment.ortools}, here is {here or 'none'}"


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
