"""Collab-Overcooked's metrics (article, section 3) over recorded episodes.

Where article and release differ both are there by name: IC and RC over required collaborations
(equations 5 and 6), and over dialogues as released.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Literal, get_args

from msgspec import convert

from backburner.kernel import registry
from backburner.kernel.charts import Figure
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.headline import Best
from backburner.kernel.scoring import (
    Estimator,
    Measured,
    Measures,
    Metric,
    Published,
    Scoring,
    Section,
    mean,
    mean_of,
    success,
)
from backburner.worlds.collab_overcooked.game.catalogue import Optimum, known_optimum
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.rule_set import STANDARD
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, layout_of
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics import analysis, exchanges, figures
from backburner.worlds.collab_overcooked.metrics.chronicle import Chronicle, chronicle
from backburner.worlds.collab_overcooked.metrics.collaboration import (
    CUT,
    Counted,
    capability,
    capability_of,
    contribution,
    exchange,
    failure,
    outcome_measures,
    required_capability,
)
from backburner.worlds.collab_overcooked.metrics.exchanges import exchange_measures, group_of
from backburner.worlds.collab_overcooked.metrics.levels import asked_cook, computed_level, statistics
from backburner.worlds.collab_overcooked.metrics.measures import (
    BETA,
    COOKS,
    progress_completeness,
    rouge_l,
    tes,
)
from backburner.worlds.collab_overcooked.metrics.references import (
    Calls,
    Reading,
    Reference,
    Space,
    Spaces,
    call_spaces,
    calls_of,
    counted,
    published_tables,
    references_for,
)
from backburner.worlds.collab_overcooked.metrics.released_evaluation import cut, evaluate, judged

Numbers = Iterator[tuple[str, float]]


def completion(world: CollabOvercooked, played: Chronicle, known: Optimum | None) -> Numbers:
    """Whether and when everything was delivered, beside the shortest known plan.

    ``steps``: only where everything was delivered. ``played``: the steps until a limit cut play off, only
    where one did. ``optimum``: the steps of the shortest known plan; ``proven``: 1 if none is shorter, else
    0.
    """
    yield "success", float(played.completed)
    yield "delivered", float(played.final.delivered)
    if played.completed:
        yield "steps", float(played.steps)
    elif played.final.ended == "step_limit":
        yield "played", float(played.steps)
    if world.scenario.level is not None:
        yield "level", float(world.scenario.level)
    if known is not None:
        yield "optimum", float(known.steps)
        yield "proven", float(known.status == "optimal")


def against_references(
    world: CollabOvercooked, played: Chronicle, references: Sequence[Reference], beta: float = BETA
) -> Numbers:
    """TES and ROUGE-L of each cook, PC, and the collaborations in both readings."""
    spaces, released = (call_spaces(world.compiled, reading) for reading in READINGS)
    scores = []
    for cook, name in COOKS:
        history = counted((call for _, call in played.histories[cook]), spaces[cook])
        own = calls_of(references, cook)
        scores.append(tes(history, own, beta))
        yield f"TES {name}", scores[-1]
        yield f"ROUGE-L {name}", rouge_l(history, own, beta)
    yield "PC", progress_completeness(scores)
    asked = asked_cook(world.scenario)
    yield from _collaboration(played, asked, spaces[asked], calls_of(references, asked), beta)
    opened = [dialogue for dialogue in played.logged if dialogue.opener != asked]
    dialogues = [judged(dialogue, played.histories, released, references, beta) for dialogue in opened]
    added = capability_of(dialogue.added for dialogue in dialogues if dialogue is not None)
    yield from outcome_measures("released", added)
    if world.scenario.level is not None:
        yield from _as_released(played, world.scenario.level, references, released, beta)


READINGS: tuple[Reading, ...] = get_args(Reading)


def _collaboration(played: Chronicle, asked: int, space: Space, own: Sequence[Calls], beta: float) -> Numbers:
    """Over required collaborations; ``space`` and ``own``: of the cook that has to be asked."""
    history = played.histories[asked]
    exchanges = [exchange(talk, asked, history, space) for talk in (*played.talks, *played.silent)]
    yield from outcome_measures("required", required_capability(exchanges, own, beta))
    gains = [(each, contribution(each, own, beta)) for each in exchanges]
    asking = [gain.ites_request for each, gain in gains if each.asked_for]
    answering = [gain.ites_response for each, gain in gains if each.responded]
    for name, values in (("requests", asking), ("responses", answering)):
        yield name, float(len(values))
        yield f"ITES of {name}", sum(values)
    failed = Counter(failure(each.asked_for, each.history, own, space, beta) for each in exchanges)
    for kind, number in failed.items():
        if kind is not None:
            yield f"request {kind}", float(number)


def _as_released(
    played: Chronicle,
    level: int,
    references: Sequence[Reference],
    spaces: Spaces,
    beta: float,
) -> Numbers:
    """What the released evaluation says of this run alone, cut off as its script does."""
    line = published_tables().level(level)
    if line is None:
        return
    run = cut(played.released_run(), line.optimal_last_index, published_tables().time_limit_factor)
    evaluation = evaluate([run], references, spaces, beta)
    yield f"{CUT}: success", evaluation.success_rate
    if run.finished:
        yield f"{CUT}: last index", float(run.last_index)
    for cook, name in COOKS:
        yield f"{CUT}: TES {name}", evaluation.cooks[cook].tes[0]
    if evaluation.collaboration is None:
        yield f"{CUT}: undefined", 1.0
    else:
        yield from outcome_measures(CUT, evaluation.collaboration.capability)


SLACK = 1.5
"""The article's gamma: a success takes at most so many times the least steps."""


