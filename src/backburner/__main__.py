"""The command ``backburner``, also as ``python -m backburner``."""

import sys


def main() -> None:
    """Run the command line. Stopping it is quiet also in the moment in which its parts are loaded."""
    try:
        from backburner.cli import main as command_line
    except KeyboardInterrupt:
        sys.exit(130)
    command_line()


if __name__ == "__main__":
    main()
