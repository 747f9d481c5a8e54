"""One step of the grid: the cooks act, then all move at once, then the utensils work.

The first cook acts first, so that what it puts down can be taken by the second in the same step.
"""

from __future__ import annotations

from msgspec import Struct

from backburner.worlds.collab_overcooked.game.acting import Acts
from backburner.worlds.collab_overcooked.game.cookbook import Cookbook
from backburner.worlds.collab_overcooked.game.grid import INTERACT, NORTH, STAY, Grid
from backburner.worlds.collab_overcooked.game.moves import Move
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.state import Body, Content, Kitchen


class GridStep(Struct, frozen=True, gc=False):
    """What a step led to: for each cook what is logged (empty: nothing), and the order it met.

    ``collided``: the cooks would have shared or swapped cells.
    """

    kitchen: Kitchen
    logged: tuple[str, str]
    met: tuple[str, str]
    collided: bool


class Stepper:
    """The grid's rules for one layout."""

    def __init__(self, grid: Grid, cookbook: Cookbook, rules: Rules) -> None:
        self.grid = grid
        self.cookbook = cookbook
        self.rules = rules

    def start(self, orders: tuple[str, ...]) -> Kitchen:
        """Empty hands, empty utensils, both cooks facing north."""
        first, second = self.grid.starts
        return Kitchen((Body(first, NORTH), Body(second, NORTH)), orders)

    def step(self, kitchen: Kitchen, moves: tuple[Move, Move]) -> GridStep:
        """What follows when the cooks do this."""
        acting = Acts(self.grid, self.cookbook, self.rules, kitchen)
        for cook in (0, 1):
            if moves[cook][0] == INTERACT:
                acting.act(cook, moves[cook][1])
        collided = self._move(acting.bodies, moves)
        self._work(acting)
        after = Kitchen(
            (acting.bodies[0], acting.bodies[1]),
            tuple(acting.orders),
            tuple(acting.contents),
            tuple(acting.lying),
            tuple(acting.ruined),
            kitchen.steps + 1,
        )
        logged, met = (acting.logged[0], acting.logged[1]), (acting.met[0], acting.met[1])
        return GridStep(after, logged, met, collided)

    def _move(self, bodies: list[Body], moves: tuple[Move, Move]) -> bool:
        """All move at once: into a wall one only turns; who would share or swap cells only turns.

        Returns whether they would have.
        """
        deltas, is_floor = self.grid.deltas, self.grid.is_floor
        targets = []
        for body, (action, _) in zip(bodies, moves, strict=True):
            target = body.cell + deltas[action] if action < STAY else body.cell
            targets.append(target if is_floor[target] else body.cell)
        first, second = bodies
        collide = targets[0] == targets[1] or (targets[0] == second.cell and targets[1] == first.cell)
        for cook, (action, _) in enumerate(moves):
            if action < STAY:
                body = bodies[cook]
                cell = body.cell if collide else targets[cook]
                bodies[cook] = Body(cell, action, body.held, body.plated)
        return collide

    def _work(self, acting: Acts) -> None:
        """Operations start, timers tick."""
        contents = acting.contents
        ticking = len(contents)
        if acting.started:
            passed = self._start_operations(acting)
            ticking = passed if self.rules.starting_stalls_timers else len(contents)
        for place, one in enumerate(contents[:ticking]):
            if one.cooking and one.utensil not in acting.started:
                contents[place] = Content(one.utensil, one.items, one.output, one.timer + 1, one.steps)

    def _start_operations(self, acting: Acts) -> int:
        """Start what the cooks started, in their order; what matches nothing is ruined.

        Returns how many contents stand before the last of them.
        """
        contents, passed = acting.contents, 0
        for utensil in acting.started:
            place = next(p for p, one in enumerate(contents) if one.utensil == utensil)
            if self.rules.starts_found_in_one_pass and place < passed:
                acting.started.remove(utensil)
                return len(contents)
            passed = max(passed, place)
            one = contents[place]
            recipe = self.cookbook.made_of(self.grid.utensils[utensil].kind, one.items)
            if recipe is not None:
                contents[place] = Content(utensil, one.items, recipe.output, 1, recipe.steps)
                continue
            del contents[place]
            acting.ruined.append(utensil)
            if self.rules.starts_found_in_one_pass:
                break
        return passed
