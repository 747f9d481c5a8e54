"""What the cook believes: how it is written and read, asked for, shown, revised, and paid for.

Of ``SOUP`` (see ``support.recipe2plan.play``) it is true that steps 1 and 3 run by themselves, that
0->2, 1->2, 2->3, 3->4, and that step 1 occupies the stove.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.agents.roster import make_policy
from backburner.agents.spec import AgentSpec
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode, write_episode
from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Refusal, canonical_json
from backburner.worlds.recipe2plan.game import Beliefs, Cook, Limits, Piece, Recipe, Recipe2Plan, Rules
from backburner.worlds.recipe2plan.game.beliefs import beliefs_of, gold, statement, statements
from backburner.worlds.recipe2plan.game.compiled import APPLIANCES, COOK
from backburner.worlds.recipe2plan.game.scenarios import shipped_recipes
from backburner.worlds.recipe2plan.game.state import FINISH, NO_ACTION
from backburner.worlds.recipe2plan.game.text import NOTHING_READY, REMINDER
from support.evaluation.forged import forged, objects_in
from support.recipe2plan.play import BREAD, CAKE, PIE, SOUP, Game, kitchen_of, rule_sets, world_of

TRUE = Beliefs("Soup", (1, 3), ((0, 2), (1, 2), (2, 3), (3, 4)), (("stove", 1),))
WRONG = Beliefs("Soup", (0,), ((0, 1),))

some = settings(max_examples=150)
both_presets = pytest.mark.parametrize("rules", ["standard", "released"])


def asking(*recipes: Recipe, **more: Any) -> Recipe2Plan:
    """A world that asks for beliefs."""
    return kitchen_of(*(recipes or (SOUP,)), knowledge="beliefs", **more)


def read(text: str, rules: str = "standard") -> list[Beliefs]:
    return list(statements(text, released=rules == "released"))


def believes(text: str, rules: str = "standard") -> Beliefs:
    (found,) = read(text, rules)
    return found


# --- the value and its text -----------------------------------------------------------------------


def test_what_is_true_of_a_recipe() -> None:
    assert gold(SOUP) == TRUE
    assert gold(BREAD) == Beliefs("Bread", (0, 2), ((0, 2), (1, 2)), (("oven", 0), ("oven", 2)))


def test_the_form_of_a_statement() -> None:
    assert statement(TRUE).splitlines() == [
        "Beliefs about Soup",
        "Autonomous: 1, 3",
        "Dependencies: 0->2, 1->2, 2->3, 3->4",
        "Appliances: stove: 1",
    ]
    both = replace(TRUE, uses=(("oven", 2), ("oven", 5), ("stove", 3)))
    assert statement(both).splitlines()[3] == "Appliances: oven: 2, 5; stove: 3"
    assert statement(Beliefs("Soup")).splitlines()[1:] == [
        "Autonomous: none",
        "Dependencies: none",
        "Appliances: none",
    ]


_steps = st.integers(0, 10**9 - 1)
_appliances = st.from_regex(r"[a-z][a-z0-9_-]{0,12}", fullmatch=True).filter(
    lambda name: not name.startswith(("autonomous", "continuous", "dependenc", "appliance"))
)


def stated(names: st.SearchStrategy[str]) -> st.SearchStrategy[Beliefs]:
    return st.builds(
        beliefs_of,
        names,
        st.lists(_steps),
        st.lists(st.tuples(_steps, _steps)),
        st.lists(st.tuples(_appliances.filter(lambda name: name not in ("action", "thought")), _steps)),
    )


@some
@given(stated(st.sampled_from(["Soup", "Bread"])), st.sampled_from(["\n", ". ", "; ", " ", "\n\n  - "]))
def test_a_statement_is_read_back_on_four_lines_or_on_one(beliefs: Beliefs, between: str) -> None:
    for rules in ("standard", "released"):
        assert read(statement(beliefs), rules) == [beliefs]
    assert read(statement(beliefs).replace("\n", between)) == [beliefs]


@pytest.mark.slow
@some
@given(
    st.lists(stated(st.sampled_from(["Soup", "Bread"])), max_size=2, unique_by=lambda one: one.recipe),
    st.booleans(),
    st.booleans(),
    rule_sets(),
)
def test_the_words_of_a_decision_with_beliefs_are_read_back(
    beliefs: list[Beliefs], acts: bool, finish: bool, rules: Rules
) -> None:
    world = asking(SOUP, BREAD, rules=rules)
    decision = Cook((Piece(0, "Soup", 300, 0),) * acts, finish, tuple(beliefs))
    read_back = world.parse(world.start(), COOK, world.words(decision))
    assert read_back == (NO_ACTION if decision == Cook() else decision)
    assert msgspec.json.decode(canonical_json(decision), type=Cook) == decision


def test_a_decision_without_beliefs_is_written_as_before() -> None:
    assert canonical_json(FINISH) == b'{"finish":true}'
    assert b"beliefs" not in canonical_json(kitchen_of(SOUP).start())
    assert b"knowledge" not in canonical_json(kitchen_of(SOUP).scenario)


# --- reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "**Beliefs about Soup**\n**Autonomous:** 1, 3\n**Dependencies:** 0->2, 1->2\n"
        "**Appliances:** stove: 1",
        "Beliefs about Soup: Autonomous steps: [1, 3]. Dependencies: 0 -> 2; 1 => 2. Appliances: Stove: [1]",
        "beliefs about Soup - autonomous: step 1 and step 3, dependencies: 0→2 1→2, appliances: stove: 1",
        "Beliefs about Soup\nAppliances:\n- stove: 1\nDependencies:\n- 0->2\n- 1 -> step 2\nAutonomous:\n"
        "- 3\n- 1",
        "Beliefs about Soup (revised) Autonomous: 1 (10 min), 3 (2 min). Dependencies: 0->2, as 2 needs "
        "the leek; 1->2. Appliances: stove: 1. Observation: 9",
        "Beliefs about Soup\nAutonomous: 3, 1, 3\nContinuous: 0, 2, 4\nDependency: 1->2, 0->2, 1->2\n"
        "Appliance: stove: 1\nNext I chop for 5 minutes. Action: Step(0, Soup, 00:05:00, 00:00:00)",
    ],
)  # fmt: skip
def test_spelling_is_free(text: str) -> None:
    assert believes(text) == Beliefs("Soup", (1, 3), ((0, 2), (1, 2)), (("stove", 1),))


def test_a_chain_is_its_edges() -> None:
    assert believes("Beliefs about Soup. Dependencies: 0->2->3->4").depends == ((0, 2), (2, 3), (3, 4))


@pytest.mark.parametrize(
    ("said", "understood"),
    [
        ("1, then 3", (1,)),  # a list ends at the first word
        ("0-3", ()),  # from 0 to 3, or 0 and 3?
        ("1.5", ()),
        ("all but 2", ()),
        ("1234567890", ()),
        ("none", ()),
    ],
)
def test_what_could_mean_something_else_is_not_read(said: str, understood: tuple[int, ...]) -> None:
    assert believes(f"Beliefs about Soup\nAutonomous: {said}").autonomous == understood


@pytest.mark.parametrize(
    "text",
    ["", "My beliefs about soup have changed.", "Autonomous: 1, 3", "Beliefs about Soup\nContinuous: 1",
     "Beliefs about Soup\nThought: Autonomous: 1"],
)  # fmt: skip
def test_a_heading_alone_or_parts_alone_are_no_statement(text: str) -> None:
    assert read(text) == []


def test_several_recipes_and_the_last_statement_about_each() -> None:
    world = asking(replace(SOUP, name="Leek-Soup"), BREAD)
    answer = "Beliefs about leek soup: Autonomous: 1. Beliefs about Bread: Autonomous: 0. " * 2
    decision = world.parse(world.start(), COOK, f"{answer} Beliefs about Leek_Soup. Autonomous: 3.")
    assert decision == Cook(beliefs=(Beliefs("Leek-Soup", (3,)), Beliefs("Bread", (0,))))


RELEASED = """Beliefs about Soup
1, 3 are autonomous. Continuous: 0, 2, 4
 Stove: [1]
