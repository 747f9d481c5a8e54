"""Forged submissions: each is refused or marked, and of what cannot be known the page says so.

The honest one has the records of a model called ``m`` that plays as well as a stand-in of skill .7. The
forgers have the oracle's records, a stand-in's, and the honest one's. Chains and manifests they make anew.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.agents.models.stand_in import stand_in_named
from backburner.agents.spec import AgentSpec
from backburner.evaluation.comparing.headline import Scale, scale
from backburner.evaluation.records import records
from backburner.evaluation.running import runner
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.scoring import scores
from backburner.evaluation.submissions.checking import verify_submission
from backburner.evaluation.submissions.leaderboard import leaderboard, plain
from backburner.evaluation.submissions.originality import RECEIPTS
from backburner.evaluation.submissions.retelling import asked_in
from backburner.evaluation.submissions.submission import MANIFEST, NO_REQUESTS, About, digest_of
from backburner.evaluation.submissions.submitting import collect, submit
from backburner.kernel import registry
from backburner.kernel.contract import decision_of
from backburner.kernel.episode import episode_in
from backburner.kernel.errors import BackburnerError
from backburner.kernel.replay import world_of
from support.evaluation.forged import Object, forged, objects_in
from support.models import asked

SINGLES = registry.expand("timearena/singles")[:8]

Forgery = Callable[[list[Object], list[Object]], None]
"""Changes the lines of somebody's record, given those of the honest one of the same scenario."""


@pytest.fixture(scope="module")
def over() -> Scale:
    return scale(["timearena"])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders of records: ``honest``, ``oracle``, ``stand-in``."""
    folder = tmp_path_factory.mktemp("runs")

    def jobs(agent: AgentSpec) -> Any:
        return jobs_of(SINGLES, [agent], 1, "standard", "article")

    asked.play(jobs(AgentSpec("act", model="m")), folder / "honest")
    runner.run(jobs(AgentSpec("oracle")), folder / "oracle")
    stand_in = AgentSpec("act", model="stand-in:skill=1")
    runner.run(jobs(stand_in), folder / "stand-in", client_of=lambda endpoint: stand_in_named(endpoint.model))
    return folder


def forge(runs: Path, whose: str, out: Path, *forgeries: Forgery) -> Path:
    """A folder with somebody's records, forged."""
    for number, (own, honest) in enumerate(zip(records(runs / whose), records(runs / "honest"), strict=True)):
        objects = objects_in(own.read_bytes())
        for change in forgeries:
            change(objects, objects_in(honest.read_bytes()))
        out.mkdir(exist_ok=True)
        (out / f"{number}.jsonl").write_bytes(forged(objects))
    return out


def submitted(folder: Path, over: Scale, out: Path, *allowed: str) -> Path:
    submit(collect(scores.load(folder), over, allowed=allowed), over, out, About("gpt-9-ultra", "OpenAI"))
    return out


# --- what forgers do ----------------------------------------------------------------------------------------


def answers(objects: list[Object]) -> list[Any]:
    return [line["answers"]["agent"] for line in objects if line["record"] == "step"]


def renamed(objects: list[Object], honest: list[Object]) -> None:
    """The players of an honest record."""
    objects[0]["players"] = honest[0]["players"]


def in_words(objects: list[Object], honest: list[Object]) -> None:
    """Every decision in the world's own words."""
    episode = episode_in(forged(objects), "forged")
    world: Any = world_of(episode)
    for line, entry in zip(objects[1:], episode.entries, strict=False):
        for seat, answer in entry.answers.items():
            line["answers"][seat]["text"] = world.words(decision_of(world, answer.decision), seat)


def in_gibberish(objects: list[Object], honest: list[Object]) -> None:
    for answer in answers(objects):
        answer["text"] = "I would like to think about it."


def with_one_true_call(objects: list[Object], honest: list[Object]) -> None:
    """The oracle's decisions after the honest one's first."""
    objects[1]["spent"] = honest[1]["spent"]


def paid(objects: list[Object], honest: list[Object]) -> None:
    """Calls and tokens that nobody made."""
    for line in objects[1:-1]:
        spent = {"seconds": 0.7, "calls": 1, "input_tokens": 812, "output_tokens": 14}
        line["spent"] = {"agent": spent}


def with_requests_of_another(objects: list[Object], honest: list[Object]) -> None:
    """The requests of an honest record, with its answers' ids."""
    sent = [line["spent"]["agent"]["requests"] for line in honest[1:-1]]
    for number, line in enumerate(objects[1:-1]):
        line["spent"]["agent"]["requests"] = sent[number % len(sent)]


def of_another_version(objects: list[Object], honest: list[Object]) -> None:
    objects[0]["version"] = "9.9.9"


def of_another_world_version(objects: list[Object], honest: list[Object]) -> None:
    objects[0]["world_version"] += 1


