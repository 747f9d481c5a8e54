"""Whose deed comes next: a step of several robots, taken apart into one deed after the other."""

from __future__ import annotations

from typing import NamedTuple

from backburner.worlds.robotouille.game.scenarios import Play


class Phase(NamedTuple):
    """A place in a step: how many deeds of it are chosen, and which robots have acted in it."""

    chosen: int = 0
    acted: tuple[int, ...] = ()


class Phases:
    """The order of deeds in one way to play. A deed may be idleness.

    ``per_step``: deeds that make a step.
    """

    def __init__(self, play: Play, robots: tuple[int, ...], any_robot: bool) -> None:
        self.play = play
        self.robots = robots
        self.any_robot = any_robot
        self.per_step = 1 if play == "turns" else max(1, len(robots))

    @property
    def in_own_turn(self) -> bool:
        """Whether the robots act one after the other, each in its own step."""
        return self.play == "turns" and not self.any_robot

    def may(self, phase: Phase, robot: int) -> bool:
        """Whether a robot may act now; -1 stands for a deed without one."""
        if robot < 0 or self.any_robot:
            return True
        if self.play == "dispatcher":
            return robot not in phase.acted
        return self.robots[phase.chosen] == robot

    def after(self, phase: Phase, robot: int) -> tuple[Phase, bool]:
        """The next phase, and whether a step of the kitchen has passed with it."""
        chosen = (phase.chosen + 1) % max(1, len(self.robots))
        if self.play == "turns":
            return Phase(0 if self.any_robot else chosen), True
        if not chosen:
            return Phase(), True
        remembers = self.play == "dispatcher" and not self.any_robot and robot >= 0
        return Phase(chosen, tuple(sorted((*phase.acted, robot))) if remembers else phase.acted), False