Oven : 2, 3
0 -> 2, 1->2,0->2"""


def test_the_form_of_the_released_program_is_read_under_its_rules() -> None:
    """Integers before *Continuous*, lines of a name and integers in lower case, every ``a->b`` once."""
    found = believes(RELEASED, "released")
    assert found == Beliefs("Soup", (1, 3), ((0, 2), (1, 2)), (("oven", 2), ("oven", 3), ("stove", 1)))
    assert read(RELEASED, "standard") == []


def test_under_released_rules_our_form_goes_first() -> None:
    """The released reading would find 0, 1, 2 and 3 before *Continuous*, and 5->6 among the appliances."""
    text = "Beliefs about Soup\nDependencies: 0->1\nAutonomous: 2, 3\nContinuous: 4\nAppliances: oven: 5 5->6"
    found = believes(text, "released")
    assert (found.autonomous, found.depends) == ((2, 3), ((0, 1),))


_fragments = st.sampled_from(
    ["Beliefs about ", "Soup", "\n", "Autonomous", "Continuous", "Dependencies", "Appliances", ":", "->", "0",
     "1, 2", "oven: 3", "(", ")", "[", "²", "٣", "İ", "ſ", "Action: ", "Step(0, Soup, 00:05:00, 00:00:00)"]
)  # fmt: skip


@some
@given(st.lists(_fragments | st.text(max_size=8), max_size=25).map("".join), rule_sets())
@example("Beliefs about Soup Autonomouſ: 1", Rules())
def test_any_text_is_read_or_refused(text: str, rules: Rules) -> None:
    world = asking(SOUP, rules=rules)
    for said in (text, f"Beliefs about Soup {text}"):
        decision = world.parse(world.start(), COOK, said)
        assert isinstance(decision, Cook | Refusal)
        step = world.step(world.start(), {COOK: decision})
        assert msgspec.json.decode(canonical_json(step.state), type=world.state_type) == step.state
        assert isinstance(world.describe(world.observe(step.state, COOK)), str)


# --- the three levels -----------------------------------------------------------------------------


def test_nothing_is_the_usual_level() -> None:
    assert world_of("Vada").scenario == world_of("Vada@hints=off,knowledge=none").scenario
    assert kitchen_of(SOUP).observe(kitchen_of(SOUP).start(), COOK).beliefs is None


def test_the_truth_is_told_with_each_recipe() -> None:
    """Steps that run by themselves, arrows, appliances; temperatures are left to the recipe's sentences."""
    text = kitchen_of(SOUP, BREAD, knowledge="gold").briefing(COOK)
    soup, bread = text.partition("Recipe Soup\n")[2].split("\n\n")
    assert soup.splitlines()[-3:] == statement(gold(SOUP)).splitlines()[1:]
    assert bread.splitlines()[-3:] == [
        "Autonomous: 0, 2",
        "Dependencies: 0->2, 1->2",
        "Appliances: oven: 0, 2",
    ]
    assert text.count("400") == 1 and "400 degrees." in bread