def in_words_of_its_own(objects: list[Object], honest: list[Object]) -> None:
    settings = objects[0]["players"]["agent"]["settings"]
    settings |= {"prompts": "0123456789abcdef", "prompts_version": "own"}


def without_tokens(objects: list[Object], honest: list[Object]) -> None:
    for line in objects[1:-1]:
        line["spent"]["agent"] |= {"input_tokens": 0, "output_tokens": 0}


def as_an_agent_of_its_own(objects: list[Object], honest: list[Object]) -> None:
    objects[0]["players"] = {"agent": {"name": "gpt-9-ultra", "informed": False, "settings": {}}}
    for line in objects[1:]:
        line.pop("spent", None)
        for answer in line.get("answers", {}).values():
            answer.pop("text", None)


def with_the_right_requests(objects: list[Object], honest: list[Object]) -> None:
    """What the package itself would have sent, worked out with the package."""
    paid(objects, honest)
    for line in objects[1:-1]:
        line["spent"]["agent"]["requests"] = [{"request": "0" * 32, "id": "chatcmpl-9"}]
    episode = episode_in(forged(objects), "forged")
    calls = asked_in(Path("forged.jsonl"), episode, world_of(episode)).calls
    for line in objects[1:-1]:
        sent = [{"request": call.request, "id": "chatcmpl-9"} for call in calls[line["index"], "agent"]]
        line["spent"]["agent"]["requests"] = sent


# --- refused by submit and by verify ------------------------------------------------------------------------

REFUSED: list[tuple[str, tuple[Forgery, ...], str]] = [
    ("oracle", (renamed,), "a language model, and no call was made for any of"),
    ("oracle", (renamed, in_words), "a language model, and no call was made for any of"),
    ("oracle", (renamed, in_gibberish), "reads as"),
    ("oracle", (renamed, in_words, paid), "names no request of"),
    ("stand-in", (renamed,), "names no request of"),
    ("oracle", (renamed, in_words, paid, with_requests_of_another), "do not follow from method, settings"),
    ("oracle", (renamed, paid, with_requests_of_another), "the method does not come to this answer"),
    ("oracle", (renamed, in_words, with_one_true_call), "has no call"),
    ("honest", (of_another_world_version,), "the world's version"),
    ("honest", (lambda o, h: o.insert(1, o.pop(2)),), "expected step 0"),
    ("honest", (lambda o, h: o[0].update(rules={**o[0]["rules"], "name": "released"}),), "the rules"),
    ("honest", (lambda o, h: o[-1]["numbers"].update(score=99.5),), "the ending's numbers"),
    ("honest", (lambda o, h: o[1].update(events=[]),), "events"),
    ("honest", (lambda o, h: answers(o)[0].update(text="Wait."),), "reads as"),
]


UNNAMED = ("names no request of", "has no call")


@pytest.mark.parametrize(("whose", "forgeries", "why"), REFUSED)
def test_a_forged_record_is_refused(
    runs: Path, over: Scale, tmp_path: Path, whose: str, forgeries: tuple[Forgery, ...], why: str
) -> None:
    """By ``submit``, and in a manifest that lists it by ``verify``."""
    folder = forge(runs, whose, tmp_path / "records", *forgeries)
    with pytest.raises(BackburnerError, match=why):
        submitted(folder, over, tmp_path / "made")
    made = submitted(runs / "honest", over, tmp_path / "submission")
    raw = msgspec.json.decode((made / MANIFEST).read_bytes())
    for item, file in zip(raw["records"], sorted(folder.iterdir()), strict=True):
        content = file.read_bytes()
        (made / item["path"]).write_bytes(content)
        item |= {"bytes": len(content), "digest": digest_of(content)}
        item["id"] = objects_in(content)[0].get("id", item["id"])
    (made / MANIFEST).write_bytes(msgspec.json.encode(raw))
    problems = "\n".join(verify_submission(made, over).problems)
    assert (f"says nothing of {NO_REQUESTS}" if why in UNNAMED else why) in problems


def test_records_that_were_dropped_are_missed(runs: Path, over: Scale, tmp_path: Path) -> None:
    """From the manifest or not: a file that is gone is named, a scenario that is gone is missing."""
    made = submitted(runs / "honest", over, tmp_path / "made")
    next(made.rglob("*.jsonl")).unlink()
    with pytest.raises(BackburnerError, match=r"is listed in submission\.json and not there"):
        verify_submission(made, over)
    less = forge(runs, "honest", tmp_path / "records")
    next(less.iterdir()).unlink()
    found = verify_submission(submitted(less, over, tmp_path / "less"), over)
    assert found.headline and any(
        SINGLES[0] in line or "scenarios of" in line for line in found.headline.missing
    )


# --- marked -------------------------------------------------------------------------------------------------


