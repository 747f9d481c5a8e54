from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.agents.planned import world_agent
from backburner.agents.scripted import SerialPolicy
from backburner.evaluation.transcripts.gathered import Gathered, never_begun, spent
from backburner.evaluation.transcripts.page import transcript_html
from backburner.evaluation.transcripts.plans import (
    Alongside,
    Plan,
    Plans,
    oracle_places,
    paired,
    unnumbered,
    work_in,
)
from backburner.evaluation.transcripts.steps import Place, aligned
from backburner.kernel import registry
from backburner.kernel.episode import Entry, write_episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlanPolicy
from backburner.kernel.values import Event
from drawing.samples import did, in_time
from support.scripted import Scripted

# The plan: the kettle boils from 0 to 8 while the cup is washed (0-4) and the tray laid (4-8); then tea.
PLAN = in_time(
    did("kettle", "boil water", 0, 8),
    did("agent", "wash cup", 0, 4),
    did("agent", "lay tray", 4, 8),
    did("agent", "make tea", 8, 10),
)
# One thing after the other, with a refusal at 4-5, the cup washed again at 9-13, and a song.
SLOW = in_time(
    did("agent", "wash cup", 0, 4),
    did("agent", "too_early", 4, 5, "refused"),
    did("agent", "lay tray", 5, 9),
    did("agent", "wash cup", 9, 13),
    did("kettle", "boil water", 13, 21),
    did("agent", "wait", 13, 19, "wait"),
    did("agent", "sing", 19, 21),
    did("agent", "make tea", 21, 23),
)


def slow():
    return Alongside(SLOW, PLAN, ("agent",))


def test_a_play_is_behind_by_the_time_since_the_plan_had_done_as_much():
    """The plan's work: 8 + 4 + 4 + 2 = 18. It has done 2 a minute until 8, 16 then, and 18 at 10."""
    beside = slow()
    assert beside.behind(0) == 0
    assert beside.behind(4) == pytest.approx(4 - 2)  # 4 done, as the plan had at 2
    assert beside.behind(5) == pytest.approx(5 - 2)
    assert beside.behind(9) == pytest.approx(9 - 4)  # 8 done, as the plan had at 4
    assert beside.behind(21) == pytest.approx(21 - 8)
    assert beside.behind(23) == pytest.approx(23 - 10)


def test_each_loss_has_its_cause():
    causes = [(loss.begin, loss.end, round(loss.lost, 3), loss.why) for loss in slow().losses]
    order = "less at once than in the plan, or another order"
    assert causes == [
        (0, 4, 2, f"{order}: wash cup"),
        (4, 5, 1, "refused: too_early"),
        (5, 9, 2, f"{order}: lay tray"),
        (9, 13, 4, "done once more than in the plan: wash cup"),
        (13, 19, 3, "waited"),
        (19, 21, 1, "not in the plan: sing"),
    ]
    assert sum(loss.lost for loss in slow().losses) == pytest.approx(13)


def test_where_the_time_of_a_body_went():
    assert slow().account(25) == {
        "agent": {"planned": 10, "repeated": 4, "unplanned": 2, "waited": 6, "refused": 1, "idle": 2}
    }


def test_a_play_that_is_the_plan_is_never_behind():
    beside = Alongside(PLAN, PLAN, ("agent",))
    assert [beside.behind(time) for time in range(11)] == [0] * 11
    assert beside.losses == [] and beside.missing == []


def test_work_that_is_never_done_is_missing_and_weighs_nothing():
    beside = Alongside(did("agent", "wash cup", 0, 4), PLAN, ("agent",))
    assert {piece.label for piece in beside.missing} == {"lay tray", "boil water", "make tea"}
    assert beside.behind(4) == 0


