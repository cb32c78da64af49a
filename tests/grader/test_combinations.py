"""What calls can vary in: told apart, covered by few calls, written as a table and read back."""

import random
from collections.abc import Hashable, Iterator, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exercise import exercise_of
from grader.paper.combinations import Choice, Space, Trait, Value, fewest, read, written
from tests.installed import installed

SPACES = {
    f"{slug}/{function}": space
    for slug, challenge in installed().items()
    for function, space in exercise_of(challenge).spaces.items()
}
WORDS = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=5)
VALUES = st.one_of(
    st.lists(WORDS, min_size=1, max_size=4, unique=True),
    st.lists(st.text("0123456789", min_size=1, max_size=3), min_size=1, max_size=4, unique=True),
    st.lists(st.integers(0, 99), min_size=1, max_size=4, unique=True),
)


def space_of(dimensions: Mapping[str, Sequence[Value]]) -> Space:
    """One whose calls nobody makes."""
    return Space(dimensions, dict, lambda _: {}, lambda _, __: NotImplemented, {})


@given(st.lists(st.sets(st.integers(0, 20))))
def test_the_fewest_sets_have_all_and_each_added_something_when_it_was_chosen(sets: list[set[Hashable]]) -> None:
    had: set[Hashable] = set()
    for place in fewest(sets):
        assert sets[place] - had
        had |= sets[place]
    assert had == set().union(*sets)


def test_of_sets_that_have_all_the_largest_does_alone() -> None:
    assert fewest([{1}, {2}, {1, 2, 3}, {3}]) == [2]


@given(st.data())
def test_what_is_written_is_read_back_as_it_was(data: st.DataObject) -> None:
    dimensions = data.draw(st.dictionaries(WORDS, VALUES, min_size=1, max_size=4))
    choice = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in dimensions.items()})
    space, choices = space_of(dimensions), data.draw(st.lists(choice, max_size=5))
    assert read(space, written(space, choices), "a table") == choices


def test_a_word_made_of_digits_stays_a_word_and_a_number_a_number() -> None:
    space = space_of({"bits": ("16", "32"), "heads": (16, 32)})
    choices: list[Choice] = [{"bits": "16", "heads": 16}]
    assert read(space, written(space, choices), "a table") == choices


@pytest.mark.parametrize("name", SPACES)
def test_no_value_that_calls_can_have_is_without_coverage(name: str) -> None:
    """Words are traits, each of them. Numbers make sizes: another number, other sizes of some call."""
    space = SPACES[name]
    had: set[Trait] = {trait for choice in space.drawn() for trait in space.traits(choice)}
    for dimension, values in space.dimensions.items():
        if any(isinstance(value, str) for value in values):
            assert all(isinstance(value, str) and (dimension, value) in had for value in values), dimension
        else:
            told_apart = ({str(space.sizes(choice)) for choice in alike} for alike in varied(space, dimension))
            assert len({*values}) in map(len, told_apart), dimension


def varied(space: Space, dimension: str) -> Iterator[list[Choice]]:
    """Choices that are the same but for one dimension, some times."""
    source = random.Random(0)
    for _ in range(100):
        same = {name: source.choice(values) for name, values in space.dimensions.items()}
        yield [space.settled(same | {dimension: value}) for value in space.dimensions[dimension]]


def test_some_exercises_have_a_space() -> None:
    assert len(SPACES) >= 4
