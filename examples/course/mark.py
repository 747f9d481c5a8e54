"""Marks a submission: a folder with plan.json, agent.py and records/ (README.md says what is asked for).

    python mark.py SUBMISSION        # one line a part, then the mark; exit code 1 where somebody cheated

It runs ``run``, ``verify``, ``check-plan`` and ``score``. ``agent.py`` is somebody else's code and runs
with your rights, in a process whose word is not taken: its records are verified and scored by others.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from backburner import BackburnerError, read_episode

HERE = Path(__file__).resolve().parent
ASKED = tomllib.loads((HERE / "assignment.toml").read_text("utf-8"))


class Mark(NamedTuple):
    part: str
    points: float
    said: list[str]
    cheated: bool = False


def backburner(*arguments: object, folder: Path = HERE) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "backburner", *map(str, arguments)]
    most = ASKED["agent"]["seconds"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=most)
    return run.returncode, run.stdout, run.stderr.strip()


def between(value: float, none: float, full: float) -> float:
    """How much of the points a figure is worth: 0 at ``none``, 1 at ``full``."""
    return min(max((value - none) / (full - none), 0.0), 1.0)


def mark_plan(submission: Path) -> Mark:
    asked = ASKED["plan"]
    half = asked["points"] / 2
    code, out, errors = backburner("check-plan", submission / "plan.json", "--json")
    if code == 2:
        return Mark("plan", 0, [errors])
    found: dict[str, Any] = json.loads(out)
    if found["scenario"] != asked["scenario"]:
        return Mark("plan", 0, [f"is of {found['scenario']}; {asked['scenario']} was asked for"])
    if not found["feasible"]:
        wrong = [violation["words"] for violation in found["violations"]]
        return Mark("plan", max(0, half - asked["violation"] * len(wrong)), ["is not feasible:", *wrong])
    share = between(found["finish"], asked["none"], asked["best"])
    said = f"feasible, finished after {found['finish']} seconds; the proven best is {asked['best']}"
    return Mark("plan", half + half * share, [said])


def mark_agent(played: Path) -> Mark:
    asked = ASKED["agent"]
    code, _, errors = backburner("verify", played)
    if code:
        return Mark("agent", 0, ["leaves records that do not replay:", errors], cheated=True)
    code, out, errors = backburner("score", played, "--json")
    if code:
        return Mark("agent", 0, [errors or "played nothing"])
    worth = json.loads(out)[0]["rows"][0]["figures"]["attained"]["value"]
    said = [f"attains {worth:.1f} % of the proven best where nobody was shown it; full at {asked['full']} %"]
    return Mark("agent", asked["points"] * between(worth, asked["none"], asked["full"]), said)


def mark_records(submission: Path, played: Path) -> Mark:
    """Handed in are records of the practice projects; ``played`` are the same, by agent.py, here and now."""
    given, mine = ({f.name: f for f in folder.rglob("*.seed*.jsonl")} for folder in (submission, played))
    if missing := sorted(mine.keys() - given.keys()):
        return Mark("records", 0, [f"{name} is missing" for name in missing])
    code, _, errors = backburner("verify", submission)
    if code:
        return Mark("records", 0, ["do not replay:", errors], cheated=True)
    other = []
    for name, file in sorted(mine.items()):
        here, there = read_episode(file), read_episode(given[name])
        if [entry.digest for entry in here.entries] != [entry.digest for entry in there.entries]:
            other.append(f"{name} was not played by this agent.py")
    said = other or [f"{len(mine)} records replay, and agent.py plays them again move by move"]
    return Mark("records", 0 if other else ASKED["records"]["points"], said, cheated=bool(other))


def play(submission: Path, work: Path) -> None:
    """What agent.py plays goes to ``practice`` and ``heldout`` below ``work``, a folder of ours."""
    shutil.copy(submission / "agent.py", work)
    folders = {suite: HERE / ASKED["agent"][suite] for suite in ("practice", "heldout")}
    told = (*folders.values(), "--agent", "agent:Agent", "--out", "all")
    code, _, errors = backburner("run", *told, folder=work)
    if code:
        sys.exit(f"{submission}: agent.py cannot play: {errors}")
    for suite, folder in folders.items():
        (work / suite).mkdir()
        shutil.copy(folder / "answers.jsonl", work / suite)
        for file in (work / "all").rglob("*.seed*.jsonl"):
            if (folder / f"{file.name.partition('.')[0]}.json").exists():
                file.rename(work / suite / file.name)
        left = sorted(read_episode(file).header.id for file in (work / suite).glob("*.seed*.jsonl"))
        if left != sorted(f"projects/user/{project.stem}" for project in folder.glob("*.json")):
            sys.exit(f"{submission}: agent.py does not leave a record of each project of {suite}")


def main(submission: Path) -> int:
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        try:
            play(submission.resolve(), work)
            records = mark_records(submission.resolve() / "records", work / "practice")
            rest = [] if records.cheated else [mark_plan(submission.resolve()), mark_agent(work / "heldout")]
            marks = (*rest, records)
        except (OSError, BackburnerError, subprocess.TimeoutExpired) as error:
            sys.exit(f"{submission}: {error}")
    for part, points, said, cheated in marks:
        told = "\n".join(f"{'':20}{line}" for line in said).lstrip()
        print(f"{part:8}{points:4.0f} of {ASKED[part]['points']:3}  {'CHEATED: ' * cheated}{told}")
    caught = any(mark.cheated for mark in marks)
    print(f"mark    {0 if caught else sum(mark.points for mark in marks):4.0f} of 100")
    return int(caught)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
