"""Recipe2Plan in numbers: codes for a step and when it begins, and what the cook was told as features.

A decision names a step, its seconds and its start, so that there are more decisions than any list can hold.
The codes are those on the menu, and pieces of steps that may be split: see ``Recipe2PlanEncoding``.

Features tell what the cook can see, was told of the recipes (how long steps take, which limits are in force)
or has found out by starting steps. They tell neither which steps run by themselves, nor what depends on
what, nor which appliance a step takes. The mask tells more, as the menu does: what would be accepted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backburner.arrays.encoding import Encoding
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.recipe2plan.arrays.sight import Outlook
from backburner.worlds.recipe2plan.game import Cook, Piece, Recipe2Plan
from backburner.worlds.recipe2plan.game.beliefs import Beliefs
from backburner.worlds.recipe2plan.game.compiled import COOK, Job, LagOf
from backburner.worlds.recipe2plan.game.rule_set import article_limits
from backburner.worlds.recipe2plan.game.state import FINISH, Kitchen, State

NOTHING = Cook()
"""No action, which is refused."""

HOTTEST = 500
"""Temperatures are told in parts of these degrees Fahrenheit; what is hotter counts as these."""

REFUSED = (
    "object_occupied",
    "object_property",
    "time_constraint",
    "already_done",
    "already_running",
    "duration_exceeds",
    "not_interruptible",
    "dep_incomplete",
    "dep_unfinished",
    "no_action",
)
"""Why a code may be refused; anything else told of the last decision counts as ``other``."""


class Recipe2PlanEncoding(Encoding[State, Cook]):
    """The numbers of one world.

    Code 0 does nothing: it states no beliefs where the cook is asked for them, and is refused anywhere
    else. Code 1 finishes; the mask allows it where the menu lists it. The others do a step: all that is
    left of it as early as it can start, or when all that runs has ended (the two ways in which the menu has
    it); or, of a step that may be split, as much as fits in until the next step that runs has ended. A code
    that stands for nothing now, such as a piece when nothing runs, is refused like code 0.
    """

    def __init__(self, world: Recipe2Plan) -> None:
        self.world = world
        self.compiled = world.compiled
        self.outlook = Outlook(world.compiled, world.rules)
        jobs = world.compiled.jobs
        self.splittable = tuple(job for job in jobs if job.step.splittable)
        usual, own = article_limits(len(jobs)), world.limits
        self.most_turns = own.turns or usual.turns or 1
        self.most_revisions = own.revisions or usual.revisions or 1
        self.most_alike = own.same_failure or usual.same_failure or 1
        self._asks = world.scenario.knowledge == "beliefs"
        self._no_beliefs = Cook(beliefs=tuple(Beliefs(recipe.name) for recipe in world.scenario.recipes))

    @property
    def bodies(self) -> Mapping[Seat, tuple[str, ...]]:
        """The cook's one body, by its name."""
        return {COOK: (COOK,)}

    @property
    def actions(self) -> tuple[str, ...]:
        """The steps by recipe and number, and when they are to begin."""
        labels = [job.label for job in self.compiled.jobs]
        return (
            "nothing",
            "finish",
            *labels,
            *(f"{label} when all that runs has ended" for label in labels),
            *(f"{job.label} until something has ended" for job in self.splittable),
        )

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The clock, the limits' counters, the last refusal; then appliances, steps and lags."""
        compiled = self.compiled
        labels = [job.label for job in compiled.jobs]
        return (
            "clock",
            "turns",
            "revisions",
            "equal refusals in a row",
            *(f"refused: {code}" for code in (*REFUSED, "other")),
            *(f"in use: {appliance}" for appliance in compiled.appliances),
            *(f"heat: {appliance}" for appliance in compiled.appliances),
            *(f"left: {label}" for label in labels),
            *(f"runs for: {label}" for label in labels),
            *(f"time left: {labels[lag.job]} after {lag.after}" for lag in compiled.lags),
            *(("beliefs are wanted",) if self._asks else ()),
        )

    # --- codes ---------------------------------------------------------------------------------------

    def mask(self, state: State, seat: Seat) -> Sequence[Sequence[bool]]:
        """What would be accepted; to finish where the menu lists it, and only code 0 where it asks for
        beliefs."""
        n_jobs = len(self.compiled.jobs)
        if state.ended or self._asked(state):
            return ((True, *[False] * (len(self.actions) - 1)),)
        kitchen = state.kitchen
        steps = [self._accepted(kitchen, self.piece(kitchen, code)) for code in range(2, len(self.actions))]
        at_last = any(steps[n_jobs : 2 * n_jobs])
        finish = not at_last and (bool(kitchen.running) or not any(steps[: 2 * n_jobs]))
        return ((False, finish, *steps),)

    def _accepted(self, kitchen: Kitchen, piece: Piece | None) -> bool:
        if piece is None:
            return False
        job = self.compiled.job_of(piece)
        return isinstance(job, Job) and self.world.rulebook.legality.obstacle(kitchen, job, piece) is None

    def decision(self, state: State, seat: Seat, codes: Sequence[int]) -> Cook | Refusal:
        """One action; or to finish, or nothing."""
        (code,) = codes
        if code == 0:
            return self._no_beliefs if self._asked(state) else NOTHING
        if code == 1:
            return FINISH
        piece = self.piece(state.kitchen, code)
        return NOTHING if piece is None else Cook((piece,))

    def _asked(self, state: State) -> bool:
        return self._asks and state.feedback.kind == "opening"

    def piece(self, kitchen: Kitchen, code: int) -> Piece | None:
        """What a code from 2 on stands for now, whether it is accepted or not; ``None`` for nothing.

        What can start at no time that counts is to start now, and of a complete step all is to be done
        again: the world says why not.
        """
        jobs = self.compiled.jobs
        which, number = divmod(code - 2, len(jobs))
        if which == 0:
            return self._early(kitchen, jobs[number])
        ends = [running.ends for running in kitchen.running]
        if not ends:
            return None
        if which == 1:
            return _whole(kitchen, jobs[number], max(ends))
        job, seconds = self.splittable[code - 2 - 2 * len(jobs)], min(ends) - kitchen.clock
        if seconds >= kitchen.left[job.index]:
            return None
        return Piece(job.number, job.recipe, seconds, kitchen.clock)

    def _early(self, kitchen: Kitchen, job: Job) -> Piece:
        if kitchen.left[job.index]:
            for time in sorted({kitchen.clock, *(running.ends for running in kitchen.running)}):
                piece = _whole(kitchen, job, time)
                if self.world.rulebook.legality.obstacle(kitchen, job, piece) is None:
                    return piece
        return _whole(kitchen, job, kitchen.clock)

    # --- features ------------------------------------------------------------------------------------

    def features(self, state: State, seat: Seat) -> Sequence[Sequence[float]]:
        """See ``feature_names``. Between 0 and 1; the time left for a lag sinks to -1 when it is over."""
        kitchen, jobs = state.kitchen, self.compiled.jobs
        refusal, clock = state.feedback.refusal, kitchen.clock
        code = refusal.code if refusal is not None else ""
        runs = {each.job: each.ends for each in kitchen.running if kitchen.ends[each.job] == each.ends}
        return (
            (
                _share(clock, self.outlook.work_seconds),
                _share(state.turns, self.most_turns),
                _share(state.revisions, self.most_revisions),
                _share(state.alike, self.most_alike),
                *(float(code == each) for each in REFUSED),
                float(bool(code) and code not in REFUSED),
                *(float(any(begun <= clock < over for begun, over in busy)) for busy in kitchen.busy),
                *(_share(heat or 0, HOTTEST) for heat in kitchen.fahrenheit),
                *(kitchen.left[job.index] / job.step.seconds for job in jobs),
                *(_share(runs.get(job.index, clock) - clock, job.step.seconds) for job in jobs),
                *(self._time_left(kitchen, lag) for lag in self.compiled.lags),
                *((float(self._asked(state)),) if self._asks else ()),
            ),
        )

    def _time_left(self, kitchen: Kitchen, lag: LagOf) -> float:
        """Of the lag's seconds the share that is not over; 1 while it does not count, or no longer."""
        ended = kitchen.ends[lag.earlier]
        begun = self.outlook.first_piece_is_enough and kitchen.ends[lag.job] is not None
        if ended is None or kitchen.left[lag.earlier] or not kitchen.left[lag.job] or begun:
            return 1.0
        passed = kitchen.clock - ended
        if passed <= 0:
            return 1.0
        return max(1.0 - passed / lag.seconds, -1.0) if lag.seconds else -1.0

    # --- what it is worth ----------------------------------------------------------------------------

    def score(self, state: State) -> float:
        """The article's progress, 0 to 1, and once it is 1 the article's efficiency besides (section 4.2).

        Efficiency is the time saved by doing things at once over the time of all steps that run by
        themselves, 0 to 1. So whoever completes everything has more than who does not, and the more the
        earlier it is done.
        """
        done, steps = state.kitchen.done, len(self.compiled.jobs)
        if done < steps:
            return done / steps
        return 1.0 + self._saved(state.kitchen.finish)

    def _saved(self, finish: int) -> float:
        """The efficiency of whoever completes everything by then."""
        auto = self.outlook.autonomous_seconds
        return max(self.outlook.work_seconds - finish, 0) / auto if auto else 0.0

    def potential(self, state: State) -> float:
        """The rise if everything is complete as early as the outlook lets it be."""
        never = self.outlook.too_late(state.kitchen)
        return self.rise(state, None if never else self.outlook.earliest_finish(state.kitchen))

    def rise(self, state: State, finish: int | None) -> float:
        """The rest of the progress, and the efficiency of whoever is done by then; or else, the rest of the
        progress but one step."""
        done, steps = state.kitchen.done, len(self.compiled.jobs)
        if state.ended or done == steps:
            return 0.0
        if finish is None:
            return (steps - 1 - done) / steps
        return (steps - done) / steps + self._saved(finish)


def _whole(kitchen: Kitchen, job: Job, start: int) -> Piece:
    """All that is left of the job; all of it, where nothing is left."""
    return Piece(job.number, job.recipe, kitchen.left[job.index] or job.step.seconds, start)


def _share(value: int, most: int) -> float:
    return min(max(value, 0) / most, 1.0)


def encoding(world: Recipe2Plan) -> Recipe2PlanEncoding:
    """The encoding of a world; every scenario has one, under all rules."""
    return Recipe2PlanEncoding(world)
