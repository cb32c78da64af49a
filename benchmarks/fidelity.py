"""Proves every challenge and writes docs/fidelity.md: what each paper catches, and how clearly.

Then looks for what the proof does not see: samples of programs that no list has (`benchmarks.blind_spots`), and answers
that somebody wrote who had read the spec alone (`benchmarks.blind_corpora`).

python -m benchmarks.fidelity [--only mha-rope] (or `make verify`): an hour on two processors
"""

import argparse
import math
import multiprocessing
import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import torch

from assay.formats.proof import line_of, times
from assay.mutant_trials import bounded_trials
from benchmarks.blind_corpora import Tally, tally_of
from benchmarks.sampled_mistakes import compositions, guarded
from grader.challenge import Challenge, load_challenges
from grader.exercise import Exercise, exercise_of
from grader.proof.bench import MARGIN
from grader.proof.check import Check, Section
from grader.proof.verify import MISTAKE_SEEDS, REFERENCE_SEEDS, verify
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

PROVERS = 2
PAGE = Path(__file__).parents[1] / "docs" / "fidelity.md"
HEAD = f"""# What the papers catch

Written by `make verify` (`python -m benchmarks.fidelity`); a change by hand is lost. What the columns mean:

* **Below** is how many times the worst error of a right answer stays below its tolerance; **above** how many times the
  plainest error of a mistake exceeds it, on the paper of {len(MISTAKE_SEEDS)} where that is least. Both are at least
  {MARGIN:.0f}; "no number" is a difference of another kind: a shape, an exception, a broken rule.
* The reference sits {len(REFERENCE_SEEDS)} papers, each other right answer and each mistake {len(MISTAKE_SEEDS)}.
* **Mutants** are generated from the reference: an operator, a constant, an axis, an argument, a name, a condition or a
  statement is changed. Each is killed on all of {len(MISTAKE_SEEDS)} papers, or is equivalent for the reason given. The
  mutation score is the share killed of those that are not equivalent.
* **Programs that no list has** are sampled. Those that pass are named, and are of two kinds. One is wrong in its second
  call alone: code that counts its calls means to hide something. The other makes a mistake that few calls show (a
  gradient that is clipped, positions that leap) only in a few others: both would have to meet.
* **Proven as** another version: what has changed since is said, or is words alone. `python -m benchmarks.papers` gives
  the same digest in both.
"""
OTHERS = """
First mistakes, as students make them before anything runs (`tests/first-sentences`; who wrote them knew the grader, but
not what it says of each): 93 files, each with the sentence and the line of a good teaching assistant, which the report
must begin with. In 65 it is an exception, a missing `return`, or why the file is refused; of the 28 in which an idea is
wrong, 27 are named rightly, 0 wrongly, 1 not.

Another 142 (`tests/first-sentences/blind`) are by somebody who had read the exercises alone. In 101 the report begins
with what they would have said, by one of their words and by their line; 20 lack the words, 40 the line. Of 45 wrong
ideas 36 are named rightly, 0 wrongly, 9 not.

A further 104 (`tests/first-sentences/unseen`, `python -m benchmarks.first_sentences`), by another who had read the
exercises alone, were put to the grader when it was done, and nothing was changed for them: 70 begin with the words
and the line, 15 lack the words, 33 the line. Of 29 wrong ideas 28 are named rightly, 0 wrongly, 1 not.

Answers by others: who wrote them had read the spec alone, neither the grader nor its tests (`tests/blind`,
`python -m benchmarks.blind_corpora`). Which names fit a wrong answer was noted by somebody who had not seen what it is
named; where that was noted afterwards, `names.toml` says so. Those that a rule catches name themselves, and are not
counted as named. Answers that do everything in einx take up to 43 of their 60 seconds on a busy machine.

| challenge | right | refused | wrong | accepted | to be named | named rightly | wrongly | not |
|---|---|---|---|---|---|---|---|---|"""
PAIRS = CONDITIONS = 200  # programs of each kind, of which a sample is made
SAMPLE = 0


@dataclass(frozen=True)
class Chapter:
    """What is told of one challenge: its rows in the two tables, and the rest."""

    rows: tuple[str, ...]
    text: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="prove one challenge; the others' chapters stay")
    asked = parser.parse_args()
    challenges = load_challenges()
    proven = [asked.only] if asked.only else [*challenges]
    chapters: dict[str, Chapter] = {}
    is_proven = True
    spawn = multiprocessing.get_context("spawn")
    with private_runner(sessions=2 * PROVERS) as sandbox, ProcessPoolExecutor(PROVERS, spawn) as pool:
        for slug, checks, spots, seconds in pool.map(prove, proven, [sandbox] * len(proven)):
            broken = [check for check in checks if not check.holds]
            print(*(f"{slug}: {line_of(check)}" for check in broken), sep="\n", end="\n" if broken else "")
            print(f"{slug}: {len(checks)} checks in {seconds:.0f} s", flush=True)
            is_proven = is_proven and not broken
            if is_proven:
                chapters[slug] = chapter(challenges[slug], checks, spots, tally_of(slug, sandbox, pool))
    if not is_proven:
        print(f"Not proven; {PAGE.name} stays as it was.")
        return 1
    chapters = chapters_of(PAGE.read_text(encoding="utf-8")) | chapters
    PAGE.write_text(page({slug: chapters[slug] for slug in challenges}), encoding="utf-8")
    return 0


