"""A judge model as an annotator: each case is put to it in words, and its last line is a label or nothing.

What it judges is foreign text. It stands between two lines that the text cannot hold, as they bear the
text's digest; and whatever a judge is talked into, all that can come of its answer is one label of the set.
Answers are kept in journals until their labels are on the disk, so that none is paid for twice.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.client import Completion, Message, ModelClient, Settings, answered
from backburner.agents.models.prompts import Prompts
from backburner.agents.models.stand_in import StandIn, is_stand_in, stand_in_named
from backburner.agents.models.toolbox import NO_TOOLS, Toolbox
from backburner.agents.spec import AgentSpec, Clients
from backburner.evaluation.labels.cases import Item, shortened_text
from backburner.evaluation.labels.label_files import JUDGE, LabelFile, Labels, Said, file_of, now
from backburner.evaluation.records import journal_of
from backburner.evaluation.running.calls import (
    Books,
    Budget,
    Journal,
    JournalKeeper,
    KeptClient,
    calls_kept_by,
)
from backburner.kernel.errors import ContextOverflow, PolicyFailure, RunStops
from backburner.kernel.values import digest
from backburner.kernel.wrapping import spoken

USUAL = Settings(temperature=0.0, max_tokens=1024)

MOST_CHARACTERS = 60_000
"""Of an account that are put before a judge; of longer ones the middle of the longest parts is left out."""

MOST_TRIES = 3
"""How often a judge is asked for one case whose answers cannot be read."""

LOOKED_AT = 4000
"""Characters at the end of an answer that are looked at."""

_LABEL = re.compile(r"[ *_`]{0,9}label[ *_`]{0,9}:[ *_`]{0,9}(.{1,200}?)[ *_`.]{0,9}$", re.IGNORECASE)


class Judge(Struct, frozen=True):
    """Who judges: a model through its client, how it is to write, in which words it is asked.

    ``prompts``: the user's own wording, as for prompting methods.
    """

    client: ModelClient
    settings: Settings
    budget: Budget
    at_once: int
    prompts: Path | None = None

    @classmethod
    def of(
        cls, spec: AgentSpec, clients: Clients, budget: Budget, at_once: int, court: type[Court] | None = None
    ) -> Judge:
        """The model of a spec as a judge; a stand-in judges by drawing."""
        (endpoint,) = spec.endpoints
        court = court or Court
        stands_in = is_stand_in(endpoint.model)
        client = court.stand_in(stand_in_named(endpoint.model)) if stands_in else clients(endpoint)
        return cls(client, replace(court.usual, **spec.decoding.made), budget, at_once, spec.prompts_folder)

    @property
    def name(self) -> str:
        """As labels have it."""
        return f"{JUDGE}{self.client.name}"[:200]


class Judged(Struct):
    """What came of a run: cases labelled now, found labelled, unreadable, failed, with why; calls that were
    made; ``stopped``: why no more could be."""

    name: str
    labelled: int = 0
    kept: int = 0
    unreadable: int = 0
    failed: int = 0
    calls: int = 0
    errors: list[str] = []
    stopped: str = ""


def judge_items(
    judge: Judge,
    records: Path,
    items: Sequence[Item],
    labels: Labels,
    progress: Callable[[], object] = lambda: None,
) -> Judged:
    """Have the items labelled that this judge has not labelled yet in these words.

    Labels are written one by one. Raises ``BadFile`` for faulty templates or a file that cannot be written,
    ``Refused`` if another process judges under the same name.
    """
    return asyncio.run(Court(judge, records, labels, progress).all(items))


class Unread(Struct, frozen=True):
    """Why an answer cannot be read, for the one who wrote it."""

    why: str


class Court:
    """One run of a judge: what it is asked of an item, and what its answers come to.

    ``method``: the folder of the templates, and the message that asks. ``tries``: how often it is asked for
    one item whose answers cannot be read. ``looked_at``: signs at the end of an answer that are looked at.
    """

    method: ClassVar[str] = "judge"
    tries: ClassVar[int] = MOST_TRIES
    looked_at: ClassVar[int] = LOOKED_AT
    usual: ClassVar[Settings] = USUAL
    stand_in: ClassVar[type[StandInJudge]]

    def __init__(self, judge: Judge, records: Path, labels: Labels, progress: Callable[[], object]) -> None:
        self._judge, self._labels, self._progress = judge, labels, progress
        self._path = file_of(records, judge.name)
        self._books = Books(judge.budget)
        self._client = KeptClient(judge.client)
        self._prompts: dict[str, Prompts] = {}
        mine = (said for said in labels.said if said.annotator == judge.name and said.role == "judge")
        self._before = {said.key: (said.prompts, said.version) for said in mine}
        self._told = Judged(judge.name, errors=[])

    async def all(self, items: Sequence[Item]) -> Judged:
        for item in items:  # a faulty template is told before anything is asked
            self._words(item)
        waiting = iter(items)
        with LabelFile(self._path) as file:

            async def one_after_another() -> None:
                for item in waiting:
                    await self._one(file, item)
                    self._progress()

            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(min(self._judge.at_once, len(items))):
                        group.create_task(one_after_another())
            except* RunStops as stops:
                self._told.stopped = str(stops.exceptions[0])
            finally:
                await self._client.aclose()
        self._told.calls = self._books.calls
        return self._told

    def _words(self, item: Item) -> Prompts:
        world = item.key.world
        if world not in self._prompts:
            messages = {self.method: self.fields(item), "again": {"keys": ", ".join(item.choices), "why": ""}}
            self._prompts[world] = Prompts(self.method, world, messages, {}, self._judge.prompts)
        return self._prompts[world]

    def fields(self, item: Item) -> dict[str, Any]:
        """What the template knows."""
        account = shortened_text(item.told(), MOST_CHARACTERS)
        return {
            "question": item.labels.question,
            "labels": [label for label in item.labels.labels if label.key in item.choices],
            "precedence": item.labels.precedence,
            "keys": ", ".join(item.choices),
            "account": account,
            "fence": fence(account),
        }

    def read(self, answer: str, item: Item) -> Any | Unread:
        """What an answer says."""
        return label_in_answer(answer, item.choices) or Unread("")

    def version(self, words: Prompts, item: Item) -> str:
        """What an answer goes by: with another version everything is asked anew."""
        return f"{words.record['prompts_version']} {words.record['prompts']}"

    def lines(self, item: Item, read: Any, version: str) -> list[Said]:
        """What was read as lines of the judge's file."""
        label = "" if isinstance(read, Unread) else read
        key, mine = item.key, self._judge
        return [Said(
            mine.name, "judge", key.world, key.set, item.labels.version, key.record, label, now(), key.at,
            key.seat, blind=True, model=mine.client.name[:400], prompts=version, unreadable=not label,
        )]  # fmt: skip

    async def _one(self, file: LabelFile, item: Item) -> None:
        """Label one item, unless it is labelled; a call that fails leaves it as it is."""
        words = self._words(item)
        version = self.version(words, item)
        journal_path = journal_of(self._path.with_name(f"{self._path.name}.{digest(item.key)}"))
        if self._before.get(item.key) == (version, item.labels.version):
            self._told.kept += 1
            journal_path.unlink(missing_ok=True)
            return
        with Journal(journal_path) as journal:
            try:
                with calls_kept_by(JournalKeeper(journal, self._books)):
                    found = await self._asked(words, item)
            except (PolicyFailure, ContextOverflow) as failure:
                self._told.failed += 1
                self._told.errors.append(f"{item.id}: {failure}")
                return
            file.add(self.lines(item, found, version))
            journal.remove()
        self._told.labelled += not isinstance(found, Unread)
        self._told.unreadable += isinstance(found, Unread)

    async def _asked(self, words: Prompts, item: Item) -> Any | Unread:
        """What the first answer says that can be read."""
        common: dict[str, Any] = {"briefing": "", "text": "", "options": {}}
        asked = words.render(self.method, **common, **self.fields(item), first=True)
        conversation = [Message("user", asked)]
        found: Any | Unread = Unread("")
        token = _judging.set(item)
        try:
            for _ in range(self.tries):
                completion = await self._client.complete(conversation, self._judge.settings)
                found = self.read(completion.text, item)
                if not isinstance(found, Unread):
                    break
                keys = ", ".join(item.choices)
                again = words.render("again", **common, keys=keys, why=found.why, first=False)
                conversation += [answered(completion.text[-self.looked_at :]), Message("user", again)]
        finally:
            _judging.reset(token)
        return found


