"""Is there a paper that misses a mistake? Puts every mistake and every right answer of a challenge to many papers.

Mistakes are misconceptions, mutants and the corpus's wrong submissions; right is what the corpus says passes. All run
here, without sandbox or diagnosis, and a mistake only until a case leaves no doubt: so quick that seeds are tried which
`assay challenge verify` does not reach. Told are mistakes that numbers show on some papers and not, or hardly, on
others, and right answers that come near to their tolerance. What a paper seems to miss is graded as a whole, for rules
and order may show it; a mistake that no number ever shows (a loop, a library) is counted and left to the rules. Exit
code 1 when some paper misses a mistake that another one shows, or fails a right answer.

Where the challenge has a space, a sample of other wrong programs sits one whole paper: two mistakes in one program,
and mistakes that are made only where a condition on the call holds. Told is what passes; exit code 1 when it is a pair
of mistakes, or what `grader.proof.guards` says is caught.

python -m benchmarks.blind_spots [--seeds 100] [--first 5000] [--pairs 200] [--guarded 200] [--seed 0] [--only mha-rope]
"""

import argparse
import math
import multiprocessing
import os
import signal
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection

import torch

from benchmarks.sampled_mistakes import Tried, compositions, guarded
from grader.challenge import load_challenges
from grader.exercise import Exercise, exercise_of
from grader.grade import grade
from grader.guest.loading import Program
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.proof.bench import MARGIN, Bench, Found
from grader.proof.mutation import mutants_for
from grader.report import Verdict
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
    wrong = 0
    for exercise in map(exercise_of, challenges):
        wrong += _search(exercise, seeds) if seeds else 0
        wrong += _sample(exercise, asked.pairs, asked.guarded, asked.seed) if exercise.spaces else 0
    return 1 if wrong else 0


def _sample(exercise: Exercise, pairs: int, conditions: int, seed: int) -> int:
    """Says which sampled mistakes pass a paper. Returns how many of them must not."""
    slug, two = exercise.challenge.slug, compositions(exercise, pairs, seed)
    print(
        f"{slug}, two mistakes in one program: {two.tried} pairs, {two.right} of them right or left to rules, "
        f"{len(two.passed)} wrong ones pass",
        flush=True,
    )
    for name in two.passed:
        print(f"  {name}")
    made = [*guarded(exercise, conditions, seed)]
    for kind, is_before in (("the call", False), ("the calls before it", True)):
        tried = [one for one in made if one.is_of_calls_before == is_before]
        print(f"{slug}, wrong only where something holds of {kind}: {len(tried)}, {_passing(tried)} pass", flush=True)
    for one in made:
        if not one.is_caught:
            print(f"  {one.name}{' (said to be caught)' if one.is_claimed else ''}", flush=True)
    claimed = [one for one in made if one.is_claimed]
    print(f"{slug}: of the {len(claimed)} that are said to be caught, {_passing(claimed)} pass", flush=True)
    return len(two.passed) + _passing(claimed)


def _passing(tried: Sequence[Tried]) -> int:
    return sum(not one.is_caught for one in tried)


def _search(exercise: Exercise, seeds: range) -> int:
    """Says what it finds in one challenge. Returns how many programs some paper was wrong about."""
    started = time.perf_counter()
    bench = Bench(exercise, seeds)
    tally = Tally()
    for candidate in _candidates(exercise):
        tally.add(candidate, _in_a_child(bench, seeds, candidate))
    seconds = time.perf_counter() - started
    print(f"{exercise.challenge.slug}, {len(seeds)} papers: {tally} ({seconds:.0f} s)", flush=True)
    return tally.wrong


@dataclass
class Tally:
    """What was found in the programs of one challenge."""

    mistakes: int = 0
    left_to_rules: int = 0
    right: int = 0
    untried: int = 0
    wrong: int = 0
    largest_share: float = 0.0

    def add(self, candidate: Candidate, shown: Sequence[Shown]) -> None:
        """Says so where a paper is wrong about the program, or nearly."""
        if not shown or (candidate.is_right and all(math.isinf(one.margin) for one in shown)):
            self.untried += 1  # the sandbox has what it needs: a compiler, a profiler; the corpus is graded there
        elif candidate.is_right:
            self.right += 1
            worst = max(shown, key=_margin)
            self.largest_share = max(self.largest_share, worst.margin)
            self._tell(candidate, worst, is_wrong=worst.margin >= 1, is_near=worst.margin > NEAR)
        elif any(one.margin >= 1 for one in shown):
            self.mistakes += 1
            worst = min(shown, key=_margin)
            self._tell(candidate, worst, is_wrong=worst.margin < 1, is_near=worst.margin < MARGIN)
        else:
            self.left_to_rules += 1

    def _tell(self, candidate: Candidate, worst: Shown, *, is_wrong: bool, is_near: bool) -> None:
        self.wrong += is_wrong
        if is_near:
            print(f"  {candidate.name}: {worst.margin:.2g} tolerances on seed {worst.seed} {worst.by}", flush=True)

    def __str__(self) -> str:
        return (
            f"{self.mistakes} mistakes that numbers show, {self.left_to_rules} left to rules, {self.right} right "
            f"answers that use up to {self.largest_share:.2f} of the tolerance, {self.untried} that do not run here; "
            f"{self.wrong} judged wrongly by some paper"
        )


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
    """In a process of its own, for it may patch what others need; nothing where it does not load, or ends all."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_try, args=(bench, seeds, candidate, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        shown: list[Shown] = ours.recv()
    except EOFError:
        shown = []
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
        program = bench.program(candidate.submission)
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
    parser.add_argument("--pairs", type=int, default=200, help="programs with two mistakes")
    parser.add_argument("--guarded", type=int, default=200, help="programs with a mistake under one condition")
    parser.add_argument("--seed", type=int, default=0, help="of these samples, and of the paper that they sit")
    parser.add_argument("--only", default="", help="challenges whose slug starts like this")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
