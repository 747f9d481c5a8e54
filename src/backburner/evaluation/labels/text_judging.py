"""A model as an annotator of texts: it is given the guidelines, and writes each text as actions in JSON.

Its answer is read as strictly as a file of annotations. What is wrong with it is told back once; then it
counts as unreadable.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

from msgspec import Meta, Struct
from msgspec.json import encode
from msgspec.structs import replace

from backburner.agents.models.client import Completion, Message, Settings
from backburner.agents.models.prompts import Prompts
from backburner.agents.models.toolbox import NO_TOOLS, Toolbox
from backburner.evaluation.labels.cases import Item
from backburner.evaluation.labels.judging import (
    USUAL,
    Court,
    Judge,
    Judged,
    StandInJudge,
    Unread,
    fence,
    judged_now,
)
from backburner.evaluation.labels.label_files import Key, Labels, Said
from backburner.evaluation.labels.texts import MOST_PIECES, Part, Source, lines_of
from backburner.kernel.assessment import Action, Case
from backburner.kernel.errors import BadFile
from backburner.kernel.files import Place, converted, decoded
from backburner.kernel.values import digest
from backburner.kernel.wrapping import spoken

LONGEST_ANSWER = 100_000


class _Answer(Struct, frozen=True, forbid_unknown_fields=True):
    actions: Annotated[tuple[Action, ...], Meta(min_length=1, max_length=MOST_PIECES)]


def annotate_texts(
    judge: Judge,
    records: Path,
    items: Sequence[Item],
    labels: Labels,
    progress: Callable[[], object] = lambda: None,
) -> Judged:
    """Have the texts annotated, each a ``whole``, that this judge has not annotated yet by these guidelines.

    Raises what ``judge_items`` raises.
    """
    return asyncio.run(TextCourt(judge, records, labels, progress).all(items))


def whole(source: Source) -> Part:
    """A text as one item, under the key of a label that every annotation has."""
    first = source.declared.properties[0]
    return Part(source.key(first, 0), source.path, first, Case(), source)


class StandInAnnotator(StandInJudge, frozen=True):
    """Writes labels that are drawn, the same for every stand-in; ``1 - skill`` of them are slips, and some
    answers cannot be read."""

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        """The text that the running task has before it, as actions."""
        source, skill = _source(judged_now()), self.stand_in.skill
        said: dict[Key, str] = {}
        while left := [part for part in source.parts(said) if part.key not in said]:
            for part in left:
                right = random.Random(repr(part.key)).choice(part.choices)
                draw = random.Random(f"{self.stand_in.seed}/{part.key}")
                said[part.key] = right if draw.random() < skill else draw.choice(part.choices)
        draw = random.Random(f"{self.stand_in.seed}/{source.record}/{len(messages)}")
        if draw.random() > skill + 0.7 * (1 - skill):
            return Completion("There is a lot to be said about this.")
        return Completion(encode({"actions": source.actions(said)}).decode())


class TextCourt(Court):
    """One run of a model that annotates texts."""

    method = "annotate"
    tries = 2
    looked_at = LONGEST_ANSWER
    usual = replace(USUAL, max_tokens=8192)
    stand_in = StandInAnnotator

    def fields(self, item: Item) -> dict[str, Any]:
        """What the template knows: the guidelines, and the text piece by piece."""
        source = _source(item)
        text = "\n".join(source.pieces)
        return {
            "declared": source.declared,
            "example": encode({"actions": source.declared.example}).decode(),
            "account": text,
            "fence": fence(text),
        }

    def read(self, answer: str, item: Item) -> dict[Key, str] | Unread:
        """What somebody says who writes the text so."""
        text, place = spoken(answer[-LONGEST_ANSWER:]).answer, Place("the answer")
        begin, end = text.find("{"), text.rfind("}")
        try:
            raw = decoded(text[max(begin, 0) : end + 1].encode(errors="replace"), place.file)
            return _source(item).saying(converted(raw, _Answer, place).actions, place)
        except BadFile as error:
            return Unread(str(error)[:2000])

    def version(self, words: Prompts, item: Item) -> str:
        """The guidelines are a part of it."""
        return f"{super().version(words, item)} {digest(_source(item).declared.sets)}"

    def lines(self, item: Item, read: Any, version: str) -> list[Said]:
        """Every label of the text; or a line that says so where it could not be read."""
        unread = super().lines(item, read, version) if isinstance(read, Unread) else []
        more = {"model": self._judge.client.name[:400], "prompts": version}
        said = {} if unread else read
        return [*lines_of(_source(item), said, self._judge.name, "judge", self._labels, **more), *unread]


def _source(item: Item) -> Source:
    return cast(Part, item).source
