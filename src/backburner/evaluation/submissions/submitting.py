"""Making a submission out of an agent's records, and what can be told of such records."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from backburner.evaluation.comparing.headline import (
    Headline,
    Points,
    Scale,
    counting,
    counts,
    headline,
    points_of,
)
from backburner.evaluation.records import RECORD
from backburner.evaluation.scoring.scores import Records, WorldScores, score
from backburner.evaluation.scoring.usage import NO_PRICES, Prices, answers_of, counted, stand_ins
from backburner.evaluation.submissions.submission import (
    ALLOWED,
    CLOCKED,
    FORMAT,
    MIXED,
    NO_REQUESTS,
    RECORDS,
    STAND_INS,
    UNFINISHED,
    About,
    Cost,
    Figure,
    Item,
    Manifest,
    Setting,
    digest_of,
    write_manifest,
)
from backburner.evaluation.submissions.vouching import NOT_TOLD, vouched
from backburner.kernel import __version__
from backburner.kernel.chain import MOST_BYTES as MOST_RECORD_BYTES
from backburner.kernel.chain import Signer
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, ReplayMismatch, UnknownName, shorten
from backburner.kernel.files import check_unused, read_regular
from backburner.kernel.scoring import Estimate, grouped
from backburner.kernel.values import digest, total

Found = Sequence[tuple[Path, Episode]]


class Told(Struct, frozen=True):
    """What records show, computed from them alone: the part of a manifest that can be checked."""

    worlds: dict[str, int]
    settings: tuple[Setting, ...]
    figures: dict[str, Figure]
    cost: Cost
    headline: Headline
    points: Points
    marks: tuple[str, ...]


def tell(episodes: Sequence[Episode], over: Scale, prices: Prices | None) -> Told:
    """What the episodes of one agent show; all of them count for the headline."""
    scored = score(episodes)
    if broken := [line for world in scored for line in world.left_out]:
        raise Refused(broken[0])
    rows = counting(scored, over)
    if not rows:
        raise Refused("no episode was finished: in each a call failed")
    found = headline(rows[0][0].header.agent, rows, over)
    by_world = grouped(episodes, lambda episode: episode.header.world)
    return Told(
        {world: max(e.header.world_version for e in own) for world, own in sorted(by_world.items())},
        tuple(settings_of(episodes)),
        dict(_figures(found, scored)),
        cost_of(episodes, prices),
        found,
        points_of(rows, over),
        tuple(marks_of(episodes)),
    )


def settings_of(episodes: Iterable[Episode]) -> Iterator[Setting]:
    """Each different way in which a seat of a world was played, in order of the world and seat."""
    found: dict[tuple[str, str, str], Setting] = {}
    for episode in episodes:
        header = episode.header
        for seat, player in header.players.items():
            one = Setting(header.world, seat, player.name, player.informed, player.settings)
            found.setdefault((header.world, seat, digest(one)), one)
    yield from (one for _, one in sorted(found.items()))


def mixed(settings: Sequence[Setting]) -> str:
    """Which seat was played in several ways, and what differs; empty where none was."""
    for (world, seat), own in grouped(settings, lambda one: (one.world, one.seat)).items():
        if len(own) > 1:
            first, second = ({"name": one.name, "informed": one.informed, **one.settings} for one in own[:2])
            differing = [key for key in {**first, **second} if first.get(key) != second.get(key)]
            return f"{world}, {seat}: played with another {' and '.join(differing)}"
    return ""


def marks_of(episodes: Sequence[Episode]) -> Iterator[str]:
    """What a reader must know: stand-ins, mixed settings, players who knew more, a clock, failed calls."""
    if stand_ins(episodes):
        yield STAND_INS
    if mixed(list(settings_of(episodes))):
        yield MIXED
    if any(episode.informed for episode in episodes):
        yield "informed"
    if any(episode.header.clock is not None for episode in episodes):
        yield CLOCKED
    if any(episode.failed for episode in episodes):
        yield UNFINISHED


def cost_of(episodes: Sequence[Episode], prices: Prices | None) -> Cost:
    """What the answers took together; the money only where every model has a price and tells its tokens."""
    answers = [usage for episode in episodes for _, usage in answers_of(episode)]
    together = total(answers)
    costs = [(prices or NO_PRICES).cost(episode) for episode in episodes]
    known = [cost for cost in costs if cost is not None]
    whole = prices is not None and len(known) == len(costs) and all(map(counted, answers))
    return Cost(
        together.calls,
        together.input_tokens,
        together.output_tokens,
        round(together.seconds, 3),
        together.lost,
        round(sum(known), 6) if whole else None,
        prices.currency if prices is not None else "",
    )


def _figures(headline: Headline, scored: Sequence[WorldScores]) -> Iterator[tuple[str, Figure]]:
    yield "headline", _figure(headline.score)
    yield from ((world.world, _figure(world.score)) for world in headline.worlds)
    for suite in headline.suites:
        if suite.scenarios:
            yield f"{suite.world}/{suite.suite}", _figure(suite.score)
    for world in scored:
        for row in world.rows:
            for key, estimate in row.figures.items():
                yield f"{world.world}: {row.group}, {row.agent}: {key}", _figure(estimate)


def _figure(estimate: Estimate) -> Figure:
    return Figure(estimate.value, estimate.low, estimate.high)


# --- collecting ------------------------------------------------------------------------------------------


class Collected(Struct, frozen=True):
    """What goes into a submission, and a line about everything that does not. ``unfinished``: some of what
    was begun is not among the records. ``unnamed``: some requests to models are not named."""

    agent: str
    seeds: int
    records: tuple[tuple[Path, Episode], ...]
    left_out: tuple[str, ...]
    unfinished: bool = False
    unnamed: bool = False


def collect(
    loaded: Records, over: Scale, agent: str = "", seeds: int = 0, allowed: Sequence[str] = ()
) -> Collected:
    """The records of one agent that count, with the seeds from 0 that all its scenarios have.

    ``agent`` may be empty where only one has played, ``seeds`` 0 for as many as there are. Raises
    ``UnknownName`` or ``Refused``, saying what is wrong and what to do.
    """
    if loaded.unusable and UNFINISHED not in allowed:
        more = f", and {len(loaded.unusable) - 1} more" if len(loaded.unusable) > 1 else ""
        raise Refused(f"{loaded.unusable[0]}{more}; --allow {UNFINISHED} leaves them out")
    ids = {id for suite in over.suites for id in suite.references}
    hosted = over.hosted
    in_suites = [(path, e.header, e) for path, e in loaded.episodes if e.header.id in ids]
    counted_in = [(path, e) for path, header, e in in_suites if counts(header, hosted.get(header.id))]
    agents = grouped(counted_in, lambda record: record[1].header.agent)
    if agent and agent not in agents:
        raise UnknownName("agent", agent, agents)
    if not agents:
        raise Refused("no record of a headline suite under standard rules and the article's limits")
    if not agent and len(agents) > 1:
        raise Refused(f"records of {len(agents)} agents; choose one with --agent: {', '.join(agents)}")
    own = agents[agent] if agent else next(iter(agents.values()))
    others = len(loaded.episodes) - len(own)
    by_id = grouped(own, lambda record: record[1].header.id)
    number = seeds or max(1, min(_seeds(id, records) for id, records in by_id.items()))
    kept = tuple(record for record in own if record[1].header.seed in range(number))
    unfinished = _check_seeds(by_id, number, allowed) or bool(loaded.unusable)
    unnamed = _check(kept, allowed)
    left_out = [f"{others} records that count for no headline of it are left out"] if others else []
    if len(kept) < len(own):
        other = len(own) - len(kept)
        left_out.append(f"{other} records with other seeds than 0 to {number - 1} are left out")
    in_order = sorted(kept, key=lambda record: (record[1].header.id, record[1].header.seed))
    return Collected(own[0][1].header.agent, number, tuple(in_order), tuple(left_out), unfinished, unnamed)


def _seeds(id: str, records: Found) -> int:
    """So many seeds, from 0 on, has a scenario; raises ``Refused`` where one was played twice."""
    by_seed: dict[int, Path] = {}
    for path, episode in records:
        seed = episode.header.seed
        if seed in by_seed:
            raise Refused(f"{id}, seed {seed}: is in {by_seed[seed]} and in {path}; an episode counts once")
        by_seed[seed] = path
    return next(number for number in range(len(by_seed) + 1) if number not in by_seed)


def _check_seeds(by_id: Mapping[str, Found], number: int, allowed: Sequence[str]) -> bool:
    """Whether a scenario lacks a seed; raises ``Refused`` unless that is allowed."""
    for id, records in by_id.items():
        there = _seeds(id, records)
        if there < number:
            if UNFINISHED in allowed:
                return True
            raise Refused(f"{id}: seed {there} was not played; each scenario needs seeds 0 to {number - 1}")
    return False


def _check(records: Found, allowed: Sequence[str]) -> bool:
    """Whether some requests to models are not named; raises ``Refused`` for what is not allowed."""
    episodes, unnamed = [episode for _, episode in records], ""
    for path, episode in records:
        try:
            asked = vouched(path, episode)
        except ReplayMismatch as error:
            raise Refused(f"{path}: {error}") from error
        not_told = next((f"{path}: {one.seat}: {one.why}" for one in asked if one.asking == NOT_TOLD), "")
        unnamed = unnamed or not_told
    told = {
        STAND_INS: "; ".join(stand_ins(episodes)),
        MIXED: mixed(list(settings_of(episodes))),
        UNFINISHED: next((f"{path}: a call failed" for path, e in records if e.failed), ""),
        NO_REQUESTS: unnamed,
    }
    for name, why in told.items():
        if why and name not in allowed:
            raise Refused(f"{shorten(why, 300)}; --allow {name} submits it all the same, marked as such")
    return bool(unnamed)


def submit(
    collected: Collected,
    over: Scale,
    out: Path,
    about: About,
    *,
    prices: Prices | None = None,
    sign: Signer | None = None,
) -> tuple[Manifest, Told]:
    """Copy the records into the new folder ``out`` and write the manifest, which is written last.

    Raises ``Refused`` if there is anything in ``out``.
    """
    check_unused(out)
    told = tell([episode for _, episode in collected.records], over, prices)
    lacking = {UNFINISHED: collected.unfinished, NO_REQUESTS: collected.unnamed}
    marks = (*told.marks, *(name for name, lacks in lacking.items() if lacks))
    made = Manifest(
        FORMAT,
        f"backburner {__version__}",
        about,
        collected.agent,
        over.edition,
        told.worlds,
        collected.seeds,
        tuple(name for name in ALLOWED if name in marks),
        told.settings,
        told.figures,
        told.cost,
        prices,
        tuple(_copied(collected.records, out)),
    )
    if sign is not None:
        made = replace(made, key=sign.key, signature=sign.sign(made.message).hex())
    write_manifest(out, made)
    return made, told


LONGEST_NAME = 150


def _copied(records: Found, out: Path) -> Iterator[Item]:
    for path, episode in records:
        header = episode.header
        name = quote(header.id.partition("/")[2], safe="+@=,")
        name = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}~{digest(header.id)}"
        to = f"{RECORDS}/{header.world}/{name}.seed{header.seed}{RECORD}"
        content = read_regular(path, MOST_RECORD_BYTES)
        (out / to).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, out / to)
        yield Item(to, len(content), digest_of(content), header.id, header.seed)
