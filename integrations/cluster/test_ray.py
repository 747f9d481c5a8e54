"""A cluster of two Ray nodes on this machine: runs and searches there, beside the same in one process."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest

BIN = Path(sys.executable).parent
KEY = "sk-live-0123456789abcdef"
SUITE = "timearena/singles/household"
ANSWER = {
    "object": "chat.completion",
    "model": "m-1",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "wait"}}],
    "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
}


class Server(ThreadingHTTPServer):
    """A model that always waits; ``keys`` has the key of each call."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.keys: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, *_: object) -> None:
        """A caller that is killed is no error here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(0.02)
        self.server.keys.append(self.headers.get("Authorization", ""))
        body = json.dumps(ANSWER).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as made:
        yield made
        made.shutdown()


class Cluster:
    """Two nodes of one CPU each; ``folder`` has what Ray keeps and logs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        common = ["--num-cpus", "1", "--object-store-memory", "100000000", "--disable-usage-stats"]
        host, _, port = self.address.partition(":")
        head = ["--head", "--node-ip-address", host, "--port", port, "--include-dashboard=false"]
        self.nodes: set[int] = set()
        for options in ([*head, "--temp-dir", str(folder)], ["--address", self.address]):
            run = subprocess.run([BIN / "ray", "start", *options, *common], capture_output=True, text=True)
            assert run.returncode == 0, run.stdout + run.stderr

    def processes(self, name: str) -> list[psutil.Process]:
        """Processes of this cluster whose command says so."""
        found = []
        for process in psutil.process_iter(["cmdline"]):
            words = " ".join(process.info["cmdline"] or ())
            if name in words and (str(self.folder) in words or self._is_ours(process)):
                found.append(process)
        return found

    def _is_ours(self, process: psutil.Process) -> bool:
        """Actors have changed their command to what they do; their parent is the node."""
        try:
            parent = process.parent()
            return parent is not None and str(self.folder) in " ".join(parent.cmdline())
        except psutil.Error:
            return False

    def end(self) -> None:
        """Kill every process; what a killed parent takes with it is gone before its turn comes."""
        for process in [*self.processes("raylet"), *self.processes("gcs_server"), *self.processes("ray::")]:
            with contextlib.suppress(psutil.NoSuchProcess):
                for each in (*process.children(recursive=True), process):
                    with contextlib.suppress(psutil.NoSuchProcess):
                        each.kill()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory(prefix="r", dir="/tmp", ignore_cleanup_errors=True) as folder:
        made = Cluster(Path(folder))
        try:
            yield made
        finally:
            made.end()


