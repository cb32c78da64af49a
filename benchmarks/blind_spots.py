"""Is there a paper that misses a mistake? Puts every mistake and every right answer of a challenge to many papers.

Mistakes are misconceptions, mutants and the corpus's wrong submissions; right is what the corpus says passes. All run
here, without sandbox or diagnosis, and a mistake only until a case leaves no doubt: so quick that seeds are tried which
`assay challenge verify` does not reach. Told are mistakes that numbers show on some papers and not, or hardly, on
others, and right answers that come near to their tolerance. What a paper seems to miss is graded as a whole, for rules
and order may show it; a mistake that no number ever shows (a loop, a library) is counted and left to the rules. Exit
code 1 when some paper misses a mistake that another one shows, or fails a right answer.

python -m benchmarks.blind_spots [--seeds 100] [--first 5000] [--only mha-rope]
"""

import argparse
import multiprocessing
import os
import signal
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection

import torch

from grader.bench import MARGIN, Bench, Found
from grader.challenge import load_challenges
from grader.exercise import Exercise, exercise_of
from grader.grade import grade
from grader.inprocess import InProcess
from grader.loading import Program
from grader.mutation import mutants_for
from grader.report import Verdict
from grader.submission import Submission
from tests.grader.corpus import entries

LONGEST_S = 300  # of one program on all papers: a mutant may never end
NEAR = 0.2  # of its tolerance: what a right answer may use without being told


@dataclass(frozen=True)
class Candidate:
    """A program, and whether papers should let it pass."""

    name: str
    submission: Submission
    is_right: bool = False


@dataclass(frozen=True)
class Shown:
    """A paper's clearest finding, in tolerances: 0 where it finds nothing; of a right answer, the largest error."""

    seed: int
    margin: float
    by: str = ""


def main() -> int:
    asked = _arguments()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # mutants divide by zero and worse
    challenges = [challenge for slug, challenge in load_challenges().items() if slug.startswith(asked.only)]
    seeds = range(asked.first, asked.first + asked.seeds)
    wrong = sum(_search(exercise_of(challenge), seeds) for challenge in challenges)
    return 1 if wrong else 0


def _search(exercise: Exercise, seeds: range) -> int:
    """Says what it finds in one challenge. Returns how many programs some paper was wrong about."""
    started = time.perf_counter()
    bench = Bench(exercise, seeds)
    mistakes, unseen, wrong, largest = 0, 0, 0, 0.0
    for candidate in _candidates(exercise):
        shown = _in_a_child(bench, seeds, candidate)
        if candidate.is_right:
            worst = max(shown, key=_margin)
            largest = max(largest, worst.margin)
            is_wrong, is_near = worst.margin >= 1, worst.margin > NEAR
        else:
            worst = min(shown, key=_margin)
            mistakes += 1
            is_seen = any(one.margin >= 1 for one in shown)
            unseen += not is_seen
            is_wrong, is_near = is_seen and worst.margin < 1, is_seen and worst.margin < MARGIN
        wrong += is_wrong
        if is_near:
            print(f"  {candidate.name}: {worst.margin:.2g} tolerances on seed {worst.seed} {worst.by}", flush=True)
    print(
        f"{exercise.challenge.slug}: {mistakes} mistakes on {len(seeds)} papers, {unseen} of them left to rules; "
        f"{wrong} programs judged wrongly; right answers use up to {largest:.2f} of the tolerance "
        f"({time.perf_counter() - started:.0f} s)",
        flush=True,
    )
    return wrong


def _margin(shown: Shown) -> float:
    return shown.margin


def _candidates(exercise: Exercise) -> Iterator[Candidate]:
    challenge = exercise.challenge
    yield Candidate("reference", exercise.submission_with(), is_right=True)
    for mistake in exercise.misconceptions:
        yield Candidate(f"misconception {mistake.name}", exercise.submission_with(mistake))
    for entry in entries():
        if entry.challenge == challenge.slug and entry.verdict in ("passed", "failed"):
            yield Candidate(entry.name, entry.submission, is_right=entry.verdict == "passed")
    main = challenge.manifest.default_path
    for mutant in mutants_for(challenge):
        submission = Submission(main, {main: b"\n\n".join(mutant.sources)}, support=challenge.support)
        yield Candidate(f"{mutant.place} {mutant.id}", submission)


def _in_a_child(bench: Bench, seeds: range, candidate: Candidate) -> list[Shown]:
    """In a process of its own, for it may patch what others need. What ends the process shows itself on every paper."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_try, args=(bench, seeds, candidate, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        shown: list[Shown] = ours.recv()
    except EOFError:
        ending = 0.0 if candidate.is_right else float("inf")
        shown = [Shown(seed, ending, "ended its process") for seed in seeds]
    process.join()
    return shown


def _try(bench: Bench, seeds: range, candidate: Candidate, pipe: Connection) -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.dup2(nothing, sys.stderr.fileno())
    signal.alarm(LONGEST_S)
    first: list[str] = []  # the cases that left no doubt before
    shown = []
    for number, seed in enumerate(seeds):
        try:
            program = bench.program(candidate.submission)
        except Exception:  # noqa: BLE001  a changed program may raise anything, which is how it shows
            shown.append(Shown(seed, float("inf"), "import"))
            continue
        position = {case.id: index for index, case in enumerate(bench.papers[number].cases)}
        order = [position[name] for name in dict.fromkeys((*first, *position)) if name in position]
        clearest = Shown(seed, 0.0)
        for found in _required(bench, number, program, order):
            margin = _share(found) if candidate.is_right else found.margin
            if margin > clearest.margin:
                clearest = Shown(seed, margin, found.case.id)
            if margin >= MARGIN:
                first = list(islice(dict.fromkeys((found.case.id, *first)), 4))
                break
        shown.append(clearest)
    is_seen = any(one.margin >= 1 for one in shown)
    if is_seen and not candidate.is_right:
        shown = [one if one.margin >= 1 else _graded(bench.exercise, candidate, one) for one in shown]
    pipe.send(shown)


def _graded(exercise: Exercise, candidate: Candidate, missed: Shown) -> Shown:
    """What all cases in their own order, each alone, and the rules find."""
    report = grade(exercise.challenge, candidate.submission, missed.seed, InProcess(), is_timed=False, is_guided=False)
    return missed if report.verdict is Verdict.PASSED else Shown(missed.seed, float("inf"), "graded as a whole")


def _required(bench: Bench, number: int, program: Program, order: list[int]) -> Iterator[Found]:
    families = bench.exercise.challenge.manifest.families
    cases = bench.papers[number].cases
    required = [index for index in order if families[cases[index].family].required]
    return bench.findings(number, program, required)


def _share(found: Found) -> float:
    """Of the tolerance, used by what may be right."""
    if "tolerance" not in found.finding.metrics:
        return found.margin
    return found.finding.metrics["max_abs_error"] / found.finding.metrics["tolerance"]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100, help="papers of each challenge")
    parser.add_argument("--first", type=int, default=5000, help="the first seed")
    parser.add_argument("--only", default="", help="challenges whose slug starts like this")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
