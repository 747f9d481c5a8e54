"""A dependency graph as SVG, and as a table for the terminal, from what can start at once to the last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from rich import box
from rich.table import Table
from rich.text import Text

from backburner.drawing import palette
from backburner.drawing.graph_layout import Layout, Spacing, Vertex, before, components, layers, layout
from backburner.drawing.svg import Markup, document, element, joined, rect, shortened, text_at, text_width
from backburner.kernel.errors import amount, number, one_line
from backburner.kernel.schedule import Activity, Problem

MARGIN, TITLE, LEGEND = 16.0, 34.0, 40.0
NAME, SMALL = 12.0, 10.5
NODE_HEIGHT, BETWEEN_COLUMNS, PADDING = 44.0, 52.0, 11.0
SPACING = Spacing(node=NODE_HEIGHT + 14, gap=24.0, component=18.0)
LEAST_NODE, MOST_NODE, STRIP, MOST_BLOCK = 146.0, 240.0, 60.0, 10.0

STYLE = f"""
.graph .title {{ font-size: 16px; font-weight: 600; fill: {palette.INK} }}
.graph .name {{ font-size: {NAME}px; fill: {palette.INK} }}
.graph .small {{ font-size: {SMALL}px; fill: {palette.MUTED} }}
.graph .edge {{ fill: none; stroke: {palette.EDGE}; stroke-width: 1.4 }}
.graph .edge:hover {{ stroke: {palette.INK}; stroke-width: 2.2 }}
.graph .hands .box {{ fill: {palette.HANDS_FILL}; stroke: {palette.HANDS}; stroke-width: 1.4 }}
.graph .alone .box {{ fill: {palette.ALONE_FILL}; stroke: {palette.ALONE_LINE}; stroke-width: 1.4;
  stroke-dasharray: 5 3 }}
