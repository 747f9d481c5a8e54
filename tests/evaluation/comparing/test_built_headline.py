"""Editions of built suites: what ships, that its best plans are what they say, and where 0 and 100 lie."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.agents.planned import plan_policy
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.evaluation.comparing.headline import PUBLISHED, every_headline, headlines, scale
from backburner.evaluation.comparing.headline_tables import headline_sections
from backburner.evaluation.scoring.scores import score
from backburner.generation.canonical import form, shape, split_of
from backburner.generation.headline import GAPS
from backburner.kernel import registry
from backburner.kernel.built import BANDS, EDITIONS, built_of
from backburner.kernel.errors import Refused
from backburner.kernel.generating import generator_of
from backburner.kernel.headline import built
from backburner.kernel.oracle import Solution
from backburner.kernel.play import play_now
from backburner.kernel.replay import final_state
from backburner.kernel.values import digest

WORLDS = built()
BUILT = "built-1"
DESK = "desk/built-2"


def test_an_edition_is_the_worlds_of_those_before_and_those_that_came_in_since() -> None:
    first = ("collab_grid", "collab_overcooked", "cuisineworld", "recipe2plan", "timearena")
    assert built(BUILT) == first and built("built-2") == tuple(sorted((*first, "desk")))
    assert built() == built(EDITIONS[-1])
    own, both = scale((BUILT,)), scale(("built-2",))
    assert {suite.name for suite in both.suites} - {suite.name for suite in own.suites} == {
        f"{DESK}/{band}" for band in BANDS
    }


def test_what_decides_a_score_of_an_edition_never_changes() -> None:
    assert [scale((of,)).edition for of in EDITIONS] == ["3f1dea9b71e8c4db", "b156f6fff4983479"]


@pytest.mark.parametrize("world", WORLDS)
def test_scenarios_are_of_their_bands_and_of_the_split_that_nobody_trains_on(world: str) -> None:
    generator, package = generator_of(world), registry.catalogue(world).built
    file = built_of(package)
    assert file is not None and len(file.scenarios) == 60
    ids = registry.expand(f"{world}/{file.edition}")
    assert len(set(ids)) == 60
    forms = set()
    for one in file.scenarios:
        structure = generator.structure(registry.world(f"{world}/{file.edition}/{one.name}"))
        forms.add(form(structure))
        assert split_of(shape(structure)) == "test"
        assert one.answer.dials[f"gap:{generator.yardstick}"] in GAPS[generator.sense][BANDS.index(one.band)]
        assert one.answer.status == "optimal" and one.answer.best == one.answer.bound
    assert len(forms) == 60
    equal = 60 // len(generator.bands)
    assert {band: len(own) for band, own in file.bands.items()} == dict.fromkeys(generator.bands, equal)


@pytest.mark.parametrize("world", WORLDS)
def test_the_plan_of_each_scenario_is_worth_what_it_says(world: str) -> None:
    generator, file = generator_of(world), built_of(registry.catalogue(world).built)
    assert file is not None
    for one in file.scenarios[::3]:
        played = registry.world(f"{world}/{file.edition}/{one.name}")
        answer = one.answer
        assert digest(played.scenario) == answer.scenario
        found = Solution(
            played.id, "optimal", answer.best, answer.bound, answer.sense, answer.unit, "", plan=answer.plan
        )
        episode = play_now(played, plan_policy(played, found))
        result = generator.result(played, played.outcome(final_state(episode, played)))
        assert result.value == answer.best


def test_an_agent_that_plays_the_plans_has_100_and_one_that_is_merely_busy_is_about_0() -> None:
    """Ten scenarios of one band with a seed each: the reference is the mean over 32 others."""
    ids = registry.expand(f"timearena/{BUILT}/high")[:10]
    episodes = []
    file = built_of(registry.catalogue("timearena").built)
    assert file is not None
    plans = {f"timearena/{BUILT}/{one.name}": one.answer for one in file.scenarios}
    for id in ids:
        world, answer = registry.world(id), plans[id]
        best = Solution(id, "optimal", answer.best, answer.bound, "min", answer.unit, "", plan=answer.plan)
        episodes.append(play_now(world, plan_policy(world, best)))
        for name in ("busy", "random"):
            episodes.append(play_now(world, make_policies(AgentSpec(name), world), 7))
    found = {one.agent: one for one in headlines(score(episodes), scale((BUILT, "timearena")))}
    points = {agent: one.suites[-1].score.value for agent, one in found.items()}
    assert points["oracle"] == pytest.approx(100)
    assert points["busy"] is not None and abs(points["busy"]) < 25
    assert points["random"] is not None and points["random"] < points["busy"]
    beside = found["busy"].suites[-1].beside
    assert beside is not None and beside < 0
    assert found["busy"].missing and found["busy"].score.value is None


def test_editions_are_shown_of_which_something_came_in_that_was_played_the_newest_first() -> None:
    ids = [registry.expand(f"timearena/{BUILT}/low")[0], "timearena/cooking1"]
    worlds = [registry.world(id) for id in (*ids, registry.expand(f"{DESK}/low")[0])]
    episodes = [play_now(world, make_policies(AgentSpec("busy"), world)) for world in worlds]
    found = every_headline(score(episodes[:2]))
    assert [one.of for one in found] == [BUILT, PUBLISHED]
    titles = [section.title for section in headline_sections(found)]
    assert titles[0].endswith(f"({BUILT})") and len(titles) == 4
    assert [one.of for one in every_headline(score(episodes[1:]))] == ["built-2", PUBLISHED]
    found = every_headline(score(episodes))
    assert [one.of for one in found] == ["built-2", BUILT, PUBLISHED]
    played = [{suite.world for suite in one.suites if suite.scenarios} for one in found]
    assert played == [{"timearena", "desk"}, {"timearena"}, {"timearena"}]


def test_a_headline_is_of_one_edition() -> None:
    with pytest.raises(Refused, match="one edition"):
        scale((BUILT, PUBLISHED))


def test_another_edition_of_references_is_another_headline() -> None:
    over = scale((BUILT,))
    changed = replace(over, suites=over.suites[:1])
    assert over.edition != changed.edition != scale().edition
