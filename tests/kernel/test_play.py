"""The one loop: who is asked, what is recorded, how it ends."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Mapping
from pathlib import Path
from threading import Event, Thread, main_thread
from typing import Any

import pytest
from msgspec import to_builtins

from backburner.kernel.episode import Ending, Entry, Episode, Header, Player, read_episode, write_episode
from backburner.kernel.errors import PolicyFailure, PolicyStops, Refused
from backburner.kernel.play import play, play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Fault, Refusal, Thought, Usage, canonical_json, digest, writable
from support.policies import Answers, Calls, FirstOnMenu
from support.small_worlds.mute import Mute
from support.small_worlds.relay import (
    READER,
    RUNNER,
    SEATS,
    UNREADABLE,
    Limits,
    Nod,
    Oil,
    Press,
    Relay,
    Rest,
    Say,
)


def resting(reader: Any = None, runner: Any = None) -> Mapping[str, Any]:
    """Policies for both seats that rest unless told otherwise."""
    return {READER: reader or Answers(Rest()), RUNNER: runner or Answers(Rest())}


def short(steps: int = 3) -> Relay:
    return Relay(Limits(steps=steps))


# --- the record --------------------------------------------------------------------------------------


def test_the_header_holds_everything_that_a_replay_needs() -> None:
    world = short()
    header = play_now(world, {READER: FirstOnMenu(), RUNNER: Answers(Rest(), name="idler")}, 5).header
    assert (header.world, header.id, header.seed, header.time_unit) == ("relay", "relay/door", 5, "steps")
    bound = (world.scenario, world.rules, world.limits)
    assert (header.scenario, header.rules, header.limits) == tuple(map(to_builtins, bound))
    assert header.scenario_digest == digest(world.scenario)
    assert header.start_digest == digest(world.start(5))
    assert header.players == {READER: Player("first", settings={"order": "menu"}), RUNNER: Player("idler")}
    assert header.agent == "first + idler"


def test_every_record_is_handed_on_as_soon_as_it_exists() -> None:
    seen: list[Any] = []
    counts: list[int] = []

    async def look(turn: Turn) -> Any:
        counts.append(len(seen))
        return Rest()

    episode = play_now(short(), resting(reader=Calls(look)), sink=seen.append)
    assert counts == [1, 2, 3]  # the header before the first question, then one entry for each step
    assert seen == list(episode.records())
    assert [type(record) for record in seen] == [Header, Entry, Entry, Entry, Ending]


def test_the_state_is_shown_to_policies_that_say_they_are_informed() -> None:
    world = short()
    seen: list[Any] = []

    async def look(turn: Turn) -> Any:
        seen.append(turn.state)
        return Rest()

    episode = play_now(world, resting(reader=Calls(look, informed=True)))
    digests = [episode.header.start_digest, *(entry.digest for entry in episode.entries)]
    assert [digest(state) for state in seen] == digests[:-1]
    with pytest.raises(Refused, match="informed"):
        play_now(world, resting(reader=Calls(look)))


def test_an_episode_is_played_to_its_limit_and_recorded() -> None:
    """Both rest for three steps of one, then the limit cuts off."""
    episode = play_now(short(3), Answers(Rest()))
    assert [entry.index for entry in episode.entries] == [0, 1, 2]
    assert episode.ending == Ending("cut off", "steps", {"steps": 3, "open": 0}, steps=3)
    assert [event.time for event in episode.events()] == [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3]
    assert episode.finished


def test_a_task_that_is_done_has_ended() -> None:
    world = Relay()
    code = world.start(0).code
    reader = Answers(Oil(), Rest())
    episode = play_now(world, resting(reader, Answers(*map(Press, code), Rest())))
    assert episode.ending is not None
    assert (episode.ending.status, episode.ending.reason) == ("ended", "open")


def test_text_is_read_and_kept_as_it_was() -> None:
    episode = play_now(short(1), resting(Answers(" SAY  press blue "), Answers("press violet")))
    reader, runner = (episode.entries[0].answers[seat] for seat in SEATS)
    assert (reader.decision, reader.text, reader.unread) == (Say("press blue"), " SAY  press blue ", None)
    assert (runner.decision, runner.text) == (None, "press violet")
    assert runner.unread is not None and runner.unread.code == "no_such_button"
    assert [(r.seat, r.code) for r in episode.entries[0].refusals] == [(RUNNER, "no_such_button")]


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    """Models do write them (as JSON escapes); no file can hold them."""
    episode = play_now(short(1), resting(Answers("say \ud83d hot")))
    assert episode.entries[0].answers[READER].text == "say ? hot"
    assert episode.entries[0].answers[READER].decision == Say("? hot")
    assert writable("🔥 ok") == "🔥 ok"


def test_in_a_running_event_loop_play_goes_on_beside_it() -> None:
    """As in a notebook."""

    async def cell() -> Episode:
        return play_now(short(2), resting(Answers("say press blue")), seed=1)

    assert asyncio.run(cell()) == play_now(short(2), resting(Answers("say press blue")), seed=1)

    async def wrong() -> Episode:
        return play_now(short(2), {})

    with pytest.raises(Refused, match="no policy for seat"):
        asyncio.run(wrong())


class Waiting:
    """Never answers, and says when it was stopped."""

    name, informed, settings = "waiting", False, {}

    def __init__(self) -> None:
        self.asked, self.stopped = Event(), Event()

    async def decide(self, turn: Any, memory: Any) -> Reply:
        self.asked.set()
        try:
            await asyncio.sleep(3600)
        finally:
            self.stopped.set()
        raise AssertionError


def test_ctrl_c_in_a_running_event_loop_stops_what_is_played_beside_it() -> None:
    waiting = Waiting()

    def interrupt() -> None:
        waiting.asked.wait()
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)

    async def cell() -> None:
        Thread(target=interrupt, daemon=True).start()
        try:
            play_now(short(1), waiting)
        except KeyboardInterrupt:
            assert waiting.stopped.wait(60)
            raise

    loop = asyncio.new_event_loop()
    with pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(cell())
    loop.close()


def test_a_decision_may_come_as_plain_json() -> None:
    episode = play_now(short(1), resting(Answers({"do": "say", "words": "hello"})))
    assert episode.entries[0].answers[READER].decision == Say("hello")
    assert episode.entries[0].refusals == ()


@pytest.mark.parametrize("answer", [7, None, {"do": "fly"}, [Rest()], "\ud800", {"do": "\ud800"}], ids=ascii)
def test_what_is_no_decision_is_recorded_and_refused_by_the_world(answer: Any) -> None:
    entry = play_now(short(1), resting(Answers(answer))).entries[0]
    canonical_json(entry)
    assert [refusal.fault for refusal in entry.refusals] == [Fault.UNREADABLE]


def test_a_refusal_may_be_an_answer() -> None:
    entry = play_now(short(1), resting(Answers(UNREADABLE))).entries[0]
    assert entry.answers[READER].unread == UNREADABLE
    assert entry.refusals == (Refusal("unreadable", Fault.UNREADABLE, seat=READER),)


def test_what_cannot_be_written_down_is_a_bug_of_the_policy() -> None:
    with pytest.raises(TypeError):
        play_now(short(1), resting(Answers(object())))


def test_thoughts_and_costs_are_kept() -> None:
    class Thinker(Answers):
        async def decide(self, turn: Turn, memory: Any) -> Reply:
            return Reply(Rest(), thoughts=(Thought("plan", "rest\udcff"),), usage=Usage(calls=2))

    entry = play_now(short(1), resting(Thinker())).entries[0]
    assert entry.answers[READER].thoughts == (Thought("plan", "rest?"),)
    assert entry.usage == {READER: Usage(calls=2)}


# --- who is asked ------------------------------------------------------------------------------------


def test_simultaneous_seats_are_asked_together() -> None:
    """Each answers only once the other has been asked."""
    asked: dict[str, asyncio.Event] = {}

    async def meet(turn: Turn) -> Any:
        asked.setdefault(turn.seat, asyncio.Event()).set()
        other = SEATS[1 - SEATS.index(turn.seat)]
        await asked.setdefault(other, asyncio.Event()).wait()
        return Rest()

    episode = asyncio.run(asyncio.wait_for(play(short(1), Calls(meet)), timeout=60))
    assert list(episode.entries[0].answers) == list(SEATS)


def test_who_is_in_the_middle_of_something_is_not_asked() -> None:
    """Oiling takes 4 steps, in which the runner alone is asked, resting for one at a time."""
    episode = play_now(Relay(Limits(steps=5)), resting(Answers(Oil(), Rest())))
    assert [list(entry.answers) for entry in episode.entries] == [[*SEATS], *[[RUNNER]] * 3, [*SEATS]]


def test_an_answer_phase_has_one_decider_and_takes_no_time() -> None:
    reader = Answers(Say("red"), Rest())
    runner = Answers(Rest(), Nod(yes=True), Rest())
    first, second, third = play_now(short(2), resting(reader, runner)).entries
    assert list(second.answers) == [RUNNER]
    assert [(event.what, event.lane, event.label, event.time) for event in second.events] == [
        ("said", RUNNER, "yes", 1)
    ]
    assert (list(first.answers), list(third.answers)) == ([*SEATS], [*SEATS])


def test_each_seat_has_a_memory_of_its_own_and_each_episode_too() -> None:
    class Counting(Answers):
        async def decide(self, turn: Turn, memory: Any) -> Reply:
            seen = memory or []
            assert all(seat == turn.seat and seed == turn.seed for seat, seed, _ in seen)
            assert [index for *_, index in seen] == list(range(turn.index))
            await asyncio.sleep(0)
            return Reply(Rest(), memory=[*seen, (turn.seat, turn.seed, turn.index)])

    async def at_once() -> list[Episode]:
        policy = Counting()
        return await asyncio.gather(*(play(short(4), policy, seed) for seed in range(3)))

    assert [episode.header.seed for episode in asyncio.run(at_once())] == [0, 1, 2]


def test_every_seat_needs_a_policy() -> None:
    with pytest.raises(Refused, match="no policy for seat runner"):
        play_now(short(), {READER: Answers(Rest())})


def test_a_world_without_words_reads_no_text() -> None:
    with pytest.raises(Refused, match="no words"):
        play_now(Mute(), Answers("rest"))
    assert play_now(Mute(), Answers(Rest()), max_steps=2).entries


# --- how it ends -------------------------------------------------------------------------------------


def test_the_safety_cap_ends_play() -> None:
    ending = play_now(Relay(), Answers(Rest()), max_steps=2).ending
    assert ending is not None
    assert (ending.status, ending.reason, ending.steps) == ("capped", "2 steps", 2)


def test_a_failed_policy_ends_its_episode_and_says_at_which_boundary() -> None:
    async def fail(turn: Turn) -> Any:
        if turn.index == 1:
            raise PolicyFailure("model", "500 from the server \ud800")
        return Rest()

    episode = play_now(short(), resting(Calls(fail)))
    assert episode.ending == Ending(
        "failed", "model", {"steps": 1, "open": 0}, steps=1, error="500 from the server ?"
    )
    assert len(episode.entries) == 1
    assert episode.finished


class Says:
    """Says the same at every turn."""

    name = "says"
    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self, reply: Reply) -> None:
        self.reply = reply

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return self.reply


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply("x" * 1_000_001), "an answer of 1000001 characters; at most 1000000 are read"),
        (
            Reply("x", thoughts=(Thought("think", "\0" * 1_500_000),)),
            "an answer and thoughts of 9000008 bytes; at most 8388608 are kept",
        ),
    ],
    ids=["answer", "thoughts"],
)
def test_more_words_than_a_record_can_be_read_with_fail_the_episode(
    tmp_path: Path, reply: Reply, error: str
) -> None:
    write_episode(play_now(short(), resting(Says(reply))), tmp_path / "long.jsonl")
    ending = read_episode(tmp_path / "long.jsonl").ending
    assert ending is not None
    assert (ending.status, ending.reason, ending.error) == ("failed", "answer", error)


def test_as_many_words_as_are_read_make_a_record_that_is_read(tmp_path: Path) -> None:
    """No line of it is too long, though each sign of the answer takes six bytes."""

    reply = Reply("\0" * 1_000_000, thoughts=(Thought("think", "x" * 2_000_000),))
    played = play_now(short(1), resting(Says(reply)))
    write_episode(played, tmp_path / "long.jsonl")
    (entry,) = read_episode(tmp_path / "long.jsonl").entries
    assert entry.answers[READER] == played.entries[0].answers[READER]


def test_a_policy_may_end_its_episode_of_its_own_accord() -> None:
    async def once(turn: Turn) -> Any:
        if turn.index:
            raise PolicyStops("plan used up")
        return Rest()

    ending = play_now(short(), resting(reader=Calls(once))).ending
    assert ending is not None
    assert (ending.status, ending.reason, ending.steps, ending.error) == ("stopped", "plan used up", 1, "")


def test_a_turn_tells_what_was_refused_of_the_seats_last_decision() -> None:
    heard: list[tuple[str, ...]] = []

    async def listen(turn: Turn) -> Any:
        heard.append(tuple(refusal.code for refusal in turn.refused))
        return Press("red") if turn.index == 1 else Rest()

    play_now(short(), resting(reader=Calls(listen), runner=Answers("what?")))
    assert heard == [(), (), ("not_yours",)]


def test_when_one_seat_fails_the_other_is_not_left_waiting() -> None:
    left: list[str] = []

    async def wait_for_ever(turn: Turn) -> Any:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            left.append(turn.seat)
            raise

    async def fail(turn: Turn) -> Any:
        await asyncio.sleep(0)
        raise PolicyFailure("model", "gone")

    async def main() -> None:
        episode = await play(short(), resting(Calls(fail), Calls(wait_for_ever)))
        await asyncio.sleep(0)
        assert left == [RUNNER]
        assert episode.ending is not None and episode.ending.status == "failed"

    asyncio.run(main())


@pytest.mark.parametrize("at", [0, 1], ids=["both seats are asked", "one seat is asked"])
@pytest.mark.parametrize("interruption", [KeyboardInterrupt, asyncio.CancelledError])
def test_an_interruption_is_recorded_and_goes_on(
    interruption: type[BaseException], at: int, caplog: pytest.LogCaptureFixture
) -> None:
    async def interrupt(turn: Turn) -> Any:
        if turn.index == at:
            raise interruption
        return Rest()

    seen: list[Any] = []
    with pytest.raises(interruption):
        play_now(short(9), resting(Answers(Oil()), Calls(interrupt)), sink=seen.append)
    assert seen[-1].status == "interrupted"
    assert seen[-1].steps == at == len(seen) - 2
    gc.collect()
    assert not caplog.records, "asyncio found exceptions that nobody had taken"


def test_a_cancelled_task_leaves_an_interrupted_record() -> None:
    seen: list[Any] = []

    async def wait_for_ever(turn: Turn) -> Any:
        await asyncio.Event().wait()

    async def main() -> None:
        task = asyncio.create_task(play(short(), Calls(wait_for_ever), sink=seen.append))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert isinstance(seen[0], Header)
    assert seen[-1] == Ending("interrupted", "interrupted", {"steps": 0, "open": 0}, steps=0)


def test_a_bug_in_a_policy_comes_through() -> None:
    async def slip(turn: Turn) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play_now(short(), resting(Calls(slip)))


class Mistaken:
    """Answers as somebody might who has not read on: with a text, a decision, nothing."""

    name, informed, settings = "mistaken", False, {}

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    async def decide(self, turn: Turn, memory: Any) -> Any:
        return self._answer


@pytest.mark.parametrize(("answer", "kind"), [("press red", "str"), (Rest(), "Rest"), (None, "NoneType")])
def test_an_answer_that_is_no_reply_is_told_in_a_line(answer: Any, kind: str) -> None:
    message = f"agent 'mistaken': decide must answer with a backburner.Reply, not a {kind}"
    with pytest.raises(Refused, match=message):
        play_now(Relay(), Mistaken(answer))


def test_what_a_server_counts_is_bounded_in_the_record() -> None:
    """So that it can be read again, and added up."""
    spent = Usage(float("nan"), -1, 10**40, 10**15, {"length": -3})
    episode = play_now(Relay(), Mistaken(Reply(Rest(), usage=spent)), max_steps=1)
    for usage in episode.entries[0].usage.values():
        assert usage == Usage(0.0, 0, 10**15, 10**15, {"length": 0})
