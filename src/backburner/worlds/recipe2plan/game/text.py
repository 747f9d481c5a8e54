"""What the cook of Recipe2Plan is told: how actions are written, the briefing, each moment.

All wording is ours. It tells what the released program tells, no more and no less. Before the first second
that is what the recipes state (article, section 3.3): what to do, how long it takes, which steps may be
split, and the maximum lags if they are in force; how cooking and answering go. Which steps run by
themselves, what depends on what, and which appliance a step needs is left to be found out, asked for, or
told, as ``knowledge`` has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.files import shipped
from backburner.kernel.text import Kind, Part, WorkedPlan, parted
from backburner.kernel.tools import ToolCall, tool, words_for
from backburner.kernel.values import Refusal, canonical_json
from backburner.worlds.recipe2plan.game.beliefs import gold, parts, statement
from backburner.worlds.recipe2plan.game.compiled import Compiled
from backburner.worlds.recipe2plan.game.rule_set import STANDARD, Rules
from backburner.worlds.recipe2plan.game.scenarios import LATEST, Recipe, Scenario
from backburner.worlds.recipe2plan.game.state import FINISH, Cook, Feedback, Observation, Piece

PLAN_FORM = """\
Write one line for each action, in the order of their starts, as "Action: Step(number, recipe, duration, \
start)". The whole plan is carried out until an action of it is not possible; the rest is not tried."""
"""How a whole plan is written."""


TYPING = """\
Step(number, recipe, duration, start): a later start than now means to wait until then; a step that may \
be split takes a shorter duration as well. finish: when everything is complete."""
"""How a person types an action."""


DO, DONE = "do", "finish"

TOOLS = (
    tool(
        DO,
        "do a step of a recipe, or a piece of one that may be split; a later start than now means to wait "
        "until then",
        {
            "recipe": words_for("the name of the recipe"),
            "step": {"type": "integer", "description": "the number of the step"},
            "duration": words_for("for how long, HH:MM:SS"),
            "start": words_for("when it starts, HH:MM:SS from the beginning"),
        },
    ),
    tool(DONE, "when all recipes are complete"),
)
"""What models may call."""


def call_text(name: str, arguments: Mapping[str, Any]) -> str:
    """The answer that a call stands for."""
    if name == DONE:
        return words(FINISH, STANDARD)
    return f"Action: Step({arguments['step']}, {', '.join(map(str, _but_the_step(arguments)))})"


def _but_the_step(arguments: Mapping[str, Any]) -> Iterator[Any]:
    return (value for name, value in arguments.items() if name != "step")


def call_of(piece: Piece) -> ToolCall:
    """The call of an action."""
    times = {"duration": clock(piece.seconds), "start": clock(piece.start)}
    given = {"recipe": piece.recipe, "step": piece.step, **times}
    return ToolCall(DO, canonical_json(given).decode())


def words(decision: Cook, rules: Rules) -> str:
    """The text that is read as this decision."""
    if decision.silent:
        return f"(silent for {length(decision.silent)})"
    return "\n".join((*map(statement, decision.beliefs), *_action_words(decision, rules)))


def _action_words(decision: Cook, rules: Rules) -> Iterator[str]:
    if decision.actions:
        finish = (" */" if rules.thoughts_are_read else ", Finish") if decision.finish else ""
        yield f"Action: {', '.join(map(piece_words, decision.actions))}{finish}"
    elif decision.finish:
        yield "Action: Finish"


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


REMINDER = "Mind that your plan keeps the time limits."
"""Behind a hint, where lags are in force."""

NOTHING_READY = "No step can be started."
"""A hint that lists nothing."""


def description_parts(observation: Observation, compiled: Compiled, rules: Rules) -> tuple[Part, ...]:
    """What the cook is told: the result of the decision, the clock, the kitchen; what it believes."""
    lines = [f"It is {clock(observation.clock)}."]
    for appliance in observation.appliances:
        heat = "" if appliance.fahrenheit is None else f", set to {appliance.fahrenheit} degrees Fahrenheit"
        cold = ", not preheated" if appliance.name == "oven" and not heat else ""
        state = "in use" if appliance.occupied else "free"
        lines.append(f"The {appliance.name} is {state}{heat}{cold}.")
    for running in observation.under_way:
        lines.append(f"Step {running.step} of {running.recipe} is running until {clock(running.ends)}.")
    for lag in observation.missed:
        bound = _bound(compiled, rules, lag.recipe, lag.step) + f"step {lag.step} of {lag.recipe}"
        limit = f"{length(lag.seconds)} after the end of step {lag.after}"
        lines.append(f"Too late: {bound} had to start within {limit}.")
    lines += _hinted(observation, compiled.scenario.lags)
    lines += _believed(observation)
    told: tuple[tuple[Kind, str], ...] = (
        ("feedback", feedback_text(observation.feedback, compiled, rules)),
        ("state", "\n".join(lines)),
    )
    return parted(told, "\n")


def _bound(compiled: Compiled, rules: Rules, recipe: object, number: object) -> str:
    """Which pieces of a step its lags bind, if it may be split."""
    if not any(job.step.splittable for job in compiled.jobs if (job.recipe, job.number) == (recipe, number)):
        return ""
    return "the first piece of " if rules.lags_bind_first_piece else "each piece of "


def _hinted(observation: Observation, lags: bool) -> Iterator[str]:
    """What can be started, if that is told at all, with a reminder where there are limits to be kept."""
    if observation.ready is None:
        return
    for ready in observation.ready:
        steps = ", ".join(f"step {number} of {recipe}" for recipe, number in ready.steps)
        yield f"Can be started from {clock(ready.time)} on: {steps}."
    if not observation.ready:
        yield NOTHING_READY
    elif lags:
        yield REMINDER


def _believed(observation: Observation) -> Iterator[str]:
    """The question before the first second; after that what was stated, whenever the cook is asked."""
    if observation.beliefs is None:
        return
    if observation.feedback.kind == "opening":
        yield "Before you begin: state what you believe about each recipe."
    elif not observation.beliefs:
        yield "You have stated no beliefs about the recipes."
    for beliefs in observation.beliefs:
        yield statement(beliefs)


def feedback_text(feedback: Feedback, compiled: Compiled, rules: Rules) -> str:
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
        case "stated":
            return "You have stated what you believe."
        case "refused" if feedback.refusal is not None:
            n = feedback.executed
            before = f"The first {n} actions were carried out. " if n > 1 else ""
            before = "The first action was carried out. " if n == 1 else before
            return before + refusal_text(feedback.refusal, compiled, rules)
    return ""


def refusal_text(refusal: Refusal, compiled: Compiled, rules: Rules) -> str:
    """A refusal as a sentence."""
    get = refusal.get
    step = f"Step {get('step')} of {get('recipe')}"
    match refusal.code:
        case "no_action":
            return "No action could be found in your answer."
        case "beliefs_not_asked":
            return "You are not asked for your beliefs."
        case "unknown_recipe":
            known = ", ".join(compiled.jobs_of)
            return f"{shorten(str(get('recipe')))} is none of your recipes; they are: {known}."
        case "unknown_step":
            return f"{get('recipe')} has no step {get('step')}; its steps are 0 to {get('max')}."
        case "past_time":
            return f"{step} cannot start at {_at(refusal, 'start')}: it is {_at(refusal, 'clock')} already."
        case "beyond_time":
            return f"{step} cannot start that late: the greatest time is {clock(LATEST)}."
        case "no_duration":
            return f"{step} has to be done for some time."
        case "object_occupied":
            return f"{step} cannot start at {_at(refusal, 'start')}: the {get('object')} is in use."
        case "object_property":
            have = "is not preheated" if get("have") is None else f"is at {get('have')} degrees Fahrenheit"
            return f"{step} needs {get('need')} degrees Fahrenheit; the {get('object')} {have}."
        case "time_constraint":
            limit = f"{_long(refusal, 'limit')} after the end of step {get('after')}"
            bound = _bound(compiled, rules, get("recipe"), get("step"))
            return f"{step} comes too late: {bound}it has to start within {limit}."
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


# --- the worked example of a plan (article, Tables 11, 12 and 14): recipes of our own --------------------


class _ExampleFile(Struct, forbid_unknown_fields=True):
    source: str
    recipes: tuple[Recipe, ...]
    plan: tuple[tuple[int, int, int, int], ...]


def _shipped() -> _ExampleFile:
    return shipped("backburner.worlds.recipe2plan", "example", _ExampleFile)


def example_recipes() -> tuple[Recipe, ...]:
    """The recipes of the example; none of them is among the published ones."""
    return _shipped().recipes


def example_plan() -> tuple[Piece, ...]:
    """The plan for them, by start. It keeps every time constraint, and is no longer than without them."""
    names = [recipe.name for recipe in example_recipes()]
    return tuple(Piece(step, names[of], seconds, start) for step, of, seconds, start in _shipped().plan)


def example_scenario(scenario: Scenario, single: bool) -> Scenario:
    """The example, or the first of its recipes alone, told as the scenario tells its own."""
    recipes = example_recipes()[: 1 if single else None]
    return Scenario(recipes, scenario.lags, knowledge=scenario.knowledge, hints=scenario.hints)


def example_decisions(scenario: Scenario) -> tuple[Cook, ...]:
    """How a scenario of the example's recipes is played, action by action; at last the word that all is
    done, for rules under which play goes on until then."""
    true = (Cook(beliefs=tuple(map(gold, scenario.recipes))),) if scenario.knowledge == "beliefs" else ()
    return (*true, *(Cook((piece,)) for piece in _plan_of(scenario.recipes)), FINISH)


def _plan_of(recipes: Sequence[Recipe]) -> tuple[Piece, ...]:
    names = [recipe.name for recipe in recipes]
    return tuple(piece for piece in example_plan() if piece.recipe in names)


def worked_plan(scenario: Scenario, single: bool, rules: Rules) -> WorkedPlan:
    """The example, or the first of its recipes alone; of them is told what the scenario tells of its own."""
    recipes = example_scenario(scenario, single).recipes
    plan = _plan_of(recipes)
    task = "\n\n".join(_told(recipe, scenario, rules) for recipe in recipes)
    return WorkedPlan(task, "\n".join(_outline(recipes, plan)), words(Cook(plan), STANDARD))


def _told(recipe: Recipe, scenario: Scenario, rules: Rules) -> str:
    """The recipe with the truth about it, or with beliefs, which are true here, where there are any."""
    truth = gold(recipe)
    beyond = {"none": [], "beliefs": [statement(truth)], "gold": list(parts(truth))}
    return "\n".join((recipe_text(recipe, scenario.lags, rules), *beyond[scenario.knowledge]))


def _outline(recipes: Sequence[Recipe], plan: Sequence[Piece]) -> Iterator[str]:
    """A sentence for each step that runs by itself: what the cook does meanwhile."""
    steps = {(recipe.name, number): step for recipe in recipes for number, step in enumerate(recipe.steps)}
    busy = [piece for piece in plan if not steps[piece.recipe, piece.step].autonomous]
    for piece in plan:
        if steps[piece.recipe, piece.step].autonomous:
            meanwhile = [one for one in busy if piece.start <= one.start < piece.stop]
            done = _listed([(one, one.seconds < steps[one.recipe, one.step].seconds) for one in meanwhile])
            yield (
                f"Step {piece.step} of {piece.recipe} runs by itself from {clock(piece.start)} to "
                f"{clock(piece.stop)}; what I begin meanwhile: {done or 'nothing'}."
            )


def _listed(pieces: Sequence[tuple[Piece, bool]]) -> str:
    """Pieces in words; of some only a part is done."""
    named = (f"{'part of ' * partial}step {piece.step} of {piece.recipe}" for piece, partial in pieces)
    return ", ".join(dict.fromkeys(named))
