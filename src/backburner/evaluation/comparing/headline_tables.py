"""The headline score as tables, with what it means beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from backburner.evaluation.comparing.headline import PUBLISHED, Headline, SuiteScore, every_headline
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.tables.words import interval_text, number_text
from backburner.kernel.errors import Refused, amount
from backburner.kernel.scoring import Estimate, Section, grouped

TITLE = "Headline score"
BRIEF = "0: random play, 100: the best that is possible; in brackets: 95 % interval over scenarios"
TEXT = (
    "0 is {zero}, 100 the best that is possible: the mean over {worlds} of the mean over each "
    "one's suites of the mean over scenarios of 100 · (played − {short}) / (best − {short}), the divisor "
    "being the suite's mean. Under standard rules and the article's limits; nothing is clipped, and below 0 "
    "is worse than {short} play. With 95 % intervals over scenarios. A world has a score when all its "
    "scenarios are finished, the headline when all worlds are. Edition {edition}: scores compare within one "
    "edition only."
)
RANDOM = {"zero": "random play", "short": "random"}
BUSY = {"zero": "play that is never idle and without a thought", "short": "busy"}
SO_FAR = "18 of 90: scenarios that are finished so far, in place of a score."
CLOCK = " @"
"""In names of agents, before the clock that they played under (``Header.agent``)."""
FIRST_LEGAL, FAR = "first-legal", 60
"""An agent that takes the first decision that does something, and the points from which on that is far."""
SUITES_TITLE = "Headline score by suite"
SUITES_TEXT = (
    "The suites behind the headline score. Random, played, best: means of the metric over the scenarios that "
    "the agent has finished; a suite that is not complete counts in no world's score, and its own is over "
    "what there is."
)


def headlines_of(scored: Sequence[WorldScores]) -> tuple[list[Headline], str]:
    """(the headlines of all agents; why there are none, where an installed pack has none that can be used).

    For those who show it beside other things; ``scale`` raises what is wrong.
    """
    try:
        return every_headline(scored), ""
    except Refused as error:
        return [], str(error)


def headline_sections(found: Sequence[Headline]) -> list[Section]:
    """The scores of all agents, the best first, and those of every suite, edition by edition; none where
    nobody has any."""
    return [
        section
        for own in grouped(found, lambda one: one.of).values()
        for section in (headline_section(own), suites_section(own))
    ]


def headline_section(found: Sequence[Headline]) -> Section:
    """A row for each agent: the headline, and each world's score; all of one edition."""
    first = found[0]
    title, zero = (TITLE, RANDOM) if first.of == PUBLISHED else (f"{TITLE} ({first.of})", BUSY)
    worlds = tuple(one.world for one in first.worlds)
    rows = tuple(
        (
            name_of(one),
            _cell(one.score, one.suites),
            *(_cell(each.score, [s for s in one.suites if s.world == each.world]) for each in one.worlds),
        )
        for one in sorted(found, key=_best_first)
    )
    so_far = [SO_FAR] if any(one.missing for one in found) else []
    text = " ".join(
        (
            TEXT.format(worlds=amount(len(worlds), "worlds"), edition=first.edition, **zero),
            *so_far,
            *remarks(found),
        )
    )
    return Section(title, text, ("agent", "headline", *worlds), rows)


def suites_section(found: Sequence[Headline]) -> Section:
    """A row for each agent and suite of which anything is finished."""
    of = found[0].of
    is_built = of != PUBLISHED
    rows = tuple(
        (
            f"{suite.world}/{suite.suite}",
            name_of(one),
            interval_text(suite.score),
            suite.metric,
            *map(number_text, (suite.random, suite.played, suite.best)),
            *([number_text(suite.beside)] if is_built else []),
            f"{suite.scenarios} of {suite.of}",
            _seeds(suite.seeds),
        )
        for one in found
        for suite in one.suites
        if suite.scenarios
    )
    zero = ("busy", "played", "best", "random's score") if is_built else ("random", "played", "best")
    columns = ("suite", "agent", "score", "metric", *zero, "scenarios", "seeds")
    text = SUITES_TEXT.replace("Random,", "Busy,") if is_built else SUITES_TEXT
    return Section(f"{SUITES_TITLE} ({of})" if is_built else SUITES_TITLE, text, columns, rows)


def _best_first(one: Headline) -> tuple[bool, float, str]:
    value = one.score.value
    return value is None, 0.0 if value is None else -value, one.agent


def name_of(one: Headline) -> str:
    """The agent, and whether it knew more than its seats."""
    return f"{one.agent} (informed)" if one.informed else one.agent


def _cell(score: Estimate, suites: Sequence[SuiteScore]) -> str:
    """The score, or how many scenarios are finished of those that it takes."""
    return _finished(suites) if score.value is None else interval_text(score)


def _finished(suites: Sequence[SuiteScore]) -> str:
    there, of = (sum(getattr(suite, name) for suite in suites) for name in ("scenarios", "of"))
    return f"{there} of {of}"


def _seeds(seeds: tuple[int, int]) -> str:
    least, most = seeds
    return str(least) if least == most else f"{least} to {most}"


def remarks(found: Sequence[Headline]) -> Iterator[str]:
    """What a reader has to know besides: what is missing, left out, or cannot be true."""
    yield from _incomplete([one for one in found if one.missing])
    for one in found:
        if one.wrong:
            yield f"{one.agent}, not to be believed: {_listed(one.wrong)}."
    for line in found[0].left_out if found else ():
        yield f"{line}."
    yield from _saturated(found)
    if any(CLOCK in one.agent for one in found):
        yield "With an @ and a clock: thinking took time; 0 and 100 are those of play in which it takes none."
    if any(one.informed for one in found):
        yield "Informed agents knew more than a player may, as oracles do."


def _saturated(found: Sequence[Headline]) -> Iterator[str]:
    """The suites in which the first decision of every menu goes far."""
    for one in found:
        for suite in one.suites if one.agent == FIRST_LEGAL else ():
            if suite.score.value is not None and suite.score.value > FAR:
                name = f"{suite.world}/{suite.suite}"
                yield f"{name} asks little: {FIRST_LEGAL} has {suite.score.value:.0f} points there."


def _incomplete(without: Sequence[Headline]) -> Iterator[str]:
    """Of one agent which scenarios it lacks; of several how many, as lists would bury the rest."""
    if len(without) == 1:
        yield f"{without[0].agent} has no headline score: missing are {_listed(without[0].missing)}."
    elif without:
        finished = "; ".join(f"{one.agent} {_finished(one.suites)}" for one in without)
        yield f"Without a headline score, as scenarios are missing: {finished} are finished."


MOST_LISTED = 8


def _listed(lines: Iterable[str]) -> str:
    every = list(lines)
    more = len(every) - MOST_LISTED
    return "; ".join(every[:MOST_LISTED]) + (f"; and {more} more" if more > 0 else "")
