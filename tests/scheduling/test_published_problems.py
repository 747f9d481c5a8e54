"""Makespans known without this solver: a published job shop, and problems with an argument for each.

No activity here needs the operator: these are machine scheduling and resource-constrained projects.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.kernel.schedule import Activity, MaxLag, Problem, Resource
from backburner.scheduling.makespan import makespan_bound, solve_problem
from backburner.scheduling.preemption import timetable

FT06 = """
2 1  0 3  1 6  3 7  5 3  4 6
1 8  2 5  4 10  5 10  0 10  3 4
2 5  3 4  5 8  0 9  1 1  4 7
1 5  0 5  2 5  3 3  4 8  5 9
2 9  1 3  4 5  5 4  0 3  3 1
1 3  3 3  5 9  0 10  4 4  2 1
"""
"""Fisher and Thompson's job shop of six jobs on six machines (1963): a line for each job, with a machine
and a processing time for each of its operations in their order. The optimum is 55."""


def solved(activities: list[Activity], *resources: Resource) -> int | None:
    """The proven makespan; no resource is ever overbooked in the schedule that has it."""
    problem = Problem("steps", tuple(activities), resources, "made for a test")
    answer = solve_problem(problem)
    assert (answer.status, answer.bound) == ("optimal", answer.objective)
    blocks = timetable(problem, answer.starts or {})
    demands = {activity.name: activity.resources for activity in activities}
    for resource in resources:
        for time in {block.start for block in blocks}:
            running = (block.name for block in blocks if block.start <= time < block.end)
            assert sum(demands[name].count(resource.name) for name in running) <= resource.capacity
    return answer.objective


def chain(job: str, operations: list[tuple[str, int]]) -> list[Activity]:
    """The operations of a job as (machine, duration), each after the one before it."""
    names = [f"{job} at {machine}" for machine, _ in operations]
    return [
        Activity(name, duration, 0, tuple(names[:n][-1:]), (machine,))
        for n, (name, (machine, duration)) in enumerate(zip(names, operations, strict=True))
    ]


def test_a_published_job_shop_has_its_published_makespan() -> None:
    jobs = [list(map(int, line.split())) for line in FT06.strip().splitlines()]
    activities = [
        activity
        for number, job in enumerate(jobs)
        for activity in chain(
            f"job {number}", [(f"m{m}", d) for m, d in zip(job[::2], job[1::2], strict=True)]
        )
    ]
    machines = [Resource(f"m{number}") for number in range(6)]
    # The longest job takes 47 and the busiest machine 43, so that the bounds alone prove nothing.
    assert makespan_bound(activities) == 47
    assert solved(activities, *machines) == 55


def test_two_machines_in_the_order_of_johnsons_rule() -> None:
    # Times on the first and second machine: A 3 2, B 1 4, C 4 3, D 2 5. Johnson's rule: those that are
    # shorter on the first machine by that time, B and D, then the others by falling second time, C and A.
    # First machine: B 0-1, D 1-3, C 3-7, A 7-10. Second: B 1-5, D 5-10, C 10-13, A 13-15.
    times = {"A": (3, 2), "B": (1, 4), "C": (4, 3), "D": (2, 5)}
    jobs = [chain(job, [("first", one), ("second", two)]) for job, (one, two) in times.items()]
    activities = [activity for job in jobs for activity in job]
    assert solved(activities, Resource("first"), Resource("second")) == 15


def test_a_project_whose_crew_is_never_idle() -> None:
    # Days and workers: a 3x2, b 2x3, c 4x1, d 2x4, e 3x2, f 5x1 are 35 days of work, so that a crew of 5
    # needs 7 days at least. Full throughout: d 0-2, c 0-4; then b 2-4, f 2-7; then a 4-7, e 4-7.
    work = {"a": (3, 2), "b": (2, 3), "c": (4, 1), "d": (2, 4), "e": (3, 2), "f": (5, 1)}
    activities = [Activity(name, days, 0, (), ("crew",) * workers) for name, (days, workers) in work.items()]
    assert solved(activities, Resource("crew", 5)) == 7
    # c after f is a chain of 5 + 4
    c_after_f = [replace(a, predecessors=("f",)) if a.name == "c" else a for a in activities]
    assert solved(c_after_f, Resource("crew", 5)) == 9


@pytest.mark.parametrize(("capacity", "days"), [(1, 12), (2, 8), (3, 7), (4, 6), (9, 6)])
def test_a_project_by_the_size_of_its_crew(capacity: int, days: int) -> None:
    # dig 2 and pour 1 come first; then build 3, paint 2, wire 2 and fence 2 are 9 days of work. One worker:
    # 3 + 9. Two: at least 4.5, so 5 more days. Three: build and one other begin, and who builds has no
    # time for another, so that two workers share three times 2 days: 4 more. Four: 3 more.
    dig = Activity("dig", 2, 0, (), ("crew",))
    pour = Activity("pour", 1, 0, ("dig",), ("crew",))
    after = [("build", 3), ("paint", 2), ("wire", 2), ("fence", 2)]
    others = [Activity(name, duration, 0, ("pour",), ("crew",)) for name, duration in after]
    assert solved([dig, pour, *others], Resource("crew", capacity)) == days


def test_all_times_may_be_multiples_of_a_grid() -> None:
    # the project for two workers with all times tripled, on a grid of 3
    dig, pour = Activity("dig", 6, 0, (), ("crew",)), Activity("pour", 3, 0, ("dig",), ("crew",))
    after = [("build", 9), ("paint", 6), ("wire", 6), ("fence", 6)]
    others = [Activity(name, duration, 0, ("pour",), ("crew",)) for name, duration in after]
    problem = Problem("minutes", (dig, pour, *others), (Resource("crew", 2),), "made for a test", grid=3)
    answer = solve_problem(problem)
    assert (answer.status, answer.objective, answer.bound) == ("optimal", 24, 24)


def test_a_maximum_lag_can_force_a_late_start() -> None:
    # Mix 1, and pour 2 at most 2 after that; before pouring the formwork takes 6. Pouring is in 6-8, so
    # mixing must not end before 4.
    mix = Activity("mix", 1, 0, (), ("crew",))
    form = Activity("formwork", 6, 0)
    pour = Activity("pour", 2, 0, ("mix", "formwork"), ("crew",), (MaxLag("mix", 2),))
    problem = Problem("steps", (mix, form, pour), (Resource("crew"),), "made for a test")
    answer = solve_problem(problem)
    assert answer.objective == 8 and answer.starts is not None
    assert 3 <= answer.starts["mix"] <= 5
