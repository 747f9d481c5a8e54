"""A study's preregistration: what its file says beforehand, as a document in Markdown.

Nothing is said here that the file does not say, but for the number of people that its effects take. Texts of
the file are escaped, so that none of them is read as markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from backburner.study.analysis.factor_power import effects_in, people_for, power_of_effect
from backburner.study.analysis.registration import (
    DIGEST,
    OUTCOMES,
    RULES,
    outcome_line,
    plain,
    rule_line,
)
from backburner.study.analysis.tables import FEWEST_CROSSED
from backburner.study.design import Player, Study
from backburner.study.factors import design_of
from backburner.study.files import StudyFile
from backburner.study.stages import most_trials, table_of, team_size
from backburner.study.words import label_of, text_of

SIZES = (0.1, 0.25, 0.4)
"""Effects for which the number of people is told where the file names none: small, medium, large."""


def document(found: StudyFile) -> str:
    """The document."""
    study = found.study
    parts = [
        f"# {plain(text_of(study, study.title, study.language))}",
        f"Preregistration of the study `{study.name}`. {DIGEST}`{found.digest}`.",
        "## Design\n\n" + "\n\n".join(_design(study)),
        f"{OUTCOMES}\n\n" + "\n".join(_outcomes(study)),
        "## Participants\n\n" + "\n\n".join(_people(study)),
        f"{RULES}\n\n" + "\n".join(_rules(study)),
        "## Analysis\n\n" + "\n".join(f"- {line}" for line in _analysis(study)),
    ]
    return "\n\n".join(parts) + "\n"


def _table(columns: Sequence[str], rows: Iterator[Sequence[Any]] | Sequence[Sequence[Any]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _design(study: Study) -> Iterator[str]:
    design = study.design
    yield (
        f"{design_of(study).capitalize()} subjects, {design.order} order; each participant plays at most "
        f"{most_trials(study)} games. Draws follow from seed {design.seed}."
    )
    if study.factors:
        yield _table(
            ("factor", "kind", "levels"),
            [(f.name, f.kind, ", ".join(level.name for level in f.levels)) for f in study.factors],
        )
    compared = [condition for condition in study.conditions if not condition.practice]
    rows = []
    for condition in compared:
        seats = ", ".join(f"{seat}: {_player(player)}" for seat, player in condition.seats.items())
        options = ", ".join(f"{key}={value}" for key, value in condition.options.items())
        rows.append((condition.name, plain(label_of(study, condition)), plain(seats), plain(options)))
    yield _table(("condition", "called", "seats", "options"), rows)
    yield "Orders of conditions:"
    yield "\n".join(f"{number}. {' > '.join(row)}" for number, row in enumerate(table_of(study), 1))
    levels = [(one.name, plain(", ".join(one.scenarios)), one.draw or "all") for one in study.levels]
    yield _table(("level", "scenarios", "drawn"), levels)
    colours = {"own": "as each system has them"}.get(study.play.colours, study.play.colours)
    offers = ", ".join(study.play.offers) or "nothing beside the game"
    yield f"Pages of games offer: {offers}; colours: {colours}."


def _player(player: str | Player) -> str:
    return player if isinstance(player, str) else f"{player.agent} ({player.model})"


def _outcomes(study: Study) -> Iterator[str]:
    if not study.outcomes:
        yield "None is named: whatever is tested is exploration."
    for one in study.outcomes:
        title = text_of(study, one.title, study.language) if one.title else one.name.replace("_", " ")
        yield outcome_line(title, one.source, one.primary, one.intercepts)
        if one.better != "neither":
            yield f"  - Better is: {one.better}"
        if one.hypothesis:
            yield f"  - Hypothesis: {plain(one.hypothesis)}"


def _people(study: Study) -> Iterator[str]:
    teams, size = study.design.teams, team_size(study)
    unit = "people" if size == 1 else "teams"
    yield f"{teams * size} people{'' if size == 1 else f' in {teams} teams, who are the units'}."
    sizes = {factor.name: len(factor.levels) for factor in study.factors}
    between = [factor.name for factor in study.factors if factor.kind == "between"]
    if not sizes:
        number = sum(not condition.practice for condition in study.conditions)
        sizes, between = {"condition": number}, ["condition"] * (study.design.kind == "between")
    if min(sizes.values()) < 2:
        return
    named = [one for one in study.outcomes if one.primary and one.effect is not None]
    asked = [(f"{one.name}: f = {one.effect:g}", one.effect) for one in named if one.effect is not None]
    rows = []
    for title, f in asked or [(f"f = {f:g}", f) for f in SIZES]:
        for chosen in effects_in(sizes):
            power = 100 * power_of_effect(chosen, sizes, between, f, teams)
            needed = people_for(chosen, sizes, between, f)
            rows.append((title, " x ".join(chosen), f"{power:.0f} %", needed or "too many"))
    yield _table(("effect size", "effect", f"power with {teams} {unit}", f"{unit} for 80 %"), rows)
    yield "By noncentral F on the level of 5 %, values of a person correlating by 0.5; f is Cohen's."


def _rules(study: Study) -> Iterator[str]:
    if not study.exclusions:
        yield "Nobody is excluded by a rule."
    for rule in study.exclusions:
        yield rule_line(rule.text)


def _analysis(study: Study) -> Iterator[str]:
    if study.factors:
        kinds = {factor.kind for factor in study.factors}
        yield (
            "Main effects and all interactions by analysis of variance, each against the error of its own "
            "stratum, with Greenhouse and Geisser's correction; partial eta squared with 95 % intervals."
        )
        if len(kinds) > 1:
            yield "The main tests are those of a linear mixed model with a random intercept for each unit."
        yield "Simple effects of each factor at each level of the others, corrected by Holm's method."
    elif study.design.kind == "within":
        yield "Repeated measures with Greenhouse and Geisser's correction; paired t-tests by Holm's method."
    else:
        yield "Welch's test over all conditions; pairs by Welch's t, corrected by Holm's method."
    yield "Where values are missing, or a unit has several in a condition: a linear mixed model."
    if any(one.intercepts != "participants" for one in study.outcomes):
        yield (
            "Where scenarios have random intercepts, these are crossed with those of units, if there are at "
            f"least {FEWEST_CROSSED} of both; F tests have the degrees of freedom of what a term is alike in."
        )
    yield "The main test is shown with the rules of exclusion and over all data."
    yield "The command is `backburner study analyse` on the exported tables, this document beside them."
