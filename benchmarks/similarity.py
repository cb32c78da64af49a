"""How often independent right answers are called alike, and how often disguised copies are found (docs/dashboard.md).

    python -m benchmarks.similarity [SLUG ...]
    python -m benchmarks.similarity --files 600

The honest class is `tests/blind/<slug>/passed` and `challenges/<slug>/accepted`. Its authors knew the spec alone, but
one hand wrote several files, and used its own lines again: pairs with two fifths of their rarer lines in common, letter
by letter, are counted apart as one hand's. Copies are made by `benchmarks.disguise`; each is put into the class beside
its original. With `--files`, the program that compares is timed on so many copies.
"""

import argparse
import ast
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from app.similarity.common import common_to
from app.similarity.compare import Found, Task
from app.similarity.structure import STEPS_MIN, alike_in_steps, own_steps, share_of, structures_of
from app.similarity.text import SCORE_MIN as TEXT_MIN
from app.similarity.text import alike_in_text
from benchmarks.disguise import DISGUISES, disguise
from grader.challenge import load_challenges

ROOT = Path(__file__).parents[1]
SLUGS = list(load_challenges())
TEXT_BEFORE = 0.5  # from which copydetect alone called two files alike, before structure was compared
ONE_HAND = 0.4
SHORT = 12  # characters: such a line is everybody's
SHARES = (0.6, 0.7, 0.8, 0.9)
SMALL = 8
CLASSES = 60
ALL = "all together"

Pair = tuple[int, int]


class Class:
    """The independent right answers to an exercise."""

    def __init__(self, slug: str) -> None:
        folders = (ROOT / "tests" / "blind" / slug / "passed", ROOT / "challenges" / slug / "accepted")
        self.texts = [path.read_text("utf-8-sig") for folder in folders for path in sorted(folder.glob("*.py"))]
        starter = sorted((ROOT / "challenges" / slug / "starter").glob("*.py"))
        self.starter_text = starter[0].read_text() if starter else ""
        (self.starter,) = structures_of([self.starter_text])
        self.files = structures_of(self.texts)
        self._lines = rare_lines(self.texts)

    @property
    def pairs(self) -> int:
        """How many there are."""
        return len(self.texts) * (len(self.texts) - 1) // 2

    def is_one_hand(self, pair: Pair) -> bool:
        """Whether the two share lines that hardly anybody else has."""
        one, other = (self._lines[each] for each in pair)
        return len(one & other) >= ONE_HAND * (min(len(one), len(other)) or 1)


def rare_lines(texts: Sequence[str]) -> list[set[int]]:
    """Lines as they are written, names included, without those that a third of the class has."""
    lines = [
        {hash(line.strip()) for line in ast.unparse(ast.parse(text)).splitlines() if len(line.strip()) > SHORT}
        for text in texts
    ]
    common = common_to(lines)
    return [each - common for each in lines]


def false_pairs(class_: Class, counts: Counter[tuple[str, str]]) -> None:
    """Counts the honest pairs that are called alike."""
    own = own_steps(class_.files, class_.starter)
    for share in SHARES:
        for pair in combinations(range(len(own)), 2):
            is_alike = len(own[pair[0]] & own[pair[1]]) >= STEPS_MIN and share_of(own[pair[0]], own[pair[1]]) >= share
            counts[f"structure, {share:.0%}", hand(class_, pair)] += is_alike
    for each in alike_in_text(class_.texts, class_.starter_text, TEXT_BEFORE):
        counts["text alone, as before", hand(class_, (each.left, each.right))] += 1
        counts["text alone, as now", hand(class_, (each.left, each.right))] += each.score >= TEXT_MIN


def hand(class_: Class, pair: Pair) -> str:
    """As a heading."""
    return "one hand" if class_.is_one_hand(pair) else "others"


