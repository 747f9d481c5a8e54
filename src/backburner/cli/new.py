"""``new`` and ``check-world``: a package of one's own that works from its first minute, and what it lacks."""

from __future__ import annotations

import importlib.util
import keyword
import re
from collections import Counter
from pathlib import Path
from typing import Annotated

import jinja2
import typer

from backburner.cli import completion
from backburner.cli.console import out, remark, say
from backburner.evaluation.tables.terminal import table_of
from backburner.kernel import packs, registry
from backburner.kernel.errors import Refused, UnknownName, shorten
from backburner.kernel.files import write_whole
from backburner.kernel.testing import Checked, ContractViolation, check_pack, check_world, offers

KINDS = {
    "world": "Then: pip install --editable {name}; backburner check-world {name}; pytest {name}",
    "agent": "Then: pip install --editable {name}; pytest {name}; backburner run timearena/quick "
    "--agent {name}:{made} --out runs",
}
"""What is made, and how one goes on."""

LONGEST = 40

SOURCES = ("__init__.py", "pack.py", "world.py", "agent.py")
"""The files of a template that are modules of the package."""


def new(
    kind: Annotated[
        str, typer.Argument(help="What to make: world or agent.", autocompletion=lambda: list(KINDS))
    ],
    name: Annotated[str, typer.Argument(help="Its name, which its folder and its package have, too.")],
) -> None:
    """A package of your own that works at once: a small world, or an agent, with tests.

    It stands in a folder of its name, and is yours to change. Nothing that is there is written over.
    """
    if kind not in KINDS:
        raise UnknownName("kind", kind, KINDS)
    _check_name(name)
    folder = Path(name)
    made = "".join(part.capitalize() for part in name.split("_")).removesuffix(kind.capitalize())
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("backburner.cli"),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  # the name is an identifier, and what is made is no page
    )
    facts = {
        "name": name,
        "class": made + kind.capitalize(),
        "title": name.replace("_", " ").capitalize(),
        "distribution": f"backburner-{name.replace('_', '-')}",
    }
    for template in templates.list_templates(filter_func=lambda path: path.startswith(f"{kind}/")):
        file = template.removeprefix(f"{kind}/").removesuffix(".jinja")
        inside = f"src/{name}" if file in SOURCES else "tests" if file.startswith("test_") else ""
        write_whole(folder / inside / file, templates.get_template(template).render(facts).encode())
        say(str(folder / inside / file))
    remark(KINDS[kind].format(name=name, made=facts["class"]))


def _check_name(name: str) -> None:
    """Raises ``Refused`` for what is no name of a package, or that of one that is there."""
    if (
        not re.fullmatch(r"[a-z]([a-z0-9_]*[a-z0-9])?", name)
        or keyword.iskeyword(name)
        or len(name) > LONGEST
    ):
        fitting = re.sub(r"[^a-z0-9]+", "_", name.lower()).lstrip("_0123456789")[:LONGEST].rstrip("_")
        fitting = f"my_{fitting}" if not fitting or keyword.iskeyword(fitting) else fitting
        rule = (
            f"small letters, digits and _ between them, from a letter on, {LONGEST} at most, no Python word"
        )
        raise Refused(f"{shorten(repr(name))}: a name is made of {rule}, such as {fitting}")
    if Path(name).exists():
        raise Refused(f"{name} is there already; nothing was written")
    installed = packs.installed()
    if name in installed.packs or name in installed.broken:
        raise Refused(f"{name}: a world of this name is installed; take another, such as my_{name}")
    if importlib.util.find_spec(name) is not None:
        raise Refused(f"{name}: Python has a package of this name; take another, such as my_{name}")


def check(
    name: Annotated[
        str,
        typer.Argument(
            help="A world that is installed; or a scenario, a suite, a file or a folder of them.",
            autocompletion=completion.scenarios,
        ),
    ],
) -> None:
    """Whether a world keeps its contract, and what to write for optimum, browser and headline.

    Of a world the first and the last scenario of its suite ``all`` are played: at random, well, badly and not
    at all. Exit code 1: it breaks the contract.
    """
    whole = name in packs.names() or name in packs.installed().broken
    try:
        checked = [check_pack(name)] if whole else []
        ids = registry.expand(f"{name}/all" if whole else name)
        for id in dict.fromkeys((ids[0], ids[-1])) if whole else ids:
            checked.append(check_world(registry.world(id)))
    except ContractViolation as violation:
        say(f"It breaks the contract: {violation}")
        raise typer.Exit(1) from None
    for each in checked:
        say(_told(each))
    skipped = Counter(why for each in checked for why in each.not_checked.values())
    for why, number in skipped.items():
        remark(f"not checked, {number}: {why}")
    if not whole:
        return
    found = offers(name)
    out.print(table_of(("there is", "as"), [(o.what, o.there) for o in found if o.there], out.width))
    if missing := [(offer.what, offer.write) for offer in found if not offer.there]:
        out.print()
        out.print(table_of(("there is no", "for which you write"), missing, out.width))


def _told(checked: Checked) -> str:
    checks = sum(1 for cases in checked.ran.values() if cases)
    played = f" in {checked.steps:,} steps of play" * bool(checked.steps)
    return f"{checked.world}: {checks} checks hold, {sum(checked.ran.values()):,} cases{played}"