def test_time_that_goes_by_after_all_shared_work_is_lost_as_well():
    """The cup is washed by 4, as the plan has it; two refusals follow."""
    refusals = (did("agent", "odd", time, time + 1, "refused") for time in (4, 5))
    beside = Alongside(in_time(did("agent", "wash cup", 0, 4), *refusals), PLAN, ("agent",))
    assert beside.behind(6) == 2
    assert [(loss.begin, loss.end, loss.lost, loss.why) for loss in beside.losses] == [
        (4, 6, 2, "refused: odd")
    ]


def test_things_of_one_kind_stand_for_each_other_where_labels_differ():
    mine = work_in(in_time(did("a", "cook rice in pot_2", 0, 3), did("a", "cook egg in pot_1", 3, 5)))
    plan = work_in(in_time(did("a", "cook rice in pot_1", 0, 3), did("a", "cook egg in pot_1", 3, 5)))
    assert [(one.label, other.label) for one, other in paired(mine, plan)] == [
        ("cook egg in pot_1", "cook egg in pot_1"),
        ("cook rice in pot_2", "cook rice in pot_1"),
    ]
    assert unnumbered("stack cheese1 bread12 table1") == "stack cheese bread table"


pieces = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 20), st.integers(0, 6)), min_size=1, max_size=8
)


def played(parts):
    return in_time(*(did("agent", label, begin, begin + length) for label, begin, length in parts))


@settings(max_examples=150)
@given(pieces, st.integers(0, 9))
def test_a_plan_played_later_is_behind_by_just_that(parts, late):
    """With work that takes no time left out, as it weighs nothing."""
    parts = [(label, begin, length or 1) for label, begin, length in parts]
    plan = played(parts)
    later = [msgspec.structs.replace(event, time=event.time + late, key=event.key + "'") for event in plan]
    end = max(event.time for event in later)
    beside = Alongside(later, plan, ("agent",))
    assert beside.behind(end) == pytest.approx(late, abs=1e-3)
    assert sum(loss.lost for loss in beside.losses) >= late - 1e-3


@settings(max_examples=150)
@given(pieces, pieces)
def test_any_two_plays_can_be_held_against_each_other(mine, plan):
    beside = Alongside(played(mine), played(plan), ("agent",))
    for time in range(30):
        assert -100 < beside.behind(time) < 100
    for of_body in beside.account(30).values():
        assert all(spent >= 0 for spent in of_body.values())
    assert all(loss.lost > 0 and loss.end > loss.begin for loss in beside.losses)


# --- steps side by side -----------------------------------------------------------------------------------


def places(*begins):
    return [
        Place(Entry(index, {}, ""), begin, after)
        for index, (begin, after) in enumerate(zip(begins, (*begins[1:], 99), strict=True))
    ]


def numbers(found):
    return {at: [place.entry.index for place in steps] for at, steps in found.items()}


def test_steps_of_the_plan_stand_beside_the_step_in_whose_time_they_begin():
    # Two refusals at 0 cost nothing, so steps 0 to 2 begin at 0.
    assert numbers(aligned(places(0, 0, 0, 5), places(0, 3, 5, 6, 12))) == {0: [0, 1], 3: [2, 3, 4]}
    assert numbers(aligned([], places(0, 3))) == {0: [0, 1]}
    assert numbers(aligned(places(2, 4), places(0, 2, 3))) == {0: [0, 1, 2]}


# --- where the plan comes from ----------------------------------------------------------------------------

ID = "timearena/cooking1"


def kept(tmp_path, name, agent, episode):
    file = tmp_path / "timearena" / "standard" / agent / name
    write_episode(episode, file)
    return file


def test_a_recorded_oracle_is_found_in_the_folder_beside(tmp_path):
    world = registry.world(ID)
    mine = play_now(world, Scripted(("pick beef",)))
    file = kept(tmp_path, "cooking1.seed0.jsonl", "scripted", mine)
    assert "--oracle-seconds" in Plans().beside(file, mine)
    oracle = kept(tmp_path, file.name, "oracle", play_now(world, world_agent("oracle", world)))
    assert oracle in list(oracle_places(file))
    found = Plans().beside(file, mine)
    assert isinstance(found, Plan) and found.path == oracle
    episode = found.episode
    assert Plans([(oracle, episode)]).beside(Path("elsewhere.jsonl"), mine).path == oracle
    assert Plans().beside(oracle, episode) == ""