def board_of(over: Scale, folder: Path, **submissions: Path) -> dict[str, Any]:
    """What a board says of each submission, by its name; the first one was seen before all others."""
    there = folder / "submissions"
    for name, made in submissions.items():
        shutil.copytree(made, there / name.replace("_", "-"))
        board = leaderboard(there, [over], folder / RECEIPTS)
    told = msgspec.to_builtins(plain(board))
    assert not told["refused"]
    return {one["folder"]: one for one in (*told["ranked"], *told["not_ranked"])}


@pytest.mark.parametrize(
    ("whose", "forgeries"),
    [
        ("stand-in", (renamed,)),
        ("oracle", (renamed, in_words, paid)),
        ("oracle", (renamed, in_words, paid, of_another_version)),
    ],
)
def test_models_without_requests_have_no_place(
    runs: Path, over: Scale, tmp_path: Path, whose: str, forgeries: tuple[Forgery, ...]
) -> None:
    """As records of before have none: they may be submitted, marked."""
    folder = forge(runs, whose, tmp_path / "records", *forgeries)
    made = submitted(folder, over, tmp_path / "made", NO_REQUESTS)
    found = board_of(over, tmp_path, forged=made)["forged"]
    assert found["marks"] == (NO_REQUESTS,) and found["place"] is None
    assert found["why_not"] == "its records do not name what its models were asked"
    assert found["claimed"]["player"] == "requests to models: not told in 8 records"


@pytest.mark.parametrize("excuse", [of_another_version, in_words_of_its_own])
def test_requests_that_cannot_be_made_again_are_said_not_to_be_checked(
    runs: Path, over: Scale, tmp_path: Path, excuse: Forgery
) -> None:
    forgeries = (renamed, in_words, paid, with_requests_of_another, excuse)
    made = submitted(forge(runs, "oracle", tmp_path / "records", *forgeries), over, tmp_path / "made")
    found = board_of(over, tmp_path, forged=made)["forged"]
    assert found["claimed"]["player"] == "requests to models: not checked in 8 records"
    likeness = {(one["one"], one["other"]): one for one in found["likenesses"]}["it", "oracle"]
    assert likeness["equal"] == likeness["choices"] > 20


def test_an_agent_of_its_own_is_said_to_have_asked_no_model(runs: Path, over: Scale, tmp_path: Path) -> None:
    folder = forge(runs, "oracle", tmp_path / "records", as_an_agent_of_its_own)
    found = board_of(over, tmp_path, forged=submitted(folder, over, tmp_path / "made"))["forged"]
    assert found["claimed"]["player"] == "by the records no model was asked"
    assert found["claimed"]["agent"] == "gpt-9-ultra"


COPIES: list[tuple[Forgery, ...]] = [(without_tokens,), (as_an_agent_of_its_own,), (of_another_version,)]


@pytest.mark.parametrize("forgeries", COPIES)
def test_a_copy_is_known_by_what_is_played(
    runs: Path, over: Scale, tmp_path: Path, forgeries: tuple[Forgery, ...]
) -> None:
    """Without tokens, by another name without words, of another version; by a name that comes earlier."""
    honest = submitted(runs / "honest", over, tmp_path / "honest")
    copy = submitted(forge(runs, "honest", tmp_path / "records", *forgeries), over, tmp_path / "copy")
    found = board_of(over, tmp_path, honest=honest, aaa_thief=copy)
    assert found["aaa-thief"]["why_not"].startswith("8 of its 8 records play what those of honest did")
    assert "play what those of" not in found["honest"]["why_not"]


# --- what cannot be known -----------------------------------------------------------------------------------


def test_a_perfect_forgery_stands_beside_whom_it_plays_like(runs: Path, over: Scale, tmp_path: Path) -> None:
    """Whoever works out every request with the package, and answers with the oracle's decisions, has what a
    model's records have. The board says of all that the player is claimed, and of this one whom it plays
    like."""
    forgeries = (renamed, in_words, with_the_right_requests)
    made = submitted(forge(runs, "oracle", tmp_path / "records", *forgeries), over, tmp_path / "made")
    honest = submitted(runs / "honest", over, tmp_path / "honest")
    found = board_of(over, tmp_path, honest=honest, forged=made)
    assert found["forged"]["claimed"]["player"] == "requests to models: checked in 8 records"
    like = {
        name: {(one["one"], one["other"]): one["equal"] / one["choices"] for one in found[name]["likenesses"]}
        for name in found
    }
    assert like["forged"]["it", "oracle"] == 1.0 > like["forged"]["greedy", "oracle"]
    assert like["honest"]["it", "oracle"] < 1.0
    facts = {fact.part: fact.why for fact in verify_submission(made, over).claimed}
    assert "that the answers came from act(m)" in facts["agent"]
    assert "calls; the sums are right" in facts["cost"]