def found_copies(class_: Class, name: str, counts: Counter[tuple[str, str]]) -> None:
    """Counts the copies that are found when each is alone in the class with its original."""
    names = tuple(DISGUISES) if name == ALL else (name,)
    copies = [disguise(text, names, index) for index, text in enumerate(class_.texts)]
    labels = [each.labels - class_.starter.labels for each in class_.files]
    common = common_to(labels)
    for original, copy in zip(labels, structures_of(copies), strict=True):
        pair = [original - common, copy.labels - class_.starter.labels - common]
        counts[name, "structure"] += bool(list(alike_in_steps(pair)))
    counts[name, "copies"] += len(copies)
    size, some = len(class_.texts), range(0, len(class_.texts), 8)
    texts = [*class_.texts, *(copies[index] for index in some)]
    told = {(each.left, each.right) for each in alike_in_text(texts, class_.starter_text, TEXT_BEFORE)}
    counts[name, "text"] += sum((index, size + place) in told for place, index in enumerate(some))
    counts[name, "texts"] += len(some)


def small_classes(class_: Class, counts: Counter[str]) -> None:
    """Counts the honest pairs that are called alike in small classes, where nothing can be called common."""
    chance = random.Random(1)
    for _ in range(CLASSES):
        drawn = chance.sample(range(len(class_.files)), SMALL)
        own = own_steps([class_.files[each] for each in drawn], class_.starter)
        pairs = [(drawn[left], drawn[right]) for left, right in alike_in_steps(own)]
        counts["others"] += sum(not class_.is_one_hand(pair) for pair in pairs)
        counts["pairs"] += SMALL * (SMALL - 1) // 2


def show_rates(slugs: Sequence[str]) -> None:
    """Prints the tables of docs/dashboard.md."""
    honest: Counter[tuple[str, str]] = Counter()
    copies: Counter[tuple[str, str]] = Counter()
    small: Counter[str] = Counter()
    pairs = 0
    for slug in slugs:
        class_ = Class(slug)
        pairs += class_.pairs
        of_class: Counter[tuple[str, str]] = Counter()
        false_pairs(class_, of_class)
        honest += of_class
        small_classes(class_, small)
        for name in (*DISGUISES, ALL):
            found_copies(class_, name, copies)
        seventy = (of_class["structure, 70%", each] for each in ("others", "one hand"))
        print(
            f"{slug:20} {len(class_.texts):3} files {class_.pairs:5} pairs  alike: {' '.join(map(str, seventy))}",
            flush=True,
        )
    print(f"\nhonest pairs called alike, of {pairs}: by others, and by one hand")
    for measure in sorted({name for name, _ in honest}):
        others, one = honest[measure, "others"], honest[measure, "one hand"]
        print(f"  {measure:24} {others:4} ({others / pairs:.2%}) {one:4} ({one / pairs:.2%})")
    print(f"  in classes of {SMALL}          {small['others']:4} ({small['others'] / small['pairs']:.2%})")
    print("\ncopies found, of those disguised in one way: by structure, by text alone as before (of an eighth)")
    for name in (*DISGUISES, ALL):
        by_structure = copies[name, "structure"] / copies[name, "copies"]
        print(f"  {name:24} {by_structure:6.1%} {copies[name, 'text'] / copies[name, 'texts']:6.1%}")


def show_time(files: int) -> None:
    """Times the program on copies of one exercise, each in a disguise of its own."""
    class_, chance = Class("mha-rope"), random.Random(1)
    names = [tuple(name for name in DISGUISES if chance.random() < 0.4) for _ in range(files)]
    texts = class_.texts
    sources = [f"# {index}\n{disguise(texts[index % len(texts)], each, index)}" for index, each in enumerate(names)]
    task = Task(sources=sources, starter=class_.starter_text).model_dump_json()
    started = time.perf_counter()
    command = [sys.executable, "-P", "-m", "app.similarity.compare"]
    done = subprocess.run(command, input=task, capture_output=True, text=True, check=True, cwd=ROOT)
    wall_s, used = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    pairs = len(Found.model_validate_json(done.stdout).pairs)
    print(
        f"{files} files: {used.ru_utime + used.ru_stime:.1f} s of the processor, {wall_s:.1f} s by the clock, "
        f"{used.ru_maxrss >> 10} MiB, {pairs} pairs told"
    )


def main() -> None:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("slugs", nargs="*", default=SLUGS)
    parser.add_argument("--files", type=int, default=0, help="time the program on so many files instead")
    asked = parser.parse_args()
    if asked.files:
        show_time(asked.files)
    else:
        show_rates(asked.slugs)


if __name__ == "__main__":
    main()