def fence(account: str) -> str:
    """A line that the account cannot hold."""
    return f"===== {digest(account)} ====="


def label_in_answer(answer: str, choices: Sequence[str]) -> str:
    """The label in the last line of an answer that says anything, thoughts aside; empty if there is none.

    Only ``Label: KEY`` with a key of ``choices`` counts, whatever stands before it.
    """
    said = spoken(answer).answer[-LOOKED_AT:]
    lines = [line for line in said.splitlines() if line.strip()]
    found = _LABEL.fullmatch(lines[-1].strip()) if lines else None
    if found is None:
        return ""
    wanted = " ".join(found[1].split()).casefold()
    return next((key for key in choices if key.casefold() == wanted), "")


# --- a stand-in, to rehearse with --------------------------------------------------------------------------

_judging: ContextVar[Item] = ContextVar("judging")


class StandInJudge(Struct, frozen=True):
    """A judge that asks nobody: it says what the record decides, or else draws a label, the same for every
    stand-in; ``1 - skill`` of its answers are slips, of which some cannot be read."""

    stand_in: StandIn

    @property
    def name(self) -> str:
        """The name of the stand-in."""
        return self.stand_in.name

    @property
    def origin(self) -> Mapping[str, Any]:
        """The origin of the stand-in."""
        return self.stand_in.origin

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        """An answer to the case that the running task has before it."""
        item = judged_now()
        right = item.case.decided or random.Random(repr(item.key)).choice(item.choices)
        draw = random.Random(f"{self.stand_in.seed}/{item.key}/{len(messages)}")
        if draw.random() < self.stand_in.skill:
            return Completion(f"I go by the last steps.\nLabel: {right}")
        if draw.random() < 0.3:
            return Completion("There is a lot to be said about this.")
        return Completion(f"Hard to tell.\nLabel: {draw.choice(item.choices)}")

    async def aclose(self) -> None:
        """Nothing to let go of."""


def judged_now() -> Item:
    """The item that the running task asks about, for stand-ins."""
    return _judging.get()


Court.stand_in = StandInJudge
