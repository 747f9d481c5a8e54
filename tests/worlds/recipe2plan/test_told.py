"""What the cook is told, fact by fact: what the released program's prompts tell, no more and no less.

Each row of ``FACTS`` is one fact; it is looked for in real games of every setting that it applies to, and
must not be told anywhere else. Its sentences are ours; the released program has others.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest

from backburner.kernel.text import only
from backburner.worlds.recipe2plan.game.compiled import COOK
from support.recipe2plan.play import BREAD, PIE, SOUP, Game, kitchen_of, world_of

PLACES = ("briefing", "result", "refusal", "state", "hint")
ANY, LAGS = ("none", "beliefs", "gold"), ("on",)
BOTH = ("standard", "released")


class Fact(NamedTuple):
    """A fact in words, and where it is told: in which place, by which pattern, in which settings.

    Where a setting is none of these, and in every other place, the pattern must not occur. A fact without
    a place is told nowhere.
    """

    fact: str
    place: str | None
    pattern: str
    rules: tuple[str, ...] = BOTH
    knowledge: tuple[str, ...] = ANY
    lags: tuple[str, ...] = ("on", "off")


FACTS = (
    # how cooking works
    Fact(
        "there is one cook, and all recipes are to be completed early", "briefing", "only cook.*as early as"
    ),
    Fact(
        "what keeps the cook busy goes one at a time, whatever the recipe", "briefing", "whatever its recipe"
    ),
    Fact("steps of a recipe depend on others of it", "briefing", "may depend on others of it"),
    Fact("which ones do", "briefing", r"^Dependencies: 0->9, 1->5", knowledge=("gold",)),
    Fact("dependencies may go against the order of writing", None, "order in which they are written"),
    Fact("which steps run by themselves", "briefing", r"^Autonomous: \d", knowledge=("gold",)),
    Fact("which steps occupy which appliance", "briefing", r"^Appliances: (?!none)", knowledge=("gold",)),
    Fact("an appliance in use cannot be used", "briefing", "in use cannot be used"),
    Fact(
        "the oven's temperature has to match", "briefing", "at the temperature", knowledge=("beliefs", "gold")
    ),
    Fact("an oven may have to be hot first", None, "hot first"),
    Fact("what is under way is not started again", "briefing", "Do not start again"),
    Fact("steps that may be split can be done in pieces, others not", "briefing", "done in one go"),
    Fact("which steps may be split", "briefing", r"Steps that may be split: \d"),
    Fact("how long steps take", "briefing", r"^0\. \(\d+ min\)"),
    # limits
    Fact("limits are to be kept", "briefing", "Where a limit is stated, keep it", lags=LAGS),
    Fact("the limits", "briefing", r"must start within \d+ min after the end of step", lags=LAGS),
    Fact("they bind each piece of a split step", "briefing", "so must each piece of it", lags=LAGS),
    Fact(
        "a step that is tried too late, and which pieces count",
        "refusal",
        "each piece of it has to",
        lags=LAGS,
    ),
    Fact("a limit has passed before anybody tried", "state", "^Too late: ", rules=BOTH[:1], lags=LAGS),
    # how to answer
    Fact("thoughts have at most 100 words and a heading", "briefing", '100 words, behind "Thought:"'),
    Fact("the action has a heading and a form", "briefing", r'behind "Action:".*\n  Action: Step\(number'),
    Fact("how to wait", "briefing", "To wait, say until when"),
    Fact("an action cannot start in the past", "refusal", r"cannot start at 00:00:00: it is"),
    Fact("how to finish", "briefing", "Action: Finish"),
    Fact("limits of turns and revisions", None, r"\bturns (?:are )?left|revisions?\b"),
    # what went wrong, and right
    Fact("an unknown recipe: all that there are", "refusal", r"none of your recipes; they are: .+, .+\."),
    Fact("an unknown step: the first and the last", "refusal", r"its steps are 0 to \d+"),
    Fact("an answer without an action", "refusal", "No action could be found"),
    Fact("whether a step has started by itself", "result", "started and runs by itself"),
    Fact("or was carried out", "result", "carried out the action"),
    # the state of things
    Fact("the time", "state", r"^It is \d\d:\d\d:\d\d\.$"),
    Fact("appliances, and what the oven is set to", "state", r"^The oven is (?:free|in use), "),
    Fact("what runs, and until when", "state", "is running until"),
    Fact("which steps are complete", None, "(?i)complete steps|steps done|is complete$"),
    # hints
    Fact("that hints will come", None, "you are told which steps can be started"),
    Fact("what can be started, and from when on", "hint", r"^Can be started from \d\d"),
    Fact("a reminder of the limits behind it", "hint", "Mind that your plan keeps", lags=LAGS),
)
SETTINGS = [(rules, knowledge, lags) for rules in BOTH for knowledge in ANY for lags in ("on", "off")]


BELIEVED = "Beliefs about Tacos. Autonomous: none. Dependencies: none. Appliances: none"
PLAYED = (
    (0, "Smore-Bars", 600, 0), (3, "Smore-Bars", 300, 0), (1, "Smore-Bars", 180, 300),
    (2, "Smore-Bars", 60, 480), (4, "Smore-Bars", 180, 540), (5, "Smore-Bars", 60, 720),
    (6, "Smore-Bars", 120, 780), (5, "Smore-Bars", 240, 900), (0, "Tacos", 180, 0),
    (0, "Soup", 180, 1200), (99, "Tacos", 180, 1200),
)  # fmt: skip
"""Step 4 ends at 720, so step 5 starts by 840: its first piece does, its second, at 900, does not. Then an
action in the past, a recipe and a step that are not there."""


def told(rules: str, knowledge: str, lags: str) -> dict[str, str]:
    """Everything that is told in a game of a setting, by place, and in the first moment of one with hints."""
    options = f"knowledge={knowledge},lags={lags}"
    game = Game(world_of(f"Tacos+Smore-Bars@{options}", rules))
    hinted = Game(world_of(f"Tacos+Smore-Bars@hints=on,{options}", rules))
    if knowledge == "beliefs":
        game.say(BELIEVED), hinted.say(BELIEVED)
    texts = dict.fromkeys(PLACES, "")
    texts["briefing"] = hinted.world.briefing(COOK)
    texts["hint"] = hinted.told()
    assert game.world.briefing(COOK) == texts["briefing"]
    for step in range(len(PLAYED) + 1):
        game.cook(PLAYED[step]) if step < len(PLAYED) else game.say("Hm.")
        parts = game.world.description_parts(game.world.observe(game.state, COOK))
        texts["refusal" if game.refused else "result"] += only(parts, "feedback") + "\n"
        texts["state"] += only(parts, "state") + "\n"
    return texts


@pytest.fixture(scope="module")
def everything() -> dict[tuple[str, str, str], dict[str, str]]:
    return {setting: told(*setting) for setting in SETTINGS}


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.fact)
def test_a_fact_is_told_where_the_table_says(fact: Fact, everything: Any) -> None:
    pattern = re.compile(fact.pattern, re.MULTILINE)
    for (rules, knowledge, lags), texts in everything.items():
        applies = rules in fact.rules and knowledge in fact.knowledge and lags in fact.lags
        for place, text in texts.items():
            if place != "hint" or fact.place in ("hint", None):  # a hint stands behind the state of things
                found = pattern.search(text) is not None
                where = f"{place}, {rules} rules, knowledge={knowledge}, lags={lags}"
                assert found is (applies and place == fact.place), f"{where}: {text}"


def test_recipes_of_ones_own_may_preheat_together_and_are_told_so() -> None:
    """No published pair has two ovens; the released example of other recipes shows it."""
    together = "preheat the oven together"
    assert together in kitchen_of(BREAD, PIE).briefing(COOK)
    assert together not in kitchen_of(SOUP).briefing(COOK)
    assert together not in world_of("Tacos+Smore-Bars").briefing(COOK)


@pytest.mark.parametrize("knowledge", ANY)
@pytest.mark.parametrize("lags", ["on", "off"])
def test_briefings_do_not_depend_on_the_rules(knowledge: str, lags: str, everything: Any) -> None:
    standard, released = (everything[rules, knowledge, lags]["briefing"] for rules in BOTH)
    assert standard == released
