"""A card and a register entry about each world, of what its pack and data say and of the words in cards.toml.

python release/cards.py            # writes release/cards/*.md and release/inspect_evals/*/eval.yaml
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from importlib.resources import files
from pathlib import Path
from statistics import fmean
from typing import Any

from backburner.kernel import packs, registry
from backburner.kernel.pack import Pack

HERE = Path(__file__).resolve().parent
DIALS = ("length", "width", "attention", "contention", "gap:busy", "gap:greedy", "gap:random")


def data_of(pack: Pack, name: str) -> Any:
    """A data file of the world's package; ``None`` where it has none."""
    file = files(f"backburner.worlds.{pack.name}") / "data" / f"{name}.json"
    return json.loads(file.read_text("utf-8")) if file.is_file() else None


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def table(heads: list[str], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows)]


def suites(pack: Pack) -> list[str]:
    """Every suite that is not a part of another, with how many scenarios it has."""
    named = registry.catalogue(pack.name).suites()
    whole = [name for name in named if "/" not in name]
    sizes = [f"`{name}` {len(registry.expand(f'{pack.name}/{name}'))}" for name in whole]
    return [f"**Suites and their scenarios:** {', '.join(sizes)}."]


def headline(pack: Pack) -> list[str]:
    """What random play has and what is possible in each suite of the headline, and how that is known."""
    found = data_of(pack, "headline")
    if pack.headline is None or not found:
        return []
    by_id = {reference["id"]: reference for reference in found["references"]}
    rows = []
    for suite, metric in pack.headline.suites.items():
        known = [by_id[id] for id in registry.expand(f"{pack.name}/{suite}") if id in by_id]
        proofs = Counter(reference["proof"] for reference in known)
        told = ", ".join(f"{kind} {times}" for kind, times in proofs.most_common())
        means = [number(fmean(reference[key] for reference in known)) for key in ("random", "best")]
        rows.append([f"`{suite}`", metric, str(len(known)), *means, told])
    said = f"**Between random play and the best** ({found['seeds']} seeds of `random`; `{found['source']}`)."
    return [said, "", *table(["suite", "metric", "scenarios", "random", "best", "known by"], rows)]


def dials(pack: Pack) -> list[str]:
    """What the published suites ask, in the median of what is proven."""
    found = data_of(pack, "dials")
    if not found:
        return []
    shown = [dial for dial in DIALS if any(dial in suite["dials"] for suite in found["suites"])]
    rows = [
        [
            f"`{suite['suite']}`",
            f"{suite['proven']} of {suite['scenarios']}",
            str(suite.get("saturated", "–")),
        ]
        + [number(suite["dials"][dial]) if dial in suite["dials"] else "–" for dial in shown]
        for suite in found["suites"]
    ]
    said = f"**What the suites ask** (medians; `{found['source']}`). *Saturated*: never to be idle loses less than 2 %."
    return [said, "", *table(["suite", "proven", "saturated", *shown], rows)]


def built(pack: Pack) -> list[str]:
    for edition in ("built-1", "built-2"):
        if found := data_of(pack, edition):
            bands = Counter(scenario["band"] for scenario in found["scenarios"])
            told = ", ".join(f"{band} {times}" for band, times in bands.items())
            return [
                f"**New scenarios that ship:** `{edition}`: {len(found['scenarios'])} ({told}), each with a proven plan;"
                f" made again by `{found['source']}`."
            ]
    return []


def card(pack: Pack, words: dict[str, str]) -> str:
    catalogue = registry.catalogue(pack.name)
    world = registry.world(registry.expand(f"{pack.name}/quick")[0])
    fields = len(catalogue.rules["standard"].__struct_fields__) - 1
    rule_sets = ", ".join(f"`{name}`" for name in catalogue.rules)
    agents = ", ".join(f"`{name}`" for name in sorted(pack.agents))
    facts = [
        f"**Source:** {pack.title}. Version {pack.version} of the world; older records replay.",
        f"**Play:** Seats of `{world.id}`: {', '.join(f'`{seat}`' for seat in world.seats)}. Time in {world.time_unit}.",
        f"**Rules:** {rule_sets}; {fields} named choices, each explained on [its page](../../docs/worlds/{pack.name}.md).",
        f"**Agents of its own:** {agents}; the general ones and language models besides.",
    ]
    said = [
        f"**What it measures:** {words['measures']}",
        f"**What is hard:** {words['hard']}",
        f"**What it says nothing of:** {words['silent_on']}",
        f"**May a model have read it?** {words['read_before']}",
    ]
    parts = [[line] for line in (*said, *facts)] + [suites(pack), headline(pack), dials(pack), built(pack)]
    licence = (
        "**Licence:** MIT, rules, words and data files. Facts of articles carry their source; cite them."
    )
    body = "\n\n".join("\n".join(part) for part in (*parts, [licence]) if part)
    return f"# {pack.name}, in a card\n\n{body}\n"


def entry(pack: Pack, words: dict[str, str]) -> str:
    """What the register of Inspect's evaluations wants to know of a task whose code stays here."""
    arxiv = re.search(r"\d{4}\.\d{5}", pack.title)
    lines = [
        f"full_title: {json.dumps(f'Backburner: {pack.title}')}",
        f"common_title: {json.dumps(f'Backburner {pack.name}')}",
        f"description: {json.dumps(words['measures'])}",
        *([f"arxiv: https://arxiv.org/abs/{arxiv[0]}"] if arxiv else []),
        "contributors: [OWNER]  # the maintainers fill in what is in capitals",
        "source:",
        "  repository_url: REPOSITORY",
        "  repository_commit: COMMIT",
        "tasks:",
        f"  - name: {pack.name}",
        "    task_path: src/backburner/inspect/tasks.py",
        f"    dataset_samples: {len(registry.expand(f'{pack.name}/quick'))}  # of the suite quick, the default",
        "tags: [agents, planning, multitasking, scheduling]",
        "metadata:",
        "  fast: true",
        "  requires: {internet: false}",
    ]
    return "\n".join(lines) + "\n"


def made() -> dict[str, str]:
    """Every file's text by its path below this folder."""
    words = tomllib.loads((HERE / "cards.toml").read_text("utf-8"))
    rows = [[f"[{name}]({name}.md)", told["hard"]] for name, told in words.items()]
    index = "# Cards\n\nOne page about each world. Made by `python release/cards.py`.\n\n"
    found = {"cards/README.md": index + "\n".join(table(["world", "what is hard"], rows)) + "\n"}
    for name, told in words.items():
        found[f"cards/{name}.md"] = card(packs.pack(name), told)
        found[f"inspect_evals/backburner_{name}/eval.yaml"] = entry(packs.pack(name), told)
    return found


if __name__ == "__main__":
    for path, text in made().items():
        (HERE / path).parent.mkdir(parents=True, exist_ok=True)
        (HERE / path).write_text(text, "utf-8")
