"""Metrics and analyses over small episodes, with their arithmetic."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.scoring import Measures, Section
from backburner.kernel.values import Fault, Refusal
from backburner.worlds.collab_overcooked.game.catalogue import Optimum
from backburner.worlds.collab_overcooked.game.rule_set import PRESETS, RELEASED, Limits
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics import score
from backburner.worlds.collab_overcooked.metrics.analysis import released_section
from backburner.worlds.collab_overcooked.metrics.references import Reference, references_of
from backburner.worlds.collab_overcooked.metrics.score import METRICS, CollabOvercookedScoring, scoring
from support.collab_overcooked.cooks import Followers, spoken
from support.collab_overcooked.kitchens import OPEN_KITCHEN, world_of

EGG, PUT_DOWN = "pickup(egg,ingredient_dispenser)", "place_obj_on_counter()"
DISH = "pickup(dish,dish_dispenser)"
ASSISTANTS = (EGG, PUT_DOWN)
CHEFS = ("pickup(egg,counter)", "put_obj_in_utensil(pot0)", "cook(pot0)", "pickup(boiled_egg,pot0)")
"""The reference of a boiled egg; the chef then delivers it, in step 16."""

LEVEL3, LEVEL5, LEVEL6 = (
    "baked_pumpkin_soup",
    "mashed_potato_and_pea_patty",
    "taro_bean_and_bell_pepper_patty",
)
SILENT = "[NOTHING]"
ID = "collab_overcooked/boiled_egg"


def egg(*replies: tuple[str, str], steps: int = 12, rules: str = "standard", name: str = "script") -> Episode:
    """So many steps of the published order, in which these are the first answers."""
    scenario = registry.catalogue("collab_overcooked").scenario("boiled_egg", {})
    return spoken(CollabOvercooked(ID, scenario, PRESETS[rules], Limits(steps, 10)), *replies, name=name)


def egg_done_in(steps: int) -> Episode:
    """The reference, begun late, so that it takes so many steps."""
    scenario = registry.catalogue("collab_overcooked").scenario("boiled_egg", {})
    world = CollabOvercooked(ID, scenario, PRESETS["standard"], Limits(40, 10))
    late = [f"wait({steps - 16})"] if steps > 16 else []
    calls = {"chef": [*CHEFS, "deliver_soup()"], "assistant": [*late, *ASSISTANTS]}
    return play_now(world, Followers(calls, name="script"))


def figures(*episodes: Episode) -> dict[str, float | None]:
    rows = [scoring.measure(episode) for episode in episodes]
    return {metric.key: metric.over(rows) for metric in METRICS}


def section(title: str, *episodes: Episode) -> list[tuple[Any, ...]]:
    rows: list[tuple[Episode, Measures]] = [(episode, scoring.measure(episode)) for episode in episodes]
    found: dict[str, Section] = {one.title: one for one in scoring.sections(rows)}
    assert all(len(row) == len(found[title].columns) for row in found[title].rows)
    return list(found[title].rows)


def known(monkeypatch: pytest.MonkeyPatch, steps: int | None, status: Any = "optimal") -> None:
    """So many steps has the shortest known plan of any order."""
    bound = 0 if steps is None else steps - (status != "optimal")
    found = Optimum("any", "standard", "calls", steps or 0, bound, status, (), ())
    monkeypatch.setattr(score, "known_optimum", lambda *told: None if steps is None else found)


@pytest.fixture(autouse=True)
def nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shortest plans that are shipped play no part here."""
    known(monkeypatch, None)


# --- histories against references -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "order", ["baked_pumpkin_soup", "mashed_potato_and_pea_patty", "taro_bean_and_bell_pepper_patty"]
)
def test_references_that_are_played_have_every_score(order: str) -> None:
    for reference in references_of(order):
        episode = play_now(
            world_of(order), Followers({"chef": reference.chef, "assistant": reference.assistant})
        )
        found = figures(episode)
        assert (found["SR"], found["Steps"]) == (100, reference.steps)
        assert [found[key] for key in ("TES c", "TES a", "PC", "ROUGE-L")] == pytest.approx([1, 1, 1, 1])


