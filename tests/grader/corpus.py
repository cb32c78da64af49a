"""The corpus of submissions and what each must get: read from the files themselves.

A submission lies in `tests/submissions/<slug>/<verdict>/`, as one file, or as a folder that holds a package. Its second
line says what the report must say besides the verdict. `<slug>` is an installed challenge or one of
`examples/exercises`. Knows no grader but its data.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from grader.challenge import Challenge, load_challenges
from grader.exercise import exercise_of
from grader.grade import grade
from grader.guest.execution import Executor
from grader.guest.submission import Submission
from grader.report import Report, RuleStatus
from tests.installed import installed

FOLDER = Path(__file__).parents[1] / "submissions"
FURTHER = Path(__file__).parents[2] / "examples" / "exercises"
EXPECTATION = re.compile(r"^(Diagnosis|Rule|Rejected|Says): (.+?)\s*$", re.MULTILINE)
HURRIED = {"timeout": 1.0}  # seconds of a session: what never ends need not be waited for


@dataclass(frozen=True)
class Entry:
    """One submission, the verdict that it must get, and what the report must say besides.

    `name` is slug, verdict and file. `kind` is the word of the docstring's second line: `Diagnosis` an id,
    `Rule` a rule's name that must be broken, `Rejected` and `Says` words of the summary.
    """

    name: str
    challenge: str
    verdict: str
    submission: Submission
    kind: str = ""
    expected: str = ""


def entries() -> Iterator[Entry]:
    """Everything in the folder, by challenge, verdict and name; and what the installed challenges themselves accept."""
    for slug, challenge in installed().items():
        for variant in exercise_of(challenge).variants("accepted"):
            yield Entry(f"{slug}/passed/accepted_{variant.name}", slug, "passed", variant.submission)
    yield from entries_in(FOLDER)


def entries_in(root: Path) -> Iterator[Entry]:
    """Everything that lies under `<slug>/<verdict>/` there."""
    for folder in sorted(path for path in root.glob("*/*") if path.is_dir()):
        slug, verdict = folder.parts[-2:]
        main = main_of(slug)
        for path in sorted(folder.iterdir()):
            if path.suffix == ".py" or (path / main).is_file():
                yield entry(slug, verdict, path.stem, _files(path, main))


def main_of(slug: str) -> str:
    """Where the uploaded file stands in a student's project."""
    return _challenges()[slug].manifest.default_path


def entry(slug: str, verdict: str, name: str, files: dict[str, bytes]) -> Entry:
    """An entry whose docstring, where it has one, says what to expect."""
    main = main_of(slug)
    found = EXPECTATION.search(files[main][:2000].decode(errors="replace"))
    kind, expected = found.groups() if found else ("", "")
    submission = Submission(main, files, _challenges()[slug].support)
    return Entry(f"{slug}/{verdict}/{name}", slug, verdict, submission, kind, expected)


def _files(path: Path, main: str) -> dict[str, bytes]:
    if path.is_file():
        return {main: path.read_bytes()}
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in sorted(path.rglob("*.py"))}


def grade_entry(one: Entry, seed: int, execute: Executor, *, is_timed: bool = True, is_guided: bool = True) -> Report:
    """The report on this entry."""
    challenge = _challenge(one.challenge, HURRIED.get(one.verdict))
    return grade(challenge, one.submission, seed, execute, is_timed=is_timed, is_guided=is_guided)


@cache
def _challenges() -> dict[str, Challenge]:
    return installed() | load_challenges(FURTHER)


@cache
def _challenge(slug: str, wall_s: float | None) -> Challenge:
    challenge = _challenges()[slug]
    if wall_s is None:
        return challenge
    limits = challenge.manifest.limits.model_copy(update={"wall_s": wall_s, "cpu_s": wall_s})
    return replace(challenge, manifest=challenge.manifest.model_copy(update={"limits": limits}))


def deviation(one: Entry, report: Report) -> str | None:
    """How the report differs from what the entry must get, in words; None when it does not."""
    if report.verdict.value != one.verdict:
        return f"{report.verdict}, not {one.verdict}: {report.summary} {_failures(report)}"
    diagnoses = [diagnosis.id for diagnosis in report.diagnoses]
    broken = [finding.rule for finding in report.structure if finding.status is RuleStatus.FAILED]
    told = {"Diagnosis": diagnoses, "Rule": broken, "Rejected": report.summary, "Says": report.summary, "": [""]}
    if one.expected not in told[one.kind]:
        return f"{one.kind} {one.expected!r} is not in {told[one.kind]!r}"
    is_whole = not _failures(report)  # what fails in a family that is not required may be named
    if one.verdict == "passed" and is_whole and (diagnoses or broken):
        return f"passed, and still names {diagnoses} {broken}"
    return None


def _failures(report: Report) -> str:
    failures = [f"{test.id}: {test.message}" for test in report.tests if test.status.value in ("failed", "error")]
    return " | ".join(failures[:3])
