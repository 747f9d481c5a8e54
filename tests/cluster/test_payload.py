"""What goes along to workers, and what must be the same there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from backburner.agents.spec import AgentSpec, Endpoint
from backburner.cluster.worker import Payload, about_here, check_alike, digest_of, files_for
from backburner.kernel.errors import Refused

KEY = "sk-live-0123456789"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_that_are_named_go_along_by_their_paths(here: Path) -> None:
    for name in ("days/one.json", "words/act/act.jinja", "answers.txt", "runs/a+b.jsonl"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(name)
    agents = [
        AgentSpec("act", "script:answers.txt", prompts="words"),
        AgentSpec("greedy+replay:runs/a+b.jsonl"),
        AgentSpec("act", "m", seats=(("chef", Endpoint("script:answers.txt")),)),
    ]
    assert files_for(["days/one.json", "timearena/lab1"], agents) == {
        name: name.encode()
        for name in ("days/one.json", "runs/a+b.jsonl", "answers.txt", "words/act/act.jinja")
    }


def test_folders_that_a_build_names_go_along_whole(here: Path) -> None:
    for name in ("recipes/soup.json", "recipes/more/tea.json", "mine.json"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(name)
    assert set(files_for((), others=["recipes"])) == {"recipes/soup.json", "recipes/more/tea.json"}
    assert set(files_for((), others=["./mine.json"])) == {"mine.json"}


@pytest.mark.parametrize("name", ["/elsewhere/day.json", "../day.json"])
def test_a_file_that_lies_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(Refused, match=r"day\.json: with --cluster, name files by paths below"):
        files_for([name])


def test_an_agent_of_ones_own_brings_the_modules_that_it_imported(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "helping_hand.py").write_text("ONE = 1\n")
    (here / "my_own.py").write_text("from helping_hand import ONE\nclass Mine: pass\n")
    monkeypatch.syspath_prepend(str(here))
    import my_own  # noqa: F401

    try:
        assert set(files_for([], [AgentSpec("my_own:Mine")])) == {"helping_hand.py", "my_own.py"}
        assert files_for([], [AgentSpec("greedy")]) == {}
    finally:
        sys.modules.pop("my_own")
        sys.modules.pop("helping_hand")


def test_keys_go_along_and_are_never_shown() -> None:
    payload = Payload({"a": b""}, {"OPENAI_API_KEY": KEY}, (), lambda endpoint, key=KEY: None)
    assert payload.variables == {"OPENAI_API_KEY": KEY}
    assert repr(payload) == str(payload) == "Payload(1 files)"


def test_workers_are_like_the_head_or_do_not_work() -> None:
    here = about_here()
    check_alike(here)
    for field, value, words in (
        ("Python", "3.10", f"has Python 3.10, and here is {here['Python']}"),
        ("backburner", "0.0.9", "has backburner 0.0.9, and here is"),
        ("sources", "other", "has other sources of backburner"),
    ):
        with pytest.raises(Refused, match=words):
            check_alike(here | {field: value})
    with pytest.raises(Refused, match="no module msgspec in /python; install backburner there"):
        check_alike({"missing": "the worker on x has no module msgspec in /python"})


def test_what_is_kept_of_sources_as_they_run_makes_no_other_sources(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("STEPS = 60")
    before = digest_of(tmp_path)
    kept = tmp_path / "__pycache__"
    kept.mkdir()
    for name in ("rules.cpython-311.pyc", "rules.step-12.py311.nbi", "rules.step-12.py311.1.nbc"):
        (kept / name).write_bytes(b"compiled")
    assert digest_of(tmp_path) == before
    (tmp_path / "level.json").write_text("{}")
    assert digest_of(tmp_path) != before