@pytest.mark.parametrize(
    ("order", "chefs"),
    [
        ("baked_pumpkin_soup", 1),
        ("mashed_potato_and_pea_patty", 11 / 13),
        ("taro_bean_and_bell_pepper_patty", 13 / 15),
    ],
)
def test_the_released_program_logs_a_filled_dish_as_put_into_the_oven(order: str, chefs: float) -> None:
    """The chef fills its dish at the oven in levels 5 and 6, one call before the last of 13 and of 15. It is
    logged as another call, so that neither this nor the delivery after it is matched: with as many calls in
    both, (1 + b²) 11 / (13 + b² 13) is 11 / 13."""
    (reference, *_) = references_of(order)
    calls = {"chef": reference.chef, "assistant": reference.assistant}
    found = figures(play_now(world_of(order, rules=RELEASED), Followers(calls)))
    assert found["TES c"] == pytest.approx(chefs)
    assert found["TES a"] == pytest.approx(1)
    assert found["PC"] == pytest.approx((chefs + 1) / 2)


def test_what_is_redundant_costs_score() -> None:
    """The assistant does both calls of its reference and a third: (1 + b²) 2 / (2 + b² 3) with b² = 0.9025
    is 3.805 / 4.7075. The chef does nothing: 0."""
    found = figures(egg(("wait(20)", SILENT), (f"{EGG};{PUT_DOWN};{DISH}", SILENT)))
    assert found["TES a"] == pytest.approx(3.805 / 4.7075)
    assert found["TES c"] == 0
    assert found["PC"] == pytest.approx(3.805 / 4.7075 / 2)
    assert found["SR"] == 0 and found["Steps"] is None


def test_rouge_l_takes_what_stands_in_order_and_not_its_beginning_alone() -> None:
    """A dish is put down: nothing of the reference's beginning, but one call of two in two. With the chef's
    0 the mean is a half of (1 + b²) 1 / (2 + b² 2) = 1/2."""
    found = figures(egg(("wait(20)", SILENT), (f"{DISH};{PUT_DOWN}", SILENT)))
    assert (found["TES a"], found["ROUGE-L"]) == (0, pytest.approx(0.25))


# --- success --------------------------------------------------------------------------------------------


def test_success_and_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of three deliver, in 16 and in 22 steps. Of a least 14, one and a half times is 21."""
    episodes = [egg_done_in(16), egg_done_in(22), egg()]
    known(monkeypatch, 14)
    found = figures(*episodes)
    assert found["SR"] == pytest.approx(200 / 3)
    assert found["SR*"] == pytest.approx(100 / 3)
    assert found["Steps"] == 19
    assert found["T/T*"] == pytest.approx((16 / 14 + 22 / 14) / 2)
    known(monkeypatch, 14, "feasible")
    found = figures(*episodes)
    assert (found["SR*"], found["T/T*"]) == (pytest.approx(100 / 3), None)
    known(monkeypatch, None)
    found = figures(*episodes)
    assert (found["SR*"], found["T/T*"]) == (None, None)


def test_success_over_gamma(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deliveries in steps 16, 21 and 28, least 14: from gamma 16/14, 1.5 and 2 on. As recorded, the indices
    15, 20 and 27 are compared with gamma 16: from 15/16, 1.25 and 27/16 on."""
    episodes = [egg_done_in(steps) for steps in (16, 21, 28)]
    third, two = 33.3, 66.7
    title = "Success over gamma, least steps"
    expected = ("script", "1", 3, 0, 0, third, two, two, 100, 100, 100)
    known(monkeypatch, 14)
    assert section(title, *episodes) == [expected]
    (recorded,) = section("Success over gamma, recorded steps", *episodes)
    assert recorded[3:] == (third, third, two, two, 100, 100, 100, 100)


def test_what_was_cut_off_says_nothing_of_longer_limits() -> None:
    """Cut off after 25 steps: that is all of gamma 1.5 (16 · 1.5 = 24, counted from 0), not of 1.75."""
    cells = section("Success over gamma, recorded steps", egg_done_in(16), egg(steps=25))[0][3:]
    assert cells == (50, 50, 50, 50, "–", "–", "–", "–")


# --- collaboration --------------------------------------------------------------------------------------

ASKED = f"request('{EGG}');request('{PUT_DOWN}')"


def test_required_collaborations_and_dialogues() -> None:
    """The chef asks for the first of the two calls that the assistant's reference has; the assistant plans
    both. Of 2 required collaborations 1 is asked for and 2 are planned; the only dialogue has both."""
    found = figures(egg((f"request('{EGG}')", "an egg [END]"), (f"{EGG};{PUT_DOWN}", "yes")))
    assert (found["IC"], found["RC"]) == (50, 100)
    assert (found["IC rel."], found["RC rel."]) == (100, 100)


