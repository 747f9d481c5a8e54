"""Studies to try things with, and a hall without a server in which they are carried through."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from backburner.agents.scripted import FirstLegalPolicy, RandomPolicy
from backburner.kernel import registry
from backburner.kernel.episode import write_episode
from backburner.kernel.play import play_now
from backburner.study import pages
from backburner.study.conduct import Conduct
from backburner.study.design import Study
from backburner.study.files import StudyFile, digest_of, parsed
from backburner.study.games import GameOpened, GameWanted, result_of

SMALL = """
format = 1
name = "small"
title = "title"
language = "en"
contact = "contact"

[design]
teams = 4
seed = 3

[[conditions]]
name = "plain"
seats = { "*" = "person" }

[[conditions]]
name = "other"
seats = { "*" = "person" }

[[levels]]
name = "egg"
scenarios = ["timearena/cooking1"]

[[stages]]
kind = "consent"
name = "consent"
text = "consent"
boxes = ["box"]

[[stages]]
kind = "text"
name = "read"
text = "read"
least_seconds = 10

[[stages]]
kind = "form"
name = "quiz"
questionnaire = "quiz"
most_attempts = 2

[[stages]]
kind = "trials"
name = "games"
each = [{ kind = "play", name = "game" }, { kind = "form", name = "after", questionnaire = "after" }]

[[questionnaires]]
name = "quiz"
items = [
    { kind = "choice", name = "goal", text = "goal", check = "comprehension", correct = "b", options = [
        { value = "a", text = "a" },
        { value = "b", text = "b" },
    ] },
    { kind = "number", name = "age", text = "age", lowest = 18, highest = 120 },
]

[[questionnaires]]
name = "after"
items = [
    { kind = "likert", name = "fun", construct = "fun", text = "fun" },
    { kind = "likert", name = "ease", construct = "ease", text = "ease", points = 7, reversed = true },
    { kind = "likert", name = "calm", construct = "fun", text = "calm" },
    { kind = "likert", name="check", text = "two", check = "attention", correct = 2, conditions=["other"] },
    { kind = "text", name = "name", text = "name", personal = true },
]

[[exclusions]]
name = "inattentive"
measure = "checks_failed"
above = 0

[[exclusions]]
name = "quick"
of = "episode"
measure = "seconds"
below = 1

[[outcomes]]
name = "progress"
source = "metric:AS"
primary = true

[recruitment]
participant = "PID"
keep = ["SESSION"]
back = "https://platform.example/done?cc={code}"
codes = { complete = "DONE-1", declined = "NO-1" }

[texts.en]
title = "A small study"
contact = "ask@example.org"
consent = "Do you agree?"
box = "Yes."
read = "Read this."
goal = "What is it about?"
a = "nothing"
b = "something"
age = "How old are you?"
fun = "Was it fun?"
ease = "Was it hard?"
calm = "Were you calm?"
two = "Choose 2."
name = "Your name"

[texts.ar]
title = "دراسة صغيرة"
consent = "هل توافق؟"
"""

EGGS = ["collab_overcooked/boiled_egg", "collab_overcooked/boiled_mushroom"]

PAIRS = {
    "name": "pairs",
    "conditions": [
        {"name": "pair", "seats": {"chef": "person", "assistant": "person"}},
    ],
    "levels": [{"name": "egg", "scenarios": EGGS}],
    "outcomes": [{"name": "success", "source": "metric:SR"}],
    "groups": {"waiting_seconds": 100.0},
}


def raw(**changes: Any) -> dict[str, Any]:
    """The small study's plain values, with other parts in place of its own."""
    found = tomllib.loads(SMALL)
    if "conditions" in changes:
        found["questionnaires"][1]["items"][3]["conditions"] = [changes["conditions"][-1]["name"]]
    return found | changes


def found(**changes: Any) -> StudyFile:
    """The small study, changed."""
    study: Study = parsed(raw(**changes), "small.toml")
    return StudyFile(study, digest_of(study))


class Clock:
    """A time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class Hall:
    """A study carried through in memory: games are played at once, by policies."""

    def __init__(self, folder: Path, study: StudyFile | None = None, **settings: Any) -> None:
        self.folder, self.found, self.clock = folder, study or found(), Clock()
        self.settings = settings
        self.conduct = Conduct(self.found, folder, clock=self.clock, **settings)
        self.opened: list[GameWanted] = []
        self.games = 0

    def restart(self) -> None:
        """As a killed server does."""
        self.conduct.close()
        self.conduct = Conduct(self.found, self.folder, clock=self.clock, **self.settings)

    def arrive(self, token: str = "", language: str = "", **parameters: str) -> str:
        """Somebody comes, and their page is open."""
        id = self.conduct.arrive(parameters, token, language).id
        self.conduct.come(id)
        return id

    def page(self, id: str) -> pages.StageTold:
        return self.conduct.page(id)

    def send(
        self,
        id: str,
        position: int | None = None,
        agreed: bool = False,
        attempt: int | None = None,
        **answers: Any,
    ) -> pages.StageTold:
        page = self.page(id)
        at = page.position if position is None else position
        self.conduct.send(id, pages.Send(at, answers, agreed, page.attempt if attempt is None else attempt))
        return self.page(id)

    def open_games(self) -> list[GameWanted]:
        """Open every game that is wanted; they are not played yet."""
        self.conduct.tick()
        wanted = self.conduct.wanted()
        for game in wanted:
            self.games += 1
            seats = {seat: f"seat-{self.games}-{seat}" for seat in game.people.values()}
            self.conduct.opened(game, GameOpened(f"g{self.games}", f"host-{self.games}", seats))
            self.opened.append(game)
        return wanted

    def play(self, seconds: float = 60.0) -> None:
        """Play every game that is open."""
        self.open_games()
        for running in self.conduct.running():
            one = self.conduct.cohort.one(next(iter(running.people)))
            placed = one.present_stage(self.found.study)
            assert placed is not None
            record = self.record(placed.scenario, placed.seed)
            self.clock.now += seconds
            self.conduct.over(running.game, record, result_of(record, running.game))

    def record(self, scenario: str, seed: int) -> bytes:
        """The record of a game that is played by nobody in particular."""
        world = registry.world(scenario)
        policy = FirstLegalPolicy() if "timearena" in scenario else RandomPolicy()
        file = self.folder.parent / f"{self.folder.name}-played.jsonl"
        write_episode(play_now(world, policy, seed, max_steps=200), file)
        return file.read_bytes()

    def through(self, id: str, fun: int = 4, attentive: bool = True) -> None:
        """Take somebody from where they are to the end."""
        for _ in range(100):
            page = self.page(id)
            match page.stage:
                case "consent":
                    self.send(id, agreed=True, **{"0": "yes"})
                case "text":
                    self.clock.now += 20
                    self.send(id)
                case "form" if page.name == "quiz":
                    self.send(id, goal="b", age=30.0)
                case "form":
                    check = 2.0 if attentive else 5.0
                    told = {"fun": float(fun), "ease": 3.0, "calm": 2.0, "check": check, "name": "Ada"}
                    self.clock.now += 30
                    self.send(id, **told)
                case "play" | "wait":
                    self.play()
                case _:
                    return
        raise AssertionError("no end")