def delivered_in_time(rows: Sequence[Measures]) -> float | None:
    """100 times the share of whole plays that were a success; a single exchange delivers nothing."""
    return success([row for row in rows if "success" in row])


def within(rows: Sequence[Measures]) -> float | None:
    """100 times the share that deliver within 1.5 times the order's shortest plan, where one is known."""
    known = [row for row in rows if "optimum" in row]
    return mean([100.0 * (row.get("steps", float("inf")) <= SLACK * row["optimum"]) for row in known])


def optimality(rows: Sequence[Measures]) -> float | None:
    """The mean of steps taken over least steps, over successes whose least steps are proven."""
    known = [row for row in rows if row.get("proven") and "steps" in row]
    return mean([row["steps"] / row["optimum"] for row in known])


def rouge_l_of_both(rows: Sequence[Measures]) -> float | None:
    """The mean over both cooks of ROUGE-L in the place of TES."""
    both = ("ROUGE-L chef", "ROUGE-L assistant")
    return mean([row[key] for row in rows for key in both if key in row])


def share_of(counting: Counted, what: Literal["ic", "rc"]) -> Callable[[Sequence[Measures]], float | None]:
    """IC or RC in per cent, all episodes together.

    Of required collaborations it is the share that was asked for, or that an answer planned; of dialogues, as
    released, that whose requests, or whose answer, bring the task forward.
    """
    return lambda rows: _percent(getattr(capability(rows, counting), what))


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


NEARER = "mean(r before − r after), r: least steps to go; filled by --count steps_to_go"
LOST = "mean(steps taken − (r before − r after)); filled by --count steps_to_go"

of_unit = partial(Metric, unit="", better="higher", lowest=0, highest=1)
of_hundred = partial(Metric, unit="%", better="higher", lowest=0, highest=100)
as_released = partial(of_hundred, formula="ITES > 0, dialogues")
in_steps = partial(Metric, unit="steps", better="lower")
nearer = partial(Metric, unit="steps", better="higher", formula=NEARER)

METRICS = (
    Metric("SR", "success rate", "%", "higher", delivered_in_time, "100 · S / N", share=True),
    Metric("SR*", "success rate by the optimum", "%", "higher", within, "T ≤ 1.5 T*", share=True),
    in_steps("Steps", "completion steps", over=mean_of("steps"), formula="Σ T over successes / S", lowest=0),
    Metric(
        "T/T*", "steps over least steps", "", "lower", optimality, "mean(T / T*) over successes", lowest=1
    ),
    of_unit("PC", "progress completeness", over=mean_of("PC"), formula="mean of the cooks' TES"),
    of_unit("TES c", "the chef's TES", over=mean_of("TES chef"), formula="(1 + b²) D / (m + b² n)"),
    of_unit("TES a", "the assistant's TES", over=mean_of("TES assistant"), formula="(1 + b²) D / (m + b² n)"),
    of_unit("ROUGE-L", "ROUGE-L of both", over=rouge_l_of_both, formula="the same with the longest common D"),
    of_hundred("IC", "initiating", over=share_of("required", "ic"), formula="100 · asked for / required"),
    of_hundred("RC", "responding", over=share_of("required", "rc"), formula="100 · planned / required"),
    as_released("IC rel.", "initiating as released", over=share_of("released", "ic")),
    as_released("RC rel.", "responding as released", over=share_of("released", "rc")),
    nearer("Near c", "nearer by a chef's call", over=mean_of("change chef")),
    nearer("Near a", "nearer by an assistant's", over=mean_of("change assistant")),
    in_steps("Lost c", "lost by a chef's call", over=mean_of("lost chef"), formula=LOST),
    in_steps("Lost a", "lost by an assistant's", over=mean_of("lost assistant"), formula=LOST),
)


