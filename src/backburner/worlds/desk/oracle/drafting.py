"""Drafts of desks: lots of jobs, one after another in strands, that hold a few resources in common.

A *lot* is fetched, treated and worked on by hand, and ends with a deliverable that is filed by hand, with
figures out of what the lot came to. A strand's lots follow one another: the next is fetched when the last
is filed. Some jobs need, besides, something of a lot of another strand.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.generating import Draft, Role, Symbol
from backburner.worlds.desk.oracle.contents import Json, Tables, asked, said_of, voices

LOT = 5
"""Jobs of a lot, about."""

TREATS = 6
"""Tools of the second stage, enough for the largest lot, as none is used twice in one."""

HANDS = 2
"""Tools of work by hand that files nothing."""

RUN = {1: (4, 12), 2: (6, 18)}
"""Minutes of a run, by the stage."""

WORK, FILE = (2, 4), (2, 3)
"""Minutes by hand."""

BATCH = {"name": "batch", "kind": "code"}
TOTAL = {"name": "total"}
LABEL = {"name": "label", "kind": "code"}
VERDICT = {"name": "verdict", "kind": "choice", "choices": ("go", "hold")}

LATEST_REQUEST = 0.75
"""Of the least time that all may take."""

LETTERS: Mapping[Role, str] = {
    **{"material": "m", "product": "p", "device": "d", "person": "x"},
    **{"hand verb": "v", "machine verb": "v"},
}


class Asked(Struct, frozen=True):
    """The parameters of a draft; see ``generator.PARAMETERS``."""

    jobs: int
    strands: int
    joins: float
    hands: float
    resources: int
    capacity: int
    silent: float
    fails: float
    spread: float
    pauses: float
    requests: int
    window: int
    lure_notices: int
    grace: float
    check: int
    content_depth: int


class Tool(Struct, frozen=True):
    """A tool as it is drafted: by hand where it has no ``stage``."""

    symbol: str
    hands: int
    stage: int = 0
    resource: str = ""
    inputs: tuple[Mapping[str, Json], ...] = ()

    @property
    def name(self) -> str:
        return f"<{self.symbol}>"

    def written(self) -> dict[str, Json]:
        """As a file has it."""
        found = {"name": self.name, "hands": self.hands, "subject": "of"}
        found |= {"resource": f"<{self.resource}>"} if self.resource else {}
        return found | ({"inputs": self.inputs} if self.inputs else {})


class Job(Struct):
    """A job as it is drafted. ``alone``: the least minutes until its end is told, with all before it."""

    tool: Tool
    subject: str
    needs: list[Job]
    run: int
    alone: int = 0
    written: dict[str, Any] = {}

    @property
    def name(self) -> str:
        return f"{self.tool.name} <{self.subject}>"

    def before(self) -> list[Job]:
        """All jobs that it needs, directly or not."""
        found: list[Job] = []
        waiting = list(self.needs)
        while waiting:
            job = waiting.pop()
            if all(job is not known for known in found):
                found.append(job)
                waiting += job.needs
        return found


class Drafting:
    """A draft under way."""

    def __init__(self, asked: Asked, random: Random) -> None:
        self.asked, self.random = asked, random
        self.symbols: dict[str, Symbol] = {}
        self.tables = Tables(random, asked.content_depth)
        self.devices = [self.symbol("device") for _ in range(asked.resources)]
        self.tools()
        self.jobs: list[Job] = []
        self.products: list[str] = []
        self.lots()

    def symbol(self, role: Role, stage: int = 0) -> str:
        """A new symbol, such as ``m3``."""
        letter = LETTERS[role]
        name = f"{letter}{1 + sum(known[0] == letter for known in self.symbols)}"
        self.symbols[name] = Symbol(role, stage)
        return name

    # --- tools ----------------------------------------------------------------------------------------------

    def tools(self) -> None:
        """Of machines for each resource, of work by hand, and those that file."""
        self.fetches = [self.machine(1, device) for device in self.devices]
        self.treats = [
            self.machine(2, self.devices[turn % len(self.devices)], turn % 3 == 2) for turn in range(TREATS)
        ]
        self.works = [Tool(self.symbol("hand verb", 2), self.random.randint(*WORK)) for _ in range(HANDS)]
        wanted = [(TOTAL,), (LABEL,), (TOTAL, VERDICT if self.asked.content_depth > 1 else LABEL)]
        self.files = [
            Tool(self.symbol("hand verb", 3), self.random.randint(*FILE), inputs=inputs) for inputs in wanted
        ]

    def machine(self, stage: int, device: str, batch: bool = False) -> Tool:
        """A tool that runs with a resource; some are given the code of what came before."""
        inputs = (BATCH,) if batch else ()
        return Tool(self.symbol("machine verb", stage), self.random.randint(1, 2), stage, device, inputs)

    # --- jobs -----------------------------------------------------------------------------------------------

    def lots(self) -> None:
        """All lots, strand by strand in turn."""
        asked, random = self.asked, self.random
        count = max(asked.strands, round(asked.jobs / LOT))
        sizes = [asked.jobs // count + (lot < asked.jobs % count) for lot in range(count)]
        by_hand = [0] * count
        for _ in range(round(asked.hands * asked.jobs) - count):
            free = [lot for lot in range(count) if by_hand[lot] < min(HANDS, sizes[lot] - 2)]
            if free:
                by_hand[random.choice(free)] += 1
        ends: list[Job | None] = [None] * asked.strands
        for lot in range(count):
            strand = lot % asked.strands
            ends[strand] = self.lot(sizes[lot], by_hand[lot], ends[strand])

    def lot(self, size: int, by_hand: int, after: Job | None) -> Job:
        """The jobs of a lot; the one that files it is given back."""
        random, subject = self.random, self.symbol("material")
        others = list(self.jobs)
        works = random.sample(self.works, by_hand)
        treats = random.sample(self.treats, min(len(self.treats), max(0, size - 2 - by_hand)))
        inner = [*works, *treats]
        random.shuffle(inner)
        fetch = min(random.sample(self.fetches, min(2, len(self.fetches))), key=self.load)
        last = self.job(fetch, subject, [after] if after else [])
        lot = [last]
        for tool in inner:
            last = self.job(tool, subject, [last, *self.joined(others)])
            lot.append(last)
        filed = self.job(random.choice(self.files), self.symbol("product"), [last, *self.joined(others)])
        filed.written["deliverable"] = {"weight": random.choice((1, 1, 2))}
        self.products.append(filed.subject)
        self.fill(filed, [job for job in (*lot, *filed.needs) if job.tool.stage])
        return filed

    def load(self, tool: Tool) -> int:
        """For how long its resource is held so far."""
        return sum(job.tool.hands + job.run for job in self.jobs if job.tool.resource == tool.resource)

    def joined(self, others: list[Job]) -> list[Job]:
        """One of these that files nothing, or none."""
        some = [job for job in others if not job.written.get("deliverable")]
        return [self.random.choice(some)] if some and self.random.random() < self.asked.joins else []

    def job(self, tool: Tool, subject: str, needs: list[Job]) -> Job:
        """A job with its run."""
        run = self.random.randint(*RUN[tool.stage]) if tool.stage else 0
        job = Job(tool, subject, needs, run, written={})
        self.jobs.append(job)
        if tool.stage and tool.inputs:
            machines = [each for each in job.before() if each.tool.stage]
            job.written["inputs"] = {"batch": self.tables.cell(machines[0].name, "code")}
        return job

    def fill(self, filed: Job, sources: list[Job]) -> None:
        """What is right to be filed, out of the results of a lot."""
        first, second = self.random.choice(sources).name, self.random.choice(sources).name
        right: dict[str, Json] = {}
        for each in filed.tool.inputs:
            match each["name"]:
                case "total":
                    right["total"] = self.tables.figure(first, second)
                case "label":
                    right["label"] = self.tables.code(first, second)
                case _:
                    right["verdict"] = self.tables.verdict(second, each["choices"])
        filed.written["inputs"] = right

    # --- how it goes ----------------------------------------------------------------------------------------

    def some(self, share: float, jobs: list[Job]) -> list[Job]:
        """So large a share of these."""
        return self.random.sample(jobs, min(len(jobs), round(share * len(jobs))))

    def course(self) -> None:
        """Which jobs end in silence, fail, ask; what is told of runs."""
        wanted, random = self.asked, self.random
        machines = [job for job in self.jobs if job.tool.stage]
        silent, failing = self.some(wanted.silent, machines), self.some(wanted.fails, machines)
        asking = self.some(wanted.pauses, machines)
        for job in self.jobs:
            job.written["attempts"] = [{"run": job.run}]
            if not job.tool.stage:
                continue
            wide = round(2 * wanted.spread * job.run)
            least = max(1, job.run - random.randint(0, wide))
            job.written["told"] = {"least": least, "most": max(job.run, least + wide)}
            if any(job is each for each in failing):
                failed = {"run": random.randint(max(1, job.run // 3), job.run), "outcome": "fails"}
                job.written["attempts"] = [failed, {"run": job.run}]
            if any(job is each for each in silent):
                job.written["silent"] = True
            if any(job is each for each in asking):
                said = asked(voices().pauses, random)
                question = {"after": random.randint(1, job.run - 1), "question": said.pop("text"), **said}
                job.written["pause"] = question

    def least(self) -> int:
        """No plan takes fewer minutes: those of the hands, and those of the longest chain."""
        for job in self.jobs:
            job.alone = max((need.alone for need in job.needs), default=0) + job.tool.hands + job.run
        hands = sum(job.tool.hands for job in self.jobs)
        return max(hands, *(job.alone for job in self.jobs))

    # --- in a file ------------------------------------------------------------------------------------------

    def draft(self) -> Draft:
        """The whole, with people."""
        self.course()
        random, asked = self.random, self.asked
        count = len(self.products)
        fields: dict[str, Json] = {
            "title": f"A day with the <{random.choice(self.products)}>",
            "brief": f"{count} things are to be delivered today, each by its time. People will ask for "
            "answers meanwhile, and some will only talk.",
            "opens": f"{random.randint(7, 10):02}:{random.choice((0, 15, 30, 45)):02}",
            "check_minutes": asked.check,
            "resources": [self.resource(device) for device in self.devices],
            "tools": [tool.written() for tool in self.used()],
            "jobs": [self.written(job) for job in self.jobs],
            "requests": self.requests(),
            "notices": self.lures(),
        }
        return Draft(fields, self.symbols, ("jobs", "tools", "resources", "requests"))

    def used(self) -> list[Tool]:
        """The tools that any job has; the symbols of all others go."""
        used = {job.tool.symbol for job in self.jobs}
        tools = [*self.fetches, *self.treats, *self.works, *self.files]
        for tool in tools:
            if tool.symbol not in used:
                del self.symbols[tool.symbol]
        return [tool for tool in tools if tool.symbol in used]

    def resource(self, device: str) -> dict[str, Json]:
        capacity = self.random.randint(1, self.asked.capacity)
        return {"name": f"<{device}>", **({"capacity": capacity} if capacity > 1 else {})}

    def written(self, job: Job) -> dict[str, Json]:
        """A job as a file has it."""
        needs = list(dict.fromkeys(need.name for need in job.needs))
        found = {"tool": job.tool.name, "subject": f"<{job.subject}>", **({"needs": needs} if needs else {})}
        table = self.tables.of.get(job.name)
        return {**found, **job.written, **({"yields": table} if table else {})}

    def requests(self) -> list[dict[str, Json]]:
        """Requests, each of somebody else, before three quarters of the least time."""
        random, wanted = self.random, self.asked
        latest = int(LATEST_REQUEST * self.least())
        found = []
        for _ in range(wanted.requests):
            said = asked(voices().requests, random)
            level = "urgent" if random.random() < 0.25 else "note"
            window = random.randint(min(5, wanted.window), wanted.window)
            when = {"at": random.randint(1, latest), "window": window, "level": level}
            found.append({"name": f"<{self.symbol('person')}>", **when, **said})
        return found

    def lures(self) -> list[dict[str, Json]]:
        """What wants nothing, of people who ask for nothing."""
        random = self.random
        senders = [self.symbol("person") for _ in range(min(4, self.asked.lure_notices))]
        latest = self.least()
        names = {"product": self.products, "device": self.devices}
        found = []
        for turn, (level, text) in enumerate(self.told_lures()):
            said = {"sender": f"<{senders[turn % len(senders)]}>", "text": said_of(text, random, names)}
            found.append({"at": random.randint(1, latest), "level": level, **said})
        return sorted(found, key=lambda notice: notice["at"])

    def told_lures(self) -> list[tuple[str, str]]:
        """As many of them as are asked for; none twice before all are told."""
        lures: list[tuple[str, str]] = list(voices().lures)
        found: list[tuple[str, str]] = []
        while len(found) < self.asked.lure_notices:
            self.random.shuffle(lures)
            found += lures[: self.asked.lure_notices - len(found)]
        return found


def drafted(parameters: Mapping[str, Any], random: Random) -> Draft:
    """The draft of these parameters."""
    wanted = Asked(**parameters)
    return Drafting(replace(wanted, strands=min(wanted.strands, wanted.jobs // 2)), random).draft()
