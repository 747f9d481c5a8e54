"""The worker's process, whatever it does: its faults are one line each, and nothing of it is left running."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from backburner.live.messages import LONGEST_LINE, Done, Event, Hello, LiveError, Say, Versions
from backburner.live.worker import MOST_EVENTS, Worker
from support.live.node_folder import program


def play(
    folder: Path, how: str, playing: Callable[[Worker], Awaitable[None]], timeout: float = 20
) -> tuple[float, list[int]]:
    """Play with a worker that fails like this; how long it took to end, and the processes that there were."""
    note = folder / "processes"

    async def all_of_it() -> float:
        command = program("support.live.worker", how, str(note))
        worker = await Worker.start(command, folder)
        try:
            await asyncio.wait_for(playing(worker), timeout)
        finally:
            began = time.monotonic()
            await worker.close()
        return time.monotonic() - began

    seconds = asyncio.run(all_of_it())
    return seconds, [int(number) for number in note.read_text().split()]


def runs(process: int) -> bool:
    """Whether it runs; one that ended and that nobody has asked about yet does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def gone(processes: list[int]) -> bool:
    end = time.monotonic() + 5
    while any(map(runs, processes)) and time.monotonic() < end:
        time.sleep(0.05)
    return not any(map(runs, processes))


async def hello(worker: Worker, timeout: float = 10) -> Versions:
    return await worker.ask(Hello(), Versions, timeout)


def test_it_answers_and_ends(tmp_path: Path) -> None:
    async def playing(worker: Worker) -> None:
        assert await hello(worker) == Versions("24.0.0", "4.39.0", "2.4.5")
        assert await worker.ask(Say(bot="alex", text="hi"), Done, 10) == Done()
        assert worker.alive

    seconds, processes = play(tmp_path, "well", playing)
    assert seconds < 3 and gone(processes)


def test_two_requests_at_once_get_their_own_answers(tmp_path: Path) -> None:
    async def playing(worker: Worker) -> None:
        both = await asyncio.gather(hello(worker), worker.ask(Say(bot="alex", text="hi"), Done, 10))
        assert both == [Versions("24.0.0", "4.39.0", "2.4.5"), Done()]

    play(tmp_path, "well", playing)


FAULTS = {
    "dies": r"the worker failed: it ended with exit code 7 \(it printed: Error: the heap is full\)",
    "garbage": r"the worker failed: it said what is no message: JSON is malformed",
    "no object": r"the worker failed: it said what is no message: Expected `object`, got `array`",
    "too long": rf"the worker failed: it said a line of more than {LONGEST_LINE:,} characters",
    "stranger": r"the worker failed: .* an answer to request 99, which was never made",
    "lacks": r"the worker failed: its answer to hello cannot be read: .*`mineflayer`",
}


@pytest.mark.parametrize("how", FAULTS)
def test_a_fault_is_one_line_and_leaves_no_process(how: str, tmp_path: Path) -> None:
    async def playing(worker: Worker) -> None:
        with pytest.raises(LiveError, match=FAULTS[how]) as failed:
            await hello(worker)
        assert failed.value.kind == "worker" and str(failed.value).isprintable()
        with pytest.raises(LiveError, match="the worker failed"):  # and it stays so
            await hello(worker)

    seconds, processes = play(tmp_path, how, playing)
    assert seconds < 3 and gone(processes)


def test_a_worker_that_hangs_is_killed_with_what_it_started(tmp_path: Path) -> None:
    async def playing(worker: Worker) -> None:
        with pytest.raises(LiveError, match=r"it does not answer hello within 0.5 s"):
            await hello(worker, timeout=0.5)

    _, processes = play(tmp_path, "hangs", playing)
    assert gone(processes)


def test_a_worker_that_does_not_end_is_killed(tmp_path: Path) -> None:
    async def playing(worker: Worker) -> None:
        await hello(worker)

    seconds, processes = play(tmp_path, "never ends", playing)
    assert seconds < 20 and gone(processes)


def test_whoever_no_longer_waits_does_not_break_it(tmp_path: Path) -> None:
    async def playing(worker: Worker) -> None:
        asked = asyncio.create_task(hello(worker))
        await asyncio.sleep(0.1)
        asked.cancel()
        assert (await hello(worker)).node == "24.0.0"  # the answer to the first came before it

    play(tmp_path, "hangs once", playing)


def test_whoever_asks_while_the_loop_ends_is_not_waited_for(tmp_path: Path) -> None:
    """Then no task reads answers any more."""
    command = program("support.live.worker", "answers", str(tmp_path / "processes"))

    async def asked_at_the_end() -> None:
        worker = await Worker.start(command, tmp_path)
        await hello(worker)
        worker._reading.cancel()  # as asyncio.run does, which then has whatever is left clear up
        with pytest.raises(LiveError, match="no longer listened to"):
            await hello(worker, timeout=600)
        await worker.close()

    asyncio.run(asyncio.wait_for(asked_at_the_end(), 60))


def test_who_is_cancelled_while_the_answer_comes_is_cancelled(tmp_path: Path) -> None:
    """Whoever ends a game must not wait for somebody who goes on."""

    async def playing(worker: Worker) -> None:
        asked = asyncio.create_task(hello(worker))
        await asyncio.sleep(0)
        (answer,) = worker._waiting.values()
        answer.set_result(b'{"id": 1, "ok": true}')
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    play(tmp_path, "answers", playing)


def test_what_the_worker_refuses_has_its_kind(tmp_path: Path) -> None:
    async def playing(worker: Worker) -> None:
        with pytest.raises(LiveError, match=r"^alex is not an operator$") as refused:
            await hello(worker)
        assert refused.value.kind == "refused" and worker.alive

    play(tmp_path, "refuses", playing)


def test_events_are_kept_up_to_a_number(tmp_path: Path) -> None:
    async def playing(worker: Worker) -> None:
        await hello(worker)
        assert len(worker.events) == MOST_EVENTS
        assert worker.events[-1] == Event("chat", "Maya", "4999")

    play(tmp_path, "talks", playing)


def test_a_request_that_is_too_long_is_not_sent(tmp_path: Path) -> None:
    async def playing(worker: Worker) -> None:
        with pytest.raises(LiveError, match=r"say has 1,048,\d+ bytes, more than 1,048,576"):
            await worker.ask(Say(bot="alex", text="x" * LONGEST_LINE), Done, 10)
        await hello(worker)

    play(tmp_path, "well", playing)


def test_what_cannot_be_started_is_told(tmp_path: Path) -> None:
    with pytest.raises(LiveError, match="the worker cannot be started") as failed:
        asyncio.run(Worker.start([str(tmp_path / "no-such-node")], tmp_path))
    assert failed.value.kind == "worker"


def test_what_persons_said_is_heard_once(tmp_path: Path) -> None:
    async def playing(worker: Worker) -> None:
        await hello(worker)
        worker.events.append(Event("kicked", bot="steve", why="idle"))
        heard = worker.heard()
        assert len(heard) == MOST_EVENTS - 1 and heard[-1] == Event("chat", "Maya", "4999")
        assert worker.heard() == () and list(worker.events) == [Event("kicked", bot="steve", why="idle")]

    play(tmp_path, "talks", playing)
