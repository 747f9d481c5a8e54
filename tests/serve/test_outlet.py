"""What waits for a page: the newest frame, everything else in order, and never more than so much."""

from __future__ import annotations

import asyncio

from backburner.serve.outlet import SLOW, Outlet


def sent(outlet: Outlet) -> list[str]:
    """All that a page is sent by an outlet that is closed."""

    async def read() -> list[str]:
        messages = []
        while (message := await outlet.next()) is not None:
            messages.append(message)
        return messages

    return asyncio.run(asyncio.wait_for(read(), 5))


def test_messages_keep_their_order_and_frames_their_place_among_them() -> None:
    outlet = Outlet()
    outlet.tell("welcome")
    outlet.show("frame 1")
    outlet.tell("turn 1")
    outlet.close("over")
    assert sent(outlet) == ["welcome", "frame 1", "turn 1", "over"]


def test_only_the_newest_frame_is_sent_and_what_happened_before_it() -> None:
    outlet = Outlet()
    outlet.show("frame 1", lambda: "events of 1")
    outlet.tell("people")
    outlet.show("frame 2")
    outlet.show("frame 3")
    outlet.close()
    assert sent(outlet) == ["events of 1", "people", "frame 3"]


def test_a_frame_that_was_sent_is_not_told_again() -> None:
    async def played() -> list[str | None]:
        outlet = Outlet()
        outlet.show("frame 1", lambda: "events of 1")
        first = await outlet.next()
        outlet.show("frame 2")
        outlet.close()
        return [first, await outlet.next(), await outlet.next()]

    assert asyncio.run(played()) == ["frame 1", "frame 2", None]


def test_a_reader_that_reads_nothing_is_let_go_with_a_reason() -> None:
    outlet = Outlet(most=3)
    for number in range(10):
        outlet.tell(str(number))
    outlet.show("frame")
    assert outlet.closed
    assert sent(outlet) == [SLOW]


def test_frames_alone_never_fill_it() -> None:
    outlet = Outlet(most=3)
    for number in range(10_000):
        outlet.show(f"frame {number}")
    outlet.close("bye")
    assert sent(outlet) == ["frame 9999", "bye"]


def test_waiting_for_a_message_ends_when_one_comes() -> None:
    async def played() -> str | None:
        outlet = Outlet()
        waiting = asyncio.create_task(outlet.next())
        await asyncio.sleep(0)
        outlet.tell("hello")
        return await asyncio.wait_for(waiting, 5)

    assert asyncio.run(played()) == "hello"
