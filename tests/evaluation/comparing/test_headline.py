"""The headline score: worked by hand, its interval, what is missing, what is left out, and its references."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.evaluation.comparing import headline as headlines_module
from backburner.evaluation.comparing.headline import Headline, Scale, headline, headlines, points, scale
from backburner.evaluation.comparing.headline_tables import headline_section, headline_sections
from backburner.evaluation.scoring.scores import WorldScores, score
from backburner.evaluation.scoring.statistics import estimate
from backburner.evaluation.tables.terminal import section_table
from backburner.kernel import headline as kernel_headline
from backburner.kernel import packs, registry
from backburner.kernel.errors import Refused
from backburner.kernel.headline import Proof, Reference, Suite, best_of, declared, metrics_of, suites_of
from backburner.kernel.play import play_now
from backburner.kernel.scoring import Measured, Metric
from support.evaluation.made_episodes import made
from support.evaluation.samples import SCORE, TIME


def suite(name: str, metric: Metric, **scenarios: tuple[float, float]) -> Suite:
    """A suite of the world before the slash; (random, best) of each scenario."""
    world, _, own = name.partition("/")
    proof: Proof = "optimum"
    found = {f"tea/{id}": Reference(f"tea/{id}", *ends, proof) for id, ends in scenarios.items()}
    return Suite(world, own, metric, found)


TEA = suite("tea/short", SCORE, a=(20, 100), b=(40, 100))
COFFEE = suite("coffee/all", TIME, c=(30, 10), d=(50, 20))
BOTH = Scale((TEA, COFFEE), ())


def played(**figures: Sequence[float]) -> list[Measured]:
    """Figures of one episode for each seed of each scenario."""
    return [(made("me", id, n), {"x": x}) for id, own in figures.items() for n, x in enumerate(own)]


def test_the_example_of_the_page() -> None:
    """tea: r = 30, b = 100. a: 100 (60 - 20) / 70 = 57.14; b: 100 (100 - 40) / 70 = 85.71; mean 71.43.
    coffee: less is better, r = 40, b = 15. c: 100 (20 - 30) / -25 = 40; d: 100 (50 - 50) / -25 = 0; mean 20.
    Headline: (71.43 + 20) / 2 = 45.71."""
    found = headline("me", played(a=[50, 70], b=[100], c=[20], d=[50]), BOTH)
    assert points(TEA, {"tea/a": 60, "tea/b": 100}) == pytest.approx({"tea/a": 57.142857, "tea/b": 85.714286})
    assert [one.score.value for one in found.suites] == pytest.approx([71.428571, 20.0])
    assert found.score.value == pytest.approx(45.714286)
    assert (found.missing, found.wrong, found.informed) == ((), (), False)
    assert [one.seeds for one in found.suites] == [(1, 2), (1, 1)]


def test_a_further_world_moves_the_headline_by_its_share() -> None:
    """A third world with 80: (71.43 + 20 + 80) / 3 = (2 · 45.71 + 80) / 3 = 57.14."""
    third = suite("milk/all", SCORE, e=(0, 100))
    found = headline("me", played(a=[60], b=[100], c=[20], d=[50], e=[80]), Scale((TEA, COFFEE, third), ()))
    assert found.score.value == pytest.approx((2 * 45.714286 + 80) / 3)
    assert found.score.low is None, "of one scenario nobody knows how it varies"


def test_two_suites_of_a_world_share_its_weight() -> None:
    more = suite("tea/long", SCORE, e=(0, 100), f=(0, 100))
    over = Scale((TEA, more, COFFEE), ())
    assert [over.weight(one) for one in over.suites] == [0.25, 0.25, 0.5]
    found = headline("me", played(a=[60], b=[100], c=[20], d=[50], e=[10], f=[20]), over)
    assert found.score.value == pytest.approx(((71.428571 + 15) / 2 + 20) / 2)


def test_random_play_is_0_and_the_best_100_and_worse_than_random_is_below() -> None:
    at = {"random": (20, 40, 30, 50), "best": (100, 100, 10, 20), "worse": (0, 0, 60, 100)}
    found = {
        name: headline("me", played(a=[a], b=[b], c=[c], d=[d]), BOTH).score.value
        for name, (a, b, c, d) in at.items()
    }
    # tea: 100 (0 - 30) / 70 = -42.86; coffee: 100 (80 - 40) / -25 = -160; mean -101.43
    assert found == pytest.approx({"random": 0, "best": 100, "worse": -101.428571})


def test_what_is_missing_is_named_and_gives_no_headline() -> None:
    found = headline("me", played(a=[60], c=[20], d=[50]), BOTH)
    assert found.score.value is None
    assert found.missing == ("1 of 2 scenarios of tea/short (tea/b)",)
    assert [one.score.value for one in found.worlds] == [None, 20.0]
    assert found.suites[0].score.value == pytest.approx(50.0), "of a alone: 100 (60 - 20) / (100 - 20)"
    assert headline("me", played(a=[60], b=[60]), BOTH).missing == ("all of coffee",)
    (table, suites) = headline_sections([found])
    assert table.rows[0][:3] == ("me", "3 of 4", "1 of 2")
    assert "me has no headline score: missing are 1 of 2 scenarios of tea/short (tea/b)." in table.text
    assert [row[-2] for row in suites.rows] == ["1 of 2", "2 of 2"]


def test_a_part_of_a_suite_may_have_no_score() -> None:
    """Random play meets the best in the one scenario that is there."""
    met = Scale((suite("tea/s", SCORE, a=(100, 100), b=(0, 100)),), ())
    found = headline("me", played(a=[100]), met)
    assert found.suites[0].score.value is None and found.missing
    assert headlines_module.points_of([], met) == {"tea/s": {}}


def test_better_than_is_possible_is_told_and_never_clipped() -> None:
    found = headline("me", played(a=[60], b=[101], c=[20], d=[50]), BOTH)
    assert found.wrong == ("tea/b: score 101 is better than is possible (100)",)
    assert found.suites[0].score.value == pytest.approx(100 * (161 / 2 - 30) / 70)


def test_the_interval_combines_those_of_the_suites() -> None:
    figures = {"a": 60.0, "b": 100.0, "c": 20.0, "d": 50.0}
    found = headline("me", played(**{id: [x] for id, x in figures.items()}), BOTH)
    low, high = (
        sum((0.5 * (getattr(one.score, end) - (one.score.value or 0))) ** 2 for one in found.suites) ** 0.5
        for end in ("low", "high")
    )
    assert found.score.low == pytest.approx((found.score.value or 0) - low)
    assert found.score.high == pytest.approx((found.score.value or 0) + high)
    # Each suite's is that of its metric, on the new scale: of tea from 100 (0 - 30) / 70 to 100.
    raw = estimate(SCORE, [("a", {"x": 57.142857 * 0.7 + 30}), ("b", {"x": 85.714286 * 0.7 + 30})])
    assert found.suites[0].score.low == pytest.approx((raw.low or 0) / 0.7 - 30 / 0.7, abs=1e-4)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    """Three worlds of two suites of 12 scenarios: shares of 15 to 85 %, and bounded scores that vary."""
    draw, hits, times = random.Random(1), 0, 400
    suites = [
        suite(f"w{w}/s{s}", SCORE, **{f"w{w}s{s}n{n}": (10, 90) for n in range(12)})
        for w in range(3)
        for s in range(2)
    ]
    means = [15, 50, 85, 30, 60, 75]
    truth = fmean(100 * (mean - 10) / 80 for mean in means)
    for _ in range(times):
        rows: dict[str, list[float]] = {}
        for n, (one, mean) in enumerate(zip(suites, means, strict=True)):
            for id in one.references:
                share, score_of = draw.random() < mean / 100, draw.betavariate(mean / 20, 5 - mean / 20)
                rows[id.removeprefix("tea/")] = [100.0 * (share if n % 2 else score_of)]
        found = headline("me", played(**rows), Scale(tuple(suites), ())).score
        assert found.low is not None and found.high is not None
        hits += found.low <= truth <= found.high
    assert 0.93 <= hits / times <= 1, hits


@given(
    st.lists(st.tuples(*[st.floats(0, 100)] * 3), min_size=2, max_size=6),
    st.floats(0.1, 50),
    st.floats(-100, 100),
)
def test_the_unit_of_a_metric_does_not_matter(
    scenarios: list[tuple[float, float, float]], factor: float, shift: float
) -> None:
    plain = {f"s{n}": one for n, one in enumerate(scenarios)}
    if abs(fmean(best - low for low, best, _ in scenarios)) < 1:
        return
    other = {id: tuple(factor * x + shift for x in one) for id, one in plain.items()}
    assert _value(plain) == pytest.approx(_value(other), rel=1e-6, abs=1e-4)


def _value(scenarios: Mapping[str, Any]) -> float | None:
    over = Scale((suite("tea/s", TIME, **{id: one[:2] for id, one in scenarios.items()}),), ())
    rows = played(**{id: [one[2]] for id, one in scenarios.items()})
    return headline("me", rows, over).suites[0].score.value


# --- which suites and episodes count -------------------------------------------------------------------


def test_suites_in_which_random_play_meets_the_best_are_left_out_and_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    met = suite("tea/easy", SCORE, a=(99.5, 100), b=(99.9, 100))
    monkeypatch.setattr(headlines_module, "suites_of", lambda name: (TEA, met))
    found = scale(["tea"])
    assert found.suites == (TEA,)
    assert found.left_out == ("tea/easy is left out: score of random play has 99.7, the best is 100",)


def test_only_standard_rules_and_the_articles_limits_count() -> None:
    over = scale(["timearena"])
    id = "timearena/cooking1"
    kinds: tuple[dict[str, Any], ...] = ({}, {"rules": "released"}, {"limits": "none"})
    for kind in kinds:
        world = registry.world(id, **kind)
        episode = play_now(world, make_policies(AgentSpec("serial"), world))
        found = headlines(score([episode]), over)
        assert [one.suites[0].scenarios for one in found] == ([1] if not kind else [])


def test_a_call_that_failed_is_missing_and_no_zero() -> None:
    failed = (made("me", "a", status="failed"), {"x": 0.0})
    world = WorldScores("tea", "Tea", (SCORE,), (), (), (), (failed, *played(b=[100])), ())
    assert world.answered == list(world.measured[1:])
    found = headline("me", world.answered, BOTH)
    assert found.suites[0].missing == ("tea/a",)


def test_informed_agents_are_told_apart() -> None:
    world = registry.world("timearena/cooking1")
    episode = play_now(world, make_policies(AgentSpec("greedy"), world))
    (found,) = headlines(score([episode]), scale(["timearena"]))
    assert found.informed
    assert headline_sections([found])[0].rows[0][0] == "greedy (informed)"


# --- references ----------------------------------------------------------------------------------------

OURS = tuple(name for name in declared() if packs.pack(name).catalogue.startswith("backburner."))


@pytest.mark.parametrize("name", OURS)
def test_references_are_of_this_version_and_these_suites_and_the_best_beats_random_play(name: str) -> None:
    """If this fails as the world has a new version: backburner headline WORLD --write-references FILE."""
    for one in suites_of(name):
        assert set(one.references) | set(one.left_out) == set(registry.expand(one.name))
        sign = 1 if one.metric.better == "higher" else -1
        assert all(sign * (found.best - found.random) >= 0 for found in one.references.values())
    assert len(OURS) == 5


@pytest.mark.parametrize("name", OURS)
def test_references_come_out_again(name: str) -> None:
    """A sample: one scenario of each suite, random play with all seeds, and the best value."""
    seeds = kernel_headline._read(name).seeds
    for one in suites_of(name):
        id = list(one.references)[len(one.references) // 3]
        found, best = one.references[id], best_of(name, one.metric)(id)
        assert headlines_module.random_value(name, id, one.metric, seeds) == pytest.approx(
            found.random, abs=1e-6
        )
        assert best is not None
        assert (best.value, best.proof) == (pytest.approx(found.best, abs=1e-6), found.proof)


PLAYED_BY_ORACLES = (
    "robotouille/synchronous/1@seed=42",
    "collab_overcooked/baked_bell_pepper",
)


@pytest.mark.parametrize("id", PLAYED_BY_ORACLES)
def test_shipped_plans_have_the_best_value(id: str) -> None:
    world = registry.world(id)
    name = id.partition("/")[0]
    (one,) = [one for one in suites_of(name) if id in one.references]
    episode = play_now(world, make_policies(AgentSpec("oracle"), world))
    assert one.references[id].proof == "optimum"
    assert one.metric.over([registry.scoring(name).measure(episode)]) == one.references[id].best


@pytest.mark.parametrize("id", ["timearena/cooking1", "recipe2plan/Cobbler+Pancakes"])
def test_proven_plans_have_the_best_value(id: str) -> None:
    """The plan that the oracle finds and proves anew, played."""
    world = registry.world(id)
    name = id.partition("/")[0]
    (one,) = [one for one in suites_of(name) if id in one.references]
    episode = play_now(world, make_policies(AgentSpec("oracle"), world))
    value = one.metric.over([registry.scoring(name).measure(episode)])
    assert value == pytest.approx(one.references[id].best, abs=1e-5)


def test_random_play_comes_near_0_with_other_seeds() -> None:
    """Five seeds that the references do not have, the same in all 30 scenarios: within what they can tell, as
    no seed is lucky in all."""
    one = suites_of("timearena")[0]
    scoring, draws = registry.scoring("timearena"), []
    for id in one.references:
        world = registry.world(id)
        policies = make_policies(AgentSpec("random"), world)
        rows = [scoring.measure(play_now(world, policies, seed)) for seed in range(1000, 1005)]
        draws.append((one.metric.over(rows) or 0) - one.references[id].random)
    assert abs(fmean(draws)) < 3 * stdev(draws) / len(draws) ** 0.5


def test_a_pack_that_ships_bad_references_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    good = kernel_headline._read("collab_overcooked")
    for bad, why in (
        (msgspec.structs.replace(good, version=99), "its references are of version 99, not"),
        (msgspec.structs.replace(good, references=good.references[1:]), "no reference of"),
        (
            msgspec.structs.replace(good, references=(*good.references, Reference("x/y", 0, 1, "end"))),
            "x/y has a reference and is in no suite",
        ),
    ):
        suites_of.cache_clear()
        monkeypatch.setattr(kernel_headline, "_read", lambda name, bad=bad: bad)
        with pytest.raises(Refused, match=why):
            suites_of("collab_overcooked")
    suites_of.cache_clear()


def test_metrics_that_are_declared_exist() -> None:
    assert {metric.key for name in OURS for metric in metrics_of(name).values()} == {
        "AS*",
        "SxE*",
        "Success",
        "SR*",
        "CoS",
    }


def test_headlines_are_plain_data() -> None:
    found = headline("me", played(a=[60], b=[100], c=[20], d=[50]), BOTH)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Headline) == found


def test_of_several_agents_the_missing_scenarios_are_counted() -> None:
    """Three of four each; their names would fill a page."""
    found = [headline(name, played(a=[60], c=[20], d=[50]), BOTH) for name in ("me", "you")]
    (table, _) = headline_sections(found)
    assert "as scenarios are missing: me 3 of 4; you 3 of 4 are finished." in table.text


def test_a_suite_in_which_the_first_decision_goes_far_is_named() -> None:
    """tea: r = 30, b = 100. 100 (70 - 20) / 70 and 100 (90 - 40) / 70 are 71 points; in coffee it has 20."""
    far = played(a=[70], b=[90], c=[20], d=[50])
    table, _ = headline_sections([headline("first-legal", far, BOTH), headline("me", far, BOTH)])
    assert table.text.count("asks little") == 1
    assert "tea/short asks little: first-legal has 71 points there." in table.text
    near = played(a=[62], b=[82], c=[20], d=[50])  # 100 (62 - 20) / 70 = 60, and no more
    table, _ = headline_sections([headline("first-legal", near, BOTH)])
    assert "asks little" not in table.text


def test_a_terminal_of_80_columns_holds_the_scores_of_many_worlds() -> None:
    """Agents and worlds with whole names; where a score is missing, how much is finished stands there."""
    worlds = ("collab_overcooked", "cuisineworld", "recipe2plan", "robotouille", "timearena")
    over = Scale(tuple(suite(f"{world}/s", SCORE, a=(0, 100), b=(0, 100)) for world in worlds), ())
    names = ("react(somebody/a-model-with-a-long-name-2026)", "act(small)", "odd\x1b[2J")
    found = [headline(name, played(a=[90 - 30 * n], b=[70 - 30 * n]), over) for n, name in enumerate(names)]
    found.append(headline("late", played(a=[10]), over))
    for width in (80, 200):
        text = section_table(headline_section(found), width).plain
        lines = text.splitlines()
        assert max(map(len, lines)) <= width and all(line.isprintable() for line in lines)
        assert all(name in text for name in (*worlds, *names[:2], "80.00", "5 of 10", "1 of 2"))
        assert "–" not in text
