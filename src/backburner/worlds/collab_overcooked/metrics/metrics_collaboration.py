"""Initiating and responding (IC and RC, article, equations 5 and 6), in two readings.

``released``: the unit is a dialogue that the chef opened. IC is the share of dialogues whose requests
bring the assistant's task forward (ITES > 0), RC the share of those in which its answer does.

``required``: the unit is a required collaboration, as equations 5 and 6 say, of which the article gives
only the number ("collaborative actions", Table 3) and an example (each of the assistant's actions,
section C.3.1). Our reading: every call of the assistant's reference is one required collaboration. It
is initiated if some dialogue's requests have ITES > 0 and take the matched beginning of the reference
across it, and responded to if some answer does. So N does not depend on how often the cooks talk, what
nobody ever asked for counts against IC, and asking again for what was asked for costs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Literal, get_args

from msgspec import Struct

from backburner.worlds.collab_overcooked.metrics.metrics import BETA, ites, prefix_matched
from backburner.worlds.collab_overcooked.metrics.metrics_dialogue import Exchange
from backburner.worlds.collab_overcooked.metrics.references import Calls

Outcome = Literal["both", "request only", "response only", "neither"]
"""Which of initiating and responding succeeded (section C.4, Figure 5). The release numbers them 0 to 3."""

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class Judged(Struct, frozen=True):
    """What the requests of an exchange and what the answer would add to the asked cook's TES."""

    ites_request: float
    ites_response: float

    @property
    def outcome(self) -> Outcome:
        return _outcome(self.ites_request > 0, self.ites_response > 0)


def _outcome(initiated: bool, responded: bool) -> Outcome:
    if initiated:
        return "both" if responded else "request only"
    return "response only" if responded else "neither"


class Capability(Struct, frozen=True):
    """How many collaborations had each of the four outcomes; counts of several episodes may be added."""

    both: int = 0
    request_only: int = 0
    response_only: int = 0
    neither: int = 0

    def __add__(self, other: Capability) -> Capability:
        return Capability(*(a + b for a, b in zip(self._counts, other._counts, strict=True)))

    @property
    def _counts(self) -> tuple[int, int, int, int]:
        return self.both, self.request_only, self.response_only, self.neither

    @property
    def outcomes(self) -> Mapping[Outcome, int]:
        """The counts by outcome."""
        return dict(zip(OUTCOMES, self._counts, strict=True))

    @property
    def collaborations(self) -> int:
        """N: dialogues, or required collaborations."""
        return sum(self._counts)

    @property
    def ic(self) -> float | None:
        """IC, from 0 to 1; ``None`` if N is 0 (the release says 0 then)."""
        return (self.both + self.request_only) / self.collaborations if self.collaborations else None

    @property
    def rc(self) -> float | None:
        """RC, from 0 to 1; ``None`` if N is 0 (the release says 0 then)."""
        return (self.both + self.response_only) / self.collaborations if self.collaborations else None


def judge(exchange: Exchange, references: Sequence[Calls], beta: float = BETA) -> Judged:
    """ITES of what was requested and of what was responded, with the asked cook's references."""
    return Judged(
        ites(exchange.requested, exchange.history, references, beta),
        ites(exchange.responded, exchange.history, references, beta),
    )


def released_capability(judged: Iterable[Judged]) -> Capability:
    """The outcomes of the dialogues that the chef opened, read as released."""
    return _counted(one.outcome for one in judged)


def required_capability(
    exchanges: Sequence[Exchange], references: Sequence[Calls], beta: float = BETA
) -> Capability:
    """The outcomes of the required collaborations of one episode, whoever opened the dialogues.

    Of several references the one that credits the pair with most is taken, the first of equals, as TES
    does. Raises ``ValueError`` without references.
    """
    if not references:
        raise ValueError("required collaborations are counted along at least one reference")
    judged = [(exchange, judge(exchange, references, beta)) for exchange in exchanges]
    capabilities = [_along(reference, judged) for reference in references]
    return max(capabilities, key=lambda one: 2 * one.both + one.request_only + one.response_only)


def _along(reference: Calls, judged: Sequence[tuple[Exchange, Judged]]) -> Capability:
    initiated: set[int] = set()
    responded: set[int] = set()
    for exchange, verdict in judged:
        if verdict.ites_request > 0:
            initiated.update(_crossed(exchange.history, exchange.requested, reference))
        if verdict.ites_response > 0:
            responded.update(_crossed(exchange.history, exchange.responded, reference))
    return _counted(_outcome(place in initiated, place in responded) for place in range(len(reference)))


def _crossed(history: Calls, addition: Calls, reference: Calls) -> range:
    """The places of the reference that the addition would complete."""
    return range(prefix_matched(history, reference), prefix_matched((*history, *addition), reference))


def _counted(outcomes: Iterable[Outcome]) -> Capability:
    found = Counter(outcomes)
    return Capability(*(found[outcome] for outcome in OUTCOMES))


def pooled(capabilities: Iterable[Capability]) -> Capability:
    """The outcomes of several episodes together, from which IC and RC over all of them follow."""
    return reduce(Capability.__add__, capabilities, Capability())
