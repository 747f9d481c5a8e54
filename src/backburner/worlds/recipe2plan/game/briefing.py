"""What the cook of Recipe2Plan is told before the first second. All wording is ours.

It tells what the released program tells, no more and no less: what the recipes state (article, section
3.3), which is what to do, how long it takes, which steps may be split, and the maximum lags if they are in
force; how cooking and answering go. Which steps run by themselves, what depends on what, and which
appliance a step needs is left to be found out, asked for, or told, as the scenario's ``knowledge`` has it.
"""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.text import Kind, Part, parted
from backburner.worlds.recipe2plan.game.actions import Piece
from backburner.worlds.recipe2plan.game.beliefs import gold, parts
from backburner.worlds.recipe2plan.game.rule_set import Rules
from backburner.worlds.recipe2plan.game.scenarios import Recipe, Scenario
from backburner.worlds.recipe2plan.game.wording import length, piece_words

ROLE = (
    "You are the only cook, and several recipes are to be cooked. Complete all of them as early as you can."
)

RULES = """\
How cooking works
- Each step takes the time that is given with it.
- Some steps run by themselves once started (water that boils, an oven that heats up) and leave you \
free for something else. All others (cutting, stirring) keep you busy, and you can do only one of \
those at a time, whatever its recipe.
- Steps of a recipe may depend on others of it.
- Oven, microwave and stove each serve one step at a time; one that is in use cannot be used.
- Do not start again what is under way."""

SPLITTING = """\
- A step that may be split can be done in several pieces; any other is done in one go, in full."""

LIMITS = """\
- Where a limit is stated, keep it: a step that comes too late after the step before it spoils the dish."""

GOLD = """\
- Beyond its text, three things are told of each recipe, and they are true. Autonomous: the steps that \
run by themselves. Dependencies: a->b where step a must have ended before step b can start. Appliances: \
the steps that occupy each of them."""

MATCHING = """\
- An appliance has to be as the step needs it: an oven has to be at the temperature that its recipe states."""

TOGETHER = """\
- Several recipes may preheat the oven together: at the same time, for as long, to the same temperature."""

ANSWER = """\
How to answer
- Whenever you are asked, choose one action. Thoughts come first, in at most 100 words, behind "Thought:"; \
then the action, behind "Action:", in this form:
  Action: Step(number, recipe, duration, start)
  with duration and start as HH:MM:SS, such as """

WAITING = """\
- To wait, say until when in your thoughts, and choose the action that starts then.
- When all recipes are complete, write
  Action: Finish"""

BELIEFS = """\
What you believe
- Before the first second you are asked what you believe of each recipe beyond its text: which steps run \
by themselves (Autonomous), which step must have ended before which other can start (Dependencies, direct \
ones), and which steps occupy oven, microwave or stove (Appliances). State it in this form, on four \
lines or on one, with "none" where there is nothing:
  Beliefs about Porridge
  Autonomous: 0, 3
  Dependencies: 0->1, 1->4
  Appliances: oven: 2, 5; stove: 3
- What you have stated is shown to you at every turn. It need not be true; you may find out otherwise.
- You may state your beliefs about a recipe again at any time, before an action or alone. They take the \
place of the earlier ones. This takes no time in the kitchen; alone, after the first time, it is a turn."""


def briefing_parts(scenario: Scenario, rules: Rules) -> tuple[Part, ...]:
    """What the cook is told before the first second."""
    first = scenario.recipes[0]
    example = piece_words(Piece(0, first.name, first.steps[0].seconds, 0))
    told, known = scenario.knowledge == "gold", scenario.knowledge != "none"
    own = scenario.instance is None and len(scenario.recipes) > 1  # no published pair heats two ovens
    notes = ((LIMITS, scenario.lags), (GOLD, told), (MATCHING, known), (TOGETHER, own))
    instructions = [RULES, SPLITTING, *(note for note, applies in notes if applies)]
    chapters: list[tuple[Kind, str]] = [
        ("role", ROLE),
        ("instructions", "\n".join(instructions)),
        ("answering", f"{ANSWER}{example}\n{WAITING}"),
        ("instructions", BELIEFS if scenario.knowledge == "beliefs" else ""),
    ]
    for recipe in scenario.recipes:
        truth = parts(gold(recipe)) if told else ()
        chapters.append(("task", "\n".join((recipe_text(recipe, scenario.lags, rules), *truth))))
    return parted(chapters)


def recipe_text(recipe: Recipe, lags: bool, rules: Rules) -> str:
    """A recipe as it is written: steps and durations, what may be split, and limits."""
    lines = [f"Recipe {recipe.name}"]
    lines += [f"{number}. ({length(step.seconds)}) {step.text}" for number, step in enumerate(recipe.steps)]
    splittable = [str(number) for number, step in enumerate(recipe.steps) if step.splittable]
    lines.append(f"Steps that may be split: {', '.join(splittable) or 'none'}.")
    if lags:
        lines += list(_limits(recipe, rules))
    return "\n".join(lines)


def _limits(recipe: Recipe, rules: Rules) -> Iterator[str]:
    """The maximum lags; of a step that may be split also which of its pieces they bind."""
    if rules.lags_bind_first_piece:
        pieces = "; if it is split, so must its first piece, and the rest may follow later"
    else:
        pieces = "; if it is split, so must each piece of it"
    for number, step in enumerate(recipe.steps):
        for lag in step.lags:
            limit = f"Step {number} must start within {length(lag.seconds)} after the end of step {lag.after}"
            yield f"{limit}{pieces if step.splittable else ''}."
