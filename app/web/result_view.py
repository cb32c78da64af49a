"""A report arranged for the eye: tests by family, and each finding beside the source it speaks of."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from app.submissions.files import SentFile
from app.web.source import Line, excerpt, is_cut, lines_of
from grader.grouping import grouped
from grader.manifest import Manifest, plain_title
from grader.notebook import cells_in
from grader.report import Diagnosis, Report, RuleFinding, RuleStatus, TestResult, TestStatus, Visibility

Place = tuple[str | None, int | None]  # a file (None: the uploaded one) and a line of it


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


@dataclass(frozen=True)
class Sources:
    """The submitted files, the uploaded one first, which may have been a notebook."""

    files: Sequence[SentFile]

    @property
    def main(self) -> str:
        """The uploaded file."""
        return self.files[0].text

    @property
    def siblings(self) -> Sequence[SentFile]:
        """The modules that were sent along with the main file."""
        return self.files[1:]

    @cached_property
    def _cells(self) -> Mapping[str, tuple[int, str]]:
        return cells_in(self.main)

    def around(self, line: int | None, file: str | None) -> list[Line]:
        """Returns the lines around this one, in its file or cell."""
        texts = {each.path: each.text for each in self.siblings}
        texts |= {cell: code for cell, (_, code) in self._cells.items()}
        return excerpt(self.main if file is None else texts.get(file, ""), line)

    def place(self, line: int | None, file: str | None) -> Place:
        """Returns where this is, in the numbers of the file: it may be counted within a notebook's cell."""
        if line is None or file is None or file not in self._cells:
            return file, line
        return None, line + self._cells[file][0]

    def marked_lines(self, report: Report) -> set[int]:
        """Returns every line of the uploaded file that the report mentions."""
        told = [(diagnosis.line, diagnosis.file) for diagnosis in report.diagnoses]
        told += [(finding.line, finding.file) for finding in report.structure if finding.status is RuleStatus.FAILED]
        told.append(report.place or (None, None))
        places = [self.place(line, file) for line, file in told]
        return {line for file, line in places if file is None and line is not None}


@dataclass(frozen=True)
class Result:
    """A report and the sources that it speaks of, arranged for the eye."""

    report: Report
    sources: Sources
    families: Sequence[FamilyResult]
    forgeable: Sequence[FamilyResult]  # files of tests that ran beside the submission
    diagnoses: Sequence[ShownDiagnosis]
    rules: Sequence[ShownRule]
    summary_lines: Sequence[Line]
    lines: Sequence[Line]
    is_cut: bool

    @classmethod
    def of(cls, report: Report, manifest: Manifest, sources: Sources) -> "Result":
        """Returns the result. Families and files of tests are in the order of the report, broken rules come first."""
        line, file = report.place or (None, None)
        return cls(
            report,
            sources,
            families=_families(report, manifest),
            forgeable=_forgeable(report, manifest),
            diagnoses=[ShownDiagnosis(each, sources.around(each.line, each.file)) for each in report.diagnoses],
            rules=_rules(report, manifest, sources),
            summary_lines=sources.around(line, file),
            lines=lines_of(sources.main, sources.marked_lines(report)),
            is_cut=is_cut(sources.main),
        )


def _families(report: Report, manifest: Manifest) -> list[FamilyResult]:
    return [
        FamilyResult(_title(group, manifest), tests, _is_explained(tests, report.explained))
        for group, tests in grouped((test.group, test) for test in report.tests).items()
    ]


def _forgeable(report: Report, manifest: Manifest) -> list[FamilyResult]:
    tests = report.forgeable.tests if report.forgeable else ()
    titles = {name: section.title for name, section in manifest.forgeable.items()}
    groups = grouped((test.group, test) for test in tests)
    return [FamilyResult(titles.get(group, group), found, False) for group, found in groups.items()]


def _rules(report: Report, manifest: Manifest, sources: Sources) -> list[ShownRule]:
    """Broken ones first; what stands beside the summary is not shown again."""

    def lines(finding: RuleFinding) -> list[Line]:
        is_shown = report.place == (finding.line, finding.file) or finding.status is not RuleStatus.FAILED
        return [] if is_shown else sources.around(finding.line, finding.file)

    titles = {name: rule.title for name, rule in manifest.rules.items()}
    shown = [
        ShownRule(titles.get(finding.rule, finding.rule), finding, lines(finding))
        for finding in report.structure
        if finding.message != report.summary
    ]
    return sorted(shown, key=lambda rule: rule.holds)


def _is_explained(tests: Sequence[TestResult], explained: Set[str]) -> bool:
    wrong = [test for test in tests if test.status.is_failure]
    return bool(wrong) and all(test.id in explained for test in wrong)


def _title(group: str, manifest: Manifest) -> str:
    family = manifest.families.get(group)
    return family.title if family else plain_title(group)
