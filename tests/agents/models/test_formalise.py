"""``formalise``: a model writes the problem, a solver schedules it, the world plays it."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from backburner.agents.models import ScriptedModel, model_policy
from backburner.agents.models.client import Message
from backburner.agents.models.formalisation import (
    Believed,
    Formalisation,
    in_conflict,
    matched,
    problem_in,
    read_formalisation,
    scheduled,
    stated,
)
from backburner.evaluation.scoring.formalised import beliefs_sections, comparison_of, thoughts_of
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import solve_world
from backburner.kernel.play import play_now
from backburner.kernel.schedule import Activity, Problem, Resource
from support.projects import world_of

RICE = registry.world("timearena/cooking1")
SCENARIOS = ("timearena/cooking1+cooking2", "recipe2plan/Cobbler+Pancakes", "desk/hidden/01", "projects/ft06")
TRUE = stated(RICE)


def played(*said: str, world: Any = RICE, choices: str = "", then: str = "wait") -> Episode:
    """An episode whose model thinks, then answers with these, then always ``then``."""
    answers = ["I think.", *said]

    def answer(messages: Any) -> str:
        number = sum(message.role == "assistant" for message in messages)
        return answers[number] if number < len(answers) else then

    return play_now(world, model_policy(f"formalise{choices}", world, ScriptedModel(answer)))


def changed(name: str, **fields: Any) -> Formalisation:
    """The truth with another view of one activity."""
    activities = (
        msgspec.structs.replace(each, **fields) if each.name == name else each for each in TRUE.activities
    )
    return msgspec.structs.replace(TRUE, activities=tuple(activities))


@pytest.mark.parametrize("id", SCENARIOS)
def test_whoever_writes_the_truth_plays_as_well_as_the_oracle(id: str) -> None:
    world = registry.world(id)
    true, best = stated(world), solve_world(world)
    episode = played(true.written, world=world)
    assert episode.ending is not None and episode.ending.numbers[best.unit] == best.objective
    assert episode.ending.numbers["completed"] == 1
    assert not [refusal for entry in episode.entries for refusal in entry.refusals]
    assert matched(world, true) == {each.name: each.name for each in true.activities}
    found = comparison_of(episode)
    assert found is not None
    assert {found.precedence.f1, found.activities.f1, found.durations.precision} == {1.0}
    assert thoughts_of(episode, "schedule") == [f"{best.objective} {best.unit}"]
    check(episode)


def test_a_call_is_made_for_the_problem_alone() -> None:
    """Two calls before play, and none after; the schedule needs no wait at the end."""
    episode = played(TRUE.written)
    calls = [usage.calls for _, usage in episode.costs()]
    assert sum(calls) == 2


def test_a_wrong_edge_is_told_apart_from_a_costly_one() -> None:
    """Believed to fry for 9 minutes, not 5: the schedule ends 4 minutes later than need be, and the last
    waits are for nothing; one of eight durations is wrong."""
    best = scheduled(problem_in(TRUE, "minutes")).objective
    episode = played(changed("fry beef in fryer", duration=9).written)
    found = comparison_of(episode)
    assert found is not None and found.durations.said == 8 and found.durations.common == 7
    assert found.precedence.f1 == 1.0
    assert episode.ending is not None and best is not None and episode.ending.numbers["minutes"] >= best
    assert episode.ending.numbers["completed"] == 1


def test_a_refusal_is_told_with_what_is_begun_and_the_mended_problem_goes_on() -> None:
    """Chopping is believed to need no beef: it is begun first, refused, mended by a patch; all is done."""
    wrong = changed("chop beef", after=())
    true = next(each for each in TRUE.activities if each.name == "chop beef")
    asked: list[str] = []

    def answer(messages: tuple[Message, ...]) -> str:
        asked.append(messages[-1].content)
        if "was refused" in asked[-1]:
            return f"Sorry. ```json\n{json.dumps({'set': [msgspec.to_builtins(true)]})}\n```"
        return wrong.written if "as one JSON object" in asked[-1] else "wait"

    episode = play_now(RICE, model_policy("formalise", RICE, ScriptedModel(answer)))
    told = [text for text in asked if "was refused" in text]
    assert len(told) == 1 and '"chop beef"' in told[0]
    assert episode.ending is not None and episode.ending.numbers["completed"] == 1
    assert len(thoughts_of(episode, "formalisation")) == 2


def test_what_contradicts_itself_is_told_by_a_least_set_and_left_out_if_it_stays() -> None:
    """b within 1 of a, and c between them for 3: of the lag and the edges only the lag is named."""
    found = Formalisation(
        (
            Believed("a", "wash dish", 2),
            Believed("c", "pick rice", 3, after=("a",)),
            Believed("b", "pick beef", 2, after=("c",), within={"a": 1}),
        )
    )
    assert [each.words for each in in_conflict(problem_in(found, "minutes"))] == ["b within 1 minutes of a"]
    episode = played(found.written, found.written, choices="@repairs=1")
    assert thoughts_of(episode, "schedule") == ["7 minutes"]


def test_of_many_constraints_a_few_are_found_that_contradict_each_other() -> None:
    """Of ten each waits for all before it; the fifth is between the fourth and the sixth."""
    names = [f"a{n}" for n in range(10)]
    chain = [Believed(name, "x", 1, after=tuple(names[:n])) for n, name in enumerate(names)]
    chain[5] = msgspec.structs.replace(chain[5], within={"a3": 0})
    found = in_conflict(problem_in(Formalisation(tuple(chain)), "minutes"))
    assert [each.words for each in found] == ["a5 within 0 minutes of a3"]


def test_what_takes_no_time_and_what_takes_very_long_is_done_in_one_go() -> None:
    """Of no length there are no parts; in a million steps nothing is interrupted, in 5,000 it may be."""
    found = Formalisation((Believed("a", "x", 0, parts=True), Believed("b", "y", 4, after=("a",))))
    assert scheduled(problem_in(found, "minutes")).starts == {"a": 0, "b": 0}
    for length, parts in ((5_000, True), (5_001, False)):
        long = Formalisation((Believed("a", "x", length, parts=True),))
        assert problem_in(long, "minutes").activities[0].preemptive is parts


def test_without_repairs_the_model_decides_by_itself() -> None:
    episode = played("no idea", choices="@repairs=0", then="wash dish")
    assert next(answer.text for entry in episode.entries for answer in entry.decided.values()) == "wash dish"
    assert not thoughts_of(episode, "formalisation") and comparison_of(episode) is None


def test_what_is_not_known_before_is_asked_for_in_time() -> None:
    episode = played(changed("wash dish", start="wash something", ask=True).written, then="wash dish")
    assert episode.ending is not None and episode.ending.numbers["completed"] == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON object"),
        ("{}", "activities"),
        ('{"activities": []}', r"length >= 1 - at `\$.activities`"),
        ('{"activities": [{"name": "a", "start": 1}]}', r"\$.activities\[0\].start"),
        ('{"activities": [{"name": "a", "start": "x", "afte": []}]}', "unknown field `afte`"),
        (
            '{"activities": [{"name": "a", "start": "x", "after": ["b"]}]}',
            r"activities\[0\] \('a'\).after: .*'b'",
        ),
        ('{"activities": [{"name": "a", "start": "x", "after": ["a"]}]}', r"\.after"),
        ('{"activities": [{"name": "a", "start": "x", "duration": [3, 2]}]}', "lower end"),
        ('{"activities": [{"name": "a", "start": "x", "duration": 1e999}]}', "out of range|duration"),
        ('{"activities": [{"name": "a", "start": "x"}, {"name": "a", "start": "y"}]}', "there twice"),
        (
            '{"activities": [{"name": "a", "start": "x", "parts": true}, {"name": "a+1", "start": "y"}]}',
            "piece",
        ),
        ('{"activities": [{"name": "a", "start": "x", "needs": {"oven": 3}}]}', "'oven' is none"),
        ("{" * 100_000 + "}", "."),
        ('{"a":' * 5_000 + "}" * 5_000, "."),
    ],
)
def test_a_problem_that_cannot_be_read_names_the_field(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        read_formalisation(text)


def test_a_patch_changes_what_it_names() -> None:
    found = read_formalisation('{"drop": ["wash dish"], "resources": {"pot": 2}}', TRUE_WITHOUT_DISH)
    assert found.resources["pot"] == 2 and "wash dish" not in {each.name for each in found.activities}
    with pytest.raises(Refused, match=r"drop: unknown activity 'wash dihs'.*wash dish"):
        read_formalisation('{"drop": ["wash dihs"]}', TRUE)


TRUE_WITHOUT_DISH = msgspec.structs.replace(
    TRUE,
    activities=tuple(
        msgspec.structs.replace(each, after=tuple(name for name in each.after if name != "wash dish"))
        for each in TRUE.activities
    ),
)


def test_unknown_durations_count_as_the_median_and_ranges_as_their_middle() -> None:
    found = Formalisation(
        (Believed("a", "x", 2), Believed("b", "y", (4, 9)), Believed("c", "z"), Believed("d", "w", 3, 5))
    )
    assert [each.duration for each in problem_in(found, "minutes").activities] == [2, 6, 3, 3]
    assert problem_in(found, "minutes").activities[3].operator_time == 3


def test_a_world_without_a_problem_of_its_own_says_so() -> None:
    level = registry.world("cuisineworld/level_0")
    with pytest.raises(Refused, match="does not state its scenario as a scheduling problem"):
        model_policy("formalise", level, ScriptedModel(["x"]))


def test_beliefs_are_a_table_of_the_report() -> None:
    rows = [(played(TRUE.written), {}), (played(changed("chop beef", after=()).written), {})]
    facts, makespans = beliefs_sections(rows)
    by_fact = {row[1]: row[2:] for row in facts.rows}
    assert by_fact["activities"] == (100, 100, 100)
    assert by_fact["precedence"][0] == 100 and by_fact["precedence"][1] < 100
    assert makespans.rows[0][1] == 2
    assert not list(beliefs_sections([]))


def test_a_refused_second_piece_is_planned_again_and_not_the_whole() -> None:
    """Six steps of chopping; at 2 a pan is put on in a step, and stands for five on the board that chopping
    needs: two steps are done before and four after, from 7 to 11. The model does not know of the board at
    first, so that its second piece, from 3 to 7, is refused."""
    chop = Believed("chop", "start chop", 6, parts=True)
    pan = Believed("pan", "start pan", 5, 1, release=2, deadline=7)
    true = (
        Activity("chop", 6, 6, resources=("board",), preemptive=True),
        Activity("pan", 5, 1, resources=("board",), release=2, deadline=7),
    )
    world = world_of(Problem("steps", true, (Resource("board"),), ""))
    wrong = Formalisation((chop, pan)).written
    uses = [msgspec.to_builtins(msgspec.structs.replace(each, uses=("board",))) for each in (chop, pan)]
    episode = played(wrong, json.dumps({"set": uses}), world=world)
    assert episode.ending is not None and episode.ending.numbers["completed"] == 1
    assert episode.ending.numbers["steps"] == 11
    assert thoughts_of(episode, "schedule") == ["7 steps", "11 steps"]
    assert sum(len(entry.refusals) for entry in episode.entries) == 1
