"""Runs the commands that pages show, page by page, and says which do not work.

    python docs/commands.py                     # all pages; `make docs-commands`
    python docs/commands.py docs/play.md        # some
    python docs/commands.py --cpu 60 --at-once 2

Each page has a folder of its own, in which its blocks of commands run in their order, with the files that a
reader is expected to have: ``runs``, records of scripts; ``my.key`` and ``their.key.pub``; prices. A stand-in
plays for every model. A command is broken off after some seconds of processor time, and has then begun well.
Servers run a while. Left out, and counted by reason, is what nothing here can run: names that a reader fills
in, clusters, models' own servers, files of the reader's own, what is not installed here.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]

PAGES = sorted(
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md"))
    if path.name != "CHANGELOG.md"
)

SERVERS = re.compile(r"serve|env-server|mcp|live|annotate .*--(annotator|adjudicate)|study (serve|pilot)")
SERVED_SECONDS = 12

STAND_IN = "stand-in:skill=0.7"

LEFT_OUT = {
    "a cluster": re.compile(r"--cluster|SLURM|HEAD"),
    "a server of one's own": re.compile(r"live |profile |localhost:8080"),
    "a name to be filled in": re.compile(
        r"(?<![\w.-])(FILE|FOLDER|PAGE|WORLD|SCENARIO|SECONDS|TABLE|PAIR|NEW|P|SUITE|AGENT|LEVEL|PORT|TOKEN)(?![\w-])"
        r"|\.\.\.|…|mine:|agent:"
    ),
}

READERS_OWN = re.compile(
    r"no file|no such|does not exist|there is no|nothing (there|here)|is not a scenario|holds no templates"
    r"|folder of records 'runs/|nobody has labelled|is another world|: \d+ records \(|several records of"
    r"|no scenario file|is not complete",
    re.I,
)
"""What is said of a file that a page takes for granted, or that what was broken off has not written."""

NEEDS_MORE = re.compile(r"is not installed|needs an optional part|plays with engine=own alone|unknown world")

BROKEN_OFF = re.compile(r"terminated abruptly")
"""What is said where a worker has met the limit of processor time."""


class Ran(NamedTuple):
    """``how``: ``runs``, ``begins``, ``fails``, or why it is left out; ``said``: its last words."""

    page: str
    line: str
    how: str
    said: str = ""


def shown(text: str) -> Iterator[str]:
    """The commands of a page's blocks, each on one line."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S)
    for line in "\n".join(blocks).replace("\\\n", " ").splitlines():
        if found := re.match(r"(?:\$ )?(?:\.venv/bin/)?(backburner .*)", line):
            yield found[1]


def rehearsed(line: str) -> str:
    """The command with a stand-in for every model."""

    def stand_in(found: re.Match[str]) -> str:
        seat, name, keys = found[1], found[2], found[3] or ""
        if name.startswith(("stand-in", "script:")):
            return found[0]
        kept = [key for key in keys.lstrip("@").split(",") if key and not key.startswith(("base_url", "at_"))]
        return f"--model {seat}{STAND_IN}{'@' * bool(kept)}{','.join(kept)}"

    line = re.sub(r"--model ((?:[a-z]+=)?)([^\s@]+)(@\S+)?", stand_in, line)
    line = line.replace("runs/RECORD.jsonl", "plays/RECORD.jsonl")
    line = re.sub(r"--judge \S+", f"--judge {STAND_IN}", line)
    return re.sub(r"\((?:NAME|my-model)\)", f"({STAND_IN})", line)


def made_ready(folder: Path, page: str) -> None:
    """Lay out what a reader has."""
    (folder / "examples").symlink_to(ROOT / "examples")
    price = f'{{"models": {{"{STAND_IN}": {{"input_per_million": 1, "output_per_million": 4}}}}}}'
    (folder / "prices.json").write_text(price)
    world = re.match(r"docs/worlds/(\w+)\.md", page)
    suite = f"{world[1]}/quick" if world and world[1] not in ("desk", "projects") else "timearena/quick"
    agents = "greedy --agent random --agent act --agent react --agent self-plan"
    agents = agents if suite.startswith("timearena") else "greedy --agent random"
    run(f"backburner run {suite} --agent {agents} --model {STAND_IN} --out runs", folder, 60)
    run("backburner keys their.key", folder, 60)
    if page != "SECURITY.md":  # which makes it
        for end in ("", ".pub"):
            shutil.copy(folder / f"their.key{end}", folder / f"my.key{end}")
    records = sorted((folder / "runs").rglob("*.jsonl"))
    if records:
        (folder / "plays").mkdir()
        shutil.copy(records[0], folder / "plays" / "RECORD.jsonl")


def run(line: str, folder: Path, cpu: int) -> tuple[int, str]:
    """(exit code, last line): negative by a signal, -24 after so many seconds of processor time."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "COLUMNS": "100",
    }
    is_server = bool(re.match(rf"backburner (?:{SERVERS.pattern})", line))

    with subprocess.Popen(
        ["bash", "-c", f"ulimit -S -t {cpu}; {line}"], cwd=folder, env=environment, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        try:
            said, _ = process.communicate("quit\n", timeout=SERVED_SECONDS if is_server else 20 * cpu)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
            code = -signal.SIGXCPU
    lines = [each.strip() for each in said.splitlines() if each.strip()]
    return (-signal.SIGXCPU if code == 128 + signal.SIGXCPU else code), lines[-1] if lines else ""


def tried(page: Path, cpu: int) -> list[Ran]:
    """Every command of a page."""
    name, found = page.relative_to(ROOT).as_posix(), list[Ran]()
    lines = list(shown(page.read_text("utf-8")))
    if not lines:
        return []
    with tempfile.TemporaryDirectory(prefix="backburner-docs-") as kept:
        folder = Path(kept)
        made_ready(folder, name)
        for line in lines:
            command = rehearsed(line)
            words = shlex.split(command, comments=True)
            reason = next((why for why, which in LEFT_OUT.items() if which.search(" ".join(words))), "")
            if reason:
                found.append(Ran(name, line, reason))
                continue
            code, said = run(command, folder, cpu)
            gave_up = words[1] == "play" and said.startswith("record: ")  # as it is told to
            how = "runs" if gave_up else {0: "runs", -signal.SIGXCPU: "begins"}.get(code, "fails")
            if how == "fails":
                of_it = {
                    "a file of the reader's own": READERS_OWN,
                    "something to install": NEEDS_MORE,
                    "begins": BROKEN_OFF,
                }
                how = next((why for why, which in of_it.items() if which.search(said)), how)
            found.append(Ran(name, line, how, said))
    return found


def main(arguments: Sequence[str]) -> int:
    """1 if a command fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--cpu", type=int, default=30, help="seconds of processor time for each command")
    parser.add_argument("--at-once", type=int, default=2, help="pages side by side")
    asked = parser.parse_args(arguments)
    pages = [page.resolve() for page in asked.pages] or PAGES
    counts: Counter[str] = Counter()
    with ThreadPoolExecutor(asked.at_once) as pool:
        for found in pool.map(lambda page: tried(page, asked.cpu), pages):
            for one in found:
                counts[one.how] += 1
                if one.how not in ("runs", "begins"):
                    print(f"{one.page}: {one.how}: {one.line}\n    {one.said[:300]}".rstrip(), flush=True)
    print(", ".join(f"{number} {how}" for how, number in counts.most_common()))
    return int(counts["fails"] > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
