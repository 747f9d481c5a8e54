"""TimeArena: 30 tasks of cooking, housework and laboratory work, to be done together in little time."""

from backburner.worlds.timearena.actions import Act, Decision, Quit, Wait
from backburner.worlds.timearena.catalogue import catalogue
from backburner.worlds.timearena.rule_set import RELEASED, STANDARD, Limits, Rules
from backburner.worlds.timearena.scenarios import Scenario, Task
from backburner.worlds.timearena.world import TimeArena

__all__ = [
    "RELEASED",
    "STANDARD",
    "Act",
    "Decision",
    "Limits",
    "Quit",
    "Rules",
    "Scenario",
    "Task",
    "TimeArena",
    "Wait",
    "catalogue",
]
