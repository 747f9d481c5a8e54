"""Episodes held against what is proven of their scenarios: the share of the best that a play has attained,
and how much worse than the best it was.

What is proven stands in ``answers.jsonl`` (``kernel.answers``), beside scenario files that were built and,
once these were played, in the folder of the records; of suites that ship with a world, in its data. An
episode belongs to an answer if its scenario has the digest and it was played by the rules of the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from backburner.kernel import packs, registry
from backburner.kernel.answers import FILE, Answered, answers_at, encoded
from backburner.kernel.episode import Episode
from backburner.kernel.errors import amount
from backburner.kernel.files import changing, write_whole
from backburner.kernel.generating import attained, generator_of, regret
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import Measured, Measures, Metric, mean_of
from backburner.kernel.values import Outcome

Answers = Mapping[str, Answered]
"""By the digests of their scenarios."""

ATTAINED = Metric(
    "attained",
    "share of the best that is proven",
    "%",
    "higher",
    mean_of("attained", 100),
    "100 · mean(share of the work done · T* / max(T, T*)), or of S / S* where orders are served",
    lowest=0,
    highest=100,
)

REGRET = Metric(
    "regret*",
    "how much worse than the best that is proven",
    "%",
    "lower",
    mean_of("regret*", 100),
    "100 · mean((T − T*) / T*), T being the limit where work is left (without a limit the end of play; who "
    "gives up before T* has none), or of (S* − S) / S* where orders are served",
    lowest=0,
)

METRICS = (ATTAINED, REGRET)
"""Those of episodes whose scenarios have answers, in every world that has a generator."""


FOLDERS_UP = 6
"""So many folders above a record, or a part of a run, are looked at for its answers."""


def answers_for(path: Path) -> Answers:
    """The answers in a folder of records and below it; else those in the nearest folder above.

    Raises ``BadFile`` for a file of that name that is none.
    """
    below = sorted(path.rglob(FILE)) if path.is_dir() else []
    above = [folder / FILE for folder in path.absolute().parents[:FOLDERS_UP]]
    found: dict[str, Answered] = {}
    for file in below or [file for file in above if file.is_file()][:1]:
        found |= answers_at(file)
    return found


def keep_answers(scenarios: Iterable[tuple[Path, str]], folder: Path) -> None:
    """Copy the answers beside scenario files, which come with their digests, into a folder of records.

    What stands there stays, but for another answer of the same scenario. The file is in the order of the
    digests, whatever was played first and by which of several runs. Raises ``BadFile``.
    """
    known = answers_at(folder)
    found = {digest: answer for file, digest in scenarios if (answer := answers_at(file).get(digest))}
    if any(known.get(digest) != answer for digest, answer in found.items()):
        with changing(folder / FILE):
            merged = {**answers_at(folder), **found}
            write_whole(folder / FILE, encoded(merged[digest] for digest in sorted(merged)))


# --- episodes ----------------------------------------------------------------------------------------------


def answer_of(episode: Episode, answers: Answers) -> Answered | None:
    """The answer of the scenario that was played, which may ship with its world; nothing where it is about
    other rules, or where the best is 0."""
    header = episode.header
    shipped = registry.shipped_answers(header.world)
    found = answers.get(header.scenario_digest) or shipped.get(header.scenario_digest)
    return found if found is not None and found.best and found.is_about(header.rules_name) else None


def measures_of(episode: Episode, answers: Answers) -> Measures:
    """What an episode has ``attained`` and its ``regret*``, as shares; nothing without an answer."""
    answer, ending = answer_of(episode, answers), episode.ending
    if answer is None or ending is None or not packs.pack(episode.header.world).generator:
        return {}
    generator, world = generator_of(episode.header.world), world_of(episode)
    status: Any = ending.status if ending.status == "cut off" else "ended"
    result = generator.result(world, Outcome(status, ending.reason, ending.numbers))
    found = {"attained": attained(result, answer.best, answer.sense)}
    limit = getattr(world.scenario, generator.limit, None) or None if generator.limit else None
    if answer.sense == "max" or result.complete or limit or result.value >= answer.best:
        found["regret*"] = regret(result, answer.best, answer.sense, limit)
    return found


def biased(world: str, answers: Iterable[Answered]) -> str:
    """A line about scenarios of builds that dropped many drafts as unproven; empty where there are none."""
    worst = max((answer.unproven or 0.0 for answer in answers), default=0.0)
    if not worst:
        return ""
    return (
        f"{world}: up to {worst:.0%} of the drafts of these scenarios were dropped as nothing was proven of "
        "them: what is hard to prove is missing, mind the bias"
    )


def unanswered(world: str, measured: Sequence[Measured]) -> str:
    """A line about the scenarios of files whose best nobody knows here; empty where there are none."""
    if not packs.pack(world).generator:
        return ""
    files = {
        episode.header.id
        for episode, measures in measured
        if registry.is_of_file(episode.header.id)
        and episode.header.rules_name == "standard"
        and ATTAINED.key not in measures
    }
    if not files:
        return ""
    return (
        f"{world}: {ATTAINED.key} and {REGRET.key} are left out for {amount(len(files), 'scenario files')} "
        f"without an answer; {FILE} of their folder may be put among the records"
    )
