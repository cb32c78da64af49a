"""The fair order: courses take turns, students take turns, nearer deadlines first, and nobody is forgotten."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.queue.order import LastDispatched, Waiting, fair_order

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
NEVER = LastDispatched({}, {})


def waiting(name: str, course: str | None = "x", due_in_h: float | None = None, since_s: float = 0) -> Waiting:
    """`ada1` is a submission of ada."""
    due_at = None if due_in_h is None else NOW + timedelta(hours=due_in_h)
    return Waiting(
        name, name.rstrip("0123456789"), course, due_at, NOW - timedelta(hours=1) + timedelta(seconds=since_s)
    )


def in_order_of_arrival(*names: str, course: str | None = "x") -> list[Waiting]:
    return [waiting(name, course, since_s=number) for number, name in enumerate(names)]


def order(items: Sequence[Waiting], last: LastDispatched = NEVER) -> list[str]:
    return fair_order(items, last, NOW)


def test_a_hundred_uploads_of_one_student_delay_each_other_by_one():
    many = in_order_of_arrival(*(f"ada{n}" for n in range(100)), "bob0", "eve0", "bob1")
    assert order(many)[:6] == ["ada0", "bob0", "eve0", "ada1", "bob1", "ada2"]


def test_a_student_who_was_dispatched_while_others_waited_goes_behind_them():
    last = LastDispatched({("x", "ada"): NOW}, {"x": NOW})
    assert order(in_order_of_arrival("ada1", "bob0"), last) == ["bob0", "ada1"]


def test_a_large_course_does_not_hold_up_a_small_one():
    large = in_order_of_arrival(*(f"student{chr(97 + n)}0" for n in range(5)))
    small = [waiting("zoe0", "y", since_s=90), waiting("yan0", "y", since_s=91)]
    assert order([*large, *small])[:5] == ["studenta0", "zoe0", "studentb0", "yan0", "studentc0"]


def test_a_course_that_was_dispatched_last_waits_for_the_other():
    last = LastDispatched({}, {"x": NOW, "y": NOW - timedelta(seconds=9)})
    assert order([waiting("ada0", "x"), waiting("bob0", "y", since_s=9)], last) == ["bob0", "ada0"]


def test_among_equals_the_nearer_deadline_goes_first():
    items = [
        waiting("ada0", due_in_h=None),
        waiting("bob0", due_in_h=24, since_s=1),
        waiting("cyd0", due_in_h=1, since_s=2),
        waiting("dan0", due_in_h=-1, since_s=3),
    ]
    assert order(items) == ["cyd0", "bob0", "ada0", "dan0"]


def test_practice_takes_its_turn_like_a_course():
    assert order([*in_order_of_arrival("ada0", "bob0"), waiting("eve0", None, since_s=5)]) == ["ada0", "eve0", "bob0"]


names = st.builds("{}{}".format, st.sampled_from(["ada", "bob", "cyd", "dan"]), st.integers(0, 30))
items = st.lists(
    st.builds(
        waiting,
        names,
        st.sampled_from(["x", "y", None]),
        st.sampled_from([None, -1, 1, 24]),
        st.integers(0, 100),
    ),
    unique_by=lambda item: item.id,
    max_size=40,
)


@given(items)
def test_everybody_is_in_the_order_once_wherever_they_stood_before(line: list[Waiting]):
    assert sorted(order(line)) == sorted(item.id for item in line)
    assert order(line) == order(line[::-1])


@given(items)
def test_nobody_gets_a_second_turn_while_somebody_of_the_course_had_none(line: list[Waiting]):
    student = {item.id: (item.course, item.student) for item in line}
    turns: dict[tuple[str | None, str], int] = {}
    left = [student[submission] for submission in order(line)]
    while left:
        who = left.pop(0)
        turns[who] = turns.get(who, 0) + 1
        still = {other for other in left if other[0] == who[0]}
        assert all(turns[who] <= turns.get(other, 0) + 1 for other in still)
