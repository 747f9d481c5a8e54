"""The top of an episode's page: how it ended, the plan beside it, what it cost, what cost time, settings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from backburner.drawing.svg import Markup, element
from backburner.evaluation.transcripts.gathered import Gathered
from backburner.evaluation.transcripts.plans import Kind, Plan, Plans, account, is_oracle, kind_of
from backburner.evaluation.transcripts.steps import Place, compact, costs, visible
from backburner.kernel.activities import activities
from backburner.kernel.claims import Verdict
from backburner.kernel.episode import Episode
from backburner.kernel.errors import amount, number, one_line, shorten
from backburner.kernel.values import total

DONE = "what was done"

MOST_LOSSES = 6
"""Causes of lost time that are told, the greatest."""


def summary(known: Gathered) -> Markup:
    """All that stands above the timelines."""
    header = known.header
    line = f"{header.agent} · {header.rules_name} rules · seed {header.seed}"
    return element(
        "header",
        element("h1", visible(shorten(header.id, 500))),
        element("p", visible(shorten(line, 500)), class_="who"),
        element("div", *_tiles(known), class_="tiles"),
        *_error(known),
        element("div", *_losses(known), *_numbers(known), *_account(known), class_="columns"),
        *_settings(known),
        *(element("p", visible(line), class_="lacks") for line in dict.fromkeys(known.lacks)),
        class_="summary",
    )


# --- tiles ------------------------------------------------------------------------------------------------


def _tiles(known: Gathered) -> Iterator[Markup]:
    episode, ending = known.episode, known.episode.ending
    if ending is None:
        yield _tile("not finished", "the record stops here", kind="bad")
    else:
        kind = "good" if ending.numbers.get("completed") == 1 else "bad" if ending.status == "failed" else ""
        reason = ending.reason.replace("_", " ")
        words = ("failed", f"at the {reason}") if ending.status == "failed" else (reason, ending.status)
        yield _tile(*words, kind=kind)
    yield _time(known)
    answers = sum(len(entry.answers) for entry in episode.entries)
    refused = [entry.index for entry in episode.entries if entry.refusals]
    label: list[str] = [f"of {amount(answers, 'answers')} refused"]
    if refused:
        label += [", ", _to_step("the first", refused[0])]
    yield _tile(
        str(sum(len(entry.refusals) for entry in episode.entries)), *label, kind="bad" if refused else ""
    )
    yield from _differences(episode)
    spent = total(usage for _, usage in episode.costs())
    cost = ", ".join(costs(msgspec.structs.replace(spent, endings={}, servers={})))
    if cost:
        yield _tile(cost, "what the answers took", kind="small")
    verdict = known.verdict
    if isinstance(verdict, Verdict):
        yield _tile("replayed", f"{amount(verdict.steps, 'steps')}, all as recorded", kind="good")
    else:
        yield _tile("not verified", visible(shorten(verdict, 200)), kind="bad small")


def _differences(episode: Episode) -> Iterator[Markup]:
    """What was seen elsewhere and had been predicted otherwise, if anything."""
    found = [entry.index for entry in episode.entries for each in entry.events if each.kind == "differs"]
    if found:
        yield _tile(str(len(found)), "differences from what was predicted, ", _to_step("the first", found[0]))


def _tile(value: str, *label: str, kind: str = "") -> Markup:
    words = element("b", visible(shorten(value, 200)))
    return element("div", words, element("span", *label), class_=f"tile {kind}".strip())


def _time(known: Gathered) -> Markup:
    """How long it took, beside the plan."""
    unit, plan = known.header.time_unit, known.plan
    took = amount(known.ends, unit)
    if isinstance(plan, str):
        return _tile(took, "the oracle's own play" if is_oracle(known.header) else "from beginning to end")
    best = known.plan_places[-1].ends if known.plan_places else 0
    more = known.ends - best
    # What was left undone took no time, which is no lead.
    done = known.alongside is not None and not known.alongside.missing
    told = f"the plan takes {number(best)}"
    if more:
        told += f" ({'+' if more > 0 else '−'}{number(abs(more))})"
    if not done:
        told += ", and does more"
    return _tile(took, told, kind="bad" if more > 0 else "")


def _error(known: Gathered) -> Iterator[Markup]:
    ending = known.episode.ending
    if ending is not None and ending.error:
        yield element("p", visible(shorten(ending.error, 2000)), class_="bad")


# --- tables -----------------------------------------------------------------------------------------------


def _table(title: str, text: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    """A table in a part of the page; cells are escaped unless they are markup."""
    return element(
        "section",
        element("h2", title),
        *([element("p", text, class_="soft")] if text else []),
        element(
            "div",
            element(
                "table",
                element("thead", element("tr", *(element("th", cell, class_=_kind(cell)) for cell in head))),
                element("tbody", *(element("tr", *(element("td", cell) for cell in row)) for row in rows)),
            ),
            class_="scroll",
        ),
    )


def _kind(title: str) -> str | None:
    return "words" if title == DONE else None


def _numbers(known: Gathered) -> Iterator[Markup]:
    """The world's own figures, beside those of the plan."""
    ending = known.episode.ending
    if ending is None or not ending.numbers:
        return
    plan = None if isinstance(known.plan, str) else known.plan.episode.ending
    rows = [
        (
            visible(shorten(name.replace("_", " "))),
            number(value),
            *([number(plan.numbers[name]) if name in plan.numbers else "–"] if plan is not None else []),
        )
        for name, value in ending.numbers.items()
    ]
    origin = f"Plan: {known.plan.origin}." if plan is not None and not isinstance(known.plan, str) else ""
    why = visible(known.plan) if isinstance(known.plan, str) else origin
    yield _table("Result", why, ("", "here", *(["plan"] if plan is not None else [])), rows)