.graph .forbidden .box {{ fill: {palette.REFUSED_FILL}; stroke: {palette.REFUSED} }}
.graph .held {{ fill: {palette.HANDS} }}
.graph .free {{ fill: {palette.ALONE[0]} }}
"""


def graph_svg(problem: Problem, title: str = "") -> str:
    """The dependency graph as a self-contained picture, from what can start at once to what comes last.

    Each node shows name and duration and, as a strip, how much of it holds the agent. Actions that
    go on by themselves have a dashed border, forbidden ones are red. Raises ``Refused`` if actions
    wait for each other in a circle or for something that is not in the problem.
    """
    picture = _Picture(problem, title)
    return _document([picture], picture.right, title or "dependency graph")


def graphs_svg(problems: Mapping[str, Problem], title: str = "") -> str:
    """The graphs of several things, each drawn as by ``graph_svg`` under its name, one below the other."""
    pictures = [_Picture(problem, name) for name, problem in problems.items()]
    widest = max((picture.right for picture in pictures), default=MARGIN)
    return _document(pictures, widest, title or "task graphs")


def _document(pictures: Sequence[_Picture], right: float, title: str) -> Markup:
    """The pictures from top to bottom, and one legend for all."""
    tops = [*accumulate((picture.height for picture in pictures), initial=0.0)]
    legend, legend_right = _legend([picture.problem for picture in pictures], tops[-1] + 26)
    titles = [MARGIN + text_width(picture.title, 16) * 1.1 for picture in pictures]
    return document(
        max([right, legend_right, *titles]) + MARGIN,
        tops[-1] + LEGEND,
        STYLE,
        element("defs", _arrow_head()),
        *(
            element("g", *picture.parts(), transform=f"translate(0 {top:.2f})" if top else None)
            for picture, top in zip(pictures, tops, strict=False)
        ),
        legend,
        title=title,
        class_="graph",
    )


class _Picture:
    """A placed problem with its measures: ``lefts`` and ``widths`` of the columns."""

    def __init__(self, problem: Problem, title: str) -> None:
        self.problem, self.title = problem, title
        self.layout: Layout = layout(before(problem), SPACING)
        self.top = MARGIN + (TITLE if title else 0)
        self.widths = [_column_width(in_layer) for in_layer in self._columns()]
        self.lefts = [MARGIN + s for s in accumulate((w + BETWEEN_COLUMNS for w in self.widths), initial=0.0)]
        longest = max((activity.duration for activity in problem.activities), default=1)
        self.unit_width = min(STRIP / max(longest, 1), MOST_BLOCK)

    @property
    def right(self) -> float:
        """Where the last column ends."""
        return self.lefts[-1] - BETWEEN_COLUMNS if self.widths else MARGIN

    @property
    def height(self) -> float:
        return self.top + self.layout.height

    def parts(self) -> Iterator[Markup]:
        yield text_at(MARGIN, 30, self.title, class_="title")
        for (source, target), route in self.layout.routes.items():
            yield self._edge(source, target, route)
        yield from map(self._node, self.problem.activities)

    def _columns(self) -> list[list[Activity]]:
        depth = [self.layout.layer[activity.name] for activity in self.problem.activities]
        columns: list[list[Activity]] = [[] for _ in range(max(depth, default=-1) + 1)]
        for layer, activity in zip(depth, self.problem.activities, strict=True):
            columns[layer].append(activity)
        return columns

    def _y(self, vertex: Vertex) -> float:
        return self.top + self.layout.y[vertex]

    # --- edges ---------------------------------------------------------------------------------

    def _edge(self, source: str, target: str, route: Sequence[Vertex]) -> Markup:
        """Level through every column, curved in between."""
        parts: list[str] = []
        for one, other in pairwise(route):
            layer = self.layout.layer[one]
            right, left = self.lefts[layer] + self.widths[layer], self.lefts[layer + 1]
            if other == target:
                left -= 5  # the head of the arrow
            middle = (right + left) / 2
            y, then = self._y(one), self._y(other)
            parts.append(f"H{right:.2f}" if parts else f"M{right:.2f} {y:.2f}")
            parts.append(f"C{middle:.2f} {y:.2f} {middle:.2f} {then:.2f} {left:.2f} {then:.2f}")
        return element(
            "path",
            element("title", f"{source} → {target}"),
            d="".join(parts),
            class_="edge",
            marker_end="url(#bb-arrow)",
        )

    # --- nodes ---------------------------------------------------------------------------------

    def _node(self, activity: Activity) -> Markup:
        layer = self.layout.layer[activity.name]
        x, y, width = self.lefts[layer], self._y(activity.name) - NODE_HEIGHT / 2, self.widths[layer]
        lasts = amount(activity.duration, self.problem.unit)
        return element(
            "g",
            element("title", self._told(activity)),
            rect(x, y, width, NODE_HEIGHT, rx=7, class_="box"),
            text_at(x + PADDING, y + 18, shortened(activity.name, NAME, width - 2 * PADDING), class_="name"),
            self._strip(activity, x + PADDING, y + NODE_HEIGHT - 17),
            text_at(x + width - PADDING, y + NODE_HEIGHT - 9, lasts, class_="small", text_anchor="end"),
            class_=" ".join(("node", *_kinds(activity, self.problem))),
        )

    def _strip(self, activity: Activity, x: float, y: float) -> Markup:
        """The duration to scale: first with the agent, then without."""
        held = min(activity.operator_time, activity.duration)
        blocks = self.unit_width >= 4
        spans = (
            [(at, 1) for at in range(activity.duration)]
            if blocks
            else [(0, held), (held, activity.duration - held)]
        )
        return joined(
            *(
                rect(
                    x + at * self.unit_width,
                    y,
                    length * self.unit_width - (1 if blocks else 0),
                    8,
                    rx=1.5,
                    class_="held" if at < held else "free",
                )
                for at, length in spans
                if length
            )
        )

    def _told(self, activity: Activity) -> str:
        unit = self.problem.unit
        alone = activity.operator_time < activity.duration
        lines = [
            f"{activity.name}: {amount(activity.duration, unit)}"
            + (f", the agent is held for {amount(activity.operator_time, unit)}" if alone else ""),
            f"after {', '.join(activity.predecessors)}" if activity.predecessors else "",
            "" if activity.predecessors or activity.release else "can start at once",
            _window(activity, lambda time: amount(time, unit)),
            f"uses {', '.join(activity.resources)}" if activity.resources else "",
            "never allowed under these rules" if activity.name in self.problem.forbidden else "",
        ]
        return "\n".join(filter(None, lines))


def _window(activity: Activity, written: Callable[[int], str]) -> str:
    """From when on it may start, and by when it must have ended; empty where neither is set."""
    from_on = f"from {written(activity.release)} on" if activity.release else ""
    by = "" if activity.deadline is None else f"done by {written(activity.deadline)}"
    return ", ".join(filter(None, (from_on, by)))


def _kinds(activity: Activity, problem: Problem) -> Iterator[str]:
    yield "alone" if activity.operator_time < activity.duration else "hands"
    if activity.name in problem.forbidden:
        yield "forbidden"


def _legend(problems: Iterable[Problem], y: float) -> tuple[Markup, float]:
    """The legend, and where it ends on the right."""
    x, parts = MARGIN, []
    for words, swatch in _swatches(problems):
        parts.append(element("g", swatch, transform=f"translate({x:.2f} {y - 11:.2f})"))
        parts.append(text_at(x + 32, y, words, class_="small"))
        x += 32 + text_width(words, SMALL) + 20
    return element("g", *parts, class_="legend"), x


def _swatches(problems: Iterable[Problem]) -> Iterator[tuple[str, Markup]]:
    found = [(kind, p.unit) for p in problems for a in p.activities for kind in _kinds(a, p)]
    kinds, units = {kind for kind, _ in found}, dict.fromkeys(unit for _, unit in found)
    box = element("rect", width=26, height=14, rx=4, class_="box")
    block = {"y": 3, "width": 26, "height": 8, "rx": 1.5}
    if "hands" in kinds:
        yield "holds the agent to its end", element("g", box, class_="hands")
    if "alone" in kinds:
        yield "goes on by itself", element("g", box, class_="alone")
        yield f"{' or '.join(units)} with the agent", element("rect", class_="held", **block)
        yield f"{' or '.join(units)} without", element("rect", class_="free", **block)
    if "forbidden" in kinds:
        yield "never allowed", element("g", box, class_="hands forbidden")


def _column_width(activities: Sequence[Activity]) -> float:
    names = max(text_width(activity.name, NAME) for activity in activities)
    return min(max(names + 2 * PADDING + 1, LEAST_NODE), MOST_NODE)


def _arrow_head() -> Markup:
    return element(
        "marker",
        element("path", d="M0 0L7 3.5L0 7z", fill=palette.EDGE),
        id="bb-arrow",
        markerWidth=7,
        markerHeight=7,
        refX=2,
        refY=3.5,
        orient="auto",
        markerUnits="userSpaceOnUse",
    )


# --- the graph as a table for the terminal ------------------------------------------------------------


def graph_text(problem: Problem) -> Table:
    """A table of the actions: layer, name, duration, whether in the background, release and deadline where
    there is one, what each waits for.

    Actions of one layer can be under way together as far as precedence goes. Tasks that do not touch
    each other are separated by a line. Raises ``Refused`` as ``graph_svg`` does.
    """
    needed = before(problem)
    depth = layers(needed)
    by_name = {activity.name: activity for activity in problem.activities}
    table = Table(box=box.SIMPLE, header_style="dim", pad_edge=False)
    table.add_column("layer", justify="right", style="dim")
    table.add_column("action")
    table.add_column(problem.unit, justify="right")
    table.add_column("")
    table.add_column("waits for")
    for members in components(needed):
        for name in sorted(members, key=depth.__getitem__):
            activity = by_name[name]
            table.add_row(
                str(depth[name] + 1),
                Text(one_line(name)),
                number(activity.duration),
                _mark(activity, problem),
                Text(one_line(", ".join(needed[name])) or "–"),
            )
        table.add_section()
    return table


def _mark(activity: Activity, problem: Problem) -> Text:
    if activity.name in problem.forbidden:
        return Text("never allowed", palette.REFUSED)
    alone = "(background)" if activity.operator_time < activity.duration else ""
    told = Text(alone, palette.ALONE[0] if alone else "")
    if window := _window(activity, number):
        told.append(f"{' ' if alone else ''}{window}", "default")
    return told
