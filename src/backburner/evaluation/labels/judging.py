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
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.client import Completion, Message, ModelClient, Settings, answered
from backburner.agents.models.prompts import Prompts
from backburner.agents.models.stand_in import StandIn, is_stand_in, stand_in_named
from backburner.agents.models.toolbox import NO_TOOLS, Toolbox
from backburner.agents.spec import AgentSpec, Clients
from backburner.evaluation.labels.cases import Item, case_text_of, shortened_text
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

METHOD = "judge"
"""The folder of the templates."""

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
    def of(cls, spec: AgentSpec, clients: Clients, budget: Budget, at_once: int) -> Judge:
        """The model of a spec as a judge; a stand-in judges by drawing."""
        (endpoint,) = spec.endpoints
        stands_in = is_stand_in(endpoint.model)
        client = StandInJudge(stand_in_named(endpoint.model)) if stands_in else clients(endpoint)
        return cls(client, replace(USUAL, **spec.decoding.made), budget, at_once, spec.prompts_folder)

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
    return asyncio.run(_Court(judge, records, labels, progress).all(items))


class _Court:
    """One run of a judge."""

    def __init__(self, judge: Judge, records: Path, labels: Labels, progress: Callable[[], object]) -> None:
        self._judge, self._progress = judge, progress
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
            tried = _fields(item, "an account")
            messages = {"judge": tried, "again": {"keys": tried["keys"]}}
            self._prompts[world] = Prompts(METHOD, world, messages, {}, self._judge.prompts)
        return self._prompts[world]

    async def _one(self, file: LabelFile, item: Item) -> None:
        """Label one item, unless it is labelled; a call that fails leaves it as it is."""
        words = self._words(item)
        version = f"{words.record['prompts_version']} {words.record['prompts']}"
        journal_path = journal_of(self._path.with_name(f"{self._path.name}.{digest(item.key)}"))
        if self._before.get(item.key) == (version, item.labels.version):
            self._told.kept += 1
            journal_path.unlink(missing_ok=True)
            return
        with Journal(journal_path) as journal:
            try:
                with calls_kept_by(JournalKeeper(journal, self._books)):
                    label = await self._asked(words, item)
            except (PolicyFailure, ContextOverflow) as failure:
                self._told.failed += 1
                self._told.errors.append(f"{item.episode.header.id}: {failure}")
                return
            key = item.key
            file.add([Said(
                self._judge.name, "judge", key.world, key.set, item.labels.version, key.record, label, now(),
                key.at, key.seat, blind=True, model=self._judge.client.name[:400], prompts=version,
                unreadable=not label,
            )])  # fmt: skip
            journal.remove()
        self._told.labelled += bool(label)
        self._told.unreadable += not label

    async def _asked(self, words: Prompts, item: Item) -> str:
        """The label; empty where no answer holds one."""
        fields = _fields(item, shortened_text(case_text_of(item), MOST_CHARACTERS))
        common: dict[str, Any] = {"briefing": "", "text": "", "options": {}}
        conversation = [Message("user", words.render("judge", **common, **fields, first=True))]
        token = _judging.set(item)
        try:
            for _ in range(MOST_TRIES):
                completion = await self._client.complete(conversation, self._judge.settings)
                if label := label_in_answer(completion.text, item.choices):
                    return label
                again = words.render("again", **common, keys=fields["keys"], first=False)
                conversation += [answered(completion.text[-LOOKED_AT:]), Message("user", again)]
        finally:
            _judging.reset(token)
        return ""


def _fields(item: Item, account: str) -> dict[str, Any]:
    """What the template knows."""
    chosen = [label for label in item.labels.labels if label.key in item.choices]
    return {
        "question": item.labels.question,
        "labels": chosen,
        "precedence": item.labels.precedence,
        "keys": ", ".join(item.choices),
        "account": account,
        "fence": f"===== {digest(account)} =====",
    }


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
        item = _judging.get()
        right = item.case.decided or random.Random(repr(item.key)).choice(item.choices)
        draw = random.Random(f"{self.stand_in.seed}/{item.key}/{len(messages)}")
        if draw.random() < self.stand_in.skill:
            return Completion(f"I go by the last steps.\nLabel: {right}")
        if draw.random() < 0.3:
            return Completion("There is a lot to be said about this.")
        return Completion(f"Hard to tell.\nLabel: {draw.choice(item.choices)}")

    async def aclose(self) -> None:
        """Nothing to let go of."""
