"""Does a paper notice a small change to a right program? What survives is the same program, or a hole in the paper."""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from grader.challenge import Challenge
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.loading import Program
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.manifest import ManifestError
from grader.proof.bench import MARGIN, Bench
from grader.proof.mutants import Mutant, ProgramFile, mutants_of
from grader.report import RuleStatus, Verdict
from grader.toml_complaints import TomlSection, complaints
from grader.toml_text import NotTomlError, TomlText

SEEDS = range(3)
# Below this many mutants of the reference, those of other right answers are tried as well.
ENOUGH = 200
EQUIVALENTS_NAME = "equivalents.toml"
IMPORT = "import"


@dataclass(frozen=True)
class Kill:
    """What noticed a mutant on one paper, and how far it was off: infinite where it is not a matter of numbers."""

    by: str  # a case's id, a rule's name, or `import`
    margin: float


@dataclass(frozen=True)
class MutantOutcome:
    """What became of a mutant: on each paper, what killed it, or None."""

    mutant: Mutant
    kills: tuple[Kill | None, ...]

    @property
    def is_killed(self) -> bool:
        """Whether every paper noticed it."""
        return all(self.kills)

    @property
    def is_alive(self) -> bool:
        """Whether no paper noticed it."""
        return not any(self.kills)

    @property
    def margin(self) -> float:
        """The nearest that it came to not being noticed."""
        return min(kill.margin if kill else 0.0 for kill in self.kills)


ADVICE = "Write a case for each, or list it in equivalents.toml as it stands here, with the reason"
Trials = Callable[[Challenge, Sequence[Mutant]], Iterator[MutantOutcome]]


class EquivalentSection(TomlSection):
    """Mutants that no paper can kill, and why."""

    reason: str
    mutants: tuple[str, ...]


class EquivalentsFile(TomlSection):
    """`equivalents.toml` as data."""

    equivalent: tuple[EquivalentSection, ...] = ()


@dataclass(frozen=True)
class Mutation:
    """All mutants of a challenge, sorted."""

    outcomes: tuple[MutantOutcome, ...]
    equivalents: tuple[EquivalentSection, ...]  # those that were met
    problems: tuple[str, ...]

    @property
    def killed(self) -> int:
        """How many mutants every paper noticed."""
        return sum(outcome.is_killed for outcome in self.outcomes)

    @property
    def equivalent(self) -> int:
        """How many mutants no paper can notice."""
        return sum(len(section.mutants) for section in self.equivalents)

    @property
    def survived(self) -> int:
        """How many mutants are neither."""
        return len(self.outcomes) - self.killed - self.equivalent

    @property
    def score(self) -> float:
        """The share of killed mutants among all that are not equivalent."""
        judged = len(self.outcomes) - self.equivalent
        return self.killed / judged if judged else 0.0

    @property
    def close(self) -> tuple[MutantOutcome, ...]:
        """The mutants that were killed by less than a mistake should be."""
        return tuple(outcome for outcome in self.outcomes if outcome.is_killed and outcome.margin < MARGIN)


def mutants_for(challenge: Challenge) -> tuple[Mutant, ...]:
    """Returns the mutants of the reference; where that is too short to give enough, of the accepted answers too."""
    entries = [entry.name for entry in challenge.manifest.entry_points]
    mutants = mutants_of(_reference_parts(challenge), entries)
    for path in sorted(challenge.folder.glob("accepted/*.py")):
        if len(mutants) >= ENOUGH:
            break
        name = path.relative_to(challenge.folder).as_posix()
        mutants += mutants_of([ProgramFile(name, path.read_bytes())], entries, prefix=f"{name} ")
    return mutants


def _reference_parts(challenge: Challenge) -> list[ProgramFile]:
    found = []
    for path in challenge.modules("reference"):
        name = path.name if path.parent == challenge.folder else f"{path.parent.name}/{path.name}"
        found.append(ProgramFile(name, path.read_bytes()))
    return found


