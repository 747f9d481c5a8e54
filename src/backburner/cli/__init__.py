"""The command line: every command parses, calls a public function, and prints.

Results go to stdout, progress and remarks to stderr. Exit codes: 0 done; 1 done, and something in it
failed (a record that does not replay, an episode that broke); 2 the request cannot be met; 130 stopped.
"""

from __future__ import annotations

import sys

from backburner.cli.common import app, complain, remark
from backburner.kernel import registry
from backburner.kernel.errors import BackburnerError

# Each module adds its commands to the app, in the order in which help lists them.
from backburner.cli import look, playing, solving, checking, records, reporting, logs, probing, building  # noqa: F401  isort:skip


def main() -> None:
    """Run the command line; errors made on purpose become one message, and so does a world that is broken."""
    told = ""
    try:
        app()
    except BackburnerError as error:
        told = str(error)
        complain(told)
        sys.exit(2)
    except OSError as error:  # a folder in a file's place, no right to write, a full disk
        complain(f"{error.filename or 'output'}: {error.strerror or error}")
        sys.exit(2)
    except KeyboardInterrupt:
        complain("stopped")
        sys.exit(130)
    finally:
        for line in registry.installed().broken.values():
            if line not in told:
                remark(f"warning: {line}")


__all__ = ["app", "main"]
