"""Single exchanges (Experiments A to C of the article): where they begin and end, and what they count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import backburner
from backburner.evaluation.scoring.statistics import estimate_of_episodes
from backburner.kernel import registry
from backburner.kernel.charts import Lines, Stacks
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError, Refused, UnknownName
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.scoring import Measured, Measures
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.collaboration import capability
from backburner.worlds.collab_overcooked.metrics.exchanges import sections
from backburner.worlds.collab_overcooked.metrics.figures import exchange_figures
from backburner.worlds.collab_overcooked.metrics.references import references_of
from backburner.worlds.collab_overcooked.metrics.score import METRICS, scoring, share_of
from backburner.worlds.collab_overcooked.oracle.solver import solve_cooks
from support.evaluation.made_episodes import made

SOUP = "collab_overcooked/baked_potato_soup"
LEVEL_3 = registry.expand("collab_overcooked/level3")
BOTH_RULES = ("standard", "released")

# The assistant's reference for the soup, whose first five calls are the collaborative actions of level 3.
FETCH, LOAD, CUT = (
    "pickup(potato,ingredient_dispenser)",
    "put_obj_in_utensil(chopping_board0)",
    "cut(chopping_board0)",
)


class Saying:
    """Gives each seat's answer by what it is asked for; notes the turns."""

    name = "saying"
    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self, plans: Mapping[str, str], words: str = "Please. [END]") -> None:
        self.plans, self.words = plans, words
        self.asked: list[tuple[str, str]] = []

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        self.asked.append((turn.seat, turn.observation.ask))
        role = turn.seat.capitalize()
        say = self.words if turn.seat == "chef" else "[NOTHING]"
        return Reply(f"{role} analysis: none\n{role} plan: {self.plans[turn.seat]}\n{role} say: {say}")


def world(id: str, rules: str = "standard") -> CollabOvercooked:
    found = backburner.world(id, rules=rules)
    assert isinstance(found, CollabOvercooked)
    return found


def exchanged(
    at: int, chef: str, assistant: str, words: str = "Please. [END]", rules: str = "standard"
) -> tuple[Episode, Measures, Saying]:
    """One exchange about the soup."""
    agent = Saying({"chef": chef, "assistant": assistant}, words)
    episode = play_now(world(f"{SOUP}@at={at}", rules), agent)
    return episode, scoring.measure(episode), agent


@pytest.mark.parametrize("rules", BOTH_RULES)
@pytest.mark.parametrize("id", LEVEL_3)
def test_play_begins_where_the_action_is_due(id: str, rules: str) -> None:
    """The assistant has done the calls before it and nothing else, both are idle, and no utensil works."""
    (reference,) = references_of(id.partition("/")[2])
    for at in range(1, 6):
        found = world(f"{id}@at={at}", rules)
        assert found.scenario.opening == reference.assistant[: at - 1]
        state = found.start()
        assert (found.deciders(state), state.ask, state.talk) == (("chef",), "plan", None)
        chef, assistant = state.cooks
        assert tuple(done.call for done in assistant.recent) == reference.assistant[: at - 1]
        assert chef.recent == ()
        assert [(cook.call, cook.queue, cook.requests) for cook in state.cooks] == [("", (), ())] * 2
        assert not any(content.cooking for content in state.kitchen.contents)


def test_only_calls_that_the_recipe_asks_for_can_be_due() -> None:
    with pytest.raises(Refused, match="asks 5 actions of the partner"):
        world(f"{SOUP}@at=6")
    with pytest.raises(UnknownName, match="at"):
        world(f"{SOUP}@at=0")
    with pytest.raises(Refused, match="one order whose recipe one cook has"):
        world(f"{SOUP}@at=2,knows=both")
    with pytest.raises(BackburnerError, match="comes no further than pickup"):
        world("collab_overcooked/mashed_potato_and_pea_patty@at=7")


@pytest.mark.parametrize("rules", BOTH_RULES)
def test_an_exchange_is_one_question_and_one_answer(rules: str) -> None:
    """Fetched is the potato; asked for and planned is to load and cut: IC and RC are 100."""
    asks = f"request('{LOAD}');request('{CUT}')"
    episode, measures, agent = exchanged(2, asks, f"{LOAD};{CUT}", rules=rules)
    assert agent.asked == [("chef", "plan"), ("assistant", "answer")]
    assert episode.ending is not None and episode.ending.reason == "answered"
    assert check(episode) == 2
    shares = [share_of("required", what)([measures]) for what in ("ic", "rc")]
    assert shares == [100.0, 100.0]
    assert (measures["action"], measures["first action"]) == (2.0, 0.0)
    assert "success" not in measures and "PC" not in measures


def test_outcomes_are_told_apart() -> None:
    """By ITES against what was done before: the potato is fetched, and has to be put on the board now."""
    outcome = {
        (f"request('{LOAD}')", LOAD): "both",
        (f"request('{LOAD}')", CUT): "request only",
        (f"request('{CUT}')", LOAD): "response only",
        (f"request('{FETCH}')", FETCH): "neither",
    }
    for (asks, answer), expected in outcome.items():
        _, measures, _ = exchanged(2, asks, answer)
        assert capability([measures], "required").outcomes[expected] == 1, (asks, answer)  # type: ignore[index]