def _losses(known: Gathered) -> Iterator[Markup]:
    """When the episode fell behind the plan, the worst first."""
    beside, unit = known.alongside, known.header.time_unit
    if beside is None:
        return
    late = round(beside.behind(known.ends), 1)
    if late <= 0 and not beside.missing:
        return
    worst = sorted(beside.losses, key=lambda loss: -loss.lost)[:MOST_LOSSES]
    rows = [
        (
            element(
                "a", f"{number(loss.begin)}–{number(loss.end)}", href=f"#step-{_step_at(known, loss.end)}"
            ),
            f"+{number(round(loss.lost, 1))}",
            element("span", visible(shorten(loss.why, 200)), class_="why"),
        )
        for loss in worst
    ]
    ended = f"It ended {number(late)} behind" if late > 0 else "It did not end behind"
    text = f"In {unit}: when it fell behind the plan, and what was done meanwhile. {ended}."
    if beside.missing:
        names = shorten(", ".join(dict.fromkeys(piece.label for piece in beside.missing)), 300)
        text += f" Of the plan's work {len(beside.missing)} never done: {visible(names)}."
    if rows or beside.missing:
        yield _table("What cost time", text, ("when", "lost", DONE), rows)


def _to_step(words: str, step: int) -> Markup:
    return element("a", words, href=f"#step-{step}")


def _step_at(known: Gathered, time: int | float) -> int:
    """The step in which something happened that was over at a time."""
    ends: list[int | float] = [place.ends for place in known.places]
    place: Place = known.places[min(bisect_left(ends, time), len(known.places) - 1)]
    return place.entry.index


KINDS: dict[Kind, str] = {
    "planned": "work of the plan",
    "repeated": "done again",
    "unplanned": "other work",
    "waited": "waited",
    "refused": "refused",
    "idle": "nothing",
}


def _account(known: Gathered) -> Iterator[Markup]:
    """What each body did with its time, here and in the plan."""
    beside, chart = known.alongside, known.plan_chart
    if beside is None or chart is None or isinstance(known.plan, str):
        return
    bodies = [lane.name for lane in known.chart.lanes if lane.body]
    ends = known.plan_places[-1].ends if known.plan_places else 0
    acts = activities(known.plan.episode.events())
    planned = account([(kind_of(act), act) for act in acts], bodies, ends)
    mine = beside.account(known.ends)
    kinds = [kind for kind in KINDS if any(kind in of for of in (*mine.values(), *planned.values()))]
    rows = [
        (visible(shorten(f"{body}{where}")), *(number(of.get(body, {}).get(kind, 0)) for kind in kinds))
        for body in bodies
        for where, of in (("", mine), (", plan", planned))
    ]
    unit = known.header.time_unit
    yield _table("Where the time went", f"In {unit}.", ("", *(KINDS[kind] for kind in kinds)), rows)


# --- settings ---------------------------------------------------------------------------------------------


