"""Models of Inspect behind the one boundary to language models, and what the episodes of a run share.

They share journals of their calls, and books.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from time import perf_counter
from typing import Any, cast
from urllib.parse import urlsplit

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentImage,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
)
from inspect_ai.tool import ToolCall as InspectCall
from inspect_ai.tool import ToolInfo, ToolParams
from inspect_ai.util import LimitExceededError

from backburner.agents.models.answers import NEVER, overflows, refused, response_id
from backburner.agents.models.client import Choices, Completion, Message, Secret, Settings
from backburner.agents.models.toolbox import NO_TOOLS, Received, Toolbox, called, given_in
from backburner.drawing.png import data_url
from backburner.evaluation.records import journal_of
from backburner.evaluation.running.calls import (
    NO_END,
    Books,
    Budget,
    Busy,
    Journal,
    JournalKeeper,
    Keeper,
    calls_kept_by,
)
from backburner.kernel.errors import ContextOverflow, PolicyFailure, RunStops
from backburner.kernel.tools import Tool

ENDINGS = {"stop": "", "unknown": "", "max_tokens": "length", "model_length": "length"}
"""Inspect's reasons for which answers end, as ``Completion.ending`` has them; others have the same name."""

_MESSAGES: Mapping[str, type[ChatMessageSystem | ChatMessageUser | ChatMessageAssistant]] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}


class InspectClient:
    """A model that Inspect asks; a ``ModelClient`` for one episode.

    Retries, rate limits, caches and usage are Inspect's. Any failure of a call is a ``PolicyFailure``; so
    is one of Inspect's limits, which is kept in ``exceeded`` for whoever wants to raise it in the end. With
    ``stops_runs`` a wrong key, an unknown model and an empty account are ``RunStops``.
    """

    def __init__(self, model: Model, *, stops_runs: bool = False) -> None:
        self.name = str(model)
        self.exceeded: LimitExceededError | None = None
        self._model = model
        self._stops_runs = stops_runs
        self._sent: dict[Message, ChatMessage] = {}

    @property
    def origin(self) -> Mapping[str, Any]:
        """The model, and its server if one was named."""
        address = _plain_address(self._model.api.base_url)
        return {"model": self.name, **({"base_url": address} if address else {})}

    @property
    def told(self) -> Choices:
        """The decoding that Inspect's own options ask for, such as ``--temperature``."""
        config = self._model.config
        return Choices.given(
            temperature=config.temperature,
            max_tokens=config.max_tokens,
            seed=config.seed,
            top_p=config.top_p,
            stop=tuple(config.stop_seqs or ()),
            reasoning_effort=config.reasoning_effort,
        )

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        """The answer; see ``ModelClient``. Its text is empty if the model only reasons or calls a tool, of
        which Inspect carries out none."""
        config = GenerateConfig(
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            stop_seqs=list(settings.stop) or None,
            seed=settings.seed,
            top_p=settings.top_p,
            reasoning_effort=cast(
                Any, settings.reasoning_effort
            ),  # Inspect refuses the words it does not know
            extra_body=json.loads(settings.extra_body) if settings.extra_body else None,
            parallel_tool_calls=None if tools.parallel else False,
        )
        sent = self._messages(messages)  # a picture that cannot be made is no failed call
        started = perf_counter()
        too_long = hopeless = False
        try:
            output = await self._model.generate(
                sent,
                tools=[_info(each) for each in tools.tools],
                tool_choice="any" if tools.must else None,
                config=config,
            )
        except LimitExceededError as limit:
            self.exceeded = limit
            failure = f"stopped by a limit of Inspect: {limit.message}"
        except Exception as error:  # providers raise what they like
            failure = _explain(error)
            too_long = _is_overflow(error)
            hopeless = self._stops_runs and getattr(_last_of(error), "status_code", None) in NEVER
        else:
            failure = _no_answer(output)
            too_long = not output.empty and output.stop_reason == "model_length"
            if not failure:
                return _completion(output, perf_counter() - started, tools)
        key = Secret(self._model.api.api_key or "")
        words = f"{self.name}: {key.quoted(failure)}"
        if hopeless:
            raise RunStops(words)
        raise ContextOverflow(words) if too_long else PolicyFailure("model", words)

    async def aclose(self) -> None:
        """Does nothing: Inspect closes its models."""

    def _messages(self, messages: Sequence[Message]) -> list[ChatMessage]:
        """One object for equal messages: logs then keep each only once."""
        names = {call.id: call.name for message in messages for call in message.calls}
        for message in messages:
            if message not in self._sent:
                self._sent[message] = _message(message, names)
        return [self._sent[message] for message in messages]


