"""Proves every challenge and writes docs/fidelity.md: what each paper catches, and how clearly.

python -m benchmarks.fidelity (or `make verify`): five minutes on two processors
"""

import math
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import torch

from assay.formats.proof import line_of, times
from assay.trials import bounded_trials
from grader.bench import MARGIN
from grader.challenge import Challenge, load_challenges
from grader.exercise import exercise_of
from grader.verify import MISTAKE_SEEDS, REFERENCE_SEEDS, Check, Section, verify
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
"""


def main() -> int:
    challenges = load_challenges()
    proofs: dict[str, list[Check]] = {}
    spawn = multiprocessing.get_context("spawn")
    with private_runner(sessions=2 * PROVERS) as sandbox, ProcessPoolExecutor(PROVERS, spawn) as pool:
        for slug, checks, seconds in pool.map(prove, challenges, [sandbox] * len(challenges)):
            proofs[slug] = checks
            broken = [check for check in checks if not check.holds]
            print(*(f"{slug}: {line_of(check)}" for check in broken), sep="\n", end="\n" if broken else "")
            print(f"{slug}: {len(checks)} checks in {seconds:.0f} s", flush=True)
    if not all(check.holds for checks in proofs.values() for check in checks):
        print(f"Not proven; {PAGE.name} stays as it was.")
        return 1
    PAGE.write_text(page(challenges, proofs), encoding="utf-8")
    return 0


def prove(slug: str, sandbox: RunnerClient) -> tuple[str, list[Check], float]:
    """In a process of its own."""
    torch.set_num_threads(1)
    started = time.perf_counter()
    checks = list(verify(load_challenges()[slug], sandbox, bounded_trials))
    return slug, checks, time.perf_counter() - started


def page(challenges: dict[str, Challenge], proofs: dict[str, list[Check]]) -> str:
    """The whole document."""
    parts = [HEAD, *_summary(proofs)]
    for slug, checks in proofs.items():
        parts += [
            "",
            f"## {slug}",
            "",
            version_line(challenges[slug]),
            "",
            *_papers(challenges[slug], checks),
            *_coverage(checks),
            *_mutants(checks),
            *_mistakes(checks),
        ]
    return "\n".join(parts) + "\n"


def version_line(challenge: Challenge) -> str:
    """What was proven: every file of the challenge counts."""
    return f"Version `{challenge.version}`."


def _summary(proofs: dict[str, list[Check]]) -> Iterator[str]:
    yield "| challenge | right answers | below | misconceptions | above | mutants | equivalent | mutation score |"
    yield "|---|---|---|---|---|---|---|---|"
    for slug, checks in proofs.items():
        right, mistakes = _right(checks), _of(checks, Section.MISCONCEPTION)
        mutation = _of(checks, Section.MUTANTS)[0].mutation
        assert mutation is not None
        cells = (
            f"[{slug}](#{slug})",
            len(right),
            _least(right),
            len(mistakes),
            _least(mistakes),
            len(mutation.fates),
            mutation.equivalent,
            f"{mutation.score:.1%}",
        )
        yield f"| {' | '.join(map(str, cells))} |"


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
        f"**Mutation score {mutation.score:.1%}**: {mutation.killed} of {len(mutation.fates)} mutants are killed, "
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
