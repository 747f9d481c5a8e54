"""Collab-Overcooked while a cook thinks: it stands, its partner goes on, and in a talk both stand."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.clock import Timing, timed
from backburner.kernel.conformance import silence
from backburner.kernel.conformance.walk import ContractViolation, Expect, Point, Survey, Walk
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply as Answered
from backburner.kernel.policy import Turn
from backburner.kernel.replay import trajectory
from backburner.kernel.testing import check_world
from backburner.kernel.values import Refusal, Seat, Step, canonical_json
from backburner.worlds.collab_overcooked.agents.cooks import GreedyCooks
from backburner.worlds.collab_overcooked.game.layout import IDLE
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, PRESETS, Limits
from backburner.worlds.collab_overcooked.game.scenarios import scenario_of, suites
from backburner.worlds.collab_overcooked.game.state import Cook, Reply, State, Talk, Utterance
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.chronicle import chronicle
from support.collab_overcooked.kitchens import answer, world_of

EGG = world_of("boiled_egg", limits=Limits(60, 10))
FETCH = "pickup(egg, ingredient_dispenser); place_obj_on_counter()"


def silent(world: CollabOvercooked, state: State, steps: int = 1) -> State:
    """The state after whoever is asked was silent for so many steps; silence is never refused."""
    seat = world.deciders(state)[0]
    step = world.step(state, {seat: world.silence(state, seat, steps)})
    assert not step.refusals
    return step.state


def test_silence_is_told_in_a_field_of_its_own() -> None:
    assert canonical_json(Reply("a", ("wait(1)",), "b")) == b'{"analysis":"a","plan":["wait(1)"],"say":"b"}'
    assert canonical_json(EGG.silence(EGG.start(), "chef", 3)) == b'{"silent":3}'
    assert b"pending" not in canonical_json(EGG.start())
    assert isinstance(EGG.parse(EGG.start(), "chef", EGG.words(Reply(silent=3))), Refusal)


def test_a_cook_thinks_and_its_partner_is_asked_in_the_same_step() -> None:
    state = silent(EGG, EGG.start(), 9)
    assert (EGG.now(state), state.ask, EGG.deciders(state)) == (0, "plan", ("assistant",))
    # The egg is fetched and lies on the counter after 6 steps; only then is the assistant asked again, and
    # the chef, who has three more steps to think, in each of them before it.
    state = answer(EGG, state, FETCH)
    assert (EGG.now(state), EGG.deciders(state), state.cooks[0]) == (1, ("chef",), Cook())
    state = silent(EGG, state, 8)
    done = [logged.call for logged in state.cooks[1].recent]
    assert EGG.deciders(state) == ("assistant",) and done[-1] == "place_obj_on_counter()"
    assert state.kitchen.bodies[0] == EGG.start().kitchen.bodies[0]
    passed = EGG.now(state)
    state = silent(EGG, state, 5)
    assert (EGG.now(state), EGG.deciders(state)) == (passed + 1, ("chef",))
    assert answer(EGG, state, "wait(2)").pending is UNSET


def test_a_correction_holds_only_the_one_who_corrects() -> None:
    state = answer(EGG, EGG.start(), "deliver_soup()", refused=["deliver_hands_empty"])
    asked = EGG.observe(state, "chef")
    assert asked.ask == "correct" and asked.refusal is not None
    state = answer(EGG, silent(EGG, state, 4), FETCH)
    state = silent(EGG, state, 3)
    assert EGG.now(state) == 4 and state.kitchen.bodies[1] != EGG.start().kitchen.bodies[1]
    again = EGG.observe(state, "chef")
    assert (again.ask, again.refusal, again.me.plan) == ("correct", asked.refusal, asked.me.plan)
    # The correction was its only one: another call that is refused makes it wait, as ever.
    state = answer(EGG, state, "cook(pot0)", refused=["operate_empty"])
    assert EGG.observe(state, "chef").ask == "plan" and EGG.now(state) == 5


def test_who_is_spoken_to_while_it_thinks_is_then_asked_for_its_answer() -> None:
    state = silent(EGG, EGG.start())
    state = answer(EGG, state, "wait(1)", "What do you need?")
    assert (EGG.deciders(state), state.ask) == (("chef",), "answer")
    # The chef began to think of a plan before it heard these words. It is shown them now.
    state = answer(EGG, silent(EGG, state, 2), "wait(9)")
    seen = EGG.observe(state, "chef")
    assert (seen.ask, seen.talk) == ("answer", (("assistant", "What do you need?"),))
    assert seen.me.plan == ()
    state = answer(EGG, state, "wait(3)", "An egg.")
    assert (EGG.deciders(state), state.ask) == (("assistant",), "continue")
    assert state.cooks[0].queue == ("wait(3)",)
    # The next words are heard before it thinks: they are answered at once.
    state = answer(EGG, silent(EGG, state), "wait(1)", "How many?")
    state = answer(EGG, state, "wait(2)", "One. [END]")
    assert (EGG.now(state), state.ask, state.cooks[0].call) == (4, "plan", "wait(2)")


def test_who_plans_in_a_talk_meanwhile_needs_no_correction() -> None:
    state = silent(EGG, answer(EGG, EGG.start(), "cook(pot0)", refused=["operate_empty"]))
    state = answer(EGG, state, "wait(1)", "What do you need?")
    state = answer(EGG, state, "wait(9)")
    state = answer(EGG, state, "wait(3)", "An egg. [END]")
    assert state.cooks[0].call == "wait(3)" and (EGG.now(state), EGG.deciders(state)) == (1, ("assistant",))


def test_in_a_talk_both_cooks_stand_and_only_time_passes() -> None:
    state = answer(EGG, EGG.start(), "wait(1)", "Bring me an egg.")
    talk = EGG.observe(state, "assistant").talk
    thought = silent(EGG, state, 3)
    assert thought == replace(state, kitchen=replace(state.kitchen, steps=3))
    assert silent(EGG, silent(EGG, state, 2), 1) == thought
    state = answer(EGG, thought, FETCH, "Coming.")
    assert EGG.observe(state, "chef").talk == (*talk, ("assistant", "Coming."))
    state = silent(EGG, state, 2)
    assert (state.ask, EGG.now(state)) == ("continue", 5)
    state = answer(EGG, state, "wait(9)", "[NOTHING]")
    # 5 steps were thought; then the chef waits, and the assistant fetches in 3 steps what it puts down in 2.
    assert state.cooks[0].since == 5
    assert [logged.steps for logged in state.cooks[1].recent] == [8, 10]


def test_a_move_that_was_decided_before_a_talk_is_made_after_it() -> None:
    state = answer(EGG, EGG.start(), "wait(4)")
    state = answer(EGG, state, "wait(1)", "What now?")
    assert state.moves == (IDLE,)
    thought = silent(EGG, state, 6)
    # Of its four steps of waiting the chef has decided on one, which is still to come; it stood for six.
    assert (thought.moves, thought.cooks, EGG.now(thought)) == (state.moves, state.cooks, 6)


def test_time_goes_on_in_utensils_and_limits() -> None:
    state = answer(EGG, EGG.start(), "wait(1)", "Bring me an egg.")
    over = silent(EGG, state, 1000)
    assert (EGG.now(over), EGG.deciders(over), over.ended) == (60, (), "step_limit")
    assert EGG.outcome(over).status == "cut off"


@pytest.mark.parametrize("rules", PRESETS)
def test_an_exchange_waits_for_who_thinks(rules: str) -> None:
    world = CollabOvercooked("collab_overcooked/user/test", exchange_of(), PRESETS[rules], NO_LIMITS)
    state = world.start()
    began = world.now(state)
    state = silent(world, state, 5)
    assert (world.now(state), state.ask, state.ended) == (began + 5, "plan", "")
    state = answer(world, state, "wait(1)", "Fetch a potato.")
    state = silent(world, state, 2)
    assert (world.now(state), state.ask, state.ended) == (began + 7, "answer", "")


def exchange_of() -> Any:
    return scenario_of("baked_potato_soup", {"at": "2"})


def test_thinking_is_no_stalemate() -> None:
    world = world_of("boiled_egg")  # without limits, play ends where nothing can happen any more
    state = answer(world, world.start(), "wait(1)", "Bring me an egg.")
    assert (silent(world, state, 400).ended, world.now(silent(world, state, 400))) == ("", 400)


# --- the kit's rules in conversations --------------------------------------------------------------------


PLANS = ("wait(1)", FETCH, "deliver_soup()", "cook(pot0)", "request('wait(1)'); wait(2)", "")
SAYS = ("[NOTHING]", "[END]", "An egg!", "A dish!", "Which? [END]")
RULES = (
    silence.silence_is_a_decision_of_its_own,
    silence.silence_takes_time,
    silence.silences_add_up,
    silence.silence_leaves_the_rest_as_it_is,
)


def conversation(world: CollabOvercooked, seed: int, most: int = 40) -> Walk:
    """A walk of cooks that plan and talk at random, and now and then think."""
    draw = random.Random(seed)
    walk = Walk(Survey(world, most), 0, seed)
    state = walk.first
    for index in range(most):
        walk.points.append(Point(walk, index, state))
        if not (seats := world.deciders(state)):
            break
        seat = seats[0]
        role = seat.capitalize()
        text = f"{role} analysis: a\n{role} plan: {draw.choice(PLANS)}\n{role} say: {draw.choice(SAYS)}"
        thinks = draw.random() < 0.3
        decision = Reply(silent=draw.randint(1, 4)) if thinks else world.parse(state, seat, text)
        state = world.step(state, {seat: decision}).state
    return walk


@pytest.mark.parametrize("rules", PRESETS)
def test_the_rules_of_silence_hold_in_conversations(rules: str) -> None:
    world = world_of("boiled_egg", "baked_potato_soup", rules=PRESETS[rules])
    walks = [conversation(world, seed) for seed in range(12)]
    for walk in walks:
        for rule in RULES:
            rule(walk, Expect(rule.__name__, world.id, f"conversation {walk.seed}"))
    asked = {(point.state.ask, point.state.repair is None) for walk in walks for point in walk.points}
    assert {("plan", True), ("plan", False), ("answer", True), ("continue", True), ("correct", True)} <= asked


@pytest.mark.parametrize("path", ["boiled_egg", "baked_potato_soup+boiled_egg", "baked_potato_soup@at=4"])
@pytest.mark.parametrize("rules", PRESETS)
def test_the_kit_finds_nothing(path: str, rules: str) -> None:
    name, _, options = path.partition("@")
    given = dict([options.split("=")]) if options else {}
    world = CollabOvercooked(
        f"collab_overcooked/{path}", scenario_of(name, given), PRESETS[rules], Limits(40, 3)
    )
    assert check_world(world, episodes=2, max_steps=30).ran["silences_add_up"]


class CountsTurns(CollabOvercooked):
    """Silence counts as a turn of the talk."""

    def step(self, state: State, decisions: Any) -> Step[State]:
        step = super().step(state, decisions)
        talk, given = (
            step.state.talk,
            decisions.get(self.deciders(state)[0]) if self.deciders(state) else None,
        )
        if talk is None or not isinstance(given, Reply) or not given.silent:
            return step
        counted = Talk(talk.opener, (*talk.lines, Utterance(state.asked, "...")))
        return replace(step, state=replace(step.state, talk=counted))


class ForgetsCorrections(CollabOvercooked):
    """Whoever thinks has had no correction yet."""

    def step(self, state: State, decisions: Any) -> Step[State]:
        step = super().step(state, decisions)
        silences = any(isinstance(given, Reply) and given.silent for given in decisions.values())
        return replace(step, state=replace(step.state, corrected=False)) if silences else step


@pytest.mark.parametrize("planted", [CountsTurns, ForgetsCorrections])
def test_a_turn_that_is_counted_is_noticed(planted: type[CollabOvercooked]) -> None:
    sound = world_of("boiled_egg")
    world = planted(sound.id, sound.scenario, sound.rules, sound.limits)
    rule = silence.silence_leaves_the_rest_as_it_is
    with pytest.raises(ContractViolation, match="after silence"):
        for seed in range(6):
            rule(conversation(world, seed), Expect(rule.__name__, world.id, f"seed {seed}"))


def test_a_tick_is_a_step() -> None:
    assert (timed(EGG).tick_microseconds, timed(EGG).nominal, timed(EGG).beat_ticks) == (1_000_000, True, 1)
    seats: tuple[Seat, ...] = EGG.seats
    assert not any(EGG.occupied(EGG.start(), seat) for seat in seats)


# --- played by the clock ---------------------------------------------------------------------------------


class Says:
    """Gives these answers, one after the other, each after some seconds."""

    name, informed = "says", False

    def __init__(self, latency: str, *answers: tuple[str, str]) -> None:
        self.settings = {"latency": latency}
        self.answers = answers

    async def decide(self, turn: Turn, memory: Any) -> Answered:
        number = int(memory or 0)
        plan, say = self.answers[number] if number < len(self.answers) else ("wait(1)", "[NOTHING]")
        return Answered(Reply("a", tuple(plan.split("; ")), say), number + 1)


FULL_HANDS = "assistant thinks; the chef stands at 8 and the assistant at 6"


def test_a_talk_in_which_the_assistant_thinks_for_three_steps() -> None:
    chef = Says("0", ("wait(1)", "Bring me an egg."), ("wait(2)", "[NOTHING]"))
    cooks = {"chef": chef, "assistant": Says("3", ("pickup(egg, ingredient_dispenser)", "At once."))}
    world = world_of("boiled_egg", limits=Limits(9, 10))
    clock = Timing(mode="latency").bound(world, {"chef": "0", "assistant": "3"})
    episode = play_now(world, cooks, clock=clock)
    assert check(episode, world) == len(episode.entries)
    assert list(told(episode, world)) == [
        "0 chef: Bring me an egg.",
        "0-3 assistant thinks; the chef stands at 8 and the assistant at 11",
        "3 assistant: At once.",
        "3 chef: [NOTHING]",  # it waits until 5, and the assistant has the egg by then
        "5 chef: [NOTHING]",
        # The egg is fetched. In each step the chef is asked first, and waits; the assistant thinks.
        *(line for now in (6, 7, 8) for line in (f"{now} chef: [NOTHING]", f"{now}-{now + 1} {FULL_HANDS}")),
    ]


def told(episode: Episode, world: CollabOvercooked) -> Iterator[str]:
    """Each entry of an episode in words."""
    for before, entry, step in trajectory(episode, world):
        ((seat, answer),) = entry.answers.items()
        if answer.silent:
            chef, assistant = (body.cell for body in step.state.kitchen.bodies)
            where = f"the chef stands at {chef} and the assistant at {assistant}"
            yield f"{world.now(before)}-{world.now(step.state)} {seat} thinks; {where}"
        else:
            yield f"{world.now(before)} {seat}: {answer.decision.say}"


def test_a_dialogue_is_the_same_however_long_its_cooks_think() -> None:
    chef = ("wait(1)", "Bring me an egg."), ("wait(2)", "[NOTHING]")
    assistant = (("pickup(egg, ingredient_dispenser)", "At once."),)
    world = registry.world("collab_overcooked/boiled_egg")
    dialogues = []
    for latency in ("0", "2"):
        cooks = {"chef": Says("0", *chef), "assistant": Says(latency, *assistant)}
        clock = Timing(mode="latency").bound(world, {"chef": "0", "assistant": latency})
        found = chronicle(play_now(world, cooks, clock=clock))[1]
        dialogues.append((found.logged, found.talks, found.silent))
    assert dialogues[0] == dialogues[1]


def test_greedy_cooks_take_longer_the_longer_they_think() -> None:
    """With the six orders of ``quick``; nobody waits for ever for words that the other did not hear."""
    steps = []
    for latency in ("0", "0.5", "1", "2"):
        worlds = [registry.world(f"collab_overcooked/{path}", limits="none") for path in suites()["quick"]]
        outcomes = [played_by_greedy(world, latency) for world in worlds]
        assert all(outcome["completed"] for outcome in outcomes)
        steps.append(sum(outcome["steps"] for outcome in outcomes))
    assert steps == sorted(steps) == [235, 274, 331, 456]


def test_under_released_rules_an_answer_counts_before_what_was_thought_earlier() -> None:
    """There a cook that has something queued drops the plan of its answer."""
    world = registry.world("collab_overcooked/boiled_egg", rules="released", limits="none")
    assert played_by_greedy(world, "1")["completed"]


def played_by_greedy(world: Any, latency: str) -> Mapping[str, Any]:
    clock = Timing(mode="latency").bound(world, dict.fromkeys(world.seats, latency))
    episode = play_now(world, GreedyCooks(world), max_steps=400, clock=clock)
    assert episode.ending is not None
    return episode.ending.numbers


def test_measures_see_a_thought_as_waiting() -> None:
    """No error, no call, no turn more: who thinks for two steps has the same measures, and needs longer."""
    measured = []
    for latency in ("0", "2"):
        world = registry.world("collab_overcooked/boiled_egg", limits="none")
        clock = Timing(mode="latency").bound(world, dict.fromkeys(world.seats, latency))
        episode = play_now(world, GreedyCooks(world), max_steps=400, clock=clock)
        measured.append(dict(registry.scoring("collab_overcooked").measure(episode)))
    quick, slow = measured
    # What is cut at the article's limit (``cut: ...``) and the time itself are about time.
    timeless = {name for name in quick if not name.startswith("cut: ")} - {"steps"}
    assert {name: slow[name] for name in timeless} == {name: quick[name] for name in timeless}
    assert quick["steps"] == 16 < slow["steps"]