class _Examiner:
    """Tries mutants, each first on what killed most before."""

    def __init__(self, challenge: Challenge) -> None:
        self._challenge = challenge
        self._bench = Bench(exercise_of(challenge), SEEDS)
        self._kills: Counter[str] = Counter()

    def outcome(self, mutant: Mutant) -> MutantOutcome:
        path = self._challenge.manifest.default_path
        submission = Submission(path, {path: b"\n\n".join(mutant.sources)}, support=self._challenge.support)
        try:
            program = self._bench.program(submission)
        except Exception:  # noqa: BLE001  a changed program may raise anything, which is how it shows
            return MutantOutcome(mutant, (Kill(IMPORT, math.inf),) * len(SEEDS))
        kills: list[Kill | None] = []
        for number, seed in enumerate(SEEDS):
            kill = self._kill(number, program)
            if kill is None and (number == 0 or any(kills)):  # one paper tells what its order and the rules find
                kill = self._graded(seed, submission)
            kills.append(kill)
        return MutantOutcome(mutant, tuple(kills))

    def _kill(self, number: int, program: Program) -> Kill | None:
        """The first case that leaves no doubt; else the clearest."""
        clearest: Kill | None = None
        for found in self._bench.findings(number, program, self._by_kills(number)):
            if found.finding.mismatch is not None and (clearest is None or found.margin > clearest.margin):
                clearest = Kill(found.case.id, found.margin)
                if found.margin >= MARGIN:
                    self._kills[found.case.id] += 1
                    return clearest
        return clearest

    def _by_kills(self, number: int) -> list[int]:
        cases = self._bench.papers[number].cases
        return sorted(range(len(cases)), key=lambda index: -self._kills[cases[index].id])

    def _graded(self, seed: int, submission: Submission) -> Kill | None:
        """What all cases in their order, in one session, and the rules find."""
        report = grade(self._challenge, submission, seed, InProcess(), is_timed=False, is_guided=False)
        if report.verdict is Verdict.PASSED:
            return None
        failed = [test.id for test in report.tests if test.status.is_failure]
        broken = [finding.rule for finding in report.structure if finding.status is RuleStatus.FAILED]
        return Kill(next(iter(broken + failed), report.verdict.value), math.inf)


def mutant_outcomes(challenge: Challenge, mutants: Sequence[Mutant]) -> Iterator[MutantOutcome]:
    """Tries them here and now. A mutant may run for long or ask for much: whoever cannot bear that runs this in a
    bounded process.
    """
    examiner = _Examiner(challenge)
    return (examiner.outcome(mutant) for mutant in mutants)


def sort_out(challenge: Challenge, outcomes: Sequence[MutantOutcome]) -> Mutation:
    """Sorts mutants: each is killed on every paper, or listed as equivalent and alive; anything else is a problem.

    What an extended challenge lists need not be equivalent here as well.
    """
    listed = {folder: _read_equivalents(folder / EQUIVALENTS_NAME) for folder in challenge.folders}
    alive = {outcome.mutant.id for outcome in outcomes if outcome.is_alive}
    excused = {name for sections in listed.values() for section in sections for name in section.mutants}
    by_id = {outcome.mutant.id: outcome for outcome in outcomes}
    problems = [
        _survival(outcome) for outcome in outcomes if not outcome.is_killed and outcome.mutant.id not in excused & alive
    ]
    for section in listed[challenge.folder]:
        problems += [_idle(name, by_id.get(name)) for name in section.mutants if name not in alive]
    met = [
        EquivalentSection(reason=section.reason, mutants=names)
        for sections in listed.values()
        for section in sections
        if (names := tuple(name for name in section.mutants if name in alive))
    ]
    return Mutation(tuple(outcomes), tuple(met), tuple(problems))


def _survival(outcome: MutantOutcome) -> str:
    where = f"{_as_listed(outcome.mutant.id)} ({outcome.mutant.place})"
    if outcome.is_alive:
        return f"survives: {where}"
    spared = [str(seed) for seed, kill in zip(SEEDS, outcome.kills, strict=True) if kill is None]
    return f"survives on seed {', '.join(spared)} only: {where}"


def _as_listed(name: str) -> str:
    """As equivalents.toml has it, with its quotes: to be copied from there or to there."""
    return json.dumps(name, ensure_ascii=False)


def _idle(name: str, outcome: MutantOutcome | None) -> str:
    if outcome is None:
        return f"listed as equivalent, and no mutant has this name: {_as_listed(name)}"
    kill = next(kill for kill in outcome.kills if kill is not None)
    return f"listed as equivalent, and killed by {kill.by}: {_as_listed(name)}"


def _read_equivalents(path: Path) -> tuple[EquivalentSection, ...]:
    if not path.is_file():
        return ()
    try:
        file = TomlText.read(path)
        return EquivalentsFile.model_validate(file.data).equivalent
    except NotTomlError as error:
        raise ManifestError(str(error)) from error
    except ValidationError as error:
        raise ManifestError(complaints(error, file, EquivalentsFile)) from error
