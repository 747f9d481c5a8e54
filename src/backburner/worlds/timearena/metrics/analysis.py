"""TimeArena's analyses (article, section 4.4), with figures: action types, waits and why, loops, kit limit.

Figure 3 shows what agents did, Figure 4 what one kit changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from backburner.kernel.charts import Bar, Bars, Figure, Group, Stack, Stacks
from backburner.kernel.episode import Entry, Episode
from backburner.kernel.policy import REASON
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.scoring import Measured, Metric, Section, by_agent, grouped
from backburner.kernel.values import digest
from backburner.worlds.timearena.game.catalogue import catalogue, known_optimum
from backburner.worlds.timearena.game.state import Silence, State
from backburner.worlds.timearena.game.world import TimeArena

VALID = "valid"
NECESSARY = "necessary wait"
UNNECESSARY = "unnecessary wait"
INVALID = "invalid"
REPEATED = "repeated"
DEPENDENCY = "dependency"
MISMATCHED = "mismatched"
OCCUPIED = "occupied"
GAVE_UP = "gave up"
SILENT = "silent"

ACTION_TYPES = (VALID, NECESSARY, UNNECESSARY, INVALID, REPEATED, DEPENDENCY, MISMATCHED, OCCUPIED)
"""The six types of the article's Table 4, its two kinds of waits told apart, and one for occupied
objects: section 3.3 has that refusal, the table no class for it."""

TYPE_OF_REFUSAL = {
    "unreadable": INVALID,
    "invalid_action": INVALID,
    "nonexistent_object": INVALID,
    "already_completed": REPEATED,
    "dependency_violation": DEPENDENCY,
    "mismatch": MISMATCHED,
    "task_mismatch": MISMATCHED,
    "pair_mismatch": MISMATCHED,
    "object_occupied": OCCUPIED,
}

LOOP_SWITCHES = 4
"""A loop has at least this many changes between waiting and erring."""


def action_types(episode: Episode, world: TimeArena) -> Iterator[str]:
    """The type of each step. A wait is necessary if no required action could have been started; a minute of
    thought is no decision, so no wait."""
    for state, entry, _ in trajectory(episode, world):
        yield _type(state, entry, world)


def _type(state: State, entry: Entry, world: TimeArena) -> str:
    if entry.refusals:
        return TYPE_OF_REFUSAL.get(entry.refusals[0].code, INVALID)
    if not entry.events or entry.events[0].what not in ("start", "resume"):
        decided = decisions_in(world, entry).values()
        return SILENT if any(isinstance(decision, Silence) for decision in decided) else GAVE_UP
    if entry.events[0].kind != "wait":
        return VALID
    return UNNECESSARY if world.rulebook.legality.something_to_start(state) else NECESSARY


def loops(types: Sequence[str]) -> list[tuple[int, int]]:
    """(first decision, number of decisions) of each loop: waits and errors in turn, nothing started.

    A loop is a longest stretch of decisions of which none starts an action, with at least
    ``LOOP_SWITCHES`` changes between waiting and erring: wait, error, wait, error, wait is the
    shortest. All its decisions last a minute. The article describes the pattern without a measure.
    """
    found = []
    position = 0
    for starts_something, stretch in groupby(types, key=lambda t: t in (VALID, GAVE_UP)):
        length = [t in (NECESSARY, UNNECESSARY) for t in stretch]
        switches = sum(a != b for a, b in pairwise(length))
        if not starts_something and switches >= LOOP_SWITCHES:
            found.append((position, len(length)))
        position += len(length)
    return found


def counts(episode: Episode, world: TimeArena) -> dict[str, float]:
    """Numbers of decisions by type, loops, and minutes spent in loops, of one episode."""
    types = [each for each in action_types(episode, world) if each != SILENT]
    in_loops = loops(types)
    return {
        **{name: float(types.count(name)) for name in ACTION_TYPES},
        "decisions": float(len(types)),
        "loops": float(len(in_loops)),
        "minutes in loops": float(sum(length for _, length in in_loops)),
    }


Rows = Sequence[Measured]


def sections(rows: Rows, metrics: Sequence[Metric]) -> list[Section]:
    """The article's analyses as tables."""
    tables = [_types_section(rows), _waits_section(rows), *_kit_sections(rows, metrics)]
    return [*tables, *reasons_sections(rows)]


