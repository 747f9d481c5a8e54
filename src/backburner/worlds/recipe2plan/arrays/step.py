"""One step of Recipe2Plan over tables: a row is changed in place; see ``game.transition`` for what it means.

Jobs, appliances and lags are numbers; times are seconds, -1 where there is none. What goes on by itself needs
no list: it is the autonomous jobs that end after now, as each is done in one go. Of an appliance only the
last interval in which it was taken counts: nothing can begin before that. All functions run compiled and as
plain Python.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.jit import compiled

Ints = NDArray[np.int64]

NONE = -1
NO_HEAT = -(1 << 40)

OPENING, CARRIED_OUT, REFUSED, STATED, FINISHED = range(5)
"""What became of the last code."""

(
    ACCEPTED, OCCUPIED, PROPERTY, LAG, DONE, RUNS, EXCEEDS, NOT_SPLITTABLE, INCOMPLETE, UNFINISHED, NO_ACTION
) = range(11)  # fmt: skip
"""Why it was refused, as ``encoding.REFUSED`` lists them."""

GOES_ON, COMPLETED, FINISH, TURN_LIMIT, REVISION_LIMIT, TIME_CONSTRAINT, STUCK, TIME_LIMIT = range(8)
"""How an episode stands."""

HOTTEST = 500
"""As ``encoding.HOTTEST``."""


class Tables(NamedTuple):
    """One scenario under its rules and limits.

    First how many there are of what; the limits, and in ``usual_...`` the measure where there is no limit;
    ``done_at``: the complete jobs with which play ends; ``work_seconds`` and ``autonomous_seconds`` of all
    jobs. Then rules, 1 or 0, and ``asks``: whether the cook is asked for its beliefs.

    Of each job ``seconds``, ``autonomous``, ``splittable``, ``appliance``, the heat that it ``sets`` or
    ``wants``, ``tail`` and ``last`` as in the outlook. Job *j* needs ``needs[needs_from[j] : needs_from[j +
    1]]``, and has the lags from ``lags_from[j]`` on, each of which counts from the end of ``lag_earlier`` and
    is over after ``lag_seconds``. ``split_jobs``: those that may be split.
    """

    n_jobs: int
    n_lags: int
    n_appliances: int
    most_turns: int
    most_revisions: int
    most_alike: int
    latest: int
    usual_turns: int
    usual_revisions: int
    usual_alike: int
    done_at: int
    work_seconds: int
    autonomous_seconds: int
    asks: int
    refused_move_clock: int
    cuts_short: int
    lags_first: int
    lags_unnoticed: int
    mixed_up: int
    second_0_forgotten: int
    last_revision_ends: int
    stuck_by_message: int
    first_piece: int
    violation_ends: int
    seconds: Ints
    autonomous: Ints
    splittable: Ints
    appliance: Ints
    sets: Ints
    wants: Ints
    tail: Ints
    last: Ints
    needs_from: Ints
    needs: Ints
    lags_from: Ints
    lag_job: Ints
    lag_earlier: Ints
    lag_seconds: Ints
    split_jobs: Ints


class Rows(NamedTuple):
    """Episodes; the first axis is theirs.

    The kitchen as in ``game.state``: the seconds ``left`` of each job and when its last piece ``ends``; the
    last interval of each appliance, ``busy_from`` to ``busy_until``, and its ``heat``. The limits' counters;
    ``failure``: four numbers that are the same for what counts as the same. ``kind``: what became of the last
    code, ``refused``: why it was refused, if so; ``ended``: how the episode stands.
    """

    clock: Ints
    left: Ints
    ends: Ints
    busy_from: Ints
    busy_until: Ints
    heat: Ints
    done: Ints
    actions: Ints
    worked: Ints
    finish: Ints
    turns: Ints
    revisions: Ints
    alike: Ints
    failure: Ints
    kind: Ints
    refused: Ints
    ended: Ints


# --- start and step --------------------------------------------------------------------------------------


@compiled
def start(t: Tables, r: Rows, e: int, drawn: Any) -> None:
    """Second 0."""
    for job in range(t.n_jobs):
        r.left[e, job] = t.seconds[job]
        r.ends[e, job] = NONE
    for place in range(t.n_appliances):
        r.busy_from[e, place] = 0
        r.busy_until[e, place] = 0
        r.heat[e, place] = NO_HEAT
    for number in range(4):
        r.failure[e, number] = NONE
    r.clock[e] = 0
    r.done[e] = 0
    r.actions[e] = 0
    r.worked[e] = 0
    r.finish[e] = 0
    r.turns[e] = 0
    r.revisions[e] = 0
    r.alike[e] = 0
    r.kind[e] = OPENING
    r.refused[e] = ACCEPTED
    r.ended[e] = GOES_ON


@compiled
def step(t: Tables, r: Rows, e: int, drawn: Any, codes: Any) -> None:
    """The cook does what the code stands for now; see ``encoding.Recipe2PlanEncoding``."""
    if r.ended[e] != GOES_ON:
        return
    code, before, clock = codes[0], r.kind[e], r.clock[e]
    kind, refused, job, seconds, begin, x, y = REFUSED, NO_ACTION, 0, 0, 0, 0, 0
    if code == 0 and t.asks and before == OPENING:
        kind, refused = STATED, ACCEPTED
    elif code == 1:
        kind, refused = FINISHED, ACCEPTED
    elif code > 1:
        job, seconds, begin = piece(t, r, e, code)
        if seconds:
            refused, x, y = obstacle(t, r, e, job, seconds, begin)
            if refused == ACCEPTED:
                kind = CARRIED_OUT
                _perform(t, r, e, job, seconds, begin)
            elif t.refused_move_clock and begin > clock:
                r.clock[e] = begin
    _note_failure(t, r, e, kind, refused, job, seconds, begin, x, y)
    if kind != FINISHED and kind != STATED:
        r.turns[e] += 1
    if before == REFUSED:
        r.revisions[e] += 1
    r.kind[e] = kind
    r.refused[e] = refused
    r.ended[e] = _end(t, r, e, r.clock[e] != clock)


@compiled
def piece(t: Tables, r: Rows, e: int, code: int) -> tuple[int, int, int]:
    """(job, seconds, start) of a code from 2 on; 0 seconds where it stands for nothing now."""
    if code < 2 + t.n_jobs:
        job = code - 2
        begin = early(t, r, e, job)
        return job, _whole(t, r, e, job), r.clock[e] if begin == NONE else begin
    first, last = running(t, r, e)
    if last == NONE:
        return 0, 0, 0
    if code < 2 + 2 * t.n_jobs:
        job = code - 2 - t.n_jobs
        return job, _whole(t, r, e, job), last
    job = t.split_jobs[code - 2 - 2 * t.n_jobs]
    seconds = first - r.clock[e]
    if seconds >= r.left[e, job]:
        return 0, 0, 0
    return job, seconds, r.clock[e]


@compiled
def _whole(t: Tables, r: Rows, e: int, job: int) -> int:
    """All that is left of the job; all of it, where nothing is left."""
    left: int = r.left[e, job]
    whole: int = t.seconds[job]
    return left if left else whole


@compiled
def running(t: Tables, r: Rows, e: int) -> tuple[int, int]:
    """The first and the last end of what goes on by itself now; -1 where nothing does."""
    first = last = NONE
    for job in range(t.n_jobs):
        ends = r.ends[e, job]
        if t.autonomous[job] and ends > r.clock[e]:
            last = max(last, ends)
            first = ends if first == NONE else min(first, ends)
    return first, last


@compiled
def early(t: Tables, r: Rows, e: int, job: int) -> int:
    """The first second at which all that is left of the job is accepted: now, or when something ends."""
    left, best = r.left[e, job], NONE
    if not left:
        return NONE
    if obstacle(t, r, e, job, left, r.clock[e])[0] == ACCEPTED:
        return int(r.clock[e])
    for other in range(t.n_jobs):
        ends = r.ends[e, other]
        if not t.autonomous[other] or ends <= r.clock[e] or NONE < best <= ends:
            continue
        if obstacle(t, r, e, job, left, ends)[0] == ACCEPTED:
            best = ends
    return best


# --- why not ---------------------------------------------------------------------------------------------


@compiled
def obstacle(t: Tables, r: Rows, e: int, job: int, seconds: int, begin: int) -> tuple[int, int, int]:
    """Why the piece is refused, or ``ACCEPTED``; and two facts, of those that the release's message tells:
    what does not follow from job and reason."""
    place = t.appliance[job]
    if place != NONE:
        stop, heat = begin + seconds, r.heat[e, place]
        begun, over_at = r.busy_from[e, place], r.busy_until[e, place]
        together = begun == begin and over_at == stop and t.sets[job] != NO_HEAT and t.sets[job] == heat
        if begun < stop and begin < over_at and not together:
            return OCCUPIED, begin, 0
        if t.wants[job] != NO_HEAT and t.wants[job] != heat:
            return PROPERTY, begin, heat
    late = _late(t, r, e, job, begin)
    if t.lags_first and late != NONE:
        return LAG, late, 0
    if seconds != r.left[e, job] and not (seconds < r.left[e, job] and t.splittable[job]):
        return _wrong_length(t, r, e, job, seconds, begin)
    for index in range(t.needs_from[job], t.needs_from[job + 1]):
        need = t.needs[index]
        ends = r.ends[e, need]
        if r.left[e, need] or ends == NONE:
            return INCOMPLETE, need, 0
        if ends > begin:
            return UNFINISHED, need, ends
    return (ACCEPTED, 0, 0) if late == NONE else (LAG, late, 0)


@compiled
def _late(t: Tables, r: Rows, e: int, job: int, begin: int) -> int:
    """The lag that is broken by beginning then."""
    if t.first_piece and r.ends[e, job] != NONE:
        return NONE
    for lag in range(t.lags_from[job], t.lags_from[job + 1]):
        ended = r.ends[e, t.lag_earlier[lag]]
        if ended != NONE and begin - ended > t.lag_seconds[lag]:
            return lag
    return NONE


@compiled
def _wrong_length(t: Tables, r: Rows, e: int, job: int, seconds: int, begin: int) -> tuple[int, int, int]:
    left, ended = r.left[e, job], r.ends[e, job]
    if seconds < left:
        return NOT_SPLITTABLE, _printed(left), 0
    if not left:
        if ended > begin and not t.mixed_up:
            return RUNS, ended, 0
        return DONE, 0, 0
    known = ended > 0 or (ended == 0 and not t.second_0_forgotten)
    if t.mixed_up and known and ended < begin:
        return RUNS, ended, 0
    return EXCEEDS, _printed(seconds), _printed(left)


@compiled
def _printed(seconds: int) -> int:
    """A number for a length as the release prints it, in whole hours, minutes or seconds: lengths that are
    printed alike have the same."""
    if seconds >= 3600:
        return 7200 + seconds // 3600
    return 3600 + seconds // 60 if seconds >= 60 else seconds


# --- what happens ----------------------------------------------------------------------------------------


@compiled
def _perform(t: Tables, r: Rows, e: int, job: int, seconds: int, begin: int) -> None:
    """The piece is accepted."""
    stop, place = begin + seconds, t.appliance[job]
    r.clock[e] = begin if t.autonomous[job] else stop
    if seconds == r.left[e, job]:
        r.done[e] += 1
    r.left[e, job] -= seconds
    r.ends[e, job] = stop
    r.actions[e] += 1
    r.worked[e] += seconds
    r.finish[e] = max(r.finish[e], stop)
    if place != NONE:
        r.busy_from[e, place] = begin
        r.busy_until[e, place] = stop
        if t.sets[job] != NO_HEAT:
            r.heat[e, place] = t.sets[job]


@compiled
def _note_failure(
    t: Tables, r: Rows, e: int, kind: int, why: int, job: int, seconds: int, begin: int, x: int, y: int
) -> None:
    """Refusals of the same thing in a row are counted: by what was decided, or by the release's message."""
    if kind == STATED:
        return
    a, b, c, d = NONE, NONE, NONE, NONE
    if why == NO_ACTION:
        a = NO_ACTION
    elif why != ACCEPTED and t.stuck_by_message:
        a, b, c, d = why, job, x, y
    elif why != ACCEPTED:
        a, b, c, d = 0, job, seconds, begin
    f = r.failure
    same = f[e, 0] == a and f[e, 1] == b and f[e, 2] == c and f[e, 3] == d
    r.alike[e] = 0 if why == ACCEPTED else r.alike[e] + 1 if same else 1
    f[e, 0], f[e, 1], f[e, 2], f[e, 3] = a, b, c, d