def test_requests_that_fail_say_why() -> None:
    why = {CUT: "premature", FETCH: "repeated", "stir(blender0)": "irrelevant"}
    for call, kind in why.items():
        _, measures, _ = exchanged(2, f"request('{call}')", LOAD)
        assert measures[f"request {kind}"] == 1, call
    _, silent, _ = exchanged(2, "wait(1)", LOAD)
    assert silent["requests"] == 0 and not any(key.startswith("request ") for key in silent)


@pytest.mark.parametrize("rules", BOTH_RULES)
def test_without_a_word_the_partner_plans_on_its_own(rules: str) -> None:
    """What it then does counts as its answer: a failed request, and a good response."""
    _, measures, agent = exchanged(2, "wait(1)", LOAD, words="[NOTHING]", rules=rules)
    assert agent.asked == [("chef", "plan"), ("assistant", "plan")]
    assert capability([measures], "required").outcomes["response only"] == 1


def test_what_cannot_be_read_is_asked_for_again_and_ends_as_nothing_asked() -> None:
    for rules in BOTH_RULES:
        episode, measures, agent = exchanged(1, "", "", words="", rules=rules)
        assert {seat for seat, _ in agent.asked} == {"chef", "assistant"}
        assert measures["requests"] == measures["responses"] == 0
        assert episode.ending is not None and episode.ending.status == "ended"


def row(agent: str, action: int, outcome: str, first: int = 0, **numbers: float) -> Measured:
    own = {"action": float(action), "first action": float(first), f"required: {outcome}": 1.0}
    asked = float(outcome in ("both", "request only"))
    base = {"requests": 1.0, "ITES of requests": asked}
    named = {name.replace("_", " "): number for name, number in numbers.items()}
    return made(agent, f"order@at={action}"), {**own, **base, **named}


ROWS = (
    row("a", 1, "both"),
    row("a", 1, "request only"),
    row("a", 2, "neither", request_premature=1.0),
    row("a", 2, "response only", requests=0.0),
    row("a", 1, "both", first=1),
    row("a", 2, "neither", first=1, request_repeated=1.0),
    row("a", 2, "both", first=2),
)


def test_tables_count_by_recipe_and_action() -> None:
    """Of two exchanges about action 1 both requests were right, and one answer: IC 100, RC 50."""
    outcomes, requests = sections(ROWS)
    assert outcomes.rows[:3] == (
        ("a", "whole", "1", 2, 100.0, 50.0, 1, 1, 0, 0),
        ("a", "whole", "2", 2, 0.0, 50.0, 0, 0, 1, 1),
        ("a", "whole", "all", 4, 50.0, 50.0, 1, 1, 1, 1),
    )
    assert [line[1:3] for line in outcomes.rows[3:]] == [
        ("in steps", "1"),
        ("in steps", "2"),
        ("in steps", "all"),
        ("due action first", "2"),
    ]
    assert requests.rows[1] == ("a", "whole", "2", 2, 0, 1, 0, 0, 1)


def test_figures_draw_each_experiment() -> None:
    found = {each.key: each.charts for each in exchange_figures(ROWS, METRICS, estimate_of_episodes)}
    asking, answering, matrix = found["figure-5a"]
    assert isinstance(asking, Lines) and isinstance(answering, Lines) and isinstance(matrix, Stacks)
    assert [(point.x, point.y) for point in asking.lines[0].points] == [(1.0, 100.0), (2.0, 0.0)]
    assert [(point.x, point.y) for point in answering.lines[0].points] == [(1.0, 50.0), (2.0, 50.0)]
    assert matrix.stacks[0].parts == dict.fromkeys(("both", "request only", "response only", "neither"), 25.0)
    in_steps, _, _ = found["figure-5b"]
    assert isinstance(in_steps, Lines)
    assert [point.y for point in in_steps.lines[0].points] == [100.0, 0.0]
    first, _ = found["figure-5c"]
    assert isinstance(first, Lines)
    assert {line.name: [point.y for point in line.points] for line in first.lines} == {
        "a, in its place": [100.0, 0.0],
        "a, first": [100.0, 100.0],
    }
    (requests,) = found["figure-9"]
    assert isinstance(requests, Stacks)
    assert requests.stacks[1].parts["premature"] == requests.stacks[1].parts["nothing asked"] == 50.0


def test_exchanges_stand_apart_from_whole_plays() -> None:
    episode, measures, _ = exchanged(2, f"request('{LOAD}')", LOAD)
    assert scoring.group(episode) == "level 3, action 2"
    titles = [section.title for section in scoring.sections([(episode, measures)])]
    assert titles == ["Experiments A to C", "Failed requests by action"]
    with pytest.raises(Refused, match="play is over before anything is made"):
        solve_cooks(world(f"{SOUP}@at=2"))
