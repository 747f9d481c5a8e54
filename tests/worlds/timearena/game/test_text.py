"""TimeArena in words: what is read as which action, and what is told."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel.values import Fault, Refusal
from backburner.worlds.timearena.game import RELEASED, STANDARD, Act, Decision, Limits, Quit, TimeArena, Wait
from backburner.worlds.timearena.game.scenarios import Scenario, shipped_tasks
from backburner.worlds.timearena.game.state import State
from backburner.worlds.timearena.game.transition import AGENT
from support.timearena.play import Game, paths, world_of

both_presets = pytest.mark.parametrize("rules", ["standard", "released"])

TEA = "household1+household3"
"""Things: tea, kettle, teapot, cup; clothes, detergent, washing_machine."""


def read(text: str, rules: str = "standard", path: str = TEA) -> Decision | Refusal:
    return world_of(path, rules).parse(State(), AGENT, text)


def code(text: str, rules: str = "standard", path: str = TEA) -> str:
    refusal = read(text, rules, path)
    assert isinstance(refusal, Refusal), refusal
    return refusal.code


# --- exact reading: the release --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("wash cup", Act("wash", "cup")),
        ("  wash cup\n", Act("wash", "cup")),
        ("**wash cup**", Act("wash", "cup")),
        ("pour kettle into teapot", Act("pour into", "kettle", "teapot")),
        ("wait", Wait()),
        ("*wait*", Wait()),
        ("quit", Quit()),
        ("QUIT", Quit()),
        ("Exit", Quit()),
    ],
)
@both_presets
def test_the_bare_action_is_read_under_any_rules(rules: str, text: str, decision: Decision) -> None:
    assert read(text, rules) == decision


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I will wash clothes", "invalid_action"),
        ("wash  cup", "invalid_action"),
        ("wash\ncup", "invalid_action"),
        ("", "invalid_action"),
        ("wash", "invalid_action"),
        ("wash cup now", "invalid_action"),
        ("wash cup in teapot", "invalid_action"),
        ("pour kettle", "invalid_action"),
        ("hoe land", "invalid_action"),  # a verb of another task
        ("wash pan", "nonexistent_object"),
        ("wash cup.", "nonexistent_object"),
        ("gather washing machine", "invalid_action"),
        ("pour kettle into pan", "nonexistent_object"),
        ("Wash cup", "invalid_action"),  # capitals crash the released program
        ("wash Cup", "invalid_action"),
        ("Wait", "invalid_action"),
        ("Wash Pan", "nonexistent_object"),  # found before the capital can do harm
    ],
)
def test_anything_else_is_refused_by_exact_reading(text: str, expected: str) -> None:
    assert code(text, "released") == expected


def reference(world: TimeArena, text: str) -> Decision | str:
    """Exact reading once more, in ten lines: the decision, or the code of the refusal."""
    bare = text.strip().replace("*", "").strip()
    if bare.lower() in ("quit", "exit") or bare == "wait":
        return Wait() if bare == "wait" else Quit()
    tokens = bare.lower().split(" ")
    verb, things = " ".join(tokens[::2]), tokens[1::2]
    if len(tokens) not in (2, 4) or verb not in world.compiled.verbs:
        return "invalid_action"
    if not set(things) <= set(world.compiled.item):
        return "nonexistent_object"
    return Act(verb, *things) if bare == bare.lower() else "invalid_action"


# --- finding an action in free text: standard -------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "I will gather clothes",  # the article's example (section 3.3) is of this form
        "gather the clothes",
        "Gather clothes.",
        "GATHER CLOTHES!",
        "gather\n  clothes",
        "gather\u00a0clothes",
        "`gather clothes`",
        "_gather clothes_",
        "### Action: **gather clothes**",
        '{"action": "gather clothes"}',
        "Gather clothes, yes: gather the clothes.",
        "The kettle is done; next I gather clothes",
    ],
)
def test_one_action_is_found_in_free_text(text: str) -> None:
    assert read(text) == Act("gather", "clothes")


@pytest.mark.parametrize(
    ("text", "path", "decision"),
    [
        ("place the clothes into the washing machine", TEA, Act("place into", "clothes", "washing_machine")),
        (r"activate washing\_machine", TEA, Act("activate", "washing_machine")),
        ("Set up the ironing board", "household6", Act("set_up", "ironing_board")),
        ("weed with sprinkling can", "household5", Act("weed_with", "sprinkling_can")),
        ("add a rice 2 to dish_2", "cooking1+cooking7", Act("add to", "rice_2", "dish_2")),
        ("iron the suit", "household6", Act("iron", "suit")),
        ("heat an iron", "household6", Act("heat", "iron")),
        ("Nothing to do: I wait a minute.", TEA, Wait()),
        (" quit ", TEA, Quit()),
    ],
)
def test_spaces_underscores_and_articles(text: str, path: str, decision: Decision) -> None:
    assert read(text, path=path) == decision


@pytest.mark.parametrize(
    "text",
    [
        "wash cup, then wash teapot",
        "wash cup or wait",
        "I cannot tell.",
        "",
        "I quit",  # giving up is not read into a sentence
        "washing cup",
        "prewash cup",
        "wash cups",
        "wash cup_1",
        "activate waſhing_machine",  # a long s is not an s
    ],
)
def test_no_action_or_more_than_one_is_no_answer(text: str) -> None:
    assert read(text) != Act("wash", "cup")
    refusal = read(text)
    assert isinstance(refusal, Refusal) and refusal.fault in (Fault.UNREADABLE, Fault.UNKNOWN_THING)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("clean teapot", "invalid_action"),  # the article's examples, section 3.3
        ("wash pan", "nonexistent_object"),
        ("Wash the pan.", "nonexistent_object"),
        ("pour kettle into pan", "nonexistent_object"),
        ("wash cup_1", "nonexistent_object"),
        ("clean the teapot", "invalid_action"),
        ("wash cup, then wash teapot", "unreadable"),
        ("What shall I do?", "invalid_action"),  # four words, as an action may have
        ("What shall I do now?", "unreadable"),
    ],
)
def test_why_a_text_is_not_understood(text: str, expected: str) -> None:
    assert code(text) == expected


# --- properties of reading --------------------------------------------------------------------------


def texts(world: TimeArena) -> st.SearchStrategy[str]:
    """Anything at all, and texts made of the pieces that actions are made of, more or less intact."""
    table = world.compiled
    actions = [attempt.words for attempt in world.rulebook.legality.fitting]
    pieces = [*actions, *table.verbs, *table.item, "wait", "quit", "the", "OBJ", "_", ".", "*", "\n"]
    words = st.lists(st.sampled_from(actions) | st.sampled_from(pieces) | st.text(max_size=3), max_size=4)
    joined = st.builds(lambda parts, gap: gap.join(parts), words, st.sampled_from([" ", "  ", "_", ""]))
    changes: list[Callable[[str], str]] = [
        str,
        str,
        str.upper,
        str.title,
        lambda text: text.replace("s", "ſ"),  # letters that equal s and i where case is ignored
        lambda text: text.replace("i", "İ"),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: text.replace("_", " "),
    ]
    return st.text() | st.builds(lambda text, change: change(text), joined, st.sampled_from(changes))


@pytest.mark.slow
@settings(max_examples=200)
@given(paths(2), st.sampled_from(["standard", "released"]), st.data())
def test_reading_never_raises_and_never_invents(path: str, rules: str, data: st.DataObject) -> None:
    world = world_of(path, rules)
    found = world.parse(State(), AGENT, data.draw(texts(world)))
    match found:
        case Act(verb, first, second):
            assert verb in world.compiled.verbs
            assert {first, second} - {""} <= set(world.compiled.item)
        case Refusal():
            assert found.fault in (Fault.UNREADABLE, Fault.UNKNOWN_THING)
        case _:
            assert isinstance(found, Wait | Quit)


@pytest.mark.slow
@settings(max_examples=200)
@given(paths(2), st.data())
def test_exact_reading_is_what_the_reference_reads(path: str, data: st.DataObject) -> None:
    world = world_of(path, "released")
    text = data.draw(texts(world))
    found = world.parse(State(), AGENT, text)
    assert (found.code if isinstance(found, Refusal) else found) == reference(world, text)


@settings(max_examples=40)
@given(paths(), st.sampled_from(["standard", "released"]))
def test_what_is_written_is_read_back(path: str, rules: str) -> None:
    world = world_of(path, rules)
    decisions: list[Decision] = [attempt.act for attempt in world.rulebook.legality.fitting]
    for decision in (*decisions, Wait(), Quit()):
        written = world.words(decision)
        assert world.parse(State(), AGENT, written) == decision
        assert world_of(path, rules).parse(State(), AGENT, f"  {written}\n") == decision


@settings(max_examples=40)
@given(paths(), st.sampled_from(["I will {}.", "{}!", "**{}**", "Now:\n\n  {}", "`{}`", "Thought: done. {}"]))
def test_what_is_written_is_read_back_out_of_a_sentence(path: str, sentence: str) -> None:
    world = world_of(path)
    for attempt in world.rulebook.legality.fitting:
        for written in (attempt.words, attempt.words.replace("_", " "), attempt.words.capitalize()):
            assert world.parse(State(), AGENT, sentence.format(written)) == attempt.act


def test_endless_lines_without_words_are_read_at_once() -> None:
    world = world_of("cooking1")
    assert isinstance(world.parse(State(), AGENT, "\n+ " * 50_000), Refusal)


def test_reading_charges_nothing() -> None:
    world = world_of("cooking1")
    state = world.start()
    world.parse(state, AGENT, "sing")
    assert state == State() == world.start()


# --- what is told -----------------------------------------------------------------------------------


def in_disguise(scenario: Scenario) -> Scenario:
    """The same tasks with other durations, without requirements, and with all verbs turned round."""
    tasks = [
        replace(
            task,
            things=tuple(
                replace(
                    thing,
                    roles=tuple(
                        replace(role, minutes=role.minutes and 11 - role.minutes, needs=(), needs_left_out=())
                        for role in thing.roles
                    ),
                )
                for thing in task.things
            ),
        )
        for task in scenario.tasks
    ]
    verbs = tuple(replace(verb, occupies_agent=not verb.occupies_agent) for verb in scenario.verbs)
    return replace(scenario, tasks=tuple(tasks), verbs=verbs)


@settings(max_examples=60)
@given(paths(), st.sampled_from([STANDARD, RELEASED]))
def test_the_briefing_tells_no_duration_no_requirement_and_not_who_is_busy(path: str, rules: object) -> None:
    """It is word for word the same when all of these are different."""
    world = world_of(path, rules)
    other = TimeArena(world.id, in_disguise(world.scenario), world.rules, Limits())
    assert world.briefing(AGENT) == other.briefing(AGENT)


@pytest.mark.parametrize("task_id", list(shipped_tasks()))
@both_presets
def test_no_number_of_minutes_is_in_a_briefing(rules: str, task_id: str) -> None:
    """Apart from the wait, which is said to last one minute."""
    told = world_of(task_id, rules).briefing(AGENT)
    assert not re.search(r"\d+\W*(minute|min\b|m\b|hour|second)", told)
    assert set(re.findall(r"(\w+) minutes?\b", told)) == {"one", "in"}  # "counted in minutes"
    assert not re.search(r"\b(two|three|four|five|six|seven|eight|nine|ten)\b", told)


@pytest.mark.parametrize("task_id", list(shipped_tasks()))
def test_a_briefing_names_goals_actions_things_and_initial_states(task_id: str) -> None:
    world = world_of(task_id)
    told = world.briefing(AGENT)
    task = world.scenario.tasks[0]
    assert task.goal in told
    for verb in task.verbs:
        assert f"- {world.compiled.verbs[verb].form}: " in told
    for item in world.compiled.items:
        assert f"{item.name}: {item.thing.roles[0].before}" in told
    assert "- wait: " in told


def test_goals_and_glosses_tell_no_numbers() -> None:
    for task in shipped_tasks().values():
        assert not re.search(r"\d|minute", task.goal + task.title)


def last_line(game: Game) -> list[str]:
    """What is told now, without the lists that are repeated after a malformed decision."""
    world = game.world
    lines = world.describe(world.observe(game.state, AGENT)).splitlines()
    heading = next((place for place, line in enumerate(lines) if line in ("Actions:", "Things (OBJ)")), None)
    return lines if heading is None else [*lines[:heading], lines[-1]]


def test_what_is_told_after_each_kind_of_decision() -> None:
    game = Game("cooking1+cooking7", "released")
    assert last_line(game) == ["Minute 0. Your action?"]
    for text, told in [
        ("pick rice_1", ["You begin to pick rice_1; this takes 2 minutes.", "rice_1 is picked."]),
        ("pick rice_2", ["You begin to pick rice_2; this takes 1 minute.", "rice_2 is picked."]),
        ("wait", ["You wait for one minute."]),
        ("sing", ["This is not one of the actions."]),
        ("wash pan", ["There is no such thing here."]),
        ("chop pot_1", ["This action cannot be done with pot_1."]),
        ("add rice_1 to dish_2", ["rice_1 and dish_2 belong to different tasks."]),
        ("add rice_1 to dish_1", ["This action cannot be done on dish_1 yet: dish_1 is dirty."]),
        ("pick rice_1", ["This action has been finished already."]),
        ("cook rice_1 in pot_1", ["You begin to cook rice_1 in pot_1; this takes 4 minutes."]),
        ("cook rice_2 in pot_1", ["pot_1 is in use by another action."]),
        ("quit", ["You have given up."]),
    ]:
        assert last_line(game.say(text))[:-1] == told
    assert last_line(game)[-1] == "Minute 12. Your action?"


def test_what_only_standard_rules_tell() -> None:
    game = Game("household1")
    told = {
        "I cannot tell what to do.": "No single action could be found in your answer.",
        "pour kettle into cup": "kettle and cup do not go together in this action.",
    }
    for text, sentence in told.items():
        assert last_line(game.say(text))[0] == sentence


def test_a_reason_may_be_missing() -> None:
    """Only the release has refusals without a reason; see ``test_rule_set``."""
    game = Game("lab8", "released").say("wash test_tube", "pick salt", "dissolve salt in test_tube")
    game.say(*["wait"] * 7, "put ph_paper in test_tube")
    assert last_line(game)[0] == "This action cannot be done on test_tube yet."


@pytest.mark.parametrize(
    ("path", "text", "understood"),
    [
        ("cooking1", "Thought: before I cook rice in pot I need it.\nAction: pick rice", "pick rice"),
        ("cooking1", "**Action:** Pick rice.", "pick rice"),
        ("cooking1", "Action: pick rice\nAction: pick beef", "pick beef"),
        ("cooking1", "pick rice or beef", ""),
        ("cooking1", "pick rice, beef", ""),
        ("cooking1", "pick rice and then wait", ""),
        ("household10", "wipe table and coffee_table", ""),
        ("household10", "wipe the coffee-table", "wipe coffee_table"),
        ("household2", "scrape dishes into the empty trash", ""),
        ("lab9", "add benzyl_alcohol to the dry beaker", ""),
        ("household8", "I want to mop the floor", "mop floor"),
        ("household1", "Quit.", "quit"),
    ],
)
def test_prose_is_read_with_care(path: str, text: str, understood: str) -> None:
    """What could mean two things is no answer; what follows "Action:" is the answer."""
    world = world_of(path)
    found = world.parse(world.start(), AGENT, text)
    assert (world.words(found) if not isinstance(found, Refusal) else "") == understood