def best(id: str) -> Best:
    """The best success rate of an order, by its id: 100, which a shipped plan has."""
    return Best(100.0, "end" if known_optimum(id, "standard") is None else "optimum")


INFORMED = {("chef",): "", ("assistant",): ", the assistant knows", ("assistant", "chef"): ", both know"}
"""How a group's name says who has the recipes."""


class CollabOvercookedScoring(Scoring):
    """See ``kernel.scoring.Scoring`` for what each part promises.

    ``references``: the name of the set that histories are compared with. ``beta``: the weight of
    redundancy in TES.
    """

    metrics: Sequence[Metric] = METRICS
    main: Sequence[str] = ("SR", "PC", "IC", "RC")
    published: Sequence[Published] = ()
    """No result of a model is printed in our copy of the article; see ``published``."""

    def __init__(
        self,
        references: str = "released",
        beta: float = BETA,
    ) -> None:
        self.references = references
        self.beta = beta

    def group(self, episode: Episode) -> str:
        """The level; that of another order follows from the behaviours it takes (Table 3)."""
        scenario = convert(episode.header.scenario, Scenario)
        of_exchange = group_of(scenario) if scenario.exchange else ""
        return (
            _kind(scenario) + of_exchange + INFORMED.get(tuple(sorted(scenario.informed)), ", nobody knows")
        )

    def measure(self, episode: Episode) -> Measures:
        """The numbers of an episode; those that take references only where the order has any."""
        world, played = chronicle(episode)
        if world.scenario.exchange:
            references = references_for(world.scenario, self.references)
            return dict(exchange_measures(world, episode, references, self.beta))
        known = known_optimum(world.id, world.rules.name)
        measures = dict(completion(world, played, known))
        try:
            references = references_for(world.scenario, self.references)
        except Refused:
            return measures
        return measures | dict(against_references(world, played, references, self.beta))

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """See ``statistics.statistics``."""
        return statistics(list(map(registry.scenario, ids)))

    def sections(self, rows: Sequence[Measured]) -> Sequence[Section]:
        """The article's analyses as tables, of whole plays and of single exchanges."""
        whole, single = _parted(rows)
        of_whole = analysis.sections(whole, self.references) if whole else []
        return [*of_whole, *exchanges.sections(single)]

    def figures(self, rows: Sequence[Measured], estimate: Estimator) -> Sequence[Figure]:
        """IC and RC by level (Figures 3 and 4), success over gamma (8); of exchanges Figures 5 and 9."""
        whole, single = _parted(rows)
        of_whole = figures.figures(whole, self.metrics, estimate)
        return [*of_whole, *figures.exchange_figures(single, self.metrics, estimate)]


def _parted(rows: Sequence[Measured]) -> tuple[list[Measured], list[Measured]]:
    """Whole plays, and single exchanges."""
    single = [row for row in rows if exchanges.ACTION in row[1]]
    return [row for row in rows if exchanges.ACTION not in row[1]], single


def _kind(scenario: Scenario) -> str:
    if scenario.order_weights:
        return "orders that are drawn"
    if len(scenario.orders) > 1:
        return f"{len(scenario.orders)} orders at once"
    if scenario.level is not None:
        return f"level {scenario.level}"
    asked = asked_cook(scenario)
    level = computed_level(Compiled(layout_of(scenario), STANDARD), scenario.orders[0], asked)
    return f"level {'?' if level is None else level}, other orders"


scoring = CollabOvercookedScoring()
