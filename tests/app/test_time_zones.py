"""A course's times are those of its own clocks, also in the nights in which they change."""

from datetime import UTC, date, datetime

import pytest

from app.time_zones import (
    NoSuchTime,
    as_field,
    checked_zone,
    from_field,
    in_zone,
    moved,
    weeks_between,
    zones_by_region,
)

BERLIN = "Europe/Berlin"


def utc(*numbers: int) -> datetime:
    return datetime(*numbers, tzinfo=UTC)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("typed", "moment"),
    [
        ("2026-12-14T23:59", utc(2026, 12, 14, 22, 59)),
        ("2026-07-14T23:59", utc(2026, 7, 14, 21, 59)),
        ("2026-10-25T02:30", utc(2026, 10, 25, 0, 30)),  # comes twice: the first
        ("", None),
    ],
)
def test_a_typed_time_is_meant_in_the_courses_zone(typed: str, moment: datetime | None) -> None:
    assert from_field(typed, BERLIN) == moment
    assert as_field(moment, BERLIN) == typed


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("2026-03-29T02:30", "there is no 02:30 that day: the clocks go forward"),
        ("tomorrow", "not a date and time"),
        ("2026-12-14T23:59+01:00", "without a zone"),
        ("0001-01-01T00:00", "between 2000 and 2998"),
        ("9999-12-31T23:59", "between 2000 and 2998"),
    ],
)
def test_a_time_that_is_none_is_refused_in_words(typed: str, told: str) -> None:
    with pytest.raises(NoSuchTime, match=told):
        from_field(typed, BERLIN)


def test_a_time_that_was_not_touched_stays_to_the_second() -> None:
    second_time = utc(2026, 10, 25, 1, 30, 59)  # 02:30:59 for the second time that night
    assert from_field(as_field(second_time, BERLIN), BERLIN, second_time) == second_time


def test_a_page_names_the_zone() -> None:
    assert in_zone(utc(2026, 12, 14, 22, 59), BERLIN) == "14 Dec 2026, 23:59 CET"
    assert in_zone(utc(2026, 7, 14, 21, 59), BERLIN) == "14 Jul 2026, 23:59 CEST"
    assert in_zone(utc(2026, 7, 14, 20, 0), "Asia/Kathmandu") == "15 Jul 2026, 01:45 UTC+05:45"


@pytest.mark.parametrize("name", ["../../etc/passwd", "Mars/Olympus", "", "Factory", "europe/berlin"])
def test_a_zone_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="Europe/Berlin"):
        checked_zone(name)


def test_every_zone_to_choose_from_is_one() -> None:
    names = [name for region in zones_by_region().values() for name in region]
    assert len(names) > 400
    assert all(checked_zone(name) == name for name in names)


def test_a_date_moves_by_whole_weeks_and_keeps_weekday_and_time_across_the_change_of_clocks() -> None:
    weeks = weeks_between(date(2026, 10, 6), date(2027, 4, 8))  # a Tuesday in autumn, a Thursday in spring
    assert weeks == 26
    due = utc(2026, 10, 13, 21, 59)  # Tuesday, 23:59 in summer
    moment = moved(due, weeks + 26, BERLIN, BERLIN)
    assert moment == utc(2027, 10, 12, 21, 59)
    winter = moved(utc(2026, 11, 3, 22, 59), weeks, BERLIN, BERLIN)  # 23:59 in winter becomes 23:59 in summer
    assert winter == utc(2027, 5, 4, 21, 59)
    assert moved(None, weeks, BERLIN, BERLIN) is None


def test_a_time_that_the_clocks_jump_over_in_the_new_term_is_an_hour_later() -> None:
    moment = moved(utc(2026, 3, 22, 1, 30), 1, BERLIN, BERLIN)
    assert moment == utc(2026, 3, 29, 1, 30)
    assert in_zone(moment, BERLIN) == "29 Mar 2026, 03:30 CEST"


def test_weeks_count_back_too() -> None:
    assert weeks_between(date(2026, 10, 5), date(2026, 9, 27)) == -2
