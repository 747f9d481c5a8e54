"""Nothing that anybody writes makes reading slow: every pattern of the package, proven and tried.

The proof is ``support.backtracking``: a pattern is linear, or its text is bounded where it is used, and the
bound stands below. The trial writes the worst texts out of the patterns themselves.
"""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import backburner
from backburner.agents.models.methods import modulo, reflexion, stepwise, whole_plans
from backburner.generation.names import _Taken
from backburner.kernel import packs, registry
from backburner.kernel.generating import generator_of
from backburner.kernel.text import Text, answers_by_step
from support.backtracking import Automaton
from support.patterns import Package, Recorded, Use
from support.promptly import least_seconds

ROOM = Path(backburner.__file__).parent

BOUNDED: Mapping[str, str] = {}
"""Patterns that are not linear, or dear at each letter, as they are written, and what bounds their text."""

MATCHED_WHOLE = r"(?P<g\d>"
"""How the sentences of Robotouille's actions begin, which stand in a list and are used by ``fullmatch``."""

OF_DECLARATIONS = "kernel/checks.py"
"""Where the spellings that structs declare are looked for; they are found where they are declared."""

SUFFIXES = ("", "\0", "\n", "!", " x", "(")
"""What may come behind a repetition so that it fits or does not."""

LENGTH, SECONDS = 100_000, 0.05
"""So long a text may take so long, which is five times what is promised, as the machine may be busy."""


@cache
def package() -> Package:
    return Package(ROOM, "backburner")


def worlds(rules: str) -> Iterator[Any]:
    """One world of each pack, of the usual kind."""
    for name in packs.names():
        yield registry.world(registry.expand(f"{name}/quick")[0], rules=rules)


