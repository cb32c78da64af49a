"""A report arranged for the eye: tests by family, and each finding beside the source it speaks of."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.web.source import Line, excerpt
from grader.manifest import Manifest
from grader.report import Diagnosis, Report, RuleFinding, RuleStatus, TestResult, TestStatus, Verdict, Visibility

_BROKEN: Final = (Verdict.REJECTED, Verdict.ERROR, Verdict.TIMEOUT)
_LINE: Final = re.compile(r"\bline (\d{1,7})\b")


@dataclass(frozen=True)
class FamilyResult:
    """A case family and its tests."""

    title: str
    tests: Sequence[TestResult]

    @property
    def passed(self) -> int:
        return sum(test.status is TestStatus.PASSED for test in self.tests)

    @property
    def status(self) -> TestStatus:
        """Passed when all did; skipped when none of those that did not pass was run."""
        statuses = {test.status for test in self.tests} - {TestStatus.PASSED}
        if not statuses:
            return TestStatus.PASSED
        return TestStatus.SKIPPED if statuses == {TestStatus.SKIPPED} else TestStatus.FAILED

    @property
    def score(self) -> float:
        return sum(test.score for test in self.tests)

    @property
    def max_score(self) -> float:
        return sum(test.max_score for test in self.tests)

    @property
    def hidden(self) -> int:
        """How many tests did not pass and say nothing, because they are not public."""
        return sum(
            test.status is not TestStatus.PASSED and test.visibility is not Visibility.PUBLIC and not test.message
            for test in self.tests
        )


@dataclass(frozen=True)
class ShownDiagnosis:
    """A misconception beside the lines that show it."""

    diagnosis: Diagnosis
    lines: Sequence[Line]


@dataclass(frozen=True)
class ShownRule:
    """A rule about how the code is written, beside the line that breaks it."""

    title: str
    finding: RuleFinding
    lines: Sequence[Line]

    @property
    def holds(self) -> bool:
        return self.finding.status is RuleStatus.PASSED


def families_of(report: Report, manifest: Manifest) -> list[FamilyResult]:
    """In the order of the report."""
    groups: dict[str, list[TestResult]] = {}
    for test in report.tests:
        groups.setdefault(test.group, []).append(test)
    return [FamilyResult(_title(group, manifest), tests) for group, tests in groups.items()]


@dataclass(frozen=True)
class Sources:
    """What the student sent, as text: the uploaded file, and its siblings by path."""

    main: str
    siblings: Mapping[str, str]

    def around(self, line: int | None, file: str | None) -> list[Line]:
        """The lines around this one, in the file it is in."""
        return excerpt(self.main if file is None else self.siblings.get(file, ""), line)


def diagnoses_of(report: Report, sources: Sources) -> list[ShownDiagnosis]:
    return [ShownDiagnosis(diagnosis, sources.around(diagnosis.line, diagnosis.file)) for diagnosis in report.diagnoses]


def rules_of(report: Report, manifest: Manifest, sources: Sources) -> list[ShownRule]:
    """Broken ones first."""
    shown = [
        ShownRule(
            manifest.rules[finding.rule].title if finding.rule in manifest.rules else finding.rule,
            finding,
            sources.around(finding.line, finding.file) if finding.status is RuleStatus.FAILED else [],
        )
        for finding in report.structure
    ]
    return sorted(shown, key=lambda rule: rule.holds)


def summary_line(report: Report) -> int | None:
    """The line of the uploaded file where a program that could not run broke off, if the summary speaks of one."""
    in_sibling = any(finding.file for finding in report.structure if finding.message == report.summary)
    found = _LINE.search(report.summary) if report.verdict in _BROKEN and not in_sibling else None
    return int(found[1]) if found else None


def marked_lines(report: Report) -> set[int]:
    """Every line of the uploaded file that the report speaks of."""
    broken = [finding.line for finding in report.structure if finding.status is RuleStatus.FAILED and not finding.file]
    diagnosed = [diagnosis.line for diagnosis in report.diagnoses if not diagnosis.file]
    return {line for line in (*diagnosed, *broken, summary_line(report)) if line is not None}


def _title(group: str, manifest: Manifest) -> str:
    family = manifest.families.get(group)
    return family.title if family else group.capitalize()
