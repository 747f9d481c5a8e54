"""Workers in processes of this machine, spoken to through pipes: a cluster without Ray, for tests.

Calls go in as pickled (number, method, arguments), results come back as (number, result).
"""

from __future__ import annotations

import asyncio
import os
import pickle
import struct
import sys
from typing import Any

from backburner.cluster.pool import Lost

HEAD = struct.Struct(">I")


class PipedWorker:
    """A ``Remote`` whose process can be killed."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._open: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self._listening = asyncio.create_task(self._listen())

    async def call(self, method: str, *arguments: Any) -> Any:
        if self._listening.done():
            raise Lost("the process has ended")
        self._number += 1
        future = self._open[self._number] = asyncio.get_running_loop().create_future()
        message = pickle.dumps((self._number, method, arguments))
        self.process.stdin.write(HEAD.pack(len(message)) + message)
        return await future

    async def _listen(self) -> None:
        try:
            while True:
                number, result = pickle.loads(await read_message(self.process.stdout))  # noqa: S301  our own
                future = self._open.pop(number)
                if not future.done():
                    future.set_result(result)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            for future in self._open.values():
                if not future.done():
                    future.set_exception(Lost("the process has ended"))

    def end(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
        self.process._transport.close()  # or it would be when its event loop is closed


class PipedMachines:
    """``Machines``; ``workers`` has every worker that was ever started."""

    def __init__(self, cpus: int = 2) -> None:
        self.cpus = cpus
        self.workers: list[PipedWorker] = []

    async def start(self) -> PipedWorker:
        process = await asyncio.create_subprocess_exec(
            sys.executable, __file__, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        self.workers.append(PipedWorker(process))
        return self.workers[-1]


async def read_message(stream: asyncio.StreamReader) -> bytes:
    (length,) = HEAD.unpack(await stream.readexactly(HEAD.size))
    return await stream.readexactly(length)


async def serve() -> None:
    """Be a worker until the head is gone."""
    from backburner.cluster.worker import Worker

    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    loop, reader, worker = asyncio.get_running_loop(), asyncio.StreamReader(limit=1 << 28), Worker()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    tasks = set()

    async def answer(number: int, method: str, arguments: Any) -> None:
        result = pickle.dumps((number, await getattr(worker, method)(*arguments)))
        out.write(HEAD.pack(len(result)) + result)

    while True:
        try:
            message = await read_message(reader)
        except asyncio.IncompleteReadError:
            os._exit(0)
        task = asyncio.create_task(answer(*pickle.loads(message)))  # noqa: S301  our own
        tasks.add(task)
        task.add_done_callback(tasks.discard)


if __name__ == "__main__":
    asyncio.run(serve())