def _message(message: Message, names: Mapping[str, str]) -> ChatMessage:
    """A message as Inspect has it; ``names``: of the tools that calls are of, by the calls' ids."""
    if message.call:
        return ChatMessageTool(
            content=message.content, tool_call_id=message.call, function=names.get(message.call)
        )
    if message.calls:
        calls = [
            InspectCall(id=each.id, function=each.name, arguments=given_in(each)) for each in message.calls
        ]
        return ChatMessageAssistant(content=message.content, tool_calls=calls)
    content: Any = message.content
    if message.picture is not None:
        content = [ContentText(text=message.content), ContentImage(image=data_url(message.picture))]
    return _MESSAGES[message.role](content=content)


def _info(tool: Tool) -> ToolInfo:
    """A tool as Inspect has it."""
    return ToolInfo(
        name=tool.name,
        description=tool.description,
        parameters=ToolParams.model_validate(tool.parameters),
    )


def _plain_address(url: str | None) -> str:
    """The URL without user, password and query, which may be secret."""
    parts = urlsplit(url or "")
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl().rstrip("/")


def _is_overflow(error: Exception) -> bool:
    """Whether a provider says that the conversation is too long, where Inspect does not see it."""
    error = _last_of(error)
    words = getattr(error, "provider_message", None) or error
    codes = [getattr(error, name, None) for name in ("code", "type")]
    return overflows(getattr(error, "status_code", None), str(words), codes)


def _last_of(error: Exception) -> Exception:
    """What the last try came to, where Inspect wraps it up."""
    tried = getattr(error, "last_attempt", None)
    return (tried is not None and tried.exception()) or error


def _explain(error: Exception) -> str:
    """What went wrong: in the last try, and in the provider's words, where Inspect wraps these up."""
    error = _last_of(error)
    status = getattr(error, "status_code", None)
    if status == 401:
        return "the key was refused (401)"  # without its words: servers like to repeat parts of the key
    if words := getattr(error, "provider_message", None):  # the error's own text begins with the request
        return refused(status, words)
    return f"{type(error).__name__}: {error}"


def _no_answer(output: ModelOutput) -> str:
    """Why this is no answer of the model; empty if it is one.

    Where a provider refuses a request because of its length or its content, Inspect hands on the error's
    words as if the model had said them; nothing is billed for those.
    """
    if output.empty:
        return output.error or "the answer holds nothing"
    refused = output.usage is None and output.stop_reason in ("model_length", "content_filter")
    if refused or output.error:
        why = "too long for the model" if output.stop_reason == "model_length" else "refused"
        return f"the request was {why}: {output.error or output.completion}"
    return ""


