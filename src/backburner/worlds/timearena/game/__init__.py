"""TimeArena: 30 tasks of cooking, housework and laboratory work, to be done together in little time."""

from backburner.worlds.timearena.game.catalogue import catalogue
from backburner.worlds.timearena.game.rule_set import RELEASED, STANDARD, Limits, Rules
from backburner.worlds.timearena.game.scenarios import Scenario, Task
from backburner.worlds.timearena.game.state import Act, Decision, Quit, Silence, Wait
from backburner.worlds.timearena.game.world import TimeArena

__all__ = [
    "RELEASED",
    "STANDARD",
    "Act",
    "Decision",
    "Limits",
    "Quit",
    "Rules",
    "Scenario",
    "Silence",
    "Task",
    "TimeArena",
    "Wait",
    "catalogue",
]
