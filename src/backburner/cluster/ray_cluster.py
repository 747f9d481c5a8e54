"""Ray: connecting to a cluster, and workers as its actors. Nothing else here knows Ray."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from backburner.cluster.pool import Lost
from backburner.kernel.errors import Refused, needs_extra, shorten

CONNECT_SECONDS = 5.0
"""So long a cluster may take to answer; Ray itself would try for minutes."""

AUTO = "auto"
"""The address of the cluster that this machine belongs to."""

CLIENT = "ray://"
"""What the address of a Ray client server begins with, for a head outside of the cluster."""

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
_SETTINGS = 4
"""HTTP/2's greeting with empty settings, and the kind of the frame that every HTTP/2 server answers with."""


class RayWorker:
    """A worker in a Ray actor; a ``Remote``."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray, self._actor = ray, actor

    async def call(self, method: str, *arguments: Any) -> Any:
        """See ``Remote``."""
        try:
            return await self._actor.call.remote(method, *arguments)
        except self._ray.exceptions.RayTaskError as error:  # of its own code: no other worker would do better
            raise Refused(f"a worker of the cluster failed: {_cause(error)}") from error
        except self._ray.exceptions.RayError as error:
            raise Lost(_cause(error)) from error

    def end(self) -> None:
        """See ``Remote``."""
        self._ray.kill(self._actor)


class RayMachines:
    """A Ray cluster that is connected to; ``Machines`` for ``Cluster``."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        options = {"num_cpus": 1, "max_restarts": 0, "max_task_retries": 0, "max_concurrency": 1 << 16}
        self._door = ray.remote(**options)(_door())

    @property
    def cpus(self) -> int:
        """See ``Machines``."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 0)))

    async def start(self) -> RayWorker:
        """See ``Machines``."""
        return RayWorker(self._ray, self._door.remote())


@contextmanager
def ray_cluster(address: str) -> Iterator[RayMachines]:
    """The Ray cluster at ``HOST:PORT``, ``auto`` or ``ray://HOST:PORT``, connected to while the block runs.

    Raises ``MissingExtra``, and ``Refused`` if no cluster answers there, or one that Ray will not connect to,
    such as one with another Python.
    """
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # or it warns of what we do not use
    with needs_extra("cluster", f"--cluster {shorten(address)}"):
        import ray
    _check_address(address)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False, logging_level="ERROR")
    except Exception as error:
        raise Refused(f"--cluster {address}: {_cause(error)}") from error
    finally:
        _restore(handlers)
    _quiet(ray)
    try:
        yield RayMachines(ray)
    finally:
        ray.shutdown()


def _quiet(ray: Any) -> None:
    """Let Ray print nothing on stdout, where results go: a long text for each lost worker, which we tell too.

    It has no setting for that; where its own function has another name, nothing is changed.
    """
    worker: Any = getattr(getattr(ray, "_private", None), "worker", None)
    if hasattr(worker, "print_to_stdstream"):
        worker.print_to_stdstream = lambda *told, **how: None


def _restore(handlers: dict[signal.Signals, Any]) -> None:
    """Signals mean what they meant before: Ray takes some for itself."""
    for number, handler in handlers.items():
        try:
            signal.signal(number, handler)
        except (ValueError, TypeError):  # not in the main thread, where Ray takes none either
            return


def _check_address(address: str) -> None:
    """Raises ``Refused`` where nothing answers, or nothing that can be Ray."""
    if address == AUTO:
        return
    host, colon, port = address.removeprefix(CLIENT).rpartition(":")
    if not (colon and host and port.isdecimal() and int(port) < 1 << 16):
        raise Refused(f"--cluster {shorten(address)}: write HOST:PORT, ray://HOST:PORT or auto")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS) as connection:
            if os.environ.get("RAY_USE_TLS") != "1":
                connection.sendall(_PREFACE)
                answer = connection.recv(9)
                if len(answer) < 4 or answer[3] != _SETTINGS:
                    raise Refused(f"--cluster {address}: what answers there is no Ray cluster")
    except OSError as error:
        why = error.strerror or str(error)
        raise Refused(
            f"--cluster {address}: no cluster answers ({why}); start one with ray start --head --port {port}"
        ) from error


def _cause(error: BaseException) -> str:
    """The first line of what Ray says, or of what went wrong in a worker."""
    cause = getattr(error, "cause", None) or error
    lines = [line.strip() for line in str(cause).splitlines() if line.strip()]
    return shorten(lines[0] if lines else type(cause).__name__, 300)


def _door() -> type:
    """What each actor is: it lets the head speak to a ``Worker``.

    The class goes to workers by value, so that one without backburner can say so.
    """

    class Door:
        async def call(self, method: str, *arguments: Any) -> Any:
            if not hasattr(self, "worker"):
                try:
                    from backburner.cluster.worker import Worker
                except ImportError as error:
                    import platform
                    import sys

                    name = getattr(error, "name", None) or str(error)
                    return {
                        "missing": f"the worker on {platform.node()} has no module {name} in {sys.executable}"
                    }
                self.worker = Worker()
            return await getattr(self.worker, method)(*arguments)

    return Door