def shares_by_agent(rows: Rows) -> dict[str, dict[str, float]]:
    """Of each agent's decisions the per cent of each action type, one decimal."""
    shares = {}
    for agent, played in by_agent(rows):
        total = sum(m["decisions"] for _, m in played) or 1.0
        shares[agent] = {t: round(100 * sum(m[t] for _, m in played) / total, 1) for t in ACTION_TYPES}
    return shares


def _types_section(rows: Rows) -> Section:
    table = [(agent, *shares.values()) for agent, shares in shares_by_agent(rows).items()]
    return Section(
        "What the agents did",
        "Shares of all decisions, in per cent, by the action types of the article's Table 4 (its Figure 3): "
        "valid actions, waits (divided into necessary and unnecessary ones), invalid actions or objects, "
        "repeated completed actions, dependency violations, object-mismatched actions; and, as a class of "
        "their own, actions on occupied objects.",
        ("agent", *ACTION_TYPES),
        tuple(table),
    )


def _waits_section(rows: Rows) -> Section:
    table = []
    for agent, played in by_agent(rows):
        # The known maxima are those of standard rules.
        headers = [episode.header for episode, _ in played if episode.header.rules_name == "standard"]
        optima = [known_optimum(header.id) for header in headers]
        most = [optimum.most_necessary_waits for optimum in optima if optimum is not None]
        known = [number for number in most if number is not None]
        table.append(
            (
                agent,
                _per_episode(played, NECESSARY),
                round(sum(known) / len(known), 2) if known else None,
                _per_episode(played, UNNECESSARY),
                _per_episode(played, "loops"),
                _per_episode(played, "minutes in loops"),
            )
        )
    return Section(
        "Waits and loops",
        "Minutes for each episode. A wait is necessary if no required action could be started. The largest "
        "possible number of necessary waits is that of the worst order of actions (known for the published "
        "sets). A loop is a stretch of at least five decisions in which waits and errors alternate and "
        "nothing is started.",
        ("agent", NECESSARY, "largest possible", UNNECESSARY, "loops", "minutes in loops"),
        tuple(table),
    )


def _per_episode(rows: Rows, name: str) -> float:
    return round(sum(measures[name] for _, measures in rows) / len(rows), 2)


class KitEffect(NamedTuple):
    """A metric of an agent's episodes with every task's own kit, and of their pairs with one kit."""

    agent: str
    metric: str
    pairs: int
    own_kits: float | None
    one_kit: float | None
    difference: float | None


def kit_effects(rows: Rows, metrics: Sequence[Metric]) -> Iterator[KitEffect]:
    """Pairs of episodes that differ only in the kit: same tasks, rules, agent and seed (Figure 4)."""
    for agent, played in by_agent(rows):
        own = {_apart_from_kit(e): m for e, m in played if e.header.scenario["kit"] == "own"}
        one = {_apart_from_kit(e): m for e, m in played if e.header.scenario["kit"] == "one"}
        both = [key for key in own if key in one]
        for metric in metrics if both else ():
            before = metric.over([own[key] for key in both])
            after = metric.over([one[key] for key in both])
            difference = None if before is None or after is None else round(after - before, 2)
            yield KitEffect(agent, metric.key, len(both), _round(before), _round(after), difference)


def _kit_sections(rows: Rows, metrics: Sequence[Metric]) -> list[Section]:
    table = tuple(kit_effects(rows, metrics))
    if not table:
        return []
    text = (
        "The same combinations with every task's own pots, fryers and ovens, and with one of each "
        "(the article's Figure 4); only scenarios played both ways count."
    )
    columns = ("agent", "metric", "pairs", "own kits", "one kit", "difference")
    return [Section("With and without the kit limit", text, columns, table)]


