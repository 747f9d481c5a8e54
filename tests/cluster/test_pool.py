"""Workers that come and go, and work that is done again; with workers that are plain objects."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from backburner.cluster.pool import (
    MOST_LOST,
    MOST_STARTS,
    Failure,
    Lost,
    Outbox,
    Pool,
    do_all,
    failure_of,
)
from backburner.kernel.errors import Refused, RunStops


class Plain:
    """A worker that doubles numbers; those that it is lost by are named."""

    def __init__(self, machines: Machines) -> None:
        self.machines, self.outbox, self.busy, self.ended = machines, Outbox(), 0, asyncio.Event()

    async def call(self, method, *arguments):
        work = asyncio.ensure_future(getattr(self, method)(*arguments))
        ended = asyncio.ensure_future(self.ended.wait())
        await asyncio.wait({work, ended}, return_when=asyncio.FIRST_COMPLETED)
        if self.ended.is_set():
            work.cancel()
            raise Lost("it ended")
        ended.cancel()
        return work.result()

    async def exchange(self, answers):
        return await self.outbox.exchange(answers)

    async def leave(self):
        self.machines.left += 1

    async def double(self, number):
        self.busy += 1
        self.machines.most = max(self.machines.most, self.busy)
        await asyncio.sleep(0.002)
        self.busy -= 1
        self.machines.asked[number] += 1
        if number in self.machines.deadly and self.machines.asked[number] <= self.machines.deadly[number]:
            self.end()
        return 2 * number

    async def fail(self):
        return failure_of(RunStops("the key was refused"))

    async def asks(self, what):
        return await self.outbox.ask(1, what)

    async def asks_and_dies(self, what):
        asyncio.get_running_loop().call_later(0.01, self.end)
        return await self.outbox.ask(1, what)

    def end(self):
        self.ended.set()


class Machines:
    def __init__(self, deadly=None, broken=0) -> None:
        self.deadly, self.broken = deadly or {}, broken
        self.asked: Counter[int] = Counter()
        self.started = self.most = self.left = 0
        self.cpus = 2

    async def start(self):
        self.started += 1
        if self.started <= self.broken:
            raise Lost("no machine")
        return Plain(self)


async def ready(worker):
    pass


async def echo(question):
    return question.method


def pool(machines, size=2, room=1, begin=ready, answer=echo, tell=lambda line: None):
    return Pool(machines, size, begin, answer, room=room, tell=tell)


def test_work_is_spread_and_workers_are_asked_to_leave() -> None:
    machines = Machines()

    async def work():
        async with pool(machines) as workers:
            return await asyncio.gather(*(workers.do("double", number) for number in range(20)))

    assert asyncio.run(work()) == [2 * number for number in range(20)]
    assert (machines.started, machines.most, machines.left) == (2, 1, 2)


def test_a_worker_with_room_has_many_calls_in_hand() -> None:
    machines = Machines()

    async def work():
        async with pool(machines, size=1, room=8) as workers:
            await asyncio.gather(*(workers.do("double", number) for number in range(8)))

    asyncio.run(work())
    assert machines.most == 8


def test_who_is_lost_is_replaced_and_the_caller_told() -> None:
    machines, told = Machines({3: 1}), []

    async def work():
        async with pool(machines, tell=told.append) as workers:
            with pytest.raises(Lost, match="it ended"):
                await workers.do("double", 3)
            return await workers.do("double", 3)

    assert asyncio.run(work()) == 6
    assert machines.started == 3
    assert told == ["a worker was lost, and what it had in hand is done again (it ended)"]


def test_what_a_lost_worker_asked_is_answered_before_its_caller_goes_on() -> None:
    """Otherwise an answer that was paid for could come after its episode has begun again."""
    heard = []

    async def slowly(asked):
        await asyncio.sleep(0.05)
        heard.append(asked.method)

    async def work():
        async with pool(Machines(), size=1, answer=slowly) as workers:
            with pytest.raises(Lost):
                await workers.do("asks_and_dies", "an answer")
            return list(heard)

    assert asyncio.run(work()) == ["an answer"]


def test_an_answer_that_goes_wrong_reaches_who_asked() -> None:
    async def refuse(asked):
        raise RunStops("the budget of 3 calls is used up")

    async def work():
        async with pool(Machines(), answer=refuse) as workers:
            await workers.do("asks", 1)

    with pytest.raises(RunStops, match="budget of 3 calls"):
        asyncio.run(work())


def test_an_error_of_the_work_is_raised() -> None:
    async def work():
        async with pool(Machines()) as workers:
            await workers.do("fail")

    with pytest.raises(RunStops, match="key was refused"):
        asyncio.run(work())


def test_a_start_may_fail_now_and_then() -> None:
    machines = Machines(broken=MOST_STARTS - 1)

    async def work():
        async with pool(machines, size=1) as workers:
            return await workers.do("double", 4)

    assert asyncio.run(work()) == 8


def test_where_nobody_comes_to_work_the_run_stops() -> None:
    async def work():
        async with pool(Machines(broken=100)) as workers:
            await workers.do("double", 4)

    with pytest.raises(RunStops, match="comes to work: no machine"):
        asyncio.run(work())


def test_a_worker_that_will_not_do_stops_all() -> None:
    async def unlike(worker):
        raise Refused("the worker on there has Python 3.10")

    async def work():
        async with pool(Machines(), begin=unlike) as workers:
            await workers.do("double", 4)

    with pytest.raises(Refused, match=r"Python 3\.10"):
        asyncio.run(work())


def test_questions_that_wait_go_together() -> None:
    async def talk():
        outbox = Outbox()
        asked = [asyncio.create_task(outbox.ask(7, each)) for each in "ab"]
        first = await outbox.exchange([])
        again = asyncio.create_task(
            outbox.exchange([(first[0].number, "A"), (first[1].number, Failure("not b"))])
        )
        answer = await asked[0]
        with pytest.raises(Refused, match="not b"):
            await asked[1]
        later = asyncio.create_task(outbox.ask(7, "c", 3))
        (third,) = await again
        later.cancel()
        return [each.method for each in first], answer, (third.episode, third.method, third.arguments)

    assert asyncio.run(talk()) == (["a", "b"], "A", (7, "c", (3,)))


# --- many pieces of work -----------------------------------------------------------------------------------


def played(machines, items):
    """(what was done, what was given up) of the items, four at a time; those of a lost piece count when all
    of it is done."""
    done, given_up = [], []

    async def work():
        async with pool(machines) as workers:

            async def do(some):
                done.extend([item for item in some if await workers.do("double", item) == 2 * item])

            await do_all(items, 4, do, lambda item, why: given_up.append((item, why)))

    asyncio.run(work())
    return done, given_up


def test_all_is_done_once_though_workers_are_lost() -> None:
    machines = Machines({2: 1, 5: 2, 11: 1})
    done, given_up = played(machines, range(16))
    assert sorted(done) == list(range(16))
    assert given_up == []
    assert machines.started == 2 + 4
    assert all(1 <= machines.asked[item] <= 4 for item in range(16))


def test_what_workers_are_lost_by_is_given_up_and_the_rest_done() -> None:
    machines = Machines({5: 100})
    done, given_up = played(machines, range(8))
    assert sorted(done) == [0, 1, 2, 3, 4, 6, 7]
    assert given_up == [(5, "3 workers were lost by it (it ended)")]
    assert machines.asked[5] == 1 + MOST_LOST  # once among others


def test_an_error_ends_all() -> None:
    async def do(some):
        raise Refused(f"no {some[0]}")

    with pytest.raises(Refused, match="no 0"):
        asyncio.run(do_all(range(4), 1, do, lambda item, why: None))
