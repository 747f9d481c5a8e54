"""What is true of a recipe beyond its text, or believed of it: the value, and how it is written and read.

    Beliefs about Soup
    Autonomous: 1, 3
    Dependencies: 0->2, 1->2, 2->3, 3->4
    Appliances: stove: 1

The released program tells or asks the same three things, oven temperatures not among them (article,
sections 4.1 and A.1, Table 11). Its form is read as well. In our form line breaks are free; a statement
may stand on one line. A number counts only where it cannot mean anything else: the list after
``Autonomous:`` or an appliance stops at the first word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from backburner.kernel.errors import BadFile
from backburner.kernel.files import read_json, read_text
from backburner.worlds.recipe2plan.game.scenarios import Recipe


class Beliefs(Struct, frozen=True, omit_defaults=True):
    """What somebody holds true of ``recipe``; it may be wrong, and name steps that are not there.

    ``autonomous``: steps that run by themselves. ``depends``: (earlier, later), where the earlier
    step must have ended before the later one starts. ``uses``: (appliance, step that occupies it).
    """

    recipe: str
    autonomous: tuple[int, ...] = ()
    depends: tuple[tuple[int, int], ...] = ()
    uses: tuple[tuple[str, int], ...] = ()


def beliefs_of(
    recipe: str,
    autonomous: Iterable[int] = (),
    depends: Iterable[tuple[int, int]] = (),
    uses: Iterable[tuple[str, int]] = (),
) -> Beliefs:
    """Beliefs in their one order, everything once; appliances in lower case."""
    lower = {(appliance.lower(), step) for appliance, step in uses}
    return Beliefs(recipe, tuple(sorted(set(autonomous))), tuple(sorted(set(depends))), tuple(sorted(lower)))


def gold(recipe: Recipe) -> Beliefs:
    """What is true of the recipe: dependencies as its steps list them."""
    steps = list(enumerate(recipe.steps))
    return beliefs_of(
        recipe.name,
        (number for number, step in steps if step.autonomous),
        ((before, number) for number, step in steps for before in step.after),
        ((step.appliance, number) for number, step in steps if step.appliance),
    )


def revised(held: Iterable[Beliefs], stated: Iterable[Beliefs]) -> tuple[Beliefs, ...]:
    """What is held after a statement, which takes the place of what was held of the same recipes."""
    return tuple({beliefs.recipe: beliefs for beliefs in (*held, *stated)}.values())


def statement(beliefs: Beliefs) -> str:
    """The text that is read as these beliefs."""
    return "\n".join((f"Beliefs about {beliefs.recipe}", *parts(beliefs)))


def parts(beliefs: Beliefs) -> Iterator[str]:
    """The three lines below the heading."""
    steps_of: dict[str, list[int]] = {}
    for appliance, step in beliefs.uses:
        steps_of.setdefault(appliance, []).append(step)
    yield f"Autonomous: {_listed(beliefs.autonomous) or 'none'}"
    yield f"Dependencies: {', '.join(f'{a}->{b}' for a, b in beliefs.depends) or 'none'}"
    uses = (f"{appliance}: {_listed(steps)}" for appliance, steps in steps_of.items())
    yield f"Appliances: {'; '.join(uses) or 'none'}"


def _listed(steps: Iterable[int]) -> str:
    return ", ".join(map(str, steps))


# --- reading our form -------------------------------------------------------------------------------------

_PART = re.compile(
    r"\b(autonomous|continuous|dependenc|appliance)[a-z]{0,9}(?:\s{1,9}(?:steps?|actions))?[\s*]{0,9}:",
    re.IGNORECASE | re.ASCII,
)
_HEADING = re.compile(
    r"\bbeliefs\s{1,9}about\s{1,9}([^\n:.;,(]{1,99}?)"
    r"(?=\s{0,9}(?:[\n:.;,(]|\Z|\s[-–]|\b(?:autonomous|continuous|dependenc|appliance)))",
    re.IGNORECASE,
)
_END = re.compile(r"\b(?:action|thought|observation)\s{0,9}:", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]*\)")
_BETWEEN_NUMBERS = re.compile(r"(?:[\s,;&*\[\]{}]|\.(?![0-9]))+")
_FILLERS = ("", "-", "step", "steps", "and")
_NUMBER = re.compile(r"[0-9]{1,9}")
_ARROW = re.compile(
    r"(?<![0-9])([0-9]{1,9})\s{0,9}(?:->|=>|→)\s{0,9}(?:steps?\s{0,9})?(?=([0-9]{1,9})(?![0-9]))",
    re.IGNORECASE,
)
_APPLIANCE = re.compile(r"(?<![A-Za-z0-9_-])([A-Za-z][A-Za-z0-9_-]{0,39})[ \t*]{0,9}:")

LONGEST_SEARCHED = 50_000
"""Of a longer answer so many signs at its end are searched for statements."""

_RELEASED_NUMBER = re.compile(r"(?<![0-9])[0-9]{1,9}(?![0-9])")
_RELEASED_ARROW = re.compile(r"(?<![0-9])([0-9]{1,9})->([0-9]{1,9})(?![0-9])")
_RELEASED_USE = re.compile(r"^[ \t]*([a-z][a-z0-9_-]{0,39})[ \t]*:([\[\]0-9, \t]+)$", re.MULTILINE)


def statements(text: str, released: bool = False) -> Iterator[Beliefs]:
    """Each statement in the text, with its recipe's name as it is written there.

    ``released``: whatever a statement does not say in our form is also looked for in the released
    program's. A heading that nothing of the kind follows is no statement. See ``LONGEST_SEARCHED``.
    """
    text = text[-LONGEST_SEARCHED:]
    headings = list(_HEADING.finditer(text))
    stops = [*(heading.start() for heading in headings[1:]), len(text)]
    for heading, stop in zip(headings, stops, strict=False):  # without a heading, there is one stop
        body = _END.split(text[heading.end() : stop], 1)[0]
        found = _read(heading[1].strip(" \t*`'\""), body, released)
        if found is not None:
            yield found


def _read(recipe: str, body: str, released: bool) -> Beliefs | None:
    _, *pieces = _PART.split(body)
    said = dict(zip([piece.lower() for piece in pieces[::2]], pieces[1::2], strict=True))
    ours = set(said) - {"continuous"}
    autonomous = _numbers(said.get("autonomous", ""))
    depends = _edges(said.get("dependenc", ""))
    uses = _uses(said.get("appliance", ""))
    if released:
        if "autonomous" not in ours and "Continuous" in body:
            autonomous = released_autonomous(body)
        depends = depends if "dependenc" in ours else released_depends(body)
        uses = uses if "appliance" in ours else released_uses(body)
    found = beliefs_of(recipe, autonomous, depends, uses)
    return found if ours or found != Beliefs(recipe) else None


def _numbers(text: str) -> list[int]:
    """The list that the text begins with; remarks in brackets are passed over."""
    numbers = []
    for word in _BETWEEN_NUMBERS.split(_ASIDE.sub(" ", text)):
        if _NUMBER.fullmatch(word):
            numbers.append(int(word))
        elif word.lower() not in _FILLERS:
            break
    return numbers


def _edges(text: str) -> list[tuple[int, int]]:
    """Every ``a->b``; ``a->b->c`` is two of them."""
    return [(int(before), int(after)) for before, after in _ARROW.findall(text)]


def _uses(text: str) -> list[tuple[str, int]]:
    _, *pieces = _APPLIANCE.split(text)
    named = zip(pieces[::2], pieces[1::2], strict=True)
    return [(name, step) for name, steps in named for step in _numbers(steps)]


# --- the released program's form ---------------------------------------------------------------------


def released_autonomous(text: str) -> list[int]:
    """All integers before the word ``Continuous``, or in the whole text."""
    return [int(number) for number in _RELEASED_NUMBER.findall(text.partition("Continuous")[0])]


def released_depends(text: str) -> list[tuple[int, int]]:
    """Every ``a->b``, spaces left out."""
    found = _RELEASED_ARROW.findall(text.replace(" ", ""))
    return [(int(before), int(after)) for before, after in found]


def released_uses(text: str) -> list[tuple[str, int]]:
    """Lines of a name, a colon and integers, in lower case."""
    lines = _RELEASED_USE.findall(text.lower())
    return [(name, int(step)) for name, steps in lines for step in _RELEASED_NUMBER.findall(steps)]


class _ReleasedFile(Struct):
    parallel: str
    physical_constraints: str
    dependency: str


def read_belief_file(path: Path | str) -> list[Beliefs]:
    """The beliefs in a file: a text in our form, or a released ``<recipe>.json``, named by its recipe.

    Raises ``BadFile`` for a file that cannot be read or holds no statement.
    """
    file = Path(path)
    if file.suffix == ".json":
        told: _ReleasedFile = read_json(file, _ReleasedFile, "a file of beliefs")
        return [
            beliefs_of(
                file.stem,
                released_autonomous(told.parallel),
                released_depends(told.dependency),
                released_uses(told.physical_constraints),
            )
        ]
    found = list(statements(read_text(file)))
    if not found:
        raise BadFile(file, "", "no statement that begins with 'Beliefs about' and a recipe")
    return found
