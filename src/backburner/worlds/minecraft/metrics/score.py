"""Minecraft's metrics: the collaboration score over five intervals (article, Table 5), and orders in time.

The five intervals of the table are not told; its shares stand here beside five factors τ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from backburner.kernel import registry
from backburner.kernel.assessment import Assessment, Window, WindowState
from backburner.kernel.charts import Figure, Line, Lines, Point
from backburner.kernel.episode import Episode
from backburner.kernel.files import shipped
from backburner.kernel.replay import trajectory
from backburner.kernel.scoring import (
    Estimator,
    Measured,
    Measures,
    Metric,
    Published,
    Section,
    by_agent,
    grouped,
)
from backburner.kernel.values import Event
from backburner.worlds.dispatch.scores import (
    COS,
    NONE,
    RAN_OUT,
    STILL_OPEN,
    OrderScoring,
    at_pace,
    cos,
    counted,
    mean_count,
    order_metrics,
    paced,
    share,
    share_key,
    share_points,
    three_digits,
)
from backburner.worlds.minecraft.game.catalogue import catalogue
from backburner.worlds.minecraft.game.order_book import arriving
from backburner.worlds.minecraft.game.physics import CHEST
from backburner.worlds.minecraft.game.scenarios import RELEASED_SEED, STEP_TICKS, TAUS, Scenario, work_steps
from backburner.worlds.minecraft.game.state import State, seconds
from backburner.worlds.minecraft.game.world import Minecraft

LEVEL = "level_2"
"""The only level that the released loop plays."""


class Table5(Struct, frozen=True, forbid_unknown_fields=True):
    """``data/published.json``: the share of orders served at each interval, and their mean."""

    source: str
    agent: str
    taus: tuple[float, ...]
    shares: tuple[float, ...]
    cos: float


def table_5() -> Table5:
    """What the article prints."""
    return shipped("backburner.worlds.minecraft", "published", Table5)


def group_name(level: str, bodies: int) -> str:
    """What results of a level with so many bodies are called."""
    return f"{level}, {bodies} bot{'s' if bodies > 1 else ''}"


@cache
def published_rows() -> tuple[Published, ...]:
    """The one row of the table."""
    printed = table_5()
    shares = {share_key(tau): value for tau, value in zip(printed.taus, printed.shares, strict=True)}
    note = "the intervals behind the columns are not told"
    return (Published(group_name(LEVEL, 2), printed.agent, {"CoS": printed.cos, **shares}, "Table 5", note),)


def assessment(world: Minecraft) -> Assessment:
    """The windows of a record's orders."""
    return Assessment(windows=lambda episode: tuple(_windows(world, episode)))


def _windows(world: Minecraft, episode: Episode) -> Iterator[Window]:
    """On the lane of the chest, the order that came first before all others."""
    state = world.start(episode.header.seed)
    closed: dict[str, Event] = {}
    step_ticks = [0]
    for _, _, step in trajectory(episode, world):
        state = step.state
        if len(step_ticks) <= state.steps:
            step_ticks.append(state.ticks)
        closed |= {event.key: event for event in step.events if event.what in ("delivered", "expired")}
    for number in range(state.arrived):
        yield _window(world, state, step_ticks, number, closed.get(f"order {number}"))


def _window(
    world: Minecraft, state: State, step_ticks: list[int], number: int, event: Event | None
) -> Window:
    """The window of an order by its number; ``event``: how it ended, if it did."""
    compiled = world.compiled
    came = number * compiled.interval
    order = arriving(compiled, state.stream, number, came)
    opens, closes = (_second(world, step_ticks, moment) for moment in (came, order.due))
    kind: WindowState = "open"
    if event is not None:
        kind = "kept" if event.what == "delivered" else "missed"
    met = event.time if event is not None and kind == "kept" else None
    return Window(CHEST, compiled.dishes[order.dish], opens, closes, kind, met)


def _second(world: Minecraft, step_ticks: list[int], moment: int) -> float:
    """A moment in what orders count as a second; a step that was never made is taken as one of usual
    length."""
    if world.compiled.unit == "ticks":
        return seconds(moment)
    beyond = max(0, moment - len(step_ticks) + 1)
    return seconds(step_ticks[min(moment, len(step_ticks) - 1)] + beyond * STEP_TICKS)


LEVEL_COLUMNS = (
    "level",
    "dishes",
    "mobs",
    "bots",
    "work in a dish (steps)",
    "τ",
    "interval (steps)",
    "interval (ticks)",
    "an order waits (steps)",
)