def test_a_plan_of_another_scenario_or_other_rules_is_none(tmp_path):
    for id, rules in (("timearena/cooking2", "standard"), (ID, "released")):
        world = registry.world(id, rules=rules)
        kept(tmp_path, "cooking1.seed0.jsonl", "oracle", play_now(world, world_agent("oracle", world)))
        mine = play_now(registry.world(ID), Scripted(("pick beef",)))
        file = kept(tmp_path, "cooking1.seed0.jsonl", "scripted", mine)
        assert isinstance(Plans().beside(file, mine), str)


@pytest.mark.parametrize("id", ["robotouille/synchronous/1@seed=42", "collab_overcooked/baked_bell_pepper"])
def test_a_shipped_plan_needs_no_search(id):
    world = registry.world(id)
    found = Plans().beside(Path("x.jsonl"), play_now(world, world_agent("greedy", world)))
    assert isinstance(found, Plan) and found.path is None and "ships" in found.origin
    assert found.episode.ending.numbers["completed"] == 1


def test_a_plan_is_solved_in_the_time_that_is_given():
    mine = play_now(registry.world(ID), Scripted(("pick beef",)))
    found = Plans(seconds=20).beside(Path("x.jsonl"), mine)
    assert "proven best" in found.origin and found.episode.ending.numbers["minutes"] == 16


def test_the_page_holds_the_episode_against_the_plan(tmp_path):
    world = registry.world(ID)
    mine = play_now(world, Scripted(("sing", "pick beef")))
    page = transcript_html(Path("x.jsonl"), mine, plans=Plans(seconds=20))
    assert page.count('class="timeline') == 3
    assert "refused: unreadable" in page and "What cost time" in page and "Where the time went" in page
    assert "1 behind" in page
    assert page.count('<ul class="plan"') == len(mine.entries)


def test_events_that_no_world_would_give_break_no_page():
    mine = play_now(registry.world(ID), Scripted(()))
    events = tuple(Event(time, "end", "x", "y", "z") for time in (5, 1, -3))
    odd = msgspec.structs.replace(mine.entries[0], events=events)
    episode = msgspec.structs.replace(mine, entries=(odd,))
    assert "not verified" in transcript_html(Path("x.jsonl"), episode, plans=Plans(seconds=20))


def test_the_time_beyond_the_plan_is_told_whatever_was_left_undone():
    """Twenty waits, where the plan takes 16 minutes."""
    world = registry.world("timearena/cooking1")
    plans = Plans([(Path("oracle.jsonl"), play_now(world, world_agent("oracle", world)))])
    idle = play_now(world, PlanPolicy("idle", ["wait"] * 20 + ["quit"], informed=False))
    page = transcript_html(Path("idle.jsonl"), idle, plans=plans)
    assert "<b>20 minutes</b><span>the plan takes 16 (+4), and does more</span></div>" in page


def test_time_is_told_of_an_episode_that_shares_no_work_with_the_plan():
    """A body that only waits: all its time, and everything that it never began; none of who completed."""
    world = registry.world("timearena/cooking1")
    oracle = play_now(world, world_agent("oracle", world))
    plans = Plans([(Path("oracle.jsonl"), oracle)])
    idle = play_now(world, PlanPolicy("idle", ["wait"] * 5 + ["quit"], informed=False))
    told = spent(Gathered(Path("idle.jsonl"), idle, plans))
    assert told.mine == {"waited": 5} and told.plan["planned"] == 16 and not told.lost
    assert set(told.never) >= {"pick beef"} and never_begun(oracle, oracle) == ()
    serial = play_now(world, SerialPolicy())
    behind = spent(Gathered(Path("serial.jsonl"), serial, plans))
    assert behind.never == () and sum(behind.lost.values()) > 0
    assert sum(behind.mine.values()) == serial.ending.numbers["minutes"]
