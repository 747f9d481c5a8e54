"""``profile`` on the command line: a server is asked twelve times, and a file says how fast it is."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from backburner.agents.models.profiles import read_profile
from backburner.cli import app
from backburner.kernel.errors import BackburnerError, Refused
from support.models.local_server import JsonHandler, LocalServer, served

pytest.importorskip("aiohttp", reason="the own client needs it: pip install -e '.[models]'")


class Slow(LocalServer):
    """Takes a fifth of a millisecond for each token that it writes, and says as many as it may."""

    def __init__(self) -> None:
        super().__init__(_Handler)


class _Handler(JsonHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.sent())
        tokens, read = asked["max_tokens"], len(asked["messages"][0]["content"].split())
        time.sleep(tokens / 5000)
        message = {"role": "assistant", "content": "one " * tokens}
        body = {
            "choices": [{"index": 0, "finish_reason": "length", "message": message}],
            "usage": {"prompt_tokens": read, "completion_tokens": tokens},
        }
        self.reply(200, json.dumps(body).encode())


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["profile", *arguments], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def test_a_server_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with served(Slow()) as server:
        told = run("--model", f"tiny/m@base_url={server.url}")
        found = json.loads(
            run("--model", f"tiny/m@base_url={server.url}", "--json", "--out", "b.json").stdout
        )
    profile = read_profile(tmp_path / "tiny-m.json")
    assert profile.name.startswith("tiny/m, 127.0.0.1, ") and f"decode {profile.decode}/s" in told.stdout
    assert "wrote tiny-m.json; play by it with --clock profile:tiny-m.json" in told.stderr
    assert {"512", "8001"} <= set(told.stdout.split())  # tokens written, and read
    assert read_profile(tmp_path / "b.json").decode == found["profile"]["decode"]
    assert len(found["calls"]) == len(found["residuals"]) == 12


@pytest.mark.parametrize("model", [(), ("--model", "cook=m"), ("--model", "stand-in:skill=0.7")])
def test_what_has_no_speed_is_refused(model: tuple[str, ...]) -> None:
    with pytest.raises(BackburnerError) as told:
        run(*model)
    assert isinstance(told.value, Refused)