def _apart_from_kit(episode: Episode) -> tuple[str, str, str, int]:
    header = episode.header
    tasks = digest(header.scenario["tasks"])
    return tasks, header.rules_name, digest(header.limits), header.seed


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


# --- why they wait ------------------------------------------------------------------------------------
#
# The article asked its agents for a reason with each action and found that many wait to get out of a wrong
# one. Waits are told apart by whether they were necessary, and whether something had just been refused.

AFTER_REFUSAL = f"{UNNECESSARY}, after a refusal"
KINDS = (NECESSARY, UNNECESSARY, AFTER_REFUSAL)

MOST_REASONS = 3
LONGEST_REASON = 160
"""Characters of a reason that are shown."""


def waits(episode: Episode) -> Iterator[tuple[str, str]]:
    """(kind, reason) of each wait; the reason is empty where none was given."""
    world = catalogue.of(episode.header)
    refused = False
    for kind, entry in zip(action_types(episode, world), episode.entries, strict=True):
        if kind in (NECESSARY, UNNECESSARY):
            yield AFTER_REFUSAL if refused and kind == UNNECESSARY else kind, reason_of(entry)
        refused = refused if kind == SILENT else bool(entry.refusals)


def reason_of(entry: Entry) -> str:
    """The reason that was given with the decision; empty if there was none."""
    return next((text for answer in entry.answers.values() for text in answer.thoughts_for(REASON)), "")


def reasons_sections(rows: Sequence[Measured]) -> list[Section]:
    """The reasons of agents that give any; nothing where there are none."""
    table: list[tuple[str, str, int, int, str]] = []
    for agent, played in by_agent(rows):
        if any(reason_of(entry) for episode, _ in played for entry in episode.entries):
            table += _lines(agent, [wait for episode, _ in played for wait in waits(episode)])
    if not table:
        return []
    text = (
        "Of agents that give a reason with their decisions: how often they wait, how often with a reason, "
        f"and the most frequent reasons. {AFTER_REFUSAL.capitalize()}: something could have been started, "
        "and the decision before was refused."
    )
    columns = ("agent", "wait", "number", "with a reason", "reasons")
    return [Section("Why they wait", text, columns, tuple(table))]


def _lines(agent: str, found: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str, int, int, str]]:
    for kind in KINDS:
        reasons = [reason for of, reason in found if of == kind]
        given = Counter(" ".join(reason.split())[:LONGEST_REASON] for reason in reasons if reason)
        most = " / ".join(reason for reason, _ in given.most_common(MOST_REASONS))
        yield agent, kind, len(reasons), given.total(), most


def figures(rows: Sequence[Measured], metrics: Sequence[Metric]) -> list[Figure]:
    """Figures 3 and 4; the score curves of Figure 5 are drawn for every world."""
    stacks = tuple(Stack(agent, shares) for agent, shares in shares_by_agent(rows).items())
    actions = Stacks("Types of decisions", "% of decisions", ACTION_TYPES, stacks, 100.0)
    return [
        Figure(
            "figure-3",
            "Correct and incorrect actions",
            "All decisions of each agent by type, in per cent: the shape of Figure 3 of the article, whose "
            "shares are drawn and not printed. Waits are divided into necessary and unnecessary ones.",
            (actions,) if stacks else (),
        ),
        Figure(
            "figure-4",
            "With and without the kit limit",
            "The same combinations with every task's own pots, fryers and ovens, and with one of each: the "
            "shape of Figure 4 of the article.",
            tuple(_kit_bars(rows, metrics)),
        ),
    ]


def _kit_bars(rows: Sequence[Measured], metrics: Sequence[Metric]) -> Iterator[Bars]:
    """A chart for each metric, with a pair of bars for each agent."""
    of_metric = {metric.key: metric for metric in metrics}
    for key, effects in grouped(kit_effects(rows, metrics), lambda effect: effect.metric).items():
        groups = tuple(
            Group(effect.agent, (Bar("own kits", effect.own_kits), Bar("one kit", effect.one_kit)))
            for effect in effects
        )
        yield Bars(f"{key}, {of_metric[key].title}", of_metric[key].unit, groups)