def _settings(known: Gathered) -> Iterator[Markup]:
    header = known.header
    yield _folded("Settings and versions", _terms(known))
    verdict = known.verdict
    if isinstance(verdict, Verdict):
        facts = (
            *((fact, "verified") for fact in verdict.verified),
            *((f, "claimed") for f in verdict.claimed),
        )
        lines = [(f"{kind}: {fact.part}", fact.why) for fact, kind in facts]
        yield _folded(f"Verified {len(verdict.verified)}, claimed {len(verdict.claimed)}", lines)
    for title, value in (("Rules", header.rules), ("Limits", header.limits)):
        if isinstance(value, dict):
            yield _folded(title, [(str(key), compact(part)) for key, part in value.items()])


def _terms(known: Gathered) -> Iterator[tuple[str, str]]:
    header = known.header
    yield "record", str(known.path)
    yield "world", f"{header.world}, version {header.world_version}"
    yield "recorded with", f"backburner {one_line(header.version)}, format {header.format}"
    yield "rules", header.rules_name
    for seat, player in header.players.items():
        where = f"{seat}, " if len(header.players) > 1 else ""
        yield f"{where}agent", f"{player.name}{' (informed)' if player.informed else ''}"
        for key, value in player.settings.items():
            yield f"{where}{key}", compact(value)


def _folded(title: str, terms: Iterable[tuple[str, str]]) -> Markup:
    entries = (
        part
        for name, value in terms
        for part in (element("dt", visible(shorten(name, 200))), element("dd", visible(shorten(value, 2000))))
    )
    return element("details", element("summary", title), element("dl", *entries, ""))


# --- in a few lines, for the person who has just played --------------------------------------------------


MOST_STRETCHES = 3
"""Stretches of lost time that are told, the costliest."""

LEAST_TOLD = 0.05
"""Losses below this are told as 0 and therefore not told."""


def lesson(path: Path, episode: Episode, seconds: float) -> tuple[str, ...]:
    """What the play came to beside the best that is known, and when it fell behind; a line each.

    The best is the plan that ships with the scenario, or the one that its oracle finds in ``seconds``. Where
    there is neither, the line says why.
    """
    known = Gathered(path, episode, Plans(seconds=seconds))
    plan = known.plan
    if isinstance(plan, str):
        return (plan,) if plan else ()
    return tuple(filter(None, (_beside(known, plan), _costliest(known))))


def _beside(known: Gathered, plan: Plan) -> str:
    """``16 minutes; 13 is the proven best``."""
    ending, planned = known.episode.ending, plan.episode.ending
    if ending is None or planned is None:
        return ""
    counted = plan.solution is not None and plan.solution.sense == "max"
    if counted and plan.solution is not None:
        mine, best = ending.numbers.get("completed", 0), planned.numbers.get("completed", 0)
        told, better = amount(mine, plan.solution.unit), mine > best
    else:
        mine, best = known.ends, known.plan_places[-1].ends if known.plan_places else 0
        done = ending.numbers.get("completed") == 1
        told = amount(mine, known.header.time_unit)
        told, better = (told, mine < best) if done else (f"not finished after {told}", False)
    if better:
        return f"{told}: better than the best plan known until now, {number(best)}"
    if told == amount(best, known.header.time_unit) or (counted and mine == best):
        return f"{told}: {_proof(plan, best)}"
    return f"{told}; {number(best)} is {_proof(plan, best)}"


def _proof(plan: Plan, best: int | float) -> str:
    """What is known of the plan's value: that nothing is better, or what no play can beat."""
    solution = plan.solution
    if solution is None or solution.objective != best:
        return "the best known"
    if solution.status == "optimal":
        return "the proven best"
    bound = "" if solution.bound is None else f"; no play beats {solution.bound}"
    return f"the best known{bound}"


def _costliest(known: Gathered) -> str:
    """``lost 3 from minute 7 to 10 (waited)``, the costliest stretches in order of time."""
    beside, unit = known.alongside, known.header.time_unit.removesuffix("s")
    if beside is None:
        return ""
    worst = sorted(beside.losses, key=lambda loss: -loss.lost)[:MOST_STRETCHES]
    told = [
        f"{number(round(loss.lost, 1))} from {unit} {number(loss.begin)} to {number(loss.end)} "
        f"({one_line(shorten(loss.why, 60))})"
        for loss in sorted(worst, key=lambda loss: loss.begin)
        if loss.lost >= LEAST_TOLD
    ]
    return f"lost {', '.join(told)}" if told else ""
