"""The seat ``server``: what was seen on a server is the state; without a report all is as predicted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.agents.roster import names_by_seat
from backburner.agents.spec import AgentSpec
from backburner.evaluation.transcripts.page import transcript_html
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlanPolicy, Reply, Turn
from backburner.kernel.reported import Ground, Other
from backburner.kernel.turns import turn_of
from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.minecraft.agents.greedy import GreedyDispatcher
from backburner.worlds.minecraft.game import Calls, Limits, Minecraft
from backburner.worlds.minecraft.game.actions import Came, Report, SeenBody, SeenPlayer
from backburner.worlds.minecraft.game.physics import Furnace
from backburner.worlds.minecraft.game.scenarios import SERVER
from backburner.worlds.minecraft.game.server import AS_PREDICTED, PREDICTED
from backburner.worlds.minecraft.game.state import Killed, Person, State
from support.minecraft.play import CHICKEN, DISPATCHER, act, play, world_of, yard
from worlds.minecraft.game.test_properties import calls, paths, rule_sets

WORLD = yard(live=True)


def given_and_reported(
    world: Minecraft, state: State, *given_calls: str, report: Report | None = None
) -> Step[State]:
    """A step with these calls, and what the server says of it."""
    middle = world.step(state, {DISPATCHER: Calls(given_calls)})
    assert middle.events == () and middle.state.ticks == state.ticks
    assert world.deciders(middle.state) == (SERVER,)
    return world.step(middle.state, {SERVER: Calls((), report=report)})


def act_silent(world: Minecraft, state: State, ticks: int) -> Step[State]:
    """Nobody says anything for so many ticks, if any."""
    silence = {DISPATCHER: Calls((), silent=ticks)}
    return world.step(state, silence) if ticks else Step(state)


def seen_of(before: State, step: Step[State], world: Minecraft) -> Report:
    """What a server would report on which everything is as the rules say."""
    state = step.state
    ends = {event.lane: event for event in step.events if event.what == "end"}
    starts = {event.lane: event for event in step.events if event.what == "start"}
    codes = {str(refusal.get("bot")): refusal.code for refusal in step.refusals}
    return Report(
        state.ticks - before.ticks,
        calls=tuple(
            Came(name, round(20 * (ends[name].time - starts[name].time)), codes.get(name, ""))
            for name in world.compiled.names
            if name in starts and name in ends
        ),
        killed=state.feedback.killed,
        bots=tuple(
            SeenBody(name, (at[0] + 0.5, at[1] + 0.5), carried)
            for name, at, carried in zip(world.compiled.names, state.at, state.carried, strict=True)
        ),
        furnace=state.furnace,
        chest=state.chest,
        gone=state.gone,
    )


# --- as predicted ------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(paths, rule_sets, st.lists(st.lists(calls, max_size=3) | st.none(), max_size=12), st.booleans())
def test_as_predicted_is_the_game_as_text_step_for_step(
    path: str, rules: str, steps: list[list[str] | None], instructed: bool
) -> None:
    options = ",instructor=yes" if instructed else ""
    path = path if "@" in path else f"{path}@tau=2.0"
    text, live = world_of(path + options, rules), world_of(f"{path}{options},live=yes", rules)
    one, other = text.start(7), live.start(7)
    assert one == other
    for number, given_calls in enumerate(steps):
        if instructed:
            said = {"instructor": Calls((), f"do {number}")}
            one, other = text.step(one, said).state, live.step(other, said).state
            assert one == other
        decided = {} if given_calls is None else {DISPATCHER: Calls(tuple(given_calls))}
        expected = text.step(one, decided)
        middle = live.step(other, decided)
        found = live.step(middle.state, {SERVER: PREDICTED})
        assert replace(found, refusals=(*middle.refusals, *found.refusals)) == expected
        one = other = expected.state
        for seat in text.seats:
            assert text.describe(text.observe(one, seat)) == live.describe(live.observe(other, seat))


def test_scripted_agents_play_the_seat_and_the_record_is_that_of_the_text() -> None:
    limits = Limits(steps=20)
    text, live = yard(limits=limits), yard(limits=limits, live=True)
    one, other = play_now(text, GreedyDispatcher(text)), play_now(live, GreedyDispatcher(live))
    assert list(one.events()) == list(other.events()) and one.ending and other.ending
    assert one.ending.numbers == other.ending.numbers
    assert [entry.digest for entry in one.entries] == [entry.digest for entry in other.entries[1::2]]


def test_there_is_one_option_and_it_is_said_and_read() -> None:
    middle = WORLD.step(WORLD.start(), {DISPATCHER: Calls(())}).state
    menu = WORLD.menu(middle, SERVER)
    assert [option.decision for option in menu.options] == [PREDICTED]
    assert WORLD.parse(middle, SERVER, AS_PREDICTED) == PREDICTED == WORLD.parse(middle, SERVER, "")


# --- as seen -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("waited", [0, 7, 90])
@pytest.mark.parametrize("rules", ["standard", "released"])
def test_a_server_on_which_all_is_as_the_rules_say_gives_the_game_as_text(rules: str, waited: int) -> None:
    """Also where it goes on for some ticks before each step, as it is decided: as after so long a silence."""
    text, live = yard(rules), yard(rules, live=True)
    one, other = text.start(), live.start()
    ends = ("goto(alex, furnace)", "takeOutFurnace(alex)", "goto(alex, chest)")
    for call in (*CHICKEN, *[""] * 5, *ends, "putInChest(alex, cooked_chicken)", *[""] * 12):
        silence = act_silent(text, one, waited)
        expected = act(text, silence.state, *filter(None, (call,)))
        report = replace(seen_of(silence.state, expected, text), waited=waited)
        step = given_and_reported(live, other, *filter(None, (call,)), report=report)
        assert replace(step.state, smelting=0) == replace(expected.state, smelting=0)
        assert [event for event in step.events if event.kind == "differs"] == []
        assert len(step.events) == len(silence.events) + len(expected.events)
        one, other = expected.state, step.state
    assert other.served == (0,)


def test_what_was_seen_is_what_there_is_and_what_differs_is_told() -> None:
    before = play(yard(), *CHICKEN)
    report = Report(
        90,
        (Came("alex", 25), Came("steve", 30, "on_server", "steve finds no way to chest")),
        (),
        (SeenBody("alex", (-0.5, 0.5), (("feather", 3),)), SeenBody("steve", (40.2, 4.5))),
        Furnace(("chicken", 2), ("", 0), ("", 0), 150, 60),
        (("cooked_mutton", 1),),
    )
    step = given_and_reported(WORLD, before, "goto(alex, furnace)", "goto(steve, chest)", report=report)
    state = step.state
    assert state.ticks == before.ticks + 90 and state.steps == before.steps + 1
    assert state.at == ((-1, 0), (40, 4)) and state.carried == ((("feather", 3),), ())
    assert state.furnace.input == ("chicken", 2) and state.chest == (("cooked_mutton", 1),)
    told = [event.label for event in step.events if event.kind == "differs"]
    assert "chest: 1 cooked_mutton (predicted: nothing)" in told
    assert "furnace's input: 2 chicken (predicted: 1 chicken)" in told
    assert any(line.startswith("alex: 3 feather (predicted: ") for line in told)
    assert any(line.startswith("steve is at 40 4 (predicted: ") for line in told)
    assert "steve: steve finds no way to chest." in WORLD.describe(WORLD.observe(state, DISPATCHER))


def test_later_drops_go_by_the_kills_that_were_reported() -> None:
    state = WORLD.start()
    killed = (Killed("alex", "sheep"), Killed("steve", "sheep"))
    state = given_and_reported(WORLD, state, report=Report(50, killed=killed)).state
    assert state.kills == (("sheep", 2),)
    for call in ("goto(alex, sheep)", "killMob(alex, sheep)"):
        state = given_and_reported(WORLD, state, call).state
    beside = replace(play(yard(), "goto(alex, sheep)"), kills=(("sheep", 2),))
    third = act(yard(), beside, "killMob(alex, sheep)")
    assert state.carried == third.state.carried


def test_an_order_is_served_when_its_dish_was_put_in_and_not_when_the_step_ended() -> None:
    start = replace(WORLD.start(), at=((3, 0), (4, 4)), carried=((("cooked_chicken", 1),), ()))
    report = Report(400, (Came("alex", 10),), chest=(("cooked_chicken", 1),))
    step = given_and_reported(WORLD, start, "putInChest(alex, cooked_chicken)", report=report)
    assert Event(1.5, "delivered", "chest", "cooked_chicken", "order 0") in step.events


def test_what_somebody_takes_out_of_the_chest_is_not_asked_for_again() -> None:
    """One was served and taken away; the next one that comes in serves the next order."""
    state = given_and_reported(WORLD, WORLD.start(), report=Report(50, chest=(("cooked_chicken", 1),))).state
    assert state.served == (0,)
    state = given_and_reported(WORLD, state, report=Report(2000, chest=())).state
    assert state.served == (0,) and len(state.orders) >= 1
    text = yard()
    assert play(text, (), state=state).missing == state.missing == (("cooked_chicken", 1),)
    state = given_and_reported(WORLD, state, report=Report(50, chest=(("cooked_chicken", 1),))).state
    assert state.served == (0, 0)


def test_a_call_that_runs_on_is_under_way_until_it_is_reported() -> None:
    world = yard("released", live=True)
    calls = ("goto(alex, cow)", "goto(steve, sheep)")
    report = Report(50, (Came("alex", 0, "none_around"), Came("steve", 10, running=True)))
    step = given_and_reported(world, world.start(), *calls, report=report)
    assert [errand.verb for errand in step.state.errands] == ["goto"]
    assert "is still at: goto sheep" in world.describe(world.observe(step.state, DISPATCHER))
    last = given_and_reported(world, step.state, report=Report(60))
    events = [event for event in (*step.events, *last.events) if event.lane == "steve"]
    assert [event.what for event in events] == ["start", "end"] and len({e.key for e in events}) == 1


class Listener:
    """Gives calls that come to nothing, and hears what was refused of the last ones, and of what it thinks
    of."""

    name, informed = "listener", False
    settings: Mapping[str, Any] = {}

    def __init__(self, *answers: str) -> None:
        self.answers = answers
        self.heard: list[tuple[str, ...]] = []
        self.foretold: list[str] = []

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        if turn.seat == SERVER:
            return Reply(PREDICTED)
        number = turn.observation.step
        self.heard.append(tuple(refusal.code for refusal in turn.refused))
        self.foretold.append(turn.trial(self.answers[number]).why)
        return Reply(self.answers[number])


def test_a_seat_hears_what_was_refused_once_the_server_has_said_what_came_of_it() -> None:
    calls = ("['dance(alex)', 'killMob(steve, chicken)']", "['goto(alex, chicken)']", "[]")
    listener = Listener(*calls)
    play_now(yard(live=True, limits=Limits(steps=3)), listener)
    assert listener.heard == [(), ("verb", "no_mob"), ()]
    assert "There is no action dance." in listener.foretold[0]
    alone = Listener("['killMob(steve, chicken)']")
    play_now(yard(live=True, limits=Limits(steps=1)), alone)
    assert alone.foretold == ["steve: no chicken near me; send me to one first."]


def test_reports_are_told_to_people_in_words_and_read_as_json() -> None:
    report = Report(
        90,
        (Came("alex", 25), Came("steve", 30, "no_mob")),
        (Killed("alex", "pig"),),
        (SeenBody("alex", (-0.5, 0.25), (("feather", 3),)),),
        Furnace(("chicken", 2), burning=150),
        (),
        persons=(SeenPlayer("Maya", (1.0, 2.5), ()), SeenPlayer("Zo", (0.0, 0.0))),
    )
    decision = Calls((), report=report)
    assert WORLD.words(decision) == (
        "90 ticks; alex done after 25; steve no mob after 30; alex has killed a pig; "
        "alex at -0.5 0.25 with 3 feather; Maya, a person, at 1 2.5 with nothing; "
        "Zo, a person, at 0 0; furnace: 2 chicken, burning for 150; chest: nothing"
    )
    assert WORLD.parse(WORLD.start(), SERVER, WORLD.words(decision, SERVER)) == decision


def test_the_page_of_a_record_tells_what_had_been_predicted_otherwise() -> None:
    world = yard(live=True, limits=Limits(steps=2))
    seen = [Calls((), report=Report(60, chest=(("dirt", number),))) for number in (1, 1)]
    server = PlanPolicy("live", seen, informed=True)
    episode = play_now(world, {DISPATCHER: GreedyDispatcher(world), SERVER: server})
    page = transcript_html(Path("live.jsonl"), episode)
    assert "differs: chest: 1 dirt (predicted: nothing)" in page
    assert "<b>1</b><span>differences from what was predicted, " in page  # the second was predicted


def test_who_is_sent_far_away_is_out_of_the_scene() -> None:
    bodies = (SeenBody("alex", (29_999_999.0, 0)), SeenBody("steve", (20, 3)))
    state = given_and_reported(WORLD, WORLD.start(), report=Report(50, bots=bodies)).state
    scene = WORLD.scene(state)
    assert [body.at is None for body in scene.bodies] == [True, False]
    assert scene.width < 200 and WORLD.describe(WORLD.observe(state, DISPATCHER))


def test_persons_beside_the_bots_are_told_to_everybody_and_stay_until_they_are_seen_no_more() -> None:
    maya, bo = SeenPlayer("Maya", (0.5, 2.5), (("chicken", 1), ("oak_log", 3))), SeenPlayer("_Bo", (4.5, 4.5))
    state = given_and_reported(WORLD, WORLD.start(), report=Report(50, persons=(maya, bo))).state
    assert state.persons == (Person("Maya", (0, 2), maya.carried), Person("_Bo", (4, 4)))
    for seat in WORLD.seats:
        told = WORLD.describe(WORLD.observe(state, seat))
        lines = ["Maya, a person:", "    carries: 1 chicken, 3 oak_log"]
        assert "\n".join([*lines, "    is: 3.6 blocks away from alex, 4.5 blocks away from steve"]) in told
        assert "_Bo, a person:\n    carries: not known\n    is: 1 blocks away from alex" in told
    scene = WORLD.scene(state)
    assert [body.name for body in scene.bodies] == ["alex", "steve", "Maya (person)", "_Bo (person)"]
    assert [thing.name for thing in scene.bodies[2].holding] == ["chicken stack", "oak_log stack"]
    about = tuple(Other("player", (0.5, 2.5), name) for name in ("Maya", "Zoe"))
    seen = replace(state, ground=Ground((0, 0), 1, 1, ("grass",), ((1, 0, 0),), about))
    ground = WORLD.scene(seen).ground
    assert ground is not None and [other.name for other in ground.others] == ["Zoe"]
    unseen = given_and_reported(WORLD, state, report=Report(50)).state
    assert unseen.persons == state.persons == given_and_reported(WORLD, state).state.persons
    assert given_and_reported(WORLD, state, report=Report(50, persons=())).state.persons == ()
    assert "person" not in WORLD.describe(WORLD.observe(WORLD.start(), DISPATCHER))


def test_a_call_is_tried_as_far_as_the_rules_can_tell_and_nobody_is_asked() -> None:
    """Friendly play explains what would come to nothing, though no time passes before the server says so."""
    for text, refused in (("[goto(alex, sheep)]", False), ("[killMob(alex, sheep)]", True), ("fly", True)):
        turn = turn_of(WORLD, WORLD.start(), DISPATCHER, 0, 0)
        assert turn.trial(text).refused is refused is turn.refuses(text)
    trial = turn_of(WORLD, WORLD.start(), DISPATCHER, 0, 0).trial("[killMob(alex, sheep)]")
    assert "no sheep near me" in trial.why


# --- foreign reports ---------------------------------------------------------------------------------------

BAD: list[dict[str, Any]] = [
    {"ticks": 0},
    {"ticks": 10**30},
    {"ticks": 50, "chest": [["cooked_chicken", 10**9]]},
    {"ticks": 50, "chest": [["x\x1b[2J", 1]]},
    {"ticks": 50, "chest": [["beef", 1], ["beef", 1]]},
    {"ticks": 50, "chest": [[f"item_{number:05}", 1] for number in range(10_000)]},
    {"ticks": 50, "furnace": {"fuel": ["coal", 1]}},
    {"ticks": 50, "furnace": {"input": ["beef", 1], "progress": 200}},
    {"ticks": 50, "furnace": {"progress": 20}},
    {"ticks": 50, "furnace": {"burning": -1}},
    {"ticks": 50, "bots": [{"bot": "zoe", "at": [0, 0]}]},
    {"ticks": 50, "bots": [{"bot": "alex", "at": [1e300, 0]}]},
    {"ticks": 50, "bots": [{"bot": "alex", "at": [0, 0]}] * 2},
    {"ticks": 50, "killed": [{"bot": "alex", "mob": "dragon"}]},
    {"ticks": 50, "killed": [{"bot": "alex", "mob": "pig"}] * 1000},
    {"ticks": 50, "gone": [0]},
    {"ticks": 50, "gone": [99]},
    {"ticks": 50, "gone": [3, 3]},
    {"ticks": 50, "calls": [{"bot": "alex", "ticks": 5, "code": "dance"}]},
    {"ticks": 50, "calls": [{"bot": "alex", "ticks": 5, "why": "x" * 5000}]},
    {"ticks": 50, "wings": 2},
    {"ticks": 50, "persons": [{"name": "Maya", "at": [0, 1e9]}]},
    {"ticks": 50, "persons": [{"name": "Maya [31m", "at": [0, 0]}]},
    {"ticks": 50, "persons": [{"name": "Maya", "at": [0, 0]}] * 2},
    {"ticks": 50, "persons": [{"name": f"M{number:02}", "at": [0, 0]} for number in range(17)]},
    {"ticks": 50, "persons": [{"name": "Maya", "at": [0, 0], "carried": [["beef", 0]]}]},
    {"chest": []},
]


@pytest.mark.parametrize("written", BAD, ids=lambda written: ",".join(written)[:20])
def test_what_is_no_report_is_refused_and_all_is_as_predicted(written: dict[str, Any]) -> None:
    middle = WORLD.step(WORLD.start(), {DISPATCHER: Calls(("goto(alex, sheep)",))}).state
    expected = WORLD.step(middle, {SERVER: PREDICTED})
    read = WORLD.parse(middle, SERVER, msgspec.json.encode(written).decode())
    step = WORLD.step(middle, {SERVER: read})
    assert [(refusal.code, refusal.seat) for refusal in step.refusals] == [("no_report", SERVER)]
    assert replace(step.state, feedback=expected.state.feedback) == expected.state
    assert "No report could be read: " in WORLD.describe(WORLD.observe(step.state, SERVER))


# --- the ground --------------------------------------------------------------------------------------------

GROUND = Ground((-4, -4), 12, 12, ("grass_block", "water"), ((100, 0, -1), (44, 1, -2)), source="a server")


def test_ground_that_is_told_lies_under_the_scene_until_it_is_told_anew() -> None:
    first = WORLD.start()
    assert first.ground is None and WORLD.scene(first).ground is None
    told = given_and_reported(WORLD, first, report=Report(40, ground=GROUND)).state
    seen = given_and_reported(WORLD, told, report=Report(40)).state
    predicted = given_and_reported(WORLD, seen).state
    refused = given_and_reported(WORLD, predicted, report=Report(0)).state
    for state in (told, seen, predicted, refused):
        assert state.ground == GROUND and WORLD.scene(state).ground == GROUND
    flooded = replace(GROUND, runs=((144, 1, -1),))
    assert given_and_reported(WORLD, refused, report=Report(40, ground=flooded)).state.ground == flooded


def test_ground_changes_nothing_but_the_look() -> None:
    one = given_and_reported(WORLD, WORLD.start(), "goto(alex, chicken)", report=Report(40, ground=GROUND))
    other = given_and_reported(WORLD, WORLD.start(), "goto(alex, chicken)", report=Report(40))
    assert replace(one, state=replace(one.state, ground=None)) == other
    assert WORLD.describe(WORLD.observe(one.state, DISPATCHER)) == WORLD.describe(
        WORLD.observe(other.state, DISPATCHER)
    )


def test_ground_that_is_none_is_no_report() -> None:
    written = msgspec.json.encode(Report(40, ground=GROUND)).decode()
    state = WORLD.step(WORLD.start(), {DISPATCHER: Calls(())}).state
    good = WORLD.parse(state, SERVER, written)
    assert isinstance(good, Calls) and good.report == Report(40, ground=GROUND)
    bad = WORLD.parse(state, SERVER, written.replace("[100,0,-1]", "[1000,0,-1]"))
    assert isinstance(bad, Refusal) and "runs are not of 144 columns" in str(bad.detail)


@pytest.mark.parametrize("name", ["act", "dispatcher", "greedy"])
def test_no_agent_and_no_model_is_asked_for_the_report(name: str) -> None:
    world = yard(live=True, instructor=True)
    others = {seat: name for seat in world.seats if seat != SERVER}
    assert names_by_seat(AgentSpec(name, "some-model"), world) == {**others, SERVER: "as-predicted"}