def test_beliefs_are_not_read_where_they_are_not_asked_for() -> None:
    for knowledge in ("none", "gold"):
        game = Game(kitchen_of(SOUP, knowledge=knowledge)).say(statement(TRUE))
        assert game.refused == "no_action"
        assert game.decide(Cook((Piece(0, "Soup", 300, 0),), beliefs=(TRUE,))).refused == "beliefs_not_asked"
        assert game.state.kitchen.actions == 0
        assert game.told().startswith("You are not asked for your beliefs.\n")


def test_the_question_comes_before_the_first_second() -> None:
    game = Game(asking())
    question = "Before you begin: state what you believe about each recipe."
    assert game.told().splitlines()[-1] == question
    game.say(statement(WRONG))
    assert (game.refused, game.clock, game.state.turns) == ("", 0, 0)
    assert game.told().startswith("You have stated what you believe.\nIt is 00:00:00.\n")
    assert game.told().endswith(f"\n{statement(WRONG)}") and question not in game.told()


def test_every_later_text_shows_what_was_stated_last() -> None:
    game = Game(asking(SOUP, BREAD)).say(f"{statement(WRONG)}\n{statement(gold(BREAD))}")
    game.cook((0, "Soup", 300, 0)).cook((2, "Soup", 60, 300))
    assert game.told().startswith("Step 2 of Soup has to wait: step 1 is not done.\n")
    assert game.told().endswith(f"\n{statement(WRONG)}\n{statement(gold(BREAD))}")
    game.say(f"{statement(TRUE)}\nAction: Step(1, Soup, 00:10:00, 00:05:00)")
    assert game.state.beliefs == (TRUE, gold(BREAD)) and game.refused == ""
    assert game.told().endswith(f"\n{statement(TRUE)}\n{statement(gold(BREAD))}")
    assert [event.label for event in game.last.events if event.what == "said"] == [
        "Beliefs about Soup. Autonomous: 1, 3. Dependencies: 0->2, 1->2, 2->3, 3->4. Appliances: stove: 1"
    ]