METRICS = order_metrics(
    TAUS, RAN_OUT, STILL_OPEN, mean_count("Steps", "steps", "steps of an episode", "steps", "neither")
)


class MinecraftScoring(OrderScoring):
    """See ``kernel.scoring.Scoring`` for what each part promises."""

    metrics: Sequence[Metric] = METRICS
    catalogue = catalogue

    @property
    def published(self) -> Sequence[Published]:
        """Table 5 of the article."""
        return published_rows()

    def group(self, episode: Episode) -> str:
        """The level and the number of bodies, and what else sets the scenario apart."""
        scenario = episode.header.scenario
        name = group_name(str(scenario["level"]), len(scenario["spawns"]))
        return ", ".join((name, *_variants(scenario)))

    def measure(self, episode: Episode) -> Measures:
        """Counts of orders, and the pace at which they came."""
        world: Minecraft = self.played(episode)
        return {**counted(world, episode), "tau": paced(world.scenario.tau)}

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The farms among these scenarios, and how their intervals come of the work in a dish."""
        return LEVEL_COLUMNS, [_level_row(registry.scenario(id)) for id in ids]

    def sections(self, rows: Sequence[Measured]) -> Sequence[Section]:
        """Table 5: of each agent and level, with the article's row."""
        return [by_interval(rows)] if rows else []

    def figures(self, rows: Sequence[Measured], estimate: Estimator) -> Sequence[Figure]:
        """The share of orders served over τ, with the article's line."""
        return [figure(rows)] if rows else []


def _variants(scenario: Mapping[str, Any]) -> Iterator[str]:
    """What sets a scenario apart from the article's, in words."""
    if groups := scenario.get("groups"):
        yield f"{len(groups)} seats"
    if scenario.get("instructor"):
        yield "an instructor"
    if scenario.get("live"):
        yield "on a server"
    if "hints" in scenario:
        yield "no hints"
    if "seed" in scenario and scenario["seed"] != RELEASED_SEED:
        yield "other orders"
    if "tau" not in scenario:
        yield "own pace"


TITLE = "Collaboration score by interval"
TEXT = (
    "Orders served of those served or failed, from hurried to relaxed, and their mean (article, Table 5). "
    "What its five intervals were the article does not tell; ours come from the task graph by the rule of "
    "its Appendix E.4."
)


def by_interval(rows: Sequence[Measured]) -> Section:
    """The shares of each agent and group at each τ, their mean, and what nobody could pass."""
    table: list[tuple[Any, ...]] = []
    for agent, group, played in _cells(rows):
        shares = (three_digits(share(at_pace(played, tau))) for tau in TAUS)
        table.append((agent, group, *shares, three_digits(cos(played)), three_digits(COS.bound(played))))
    printed = table_5()
    row = (f"{printed.agent}, article", published_rows()[0].group, *map(three_digits, printed.shares))
    table.append((*row, three_digits(printed.cos), NONE))
    columns = ("agent", "level", *(f"τ = {tau}" for tau in TAUS), "CoS", "bound")
    return Section(TITLE, TEXT, columns, tuple(table))


def _cells(rows: Sequence[Measured]) -> Iterator[tuple[str, str, list[Measures]]]:
    """(agent, group, numbers of its episodes)"""
    for agent, played in by_agent(rows):
        for group, mine in grouped(played, lambda row: scoring.group(row[0])).items():
            yield agent, group, [measures for _, measures in mine]


def figure(rows: Sequence[Measured]) -> Figure:
    """A line for each agent and group, and the article's."""
    printed = table_5()
    lines = []
    for agent, group, played in _cells(rows):
        points = share_points(played, TAUS)
        if len(points) > 1:
            lines.append(Line(f"{agent}, {group}", points, agent))
    points = tuple(Point(tau, value) for tau, value in zip(printed.taus, printed.shares, strict=True))
    lines.append(Line(f"{printed.agent}, article", points, printed.agent, quoted=True))
    chart = Lines("Table 5", "τ", "share of orders served", tuple(lines), 1.0)
    return Figure("table-5", TITLE, TEXT, (chart,))


def _level_row(scenario: Scenario) -> Sequence[Any]:
    return (
        scenario.level,
        len(scenario.dishes),
        len(scenario.mobs),
        scenario.bodies,
        max(map(work_steps, scenario.dishes)),
        NONE if scenario.tau is None else scenario.tau,
        scenario.interval,
        scenario.interval * STEP_TICKS,
        scenario.lifetime,
    )


scoring = MinecraftScoring()
