"""Grades the corpora of `tests/blind`: answers by people who had read the spec alone, neither the grader nor its tests.

Each file's docstring says what is wrong with it, in words that were written before anything was graded. Which names
would be right for it stands in `names.toml`, by somebody who knew the names and not the report. They answer the
installed challenges and those of `examples/exercises`. Exit code 1 when a right answer is refused, or a wrong one
accepted.

python -m benchmarks.blind_corpora [--only mha-rope] [--seed 77] [--list]
"""

import argparse
import multiprocessing
import sys
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch

from grader.report import RuleStatus, Verdict
from tests.grader.corpus import Entry, entries_in, grade_entry
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

JUDGES = 2
SEED = 77
FOLDER = Path(__file__).parents[1] / "tests" / "blind"


@dataclass(frozen=True)
class Judged:
    """One answer, and what was said of it. `fitting` are the names that would be right."""

    challenge: str
    name: str
    is_right: bool
    is_passed: bool
    named: tuple[str, ...]
    breaks_a_rule: bool
    fitting: frozenset[str]

    @property
    def is_misjudged(self) -> bool:
        return self.is_right != self.is_passed

    @property
    def is_named_rightly(self) -> bool:
        return bool(self.named) and set(self.named) <= self.fitting

    @property
    def is_named_wrongly(self) -> bool:
        return not set(self.named) <= self.fitting

    def __str__(self) -> str:
        said = "refused" if self.is_right and self.is_misjudged else "accepted" if self.is_misjudged else "named"
        return f"{self.challenge} {self.name}: {said} {', '.join(self.named) or '(no name)'}"


@dataclass(frozen=True)
class Tally:
    """The answers to one challenge, counted."""

    answers: Sequence[Judged]

    def count(self, *, is_right: bool) -> int:
        return sum(one.is_right is is_right for one in self.answers)

    @property
    def misjudged(self) -> list[Judged]:
        return [one for one in self.answers if one.is_misjudged]

    @property
    def refused(self) -> int:
        return sum(one.is_right for one in self.misjudged)

    @property
    def accepted(self) -> int:
        return len(self.misjudged) - self.refused

    @property
    def to_name(self) -> list[Judged]:
        """Wrong answers that were caught, and not by a rule, which names itself."""
        return [one for one in self.answers if not one.is_right and not one.is_passed and not one.breaks_a_rule]

    @property
    def rightly(self) -> int:
        return sum(one.is_named_rightly for one in self.to_name)

    @property
    def wrongly(self) -> int:
        return sum(one.is_named_wrongly for one in self.to_name)

    @property
    def unnamed(self) -> int:
        return len(self.to_name) - self.rightly - self.wrongly

    def __str__(self) -> str:
        return (
            f"{self.count(is_right=True)} right, {self.refused} of them refused; {self.count(is_right=False)} wrong, "
            f"{self.accepted} of them accepted; of {len(self.to_name)} to be named {self.rightly} are named rightly, "
            f"{self.wrongly} wrongly, {self.unnamed} not"
        )


def main() -> int:
    asked = _arguments()
    spawn = multiprocessing.get_context("spawn")
    misjudged = 0
    with private_runner(sessions=JUDGES + 1) as sandbox, ProcessPoolExecutor(JUDGES, spawn) as pool:
        for slug, tally in tallies(sandbox, pool, asked.seed, asked.only):
            misjudged += len(tally.misjudged)
            print(f"{slug}: {tally}", flush=True)
            told = [one for one in tally.answers if one.is_misjudged or one.is_named_wrongly]
            told += [one for one in tally.to_name if not one.named] if asked.list else []
            print(*(f"  {one}" for one in told), sep="\n", end="\n" if told else "", flush=True)
    return 1 if misjudged else 0


def tallies(
    sandbox: RunnerClient, pool: ProcessPoolExecutor, seed: int = SEED, only: str = ""
) -> Iterator[tuple[str, Tally]]:
    """By challenge, one after the other."""
    for folder in sorted(path for path in FOLDER.iterdir() if path.is_dir() and path.name.startswith(only)):
        yield folder.name, tally_of(folder.name, sandbox, pool, seed)


def tally_of(slug: str, sandbox: RunnerClient, pool: ProcessPoolExecutor, seed: int = SEED) -> Tally:
    names = tomllib.loads((FOLDER / slug / "names.toml").read_text(encoding="utf-8"))
    answers = [one for one in entries_in(FOLDER) if one.challenge == slug]
    return Tally(list(pool.map(partial(_judged, sandbox, seed, names), answers)))


def _judged(sandbox: RunnerClient, seed: int, names: dict[str, list[str]], one: Entry) -> Judged:
    torch.set_num_threads(1)
    report = grade_entry(one, seed, sandbox, is_timed=False, is_guided=False)
    name = one.name.rpartition("/")[2]
    return Judged(
        challenge=one.challenge,
        name=name,
        is_right=one.verdict == Verdict.PASSED,
        is_passed=report.verdict is Verdict.PASSED,
        named=tuple(diagnosis.id for diagnosis in report.diagnoses),
        breaks_a_rule=any(finding.status is RuleStatus.FAILED for finding in report.structure),
        fitting=frozenset(names.get(name, ())),
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="challenges whose slug starts like this")
    parser.add_argument("--seed", type=int, default=SEED, help="of the papers")
    parser.add_argument("--list", action="store_true", help="also tell the wrong answers that were given no name")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