@both_presets
def test_the_first_answer_may_act_at_once_or_say_nothing(rules: str) -> None:
    game = Game(asking(rules=rules)).say("Action: Step(0, Soup, 00:05:00, 00:00:00)")
    assert (game.refused, game.clock, game.state.turns) == ("", 300, 1)
    assert game.told().endswith("You have stated no beliefs about the recipes.")
    game = Game(asking(rules=rules)).say("Well.")
    assert (game.refused, game.state.turns) == ("no_action", 1)
    assert game.told().endswith("You have stated no beliefs about the recipes.")


def test_the_menu_before_the_first_second_offers_an_empty_statement_only() -> None:
    for world in (asking(SOUP, BREAD), world_of("Vada+Tacos@knowledge=beliefs")):
        (option,) = world.menu(world.start(), COOK).options
        assert option.decision == Cook(beliefs=tuple(Beliefs(r.name) for r in world.scenario.recipes))
        state = world.step(world.start(), {COOK: option.decision}).state
        assert all(option.decision.actions for option in world.menu(state, COOK).options)


def test_beliefs_about_something_else_are_refused_and_nothing_is_done() -> None:
    game = Game(asking()).say(f"{statement(gold(CAKE))}\nAction: Step(0, Soup, 00:05:00, 00:00:00)")
    assert (game.refused, game.refusal.get("recipe"), game.clock) == ("unknown_recipe", "Cake", 0)
    assert game.told().startswith("Cake is none of your recipes; they are: Soup.\n")
    assert game.state.beliefs == ()


# --- what may not be known ------------------------------------------------------------------------


@st.composite
def hidden_facts(draw: st.DrawFn) -> Recipe:
    """Soup with the same sentences, lengths, splittable steps and lags; all else is drawn."""
    steps = []
    for number, step in enumerate(SOUP.steps):
        after = draw(st.sets(st.integers(0, number - 1))) if number else set()
        steps.append(
            replace(
                step,
                autonomous=not step.splittable and draw(st.booleans()),
                after=tuple(sorted(after | {lag.after for lag in step.lags})),
                appliance=draw(st.sampled_from((None, *APPLIANCES))),
            )
        )
    return Recipe("Soup", tuple(steps))


@some
@given(hidden_facts())
def test_texts_tell_nothing_of_what_is_hidden(soup: Recipe) -> None:
    for knowledge in ("none", "beliefs"):
        world, other = (kitchen_of(recipe, knowledge=knowledge) for recipe in (SOUP, soup))
        assert other.briefing(COOK) == world.briefing(COOK)
        assert other.observe(other.start(), COOK) == world.observe(world.start(), COOK)
    assert other.menu(other.start(), COOK) == world.menu(world.start(), COOK)
    said = Cook(beliefs=(WRONG,))
    seen = [w.observe(w.step(w.start(), {COOK: said}).state, COOK) for w in (world, other)]
    assert seen[0] == seen[1]
    told = [kitchen_of(recipe, knowledge="gold").briefing(COOK) for recipe in (SOUP, soup)]
    assert (told[0] == told[1]) == (gold(soup) == TRUE)


# --- what it costs --------------------------------------------------------------------------------


def test_only_the_first_statement_alone_is_no_turn() -> None:
    game = Game(asking()).say(statement(WRONG), statement(TRUE))
    assert (game.state.turns, game.refused) == (1, "")
    game.say(f"{statement(WRONG)} Action: Step(0, Soup, 00:05:00, 00:00:00)")
    assert game.state.turns == 2


