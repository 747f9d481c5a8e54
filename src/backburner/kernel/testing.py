"""The conformance kit: whether a world keeps the contract, ours or yours.

    from backburner.kernel import packs, registry, testing

    checked = testing.check_world(registry.world("timearena/cooking1"))
    checked = testing.check_pack("timearena")
    offers = testing.offers("timearena")

The kit walks through the world at random, from seeds, so that what it finds it finds again. It
decides well, badly and not at all. Each demand of the contract is one function in
``kernel.conformance``; its name stands in the message when it is not met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from backburner.kernel import registry
from backburner.kernel.assessment import Assessment
from backburner.kernel.clock import Timed
from backburner.kernel.conformance import declared, menus, silence, states, stories, texts, tools
from backburner.kernel.conformance.offers import Offer, offers
from backburner.kernel.conformance.walk import (
    Check,
    ContractViolation,
    Expect,
    HiddenVariants,
    Point,
    Survey,
    Walk,
)
from backburner.kernel.contract import World
from backburner.kernel.errors import BackburnerError
from backburner.kernel.exact import Searchable
from backburner.kernel.menu import Menus
from backburner.kernel.schedule import Schedulable
from backburner.kernel.text import Examples, Text
from backburner.kernel.tools import Tools
from backburner.kernel.view import View

__all__ = ["Checked", "ContractViolation", "Offer", "check_pack", "check_world", "offers"]

Stage = Sequence[tuple[Any, Sequence[Check[Any]]]]
"""Checks in the order in which they run, with the capability, or the argument of the kit, that they need."""

NOTHING = (None, Assessment())
"""Arguments of the kit that give it nothing to check."""

OF_THE_WORLD: Stage = [
    (View, [menus.controls_are_for_verbs]),
    (Text, [tools.tools_are_what_strict_servers_take, tools.calls_never_raise]),
    (
        Examples,
        [
            texts.demonstrations_are_of_other_scenarios,
            texts.demonstrations_come_to_an_end,
            texts.worked_plans_are_read,
        ],
    ),
    (Schedulable, [declared.problems_are_well_formed, declared.schedules_are_plans]),
    (Searchable, [declared.estimates_are_passed_by_no_play]),
]

AT_THE_START: Stage = [(World, [states.start_is_deterministic])]

AT_A_STATE: Stage = [
    (
        World,
        [
            states.states_are_hashable,
            states.states_are_frozen,
            states.states_survive_json,
            states.somebody_decides_or_it_is_over,
            states.outcomes_hold_finite_numbers,
            states.asking_changes_nothing,
        ],
    ),
    (View, [menus.scenes_fit_their_grid]),
]

AT_A_DECISION: Stage = [
    (
        Menus,
        [
            menus.menus_offer_something,
            menus.menus_list_nothing_twice,
            menus.options_name_what_their_verbs_take,
            menus.bodies_are_in_the_scene,
            menus.decisions_survive_json,
        ],
    ),
    (Text, [texts.parse_reads_any_text]),
    (
        World,
        [
            states.bad_decisions_are_refused,
            states.refusals_name_their_seat,
            states.garbled_decisions_never_raise,
            states.chance_comes_from_the_seed_alone,
            states.step_leaves_its_input_alone,
            states.step_is_deterministic,
            states.seats_not_asked_are_ignored,
            states.simultaneous_decisions_have_no_order,
        ],
    ),
    (
        Menus,
        [
            menus.what_is_offered_is_accepted,
            menus.decisions_are_put_together,
            menus.what_waits_begins_last,
            menus.what_a_complete_menu_lacks_is_refused,
        ],
    ),
    (
        Text,
        [
            texts.parse_charges_nothing,
            texts.words_are_read_back,
            texts.telling_needs_the_observation_alone,
            texts.parts_make_the_whole,
            texts.questions_need_the_observation_alone,
            texts.plans_are_read_from_any_text,
            texts.a_plan_of_one_decision_is_that_decision,
            texts.typed_lines_are_answers,
            tools.unreadable_calls_are_refused,
        ],
    ),
    (Tools, [tools.calls_are_read_as_their_options]),
    (View, [menus.moments_lie_within_the_step, menus.known_events_are_of_the_step]),
    ("hidden_variants", [states.hidden_facts_stay_hidden]),
    ("assessment", [stories.judgements_are_the_same_every_time]),
]

AT_THE_END: Stage = [
    (
        World,
        [
            stories.times_never_go_back,
            stories.activities_open_before_they_close,
            stories.keys_belong_to_one_activity,
            stories.what_is_over_stays_as_it_is,
            stories.a_world_remembers_nothing,
            stories.records_replay,
        ],
    ),
    (Text, [texts.briefings_never_change]),
    (
        Timed,
        [
            silence.silence_is_a_decision_of_its_own,
            silence.silence_takes_time,
            silence.silences_add_up,
            silence.silence_leaves_the_rest_as_it_is,
            silence.silence_breaks_what_time_breaks,
            silence.silence_forgives_nothing,
        ],
    ),
    ("assessment", [stories.critics_read_any_plan, stories.windows_open_before_they_close]),
]


class Checked(Struct, frozen=True):
    """What the kit has looked at. ``ran``: how many cases of each check, all good.

    ``not_checked``: the checks that looked at nothing, or not at everything, and why.
    """

    world: str
    episodes: int
    steps: int
    ran: dict[str, int]
    not_checked: dict[str, str]


def check_world(
    world: World[Any, Any, Any],
    *,
    hidden_variants: HiddenVariants | None = None,
    assessment: Assessment | None = None,
    episodes: int = 5,
    seed: int = 0,
    max_steps: int = 500,
) -> Checked:
    """Play ``episodes`` episodes of at most ``max_steps`` steps, seeded, and check all on the way.

    ``hidden_variants(state, seat)``: states that differ from ``state`` only in what the seat may not know;
    with it the kit checks that the seat does not come to know it. ``assessment``: what metrics say of
    the world, to be checked as well; by default what its pack makes, if it is announced.

    Raises ``ContractViolation`` at the first demand that is not met, naming check, world and step.
    """
    if not isinstance(world, World):
        raise ContractViolation("worlds_have_every_member", repr(world), "start", "see kernel.contract.World")
    assessed = registry.assessment(world) if assessment is None else assessment
    survey = Survey(world, max_steps, hidden_variants, assessed)
    inspector = _Inspector(survey)
    made = sum(_walk(Walk(survey, number, seed + number), inspector) for number in range(episodes))
    return Checked(world.id, episodes, made, dict(inspector.cases), inspector.not_checked())


def check_pack(name: str) -> Checked:
    """Load every part of an announced pack and hold it to what the pack promises.

    Raises ``ContractViolation`` at the first demand that is not met, what ``packs.pack`` raises for a
    pack that is not there or does not load, and what ``registry.catalogue`` raises.
    """
    announced = declared.Announced(name)
    ran: dict[str, int] = {}
    not_checked: dict[str, str] = {}
    for check in declared.CHECKS:
        expect = Expect(check.__name__, name, "pack")
        try:
            check(announced, expect)
        except (ContractViolation, BackburnerError):
            raise
        except Exception as error:
            raise expect.violation(f"{type(error).__name__}: {error}") from error
        ran[expect.check] = expect.cases
        if expect.obstacle:
            not_checked[expect.check] = expect.obstacle
    episode = announced.episode
    return Checked(name, int(episode is not None), len(episode.entries) if episode else 0, ran, not_checked)


def _walk(walk: Walk, inspector: _Inspector) -> int:
    """One episode under inspection; returns its number of steps."""
    if walk.number == 0:
        inspector.inspect(OF_THE_WORLD, walk, f"seed {walk.seed}, start")
    inspector.inspect(AT_THE_START, walk, f"seed {walk.seed}, start")
    state = walk.first
    for index in range(walk.survey.max_steps + 1):
        point = Point(walk, index, state)
        walk.points.append(point)
        where = f"seed {walk.seed}, step {index}"
        inspector.inspect(AT_A_STATE, point, where)
        if not point.seats or index == walk.survey.max_steps:
            break
        inspector.inspect(AT_A_DECISION, point, where)
        state = point.step.state
    inspector.inspect(AT_THE_END, walk, f"seed {walk.seed}")
    return len(walk.steps)


class _Inspector:
    """Runs checks, counts the cases they look at and notes what they cannot look at."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._world = survey.world
        self._obstacles: dict[str, str] = {}
        self.cases: Counter[str] = Counter()

    def inspect(self, stage: Stage, subject: Point | Walk, where: str) -> None:
        """Run the checks of a stage for which there is what they need."""
        for needed, checks in stage:
            lacking = self._lacking(needed)
            for check in checks:
                if lacking:
                    self._obstacles[check.__name__] = lacking
                else:
                    self._run(check, subject, Expect(check.__name__, self._world.id, where))

    def _lacking(self, needed: type | str) -> str:
        """Why checks that need this cannot be made; empty if they can."""
        if isinstance(needed, str):
            return "" if getattr(self._survey, needed) not in NOTHING else f"no {needed} given"
        return "" if isinstance(self._world, needed) else f"the world offers no {needed.__name__}"

    def _run(self, check: Check[Any], subject: Point | Walk, expect: Expect) -> None:
        try:
            check(subject, expect)
        except ContractViolation:
            raise
        except Exception as error:
            raise expect.violation(f"{type(error).__name__}: {error}") from error
        self.cases[expect.check] += expect.cases
        if expect.obstacle:
            self._obstacles[expect.check] = expect.obstacle

    def not_checked(self) -> dict[str, str]:
        """Check to reason, for those that looked at nothing or not at everything."""
        idle = (name for name, cases in self.cases.items() if not cases)
        return dict.fromkeys(idle, "nothing of the kind was met") | self._obstacles
