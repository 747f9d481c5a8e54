"""``python -m backburner``."""

from backburner.cli import main

main()
