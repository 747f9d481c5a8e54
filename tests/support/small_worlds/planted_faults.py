"""The relay world with one thing done wrong, in many ways; each names the check that must catch it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

from msgspec import field
from msgspec.structs import asdict, force_setattr, replace

from backburner.kernel.menu import Menu, Option
from backburner.kernel.text import Part, joined, parted
from backburner.kernel.values import Event, Outcome, Refusal, Seat, Step
from backburner.kernel.view import Scene
from support.small_worlds.relay import (
    NO_SUCH_BUTTON,
    READER,
    RUNNER,
    Decision,
    Nod,
    Observation,
    Oil,
    Press,
    Relay,
    Rest,
    Say,
    Scenario,
    Silence,
    State,
)

FAULTS: list[tuple[type[Relay], str]] = []


def caught_by(check: str) -> Callable[[type[Relay]], type[Relay]]:
    """The decorated world breaks the contract, and this check must say so."""

    def plant(world: type[Relay]) -> type[Relay]:
        FAULTS.append((world, check))
        return world

    return plant


# --- states ------------------------------------------------------------------------------------------


@caught_by("start_is_deterministic")
class StartsByTheClock(Relay):
    ticking = count()

    def start(self, seed: int = 0) -> State:
        return super().start(next(self.ticking))


class ListState(State, frozen=True):
    marks: list[str] = field(default_factory=list)


@caught_by("states_are_hashable")
class KeepsAListInItsState(Relay):
    state_type = ListState

    def start(self, seed: int = 0) -> State:
        return ListState(**asdict(super().start(seed)))


class OpenState(State, frozen=False):
    def __hash__(self) -> int:
        return hash(self.time)


@caught_by("states_are_frozen")
class StatesCanBeSet(Relay):
    state_type = OpenState

    def start(self, seed: int = 0) -> State:
        return OpenState(**asdict(super().start(seed)))


class VagueState(State, frozen=True):
    told: Any = ("", "")


@caught_by("states_survive_json")
class StatesComeBackDifferent(Relay):
    state_type = VagueState  # its tuple comes back as a list

    def start(self, seed: int = 0) -> State:
        return VagueState(**asdict(super().start(seed)))


@caught_by("somebody_decides_or_it_is_over")
class AsksOnAfterTheEnd(Relay):
    def deciders(self, state: State) -> tuple[Seat, ...]:
        return (READER,) if state.ended else super().deciders(state)


@caught_by("somebody_decides_or_it_is_over")
class NeverSaysThatItIsOver(Relay):
    def outcome(self, state: State) -> Outcome:
        return replace(super().outcome(state), status="running")


@caught_by("somebody_decides_or_it_is_over")
class AsksAStranger(Relay):
    def deciders(self, state: State) -> tuple[Seat, ...]:
        return tuple("porter" if seat == RUNNER else seat for seat in super().deciders(state))


@caught_by("outcomes_hold_finite_numbers")
class DividesByNothing(Relay):
    def outcome(self, state: State) -> Outcome:
        return Outcome(super().outcome(state).status, state.ended, {"steps_per_saying": float("nan")})


@caught_by("asking_changes_nothing")
class CountsItsLooks(Relay):
    def __init__(self) -> None:
        super().__init__()
        self.looks = count()

    def observe(self, state: State, seat: Seat) -> Observation:
        return replace(super().observe(state, seat), time=next(self.looks))


# --- steps -------------------------------------------------------------------------------------------


@caught_by("step_leaves_its_input_alone")
class ChangesItsInput(Relay):
    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        step = super().step(state, decisions)
        force_setattr(state, "refusals", state.refusals + 1)
        return step


@caught_by("step_leaves_its_input_alone")
class EmptiesTheDecisions(Relay):
    def step(self, state: State, decisions: Any) -> Step[State]:
        step = super().step(state, decisions)
        decisions.clear()
        return step


@caught_by("step_is_deterministic")
class HasLuckOfItsOwn(Relay):
    def __init__(self) -> None:
        super().__init__()
        self.own = random.Random(0)

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        return super().step(replace(state, luck=self.own.randrange(2**16)), decisions)


@caught_by("chance_comes_from_the_seed_alone")
class DrawsFromTheGlobalGenerator(Relay):
    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        return super().step(replace(state, luck=random.randrange(2**16)), decisions)


@caught_by("chance_comes_from_the_seed_alone")
class SeedsTheGlobalGenerator(Relay):
    def start(self, seed: int = 0) -> State:
        random.seed(seed)
        return super().start(seed)


@caught_by("bad_decisions_are_refused")
class RaisesOnAnObjectOfAnotherType(Relay):
    def obstacle(self, state: State, seat: Seat, decision: Any) -> Refusal | None:
        if not isinstance(decision, Say | Oil | Press | Nod | Rest | Refusal | None):
            raise TypeError(decision)
        return super().obstacle(state, seat, decision)


@caught_by("bad_decisions_are_refused")
class RaisesOnARefusal(Relay):
    def obstacle(self, state: State, seat: Seat, decision: Any) -> Refusal | None:
        assert not isinstance(decision, Refusal)
        return super().obstacle(state, seat, decision)


@caught_by("bad_decisions_are_refused")
class RaisesOnAMissingSeat(Relay):
    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        return super().step(state, {seat: decisions[seat] for seat in self.deciders(state)})


@caught_by("bad_decisions_are_refused")
class LetsAMissingSeatRest(Relay):
    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        return super().step(state, {**dict.fromkeys(self.seats, Rest()), **decisions})


@caught_by("bad_decisions_are_refused")
class KeepsItsRefusalsToItself(Relay):
    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        return replace(super().step(state, decisions), refusals=())


@caught_by("refusals_name_their_seat")
class AddsARefusalOfNobody(Relay):
    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        step = super().step(state, decisions)
        return replace(step, refusals=(*step.refusals, *(replace(r, seat="") for r in step.refusals)))


@caught_by("garbled_decisions_never_raise")
class LooksUpColoursThatDoNotExist(Relay):
    def obstacle(self, state: State, seat: Seat, decision: Any) -> Refusal | None:
        if isinstance(decision, Press):
            self.scenario.buttons.index(decision.colour)
        return super().obstacle(state, seat, decision)


@caught_by("seats_not_asked_are_ignored")
class ObeysWhoIsNotAsked(Relay):
    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        spoken = any(isinstance(decision, Say) for decision in decisions.values())
        asked = any(isinstance(decisions.get(seat), Say) for seat in self.deciders(state))
        step = super().step(state, decisions)
        return replace(step, state=replace(step.state, asking=True)) if spoken and not asked else step


@caught_by("simultaneous_decisions_have_no_order")
class ServesTheFirstInTheMapping(Relay):
    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        step = super().step(state, decisions)
        order = [seat for seat in decisions if seat in self.deciders(state)]
        return replace(step, state=replace(step.state, answer=order[0])) if len(order) > 1 else step


@caught_by("a_world_remembers_nothing")
class GetsTired(Relay):
    """The more states the world (not the episode) has been through, the longer things take."""

    def __init__(self) -> None:
        super().__init__()
        self.been: set[State] = set()

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        step = super().step(state, decisions)
        self.been.add(state)
        tired = replace(step.state, luck=step.state.luck + len(self.been))
        return step if state.ended else replace(step, state=tired)


@caught_by("a_world_remembers_nothing")
class FinishesOnlyWhatItSawBegin(Relay):
    """A state that comes from elsewhere (a file, another process) is a state like any other."""

    def __init__(self) -> None:
        super().__init__()
        self.lasting: dict[str, int] = {}

    def begin(self, state: State, seat: Seat, decision: Any, events: list[Event]) -> State:
        self.lasting[self.words(decision)] = 1
        return super().begin(state, seat, decision, events)

    def finish(self, state: State, decision: Decision | None) -> State:
        assert decision is None or self.lasting[self.words(decision)]
        return super().finish(state, decision)


@caught_by("what_is_over_stays_as_it_is")
class GoesOnAfterTheEnd(Relay):
    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        over = bool(state.ended)
        return Step(replace(state, time=state.time + 1)) if over else super().step(state, decisions)


@caught_by("what_is_over_stays_as_it_is")
class ComplainsAfterTheEnd(Relay):
    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        complaint = tuple(d for d in decisions.values() if isinstance(d, Refusal))
        return Step(state, refusals=complaint) if state.ended else super().step(state, decisions)


# --- events ------------------------------------------------------------------------------------------


class Retold(Relay):
    """Steps as they are, with other events."""

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        step = super().step(state, decisions)
        return replace(step, events=tuple(self.retell(event) for event in step.events))

    def retell(self, event: Event) -> Event:
        return event


@caught_by("times_never_go_back")
class TimeGoesBack(Retold):
    def retell(self, event: Event) -> Event:
        return replace(event, time=event.time - 2) if event.what == "end" and event.time > 1 else event


@caught_by("activities_open_before_they_close")
class EndsWhatNeverStarted(Retold):
    def retell(self, event: Event) -> Event:
        return replace(event, key=f"{event.key}!") if event.what == "end" else event


@caught_by("activities_open_before_they_close")
class ActivitiesAreNowhere(Retold):
    def retell(self, event: Event) -> Event:
        return replace(event, lane="")


@caught_by("keys_belong_to_one_activity")
class UsesAKeyAgain(Retold):
    def retell(self, event: Event) -> Event:
        return replace(event, key=event.key.partition("@")[0])


@caught_by("keys_belong_to_one_activity")
class ResumesWhatWasNotPaused(Retold):
    def retell(self, event: Event) -> Event:
        return replace(event, what="resume") if event.what == "start" else event


# --- menus -------------------------------------------------------------------------------------------


@caught_by("menus_offer_something")
class OffersNothing(Relay):
    def menu(self, state: State, seat: Seat) -> Menu[Any]:
        return Menu((), complete=False)


@caught_by("menus_list_nothing_twice")
class OffersRestTwice(Relay):
    def menu(self, state: State, seat: Seat) -> Menu[Any]:
        menu = super().menu(state, seat)
        return replace(menu, options=(*menu.options, menu.options[-1]))


@caught_by("what_is_offered_is_accepted")
class OffersWhatItRefuses(Relay):
    def menu(self, state: State, seat: Seat) -> Menu[Any]:
        menu = super().menu(state, seat)
        return replace(menu, options=(*menu.options, Option(Press("violet"), "press violet")))


@caught_by("what_waits_begins_last")
class SaysThatItWaitsAndBeginsAtOnce(Relay):
    def menu(self, state: State, seat: Seat) -> Menu[Any]:
        menu = super().menu(state, seat)
        return replace(menu, options=tuple(replace(option, waits=True) for option in menu.options))


@caught_by("what_a_complete_menu_lacks_is_refused")
class ForgetsABlueButton(Relay):
    def menu(self, state: State, seat: Seat) -> Menu[Any]:
        menu = super().menu(state, seat)
        left = tuple(option for option in menu.options if option.decision != Press("blue") or state.time)
        return replace(menu, options=left)


@caught_by("options_name_what_their_verbs_take")
class PressesNoButtonInParticular(Relay):
    def option(self, decision: Decision, seat: Seat) -> Option[Any]:
        return replace(super().option(decision, seat), things=())


@caught_by("options_name_what_their_verbs_take")
class HasAVerbOfItsOwn(Relay):
    def option(self, decision: Decision, seat: Seat) -> Option[Any]:
        return replace(super().option(decision, seat), verb="push")


@caught_by("decisions_survive_json")
class CannotReadItsDecisionsBack(Relay):
    decision_type = Say | Oil | Press | Rest | Silence


# --- words -------------------------------------------------------------------------------------------


@caught_by("words_are_read_back")
class MumblesItsWords(Relay):
    def words(self, decision: Any, seat: Seat = "") -> str:
        return super().words(decision, seat).replace("green", "greenish")


@caught_by("parse_reads_any_text")
class FormatsWhatItReads(Relay):
    def parse(self, state: State, seat: Seat, text: str) -> Any:
        text.format()
        return super().parse(state, seat, text)


@caught_by("parse_reads_any_text")
class ReadsWhatItCannotWrite(Relay):
    def parse(self, state: State, seat: Seat, text: str) -> Any:
        found = super().parse(state, seat, text)
        return Say([text]) if isinstance(found, Say) else found


@caught_by("parse_charges_nothing")
class ChargesForReading(Relay):
    def __init__(self) -> None:
        super().__init__()
        self.unread = 0

    def parse(self, state: State, seat: Seat, text: str) -> Any:
        found = super().parse(state, seat, text)
        self.unread += isinstance(found, Refusal)
        return found

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        step = super().step(state, decisions)
        return replace(step, state=replace(step.state, refusals=step.state.refusals + self.unread))


@caught_by("telling_needs_the_observation_alone")
class TellsMoreThanWasSeen(Relay):
    def __init__(self) -> None:
        super().__init__()
        self.last = ""

    def description_parts(self, observation: Observation) -> Sequence[Part]:
        before, self.last = self.last, joined(super().description_parts(observation))
        return parted([("state", f"Before: {before[-8:]} Now: {self.last}")])


@caught_by("briefings_never_change")
class BriefsOnTheCode(Relay):
    code: tuple[str, ...] = ()

    def start(self, seed: int = 0) -> State:
        state = super().start(seed)
        self.code = state.code
        return state

    def briefing_parts(self, seat: Seat) -> Sequence[Part]:
        return (*super().briefing_parts(seat), Part("hints", f" Between us: {self.code}"))


# --- screens ------------------------------------------------------------------------------------------


@caught_by("scenes_fit_their_grid")
class StandsOutside(Relay):
    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        return replace(super().scene(state, seat), width=2)


@caught_by("scenes_fit_their_grid")
class ShowsAButtonInTwoPlaces(Relay):
    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        scene = super().scene(state, seat)
        return replace(scene, beside=scene.beside * 2)


# --- secrets -----------------------------------------------------------------------------------------


@caught_by("hidden_facts_stay_hidden")
class ShowsTheCodeToTheRunner(Relay):
    def observe(self, state: State, seat: Seat) -> Observation:
        return replace(super().observe(state, seat), known=state.code)


@caught_by("hidden_facts_stay_hidden")
class DrawsWhatWasPressedForTheReader(Relay):
    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        return super().scene(state)


@caught_by("hidden_facts_stay_hidden")
class OffersOnlyTheRightButton(Relay):
    """Every menu is true to the rules; it is the rules that give the code away."""

    def obstacle(self, state: State, seat: Seat, decision: Any) -> Refusal | None:
        wrong = isinstance(decision, Press) and decision.colour not in state.code
        return super().obstacle(state, seat, decision) or (NO_SUCH_BUTTON if wrong else None)


# --- records -----------------------------------------------------------------------------------------


class Door(Scenario, frozen=True):
    number: int = 0


@caught_by("records_replay")
class IsAnotherDoorEveryTime(Relay):
    doors = count()

    def __getattribute__(self, name: str) -> Any:
        numbered = name == "scenario"
        return Door(number=next(type(self).doors)) if numbered else super().__getattribute__(name)