@compiled
def _end(t: Tables, r: Rows, e: int, moved: bool) -> int:
    """See ``game.transition``."""
    refused = r.kind[e] == REFUSED
    if r.done[e] == t.done_at:
        return COMPLETED
    if r.kind[e] == FINISHED:
        return FINISH
    if r.clock[e] >= t.latest:
        return TIME_LIMIT
    if r.turns[e] >= t.most_turns:
        return TURN_LIMIT
    if r.revisions[e] >= t.most_revisions and (refused or t.last_revision_ends):
        return REVISION_LIMIT
    if t.violation_ends:
        noticed = moved and not t.lags_unnoticed and too_late(t, r, e)
        if noticed or r.refused[e] == LAG:
            return TIME_CONSTRAINT
    return STUCK if r.alike[e] >= t.most_alike else GOES_ON


@compiled
def too_late(t: Tables, r: Rows, e: int) -> bool:
    """Whether a lag can no longer be kept."""
    for lag in range(t.n_lags):
        job, earlier = t.lag_job[lag], t.lag_earlier[lag]
        if r.left[e, earlier] or not r.left[e, job] or (t.first_piece and r.ends[e, job] != NONE):
            continue
        if r.clock[e] - r.ends[e, earlier] > t.lag_seconds[lag]:
            return True
    return False


@compiled
def over(t: Tables, r: Rows, e: int) -> bool:
    """Whether the episode has ended."""
    return bool(r.ended[e] != GOES_ON)


@compiled
def cut_off(t: Tables, r: Rows, e: int) -> bool:
    """Whether a limit ended the episode."""
    return bool(r.ended[e] >= TURN_LIMIT)
