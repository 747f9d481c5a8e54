"""Tries every start that is possible, and the wait: what becomes of each if the longest chain goes first?

A state of a world is a value, and a step makes another one of it. So an agent that may know everything, as
the operator of a project may, looks ahead by playing on.
"""

import backburner
from backburner.kernel.schedule import problem_of


class Agent:
    name, informed, settings = "look-ahead", False, {}

    def __init__(self, world):
        self.world = world
        activities = {activity.name: activity for activity in problem_of(world).activities}
        after = {name: [b.name for b in activities.values() if name in b.predecessors] for name in activities}

        def chain(name):
            return activities[name].duration + max(map(chain, after[name]), default=0)

        self.chains = {name: chain(name) for name in activities}

    async def decide(self, turn, memory):
        state, seat = turn.observation, turn.seat
        options = [option.decision for option in turn.menu.options]
        return backburner.Reply(min(options, key=lambda option: self.end(state, seat, option)))

    def end(self, state, seat, decision):
        """(whether something is left undone, when all is over) if this is done now and the rule goes on."""
        while True:
            state = self.world.step(state, {seat: decision}).state
            if not self.world.deciders(state):
                numbers = self.world.outcome(state).numbers
                return -numbers["completed"], numbers[self.world.time_unit], -self.first(decision)
            options = [option.decision for option in self.world.menu(state, seat).options]
            decision = max(options, key=self.first)

    def first(self, decision):
        """How long the chain is that a start begins; waits come last."""
        return self.chains.get(getattr(decision, "activity", None), 0)