@both_presets
def test_stating_on_and_on_comes_to_an_end(rules: str) -> None:
    """Five steps and ten more turns; the first statement is free, the sixteenth is the fifteenth turn."""
    world = asking(rules=rules, limits="article")
    game = Game(world).say(*[statement(TRUE)] * 15)
    assert (game.ended, game.state.turns) == ("", 14)
    assert game.say(statement(TRUE)).ended == "turn_limit"


def test_a_statement_between_equal_failures_is_neither_a_failure_nor_a_success() -> None:
    """Three refusals of the same action in a row end play, whatever is stated in between."""
    game = Game(asking(limits=Limits(same_failure=3))).say(statement(WRONG))
    for _ in range(2):
        game.cook((2, "Soup", 60, 0)).say(statement(TRUE))
    assert (game.ended, game.state.alike) == ("", 2)
    assert game.cook((2, "Soup", 60, 0)).ended == "stuck"


def test_a_statement_after_a_refusal_is_the_revision_that_follows_it() -> None:
    """One revision, then a refusal is one too many: asked or thought over, it comes to the same."""
    game = Game(asking(limits=Limits(revisions=1))).cook((2, "Soup", 60, 0)).say(statement(TRUE))
    assert (game.ended, game.state.revisions) == ("", 1)
    assert game.cook((3, "Soup", 120, 0)).ended == "revision_limit"
    game = Game(asking(limits=Limits(revisions=1))).cook((2, "Soup", 60, 0))
    assert game.cook((3, "Soup", 120, 0)).ended == "revision_limit"


# --- hints ----------------------------------------------------------------------------------------


@both_presets
def test_the_hint_comes_first_and_after_what_was_carried_out(rules: str) -> None:
    """Water 0-600 and leek 0-300: then the leek goes in at 600, and nothing else can be begun."""
    game = Game(kitchen_of(SOUP, BREAD, rules=rules, hints=True))
    assert game.told().splitlines()[-2:] == [
        "Can be started from 00:00:00 on: step 0 of Soup, step 1 of Soup, step 0 of Bread, step 1 of Bread.",
        REMINDER,
    ]
    game.cook((1, "Soup", 600, 0))
    assert game.told().splitlines()[-2:] == [
        "Can be started from 00:00:00 on: step 0 of Soup, step 0 of Bread, step 1 of Bread.",
        REMINDER,
    ]
    game.cook((0, "Soup", 300, 0), (0, "Bread", 600, 300))
    assert game.told().splitlines()[-3:] == [
        "Can be started from 00:05:00 on: step 1 of Bread.",
        "Can be started from 00:10:00 on: step 2 of Soup.",
        REMINDER,
    ]
    assert "Can be started" not in game.cook((2, "Soup", 60, 300)).told()


@both_presets
def test_after_a_failed_beginning_there_is_no_hint_until_something_succeeds(rules: str) -> None:
    game = Game(kitchen_of(SOUP, rules=rules, hints=True)).say("Hm.", "Well.")
    assert game.world.observe(game.state, COOK).ready is None
    assert "Can be started from 00:05:00 on: step 1 of Soup." in game.cook((0, "Soup", 300, 0)).told()


def test_the_reminder_belongs_to_limits_and_to_a_list_with_something_in_it() -> None:
    """Bread has no limits; of the pie nothing is left when it bakes, and play goes on, as released."""
    assert REMINDER not in Game(kitchen_of(SOUP, lags=False, hints=True)).told()
    pie = Game(kitchen_of(PIE, rules="released", hints=True)).each((0, "Pie", 600, 0), (1, "Pie", 900, 600))
    assert pie.told().splitlines()[-1] == NOTHING_READY


def test_a_hint_can_be_had_at_any_level() -> None:
    """It would give away what the cook is asked to believe, so that it does not come before the statement."""
    for knowledge in ("none", "beliefs", "gold"):
        game = Game(kitchen_of(SOUP, knowledge=knowledge, hints=True))
        assert ("Can be started" in game.told()) is (knowledge != "beliefs")
        if knowledge == "beliefs":
            assert "Can be started" in game.say(statement(TRUE)).told()
        assert "Can be started from 00:05:00 on: step 1 of Soup." in game.cook((0, "Soup", 300, 0)).told()


