"""LLM-Modulo (Kambhampati et al., 2024): a model proposes whole plans, critics say what is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec import Struct

from backburner.agents.models.method import USED_UP, Exchange, Method, Option
from backburner.kernel import registry
from backburner.kernel.assessment import Criticism, Critics
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import BadFile, PolicyFailure, PolicyStops, Refused
from backburner.kernel.policy import CRITIQUE, PLAN, REFORMATTED
from backburner.kernel.values import Refusal, digest

BOUNDARY = "record"


def start_from(place: Path, world: World[Any, Any, Any], seed: int) -> Episode:
    """The record of this scenario: the file itself, or the one in the folder; of several that with the seed.

    Raises ``PolicyFailure`` with boundary ``record`` if there is none, or no single one.
    """
    wanted = digest(world.scenario)
    if place.is_file():
        episode = _read(place)
        if episode.header.scenario_digest != wanted:
            raise PolicyFailure(BOUNDARY, f"{place}: a record of {episode.header.id}, not of {world.id}")
        return episode
    files = [file for file in sorted(place.rglob("*.jsonl")) if _told(file)[0] == wanted]
    if len(files) > 1:
        files = [file for file in files if _told(file)[1] == seed]
    if len(files) != 1:
        found = f"several, such as {files[0]} and {files[1]}" if files else "none"
        raise PolicyFailure(
            BOUNDARY, f"{place}: needs one record of {world.id} with seed {seed}; has {found}"
        )
    return _read(files[0])


def no_start(place: str) -> str:
    """Why there can be nothing to start from; empty if there may be, or nothing is asked for."""
    return f"start={place}: no such file or folder" if place and not Path(place).exists() else ""


def _read(file: Path) -> Episode:
    try:
        return read_episode(file)
    except BadFile as error:
        raise PolicyFailure(BOUNDARY, str(error)) from error


def _told(file: Path) -> tuple[str, int]:
    """(digest of the scenario, seed); of what is no record, nothing that could be wanted."""
    return _told_at(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=4096)
def _told_at(file: Path, changed_ns: int) -> tuple[str, int]:
    """A folder is looked through for every episode of a run; ``changed_ns`` tells versions apart."""
    try:
        header = read_episode(file).header
    except BadFile:
        return "", -1
    return header.scenario_digest, header.seed


WITHOUT_CRITICS = "this world has no critics of whole plans"

_DONE = re.compile(r"\bdone\b", re.IGNORECASE)


class Attempt(Struct, frozen=True):
    """A plan and what the critics say of it; ``criticism`` is ``None`` if no plan could be read.

    ``plan`` is the text that was read, ``decision`` what it stands for (or the text), ``critique`` the words.
    """

    plan: str
    decision: Any
    criticism: Criticism | None
    critique: str

    @property
    def feasible(self) -> bool:
        """Whether the critics find nothing wrong."""
        return self.criticism is not None and not self.criticism.violations


async def modulo(exchange: Exchange) -> Any:
    """Rounds of a plan and its critique, then the plan that is kept as the one decision of the episode.

    Every round is one call, and one more where the plan has to be put into a form that can be read. The
    first feasible plan ends them, unless it is to be improved: then they go on until the model calls its
    plan done. Thoughts: ``plan 1``, perhaps ``reformatted 1``, ``critique 1``, and so on; ``plan 0`` is the
    one to start from. Raises ``PolicyStops`` when a second decision is asked for.
    """
    if exchange.notes is not None:
        raise PolicyStops(USED_UP)
    exchange.notes = "planned"
    attempts = _given(exchange)
    rounds = int(exchange.choices["rounds"])
    for number in range(1, max(rounds, 0 if attempts else 1) + 1):
        if attempts and attempts[-1].feasible and exchange.choices["improve"] == "off":
            break
        attempt = await _round(exchange, number, attempts)
        if attempt is None:
            break
        attempts.append(attempt)
    return kept(attempts, exchange.choices["keep"]).decision


def kept(attempts: Sequence[Attempt], keep: str) -> Attempt:
    """The plan to be carried out: the feasible one that ends first, if the best is to be kept and there
    is any; otherwise the last that could be read, or the last."""
    feasible = [attempt for attempt in attempts if attempt.feasible]
    if keep == "best" and feasible:
        return min(feasible, key=_finish)
    readable = [attempt for attempt in attempts if attempt.criticism is not None]
    return (readable or attempts)[-1]


def _finish(attempt: Attempt) -> int:
    return attempt.criticism.finish if attempt.criticism is not None else 0


def _given(exchange: Exchange) -> list[Attempt]:
    """The plan to start from as the only attempt, if there is one."""
    start = exchange.choices["start"]
    if not start:
        return []
    episode = start_from(Path(start), exchange.world, exchange.turn.seed)
    world: Any = exchange.world
    text = world.words(_critics(world).as_decision(episode), exchange.turn.seat)
    exchange.note(f"{PLAN} 0", text)
    return [_judged(exchange, 0, text, episode)]


async def _round(exchange: Exchange, number: int, attempts: Sequence[Attempt]) -> Attempt | None:
    """The next attempt; ``None`` if the model calls its feasible plan done."""
    shown = attempts if exchange.choices["history"] == "all" else attempts[-1:]
    text = await exchange.ask_alone("plan", attempts=shown)
    exchange.note(f"{PLAN} {number}", text)
    if _unreadable(exchange, text) and text.strip():
        if attempts and attempts[-1].feasible and _DONE.search(text):
            return None
        text = await exchange.ask_alone("reformat", plan=text)
        exchange.note(f"{REFORMATTED} {number}", text)
    return _judged(exchange, number, text, text)


def _unreadable(exchange: Exchange, text: str) -> bool:
    return isinstance(_critics(exchange.world).as_decision(text), Refusal)


def _judged(exchange: Exchange, number: int, text: str, plan: str | Episode) -> Attempt:
    """The attempt with what the critics say, which is noted."""
    critics = _critics(exchange.world)
    criticism, decision = critics.criticise(plan), critics.as_decision(plan)
    if isinstance(criticism, Refusal):
        critique = exchange.render("critique", readable=False, families=(), finish="", idle=())
        attempt = Attempt(text, text, None, critique)
    else:
        attempt = Attempt(text, decision, criticism, _in_words(exchange, critics, criticism))
    exchange.note(f"{CRITIQUE} {number}", attempt.critique)
    return attempt


def _in_words(exchange: Exchange, critics: Critics, criticism: Criticism) -> str:
    by_family = groupby(criticism.violations, lambda violation: violation.family)
    return exchange.render(
        "critique",
        readable=True,
        families=[
            (family, [critics.complaint(each) for each in of_family]) for family, of_family in by_family
        ],
        finish=critics.moment(criticism.finish),
        idle=[(critics.moment(begun), critics.moment(over)) for begun, over in criticism.idle],
    )


def _critics(world: World[Any, Any, Any]) -> Critics:
    critics = registry.assessment(world).critics
    if critics is None:
        raise Refused(WITHOUT_CRITICS)
    return critics


def _check(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    try:
        _critics(world)
    except Refused:
        return WITHOUT_CRITICS
    return no_start(choices["start"])


_EXAMPLE = Attempt("plan", None, None, "critique")

MODULO = Method(
    name="modulo",
    summary="LLM-Modulo: proposes whole plans until critics that know the truth find nothing wrong",
    source="Recipe2Plan, appendix F and Tables 7 and 16",
    decide=modulo,
    messages={
        "plan": {"attempts": [_EXAMPLE]},
        "reformat": {"plan": "plan"},
        "critique": {"readable": True, "families": [("kind", ["sentence"])], "finish": "", "idle": []},
    },
    answers={"plan": "whole plan", "reformat": "whole plan"},
    options={
        "rounds": Option("10", "how many plans may be proposed", most=100),
        "improve": Option("off", "go on while the plan is feasible, to make it shorter", ("off", "on")),
        "keep": Option("best", "the plan that is carried out: the shortest feasible one, or the last (as in "
                       "the article)", ("best", "last")),
        "history": Option("last", "the attempts that are told again with their critique", ("last", "all")),
        "start": Option("", "a folder of records, or a record (its path without , and +), with the plan to "
                        "start from"),
    },
    informed=True,
    check=_check,
)  # fmt: skip
