"""One step of TimeArena over tables: a row is changed in place; see ``game.transition`` for what it means.

Acts, works and things are numbers, sets of them bits in words of 62: bit 3 of word 1 is number 65. All
functions run compiled and as plain Python.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.jit import compiled

Ints = NDArray[np.int64]

NONE = -1
RUNNING, COMPLETED, TIME_LIMIT, ERROR_LIMIT = range(4)
"""How an episode stands."""

ACCEPTED, OCCUPIED, UNMET, DONE = range(4)
"""What became of the last code; the reasons in the order in which they are looked at, and as
``encoding.REFUSED`` lists them."""

LONGEST_MINUTES = 10
"""As ``encoding.LONGEST_MINUTES``."""


class Tables(NamedTuple):
    """One scenario under its rules and limits.

    Of each act: the ``things`` it takes, what it ``needs`` to be finished (sets), its ``work`` (-1 for a
    thing paired with itself), ``duration``, the minutes it has ``earned`` at its end, and ``slot``, its
    place among those that go on by themselves (-1 if it holds the agent). ``act_of``: the act of each slot.
    A need that can never be met is one more work, behind all others.

    Of each work what ``encoding.Work`` has. ``n_works``, ``n_things``: how many there are. ``total``: all
    minutes. ``last_minute``, ``most_errors``: the limits, of which ``horizon`` and ``usual_errors`` are the
    measure where there are none. ``reachable``: as in the outlook.
    """

    n_works: int
    n_things: int
    total: int
    last_minute: int
    most_errors: int
    horizon: int
    usual_errors: int
    reachable: int
    errors_delay_score: int
    completion_needs_accepted: int
    things: Ints
    needs: Ints
    work: Ints
    duration: Ints
    earned: Ints
    slot: Ints
    act_of: Ints
    work_duration: Ints
    agent_minutes: Ints
    chain: Ints
    last: Ints


class Rows(NamedTuple):
    """Episodes; the first axis is theirs.

    ``finished`` works, works ``under_way`` and ``busy`` things are sets; ``ends``: the minute at which the
    act of each slot ends, 0 if it is not under way. ``refused``: what became of the last code. ``paired``:
    the act of the last accepted code, if it paired a thing with itself and held the agent. ``ended``: how
    the episode stands. ``risen``: the minute at which the score rose last; no state tells it.
    """

    minute: Ints
    finished: Ints
    under_way: Ints
    earned: Ints
    score: Ints
    errors: Ints
    busy: Ints
    ends: Ints
    refused: Ints
    paired: Ints
    ended: Ints
    risen: Ints


# --- start and step --------------------------------------------------------------------------------------


@compiled
def start(t: Tables, r: Rows, e: int, drawn: Any) -> None:
    """Minute 0."""
    r.minute[e] = 0
    r.earned[e] = 0
    r.score[e] = 0
    r.errors[e] = 0
    r.refused[e] = ACCEPTED
    r.paired[e] = NONE
    r.ended[e] = RUNNING
    r.risen[e] = 0
    r.finished[e] = 0
    r.under_way[e] = 0
    r.busy[e] = 0
    r.ends[e] = 0


@compiled
def step(t: Tables, r: Rows, e: int, drawn: Any, codes: Any) -> None:
    """The agent waits (code 0) or starts an act; what is refused costs a minute as well."""
    if r.ended[e] != RUNNING:
        return
    act = codes[0] - 1
    refused = ACCEPTED if act == NONE else obstacle(t, r, e, act)
    minutes, doing = 1, NONE
    if act != NONE and refused == ACCEPTED:
        if t.slot[act] == NONE:
            minutes, doing = t.duration[act], act
        else:
            _begin(t, r, e, act)
    minute = min(r.minute[e] + minutes, t.last_minute)
    credits = not (refused == OCCUPIED and t.errors_delay_score)
    for passing in range(r.minute[e] + 1, minute + 1):
        _run_on(t, r, e, passing)
        if credits:
            _credit(t, r, e, passing)
    if doing != NONE and minute == r.minute[e] + minutes:
        _finish(t, r, e, doing)
        _credit(t, r, e, minute)
    r.minute[e] = minute
    _count(t, r, e, refused, doing)


@compiled
def obstacle(t: Tables, r: Rows, e: int, act: int) -> int:
    """Why the act cannot start now, or ``ACCEPTED``."""
    for word in range(r.busy.shape[1]):
        if t.things[act, word] & r.busy[e, word]:
            return OCCUPIED
    for word in range(r.finished.shape[1]):
        if t.needs[act, word] & ~r.finished[e, word]:
            return UNMET
    work = t.work[act]
    if work == NONE:
        return DONE if r.paired[e] == act else ACCEPTED
    return DONE if r.finished[e, work // 62] >> (work % 62) & 1 else ACCEPTED


@compiled
def _begin(t: Tables, r: Rows, e: int, act: int) -> None:
    """The act goes on by itself from now on, and holds its things."""
    r.ends[e, t.slot[act]] = r.minute[e] + t.duration[act]
    for word in range(r.busy.shape[1]):
        r.busy[e, word] |= t.things[act, word]
    work = t.work[act]
    if work != NONE:
        r.under_way[e, work // 62] |= 1 << (work % 62)


@compiled
def _run_on(t: Tables, r: Rows, e: int, minute: int) -> None:
    """What goes on by itself ends, if it does so by this minute."""
    for slot in range(r.ends.shape[1]):
        if 0 < r.ends[e, slot] <= minute:
            act = t.act_of[slot]
            r.ends[e, slot] = 0
            for word in range(r.busy.shape[1]):
                r.busy[e, word] &= ~t.things[act, word]
            _finish(t, r, e, act)


@compiled
def _finish(t: Tables, r: Rows, e: int, act: int) -> None:
    work = t.work[act]
    if work != NONE:
        bit = 1 << (work % 62)
        r.finished[e, work // 62] |= bit
        r.under_way[e, work // 62] &= ~bit
        r.earned[e] += t.earned[act]


@compiled
def _credit(t: Tables, r: Rows, e: int, minute: int) -> None:
    """The score catches up with what is earned."""
    score = 100 * r.earned[e] // t.total
    if score != r.score[e]:
        r.score[e] = score
        r.risen[e] = minute


@compiled
def _count(t: Tables, r: Rows, e: int, refused: int, doing: int) -> None:
    """Errors are counted, the limits are looked at."""
    r.refused[e] = refused
    if refused == ACCEPTED:
        r.errors[e] = 0
        r.paired[e] = doing if doing != NONE and t.work[doing] == NONE else NONE
    else:
        r.errors[e] += 1
    if r.score[e] == 100 and (refused == ACCEPTED or not t.completion_needs_accepted):
        r.ended[e] = COMPLETED
    elif r.minute[e] >= t.last_minute:
        r.ended[e] = TIME_LIMIT
    elif r.errors[e] >= t.most_errors:
        r.ended[e] = ERROR_LIMIT


@compiled
def over(t: Tables, r: Rows, e: int) -> bool:
    """Whether the episode has ended."""
    return bool(r.ended[e] != RUNNING)


@compiled
def cut_off(t: Tables, r: Rows, e: int) -> bool:
    """Whether a limit ended the episode."""
    return bool(r.ended[e] == TIME_LIMIT or r.ended[e] == ERROR_LIMIT)


# --- what is seen of it ----------------------------------------------------------------------------------


@compiled
def mask(t: Tables, r: Rows, e: int, body: int, out: Any) -> None:
    """See ``encoding.TimeArenaEncoding.mask``."""
    out[0] = 1
    running = r.ended[e] == RUNNING
    for act in range(t.work.shape[0]):
        out[1 + act] = 1 if running and obstacle(t, r, e, act) == ACCEPTED else 0


@compiled
def features(t: Tables, r: Rows, e: int, body: int, out: Any) -> None:
    """See ``encoding.TimeArenaEncoding.feature_names``."""
    out[0] = min(r.minute[e] / t.horizon, 1.0)
    out[1] = min(r.errors[e] / t.usual_errors, 1.0)
    for reason in range(OCCUPIED, DONE + 1):
        out[1 + reason] = 1.0 if r.refused[e] == reason else 0.0
    out[5] = 0.0  # no code is refused for anything else
    works, left = 6, 6 + t.n_works
    for work in range(t.n_works):
        out[works + work] = r.finished[e, work // 62] >> (work % 62) & 1
        out[left + work] = 0.0
    for slot in range(r.ends.shape[1]):
        work = t.work[t.act_of[slot]]
        if r.ends[e, slot] and work != NONE:
            out[left + work] = min((r.ends[e, slot] - r.minute[e]) / LONGEST_MINUTES, 1.0)
    things = left + t.n_works
    for thing in range(t.n_things):
        out[things + thing] = r.busy[e, thing // 62] >> (thing % 62) & 1


@compiled
def score(t: Tables, r: Rows, e: int) -> float:
    """See ``encoding.TimeArenaEncoding.score``."""
    progress: int = r.score[e]
    if progress < 100:
        return progress / 100
    minute: int = r.minute[e]
    return 1.0 + max(1.0 - minute / t.horizon, 0.0)


@compiled
def potential(t: Tables, r: Rows, e: int) -> float:
    """See ``encoding.TimeArenaEncoding.potential``."""
    return rise(t, r, e, minutes_left(t, r, e))


@compiled
def rise(t: Tables, r: Rows, e: int, least: int) -> float:
    """See ``encoding.TimeArenaEncoding.rise``; ``least``: the minutes that it takes yet."""
    progress: int = r.score[e]
    if r.ended[e] != RUNNING or progress == 100:
        return 0.0
    earliest: int = r.minute[e] + least
    if t.reachable < 100 or earliest > t.last_minute:
        return (min(t.reachable, 99) - progress) / 100
    return (100 - progress) / 100 + max(1.0 - earliest / t.horizon, 0.0)


@compiled
def minutes_left(t: Tables, r: Rows, e: int) -> int:
    """See ``encoding.Outlook.minutes_left``."""
    longest = agent = 0
    alone_at_last = NONE
    for slot in range(r.ends.shape[1]):
        work = t.work[t.act_of[slot]]
        if r.ends[e, slot] and work != NONE:
            left = r.ends[e, slot] - r.minute[e]
            longest = max(longest, left + t.chain[work] - t.work_duration[work])
    for work in range(t.n_works):
        word, bit = work // 62, 1 << (work % 62)
        if (r.finished[e, word] | r.under_way[e, word]) & bit:
            continue
        agent += t.agent_minutes[work]
        longest = max(longest, t.chain[work])
        alone = t.work_duration[work] - t.agent_minutes[work]
        if t.last[work] and not 0 <= alone_at_last <= alone:
            alone_at_last = alone
    return max(longest, agent + max(alone_at_last, 0))