def test_outcomes_of_collaborations() -> None:
    """In one episode both calls are asked for and others are planned, in the other nothing is asked for and
    both are planned: two dialogues, and four required collaborations."""
    episode = egg((ASKED, "an egg [END]"), (f"{DISH};{PUT_DOWN}", "a dish?"), name="two")
    other = egg(("wait(4)", "well? [END]"), (f"{EGG};{PUT_DOWN}", "an egg?"), name="two")
    assert section("Outcomes of collaborations", episode, other) == [
        ("two", "1", "required", 4, 0, 2, 2, 0, 50, 50),
        ("two", "1", "released", 2, 0, 1, 1, 0, 50, 50),
    ]


def test_dialogues_that_the_assistant_opens_are_left_out_as_released() -> None:
    episode = egg(("wait(9)", SILENT), (f"{EGG};{PUT_DOWN}", "what now?"), (ASKED, "an egg [END]"))
    found = figures(episode)
    assert (found["IC"], found["RC"]) == (100, 100)
    assert (found["IC rel."], found["RC rel."]) == (None, None)


def test_who_asks_and_who_is_asked_follows_from_who_has_the_recipe() -> None:
    """Here the assistant has it: what the chef's reference has is asked for, 5 calls of which 1."""
    asks = f"request('{CHEFS[0]}')"
    world = world_of("boiled_egg", informed=("assistant",), limits=Limits(9, 10))
    found = figures(spoken(world, ("wait(9)", SILENT), (asks, "take it [END]"), ("wait(1)", "what?")))
    assert (found["IC"], found["RC"]) == (20, 0)
    assert (found["IC rel."], found["RC rel."]) == (100, 0)


def test_what_requests_and_answers_add() -> None:
    """Asked for the whole of the assistant's reference, TES goes from 0 to 1; planned is the first half:
    (1 + b²) 1 / (2 + b² 1) = 1.9025 / 2.9025."""
    episode = egg((ASKED, "an egg [END]"), (EGG, "yes"), steps=2)
    assert section("What requests and answers add", episode) == [
        ("script", "1", 1, 1.0, 1, round(1.9025 / 2.9025, 3))
    ]


@pytest.mark.parametrize(
    ("asked", "kind"),
    [(PUT_DOWN, "premature"), (DISH, "irrelevant"), ("fly()", "irrelevant")],
)
def test_why_requests_fail(asked: str, kind: str) -> None:
    (row,) = section("Failed requests", egg((f"request('{asked}')", "please [END]"), ("wait(1)", "no")))
    counts = dict(zip(("premature", "repeated", "irrelevant"), row[4:], strict=True))
    assert row[:4] == ("script", "1", 1, 1)
    assert counts == {"premature": 0, "repeated": 0, "irrelevant": 0} | {kind: 1}


def test_what_was_done_already_is_a_repeated_request() -> None:
    """The egg has been fetched when it is asked for again, four steps later."""
    episode = egg(
        ("wait(4)", SILENT), (EGG, SILENT), ("wait(9)", SILENT), (f"request('{EGG}')", "again [END]")
    )
    ((*_, premature, repeated, irrelevant),) = section("Failed requests", episode)
    assert (premature, repeated, irrelevant) == (0, 1, 0)


# --- groups, orders, what is left out ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("orders", "more", "group"),
    [
        (("boiled_egg",), {"level": 1}, "level 1"),
        (("boiled_egg",), {"level": 1, "informed": ("chef", "assistant")}, "level 1, both know"),
        (("boiled_egg",), {}, "level 1, other orders"),
        (("boiled_egg", "boiled_mushroom"), {}, "2 orders at once"),
        (("gratin",), {"layout": OPEN_KITCHEN}, "level 0, other orders"),
        ((), {"order_weights": {"boiled_egg": 1.0}}, "orders that are drawn"),
    ],
)
def test_groups_are_levels(orders: tuple[str, ...], more: dict[str, Any], group: str) -> None:
    """In the open kitchen the chef can do everything itself: no collaboration, so less than level 1."""
    episode = spoken(world_of(*orders, limits=Limits(2), **more))
    assert scoring.group(episode) == group


def test_orders_without_references_are_scored_without_them() -> None:
    episode = spoken(world_of("boiled_egg", "boiled_mushroom", limits=Limits(2)))
    found = figures(episode)
    assert found["SR"] == 0
    assert [found[key] for key in ("PC", "TES c", "ROUGE-L", "IC", "RC rel.")] == [None] * 5
    ((_, why),) = section("Without references", episode)
    assert why == "the released references are for one order alone; here there may be several"


