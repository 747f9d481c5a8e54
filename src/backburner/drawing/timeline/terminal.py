"""The timeline for a terminal: one row of characters for each lane, readable without colours too."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby

from rich.cells import cell_len, set_cell_size
from rich.console import Group
from rich.text import Text

from backburner.drawing import palette
from backburner.drawing.timeline.chart import (
    BODIES,
    WINDOW_STATES,
    Chart,
    Lane,
    how_long,
    tick_step,
    told_window,
    what,
    when,
)
from backburner.kernel.activities import Activity
from backburner.kernel.assessment import Window, WindowState
from backburner.kernel.errors import number, one_line
from backburner.kernel.values import Event

EDGE, BLOCK, TORN, START, THREAD, WAIT, REFUSED = "▐", "█", "░", "▸", "─", "·", "x"
LEVELS = "▁▂▃▄▅▆▇█"
SAID = '"'
OPENS = "└"
CLOSES: Mapping[WindowState, str] = {"open": "?", "kept": "┘", "missed": "!"}
"""How a window ends, by its state."""
WINDOW_STYLES: Mapping[WindowState, str] = {"open": "dim", "kept": "dim", "missed": f"bold {palette.MISSED}"}
BLANK = (" ", "")
"""An empty cell: its sign, its style."""
MOST_CELLS_A_UNIT = 6
PAINTED_LAST = ("wait", "work", "refused")
"""Where a cell stands for several activities, the last of these kinds is seen."""


def timeline_text(
    events: Iterable[Event],
    *,
    unit: str = "minutes",
    width: int = 100,
    bodies: Collection[str] = BODIES,
    listing: bool = False,
    windows: Sequence[Window] = (),
    standing: Sequence[str] = (),
) -> Group:
    """The Gantt chart of an episode's events in rows of at most ``width`` cells.

    One row for each lane: blocks with the label (if it fits) for work, dots for waits, ``x`` for
    refused decisions, ``▸`` where a body starts other work. A lane with ``windows`` has them below
    it, ``└─┘`` if they were kept and ``└─!`` if not; one in which something is said has a row of
    ``"`` above it. Below, the axis, the score, a legend, what was too late, what was said, and with
    ``listing`` every activity and window with its times. Lanes as in ``timeline_svg``.
    """
    rows = list(_Rows(Chart(events, bodies, windows, standing), unit, width).rows(listing))
    for row in rows:
        row.truncate(width, overflow="ellipsis")
    return Group(*rows)


MOST_LANES = 12
"""Of several plays together; where there are more, those of bodies alone are drawn."""


def timelines_text(
    plays: Sequence[tuple[str, Sequence[Event]]],
    *,
    unit: str = "minutes",
    width: int = 100,
    bodies: Collection[str] = BODIES,
) -> Group:
    """The charts of several plays on one axis, each below its name, in short: without score and words."""
    quiet = [[each for each in events if each.what not in ("said", "score")] for _, events in plays]
    charts = [Chart(events, bodies) for events in quiet]
    if sum(len(chart.lanes) for chart in charts) > MOST_LANES:
        for chart in charts:
            chart.lanes = [lane for lane in chart.lanes if lane.body] or chart.lanes
    whole = Chart(chain.from_iterable(quiet), bodies)
    measures = _Rows(whole, unit, width)
    rows = list[Text]()
    for (name, _), chart in zip(plays, charts, strict=True):
        measures.chart = chart
        rows += (_line(one_line(name)), *(measures.lane_row(lane) for lane in chart.lanes))
    measures.chart = whole
    rows += (*measures.axis(), measures.legend())
    for row in rows:
        row.truncate(width, overflow="ellipsis")
    return Group(*rows)


class _Rows:
    """A chart with its measures, in cells: ``names`` for the first column, ``plot`` for the rest."""

    def __init__(self, chart: Chart, unit: str, width: int) -> None:
        self.chart, self.unit = chart, one_line(unit)
        wanted = max(len(unit), *(cell_len(one_line(lane.name)) for lane in chart.lanes), 5)
        self.names = max(1, min(wanted, width // 4))
        room = max(1, width - self.names - 1)
        scale = room / (chart.end - chart.begin)
        self.scale = float(min(int(scale), MOST_CELLS_A_UNIT)) if scale >= 1 else scale
        self.plot = max(1, min(room, self.cell(chart.end)))

    def rows(self, listing: bool) -> Iterator[Text]:
        for lane in self.chart.lanes:
            if lane.said:
                yield self._row("", self._spoken(lane), "")
            yield self.lane_row(lane)
            for row in self._windows(lane):
                yield self._row("", row, "")
        yield from self.axis()
        if self.chart.scored:
            yield self._row("score", self._score(), "dim")
        yield self.legend()
        yield from (self._too_late(window) for window in self.chart.windows if window.state == "missed")
        yield from map(self._said, self.chart.said)
        if listing:
            yield _line("")
            yield from map(self._listed, self.chart.activities)
            yield from (_line(one_line(told_window(each, self.unit))) for each in self.chart.windows)

    def cell(self, time: float) -> int:
        return round((time - self.chart.begin) * self.scale)

    def _row(self, name: str, plot: Text, style: str) -> Text:
        column = set_cell_size(one_line(name), self.names)
        return _line("").append(column, style).append(" ").append_text(plot)

    def lane_row(self, lane: Lane) -> Text:
        """A lane's name and what goes on there."""
        return self._row(lane.name, self._lane(lane), "bold" if lane.body else "")

    def _lane(self, lane: Lane) -> Text:
        cells = [BLANK] * self.plot
        for activity in sorted(lane.activities, key=lambda a: PAINTED_LAST.index(a.kind)):
            first = min(max(0, self.cell(activity.start)), self.plot - 1)
            after = min(max(first + 1, self.cell(activity.end)), self.plot)
            cells[first:after] = self._bar(activity, after - first)
        return _assembled(cells)

    def _windows(self, lane: Lane) -> list[Text]:
        """Each window in the first row of cells that is free there."""
        rows: list[list[tuple[str, str]]] = []
        for window in lane.windows:
            first, last = (min(max(0, self.cell(t)), self.plot - 1) for t in (window.opens, window.closes))
            signs = (OPENS + THREAD * (last - first - 1) if last > first else "") + CLOSES[window.state]
            free = (row for row in rows if all(cell == BLANK for cell in row[first : last + 1]))
            row = next(free, None)
            if row is None:
                rows.append(row := [BLANK] * self.plot)
            row[first : last + 1] = [(sign, WINDOW_STYLES[window.state]) for sign in signs]
        return [_assembled(row) for row in rows]

    def _spoken(self, lane: Lane) -> Text:
        """A mark wherever something is said."""
        cells = [BLANK] * self.plot
        for event in lane.said:
            cells[min(self.cell(event.time), self.plot - 1)] = (SAID, "")
        return _assembled(cells)

    def _said(self, event: Event) -> Text:
        who = set_cell_size(one_line(event.lane), self.names)
        return _line(f"{who} {number(event.time):>4}  {one_line(event.label)}")

    def _too_late(self, window: Window) -> Text:
        words = f"{WINDOW_STATES['missed']}: {one_line(window.label)}"
        return _line(" " * (self.names + 1)).append(words, WINDOW_STYLES["missed"])

    def _bar(self, activity: Activity, length: int) -> list[tuple[str, str]]:
        """``length`` cells, each with its style."""
        if activity.kind == "wait":
            return [(WAIT, "dim")] * length
        if activity.kind == "refused":
            return [(REFUSED, f"bold {palette.REFUSED}")] * length
        if begun := self.chart.started.get(activity):
            colour = self._colour(begun.lane)
            return [(START, colour)] + [(THREAD, colour)] * (length - 1)
        colour = self._colour(activity.lane)
        on = palette.INK if activity.lane in self.chart.colours else palette.ON_HANDS
        label = _fitting(one_line(activity.label), length - 1)
        cells = [(EDGE, colour), *((letter, f"{on} on {colour}") for letter in label)]
        cells += [(BLOCK, colour)] * (length - len(cells))
        return cells if activity.complete else [*cells[:-1], (TORN, colour)]

    def _colour(self, lane: str) -> str:
        return self.chart.colours.get(lane) or self.chart.of_hands.get(lane, palette.HANDS)

    def axis(self) -> Iterator[Text]:
        """The line of the time, and its numbers."""
        begin, end = self.chart.begin, self.chart.end
        longest = max(len(number(begin)), len(number(end)))
        step = tick_step(end - begin, most=max(1, self.plot // (longest + 3)))
        line, numbers = [THREAD] * self.plot, [" "] * self.plot
        for tick in range(int(-(-begin // step)) * step, int(end // 1) + 1, step):
            at, written = self.cell(tick), number(tick)
            if at < self.plot:
                line[at] = "┬"
            if at + len(written) <= self.plot:
                numbers[at : at + len(written)] = written
        yield self._row("", Text("".join(line), "dim"), "")
        yield self._row(self.unit, Text("".join(numbers), "dim"), "dim")

    def _score(self) -> Text:
        """The score at the end of each cell's time, in eight levels from least to greatest."""
        values = [value for _, value in self.chart.score]
        low, span = min(values), (max(values) - min(values)) or 1
        levels, at = [values[0]] * self.plot, 0
        for time, value in self.chart.score:
            at = max(at, min(self.cell(time), self.plot - 1))
            levels[at:] = [value] * (self.plot - at)
        marks = "".join(LEVELS[int(7 * (value - low) / span)] for value in levels)
        last = f" {number(values[-1])}"
        return Text(marks[: max(1, self.plot - len(last))] + last, "dim")

    def legend(self) -> Text:
        """What the signs mean that stand somewhere."""
        kinds = {activity.kind for activity in self.chart.activities}
        unfinished = not all(activity.complete for activity in self.chart.activities)
        states = {window.state for window in self.chart.windows}
        entries = (
            ("work" in kinds, EDGE + BLOCK, "work", palette.HANDS),
            (bool(self.chart.started), START, "starts something", ""),
            ("wait" in kinds, WAIT, "waits", "dim"),
            ("refused" in kinds, REFUSED, "refused", f"bold {palette.REFUSED}"),
            (unfinished, TORN, "unfinished", ""),
            (bool(self.chart.said), SAID, "speaks", ""),
            *(
                (s in states, OPENS + CLOSES[s], words, WINDOW_STYLES[s])
                for s, words in WINDOW_STATES.items()
            ),
        )
        legend = _line(" " * (self.names + 1))
        for present, sign, words, style in entries:
            if present:
                legend.append(sign, style).append(f" {words}  ", "dim")
        return legend

    def _listed(self, activity: Activity) -> Text:
        lane = set_cell_size(one_line(activity.lane), self.names)
        lasts = how_long(activity, self.unit)
        return _line(f"{lane} {when(activity):>9}  {one_line(what(activity))} ({lasts})")


def _line(text: str) -> Text:
    return Text(text, no_wrap=True, overflow="ellipsis")


def _assembled(cells: Iterable[tuple[str, str]]) -> Text:
    runs = groupby(cells, key=lambda cell: cell[1])
    return Text.assemble(*(("".join(sign for sign, _ in run), style) for style, run in runs))


def _fitting(label: str, room: int) -> str:
    """The label cut to ``room`` cells; nothing if too little is left or a letter is not one cell wide."""
    if any(cell_len(letter) != 1 for letter in label) or room < min(4, len(label)):
        return ""
    return label if len(label) <= room else f"{label[: room - 1]}…"
