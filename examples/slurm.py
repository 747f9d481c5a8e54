"""A suite as an array of Slurm jobs, by submitit: each plays a share of the episodes into one shared folder.

    pip install submitit
    python examples/slurm.py timearena/singles --jobs 16 --agent greedy --agent random --seeds 10
    python examples/slurm.py timearena/singles --jobs 16 --agent react --model NAME@base_url=URL

What is not named here goes to ``backburner run`` as it is. ``--on local`` starts processes in place of Slurm
jobs. Run it again to resume: every job keeps what is there, and journals keep what models have answered.
The keys of models come from the environment, which Slurm hands on unless it is told not to (``--export``).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

import submitit


def play(share: str, line: Sequence[str]) -> int:
    """One job: a share of the episodes; the exit code of ``backburner run``."""
    command = [sys.executable, "-m", "backburner", "run", *line, "--share", share]
    return subprocess.run(command, check=False).returncode  # noqa: S603


def main() -> int:
    """Submit the jobs, wait for them, and say how many did not end well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--jobs", type=int, default=8, help="jobs of the array")
    parser.add_argument("--minutes", type=int, default=240, help="the longest that a job may take")
    parser.add_argument("--partition", help="Slurm's partition")
    parser.add_argument("--on", choices=["slurm", "local"], default="slurm")
    asked, line = parser.parse_known_args()
    executor = submitit.AutoExecutor(folder="slurm-logs", cluster=asked.on)
    executor.update_parameters(timeout_min=asked.minutes, cpus_per_task=1, slurm_partition=asked.partition)
    with executor.batch():
        submitted = [executor.submit(play, f"{part}/{asked.jobs}", line) for part in range(1, asked.jobs + 1)]
    failed = sum(job.result() != 0 for job in submitted)
    print(f"{len(submitted)} jobs, {failed} of them with episodes that failed; the same command goes on")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
