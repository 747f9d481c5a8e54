"""The site: pages as zensical takes them, with a reference made from the code.

    python docs/make.py             # the folder build/site, of which `make docs` builds it
    python docs/make.py --index     # llms.txt alone, the index for coding agents, written anew

Pages stay as they are read in the repository. Copies of them go to ``build/site/pages``: links to what is no
page become words, lists stand as Python-Markdown wants them. The reference of the command line and of the
public Python exists only there.
"""

from __future__ import annotations

import argparse
import posixpath
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "build" / "site"
CONFIG = ROOT / "docs" / "zensical.toml"
INDEX = ROOT / "llms.txt"

FENCE = re.compile(r"^([ ]*)(```+)(.*)$")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(`+)(?:(?!\1|\n\n).)+\1", re.S)
ITEM = re.compile(r"[ ]*(?:[-*]|\d+\.) ")

MODULES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "worlds": (
        "What a world is made of",
        ("kernel.contract", "kernel.values", "kernel.menu", "kernel.text", "kernel.view", "kernel.schedule",
         "kernel.clock", "kernel.tools", "kernel.background", "kernel.exact", "kernel.oracle", "kernel.pack",
         "kernel.catalogue", "kernel.scoring", "kernel.assessment", "kernel.generating", "kernel.testing"),
    ),
    "agents": (
        "Agents, models, methods",
        ("kernel.policy", "agents.scripted", "agents.models.client", "agents.models.method"),
    ),
    "records": (
        "Playing, records, scores",
        ("kernel.play", "kernel.episode", "kernel.replay", "kernel.claims", "kernel.registry",
         "evaluation.running.runner", "evaluation.scoring.scores", "evaluation.scoring.statistics"),
    ),
    "libraries": (
        "Planning, scheduling, formats, pictures",
        ("planning.task", "planning.planner", "scheduling.model", "scheduling.makespan", "formats.files",
         "drawing.graph", "drawing.timeline", "drawing.scene"),
    ),
    "training": ("Training", ("training.gymnasium_env", "training.batches", "training.export.dataset")),
}  # fmt: skip
"""The reference of the public Python beside the package's own names: page, title, modules."""


def sources() -> dict[str, Path]:
    """Every page that is written by hand: where it stands in the site, and its file."""
    pages = {"index.md": ROOT / "README.md"}
    pages |= {
        name: ROOT / name for name in ("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md")
    }
    pages |= {f.relative_to(ROOT / "docs").as_posix(): f for f in sorted((ROOT / "docs").rglob("*.md"))}
    cards = sorted((ROOT / "release" / "cards").glob("*.md"))
    pages |= {f"cards/{f.name.replace('README', 'index')}": f for f in cards}
    pages |= {f"examples/{f.parent.name}.md": f for f in sorted((ROOT / "examples").glob("*/README.md"))}
    return pages


# --- pages as zensical takes them ---------------------------------------------------------------------


def staged(page: str, file: Path, places: Mapping[Path, str]) -> str:
    """A page with its links as the site has them, and lists as Python-Markdown reads them."""
    parts: list[tuple[bool, list[str]]] = []
    fence = ""
    for line in file.read_text("utf-8").splitlines():
        found = FENCE.match(line)
        code = bool(fence or found)
        if not parts or parts[-1][0] != code:
            parts.append((code, []))
        parts[-1][1].append(line)
        if found and not fence:
            fence = found[2]
        elif found and found[2].startswith(fence) and not found[3]:
            fence = ""
    texts = (_code(lines) if code else _prose("\n".join(lines), page, file, places) for code, lines in parts)
    return "\n".join(texts) + "\n"


def _code(lines: list[str]) -> str:
    """A block of code; within a list it stands twice as far in, as all that belongs to the list."""
    indent = " " * (len(lines[0]) - len(lines[0].lstrip(" ")))
    return "\n".join(indent + line if line else line for line in lines)


def _prose(text: str, page: str, file: Path, places: Mapping[Path, str]) -> str:
    lines: list[str] = []
    for line in _linked(text, page, file, places).split("\n"):
        before = lines[-1] if lines else ""
        if (
            ITEM.match(line)
            and line[0] != " "
            and before.strip()
            and before[0] != " "
            and not ITEM.match(before)
        ):
            lines.append("")
        lines.append(" " * (len(line) - len(line.lstrip(" "))) + line)
    return "\n".join(lines)


def _linked(text: str, page: str, file: Path, places: Mapping[Path, str]) -> str:
    """A text with its links; what stands in code is left alone."""

    def target(link: str) -> str | None:
        path, _, anchor = link.partition("#")
        if not path or re.match(r"[a-z]+:", link):
            return link
        place = places.get((file.parent / path).resolve())
        if place is None:
            return None
        near = posixpath.relpath(place, posixpath.dirname(page) or ".")
        return f"{near}#{anchor}" if anchor else near

    def one(found: re.Match[str]) -> str:
        where = target(found[3])
        if where is None:  # a file of the repository that is no page
            return (
                found[2] if "`" in found[2] else f"{found[2]} (`{posixpath.normpath(found[3]).lstrip('./')}`)"
            )
        return f"{found[1]}[{found[2]}]({where})"

    def shown(found: re.Match[str]) -> str:
        return f'{found[1]}="{target(found[2]) or found[2]}"'

    kept: list[str] = []
    bare = CODE.sub(lambda code: f"\0{kept.append(code[0]) or len(kept) - 1}\0", text)
    bare = re.sub(r'\b(src|srcset)="([^"]+)"', shown, LINK.sub(one, bare))
    return re.sub(r"\0(\d+)\0", lambda code: kept[int(code[1])], bare)


