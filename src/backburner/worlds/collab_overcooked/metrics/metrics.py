"""How far a cook's history follows a reference: TES, ITES and PC (article, section 3), ROUGE-L beside them.

Histories, additions and references are calls as words without spaces, of one cook. Which calls of a
history count is settled before (``metrics_space.counted``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

BETA = 0.95
"""The release's weight of redundancy against progress; the article leaves it open."""

Matching = Literal["prefix", "subsequence"]
"""What of a reference is looked for in a history: the longest beginning of it that is there in order
(equation 2, the worked example and the release), or the longest part of it that is there in order (the
sentence above equation 2, which describes ROUGE-L)."""


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
    """D of equation 2: how long a beginning of the reference the history holds in order."""
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
        for place, expected in enumerate(reference, start=1):
            above = row[place]
            row[place] = diagonal + 1 if call == expected else max(above, row[place - 1])
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
    """The same with the longest common subsequence for D; never less than TES."""
    return best_alignment(history, references, beta, "subsequence").score(beta)


def ites(
    addition: Sequence[str],
    history: Sequence[str],
    references: Sequence[Sequence[str]],
    beta: float = BETA,
) -> float:
    """ITES(a, h) = TES(h + a) - TES(h) (equation 3), each the maximum over references on its own.

    Above 0 if the addition brings the task forward by more than what is redundant in it costs.
    """
    return tes((*history, *addition), references, beta) - tes(history, references, beta)


def progress_completeness(scores: Sequence[float]) -> float:
    """PC: the mean of the cooks' TES at the end (equation 4). Raises ``ValueError`` without cooks."""
    if not scores:
        raise ValueError("progress completeness needs at least one cook's score")
    return sum(scores) / len(scores)
