"""Servers that speak HTTP in their own way: whatever is an answer is read, and what is none is told."""

from __future__ import annotations

import asyncio
import datetime
import gzip
import ipaddress
import json
import os
import ssl
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from backburner.agents.models import Completion, Message, OpenAIClient, Settings
from backburner.agents.models.openai_client import Patience
from backburner.kernel.errors import RunStops
from support.models.fault_server import completion

Speak = Callable[[bytes, int, asyncio.StreamWriter], Awaitable[bool]]
"""Answers a request, told with its headers, by its number on the connection; whether the connection stays."""

BODY = json.dumps(completion("wait")).encode()
HELLO = (Message("user", "hello"),)


def plain(version: str = "1.1", headers: str = "", body: bytes = BODY, stays: bool = True) -> Speak:
    async def speak(request: bytes, number: int, writer: asyncio.StreamWriter) -> bool:
        writer.write(
            f"HTTP/{version} 200 OK\r\nContent-Type: application/json\r\n{headers}\r\n".encode() + body
        )
        return stays

    return speak


LENGTH = f"Content-Length: {len(BODY)}\r\n"
PACKED = gzip.compress(BODY)
CHUNKS = (
    b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (BODY[:7], BODY[7:90], BODY[90:])) + b"0\r\n\r\n"
)


async def hangs_up_later(request: bytes, number: int, writer: asyncio.StreamWriter) -> bool:
    """One answer for each connection, which it closes without a word when the next request comes."""
    if number == 1:
        writer.write(b"HTTP/1.1 200 OK\r\n" + LENGTH.encode() + b"\r\n" + BODY)
    return number == 1


SERVERS: dict[str, Speak] = {
    "with its length": plain(headers=LENGTH),
    "in chunks": plain(headers="Transfer-Encoding: chunked\r\n", body=CHUNKS),
    "packed": plain(headers=f"Content-Encoding: gzip\r\nContent-Length: {len(PACKED)}\r\n", body=PACKED),
    "HTTP/1.0": plain("1.0", stays=False),
    "HTTP/1.0 with its length": plain("1.0", LENGTH, stays=False),
    "closes after each": plain(headers="Connection: close\r\n" + LENGTH, stays=False),
    "hangs up later": hangs_up_later,
    "other type": plain(headers="Content-Type: text/plain; charset=latin-1\r\n" + LENGTH),
}


class Listening:
    """A server by one way of speaking; ``lines`` holds the first line of each request, with its host."""

    def __init__(self, speak: Speak) -> None:
        self._speak = speak
        self.lines: list[str] = []

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number, stays = 0, True
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while stays:
                head = await reader.readuntil(b"\r\n\r\n")
                fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:-2])
                await reader.readexactly(int(fields.get("Content-Length", 0)))
                self.lines.append(head.decode().partition(" HTTP")[0])
                number += 1
                stays = await self._speak(head, number, writer)
                await writer.drain()
        writer.close()


def ask(
    speak: Speak,
    *,
    host: str = "127.0.0.1",
    url: str = "http://{at}/v1",
    times: int = 1,
    tls: ssl.SSLContext | None = None,
) -> tuple[list[Completion], list[str]]:
    """The answers to calls one after the other, and the lines of the requests."""
    listening = Listening(speak)

    async def run() -> list[Completion]:
        server = await asyncio.start_server(listening, host, 0, ssl=tls)
        port = server.sockets[0].getsockname()[1]
        at = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        async with (
            server,
            OpenAIClient("m", url.format(at=at, port=port), patience=Patience(4, 5.0)) as client,
        ):
            return [await client.complete(HELLO, Settings()) for _ in range(times)]

    return asyncio.run(run()), listening.lines


@pytest.mark.parametrize("name", SERVERS)
def test_every_way_of_sending_an_answer_is_read(name: str) -> None:
    """Three calls, over connections that stay open or do not; nobody asks more than once more."""
    answers, lines = ask(SERVERS[name], times=3)
    assert [(answer.text, answer.input_tokens) for answer in answers] == [("wait", 11)] * 3
    assert set(lines) == {"POST /v1/chat/completions"}
    assert len(lines) == (5 if name == "hangs up later" else 3)


@pytest.mark.parametrize("url", ["http://{at}/v1", "http://{at}/v1/", "http://{at}/v1//"])
def test_strokes_at_the_end_of_a_base_url_are_none(url: str) -> None:
    assert ask(SERVERS["with its length"], url=url)[1] == ["POST /v1/chat/completions"]


def test_a_base_url_is_taken_as_it_is_told() -> None:
    """Nothing is added to it: some servers have no /v1, others have more."""
    for url, path in (("http://{at}", ""), ("http://{at}/api/v3", "/api/v3")):
        assert ask(SERVERS["with its length"], url=url)[1] == [f"POST {path}/chat/completions"]


def test_an_address_of_the_newer_kind() -> None:
    try:
        answers, _ = ask(SERVERS["with its length"], host="::1")
    except OSError:
        pytest.skip("this machine has no IPv6")
    assert answers[0].text == "wait"


def test_the_environments_proxy_is_asked(environment: pytest.MonkeyPatch) -> None:
    """By its address in full, and not where ``NO_PROXY`` names the server."""

    async def through() -> list[str]:
        listening = Listening(SERVERS["with its length"])
        server = await asyncio.start_server(listening, "127.0.0.1", 0)
        environment.setenv("http_proxy", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        async with server, OpenAIClient("m", "http://far.invalid/v1", patience=Patience(1)) as client:
            await client.complete(HELLO, Settings())
        return listening.lines

    assert asyncio.run(through()) == ["POST http://far.invalid/v1/chat/completions"]
    answers, _ = ask(SERVERS["with its length"])  # NO_PROXY names 127.0.0.1
    assert answers[0].text == "wait"


def certificate(folder: Path) -> Path:
    """A certificate for 127.0.0.1 that it has signed itself, with its key."""
    x509 = pytest.importorskip("cryptography.x509", reason="certificates need it: pip install -e '.[sign]'")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "here")])
    now = datetime.datetime.now(datetime.UTC)
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(here, critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / "here.pem"
    path.write_bytes(private + made.public_bytes(pem))
    return path


def test_a_certificate_that_nobody_vouches_for(tmp_path: Path, environment: pytest.MonkeyPatch) -> None:
    """Told at once, in one line that says what helps; and that helps."""
    file = certificate(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(file)
    with pytest.raises(RunStops) as caught:
        ask(SERVERS["with its length"], url="https://{at}/v1", tls=tls)
    told = str(caught.value)
    assert "the server's certificate is not trusted (" in told and "\n" not in told
    assert "SSL_CERT_FILE" in told

    async def elsewhere() -> bytes:
        """In a process of its own, as certificates are read once."""
        server = await asyncio.start_server(Listening(SERVERS["with its length"]), "127.0.0.1", 0, ssl=tls)
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        async with server:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", ASKS, url, stdout=subprocess.PIPE,
                env={**os.environ, "SSL_CERT_FILE": str(file)},
            )  # fmt: skip
            return (await process.communicate())[0]

    assert asyncio.run(elsewhere()).strip() == b"wait"


ASKS = """
import asyncio, sys
from backburner.agents.models import Message, OpenAIClient, Settings

async def ask():
    async with OpenAIClient("m", sys.argv[1]) as client:
        print((await client.complete((Message("user", "hello"),), Settings())).text)

asyncio.run(ask())
"""
