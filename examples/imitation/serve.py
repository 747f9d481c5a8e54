"""llama.cpp's server with a model file, for ``base_url``: ``python serve.py FILE --port 8080``."""

from __future__ import annotations

import argparse
import sys
import threading


def main() -> None:
    """Serve until Ctrl-C."""
    import xllamacpp

    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--at-once", type=int, default=4, help="episodes that are played together")
    parser.add_argument("--context", type=int, default=2048, help="tokens of the longest conversation")
    chosen = parser.parse_args()
    params = xllamacpp.CommonParams()
    params.model.path = chosen.file
    params.n_ctx = chosen.context * chosen.at_once  # it is split evenly
    params.n_parallel = chosen.at_once
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.n_threads_http = chosen.at_once + 2
    params.warmup = False
    params.fit_params = False
    params.hostnames = ["127.0.0.1"]
    params.port = chosen.port
    server = xllamacpp.Server(params)
    print(f"base_url={server.listening_address}/v1", file=sys.stderr, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
