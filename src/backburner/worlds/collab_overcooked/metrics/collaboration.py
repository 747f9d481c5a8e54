"""Initiating and responding (IC and RC; article, equations 5 and 6): requests and what came of them.

The unit is a required collaboration, of which the article gives only the number ("collaborative actions",
Table 3) and an example (each of the assistant's actions, section C.3.1). Our reading: every call of the
assistant's reference is one. It is initiated if the requests of some dialogue have ITES > 0 and take the
matched beginning of the reference across it, and responded to if some answer does. So N does not depend on
how often the cooks talk; what nobody ever asked for counts against IC. Every kind of quotes is read, plans to
wait are passed over, and asking again for what was asked for costs nothing.

The published evaluation counts dialogues instead; see ``released_evaluation``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, get_args

from msgspec import Struct

from backburner.kernel.scoring import Measures
from backburner.worlds.collab_overcooked.metrics.measures import BETA, align, ites, prefix_matched
from backburner.worlds.collab_overcooked.metrics.references import Calls, Space, counted, word

History = tuple[tuple[int, str], ...]
"""A cook's calls as (timestamp, call); the timestamp is the index of the call's last step + 1."""

REQUEST = "request("
_CALL = re.compile(r"\b\w++\([^()]*+\)")


class Turn(Struct, frozen=True):
    """One cook's turn in a dialogue: the text of its plan field, and what it says."""

    cook: int
    plan: str
    say: str = ""


class Dialogue(Struct, frozen=True):
    """A dialogue that cook ``opener`` opened at this timestep (0-based), turn by turn."""

    timestep: int
    opener: int
    turns: tuple[Turn, ...]


class Exchange(Struct, frozen=True):
    """What passed between the cooks in one dialogue, in calls of the asked cook that count.

    ``history``: what it had done when the dialogue began. ``requested``: what it was asked to do;
    ``asked_for`` has also the requests that do not count. ``responded``: what it then planned.
    """

    history: Calls
    asked_for: Calls
    requested: Calls
    responded: Calls


def exchange(dialogue: Dialogue, asked: int, history: Iterable[tuple[int, str]], space: Space) -> Exchange:
    """What a dialogue asked of cook ``asked``, by any other cook, and what that cook planned.

    ``history``: that cook's calls, of which those up to the dialogue's timestep are taken. ``space``: the
    calls of it that count.
    """
    asks = asked_for(dialogue, asked)
    done = counted(calls_until(history, dialogue.timestep), space)
    return Exchange(done, asks, counted(asks, space), responded(dialogue, asked, space))


def calls_until(history: Iterable[tuple[int, str]], timestep: int) -> Iterator[str]:
    """The calls of a history that were done by the beginning of a step."""
    return (call for timestamp, call in history if timestamp <= timestep)


def asked_for(dialogue: Dialogue, asked: int) -> Calls:
    """The texts in ``request(...)`` of all plans of the others, calls or not.

    A turn adds only what it asks for more often than earlier turns did.
    """
    asks: list[str] = []
    for turn in dialogue.turns:
        if turn.cook == asked:
            continue
        before, now = Counter(asks), Counter[str]()
        for text in request_texts(turn.plan):
            call = word(text.translate(_WITHOUT_QUOTES) + ")")
            now[call] += 1
            if now[call] > before[call]:
                asks.append(call)
    return tuple(asks)


_WITHOUT_QUOTES = {ord(quote): None for quote in "'\"`"}


def request_texts(plan: str) -> Iterator[str]:
    """The text of each request of a plan, up to the first closing parenthesis and without that."""
    start = plan.find(REQUEST)
    while start >= 0:
        end = plan.find(")", start)
        if end < 0:
            return
        yield plan[start + len(REQUEST) : end]
        start = plan.find(REQUEST, end)


def responded(dialogue: Dialogue, asked: int, space: Space) -> Calls:
    """The calls of the asked cook's first plan that has any, its own requests and waits left out."""
    for turn in dialogue.turns:
        if turn.cook == asked:
            calls = _own_calls(turn.plan)
            if calls:
                return counted(calls, space)
    return ()


def _own_calls(plan: str) -> Calls:
    pieces = (piece for piece in plan.split(";") if "request" not in piece)
    calls = (call for piece in pieces for call in _CALL.findall(piece))
    return tuple(call for call in calls if not call.startswith("wait("))


