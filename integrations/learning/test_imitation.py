"""``examples/imitation`` from end to end, with so little training that it learns next to nothing: lessons,
weights, a model file, llama.cpp's server, an episode. What the server says is what the network says."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "imitation"
BACKBURNER = (sys.executable, "-m", "backburner")


def ran(*command: object, folder: Path | None = None) -> str:
    """What a command prints; it has to end well."""
    run = subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


for needed in ("torch", "gguf", "xllamacpp", "ortools"):
    pytest.importorskip(needed, reason="needs: pip install torch==2.13.0 (or integrations/run.py learning)")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Conversations about a few scenarios, optimal ones and ones with slips."""
    folder = tmp_path_factory.mktemp("imitation")
    ran(sys.executable, EXAMPLE / "scenarios.py", folder / "scenarios", "--taught", 24)
    ran(
        *BACKBURNER, "export", folder / "scenarios" / "taught", "--format",
        "messages@agents=orderly:Orderly,orderly:Slipping,validation=0,test=0",
        "--out", folder / "export",
        folder=EXAMPLE,
    )  # fmt: skip
    return folder / "export"


@pytest.fixture(scope="module")
def trained(exported: Path) -> Path:
    """A folder with lessons, and weights after a few seconds."""
    folder = exported.with_name("work")
    ran(sys.executable, EXAMPLE / "prepare.py", exported, folder)
    told = ran(sys.executable, EXAMPLE / "train.py", folder, "--minutes", 0.2)
    losses = [float(line.partition("loss ")[2].split(",")[0]) for line in told.splitlines() if "loss" in line]
    assert losses[-1] < losses[0] - 1
    ran(sys.executable, EXAMPLE / "to_gguf.py", folder, folder / "exact.gguf", "--exact")
    return folder


@pytest.fixture(scope="module")
def url(trained: Path) -> Iterator[str]:
    command = [sys.executable, str(EXAMPLE / "serve.py"), str(trained / "exact.gguf"), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        told = next(line for line in server.stderr if line.startswith("base_url="))
        yield told.strip().removeprefix("base_url=")
        server.kill()


def asked(url: str, path: str, **fields: object) -> Any:
    body = json.dumps(fields).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}{path}", body, headers)  # noqa: S310  our own server
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        return json.load(answer)


def test_the_server_cuts_texts_and_goes_on_with_them_as_the_network_does(
    exported: Path, trained: Path, url: str
) -> None:
    """For four conversations: the same tokens, and of the next ones the same eight."""
    sys.path.insert(0, str(EXAMPLE))
    import msgspec
    import prepare
    import torch
    import words
    from network import Network, Shape

    vocabulary = words.Vocabulary.load(trained / "vocabulary.json")
    network = Network(msgspec.json.decode((trained / "shape.json").read_bytes(), type=Shape))
    network.load_state_dict(torch.load(trained / "state.pt")["network"])
    root = url.removesuffix("/v1")
    for messages in [*prepare.conversations(exported)][::9][:4]:
        sent = [{key: message[key] for key in ("role", "content")} for message in messages[:-1]]
        prompt = asked(root, "/apply-template", messages=sent)["prompt"]
        numbers = asked(root, "/tokenize", content=prompt, parse_special=True)["tokens"]
        assert numbers == [*words.conversation(vocabulary, sent)[0], vocabulary.number[words.ASSISTANT]]
        said = asked(root, "/completion", prompt=prompt, n_predict=8, temperature=0, return_tokens=True)
        for token in said["tokens"]:
            with torch.no_grad():
                scores = network.scores(network(torch.tensor([numbers]))[0, -1])
            assert scores[token] >= scores.max() - 0.01
            numbers.append(token)


def test_slips_are_not_learnt(exported: Path) -> None:
    """An answer to be learnt is never refused; of the others some are."""
    sys.path.insert(0, str(EXAMPLE))
    import prepare

    refused = {True: 0, False: 0}
    for messages in prepare.conversations(exported):
        for answer, told in pairwise(messages):
            if answer["role"] == "assistant":
                begun = told["content"].startswith(("You begin", "You wait"))
                refused[answer["learnt"]] += not begun
    assert refused[True] == 0 < refused[False]


def test_it_plays_through_the_ordinary_path(url: str, tmp_path: Path) -> None:
    model = ("--agent", "act", "--model", f"imitation@base_url={url}")
    told = ran(*BACKBURNER, "run", "timearena/household9", *model, "--out", tmp_path, "--json")
    assert (json.loads(told)["played"], json.loads(told)["failed"]) == (1, 0)
    ran(*BACKBURNER, "verify", tmp_path)
