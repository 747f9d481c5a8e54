"""What is earned without playing, beside what greedy play and the best known earn.

    python benchmarks/adversaries.py [SCENARIO ...]

Prints a table in Markdown: for each scenario and way to pay, a row for the rewards that pay alike, with faces
where these differ. Ends with an error if a reward can be gamed (``backburner.training.adversaries``).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from backburner.training.adversaries import CASES, PLAYERS, Gym, Talk, Zoo, earnings, gamed, settings_of
from backburner.training.conversation import Setting

FACES = {"words": Talk, "Gymnasium": Gym, "PettingZoo": Zoo}
"""``words``: OpenEnv, verifiers and TRL, which share one conversation."""


Figures = tuple[str, ...]


def rows(scenario: str, setting: Setting) -> Mapping[tuple[str, Figures], list[str]]:
    """The rewards of each row, by the way to pay and what everybody earns."""
    paid: dict[tuple[str, str], dict[Figures, list[str]]] = {}
    for name, face in FACES.items():
        for chosen in settings_of(scenario, setting, face):
            earned = earnings(face(scenario, chosen))
            if wrong := gamed(earned):
                sys.exit(f"{scenario}, {name}, {chosen.reward}, {chosen.pay}: {'; '.join(wrong)}")
            figures = tuple(f"{round(earned[player], 2) + 0.0:g}" for player in PLAYERS)
            paid.setdefault((chosen.reward, chosen.pay), {}).setdefault(figures, []).append(name)
    found: dict[tuple[str, Figures], list[str]] = {}
    for (reward, pay), by_figures in paid.items():
        for figures, faces in by_figures.items():
            where = f" ({', '.join(faces)})" if len(by_figures) > 1 else ""
            found.setdefault((pay, figures), []).append(f"`{reward}`{where}")
    return found


def main() -> None:
    """The table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("scenario", nargs="*", help=f"of {', '.join(CASES)}; all if none is named")
    chosen = parser.parse_args().scenario or list(CASES)
    print(f"| scenario | pay | reward | {' | '.join(PLAYERS)} |")
    print("|---" * (3 + len(PLAYERS)) + "|")
    for scenario in chosen:
        if scenario not in CASES:
            parser.error(f"no case {scenario!r}; there are {', '.join(CASES)}")
        for (pay, figures), rewards in rows(scenario, CASES[scenario]).items():
            cells = (f"`{scenario}`", pay, ", ".join(rewards), *figures)
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
