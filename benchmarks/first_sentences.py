"""How often a report begins with what a teaching assistant would have said, over a folder of first mistakes.

    python -m benchmarks.first_sentences [FOLDER]      tests/first-sentences/unseen unless told otherwise

Each file says at its head what its writer would say (`tests/first-sentences/README.md`). Counted are reports whose
first sentence, or the line that is shown below it, has one of their words; those that point to their line; and wrong
ideas that are named. Whether a name is true, somebody has to look at: the names are listed.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import torch

from grader.challenge import load_challenges
from grader.grade import grade
from grader.guest.execution import Executor
from grader.guest.submission import Submission
from worker.private_runner import private_runner

FOLDER = Path(__file__).parents[1] / "tests" / "first-sentences" / "unseen"
SEED = 5


@dataclass(frozen=True)
class Outcome:
    """What a report has of one file's heads."""

    name: str
    has_words: bool
    has_line: bool
    is_idea: bool
    named: tuple[str, ...]


def outcome_of(path: Path, execute: Executor) -> Outcome:
    """Grades one file."""
    challenge, source = load_challenges()[path.parent.name], path.read_bytes()
    main = challenge.manifest.default_path
    report = grade(challenge, Submission(main, {main: source}), SEED, execute, is_timed=False)
    text = source.decode()
    told = dict(re.findall(r"^# (Line|Names|Kind): (.+)$", text, re.MULTILINE))
    place = report.place or next(((each.line, each.file) for each in report.diagnoses if each.line), None)
    line = place[0] if place is not None and place[1] is None else None
    said = f"{report.summary} {text.split(chr(10))[line - 1] if line else ''}".lower()
    return Outcome(
        name=f"{path.parent.name}/{path.stem}",
        has_words=any(name.lower() in said for name in told["Names"].split(", ")),
        has_line=told["Line"] in ("none", str(line)),
        is_idea=told["Kind"] == "wrong idea",
        named=tuple(diagnosis.id for diagnosis in report.diagnoses),
    )


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    torch.set_num_threads(1)
    with private_runner(sessions=3) as runner:
        found = [outcome_of(path, runner) for path in sorted(folder.glob("*/*.py"))]
    for one in found:
        lacks = [what for what, has in (("the words", one.has_words), ("the line", one.has_line)) if not has]
        print(one.name, *one.named, f"lacks {' and '.join(lacks)}" if lacks else "")
    ideas = [one for one in found if one.is_idea]
    print(f"{len(found)} files, {sum(one.has_words and one.has_line for one in found)} with words and line")
    print(f"{sum(not one.has_words for one in found)} without the words")
    print(f"{sum(not one.has_line for one in found)} without the line")
    print(f"{len(ideas)} wrong ideas, {sum(bool(one.named) for one in ideas)} named")


if __name__ == "__main__":
    main()
