"""Why a request fails: it comes too early, again, or has nothing to do with the order (article, C.3.1).

The article sorted failed requests by hand (its Figure 9); here the references decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from backburner.worlds.collab_overcooked.metrics.metrics import BETA, align, ites, prefix_matched
from backburner.worlds.collab_overcooked.metrics.metrics_space import counted
from backburner.worlds.collab_overcooked.metrics.references import Calls

Failure = Literal["premature", "repeated", "irrelevant"]
"""Wanted later, wanted before, or not wanted at all by the references of the order."""

Verdict = Literal["due", "premature", "repeated", "irrelevant"]


def verdicts(
    requested: Sequence[str], history: Sequence[str], references: Sequence[Calls], beta: float = BETA
) -> tuple[Verdict, ...]:
    """What each requested call is, as if those before it were carried out.

    It is ``due`` if it is the next call of the reference that fits best: of those with the highest TES
    the one that the requests follow farthest, the first of equals. A call that stands in the reference
    both before and after that point (putting something on the counter does) is repeated if it is the
    last before it, otherwise premature. Raises ``ValueError`` without references.
    """
    reference = _fitting(requested, history, references, beta)
    done = prefix_matched(history, reference)
    found: list[Verdict] = []
    for call in requested:
        verdict = _verdict(call, reference, done)
        done += verdict == "due"
        found.append(verdict)
    return tuple(found)


def _verdict(call: str, reference: Calls, done: int) -> Verdict:
    before, after = reference[:done], reference[done:]
    if after and call == after[0]:
        return "due"
    if call in before and (call not in after or call == before[-1]):
        return "repeated"
    return "premature" if call in after else "irrelevant"


def _fitting(
    requested: Sequence[str], history: Sequence[str], references: Sequence[Calls], beta: float
) -> Calls:
    if not references:
        raise ValueError("a request can only be judged by at least one reference")

    def fit(reference: Calls) -> tuple[float, int]:
        return align(history, reference).score(beta), prefix_matched((*history, *requested), reference)

    return max(references, key=fit)


def failure(
    asked_for: Sequence[str],
    history: Sequence[str],
    references: Sequence[Calls],
    space: frozenset[str],
    beta: float = BETA,
) -> Failure | None:
    """The kind of the first request that is not due, if the requests fail (ITES <= 0).

    ``asked_for`` may hold what is outside the asked cook's call space: it adds nothing, and is
    irrelevant. ``None`` if the requests succeed, or if nothing was asked for.
    """
    if ites(counted(asked_for, space), history, references, beta) > 0:
        return None
    kinds = verdicts(asked_for, history, references, beta)
    return next((kind for kind in kinds if kind != "due"), None)
