"""An agent of the user's own, named as Python imports it: what works, and what each mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest

import backburner
from backburner.agents.own import own_policy
from backburner.agents.roster import check_spec, make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError, Refused, UnknownName
from support.small_worlds.relay import Relay

HERE = "support.own_agents"


def played(agent: str) -> Episode:
    return backburner.play_now(Relay(), make_policies(AgentSpec(agent), Relay()))


def refusal(agent: str) -> str:
    """What is told before or in play."""
    with pytest.raises(BackburnerError) as caught:
        played(agent)
    return str(caught.value)


@pytest.mark.parametrize("maker", ["Patient", "patient_by_function"])
def test_a_class_or_a_function_makes_it_from_the_world(maker: str) -> None:
    episode = played(f"{HERE}:{maker}")
    player = episode.header.players["reader"]
    assert (player.name, player.informed) == ("patient", False)
    assert player.settings == {"made_for": "relay/door", "agent": f"{HERE}:{maker}"}
    assert {answer.text for entry in episode.entries for answer in entry.answers.values()} == {"rest"}


def test_a_class_that_takes_nothing_is_made_of_nothing() -> None:
    assert played(f"{HERE}:Plain").header.agent == "plain"


def test_an_agent_of_the_package_s_own_code_plays_too() -> None:
    own = played("backburner.agents.scripted:RandomPolicy")
    assert own.entries == played("random").entries


def test_a_policy_failure_of_its_own_ends_the_episode_as_failed() -> None:
    ending = played(f"{HERE}:Failing").ending
    assert ending is not None
    assert (ending.status, ending.reason, ending.error) == ("failed", "telephone", "nobody answers")


@pytest.mark.parametrize(
    ("agent", "kind", "message"),
    [
        ("suport.own_agents:Patient", UnknownName, "unknown module 'suport' in agent 'suport.own_agents:P"),
        ("support.own_agent:Patient", UnknownName, "did you mean support.own_agents"),
        (f"{HERE}:Pateint", UnknownName, "own_agents.py); did you mean Patient"),
        ("random:Patient", UnknownName, "unknown name 'Patient' in module random ("),
        (f"{HERE}:A_NUMBER", Refused, "A_NUMBER is of type int and makes no agent; name a class, or a"),
        ("support/own_agents.py:Patient", Refused, "as Python imports it, such as mine:MyAgent"),
        ("own_agents.py:Patient", Refused, "as Python imports it, such as mine:MyAgent"),
        (".own_agents:Patient", Refused, "as Python imports it, such as mine:MyAgent"),
        (f"{HERE}:", Refused, "as Python imports it, such as mine:MyAgent"),
        (f"{HERE}:Patient()", Refused, "as Python imports it, such as mine:MyAgent"),
    ],
)
def test_what_cannot_be_found_is_refused_before_anything_is_played(
    agent: str, kind: type[BackburnerError], message: str
) -> None:
    with pytest.raises(kind) as caught:
        check_spec(AgentSpec(agent))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("module", "content", "message"),
    [
        (
            "lacking",
            "import no_such_library\n",
            "ModuleNotFoundError: No module named 'no_such_library' (lacking.py, line 1)",
        ),
        (
            "dividing",
            "\nx = 1 / 0\n",
            "importing dividing raises ZeroDivisionError: division by zero (dividing.py, l",
        ),
        ("misspelt", "def f(:\n", "SyntaxError: invalid syntax (misspelt.py, line 1)"),
        ("leaving", "raise SystemExit(3)\n", "SystemExit: 3"),
    ],
)
def test_a_module_that_cannot_be_imported_is_told_with_its_line(
    module: str, content: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / f"{module}.py").write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    assert message in refusal(f"{module}:Agent")


@pytest.mark.parametrize(
    ("maker", "message"),
    [
        ("Nameless", "makes something of type Nameless, which is no agent: it has no name, no settings"),
        ("Numbered", "the name of an agent is a text, not 7"),
        ("Unwritable", "settings must be JSON values"),
        ("Choosy", "relay/door is not for me"),
        ("Broken", "making it for relay/door raises KeyError: 'no such door' (own_agents.py, line "),
        ("Leaving", "making it for relay/door raises SystemExit: 3 (own_agents.py, line "),
        ("Demanding", "Demanding takes (world, courage); an agent is made from the world alone"),
        (
            "Crashing",
            f"agent '{HERE}:Crashing' raises ZeroDivisionError: counted wrong (own_agents.py, line ",
        ),
        ("Talkative", "decide must answer with a backburner.Reply, not a str"),
        ("Hasty", "decide must be written with async def"),
    ],
)
def test_what_is_no_agent_is_told(maker: str, message: str) -> None:
    told = refusal(f"{HERE}:{maker}")
    assert message in told
    assert len(told.splitlines()) == 1


def test_the_cause_is_kept_for_a_debugger() -> None:
    with pytest.raises(Refused) as caught:
        own_policy(f"{HERE}:Broken", Relay())
    assert isinstance(caught.value.__cause__, KeyError)