def test_another_set_of_references_is_chosen_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A set that has the dish fetched before the egg gives whoever does that a score of 1."""
    first_the_dish = (DISH, PUT_DOWN)
    other = Reference("other", 16, CHEFS, first_the_dish)
    monkeypatch.setattr(score, "references_for", lambda scenario, name: (other,) if name == "near" else ())
    episode = egg(("wait(20)", SILENT), (f"{DISH};{PUT_DOWN}", SILENT))
    assert CollabOvercookedScoring("near").measure(episode)["TES assistant"] == pytest.approx(1)


def test_the_table_by_order_has_each_scenario_once() -> None:
    rows = section("By order", egg_done_in(16), egg_done_in(22))
    assert [row[1:6] for row in rows] == [("boiled_egg", 2, 100, 19, "–")]


def test_refusals_are_named_by_their_code() -> None:
    assert scoring.kind_of_refusal(Refusal("pickup_hands_full", Fault.CAPACITY)) == "pickup hands full"


# --- the released evaluation --------------------------------------------------------------------------


def test_the_released_evaluation_of_an_order_and_of_its_level() -> None:
    """Deliveries in steps 16 and 20 (indices 15 and 19: mean 17, deviation 2) and one in step 28, index 27,
    which is more than 24: that run is cut off there and no success. In what is left of it the chef has done
    3 of its 5 calls, which begin the reference: (1 + b²) 3 / (5 + b² 3) = 5.7075 / 7.7075."""
    episodes = [egg_done_in(steps) for steps in (16, 20, 28)]
    order, level = section("As the release evaluates", *episodes)
    chef = (1 + 1 + 5.7075 / 7.7075) / 3
    assert order[:3] == ("script", "boiled_egg", 3)
    assert order[3:] == pytest.approx((2 / 3, 17, 2, chef, 1, (chef + 1) / 2, 0, 0), abs=0.0006)
    assert level == ("script", "level 1", 3, *order[3:])


@pytest.mark.slow
def test_in_the_released_evaluation_each_order_of_a_level_weighs_the_same() -> None:
    """An egg played twice, with and without success, and corn once: (0.5 + 1) / 2."""
    egg_played = spoken(world_of("boiled_egg", limits=Limits(2)))
    corn = replace(egg_played, header=replace(egg_played.header, id="collab_overcooked/corn"))
    scores = {f"cut: TES {cook}": 0.0 for cook in ("chef", "assistant")}
    rows = [
        (episode, {"level": 1.0, "cut: success": success, **scores})
        for episode, success in ((egg_played, 1.0), (egg_played, 0.0), (corn, 1.0))
    ]
    (table,) = (one.rows for one in released_section(rows))
    assert [line[3] for line in table] == [0.5, 1, 0.75]


def test_the_released_evaluation_has_no_last_step_without_a_success() -> None:
    (order, _) = section("As the release evaluates", egg())
    assert order[3:6] == (0, "–", "–")


def test_the_released_evaluation_has_no_ic_and_rc_where_a_talk_is_without_a_word() -> None:
    """By released rules an empty say opens a talk; the scripts stop with an error if nobody speaks in it."""
    hush = "{0} analysis: a\n{0} plan: wait(1)\n{0} say: {1}"
    opened = [hush.format("Chef", "")] + [hush.format(role, SILENT) for role in ("Assistant", "Chef")]
    scenario = registry.catalogue("collab_overcooked").scenario("boiled_egg", {})
    episode = spoken(CollabOvercooked(ID, scenario, PRESETS["released"], Limits(3, 10)), *opened)
    order, level = section("As the release evaluates", episode)
    assert order[-2:] == level[-2:] == ("–", "–")
    assert figures(episode)["IC rel."] is None


def test_the_released_evaluation_is_of_published_orders_alone() -> None:
    episode = spoken(world_of("boiled_egg", limits=Limits(2)))
    titles = [one.title for one in scoring.sections([(episode, scoring.measure(episode))])]
    assert "As the release evaluates" not in titles and "By order" in titles


def test_a_delivery_within_one_and_a_half_times_the_shortest_plan_succeeds() -> None:
    """SR* of 15 steps where 10 are the least; 16 are too many, and so is what delivered nothing."""
    known = [{"steps": steps, "optimum": 10.0} for steps in (15.0, 16.0)]
    (metric,) = (metric for metric in scoring.metrics if metric.key == "SR*")
    assert [metric.over([row]) for row in known] == [100, 0]
    assert metric.over([*known, {"optimum": 10.0}, {"steps": 3.0}]) == pytest.approx(100 / 3)