def test_a_statement_after_a_refusal_brings_no_hint_back() -> None:
    game = Game(kitchen_of(SOUP, knowledge="beliefs", hints=True)).say(statement(TRUE), "Hm.")
    assert "Can be started" not in game.say(statement(TRUE)).told()


@both_presets
def test_a_step_that_is_too_late_is_hinted_at_as_released_only(rules: str) -> None:
    """The leek may go in until 600 + 120 = 720. The release goes on past that, and lists it."""
    game = Game(kitchen_of(SOUP, rules=rules, hints=True))
    game.each((1, "Soup", 600, 0), (0, "Soup", 100, 800))
    late = "step 0 of Soup, step 2 of Soup" if rules == "released" else "step 0 of Soup"
    assert game.told().splitlines()[-2] == f"Can be started from 00:15:00 on: {late}."


# --- agents and records ---------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["random", "first-legal", "serial", "greedy", "oracle"])
def test_agents_that_read_no_text_play_where_beliefs_are_asked_for(agent: str) -> None:
    """They state something first, and go on as anywhere."""
    asked, plain = (
        play_now(world, make_policy(AgentSpec(agent), world))
        for world in (world_of(f"Tacos+Smore-Bars@knowledge={level}") for level in ("beliefs", "none"))
    )
    first, *others = (entry.answers[COOK].decision for entry in asked.entries)
    assert first.beliefs and not first.actions and not any(decision.beliefs for decision in others)
    if agent != "random":  # which draws for each decision point
        assert others == [entry.answers[COOK].decision for entry in plain.entries]
    assert check(asked) == len(asked.entries)


def test_the_oracle_states_the_truth_and_then_its_plan() -> None:
    world = asking(SOUP)
    opening, plan = world.plan({"Soup 1": 0, "Soup 0": 0, "Soup 2": 600, "Soup 3": 660, "Soup 4": 780})
    assert opening == Cook(beliefs=(TRUE,)) and not plan.beliefs
    assert Game(world).decide(opening).decide(plan).ended == "completed"


class Says:
    """Gives these texts one after the other."""

    name = "says"
    informed = False
    settings: Mapping[str, str] = {}

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    async def decide(self, turn: Turn, memory: object) -> Reply:
        return Reply(self.texts[turn.index])


def test_a_record_with_beliefs_revised_midway_replays(tmp_path: Path) -> None:
    world = asking()
    episode = play_now(
        world,
        Says(
            statement(WRONG),
            "Action: Step(0, Soup, 00:05:00, 00:00:00)",
            "Action: Step(2, Soup, 00:01:00, 00:05:00)",
            statement(TRUE),
            "Action: Step(1, Soup, 00:10:00, 00:05:00)",
            f"{statement(WRONG)}\nAction: Finish",
        ),
    )
    file = tmp_path / "soup.jsonl"
    write_episode(episode, file)
    again = read_episode(file)
    assert check(again) == 6
    assert [entry.refusals[0].code for entry in again.entries if entry.refusals] == ["dep_incomplete"]
    lines = [msgspec.json.encode(line).decode() for line in objects_in(file.read_bytes())]
    changed = [line.replace('"autonomous":[1,3]', '"autonomous":[1,2]') for line in lines]
    assert changed != lines
    file.write_bytes(forged([msgspec.json.decode(line) for line in changed]))
    with pytest.raises(ReplayMismatch, match="step 3"):
        check(read_episode(file))


def test_shipped_truths_hang_together() -> None:
    """277 dependencies, 76 steps that run by themselves, 95 that occupy an appliance, in 24 recipes."""
    truths = [gold(recipe) for recipe in shipped_recipes().values()]
    assert sum(len(truth.depends) for truth in truths) == 277
    assert sum(len(truth.autonomous) for truth in truths) == 76
    assert sum(len(truth.uses) for truth in truths) == 95
    names = itertools.chain.from_iterable(truth.uses for truth in truths)
    assert {appliance for appliance, _ in names} == set(APPLIANCES)
