"""What a cook's history is worth: TES, ITES, PC and ROUGE-L by references, success in time, steps lost.

Histories, additions and references are calls of one cook as words without spaces. Which calls of a history
count is settled first; see ``references``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from math import sqrt
from typing import Literal

from msgspec import Struct

from backburner.kernel.scoring import mean
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, CHEF, published_tables

BETA = 0.95
"""The release's weight of redundancy against progress; the article leaves it open."""

Matching = Literal["prefix", "subsequence"]
"""What is looked for in a history: the longest beginning of a reference whose calls occur in order
(equation 2, the worked example and the release), or the longest common subsequence (the sentence above
equation 2, which describes ROUGE-L)."""


class Alignment(Struct, frozen=True):
    """How many calls of a reference of ``reference`` calls a history of ``history`` calls matches."""

    matched: int
    reference: int
    history: int

    @property
    def completeness(self) -> float:
        """matched / reference: the recall; 1 if the reference is empty."""
        return self.matched / self.reference if self.reference else 1.0

    @property
    def precision(self) -> float:
        """matched / history; an empty history counts as one call that matches nothing, as released."""
        return self.matched / max(1, self.history)

    def score(self, beta: float = BETA) -> float:
        """(1 + b²) D / (m + b² n); 1 if both are empty."""
        if not self.reference and not self.history:
            return 1.0
        weight = beta**2
        return (1 + weight) * self.matched / (self.reference + weight * self.history)


def prefix_matched(history: Sequence[str], reference: Sequence[str]) -> int:
    """D of equation 2: the length of the longest beginning of the reference whose calls the history has in
    order."""
    matched = 0
    for call in history:
        if matched < len(reference) and call == reference[matched]:
            matched += 1
    return matched


def longest_common(history: Sequence[str], reference: Sequence[str]) -> int:
    """The length of the longest common subsequence, which may leave out calls of both."""
    row = [0] * (len(reference) + 1)
    for call in history:
        diagonal = 0
        for index, expected in enumerate(reference, start=1):
            above = row[index]
            row[index] = diagonal + 1 if call == expected else max(above, row[index - 1])
            diagonal = above
    return row[-1]


def align(history: Sequence[str], reference: Sequence[str], matching: Matching = "prefix") -> Alignment:
    """The alignment of a history with one reference."""
    find = prefix_matched if matching == "prefix" else longest_common
    return Alignment(find(history, reference), len(reference), len(history))


def best_alignment(
    history: Sequence[str],
    references: Sequence[Sequence[str]],
    beta: float = BETA,
    matching: Matching = "prefix",
) -> Alignment:
    """The alignment with the highest score, the first of equals. Raises ``ValueError`` without references."""
    if not references:
        raise ValueError("a history can only be compared with at least one reference")
    alignments = [align(history, reference, matching) for reference in references]
    return max(alignments, key=lambda alignment: alignment.score(beta))


def tes(history: Sequence[str], references: Sequence[Sequence[str]], beta: float = BETA) -> float:
    """TES(h) = max over references g of (1 + b²) D / (|g| + b² |h|) (equations 1 and 2), from 0 to 1."""
    return best_alignment(history, references, beta).score(beta)


def rouge_l(history: Sequence[str], references: Sequence[Sequence[str]], beta: float = BETA) -> float:
    """ROUGE-L: TES with the longest common subsequence for D; never less than TES."""
    return best_alignment(history, references, beta, "subsequence").score(beta)


def ites(
    addition: Sequence[str],
    history: Sequence[str],
    references: Sequence[Sequence[str]],
    beta: float = BETA,
) -> float:
    """ITES(a, h) = TES(h + a) - TES(h) (equation 3), each the maximum over references on its own.

    It is above 0 if the progress that the addition makes outweighs what is redundant in it.
    """
    return tes((*history, *addition), references, beta) - tes(history, references, beta)


def progress_completeness(scores: Sequence[float]) -> float:
    """PC: the mean of the cooks' TES at the end (equation 4). Raises ``ValueError`` without cooks."""
    if not scores:
        raise ValueError("progress completeness needs at least one cook's score")
    return sum(scores) / len(scores)


Counting = Literal["steps", "released"]


class Completion(Struct, frozen=True):
    """When an episode delivered its order.

    ``steps``: timesteps up to and with the delivering one; ``None`` if it never did. ``level``: the
    order's published level; ``optimum_steps``: the least steps in which the order can be filled. Both
    are ``None`` where they are not known.
    """

    steps: int | None
    level: int | None = None
    optimum_steps: int | None = None

    def success(self, gamma: float, counting: Counting = "steps") -> bool | None:
        """Whether it delivered in time; ``None`` if this counting has no optimum for it."""
        allowed = self.allowed_steps(gamma, counting)
        return None if allowed is None else self.steps is not None and self.steps <= allowed

    def allowed_steps(self, gamma: float, counting: Counting) -> int | None:
        """The most steps with which it is in time; ``None`` if this counting has no optimum for it."""
        if counting == "steps":
            return None if self.optimum_steps is None else int(limit(self.optimum_steps, gamma))
        line = None if self.level is None else published_tables().level(self.level)
        return None if line is None else int(limit(line.optimal_last_index, gamma)) + 1


def limit(optimum: int, gamma: float) -> Decimal:
    """gamma times the optimum, exactly as gamma is written: 1.16 times 25 is 29."""
    return Decimal(str(gamma)) * optimum


def success_rate(
    completions: Iterable[Completion], gamma: float, counting: Counting = "steps"
) -> float | None:
    """SR: the share of episodes that delivered in time, of those with an optimum; ``None`` if none has."""
    successes = (completion.success(gamma, counting) for completion in completions)
    return mean([float(success) for success in successes if success is not None])


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float] | None:
    """The mean and the population's standard deviation; ``None`` without values."""
    if not values:
        return None
    average = sum(values) / len(values)
    return average, sqrt(sum((value - average) ** 2 for value in values) / len(values))


class Advance(Struct, frozen=True):
    """One action: the least steps to completion before it began and when it was over, and its length.

    Steps to go are ``None`` where the order cannot be completed any more.
    """

    call: str
    before_steps: int | None
    after_steps: int | None
    elapsed_steps: int

    @property
    def change_steps(self) -> int | None:
        """Steps to go before less those after, at most ``elapsed_steps``; ``None`` if either is unknown."""
        if self.before_steps is None or self.after_steps is None:
            return None
        return self.before_steps - self.after_steps

    @property
    def lost_steps(self) -> int | None:
        """The steps it took less the change: 0 for an action of an optimal plan."""
        return None if self.change_steps is None else self.elapsed_steps - self.change_steps


COOKS = ((CHEF, "chef"), (ASSISTANT, "assistant"))


def advancement(advances: tuple[Sequence[Advance], Sequence[Advance]]) -> Iterator[tuple[str, float]]:
    """The numbers of an episode: over each cook's calls, the mean change in steps to go and steps lost.

    None for a cook without a call whose steps to go are known before and after.
    """
    for cook, name in COOKS:
        change = mean([advance.change_steps for advance in advances[cook]])
        lost = mean([advance.lost_steps for advance in advances[cook]])
        if change is not None and lost is not None:
            yield f"change {name}", change
            yield f"lost {name}", lost
