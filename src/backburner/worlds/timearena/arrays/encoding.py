"""TimeArena in numbers: a code for each action that the rules may ever accept, and what the agent was told.

Features tell what the agent has been told by now and no more: which works are finished, which go on and
for how long, which things are in use, what became of the last decision, the minute. They tell neither
durations nor requirements of what was not started. The mask is the menu; it tells more, namely what would
be accepted now.

An *outlook* tells what can still be reached of a scenario, and the fewest minutes that it takes: a bound,
cheap and proven. A *work* is a role that carries progress; an act whose lead role it is does it. Whatever act
that is, the work needs what all of them need, and takes the same minutes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_
from typing import NamedTuple

from backburner.arrays.encoding import Encoding
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.timearena.game import Decision, TimeArena
from backburner.worlds.timearena.game.compiled import ItemRole
from backburner.worlds.timearena.game.legality import Attempt
from backburner.worlds.timearena.game.rule_set import article_limits
from backburner.worlds.timearena.game.state import WAIT, Driver, State
from backburner.worlds.timearena.game.transition import AGENT

# --- the outlook ------------------------------------------------------------------------------------------


class Work(NamedTuple):
    """A role that carries progress, and what is known of doing it.

    ``duration``: minutes from start to end. ``agent_minutes``: those of them that hold the agent.
    ``chain``: the minutes from its start to the end of the longest chain of works that begins with it.
    ``last``: whether no other work needs it, so that it may be the last to be started. ``counts``: nobody
    requires what does not, and it is in no chain.
    """

    name: str
    bit: int
    duration: int
    agent_minutes: int
    chain: int
    last: bool
    counts: bool


class Outlook:
    """The works of one world under its rules, and what is left of them in a state.

    ``works`` are in the order of their roles. ``reachable``: the per cent of progress that the rules let
    anybody reach.
    """

    def __init__(self, world: TimeArena) -> None:
        compiled, legality = world.compiled, world.rulebook.legality
        doing: dict[int, list[Attempt]] = {role.bit: [] for role in compiled.roles if role.bit}
        for attempt in legality.fitting:
            if attempt.bit:
                doing[attempt.bit].append(attempt)
        needs = {
            bit: reduce(and_, (attempt.needs for attempt in attempts))
            for bit, attempts in doing.items()
            if attempts
        }
        finished = legality.reachable
        total = compiled.total_minutes
        counted = compiled.everything
        earned = sum(role.role.minutes for role in compiled.roles if role.bit & finished & counted)
        self.reachable = 100 * earned // total
        required = {bit: needed for bit, needed in needs.items() if bit & counted}
        durations = {bit: doing[bit][0].duration for bit in needs}
        chains = durations | _chains(required, {bit: durations[bit] for bit in required}, finished)
        self.works = tuple(
            _work(role, doing[role.bit], required, chains, bool(role.bit & counted))
            for role in compiled.roles
            if role.bit
        )
        # Where something else may be done in the minute of what was refused, work that goes on by itself
        # goes on twice as fast, and begun work may be put off.
        self._all_minutes_count = not world.rules.second_try
        self._work_of = {attempt.act: attempt.bit for attempt in legality.fitting}

    def minutes_left(self, state: State) -> int:
        """No play from this state has finished every work earlier than in so many minutes.

        That is the longest chain of works, or the agent's minutes and those after it of what it starts last.
        """
        if not self._all_minutes_count:
            return 0
        left = {self._work_of[each.act]: each.ends + state.lost_minutes for each in state.running}
        chain = agent = 0
        alone_at_last = -1
        for work in self.works:
            if work.bit & state.finished or not work.counts:
                continue
            if work.bit in left:
                chain = max(chain, left[work.bit] - state.minute + work.chain - work.duration)
                continue
            chain = max(chain, work.chain)
            agent += work.agent_minutes
            alone = work.duration - work.agent_minutes
            if work.last and not 0 <= alone_at_last <= alone:
                alone_at_last = alone
        return max(chain, agent + max(alone_at_last, 0))


def _work(
    role: ItemRole, doing: list[Attempt], needs: Mapping[int, int], chains: Mapping[int, int], counts: bool
) -> Work:
    """A work that no act does is never finished; of its minutes nothing is known."""
    name, bit = f"{role.role.verb} {role.item.name}", role.bit
    last = not any(mask & bit for mask in needs.values())
    if not doing:
        return Work(name, bit, 0, 0, 0, last, counts)
    duration = doing[0].duration
    return Work(name, bit, duration, duration if doing[0].occupies_agent else 1, chains[bit], last, counts)


def _chains(needs: Mapping[int, int], durations: Mapping[int, int], reachable: int) -> dict[int, int]:
    """The minutes of the longest chain that begins with each work, among those that can be reached.

    What can be reached needs nothing that needs it, so that this ends.
    """
    chains = dict(durations)
    changed = True
    while changed:
        changed = False
        for bit, needed in needs.items():
            for earlier in needs if bit & reachable else ():
                if earlier & needed and chains[earlier] < durations[earlier] + chains[bit]:
                    chains[earlier] = durations[earlier] + chains[bit]
                    changed = True
    return chains


# --- codes, features and the mask -------------------------------------------------------------------------

LONGEST_MINUTES = 10
"""Minutes of a work that is under way are told in tenths of these; more count as these. No published
action takes longer."""

ERRORS = 5
"""Refusals in a row are told in parts of the limit, or, where there is none, of the article's."""

