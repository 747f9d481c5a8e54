"""Canonical forms: names and order are not in them, numbers are in the form, their ranks in the shape."""

from collections import Counter
from random import Random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from backburner.generation.canonical import form, shape, split_of
from backburner.kernel.generating import Job, Structure, Work
from backburner.kernel.schedule import Activity, MaxLag, Resource
from support.generation.structures import drawn_structure, renamed, with_activity

BREAKFAST = Structure(
    activities=(
        Work(Activity("boil", 5, 1, resources=("pot",)), job="egg"),
        Work(Activity("chop", 3, 3), job="fry-up"),
        Work(Activity("fry", 4, 1, ("chop",), ("pan",), (MaxLag("chop", 2),)), job="fry-up"),
    ),
    resources=(Resource("pot"), Resource("pan"), Resource("grill", 2)),
    bodies=("cook",),
    jobs=(Job("egg"), Job("fry-up", due=20)),
    objects={"knife": True, "spoon": False},
)

structures = st.builds(drawn_structure, st.randoms(use_true_random=False), st.integers(1, 15))


def test_a_structure_has_its_digests_on_every_machine() -> None:
    assert form(BREAKFAST) == "6af2059d1f38be635b3a43878e027ab0"
    assert shape(BREAKFAST) == "05b25fc8c3234d1007b0b6e7baf6103c"
    assert split_of(shape(BREAKFAST)) == "train"


def test_the_shape_has_ranks_where_the_form_has_numbers() -> None:
    # Durations and operator times are 1, 3, 4, 5; with 6 for 5 the ranks are as they were, with 4 they are
    # not, as frying would take as long as boiling.
    longer, equal = with_activity(BREAKFAST, 0, duration=6), with_activity(BREAKFAST, 0, duration=4)
    assert shape(longer) == shape(BREAKFAST) != shape(equal)
    assert len({form(each) for each in (BREAKFAST, longer, equal)}) == 3
    # No operator time is something else than little, though it is the least in both.
    assert shape(with_activity(BREAKFAST, 0, operator_time=0)) != shape(BREAKFAST)


def test_what_stands_beside_the_structure_is_in_the_form_alone() -> None:
    replace = msgspec.structs.replace
    for beside in (
        {"objects": {"knife": True, "spoon": False, "fork": False}},
        {"resources": BREAKFAST.resources[:2]},
        {"told": {"durations": (3, 3)}},
        {"horizon": 40},
    ):
        other = replace(BREAKFAST, **beside)
        assert form(other) != form(BREAKFAST)
        assert shape(other) == shape(BREAKFAST)


def test_what_binds_activities_is_in_both() -> None:
    frying = {"name": "fry", "duration": 4, "operator_time": 1}
    others = (
        with_activity(BREAKFAST, 2, predecessors=("boil",)),
        with_activity(BREAKFAST, 2, resources=("pot",)),
        with_activity(BREAKFAST, 2, resources=("pan", "pan")),
        with_activity(BREAKFAST, 2, max_lags=()),
        with_activity(BREAKFAST, 2, deadline=20),
        with_activity(BREAKFAST, 1, preemptive=True),
        msgspec.structs.replace(BREAKFAST, bodies=("cook", "help")),
        msgspec.structs.replace(BREAKFAST, jobs=(Job("egg"), Job("fry-up"))),
        msgspec.structs.replace(BREAKFAST, ground=((0, 1), (2, 0))),
    )
    assert len({form(each) for each in (BREAKFAST, *others)}) == 10
    assert len({shape(each) for each in (BREAKFAST, *others)}) == 10
    assert shape(with_activity(BREAKFAST, 2, **frying)) == shape(BREAKFAST)


def test_who_can_do_what_everybody_can_need_not_be_said() -> None:
    by_name = tuple(msgspec.structs.replace(work, by=("cook",)) for work in BREAKFAST.activities)
    assert form(msgspec.structs.replace(BREAKFAST, activities=by_name)) == form(BREAKFAST)


@given(structures, st.randoms(use_true_random=False))
def test_other_names_and_another_order_leave_form_and_shape(structure: Structure, random: Random) -> None:
    other = renamed(structure, random)
    assert form(other) == form(structure)
    assert shape(other) == shape(structure)


@given(structures, st.data())
def test_another_duration_changes_the_form(structure: Structure, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(structure.activities) - 1))
    duration = structure.activities[number].activity.duration
    longer = data.draw(st.integers(1, 20))
    assert form(with_activity(structure, number, duration=duration + longer)) != form(structure)


@given(structures, st.integers(2, 60))
def test_another_unit_of_time_leaves_the_shape(structure: Structure, unit: int) -> None:
    works = []
    for work in structure.activities:
        old = work.activity
        activity = msgspec.structs.replace(
            old,
            duration=old.duration * unit,
            operator_time=old.operator_time * unit,
            max_lags=tuple(MaxLag(lag.after, lag.at_most * unit) for lag in old.max_lags),
            release=old.release * unit,
            deadline=old.deadline and old.deadline * unit,
        )
        works.append(msgspec.structs.replace(work, activity=activity))
    jobs = [Job(job.name, job.release * unit, job.due and job.due * unit) for job in structure.jobs]
    scaled = msgspec.structs.replace(structure, activities=tuple(works), jobs=tuple(jobs))
    assert shape(scaled) == shape(structure)
    assert form(scaled) != form(structure)


def test_the_splits_have_their_shares_of_shapes() -> None:
    random = Random(1)
    shapes = [shape(drawn_structure(random, random.randint(4, 20))) for _ in range(5000)]
    counts = Counter(map(split_of, shapes))
    # Three standard deviations: 3 * sqrt(5000 * .8 * .2) = 85, of .1 64, of .05 46.
    assert abs(counts["train"] - 4000) < 85
    assert abs(counts["dev"] - 500) < 64
    assert abs(counts["test"] - 250) < 46
    assert abs(counts["sealed"] - 250) < 46
    assert len(set(shapes)) > 4990
