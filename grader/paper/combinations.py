"""Which calls does a spec allow, and does a paper ask for each pair of what they can vary in?

Two values of different dimensions are a pair, such as "one query" and "a mask of bytes": code that is wrong only where
both meet passes cases that show each alone. As few calls as do are chosen that have all pairs (combinatorial testing:
Kuhn, Kacker and Lei, NIST SP 800-142, 2010).
"""

import csv
import random
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import combinations

from grader.manifest import ManifestError
from grader.paper.case import Case, Trait
from grader.paper.draw import Draw

Value = int | str
Choice = Mapping[str, Value]
Pair = tuple[Trait, Trait]
DRAWN = (
    4000  # choices that stand for all that the spec allows: what none of them has is impossible, or too rare to ask for
)
OF_SIZES = ONE, MORE, EQUAL, DIFFERENT = "1", "more than 1", "equal", "different"
FAMILY = "combinations"
ANEW = "`assay challenge combine` writes the table anew"


@dataclass(frozen=True)
class Space:
    """All calls of one function that the spec allows.

    `dimensions` are what a call can vary in, with values of each: sizes, and words. `settled` leaves out of a choice
    what it has no use for (the dtype of a mask where there is none), and mends what the spec rules out. `sizes` are all
    sizes that a call of this choice has, by the spec's names. `case` makes the call. `stated` are the spec's own words
    on each dimension of words: whoever reads them knows that calls differ in it.
    """

    dimensions: Mapping[str, Sequence[Value]]
    settled: Callable[[dict[str, Value]], Choice]
    sizes: Callable[[Choice], Mapping[str, int]]
    case: Callable[[Draw, Choice], Case]
    stated: Mapping[str, str]

    def traits(self, choice: Choice) -> tuple[Trait, ...]:
        """Returns what a choice is told apart by: each word, which sizes are one, and which are equal."""
        sizes = self.sizes(choice)
        words = [(name, value) for name, value in choice.items() if isinstance(value, str)]
        ones = [(name, ONE if size == 1 else MORE) for name, size in sizes.items()]
        compared = [
            (f"{first} and {second}", EQUAL if sizes[first] == sizes[second] else DIFFERENT)
            for first, second in combinations(sizes, 2)
        ]
        return (*words, *ones, *compared)

    def drawn(self, count: int = DRAWN) -> Iterator[Choice]:
        """Choices at random, always the same ones."""
        source = random.Random(0)  # noqa: S311  a sample, no secret
        for _ in range(count):
            yield self.settled({name: source.choice(values) for name, values in self.dimensions.items()})

    def cases(self, draw: Draw, function: str, choices: Sequence[Choice]) -> Iterator[Case]:
        """The calls of these choices, by number. What is drawn for a choice does not depend on the others."""
        for number, choice in enumerate(choices, start=1):
            own = draw.apart(str(sorted(choice.items())))
            yield replace(self.case(own, choice), id=f"{function}-{number}", traits=self.traits(choice))


def in_words(name: str, value: str) -> str:
    """Says which calls have this trait, to follow "those" and the like."""
    if value in OF_SIZES:
        return f"where {name} {'are' if ' and ' in name else 'is'} {value}"
    return f'with "{name}: {value}"'


@dataclass(frozen=True)
class Coverage:
    """How many pairs calls can have, and those that none of some choices has."""

    pairs: int
    missing: tuple[Pair, ...]


def coverage(space: Space, choices: Sequence[Choice]) -> Coverage:
    """Counts how many of all possible pairs these choices have."""
    possible, asked = pairs_of(space, space.drawn()), pairs_of(space, choices)
    return Coverage(len(possible), tuple(sorted(possible - asked)))


def pairs_of(space: Space, choices: Iterable[Choice]) -> set[Pair]:
    """Every pair that one of these has."""
    return {pair for choice in choices for pair in combinations(space.traits(choice), 2)}


def fewest(sets: Sequence[Iterable[Hashable]]) -> list[int]:
    """Places of sets that together have all that any has, few of them: each time the one that adds the most."""
    bits: dict[Hashable, int] = {}
    masks = [sum(1 << bits.setdefault(item, len(bits)) for item in set(items)) for items in sets]
    left, chosen = (1 << len(bits)) - 1, []
    while left:
        best = max(range(len(masks)), key=lambda place: (masks[place] & left).bit_count())
        chosen.append(best)
        left &= ~masks[best]
    return chosen


def written(space: Space, choices: Sequence[Choice]) -> str:
    """Writes the choices as a table, one in a line; what a choice has no use for stays empty."""
    text = StringIO()
    table = csv.DictWriter(text, space.dimensions, lineterminator="\n")
    table.writeheader()
    table.writerows(choices)
    return text.getvalue()


def read(space: Space, table: str, name: str) -> list[Choice]:
    """Reads the table that `written` wrote. Raises ManifestError, with the table's name and the line, where it is no
    table of this space.
    """
    known = {dimension: {str(value): value for value in values} for dimension, values in space.dimensions.items()}
    lines = csv.reader(StringIO(table))
    columns = next(lines, [])
    if sorted(columns) != sorted(known):
        odd = ", ".join(sorted({*columns} ^ known.keys())) or "one that is there twice"
        raise ManifestError(f"{name}: its columns are not the dimensions of space.py ({odd}). {ANEW}")
    choices: list[Choice] = []
    for cells in filter(None, lines):
        where = f"{name}, line {lines.line_num}"
        if len(cells) != len(columns):
            raise ManifestError(f"{where}: {len(cells)} values for {len(columns)} columns. {ANEW}")
        row = {column: cell for column, cell in zip(columns, cells, strict=True) if cell}
        for column, cell in row.items():
            if cell not in known[column]:
                raise ManifestError(f"{where}, column {column}: space.py has no value {cell!r}. {ANEW}")
        choices.append({column: known[column][cell] for column, cell in row.items()})
    return choices