def prove(slug: str, sandbox: RunnerClient) -> tuple[str, list[Check], list[str], float]:
    """In a process of its own."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # mistakes divide by zero and worse
    started = time.perf_counter()
    challenge = load_challenges()[slug]
    checks = list(verify(challenge, sandbox, bounded_trials))
    return slug, checks, list(_blind_spots(exercise_of(challenge))), time.perf_counter() - started


def page(chapters: Mapping[str, Chapter]) -> str:
    """The whole document."""
    summaries = [chapter.rows[0] for chapter in chapters.values()]
    others = [row for chapter in chapters.values() for row in chapter.rows[1:]]
    told = [f"## {slug}\n\n{chapter.text}" for slug, chapter in chapters.items()]
    return "\n".join((HEAD, *SUMMARY, *summaries, OTHERS, *others, "", "\n\n".join(told))) + "\n"


def chapters_of(document: str) -> dict[str, Chapter]:
    """What `page` wrote."""
    tables, *told = document.split("\n## ")
    found = {}
    for one in told:
        slug, _, text = one.partition("\n")
        rows = tuple(line for line in tables.splitlines() if line.startswith(f"| [{slug}](#"))
        found[slug] = Chapter(rows, text.strip())
    return found


def chapter(challenge: Challenge, checks: Sequence[Check], spots: Sequence[str], tally: Tally) -> Chapter:
    parts = (
        version_line(challenge),
        "",
        *_papers(challenge, checks),
        *_coverage(checks),
        *spots,
        *_mutants(checks),
        *_mistakes(checks),
    )
    return Chapter((_summary(challenge.slug, checks), _of_others(challenge.slug, tally)), "\n".join(parts))


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _of_others(slug: str, tally: Tally) -> str:
    return _row(
        f"[{slug}](#{slug})",
        tally.count(is_right=True),
        tally.refused,
        tally.count(is_right=False),
        tally.accepted,
        len(tally.to_name),
        tally.rightly,
        tally.wrongly,
        tally.unnamed,
    )


def _blind_spots(exercise: Exercise) -> Iterator[str]:
    """Programs that no list has; those that pass are named."""
    if not exercise.spaces:
        return
    two, made = compositions(exercise, PAIRS, SAMPLE), [*guarded(exercise, CONDITIONS, SAMPLE)]
    yield (
        f"* Of {two.tried} programs with two mistakes, {two.right} are right after all or left to rules, and "
        f"{len(two.passed)} wrong ones pass{_named(two.passed)}."
    )
    for kind, is_before in (("the call", False), ("the calls before it", True)):
        tried = [one for one in made if one.is_of_calls_before == is_before]
        passed = [one.name for one in tried if not one.is_caught]
        what = f"programs wrong only where something holds of {kind}"
        yield f"* Of {len(tried)} {what}, {len(passed)} pass{_named(passed)}."


def _named(passed: Sequence[str]) -> str:
    return f": {'; '.join(passed)}" if passed else ""


def version_line(challenge: Challenge) -> str:
    """What was proven: every file of the challenge counts."""
    return f"Version `{challenge.version}`."


SUMMARY = (
    "| challenge | right answers | below | misconceptions | above | mutants | equivalent | mutation score |",
    "|---|---|---|---|---|---|---|---|",
)


def _summary(slug: str, checks: Sequence[Check]) -> str:
    right, mistakes = _right(checks), _of(checks, Section.MISCONCEPTION)
    mutation = _of(checks, Section.MUTANTS)[0].mutation
    assert mutation is not None
    return _row(
        f"[{slug}](#{slug})",
        len(right),
        _least(right),
        len(mistakes),
        _least(mistakes),
        len(mutation.outcomes),
        mutation.equivalent,
        f"{mutation.score:.1%}",
    )


def _coverage(checks: Sequence[Check]) -> Iterator[str]:
    yield ""
    yield from (f"* `{check.name}`: {check.detail}." for check in _of(checks, Section.COVERAGE))


def _papers(challenge: Challenge, checks: Sequence[Check]) -> Iterator[str]:
    cases = exercise_of(challenge).paper(0).cases
    families = list(dict.fromkeys(case.family for case in cases))
    yield f"A paper has {len(cases)} cases in {len(families)} families: {', '.join(families)}."
    yield ""
    yield "| right answer | below |"
    yield "|---|---|"
    for check in _right(checks):
        yield f"| {check.name or 'the reference'} | {times(check.margin)} |"


def _mutants(checks: Sequence[Check]) -> Iterator[str]:
    mutation = _of(checks, Section.MUTANTS)[0].mutation
    assert mutation is not None
    yield ""
    yield (
        f"**Mutation score {mutation.score:.1%}**: {mutation.killed} of {len(mutation.outcomes)} mutants are killed, "
        f"{mutation.equivalent} are equivalent, {len(mutation.close)} are killed by less than {MARGIN:.0f} times the "
        "tolerance."
    )
    for section in mutation.equivalents:
        yield f"\n* {section.reason}" if section is mutation.equivalents[0] else f"* {section.reason}"
        yield from (f"  * `{name}`" for name in section.mutants)


def _mistakes(checks: Sequence[Check]) -> Iterator[str]:
    yield ""
    yield "| misconception | killed by | above | diagnosed as |"
    yield "|---|---|---|---|"
    for check in _of(checks, Section.MISCONCEPTION):
        named = ", ".join(check.diagnosed_as) or "the rule"
        yield f"| {check.name} | {', '.join(check.killed_by)} | {times(check.margin)} | {named} |"


def _of(checks: Sequence[Check], section: Section) -> list[Check]:
    return [check for check in checks if check.section is section]


def _right(checks: Sequence[Check]) -> list[Check]:
    return [check for check in checks if check.section in (Section.REFERENCE, Section.ACCEPTED)]


def _least(checks: Sequence[Check]) -> str:
    return times(min((check.margin for check in checks if check.margin is not None), default=math.inf))


if __name__ == "__main__":
    sys.exit(main())
