"""A report arranged for the eye: tests by family, and each finding beside the source it speaks of."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from app.web.source import Line, excerpt
from grader.manifest import Manifest, plain_title
from grader.notebook import cells_in
from grader.report import Diagnosis, Report, RuleFinding, RuleStatus, TestResult, TestStatus, Visibility


@dataclass(frozen=True)
class FamilyResult:
    """A case family and its tests."""

    title: str
    tests: Sequence[TestResult]
    is_explained: bool  # whether something is wrong in it, and only for a reason that is told above

    @property
    def right(self) -> Sequence[TestResult]:
        """The tests that passed."""
        return [test for test in self.tests if test.status is TestStatus.PASSED]

    @property
    def wrong(self) -> Sequence[TestResult]:
        """The tests that did not pass, whether they ran or not."""
        return [test for test in self.tests if test.status is not TestStatus.PASSED]

    @property
    def passed(self) -> int:
        """How many tests passed."""
        return len(self.right)

    @property
    def failed(self) -> int:
        """How many tests ran and did not pass."""
        return sum(test.status.is_failure for test in self.tests)

    @property
    def status(self) -> TestStatus:
        """Passed when all tests did; skipped when no test that did not pass was run."""
        statuses = {test.status for test in self.wrong}
        if not statuses:
            return TestStatus.PASSED
        return TestStatus.SKIPPED if statuses == {TestStatus.SKIPPED} else TestStatus.FAILED

    @property
    def score(self) -> float:
        """The points that its tests earned."""
        return sum(test.score for test in self.tests)

    @property
    def max_score(self) -> float:
        """The points that its tests can earn."""
        return sum(test.max_score for test in self.tests)

    @property
    def hidden(self) -> int:
        """How many tests did not pass but show no message, because they are not public."""
        return sum(test.visibility is not Visibility.PUBLIC and not test.message for test in self.wrong)


@dataclass(frozen=True)
class ShownDiagnosis:
    """A misconception with the lines that show it."""

    diagnosis: Diagnosis
    lines: Sequence[Line]


@dataclass(frozen=True)
class ShownRule:
    """A rule about how the code is written, with the line that breaks it."""

    title: str
    finding: RuleFinding
    lines: Sequence[Line]

    @property
    def holds(self) -> bool:
        """Whether the rule is kept."""
        return self.finding.status is RuleStatus.PASSED


def families_of(report: Report, manifest: Manifest) -> list[FamilyResult]:
    """Returns the families, in the order of the report."""
    return [
        FamilyResult(_title(group, manifest), tests, _is_explained(tests, report.explained))
        for group, tests in _by_group(report.tests).items()
    ]


def forgeable_of(report: Report, manifest: Manifest) -> list[FamilyResult]:
    """Returns the files of tests that ran beside the submission, in the order of the report."""
    groups = _by_group(report.forgeable.tests if report.forgeable else ())
    titles = {name: section.title for name, section in manifest.forgeable.items()}
    return [FamilyResult(titles.get(group, group), tests, False) for group, tests in groups.items()]


def _by_group(tests: Sequence[TestResult]) -> dict[str, list[TestResult]]:
    groups: dict[str, list[TestResult]] = {}
    for test in tests:
        groups.setdefault(test.group, []).append(test)
    return groups


def _is_explained(tests: Sequence[TestResult], explained: Set[str]) -> bool:
    wrong = [test for test in tests if test.status.is_failure]
    return bool(wrong) and all(test.id in explained for test in wrong)


@dataclass(frozen=True)
class Sources:
    """The submitted sources: the uploaded file, and its siblings by path."""

    main: str
    siblings: Mapping[str, str]

    def around(self, line: int | None, file: str | None) -> list[Line]:
        """Returns the lines around this one, in its file."""
        return excerpt(self.main if file is None else self.siblings.get(file, ""), line)


def diagnoses_of(report: Report, sources: Sources) -> list[ShownDiagnosis]:
    """Returns the report's diagnoses with their lines."""
    return [ShownDiagnosis(diagnosis, sources.around(diagnosis.line, diagnosis.file)) for diagnosis in report.diagnoses]


def rules_of(report: Report, manifest: Manifest, sources: Sources) -> list[ShownRule]:
    """Returns the report's rules with their lines, broken ones first."""
    shown = [
        ShownRule(
            manifest.rules[finding.rule].title if finding.rule in manifest.rules else finding.rule,
            finding,
            sources.around(finding.line, finding.file) if finding.status is RuleStatus.FAILED else [],
        )
        for finding in report.structure
        if finding.message != report.summary  # stands above already
    ]
    return sorted(shown, key=lambda rule: rule.holds)


def marked_lines(report: Report, source: str) -> set[int]:
    """Returns every line of the uploaded file that the report mentions, in a cell of it or without one."""
    cells = {cell: mark for cell, (mark, _) in cells_in(source).items()}
    broken = [(finding.line, finding.file) for finding in report.structure if finding.status is RuleStatus.FAILED]
    diagnosed = [(diagnosis.line, diagnosis.file) for diagnosis in report.diagnoses]
    told = [report.place] if report.place is not None else []
    places = [(line, file) for line, file in (*diagnosed, *broken, *told) if line is not None]
    return {line + cells.get(file or "", 0) for line, file in places if not file or file in cells}


def _title(group: str, manifest: Manifest) -> str:
    family = manifest.families.get(group)
    return family.title if family else plain_title(group)