def _completion(output: ModelOutput, seconds: float, tools: Toolbox) -> Completion:
    usage, content = output.usage, output.message.content
    refused = any(isinstance(part, ContentText) and part.refusal for part in content)
    read = (
        (usage.input_tokens, usage.input_tokens_cache_read, usage.input_tokens_cache_write) if usage else ()
    )
    told_apart = [part for part in content if isinstance(part, ContentReasoning)]
    ending = "refusal" if refused else ENDINGS.get(output.stop_reason, output.stop_reason)
    return Completion(
        "" if refused else _as_written(output.completion, told_apart),
        sum(tokens or 0 for tokens in read),
        usage.output_tokens if usage else 0,
        seconds if output.time is None else output.time,
        "" if tools.tools and ending == "tool_calls" else ending,
        reasoning="\n\n".join(filter(None, (_words(part) for part in told_apart if not _written(part)))),
        reasoning_tokens=(usage and usage.reasoning_tokens) or 0,
        cached_tokens=(usage and usage.input_tokens_cache_read) or 0,
        server=output.model or "",
        id=response_id(getattr(output, "response_id", None) or ""),  # which earlier versions lack
        calls=called(_received(output), tools.tools) if tools.tools else (),
    )


def _received(output: ModelOutput) -> list[Received]:
    """The calls as Inspect has read them."""
    return [
        Received(call.function, json.dumps(call.arguments), call.id, call.parse_error is not None)
        for call in output.message.tool_calls or ()
    ]


def _written(part: ContentReasoning) -> bool:
    """Whether Inspect has found a thought in the answer's text, and not beside it."""
    return part.internal == "think"


def _words(part: ContentReasoning) -> str:
    """The thought, or what the provider lets be known of it."""
    return (part.summary or "") if part.redacted else (part.reasoning or part.summary or "")


def _as_written(text: str, reasoning: Sequence[ContentReasoning]) -> str:
    """The answer's text with the thought in it that Inspect has taken out, before it as models write it.

    Some worlds read it there. How it was spaced is not known any more. An answer that is all thought Inspect
    leaves as it is.
    """
    whole = text.lstrip().startswith("<think") and text.rstrip().endswith("</think>")
    for part in reasoning:
        if _written(part) and not (whole and part.reasoning in text):
            text = f"<think>\n{part.reasoning}\n</think>\n\n{text}"
    return text


# --- what a run shares -------------------------------------------------------------------------------------


class RunCalls:
    """The calls of a run to models. ``is_finished``: whether the record at this place is one that the run is
    to make, and finished.

    ``busy``: records of episodes that another process plays; ``elsewhere``: those that another process has
    finished since the run began; ``stopped``: why no further call can be made. ``keeper_of``: who keeps the
    calls of the episode with this record, if not a journal beside it.
    """

    def __init__(
        self,
        budget: Budget = NO_END,
        is_finished: Callable[[Path], bool] = lambda path: False,
        keeper_of: Callable[[Path], Keeper] | None = None,
    ) -> None:
        self.busy: set[Path] = set()
        self.elsewhere: set[Path] = set()
        self.stopped = ""
        self._books = Books(budget)
        self._is_finished = is_finished
        self._keeper_of = keeper_of

    @contextmanager
    def kept(self, path: Path) -> Iterator[Journal | None]:
        """Within it, a ``KeptClient`` keeps its answers in the journal beside the record.

        ``None``: another process has finished the episode in the meantime. Raises ``Busy`` if another
        process plays it, ``RunStops`` if no further call can be made.
        """
        if self.stopped:
            raise RunStops(self.stopped)
        try:
            journal = Journal(journal_of(path))
        except Busy:
            self.busy.add(path)
            raise
        with journal:
            if self._is_finished(path):
                self.elsewhere.add(path)
                journal.remove()
                yield None
                return
            try:
                most_seconds = self._books.budget.episode_seconds
                own = JournalKeeper(journal, self._books)
                with calls_kept_by(self._keeper_of(path) if self._keeper_of else own, most_seconds):
                    yield journal
            except RunStops as stop:
                self.stopped = self.stopped or str(stop)
                raise


_running: ContextVar[RunCalls | None] = ContextVar("running", default=None)


@contextmanager
def calls_of(run: RunCalls) -> Iterator[None]:
    """Within it, episodes belong to this run."""
    token = _running.set(run)
    try:
        yield
    finally:
        _running.reset(token)


def calls_now() -> RunCalls | None:
    """The run that the present episode belongs to; ``None``: Inspect was not started by a run of ours."""
    return _running.get()
