"""The dependency graph for a terminal: a table from what can start at once to what comes last."""

from __future__ import annotations

from rich import box
from rich.table import Table
from rich.text import Text

from backburner.drawing import palette
from backburner.drawing.graph.precedence import before, components, layers
from backburner.kernel.schedule import Activity, Problem
from backburner.kernel.words import number, one_line


def graph_text(problem: Problem) -> Table:
    """A table of the actions: layer, name, duration, whether in the background, what each waits for.

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
    if activity.attention < activity.duration:
        return Text("(background)", palette.ALONE[0])
    return Text("")