def start(folder: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    command = [str(BIN / "backburner"), *arguments]
    env = {**os.environ, "NO_PROXY": "127.0.0.1", **environment}
    return subprocess.Popen(
        command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def backburner(folder: Path, *arguments: str, code: int = 0, **environment: str) -> tuple[str, str]:
    process = start(folder, *arguments, **environment)
    printed, told = process.communicate(timeout=200)
    assert process.returncode == code, f"{arguments}: {printed}{told}"
    return printed, told


def files(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.suffix != ".eval"
    }


def comparable(folder: Path) -> dict[str, list[object]]:
    """What records say, but for what was spent, and the chain, which holds that too."""
    return {
        name: [
            {key: value for key, value in json.loads(line).items() if key not in ("spent", "chain")}
            for line in content.splitlines()
        ]
        for name, content in files(folder).items()
    }


def spent(folder: Path, what: str) -> int:
    lines = [json.loads(line) for content in files(folder).values() for line in content.splitlines()]
    return sum(usage.get(what, 0) for line in lines for usage in line.get("spent", {}).values())


def kill_a_worker(cluster: Cluster, when: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """kill -9 of one worker that is at work, as soon as something is so."""
    while not when():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    busiest = max(cluster.processes("ray::Door"), key=lambda each: sum(each.cpu_times()[:2]))
    busiest.send_signal(signal.SIGKILL)


def test_it_is_the_wheel_that_is_tried() -> None:
    import backburner

    assert Path(backburner.__file__).is_relative_to(sys.prefix)


def test_scripted_agents_and_a_stand_in_though_a_worker_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    agents = [part for name in ("greedy", "random", "act") for part in ("--agent", name)]
    line = [
        "run",
        "timearena/quick",
        "recipe2plan/quick",
        *agents,
        "--model",
        "stand-in:skill=0.7",
        "--seeds",
        "8",
    ]
    backburner(tmp_path, *line, "--out", "here")
    process = start(tmp_path, *line, "--out", "there", "--cluster", cluster.address)
    kill_a_worker(cluster, lambda: len(list((tmp_path / "there").rglob("*.jsonl"))) > 30, process)
    printed, told = process.communicate(timeout=200)
    assert process.returncode == 0, told
    assert "a worker was lost, and what it had in hand is done again" in told
    assert files(tmp_path / "there") == files(tmp_path / "here")
    assert f"{len(files(tmp_path / 'here'))} episodes played" in printed


def test_a_model_though_a_worker_is_killed(cluster: Cluster, tmp_path: Path, server: Server) -> None:
    """The calls that were in flight, four at most, are made again and said to be lost; no answer is."""
    key = {"OPENAI_API_KEY": KEY}
    line = ["run", SUITE, "--agent", "act", "--json"]
    line += ["--model", f"m@base_url={server.url},at_once=4"]
    backburner(tmp_path, *line, "--out", "here", **key)
    asked = len(server.keys)
    server.keys.clear()
    process = start(tmp_path, *line, "--out", "there", "--cluster", cluster.address, **key)
    kill_a_worker(cluster, lambda: len(server.keys) > asked // 2, process)
    printed, told = process.communicate(timeout=200)
    assert process.returncode == 0, told
    assert json.loads(printed)["played"] == 10
    assert comparable(tmp_path / "there") == comparable(tmp_path / "here")
    calls, lost = spent(tmp_path / "there", "calls"), spent(tmp_path / "there", "lost")
    assert calls == asked == spent(tmp_path / "here", "calls")
    assert calls <= len(server.keys) <= calls + lost
    assert lost <= 4
    assert set(server.keys) == {f"Bearer {KEY}"}
    assert not list((tmp_path / "there").rglob("*.calls"))


def test_a_killed_command_goes_on_from_its_journals(cluster: Cluster, tmp_path: Path, server: Server) -> None:
    line = ["run", SUITE, "--agent", "act", "--model", f"m@base_url={server.url},at_once=4"]
    line += ["--cluster", cluster.address, "--out", "there"]
    process = start(tmp_path, *line, OPENAI_API_KEY=KEY)
    while len(server.keys) < 100:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.kill()
    process.communicate()
    backburner(tmp_path, *line, OPENAI_API_KEY=KEY)
    calls, lost = spent(tmp_path / "there", "calls"), spent(tmp_path / "there", "lost")
    assert calls <= len(server.keys) <= calls + lost
    assert lost <= 4
    again, _ = backburner(tmp_path, *line, OPENAI_API_KEY=KEY)
    assert "0 episodes played, 10 kept" in again


def test_ctrl_c_ends_the_command_and_its_workers(cluster: Cluster, tmp_path: Path, server: Server) -> None:
    line = ["run", SUITE, "--agent", "act", "--model", f"m@base_url={server.url}", "--out", "there"]
    process = start(tmp_path, *line, "--cluster", cluster.address, OPENAI_API_KEY=KEY)
    while len(server.keys) < 30:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130, told
    assert "the same command goes on from here" in told
    until = time.monotonic() + 10
    while cluster.processes("ray::Door") and time.monotonic() < until:
        time.sleep(0.1)
    assert not cluster.processes("ray::Door")
    assert list((tmp_path / "there").rglob("*.calls"))


def test_an_agent_of_ones_own_goes_along(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import backburner\n"
        "class Last:\n"
        "    name, informed, settings = 'last', False, {}\n"
        "    async def decide(self, turn, memory):\n"
        "        return backburner.Reply(turn.menu.options[-1].decision)\n"
    )
    line = ["run", SUITE, "--agent", "mine:Last"]
    backburner(tmp_path, *line, "--out", "here")
    backburner(tmp_path, *line, "--out", "there", "--cluster", cluster.address)
    assert files(tmp_path / "there") == files(tmp_path / "here")


def test_solutions_are_the_same(cluster: Cluster, tmp_path: Path) -> None:
    def solutions(*options: str) -> list[dict[str, object]]:
        printed, _ = backburner(tmp_path, "solve", SUITE, "recipe2plan/quick", "--json", *options)
        return [
            {key: value for key, value in each.items() if key != "seconds"} for each in json.loads(printed)
        ]

    assert solutions("--cluster", cluster.address, "--keep", "kept") == solutions()
    assert len((tmp_path / "kept").read_text().splitlines()) == len(solutions())


def test_a_build_is_the_same_though_a_worker_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    """At least two generations; the worker is killed in the second."""
    line = ["build", "timearena@length=8:12,gap=busy=.05:,scenarios=26"]
    backburner(tmp_path, *line, "--out", "here")
    process = start(tmp_path, *line, "--out", "there", "--cluster", cluster.address)
    attempts = tmp_path / "there" / "attempts.jsonl"
    kill_a_worker(cluster, lambda: attempts.exists() and attempts.stat().st_size > 0, process)
    printed, told = process.communicate(timeout=200)
    assert process.returncode == 0, told
    assert "a worker was lost, and what it had in hand is done again" in told
    assert files(tmp_path / "there") == files(tmp_path / "here")
    assert "26 kept" in printed


def test_a_secret_suite_is_the_same(cluster: Cluster, tmp_path: Path) -> None:
    line = ["build", "recipe2plan@length=6,scenarios=2,split=open", "--secret-seed-file", "my.secret"]
    backburner(tmp_path, *line, "--out", "here")
    (tmp_path / "my.secret.build").rename(tmp_path / "private")
    backburner(tmp_path, *line, "--out", "there", "--cluster", cluster.address)
    assert files(tmp_path / "there") == files(tmp_path / "here")
    assert files(tmp_path / "my.secret.build") == files(tmp_path / "private")
    published = [(tmp_path / f"{name}.commitment.json").read_bytes() for name in ("here", "there")]
    assert published[0] == published[1]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1:1", "no cluster answers (Connection refused)"),
        ("nowhere", "write HOST:PORT, ray://HOST:PORT or auto"),
        ("a web server", "what answers there is no Ray cluster"),
    ],
)
def test_a_wrong_address_is_one_line(address: str, words: str, tmp_path: Path, server: Server) -> None:
    if address == "a web server":
        address = server.url.removeprefix("http://").removesuffix("/v1")
    _, told = backburner(tmp_path, "run", SUITE, "--cluster", address, code=2)
    assert words in told
    assert len(told.splitlines()) == 1


def test_what_inspect_plays_stays_on_this_machine(cluster: Cluster, tmp_path: Path) -> None:
    line = ["run", SUITE, "--agent", "act", "--model", "mockllm/model@engine=inspect"]
    _, told = backburner(tmp_path, *line, "--cluster", cluster.address, code=2)
    assert "--cluster: episodes of engine=inspect are played on this machine" in told


def test_no_key_is_kept_anywhere(cluster: Cluster, tmp_path: Path) -> None:
    """Neither in what Ray keeps and logs, nor in what the command wrote. Runs after those with a key."""
    folders = [cluster.folder, tmp_path.parent]
    holding = [
        file
        for folder in folders
        for file in folder.rglob("*")
        if file.is_file() and not file.is_symlink() and re.search(KEY.encode(), file.read_bytes())
    ]
    assert holding == []
    refused = ["run", SUITE, "--agent", "act", "--model", "m@header=x-token=secret"]
    _, told = backburner(tmp_path, *refused, "--cluster", cluster.address, code=2, OPENAI_API_KEY=KEY)
    assert "a cluster keeps the command; write 'header=x-token=$VARIABLE'" in told
