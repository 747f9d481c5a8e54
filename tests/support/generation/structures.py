"""Structures drawn at random, and the same under other names and in another order."""

from random import Random

import msgspec

from backburner.kernel.generating import Job, Structure, Work
from backburner.kernel.schedule import Activity, MachineState, MaxLag, Resource


def drawn_structure(random: Random, count: int) -> Structure:
    """So many activities in up to three jobs, for up to three bodies, on machines, with lags and ways."""
    bodies = tuple(f"body {i}" for i in range(random.randint(1, 3)))
    jobs = tuple(Job(f"job {i}", random.randrange(20), random.choice((None, 40))) for i in range(3))
    machines = tuple(Resource(f"machine {i}", random.randint(1, 2)) for i in range(random.randint(1, 4)))
    works: list[Work] = []
    for number in range(count):
        duration = random.randint(1, 12)
        earlier = random.sample(range(number), min(number, random.randint(0, 2)))
        state = MachineState(machines[0].name, random.choice((350, 400)))
        activity = Activity(
            name=f"activity {number}",
            duration=duration,
            operator_time=random.randint(0, duration),
            predecessors=tuple(f"activity {i}" for i in earlier),
            resources=tuple(random.choice(machines).name for _ in range(random.randint(0, 2))),
            max_lags=tuple(MaxLag(f"activity {i}", random.randrange(9)) for i in earlier[:1]),
            sets=state if random.random() < 0.1 else None,
            requires=state if random.random() < 0.1 else None,
            release=random.choice((0, 0, 3)),
            deadline=random.choice((None, None, 50)),
        )
        by = random.choice(((), bodies[:1]))
        works.append(Work(activity, by, random.choice(("", *(job.name for job in jobs)))))
    places = range(random.randint(0, 4))
    return Structure(
        activities=tuple(works),
        resources=machines,
        bodies=bodies,
        jobs=jobs,
        objects={f"object {i}": random.random() < 0.5 for i in range(4)},
        ground=tuple(tuple(0 if i == j else random.randint(1, 3) for j in places) for i in places),
    )


def renamed(structure: Structure, random: Random) -> Structure:
    """The same structure, in which all names are others and everything stands in another order."""

    def name(old: str) -> str:
        return old[::-1] + " by another name"

    def shuffled(items: tuple) -> tuple:  # type: ignore[type-arg]
        return tuple(random.sample(items, len(items)))

    def renamed_work(work: Work) -> Work:
        old = work.activity
        states = {
            field: MachineState(name(state.resource), state.value + 1)
            for field in ("sets", "requires")
            if (state := getattr(old, field)) is not None
        }
        activity = msgspec.structs.replace(
            old,
            name=name(old.name),
            predecessors=shuffled(tuple(map(name, old.predecessors))),
            resources=shuffled(tuple(map(name, old.resources))),
            max_lags=tuple(MaxLag(name(lag.after), lag.at_most) for lag in old.max_lags),
            **states,
        )
        return Work(activity, shuffled(tuple(map(name, work.by))), name(work.job) if work.job else "")

    places = random.sample(range(len(structure.ground)), len(structure.ground))
    return msgspec.structs.replace(
        structure,
        activities=shuffled(tuple(map(renamed_work, structure.activities))),
        resources=shuffled(tuple(Resource(name(each.name), each.capacity) for each in structure.resources)),
        bodies=shuffled(tuple(map(name, structure.bodies))),
        jobs=shuffled(tuple(msgspec.structs.replace(job, name=name(job.name)) for job in structure.jobs)),
        objects=dict(shuffled(tuple((name(old), needed) for old, needed in structure.objects.items()))),
        ground=tuple(tuple(structure.ground[i][j] for j in places) for i in places),
    )


def with_activity(structure: Structure, number: int, **fields: object) -> Structure:
    """The structure with other fields of one activity."""
    works = list(structure.activities)
    changed = msgspec.structs.replace(works[number].activity, **fields)
    works[number] = msgspec.structs.replace(works[number], activity=changed)
    return msgspec.structs.replace(structure, activities=tuple(works))
