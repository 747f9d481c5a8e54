"""Who played: requests of models are named in their records, made again, and compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.agents.models.answers import read_answer, response_id
from backburner.agents.models.client import Completion, Message, Settings
from backburner.agents.models.stand_in import StandIn
from backburner.agents.spec import AgentSpec
from backburner.evaluation.records import Unusable, former, records
from backburner.evaluation.running import runner
from backburner.evaluation.running.calls import Journal, answers_kept
from backburner.evaluation.running.clocks import clocked
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.submissions.vouching import CHECKED, NOT_CHECKED, NOT_TOLD, Vouched, read_vouched
from backburner.kernel import registry
from backburner.kernel.clock import Timing
from backburner.kernel.episode import read_episode
from backburner.kernel.values import LONGEST_RESPONSE_ID, Usage, total
from support.evaluation.forged import Object, forge
from support.models import asked

COOKING, SANDWICH = "timearena/cooking1+cooking2", "robotouille/asynchronous/2@seed=42"
MEAL, SOUP = "recipe2plan/Cobbler+Okra-Fry", "collab_overcooked/baked_bell_pepper"
LEVEL = "cuisineworld/level_0@tau=1.5"


def play(folder: Path, id: str, method: str, skill: float = 0.5) -> Path:
    """The record of a model called ``m``."""
    jobs = jobs_of([id], [AgentSpec(method, model="m")], 1, "standard", "article")
    (record,) = records(asked.play(jobs, folder / "runs", skill, 3))
    return record


def players(record: Path) -> tuple[Vouched, ...]:
    return read_vouched(record).players


@pytest.mark.parametrize(
    ("id", "method"),
    [
        (COOKING, "act"),
        (COOKING, "react"),
        (COOKING, "react@calls=together"),
        (COOKING, "react@history=last-reasoning-action"),
        (COOKING, "self-plan"),
        (COOKING, "reasoned"),
        (COOKING, "io@then=again"),
        (COOKING, "dispatcher"),
        (SANDWICH, "react@tries=3"),
        (SANDWICH, "react@tries=3,calls=apart,history=all"),
        (MEAL, "modulo@improve=on,rounds=4"),
        (MEAL, "plan-and-solve"),
        (MEAL, "reflexion@after=error"),
        (SOUP, "cook"),
        (LEVEL, "dispatcher"),
    ],
)
def test_requests_of_every_method_are_named_and_made_again(id: str, method: str, tmp_path: Path) -> None:
    record = play(tmp_path, id, method)
    found = players(record)
    episode = read_episode(record)
    assert {one.seat for one in found} == set(episode.header.seats)
    assert all(one.asking == CHECKED for one in found), found
    calls = total(usage for entry in episode.entries for usage in entry.usage.values()).calls
    assert sum(one.requests for one in found) == calls > 0
    ids = [s.id for e in episode.entries for usage in e.usage.values() for s in usage.requests]
    assert len(set(ids)) == calls and all(id.startswith("chatcmpl-") for id in ids)


def test_records_without_models_name_no_requests(tmp_path: Path) -> None:
    """Nor do those of stand-ins, which ask nobody: not a byte of them is other than before."""
    specs = [AgentSpec("greedy"), AgentSpec("act", model="stand-in:skill=1")]
    runner.run(jobs_of([COOKING], specs, 1, "standard", "article"), tmp_path, client_of=lambda _: StandIn(1))
    for record in records(tmp_path):
        assert b'"requests"' not in record.read_bytes() and players(record) == ()


def test_an_answer_adds_few_bytes_to_a_record(tmp_path: Path) -> None:
    """Of an answer that the record has whole: the request's name, the provider's id, and two field names."""
    episode = read_episode(play(tmp_path, COOKING, "act"))
    sizes = [
        len(msgspec.json.encode(sent))
        for e in episode.entries
        for usage in e.usage.values()
        for sent in usage.requests
    ]
    assert max(sizes) <= 32 + len("chatcmpl-") + 29 + len('{"request":"","id":""}')


# --- what does not follow -----------------------------------------------------------------------------------


def forged(record: Path, change: Callable[[list[Object]], Any]) -> str:
    """What is said of the record with this change, chained anew."""
    with pytest.raises(Unusable) as error:
        read_vouched(forge(record, change, record.with_name("forged.jsonl")))
    return error.value.why


def spent(objects: list[Object], index: int = 1) -> Any:
    return objects[index]["spent"]["agent"]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("honest"), COOKING, "react")


def settings_of(objects: list[Object]) -> Any:
    return objects[0]["players"]["agent"]["settings"]


@pytest.mark.parametrize(
    "change",
    [
        lambda objects: settings_of(objects).update(model="gpt-9"),
        lambda objects: settings_of(objects).update(temperature=1.0),
        lambda objects: spent(objects)["requests"][1].update(request="0" * 32),
        lambda objects: spent(objects)["requests"].reverse(),
        lambda objects: spent(objects, 2)["requests"].pop(),
        lambda objects: objects[1]["answers"]["agent"]["thoughts"][0].update(text="Something else."),
        lambda objects: objects[2]["answers"]["agent"].pop("thoughts"),
    ],
)
def test_what_does_not_follow_from_the_record_is_refused(
    honest: Path, change: Callable[[list[Object]], Any]
) -> None:
    """Another model, temperature, method, request or thought: the names tell."""
    assert "do not follow from method, settings and answers" in forged(honest, change)


def test_a_model_that_was_never_asked_is_refused(honest: Path) -> None:
    def unasked(objects: list[Object]) -> None:
        for line in objects[1:]:
            line.pop("spent", None)

    assert "a language model, and no call was made for any of" in forged(honest, unasked)

    def named_only(objects: list[Object]) -> None:
        settings_of(objects).clear()
        unasked(objects)

    assert "no call was made" in forged(honest, named_only), "react(m) is what models are called"


def test_words_that_are_not_those_of_the_version_named_are_refused(honest: Path) -> None:
    said = "its prompts are not worded as version"
    assert said in forged(honest, lambda objects: settings_of(objects).update(prompts="0" * 16))
    assert said in forged(honest, lambda objects: settings_of(objects).update(method="reflexion", choices={}))
    other = forged(honest, lambda objects: settings_of(objects).update(method="self-plan"))
    assert "unknown option" in other


def test_more_requests_than_calls_are_refused(honest: Path) -> None:
    assert "2 requests of 1 calls" in forged(honest, lambda objects: spent(objects).update(calls=1))


def test_records_of_before_are_told_nothing_of(honest: Path) -> None:
    def of_before(objects: list[Object]) -> None:
        for line in objects[1:]:
            line.get("spent", {}).get("agent", {}).pop("requests", None)

    record = forge(honest, of_before, honest.with_name("before.jsonl"))
    read = read_vouched(record)
    (found,) = read.players
    assert (found.asking, found.requests) == (NOT_TOLD, 0)
    assert "names no request of" in next(f.why for f in read.verdict.claimed if f.part == "player")
    assert not any(fact.part == "player" for fact in read.verdict.verified)


def test_a_decision_without_a_call_among_others_is_told(honest: Path) -> None:
    """A stand-in, or somebody else, may have had the seat for a while, as in games that are served."""

    def another(objects: list[Object]) -> None:
        objects[2].pop("spent")
        objects[2]["answers"]["agent"].pop("thoughts")

    (found,) = players(forge(honest, another, honest.with_name("another.jsonl")))
    assert found.asking == NOT_TOLD and found.why == "step 1 has no call"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda objects: objects[0].update(version="0.0.9"), "version 0.0.9 of the package made them"),
        (lambda objects: objects[0].update(world_version=1), "they are of version 1 of the world"),
        (lambda objects: settings_of(objects).update(prompts="0" * 16, prompts_version="own"), "otherwise"),
        (lambda objects: settings_of(objects)["choices"].update(start="x"), "a plan from another file"),
    ],
)
def test_what_cannot_be_made_again_here_is_not_checked(
    honest: Path, change: Callable[[list[Object]], Any], why: str
) -> None:
    if "world" in why and registry.world(COOKING).version == 1:
        pytest.skip("there is no version of the world before this one")
    record = forge(honest, change, honest.with_name("elsewhere.jsonl"))
    (found,) = players(record)
    assert found.asking == NOT_CHECKED and why in found.why


def test_a_later_attempt_needs_those_before_it(tmp_path: Path) -> None:
    record = play(tmp_path, MEAL, "reflexion", skill=0.2)
    assert former(record, 1).exists(), "the first attempt was cut off"
    assert {one.asking for one in players(record)} == {CHECKED}
    former(record, 1).unlink()
    found = players(record)
    assert {one.asking for one in found} == {NOT_CHECKED} and "are not at hand" in found[0].why


# --- response ids, which are foreign ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ('"chatcmpl-1"', "chatcmpl-1"),
        ("17", ""),
        ("null", ""),
        ("1" * 5000, ""),
        ("[" * 500 + "]" * 500, ""),
        ('"\\u001b[2J\\u202e"', "[2J"),
    ],
)
def test_what_a_server_calls_its_answer_is_kept_printable(told: str, kept: str) -> None:
    answer = read_answer(b'{"id":%b,"choices":[{"message":{"content":"hi"}}]}' % told.encode())
    assert answer.text == "hi" and response_id(answer.own_id) == kept
    assert len(response_id("x" * 10_000)) == LONGEST_RESPONSE_ID


def test_journals_of_before_are_read_and_new_ones_keep_ids(tmp_path: Path) -> None:
    file = tmp_path / "a.calls"
    old = b'{"what":"sent","request":"a"}\n{"what":"answered","request":"a","completion":{"text":"yes"}}\n'
    file.write_bytes(old)
    with Journal(file) as journal:
        assert journal.known("a") == Completion("yes")
        journal.write("sent", "b")
        journal.received("b", Completion("no", id="chatcmpl-7"))
    assert [one.id for one in answers_kept(file)["b"]] == ["chatcmpl-7"]


def test_sums_of_costs_hold_no_requests(honest: Path) -> None:
    costs = [usage for _, usage in read_episode(honest).costs()]
    assert costs[0].requests and total(costs).requests == () and total(costs[:1]) != Usage()


class Thinking:
    """Thinks for 30 tokens, and waits in 5; ``caps``: the longest answers that it was allowed."""

    name, origin = "m", {"model": "m"}

    def __init__(self) -> None:
        self.caps: list[int | None] = []

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        acts = len(self.caps) % 2
        self.caps.append(settings.max_tokens)
        return Completion("wait", 9, 5) if acts else Completion("hm", 9, 30, id="chatcmpl-1")

    async def aclose(self) -> None:
        """Nothing to let go of."""


@pytest.mark.parametrize(("count", "asking"), [("told", CHECKED), ("bytes", NOT_CHECKED)])
def test_caps_that_the_longest_thought_lowered_are_made_again(
    count: Any, asking: str, tmp_path: Path
) -> None:
    """60 tokens a minute, and a minute for a thought: 60 for its first call; the second has those left."""
    jobs = jobs_of(["timearena/cooking1"], [AgentSpec("react", model="m")], 1, "standard", "article")
    model = Thinking()
    timed = clocked(jobs, [Timing(speed="60/minute", limit="60", count=count)])
    runner.run(timed, tmp_path, client_of=lambda _: model)
    assert model.caps[:4] == [60, 30 if count == "told" else 59] * 2
    (record,) = records(tmp_path)
    (player,) = players(record)
    assert player.asking == asking and player.requests > 40
