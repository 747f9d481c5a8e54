"""Plans of planning tasks: ours, and those that programs answer with to a task as classical PDDL."""

from __future__ import annotations

from msgspec import Struct

from backburner.formats.classical import PROVEN, planned_names
from backburner.kernel.errors import Refused, needs_extra, one_line, shorten_inside
from backburner.kernel.oracle import Planning
from backburner.planning.task import in_steps


class Steps(Struct, frozen=True, omit_defaults=True):
    """What to do in each step, by the names of operators ("" is idleness). ``proven``: its planner says that
    no plan is shorter."""

    steps: tuple[tuple[str, ...], ...]
    proven: bool = False


def ours(left: Planning, effort: float) -> Steps:
    """The best plan of our planner that so much effort finds; raises ``Refused``, ``MissingExtra``."""
    with needs_extra("solve", "our planner"):
        from backburner.planning.astar import Limits
        from backburner.planning.planner import Planner
    planner = Planner(left.task, first_plan=left.first_plan)
    planner.run(Limits(effort=effort))
    if planner.plan is None:
        raise Refused("there is no plan" if planner.is_proven else "it finds no plan")
    return _in_steps(left, planner.plan, planner.is_proven)


def read_steps(content: bytes, left: Planning) -> Steps:
    """The plan in a program's answer; raises ``Refused``."""
    text = content.decode("utf-8", "replace")
    try:
        return _in_steps(left, planned_names(text, left.task), f"; {PROVEN}" in text)
    except Refused as error:
        said = next((line[1:].strip() for line in text.splitlines() if line.startswith(";")), "")
        raise Refused(f"{error}{f': {shorten_inside(one_line(said), 200)}' if said else ''}") from error


def _in_steps(left: Planning, names: tuple[str, ...], proven: bool) -> Steps:
    return Steps(tuple(in_steps(names, left.task.turns.per_step)), proven)