REFUSED = ("object_occupied", "dependency_violation", "already_completed")
"""Why a code may be refused; anything else told of the last decision counts as ``other``."""

Numbers = Sequence[Sequence[float]]


class TimeArenaEncoding(Encoding[State, Decision]):
    """The numbers of one world.

    Code 0 waits a minute. The other codes are the acts whose things fit, the tasks' own first: all that
    could ever be accepted, apart from giving up.
    """

    def __init__(self, world: TimeArena) -> None:
        self.world = world
        self.outlook = Outlook(world)
        self.attempts = world.rulebook.legality.fitting
        scenario = world.scenario
        usual = article_limits(len(scenario.tasks), scenario.limit).minutes
        self.horizon = world.limits.minutes or usual or 1
        """The time limit, or the article's where there is none."""
        self.most_errors = world.limits.errors or ERRORS
        self._second_try = world.rules.second_try
        self._lead = {attempt.act: attempt.bit for attempt in self.attempts}

    @property
    def bodies(self) -> Mapping[Seat, tuple[str, ...]]:
        """The agent's one body, by its name."""
        return {AGENT: (AGENT,)}

    @property
    def actions(self) -> tuple[str, ...]:
        """``wait``, and the acts in words."""
        return ("wait", *(attempt.words for attempt in self.attempts))

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The minute, what was refused, two for each work, one for each thing; see ``_second_tries``."""
        works = self.outlook.works
        return (
            "minute",
            "errors in a row",
            *(f"refused: {code}" for code in (*REFUSED, "other")),
            *(f"finished: {work.name}" for work in works),
            *(f"minutes left: {work.name}" for work in works),
            *(f"in use: {item.name}" for item in self.world.compiled.items),
            *(("something else is wanted", *self._own_names) if self._second_try else ()),
        )

    @property
    def _own_names(self) -> tuple[str, ...]:
        return tuple(f"to be repeated: {attempt.words}" for attempt in self.attempts)

    def mask(self, state: State, seat: Seat) -> Sequence[Sequence[bool]]:
        """What the menu lists."""
        obstacle = self.world.rulebook.legality.obstacle
        if state.ended:
            return ((True, *(False for _ in self.attempts)),)
        return ((True, *(obstacle(state, attempt) is None for attempt in self.attempts)),)

    def decision(self, state: State, seat: Seat, codes: Sequence[int]) -> Decision | Refusal:
        """The wait or the act."""
        return self.attempts[codes[0] - 1].act if codes[0] else WAIT

    def features(self, state: State, seat: Seat) -> Numbers:
        """See ``feature_names``; all between 0 and 1."""
        refusal = state.feedback.refusal
        code = refusal.code if refusal is not None else ""
        left = self._minutes_left(state)
        busy = 0
        for running in state.running:
            busy |= self.world.rulebook.legality.attempts[running.act].things
        return (
            (
                min(state.minute / self.horizon, 1.0),
                min(state.errors_in_a_row / self.most_errors, 1.0),
                *(float(code == each) for each in REFUSED),
                float(bool(code) and code not in REFUSED),
                *(float(bool(work.bit & state.finished)) for work in self.outlook.works),
                *(left.get(work.bit, 0.0) for work in self.outlook.works),
                *(float(bool(bit & busy)) for bit in self.world.compiled.thing_bit.values()),
                *self._second_tries(state),
            ),
        )

    def _minutes_left(self, state: State) -> dict[int, float]:
        """What is left of each work under way, and of one that was begun and is not done (``second_try``)."""
        clock = state.minute - state.lost_minutes
        left = {self._lead[running.act]: running.ends - clock for running in state.running}
        if isinstance(state.driver, Driver):
            roles = self.world.compiled.roles
            left |= {roles[role].bit: roles[role].role.minutes - had for role, had in state.driver.done}
        return {bit: min(max(minutes, 0) / LONGEST_MINUTES, 1.0) for bit, minutes in left.items()}

    def _second_tries(self, state: State) -> Sequence[float]:
        """Only under ``second_try``: whether something else is wanted in the same minute, and which act of
        the agent's the program has kept to carry out again."""
        driver = state.driver
        if not isinstance(driver, Driver):
            return ()
        own = (float(driver.refused == attempt.act) for attempt in self.attempts)
        return (float(driver.own is not None), *own)

    def score(self, state: State) -> float:
        """The article's progress, 0 to 1, and once it is 1 the share of the time limit that is left besides.

        So whoever completes the tasks has more than 1, and more for being early; the article counts both
        apart (section 4.2: progress score, completion time). Where there is no limit, the article's counts.
        """
        if state.score < 100:
            return state.score / 100
        return 1.0 + max(1.0 - state.minute / self.horizon, 0.0)

    def potential(self, state: State) -> float:
        """The rise if everything is finished at the first minute at which the outlook lets it be."""
        return self.rise(state, state.minute + self.outlook.minutes_left(state))

    def rise(self, state: State, finish: int | None) -> float:
        """The rest of the progress, and the time that is then left.

        Where that is too late for the limit, or some of it can never be done, the rest of the progress alone.
        """
        if state.ended or state.score == 100:
            return 0.0
        limit, most = self.world.limits.minutes, self.outlook.reachable
        if finish is None or most < 100 or (limit is not None and finish > limit):
            return (min(most, 99) - state.score) / 100
        return (100 - state.score) / 100 + max(1.0 - finish / self.horizon, 0.0)


def encoding(world: TimeArena) -> TimeArenaEncoding:
    """The encoding of a world; every scenario has one, under all rules."""
    return TimeArenaEncoding(world)
