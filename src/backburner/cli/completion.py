"""What can be typed next, for shells that ask: worlds, suites, scenarios, agents."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from backburner.kernel import packs


def worlds() -> list[tuple[str, str]]:
    """Every world, with its title."""
    return [(pack.name, pack.title) for pack in packs.installed().packs.values()]


def scenarios(incomplete: str) -> list[str]:
    """The suites and scenarios that begin so, each up to its next ``/``, as files are completed.

    A world's catalogue is loaded only where that world alone can be meant.
    """
    from backburner.kernel import registry

    found = [f"{name}/" for name in packs.names() if f"{name}/".startswith(incomplete)]
    if "/" not in incomplete and len(found) != 1:
        return found
    world = (incomplete if "/" in incomplete else found[0]).partition("/")[0]
    if world not in packs.names():
        return []
    suites = registry.catalogue(world).suites()
    names = [*suites, *(id for ids in suites.values() for id in ids)]
    return next_parts({f"{world}/{name}" for name in names}, incomplete)


def next_parts(names: Collection[str], incomplete: str) -> list[str]:
    """The names that begin so, each up to its next ``/``; where that leaves one folder, what is in it."""
    ahead = [name for name in names if name.startswith(incomplete)]
    parts = sorted({name[: name.find("/", len(incomplete)) + 1] or name for name in ahead})
    if len(parts) == 1 and parts[0] not in names:
        return next_parts(names, parts[0])
    return parts


def agents(incomplete: str) -> Iterable[tuple[str, str]]:
    """Every agent, with a few words about it; of a team the next member."""
    from backburner.agents.spec import JOIN, descriptions

    team, join, _ = incomplete.rpartition(JOIN)
    return [(f"{team}{join}{name}", about) for name, about in descriptions().items() if name.islower()]


def reproductions(incomplete: str) -> list[str]:
    """The tables and figures of articles that can be made again; of one world where it alone is meant."""
    from backburner.kernel.experiments import reproductions as made_again

    found = [name for name in packs.names() if f"{name}/".startswith(incomplete.partition("/")[0])]
    if len(found) != 1:
        return [f"{name}/" for name in found]
    return [f"{found[0]}/{each.name}" for each in made_again(found[0])]
