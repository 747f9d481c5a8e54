"""Recipe2Plan in words. All wording is ours; it tells what the released program tells.

The briefing states what the recipes state (article, section 3.3): what to do, how long it takes,
which steps may be split, and the maximum lags if they are in force. Which steps run by themselves,
what depends on what, and which appliance a step needs is left to be found out.
"""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.values import Refusal
from backburner.worlds.recipe2plan.actions import Cook, Piece
from backburner.worlds.recipe2plan.rule_set import Rules
from backburner.worlds.recipe2plan.scenarios import Recipe, Scenario
from backburner.worlds.recipe2plan.state import Feedback, Observation

RULES = """\
You are the only cook, and several recipes are to be cooked. Complete all of them as early as you can.

How cooking works
- Each step takes the time that is given with it.
- Some steps run by themselves once started (water that boils, an oven that heats up) and leave you \
free for something else. All others (cutting, stirring) keep you busy, and you can do only one of \
those at a time.
- Steps of a recipe may depend on others of it, not always in the order in which they are written.
- Oven, microwave and stove each serve one step at a time, and an oven may have to be hot first."""

ANSWER = """\
How to answer
- Whenever you are asked, think briefly, then choose one action and write it as
  Action: Step(number, recipe, duration, start)
  with duration and start as HH:MM:SS, such as """

SPLITTING = """\
- A step that may be split can be done in several pieces; any other is done in one go, in full."""

LIMITS = """\
- Where a limit is stated, keep it: a step that starts too late after the step before it spoils the dish."""

WAITING = """\
- To wait, choose a later start. An action cannot start before the present time.
- When all recipes are complete, write
  Action: Finish"""


def briefing(scenario: Scenario) -> str:
    """What the cook is told before the first second."""
    first = scenario.recipes[0]
    example = piece_words(Piece(0, first.name, first.steps[0].seconds, 0))
    rules = [RULES, SPLITTING, *([LIMITS] if scenario.lags else [])]
    parts = ["\n".join(rules), f"{ANSWER}{example}\n{WAITING}"]
    parts += [recipe_text(recipe, scenario.lags) for recipe in scenario.recipes]
    return "\n\n".join(parts)


def recipe_text(recipe: Recipe, lags: bool) -> str:
    """A recipe as it is written: steps and durations, what may be split, and limits."""
    lines = [f"Recipe {recipe.name}"]
    lines += [f"{number}. ({length(step.seconds)}) {step.text}" for number, step in enumerate(recipe.steps)]
    splittable = [str(number) for number, step in enumerate(recipe.steps) if step.splittable]
    lines.append(f"Steps that may be split: {', '.join(splittable) or 'none'}.")
    if lags:
        lines += list(_limits(recipe))
    return "\n".join(lines)


def _limits(recipe: Recipe) -> Iterator[str]:
    for number, step in enumerate(recipe.steps):
        for lag in step.lags:
            within = length(lag.seconds)
            yield f"Step {number} must start within {within} after the end of step {lag.after}."


def describe(observation: Observation) -> str:
    """What the cook is told: the result of the decision, the clock, the kitchen."""
    lines = [feedback_text(observation.feedback)]
    lines.append(f"It is {clock(observation.clock)}.")
    for appliance in observation.appliances:
        heat = "" if appliance.fahrenheit is None else f", set to {appliance.fahrenheit} degrees Fahrenheit"
        cold = ", not preheated" if appliance.name == "oven" and not heat else ""
        state = "in use" if appliance.occupied else "free"
        lines.append(f"The {appliance.name} is {state}{heat}{cold}.")
    for running in observation.under_way:
        lines.append(f"Step {running.step} of {running.recipe} is running until {clock(running.ends)}.")
    for lag in observation.missed:
        lines.append(
            f"Too late: step {lag.step} of {lag.recipe} had to start within {length(lag.seconds)} "
            f"after the end of step {lag.after}."
        )
    return "\n".join(line for line in lines if line)


def feedback_text(feedback: Feedback) -> str:
    """What became of a decision, as a sentence."""
    match feedback.kind:
        case "started":
            return "The step has started and runs by itself."
        case "cooked":
            return "You have carried out the action."
        case "several":
            return f"You have carried out all {feedback.executed} actions."
        case "finish":
            return "You have finished."
        case "refused" if feedback.refusal is not None:
            n = feedback.executed
            before = f"The first {n} actions were carried out. " if n > 1 else ""
            before = "The first action was carried out. " if n == 1 else before
            return before + refusal_text(feedback.refusal)
    return ""


def refusal_text(refusal: Refusal) -> str:
    """A refusal as a sentence."""
    get = refusal.get
    step = f"Step {get('step')} of {get('recipe')}"
    match refusal.code:
        case "no_action":
            return "No action could be found in your answer."
        case "unknown_recipe":
            return f"{get('recipe')} is none of your recipes."
        case "unknown_step":
            return f"{get('recipe')} has no step {get('step')}; its last is {get('max')}."
        case "past_time":
            return f"{step} cannot start at {_at(refusal, 'start')}: it is {_at(refusal, 'clock')} already."
        case "beyond_time":
            return f"{step} cannot start that late."
        case "no_duration":
            return f"{step} has to be done for some time."
        case "object_occupied":
            return f"{step} cannot start at {_at(refusal, 'start')}: the {get('object')} is in use."
        case "object_property":
            have = "is not preheated" if get("have") is None else f"is at {get('have')} degrees Fahrenheit"
            return f"{step} needs {get('need')} degrees Fahrenheit; the {get('object')} {have}."
        case "time_constraint":
            limit = _long(refusal, "limit")
            return f"{step} comes too late: the limit is {limit} after the end of step {get('after')}."
        case "already_done":
            return f"{step} is done already."
        case "already_running":
            return f"{step} is under way until {_at(refusal, 'finish')}."
        case "duration_exceeds":
            given, left = _long(refusal, "given"), _long(refusal, "left")
            return f"{step} cannot take {given}: only {left} of it is left."
        case "not_interruptible":
            return f"{step} cannot be split; it takes {_long(refusal, 'left')} in one go."
        case "dep_incomplete":
            return f"{step} has to wait: step {get('needs')} is not done."
        case "dep_unfinished":
            return f"{step} has to wait: step {get('needs')} runs until {_at(refusal, 'finish')}."
    return f"Refused: {refusal.code}."


def _at(refusal: Refusal, name: str) -> str:
    value = refusal.get(name)
    return clock(value) if isinstance(value, int) else "?"


def _long(refusal: Refusal, name: str) -> str:
    value = refusal.get(name)
    return length(value) if isinstance(value, int) else "?"


def words(decision: Cook, rules: Rules) -> str:
    """The text that is read as this decision."""
    if not decision.actions:
        return "Action: Finish" if decision.finish else ""
    finish = (" */" if rules.thoughts_are_read else ", Finish") if decision.finish else ""
    return f"Action: {', '.join(map(piece_words, decision.actions))}{finish}"


def piece_words(piece: Piece) -> str:
    """An action as it is written."""
    return f"Step({piece.step}, {piece.recipe}, {clock(piece.seconds)}, {clock(piece.start)})"


def clock(seconds: int) -> str:
    """HH:MM:SS."""
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def length(seconds: int) -> str:
    """Such as ``1 h 30 min``."""
    parts = ((seconds // 3600, "h"), (seconds // 60 % 60, "min"), (seconds % 60, "s"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 s"
