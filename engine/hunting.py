"""Where the files of a bug hunt lie, and how its result is told. Everything of one hunt is in a folder of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from rich.text import Text

from engine.cleaning import clean_line
from engine.display import Page
from engine.errors import WrongUsage
from engine.wire.challenges import ChallengeDetail
from engine.wire.hunts import Hunt
from engine.wire.submissions import Fix, Submission
from grader.report import Report, Verdict

FOLDER: Final = Path("hunt")
SYMPTOM: Final = "symptom.py"


@dataclass(frozen=True)
class HuntFiles:
    """One hunt's files, by path: the one to mend, the failing case, and what they are run with."""

    main: Path
    symptom: Path
    files: Mapping[Path, bytes]

    @classmethod
    def of(cls, slug: str, challenge: ChallengeDetail, hunt: Hunt) -> "HuntFiles":
        """Lays a hunt out in a folder of its own, below this one."""
        folder = FOLDER / slug / str(hunt.number)
        main, symptom = folder / hunt.default_path, folder / SYMPTOM
        files = {folder / path: text.encode() for path, text in challenge.libraries.items()}
        # A package that is installed would be found before a folder without this.
        files |= {folder / parent / "__init__.py": b"" for parent in _packages(hunt.default_path)}
        if hunt.symptoms.snippet:
            files[symptom] = hunt.symptoms.snippet.encode()
        files[main] = hunt.source.encode()
        return cls(main, symptom, files)

    def write(self, *, force: bool) -> bool:
        """Whether something was kept that is here already, with different contents."""
        kept = False
        for path, data in self.files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not force:
                kept = kept or path.read_bytes() != data
            else:
                path.write_bytes(data)
        return kept


def _packages(path: str) -> list[PurePosixPath]:
    return [parent for parent in PurePosixPath(path).parents if parent.parts]


def challenge_of(file: Path) -> str:
    """The challenge of a file that `engine hunt` wrote. Raises WrongUsage for any other."""
    parts = file.parts
    if FOLDER.name not in parts[:-2]:
        raise WrongUsage(
            f"{file} is not a bug hunt file.",
            "Give its challenge: engine submit-fix FILE --challenge SLUG",
        )
    return parts[parts.index(FOLDER.name) + 1]


def latest_file(default_path: str, slug: str) -> Path:
    """Returns the file that was written last for this challenge. Raises WrongUsage."""
    numbers = [folder.name for folder in (FOLDER / slug).glob("*") if folder.name.isdecimal()]
    if not numbers:
        raise WrongUsage(
            f"There is no {FOLDER / slug} in {Path.cwd()}.", f"Get the file with engine hunt {slug}, or give its path."
        )
    return FOLDER / slug / max(numbers, key=int) / default_path


def only_challenge() -> str:
    """Returns the one challenge that is hunted in here. Raises WrongUsage where there are several, or none."""
    slugs = sorted(folder.name for folder in FOLDER.glob("*") if folder.is_dir())
    if len(slugs) != 1:
        hunted = ", ".join(slugs) or "none"
        raise WrongUsage(
            f"Which file? The bug hunts in {Path.cwd()}: {hunted}.",
            "Choose one: engine submit-fix FILE. Or start one: engine hunt SLUG",
        )
    return slugs[0]


def tell_fix(page: Page, submission: Submission, fix: Fix, report: Report, titles: Mapping[str, str]) -> None:
    """Prints what came of a fix."""
    style = "green" if fix.is_solved else "red"
    sign = page.glyphs.passed if fix.is_solved else page.glyphs.failed
    page.put(Text("Solved." if fix.is_solved else "Not solved yet.", f"bold {style}"), sign=Text(sign, f"bold {style}"))
    page.say(fix.message, indent=2)
    if report.verdict not in (Verdict.PASSED, Verdict.FAILED):
        page.say(report.summary, indent=2)
    page.say(f"{submission.challenge}, bug {fix.number}, submission {submission.id}", "dim", indent=2)
    failing = [test.group for test in report.tests if test.status.is_failure]
    if failing:
        page.heading(f"What fails ({len(failing)} of {len(report.tests)} tests)")
        page.say("; ".join(_counted(report, group, titles) for group in dict.fromkeys(failing)), indent=2)
    page.blank()
    page.say(_next(submission, fix))


def _counted(report: Report, group: str, titles: Mapping[str, str]) -> str:
    tests = [test for test in report.tests if test.group == group]
    return f"{clean_line(titles.get(group, group))} ({sum(test.status.is_failure for test in tests)} of {len(tests)})"


def _next(submission: Submission, fix: Fix) -> str:
    if fix.is_solved:
        return f"What it was: engine hunt {submission.challenge}"
    return f"See the symptoms: engine hunt {submission.challenge}"
