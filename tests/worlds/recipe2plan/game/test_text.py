"""What the cook is told, and how answers are read."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.kernel.values import Refusal
from backburner.worlds.recipe2plan.game import RELEASED, Cook, Piece
from backburner.worlds.recipe2plan.game.compiled import COOK
from backburner.worlds.recipe2plan.game.reading import LOG, PLAN_AGENT, SUMMARY, SUMMARY_REPAIRED, cut
from backburner.worlds.recipe2plan.game.scenarios import LATEST, shipped_recipes
from backburner.worlds.recipe2plan.game.state import FINISH, NO_ACTION
from backburner.worlds.recipe2plan.game.text import clock, length, refusal_text
from support.recipe2plan.play import BREAD, SOUP, Game, kitchen_of, world_of

both_presets = pytest.mark.parametrize("rules", ["standard", "released"])


def read(text: str, rules: str = "released") -> object:
    world = kitchen_of(SOUP, BREAD, rules=rules)
    return world.parse(world.start(), COOK, text)


def actions(text: str, rules: str = "released") -> list[tuple[int, str, int, int]]:
    decision = read(text, rules)
    found = decision.actions if isinstance(decision, Cook) else ()
    return [(piece.step, piece.recipe, piece.seconds, piece.start) for piece in found]


# --- what is told ---------------------------------------------------------------------------------


def test_the_briefing_states_what_the_recipes_state() -> None:
    text = kitchen_of(SOUP).briefing(COOK)
    assert "0. (5 min) Chop the leek." in text and "4. (1 min 30 s) Season it, and taste." in text
    assert "Steps that may be split: 0, 4." in text
    assert "Step 2 must start within 2 min after the end of step 1." in text
    assert "such as Step(0, Soup, 00:05:00, 00:00:00)" in text and "Action: Finish" in text
    each = "Step 4 must start within 1 min after the end of step 3; if it is split, so must each piece of it."
    assert each in text


def test_the_briefing_without_limits_is_silent_about_them() -> None:
    text = kitchen_of(SOUP, lags=False).briefing(COOK)
    assert "must start within" not in text and "limit" not in text
    assert "0. (5 min) Chop the leek." in text


@pytest.mark.parametrize("name", ["Tacos", "Cobbler"])
def test_the_recipes_leave_the_rest_to_be_found_out(name: str) -> None:
    """Nothing of what runs by itself, depends on what, or needs an appliance, beyond the sentences."""
    recipe = shipped_recipes()[name]
    text = world_of(f"{name}@lags=off").briefing(COOK).partition(f"Recipe {name}\n")[2]
    for number, step in enumerate(recipe.steps):
        text = text.replace(f"{number}. ({length(step.seconds)}) {step.text}", "")
    splittable = ", ".join(str(number) for number, step in enumerate(recipe.steps) if step.splittable)
    assert text.strip() == f"Steps that may be split: {splittable}."


def test_the_kitchen_in_words() -> None:
    game = Game(kitchen_of(SOUP, BREAD))
    assert game.told().splitlines() == [
        "It is 00:00:00.",
        "The oven is free, not preheated.",
        "The microwave is free.",
        "The stove is free.",
    ]
    game.cook((0, "Bread", 600, 0))
    assert game.told().splitlines() == [
        "The step has started and runs by itself.",
        "It is 00:00:00.",
        "The oven is in use, set to 400 degrees Fahrenheit.",
        "The microwave is free.",
        "The stove is free.",
        "Step 0 of Bread is running until 00:10:00.",
    ]


def test_the_result_of_a_decision_comes_first() -> None:
    game = Game(kitchen_of(SOUP))
    assert game.cook((0, "Soup", 100, 0)).told().startswith("You have carried out the action.\n")
    game.cook((0, "Soup", 100, 100), (0, "Soup", 50, 200))
    assert game.told().startswith("You have carried out all 2 actions.\n")
    game.cook((0, "Soup", 50, 250), (2, "Soup", 60, 300))
    assert game.told().startswith(
        "The first action was carried out. Step 2 of Soup has to wait: step 1 is not done.\n"
    )
    assert game.decide(FINISH).told().startswith("You have finished.\n")


def test_every_refusal_has_a_sentence_of_its_own() -> None:
    game = Game(kitchen_of(SOUP, BREAD))
    game.each((0, "Soup", 100, 0), (1, "Soup", 600, 100))
    tries = {
        "unknown_recipe": ((0, "Stew", 60, 100), "Stew is none of your recipes; they are: Soup, Bread."),
        "unknown_step": ((5, "Soup", 60, 100), "Soup has no step 5; its steps are 0 to 4."),
        "past_time": (
            (0, "Soup", 60, 99),
            "Step 0 of Soup cannot start at 00:01:39: it is 00:01:40 already.",
        ),
        "beyond_time": (
            (0, "Soup", 60, LATEST + 1),
            "Step 0 of Soup cannot start that late: the greatest time is 2501999792983:36:32.",
        ),
        "no_duration": ((0, "Soup", 0, 100), "Step 0 of Soup has to be done for some time."),
        "object_occupied": (
            (1, "Soup", 600, 100),
            "Step 1 of Soup cannot start at 00:01:40: the stove is in use.",
        ),
        "object_property": (
            (2, "Bread", 1200, 100),
            "Step 2 of Bread needs 400 degrees Fahrenheit; the oven is not preheated.",
        ),
        "already_done": ((1, "Soup", 600, 700), "Step 1 of Soup is done already."),
        "duration_exceeds": (
            (0, "Soup", 210, 100),
            "Step 0 of Soup cannot take 3 min 30 s: only 3 min 20 s of it is left.",
        ),
        "not_interruptible": (
            (1, "Bread", 60, 100),
            "Step 1 of Bread cannot be split; it takes 8 min in one go.",
        ),
        "dep_incomplete": ((2, "Soup", 60, 700), "Step 2 of Soup has to wait: step 0 is not done."),
    }
    for code, (piece, sentence) in tries.items():
        assert game.cook(piece).refused == code
        assert game.told().splitlines()[0] == sentence
    game.cook((0, "Soup", 200, 100), (2, "Soup", 60, 699))
    assert game.refusal.get("finish") == 700
    assert "step 1 runs until 00:11:40." in game.told()
    assert game.cook((2, "Soup", 60, 821)).refused == "time_constraint"
    assert "comes too late: it has to start within 2 min after the end of step 1." in game.told()
    game.each((2, "Soup", 60, 700), (3, "Soup", 120, 760), (3, "Soup", 120, 761))
    assert "Step 3 of Soup is under way until 00:14:40." in game.told()
    assert "No action could be found" in game.say("Let me see.").told()


def test_a_refusal_of_somebody_elses_is_told_by_its_code() -> None:
    world = kitchen_of(SOUP)
    assert refusal_text(Refusal("odd", NO_ACTION.fault), world.compiled, world.rules) == "Refused: odd."


def test_times_in_words() -> None:
    assert [clock(n) for n in (0, 59, 3600, 360_000)] == ["00:00:00", "00:00:59", "01:00:00", "100:00:00"]
    assert [length(n) for n in (0, 90, 300, 5400)] == ["0 s", "1 min 30 s", "5 min", "1 h 30 min"]


# --- reading, as released -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Action: Step(0, Soup, 00:05:00, 00:00:00)", [(0, "Soup", 300, 0)]),
        ("Step(0, Soup, 5:00, 1:00:00)", [(0, "Soup", 300, 3600)]),
        ("Step(0, Soup, 5 min, 90 sec)", [(0, "Soup", 300, 90)]),
        ("Step(1, 'Bread', \"00:08:00\", '0:0:0')", [(1, "Bread", 480, 0)]),
        ("Step(0, Soup, 00:90:75, 1 hour)", [(0, "Soup", 5475, 3600)]),
        ("Step(0, Soup, 00:02:00)", [(0, "Soup", 300, 120)]),  # the whole step, at 120
        ("Step(9, Soup, 00:02:00)", [(9, "Soup", 0, 120)]),
        ("Step(0, Soup, 00:02:00), Step(1, Bread, 00:08:00, 00:01:00)", [(1, "Bread", 480, 60)]),
        (
            "Step(0, Soup, 00:05:00, 00:20:00), Step(1, Soup, 00:10:00, 00:00:00)",
            [(1, "Soup", 600, 0), (0, "Soup", 300, 1200)],  # by start
        ),
        ("Step(0,Soup,00:05:00,00:00:00)", []),
        ("Step(0, Soup, 5 minutes, 00:00:00)", []),
        ("Step( 0, Soup, 00:05:00, 00:00:00)", []),
        ("step(0, Soup, 00:05:00, 00:00:00)", []),
        ("Step(0, Soup, 5, 0)", []),
        ("Step(-1, Soup, 00:05:00, 00:00:00)", []),
        ("Step(0, Soup, 00:05:00, 9999999999:00:00)", [(0, "Soup", 300, 35_999_999_996_400)]),
        ("Step(000000000000, Soup, 0000000000:05:00, 00:00:00)", [(0, "Soup", 300, 0)]),
        ("Step(\u0660, Soup, 00:0\uff15:00, 90 min)", [(0, "Soup", 300, 5400)]),  # digits of any script
        (f"Step(0, Soup, 00:05:00, 0:{LATEST})", [(0, "Soup", 300, LATEST)]),
        (f"Step(0, Soup, 00:05:00, 0:{LATEST + 2})", [(0, "Soup", 300, LATEST + 1)]),  # beyond: refused
        (f"Step(0, Soup, {'9' * 9999} sec, {'9' * 9999}:00:00)", [(0, "Soup", LATEST + 1, LATEST + 1)]),
        (f"Step(0, Soup, {'0' * 9999}5:00, 0:00)", [(0, "Soup", 300, 0)]),
        ("Action: wait", []),
    ],
)
def test_the_released_shape(text: str, found: list[tuple[int, str, int, int]]) -> None:
    assert actions(text) == found
    assert found or read(text) == NO_ACTION


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("no marker", "no marker"),
        ("Action: one\nAction: two", "Action: one\n"),
        ("so Action: one Action: two Action: three", "so Action: one "),
        ("lost Thought: kept Action: too", "Thought: kept Action: too"),
        ("Thought: a Action: b Thought: c", "Thought: a Action: b "),
        ("Action: lost Thought: kept", "Thought: kept"),
    ],
)
def test_what_the_released_loop_keeps(text: str, kept: str) -> None:
    assert cut(text) == kept


@pytest.mark.parametrize(
    ("text", "finished"),
    [
        ("Action: Finish", True),
        ("Thought: done. action: finish", True),
        ("*/", True),
        ("Action: Step(0, Soup, 00:05:00, 00:00:00)\nAction: Finish", False),  # cut away
        ("Finish", False),
    ],
)
def test_finishing_as_released(text: str, finished: bool) -> None:
    decision = read(text)
    assert (isinstance(decision, Cook) and decision.finish) is finished


# --- reading, standard ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Thought: Step(1, Soup, 10 min, 0:00)? No.\nAction: Step(0, Soup, 5 min, 0:00)",
            [(0, "Soup", 300, 0)],
        ),
        ("Action: Step(0, Soup, 00:05:00)", [(0, "Soup", 300, 300)]),  # no duration: it is the start
        ("Action: Step(0, Soup, 00:01:00)", [(0, "Soup", 300, 60)]),
        ("Action: Step(2, Bread, 1 h 30 min, 90 s)", [(2, "Bread", 5400, 90)]),
        ("Action: step( 0 ,soup,1.5 minutes,0:00:00 )", [(0, "Soup", 90, 0)]),
        (
            "action: Step(0, Soup, 0:01:00, 0:00)\nObservation: Step(1, Soup, 0:10:00, 0:00)",
            [(0, "Soup", 60, 0)],
        ),
        (
            "Step(1, Soup, 10:00, 5:00), Step(0, Soup, 5:00, 0:00)",
            [(0, "Soup", 300, 0), (1, "Soup", 600, 300)],
        ),
        ("Action: Step(0, Stew, 5:00, 0:00)", [(0, "Stew", 300, 0)]),  # read, and then refused
        ("Action: Step(0, Soup, 5, 0)", []),
        ("Action: Step(0, Soup, a while, later)", []),
    ],
)
def test_the_standard_reading(text: str, found: list[tuple[int, str, int, int]]) -> None:
    assert actions(text, "standard") == found


@pytest.mark.parametrize(
    ("text", "finished"),
    [
        ("Action: Finish", True),
        ("Thought: all done.\n**Action:** Finish.", True),
        ("finish", True),
        ("Action: Step(0, Soup, 5:00, 0:00), Finish", True),
        ("Then I finish the soup.", False),
        ("Action: Step(0, Soup, 5:00, 0:00) and then finish the rest", False),
        ("Action: Step(0, Soup, 5:00, 0:00)\nAction: Finish", False),  # one thing at a time
    ],
)
def test_finishing_as_standard(text: str, finished: bool) -> None:
    decision = read(text, "standard")
    assert (isinstance(decision, Cook) and decision.finish) is finished


@both_presets
@pytest.mark.parametrize(
    "decision",
    [
        FINISH,
        Cook((Piece(0, "Soup", 300, 0),)),
        Cook((Piece(0, "Soup", 300, 0), Piece(1, "Bread", 480, 400_000))),
        Cook((Piece(0, "Soup", 300, 0),), finish=True),
    ],
)
def test_words_are_read_back(decision: Cook, rules: str) -> None:
    world = kitchen_of(SOUP, BREAD, rules=rules)
    assert world.parse(world.start(), COOK, world.words(decision)) == decision


# --- plans ----------------------------------------------------------------------------------------


@both_presets
def test_a_plan_is_read_whole(rules: str) -> None:
    world = kitchen_of(SOUP, rules=rules)
    plan = world.reader.read_plan("Action: Step(0, Soup, 05:00, 00:00)\nAction: Step(1, Soup, 10:00, 05:00)")
    assert plan == Cook((Piece(0, "Soup", 300, 0), Piece(1, "Soup", 600, 300)))
    assert world.reader.read_plan("No idea.") == NO_ACTION


THOUGHT_ALOUD = "<think>Step(1, Soup, 10:00, 00:00)?</think>\nAction: Step(0, Soup, 05:00, 00:00)"


def test_who_reads_a_plan_that_thinks_aloud() -> None:
    """The summarizer reads what follows the last end of a thought, the program that asks for it everything.

    The water at 0 and the leek at 0 do not collide, so that there is nothing to repair.
    """
    reader = kitchen_of(SOUP, rules="released").reader
    leek, water = Piece(0, "Soup", 300, 0), Piece(1, "Soup", 600, 0)
    for reading in (SUMMARY, SUMMARY_REPAIRED):
        assert reader.read_plan(THOUGHT_ALOUD, reading) == Cook((leek,))
        assert reader.read_plan(f"{THOUGHT_ALOUD}</think>", reading) == NO_ACTION
    for reading in (LOG, PLAN_AGENT):
        assert reader.read_plan(THOUGHT_ALOUD, reading) == Cook((water, leek))
    odd = THOUGHT_ALOUD.replace("</think>", "</Think>")
    assert reader.read_plan(odd, SUMMARY) == Cook((water, leek))


def test_the_rules_name_who_reads_plans() -> None:
    plan = f"{THOUGHT_ALOUD}, Step(4, Soup, 01:30, 00:00)"
    starts = {"summary": [0, 0], "summary-repaired": [0, 300], "agent": [0, 0, 300]}
    for reader, expected in starts.items():
        rules = replace(RELEASED, plan_reader=reader)
        world = kitchen_of(SOUP, rules=rules)
        decision = world.parse(world.start(), COOK, *world.answers_in(plan))
        assert [piece.start for piece in decision.actions] == expected


def test_the_loop_as_released_knows_no_end_of_a_thought() -> None:
    assert actions(THOUGHT_ALOUD) == [(1, "Soup", 600, 0), (0, "Soup", 300, 0)]
    assert actions(THOUGHT_ALOUD, "standard") == [(0, "Soup", 300, 0)]
    considered = "<think>Action: Step(1, Soup, 10:00, 0:00)</think>"
    assert read(considered, "standard") == NO_ACTION


def test_letters_that_grow_in_small_print_move_nothing() -> None:
    """The reader looks for marks in small letters; one letter of all there are becomes two in them."""
    assert [chr(n) for n in range(0x110000) if len(chr(n).lower()) > 1] == ["\u0130"]
    text = "\u0130\u0130\u0130 Action: Step(0, Soup, 05:00, 00:00)\nThought: Step(1, Soup, 10:00, 00:00)"
    assert actions(text, "standard") == [(0, "Soup", 300, 0)]


def test_the_repair_of_a_plan() -> None:
    """Chopping 0-300, so putting in at 200 moves to 300, and all later ones by 100 as well.

    The cook is then free at 200 + 60 = 260 by the old time, or 360 by the new one: the seasoning, at
    250 + 100 = 350, is left there, 10 too early.
    """
    world = kitchen_of(SOUP)
    plan = [Piece(0, "Soup", 300, 0), Piece(2, "Soup", 60, 200), Piece(4, "Soup", 90, 250)]
    assert [piece.start for piece in world.reader.repaired(plan)] == [0, 300, 350]


def test_the_repair_lets_things_run_by_themselves() -> None:
    world = kitchen_of(SOUP)
    plan = [Piece(1, "Soup", 600, 0), Piece(0, "Soup", 300, 0), Piece(9, "Stew", 60, 100)]
    assert [piece.start for piece in world.reader.repaired(plan)] == [0, 0, 300]