Outcome = Literal["both", "request only", "response only", "neither"]
"""Which of initiating and responding succeeded (section C.4, Figure 5). The release numbers them 0 to 3."""

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class Contribution(Struct, frozen=True):
    """What the requests of an exchange, and the answer to them, would add to the asked cook's TES."""

    ites_request: float
    ites_response: float

    @property
    def outcome(self) -> Outcome:
        """Which of the two brings the task forward."""
        return _outcome(self.ites_request > 0, self.ites_response > 0)


def _outcome(initiated: bool, responded: bool) -> Outcome:
    if initiated:
        return "both" if responded else "request only"
    return "response only" if responded else "neither"


class Capability(Struct, frozen=True):
    """How many collaborations had each of the four outcomes."""

    both: int = 0
    request_only: int = 0
    response_only: int = 0
    neither: int = 0

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


def contribution(exchange: Exchange, references: Sequence[Calls], beta: float = BETA) -> Contribution:
    """ITES of what was requested and of what was responded, with the asked cook's references."""
    return Contribution(
        ites(exchange.requested, exchange.history, references, beta),
        ites(exchange.responded, exchange.history, references, beta),
    )


def capability_of(contributions: Iterable[Contribution]) -> Capability:
    """The outcomes of dialogues, each of which counts once."""
    return _capability(each.outcome for each in contributions)


def required_capability(
    exchanges: Sequence[Exchange], references: Sequence[Calls], beta: float = BETA
) -> Capability:
    """The outcomes of the required collaborations of one episode, whoever opened the dialogues.

    Of several references the one that credits the pair with most is taken, the first of equals, as TES
    does. Raises ``ValueError`` without references.
    """
    if not references:
        raise ValueError("required collaborations are counted along at least one reference")
    pairs = [(exchange, contribution(exchange, references, beta)) for exchange in exchanges]
    capabilities = [_along(reference, pairs) for reference in references]
    return max(capabilities, key=lambda each: 2 * each.both + each.request_only + each.response_only)


def _along(reference: Calls, pairs: Sequence[tuple[Exchange, Contribution]]) -> Capability:
    """The outcome of each call of one reference."""
    initiated: set[int] = set()
    responded: set[int] = set()
    for exchange, added in pairs:
        if added.ites_request > 0:
            initiated.update(_crossed(exchange.history, exchange.requested, reference))
        if added.ites_response > 0:
            responded.update(_crossed(exchange.history, exchange.responded, reference))
    return _capability(_outcome(index in initiated, index in responded) for index in range(len(reference)))


def _crossed(history: Calls, addition: Calls, reference: Calls) -> range:
    """The indices of the reference's calls that the addition would complete."""
    return range(prefix_matched(history, reference), prefix_matched((*history, *addition), reference))


def _capability(outcomes: Iterable[Outcome]) -> Capability:
    counts = Counter(outcomes)
    return Capability(*(counts[outcome] for outcome in OUTCOMES))


Failure = Literal["premature", "repeated", "irrelevant"]
"""Wanted later, wanted before, or not wanted at all by the references of the order."""

FAILURES: tuple[Failure, ...] = get_args(Failure)

FORWARD = "brought forward"
"""What tables and figures call a request that did not fail."""

Verdict = Literal["due", "premature", "repeated", "irrelevant"]


def verdicts_on(
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
    verdicts: list[Verdict] = []
    for call in requested:
        verdict = _verdict(call, reference, done)
        done += verdict == "due"
        verdicts.append(verdict)
    return tuple(verdicts)


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
    space: Space,
    beta: float = BETA,
) -> Failure | None:
    """Why the requests fail (ITES <= 0): the kind of the first one that is not due. ``None`` if they do not.

    The article sorted failed requests by hand (section C.3.1, Figure 9); here the references decide.
    ``asked_for`` may hold what is outside the asked cook's call space: it adds nothing and is irrelevant.
    """
    if ites(counted(asked_for, space), history, references, beta) > 0:
        return None
    kinds = verdicts_on(asked_for, history, references, beta)
    return next((kind for kind in kinds if kind != "due"), None)


Counted = Literal["required", "released", "cut"]
"""How collaborations are counted: in either reading, or as released in what its script leaves of a run."""

CUT: Counted = "cut"


def outcome_measures(counting: Counted, capability: Capability) -> Iterator[tuple[str, float]]:
    """The numbers of an episode that hold a capability, by name: ``required: both`` ..."""
    for outcome, number in capability.outcomes.items():
        yield f"{counting}: {outcome}", float(number)


def capability(rows: Sequence[Measures], counting: Counted) -> Capability:
    """The capability over several episodes, out of their numbers."""
    counts = (int(sum(row.get(f"{counting}: {outcome}", 0) for row in rows)) for outcome in OUTCOMES)
    return Capability(*counts)