# --- the reference of the command line ----------------------------------------------------------------


def command_pages() -> Iterator[tuple[str, str]]:
    """(page, text) of each group of commands."""
    from backburner.cli import GROUPS, command

    for group, commands in GROUPS.items():
        lines = [
            f"# {group}",
            "",
            f"The commands of the group *{group}*, as `backburner COMMAND -h` tells them.",
            "",
        ]
        for name, told in commands.items():
            lines += [f"- [`{name}`](#{name}): {_plain(told.about)}"]
        for name in commands:
            made = command(name)
            lines += _command(made, name, 2)
        yield f"reference/commands/{group.lower()}.md", "\n".join(lines) + "\n"


def _command(made: Any, name: str, level: int) -> list[str]:
    """The lines about a command, and about those that it has."""
    context = type(made).context_class(made, info_name=name)
    anchor = name.replace(" ", "-")
    usage = " ".join(("backburner", name, *made.collect_usage_pieces(context)))
    lines = [
        "",
        f"{'#' * level} `{name}` {{ #{anchor} }}",
        "",
        _plain(made.help or ""),
        "",
        "```",
        usage,
        "```",
    ]
    rows = [each.get_help_record(context) for each in made.params if each.name != "help"]
    if rows and any(rows):
        lines += ["", "| option | what it says |", "|---|---|"]
        lines += [f"| `{row[0].replace('|', '&#124;')}` | {_cell(row[1])} |" for row in rows if row]
    if made.epilog:
        lines += ["", f"`{made.epilog.removeprefix('Example: ')}`"]
    for own, each in getattr(made, "commands", {}).items():
        lines += _command(each, f"{name} {own}", level + 1)
    return lines


