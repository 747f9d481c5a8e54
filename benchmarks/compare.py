"""How many times as fast this checkout plays as another one, in one run.

    .venv/bin/python benchmarks/compare.py ../before            # all cases
    .venv/bin/python benchmarks/compare.py ../before recipe2plan --rounds 31

Each checkout plays a case in a process of its own. The two take turns, one round each, and what is told is
the median of the ratios of their CPU seconds, with the quartiles. Before, both play once and tell a digest of
all they have played: every text, event, refusal, state and sentence, so that no speed is won by other rules.
"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import blake2b
from itertools import count
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import process_time
from typing import Any, NamedTuple


class Play(NamedTuple):
    """What is said in the episodes of a scenario, one text after the other."""

    path: str
    episodes: tuple[tuple[str, ...], ...]


class Case(NamedTuple):
    """Plays under ``released`` rules, without limits.

    ``suites``: scenarios, or suites of them. ``length``: texts of a play. ``fresh``: every play is in a world
    of its own, the making of which counts where ``made`` is set. ``wraps``: what stands around the words of
    an action; ``{n}`` is another number each time, so that nobody has read the text before. ``bad``: the
    share of texts out of place. ``told``: the new state is told in words after each step.
    """

    suites: tuple[str, ...]
    length: int
    wraps: tuple[str, ...] = ("{}",)
    fresh: bool = False
    made: bool = False
    bad: float = 0.0
    told: bool = False
    rules: str = "released"


ASIDE = ("Thought: the water has to boil first, so I start it at once ({n}).\n{}",)
FREE = ("{}", "Action: {} ", "**{}**", "I will {} now ({n}).", "The {n} minutes are over.\nAction: {}.")

CASES = {
    "timearena, singles": Case(("timearena/singles",), 40),
    "timearena, pairs": Case(("timearena/pairs",), 80),
    "timearena, triples": Case(("timearena/triples",), 120),
    "timearena, singles, refused and unread": Case(("timearena/singles",), 40, bad=0.3),
    "timearena, pairs, refused and unread": Case(("timearena/pairs",), 80, bad=0.3),
    "timearena, triples, refused and unread": Case(("timearena/triples",), 120, bad=0.3),
    "timearena, singles, a new world each": Case(("timearena/singles",), 40, fresh=True, made=True),
    "timearena, pairs, a new world each": Case(("timearena/pairs",), 80, fresh=True, made=True),
    "timearena, triples, a new world each": Case(("timearena/triples",), 120, fresh=True, made=True),
    "timearena, triples, free text": Case(("timearena/triples",), 60, FREE, rules="standard"),
    "recipe2plan, lags off": Case(("recipe2plan/unconstrained",), 60, ASIDE),
    "recipe2plan, lags on": Case(("recipe2plan/constrained",), 60, ASIDE),
    "recipe2plan, lags off, refused": Case(("recipe2plan/unconstrained",), 60, ASIDE, bad=0.3),
    "recipe2plan, lags on, refused": Case(("recipe2plan/constrained",), 60, ASIDE, bad=0.3),
    "recipe2plan, lags on, standard": Case(("recipe2plan/constrained",), 60, ASIDE, rules="standard"),
    "robotouille, synchronous/1": Case(("robotouille/synchronous/1@seed=42",), 200, fresh=True, told=True),
    "robotouille, synchronous/5": Case(("robotouille/synchronous/5@seed=42",), 200, fresh=True, told=True),
    "robotouille, asynchronous/6": Case(("robotouille/asynchronous/6@seed=42",), 200, fresh=True, told=True),
}


# --- plays ----------------------------------------------------------------------------------------------


def played(case: Case) -> Iterator[Play]:
    """The plays of a case: mostly the first action of the menu, sometimes another; alike in any checkout."""
    from backburner.kernel import registry

    for path in [path for suite in case.suites for path in registry.expand(suite)]:
        yield Play(path, tuple(_episodes(case, path)))


def _episodes(case: Case, path: str) -> Iterator[tuple[str, ...]]:
    draw, world, said = Random(path), _world(case, path), list[str]()
    state, numbers, texts = world.start(), count(), list[str]()
    for _ in range(case.length):
        seat = world.deciders(state)[0]
        options = world.menu(state, seat).options
        option = options[0] if draw.random() < 0.7 else draw.choice(options)
        words = world.words(option.decision, seat)
        if draw.random() < case.bad:
            words = draw.choice([*said, f"sing {words}", "juggle"])
        said.append(words)
        text = draw.choice(case.wraps).replace("{}", words).replace("{n}", str(next(numbers)))
        texts.append(text)
        state = world.step(state, {seat: world.parse(state, seat, text)}).state
        if not world.deciders(state):
            yield tuple(texts)
            state, texts = world.start(), []
    yield tuple(texts)


def _world(case: Case, path: str) -> Any:
    from backburner.kernel import registry

    return registry.world(path, rules=case.rules, limits="none")


@cache
def _known(case: Case, path: str) -> Any:
    return _world(case, path)


def _play(world: Any, play: Play, told: bool, note: Callable[[Any], None] | None = None) -> None:
    """Each text read and carried out."""
    parse, step, seat = world.parse, world.step, world.seats[0]
    for texts in play.episodes:
        state = world.start()
        for text in texts:
            after = step(state, {seat: parse(state, seat, text)})
            state = after.state
            words = world.describe(world.observe(state, seat)) if told else ""
            if note is not None:
                note((text, after, words))


def timed(case: Case, plays: list[Play], times: int = 1) -> float:
    """CPU seconds in which all plays were played once, in the mean of this many times."""
    known = None if case.fresh else [_known(case, play.path) for play in plays]
    made = [] if case.made else [known or [_world(case, play.path) for play in plays] for _ in range(times)]
    begun = process_time()
    for number in range(times):
        worlds = made[number] if made else [_world(case, play.path) for play in plays]
        for world, play in zip(worlds, plays, strict=True):
            _play(world, play, case.told)
    return (process_time() - begun) / times


# --- two processes --------------------------------------------------------------------------------------


def work(name: str, least: float) -> None:
    """The process of one checkout: a digest, then for each line that comes in the seconds of a round."""
    from backburner.kernel.values import canonical_json

    case = CASES[name]
    plays = list(played(case))
    hashed = blake2b(digest_size=8)
    for play in plays:
        _play(_world(case, play.path), play, case.told, lambda told: hashed.update(canonical_json(told)))
    timed(case, plays)
    times = max(1, round(least / timed(case, plays)))
    print(hashed.hexdigest(), flush=True)
    for _ in sys.stdin:
        print(timed(case, plays, times), flush=True)


def opened(checkout: Path, name: str, least: float) -> subprocess.Popen[str]:
    """A process that plays with this checkout's package and this file's cases."""
    env = os.environ | {"PYTHONPATH": str(checkout / "src"), "PYTHONHASHSEED": "0"}
    command = [sys.executable, __file__, "--work", name, "--least", str(least)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)  # noqa: S603


def asked(process: subprocess.Popen[str]) -> str:
    """The next line that a process says."""
    assert process.stdin is not None and process.stdout is not None
    line = process.stdout.readline().strip()
    if not line:
        raise SystemExit(f"a checkout cannot play this case (ended with {process.wait()})")
    return line


def compared(other: Path, name: str, n_rounds: int, least: float) -> str:
    """One line of the table."""
    sides = [opened(checkout, name, least) for checkout in (other, Path(__file__).parents[1])]
    try:
        same = len({asked(side) for side in sides}) == 1
        ratios = []
        for _ in range(n_rounds):
            seconds = []
            for side in sides:
                assert side.stdin is not None
                side.stdin.write("\n")
                side.stdin.flush()
                seconds.append(float(asked(side)))
            ratios.append(seconds[0] / seconds[1])
    finally:
        for side in sides:
            side.kill()
            side.communicate()
    low, _, high = quantiles(ratios, n=4)
    return f"{name:45}{median(ratios):>8.2f}   ({low:.2f} to {high:.2f}){'' if same else '   PLAYS DIFFER'}"


def main() -> None:
    """Prints a line for each case."""
    parser = ArgumentParser(description="How many times as fast this checkout is as another one.")
    parser.add_argument("other", nargs="?", type=Path, help="a checkout of another commit")
    parser.add_argument("cases", nargs="*", help="beginnings of the names of cases; all where none is given")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--least", type=float, default=0.1, help="seconds that a round takes, about")
    parser.add_argument("--work", help=SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work, options.least)
        return
    if options.other is None:
        parser.error("give a checkout to compare with")
    print(f"{'times as fast as ' + str(options.other):45}{'median':>8}   (quartiles)")
    for name in CASES:
        if not options.cases or name.startswith(tuple(options.cases)):
            print(compared(options.other, name, options.rounds, options.least), flush=True)


if __name__ == "__main__":
    main()