@pytest.fixture(scope="module")
def uses() -> list[Use]:
    """Every pattern that modules know, and those that are made for one scenario or domain."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        recorded = Recorded()
        recorded.install(monkeypatch)
        for world in (*worlds("standard"), *worlds("released")):
            for seat in world.seats:
                world.parse(world.start(), seat, "Action: wash dish, dish and robot1 goes to table1")
        for name in packs.names():
            if packs.pack(name).generator:
                _Taken(generator_of(name).naming).takes("word")
        for file in sorted({str(site.file) for site in package().unknown if not recorded.at(site)}):
            runpy.run_path(file)  # an earlier test has imported it, and its patterns are made already
    made: list[Use] = []
    for site in package().unknown:
        if site.file.endswith(OF_DECLARATIONS):
            continue
        found = recorded.at(site)
        assert found, f"{site}: no world makes this pattern, so nobody knows whether it is linear"
        module = ".".join(Path(site.file).relative_to(ROOM.parent).with_suffix("").parts)
        for pattern in dict.fromkeys(found):
            whole = re.match(re.escape(MATCHED_WHOLE).replace("\\\\d", "[0-9]"), pattern.pattern)
            made.append(Use(module, pattern.pattern, pattern, "fullmatch" if whole else site.how))
    return [*package().uses, *made]


def test_every_pattern_is_linear(uses: list[Use]) -> None:
    not_linear, needed = [], set()
    for use in uses:
        found = next(Automaton(use.pattern, use.how == "search", use.how == "fullmatch").findings(), None)
        if use.written in BOUNDED:
            needed.add(use.written)
        elif found is not None:
            not_linear.append(f"{use} is {found.kind}: {found.prefix!r} + {found.pump!r} * n")
    assert not not_linear, "\n".join(not_linear)
    assert needed >= set(BOUNDED), "a bound of a pattern that is not there any more"


def test_every_pattern_reads_what_is_hard_for_it(uses: list[Use]) -> None:
    """Also repetitions that end have a price: so the texts are written as if they did not end."""
    slow = []
    for use in uses:
        if use.written in BOUNDED:
            continue
        for text in hard_texts(use, LENGTH):
            if (seconds := took(use.run, text)) > SECONDS:
                slow.append(f"{use} takes {seconds:.2f} s for {text[:60]!r}... {text[-3:]!r}")
                break
    assert not slow, "\n".join(slow)


READERS: Mapping[str, Callable[[str], object]] = {
    "stepwise.parted": stepwise.parted,
    "stepwise.read_reasoned": stepwise.read_reasoned,
    "reflexion": reflexion._reflection,
    "modulo": modulo._DONE.search,
    "whole_plans.plain": lambda text: whole_plans.plain_plan(timearena(), text),
    "whole_plans.predicted": lambda text: whole_plans.predicted_plan(timearena(), text),
    "answers_by_step": lambda text: answers_by_step(text, lambda line: line.split()[:1]),
}


@cache
def timearena() -> Any:
    return registry.world("timearena/cooking1")


@pytest.mark.parametrize("name", READERS)
def test_methods_read_what_is_hard(name: str, uses: list[Use]) -> None:
    for text in texts_for(uses, "backburner.agents", "backburner.kernel"):
        seconds = took(READERS[name], text)
        assert seconds < SECONDS, f"{seconds:.2f} s for {text[:60]!r}... {text[-3:]!r}"


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("name", packs.names())
def test_worlds_read_what_is_hard(name: str, rules: str, uses: list[Use]) -> None:
    """As an answer, as a whole plan and as a typed line: the hard texts of all that reads in this world."""
    world: Any = next(world for world in worlds(rules) if world.id.startswith(f"{name}/"))
    assert isinstance(world, Text)
    state = world.start()
    readers = {
        "parse": lambda text: [world.parse(state, seat, text) for seat in world.deciders(state)[:1]],
        "answers_in": world.answers_in,
        "typed": world.typed,
    }
    for text in texts_for(uses, f"backburner.worlds.{name}.", "backburner.kernel.text"):
        for how, read in readers.items():
            seconds = took(read, text)
            assert seconds < SECONDS, f"{how} takes {seconds:.2f} s for {text[:60]!r}... {text[-3:]!r}"


def texts_for(uses: list[Use], *rooms: str) -> Iterator[str]:
    """The hard texts of the patterns in some rooms, as one line and on many lines."""
    seen: set[str] = set()
    for use in uses:
        if use.module.startswith(rooms):
            for text in hard_texts(use, LENGTH, most=3):
                if text not in seen:
                    seen.add(text)
                    yield text


def hard_texts(use: Use, length: int, most: int = 8) -> Iterator[str]:
    """What leads to most ways first, then whatever can be repeated; each with another end."""
    for number, (prefix, pump) in enumerate(repeated(use)[:most]):
        yield prefix + pump * (length // len(pump)) + SUFFIXES[number % len(SUFFIXES)]


@cache
def repeated(use: Use) -> list[tuple[str, str]]:
    """What a pattern can be led astray with: what comes first, and what is then repeated."""
    automaton = Automaton(use.pattern, use.how == "search", use.how == "fullmatch", relaxed=True)
    return [
        *((found.prefix, found.pump) for found in islice(automaton.findings(), 2)),
        *automaton.repetitions(),
    ]


def took(read: Callable[[str], object], text: str) -> float:
    """Processor seconds on a quiet machine; a twentieth first, so that what is slow is found soon."""
    for part in (text[: len(text) // 20] + text[-1:], text):
        seconds = least_seconds(partial(read, part), enough=SECONDS)
        if seconds > SECONDS:
            break
    return seconds


# --- the proof itself, on patterns of which it is known --------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "how", "kind"),
    [
        ("a+b", "match", ""),
        ("a+b", "search", "polynomial"),  # from each a on
        ("(?<!a)a+b", "search", ""),
        ("a+", "search", ""),  # from the first a on it has succeeded
        (r"\s+$", "search", "polynomial"),
        (r"\s*\s*x", "match", "polynomial"),
        (r"\s*x\s*y", "match", ""),
        ("(a+)+b", "match", "exponential"),
        ("(a|a)*b", "fullmatch", "exponential"),
        ("(?:a|b)*c", "match", ""),
        (r"(?:x{0,9}){0,9}y", "match", ""),
        (r"(?m)^\s*plan", "search", "polynomial"),
        (r"^\s*plan", "search", ""),
        (r"\b\w+:", "search", ""),
        (r"\w+:", "search", "polynomial"),
        (r"a(?:b*c)?", "search", ""),
        (r"a(?:.*c)?", "search", "polynomial"),  # succeeds at each a, after a look at all that follows
        (r"(?:a*b|a)+", "match", "polynomial"),
        (r"x(\w)\1*\w*y", "match", "polynomial"),
        (r"(?: ?(?:,|-) ?)+z", "match", "exponential"),
        (r"(?: ?(?:,|-))+ ?z", "match", ""),
        (r"x\s*+y\s*", "search", ""),
        (r"(?i)k+K", "search", "polynomial"),
        (r"a(?=.*b)", "search", "polynomial"),
    ],
)
def test_the_proof_knows(pattern: str, how: str, kind: str) -> None:
    findings = Automaton(re.compile(pattern), how == "search", how == "fullmatch").findings()
    kinds = {found.kind for found in findings}
    assert (max(kinds, key=("polynomial", "exponential").index) if kinds else "") == kind


@pytest.mark.parametrize(
    "pattern", ["(a+)+b", "(?: ?(?:,|-) ?)+z", r"(?:\w+ ?)*;", r"([^()]+)\(((?:\w+=\w+,?)*)\)"]
)
def test_a_finding_is_a_text_that_takes_long(pattern: str) -> None:
    compiled = re.compile(pattern)
    found = next(Automaton(compiled, False, True).findings())
    assert found.kind == "exponential"
    texts = (found.prefix + found.pump * n + "\0" for n in range(1, 26))
    assert any(took(compiled.fullmatch, text) > SECONDS for text in texts), "a text of a few dozen letters"