def _plain(text: str) -> str:
    """A help text without the marks of the terminal, safe in Markdown."""
    from rich.markup import render

    plain = render(text).plain.replace("``", "`")
    parts = re.split(r"(`[^`\n]*`)", plain)
    parts[::2] = [re.sub(r"([\[\]<>*_|#])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def _cell(text: str) -> str:
    """A help text in a table; the line of each key stands by itself."""
    return "<br>".join(" ".join(part.split()) for part in _plain(text).split("\n\n")).replace("|", "&#124;")


# --- the reference of the public Python ---------------------------------------------------------------


def python_pages() -> Iterator[tuple[str, str]]:
    """(page, text) of the package's own names, and of the modules behind them."""
    import backburner

    lines = ["# Python", "", "What `import backburner` gives, each name with the module that it stands in."]
    shape = ("show_root_heading: false", "show_root_toc_entry: false", "heading_level: 3")
    options = ["    options:", *(f"      {each}" for each in shape)]
    for module, names in backburner._FROM.items():
        for name in (each for each in names if not each.startswith("_")):
            lines += ["", f"## `backburner.{name}` {{ #{name} }}", "", f"::: {module}.{name}", *options]
    yield "reference/python/index.md", "\n".join(lines)
    for page, (title, modules) in MODULES.items():
        lines = [f"# {title}", ""]
        for module in modules:
            lines += [f"::: backburner.{module}", "    options:", "      heading_level: 2", ""]
        yield f"reference/python/{page}.md", "\n".join(lines)


# --- llms.txt ----------------------------------------------------------------------------------------


def chapters() -> Iterator[tuple[str, list[str]]]:
    """(title, pages) of the site's navigation."""
    nav = tomllib.loads(CONFIG.read_text("utf-8"))["project"]["nav"]
    for entry in nav:
        ((title, inside),) = entry.items()
        yield title, list(_pages_of(inside))


def _pages_of(inside: Any) -> Iterator[str]:
    for each in inside if isinstance(inside, list) else [inside]:
        if isinstance(each, dict):
            yield from _pages_of(list(each.values()))
        elif isinstance(each, list):
            yield from _pages_of(each)
        else:
            yield each


def opening(text: str) -> tuple[str, str]:
    """(title, first sentence) of a page."""
    bare = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    title = re.search(r"^# (.+)$", bare, re.M)
    blocks = (" ".join(block.split()) for block in bare.split("\n\n"))
    prose = next((block for block in blocks if block and not re.match(r"[#|!<>-]|\*Source", block)), "")
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", prose).replace("**", "")
    sentence = re.match(r".+?\.(?= |$)", plain)
    return title[1] if title else "", sentence[0] if sentence else plain


def index() -> str:
    """``llms.txt``: every page in the order of the site, with its first sentence."""
    pages = sources()
    about = opening((ROOT / "README.md").read_text("utf-8"))[1]
    lines = [
        "# Backburner", "", f"> {about}", "",
        "`backburner -h` lists the commands in seven groups, `backburner COMMAND -h` tells one. `make docs`",
        "builds these pages as a site, with a reference of all commands and of the public Python.",
    ]  # fmt: skip
    for title, inside in chapters():
        told = [(page, pages[page]) for page in inside if page in pages]
        if told:
            lines += ["", f"## {title}", ""]
        for _, file in told:
            name, sentence = opening(file.read_text("utf-8"))
            lines.append(f"- [{name}]({file.relative_to(ROOT).as_posix()}): {sentence}")
    return "\n".join(lines) + "\n"


# --- all of it ---------------------------------------------------------------------------------------


def main() -> None:
    """Write the index, and all that the site is built of."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--index", action="store_true", help="llms.txt alone")
    asked = parser.parse_args()
    INDEX.write_text(index(), "utf-8")
    if asked.index:
        return
    shutil.rmtree(BUILT, ignore_errors=True)
    places = {file.resolve(): page for page, file in sources().items()}
    for picture in sorted((ROOT / "docs" / "images").rglob("*.*")):
        places[picture.resolve()] = picture.relative_to(ROOT / "docs").as_posix()
    for file, place in places.items():
        target = BUILT / "pages" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            target.write_text(staged(place, file, places), "utf-8")
        else:
            shutil.copyfile(file, target)
    for page, text in (*command_pages(), *python_pages()):
        (BUILT / "pages" / page).parent.mkdir(parents=True, exist_ok=True)
        (BUILT / "pages" / page).write_text(text, "utf-8")
    shutil.copyfile(INDEX, BUILT / "pages" / "llms.txt")
    shutil.copyfile(CONFIG, BUILT / "zensical.toml")


if __name__ == "__main__":
    main()
