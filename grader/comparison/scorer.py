"""From outcomes to test results: scores each case as its outcome comes, in the paper's order."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from torch import Tensor

from grader.comparison.alike import alike
from grader.comparison.compare import compare, output_dtype
from grader.comparison.error_map import error_map
from grader.comparison.scored_case import ScoredCase
from grader.comparison.tolerance import Finding
from grader.exercise import Exercise, in_float64
from grader.guest.execution import CallStatus, Ending, Gives, Outcome
from grader.guest.loading import Program
from grader.inprocess import outcomes_of
from grader.manifest import STRUCTURE, Manifest, Rule, rule_test_id
from grader.paper.case import Aspect, Case
from grader.paper.draw import Paper
from grader.paper.mismatch import Mismatch
from grader.report import RuleFinding, RuleStatus, TestResult, TestStatus, Visibility

OnTest = Callable[[TestResult, int, int], None]


class Scorer:
    """Collects the results of one paper. `on_test` hears of each as it ends."""

    def __init__(self, exercise: Exercise, paper: Paper, on_test: OnTest) -> None:
        self._manifest = exercise.challenge.manifest
        self._paper = paper
        self._on_test = on_test
        self._expected = exercise.expected(paper.cases)
        self._worth = _worth_of_one(self._manifest, paper)
        self._total = _count_tests(self._manifest, paper)
        self.scored: list[ScoredCase] = []
        self.tests: list[TestResult] = []
        self._mapped: set[str] = set()

    @property
    def is_paper_right(self) -> bool:
        """Whether everything in the paper is right that is required: what costs points only may be wrong."""
        return all(map(self._is_fine, self.tests[: len(self._paper.cases)]))

    @property
    def is_right(self) -> bool:
        """Whether everything that is required is right, rules included."""
        return all(map(self._is_fine, self.tests))

    def _is_fine(self, test: TestResult) -> bool:
        return test.status is TestStatus.PASSED or not self._manifest.requires(test)

    def score(self, outcome: Outcome) -> None:
        """Compare and score the next outcome, in the paper's order; nothing where the session had ended before."""
        if outcome.status is CallStatus.NOT_RUN:
            return
        index = len(self.tests)
        case, expected = self._paper.cases[index], self._expected[index]
        scored = _scored(case, expected, outcome)
        self.scored.append(scored)
        self.add(self._with_map(self._result(case, scored.finding), scored))

    def finish(self, ending: Ending) -> None:
        """Add the tests that the session did not reach, and the hints, now that it is seen what else came out right."""
        for index, item in enumerate(self.scored):
            if not item.is_right:
                self.tests[index] = self._hinted(self.tests[index], item)
        for index in range(len(self.tests), len(self._paper.cases)):
            is_first = index == len(self.scored)
            self.add(self._unreached(self._paper.cases[index], ending, is_first))

    def add_rules(self, findings: Sequence[RuleFinding]) -> None:
        """Rules carry points too: a loop over heads is not worth the same as none. What was not seen is skipped."""
        by_rule = {finding.rule: finding for finding in findings}
        for name, rule in self._manifest.rules.items():
            if rule.points:
                self.add(_rule_result(name, rule, by_rule.get(name)))

    def grade_against(self, misread: Program, charged: str) -> None:
        """Judges the other families by what the misread exercise would have asked for: one misunderstanding costs one
        family.

        Where that family came out right, it would cost nothing at all: then the failures stand.
        """
        if not any(not item.is_right and item.case.family == charged for item in self.scored):
            return
        again = outcomes_of(misread, [in_float64(item.case.call) for item in self.scored])
        self._mapped.clear()
        for index, (item, expected) in enumerate(zip(self.scored, again, strict=True)):
            if not item.is_right:
                is_charged = item.case.family == charged
                found = item if is_charged else _scored_against(item.case, expected, item.outcome)
                result = self._with_map(self._result(item.case, found.finding), found)
                self.tests[index] = self._with_hint(result, found) if is_charged else result

    def add(self, result: TestResult) -> None:
        """Adds a test that has ended."""
        self.tests.append(result)
        self._on_test(result, len(self.tests), self._total)

    def _with_map(self, result: TestResult, item: ScoredCase) -> TestResult:
        """Where it is wrong, for the first of a family of which that can be told, and for nothing that is hidden."""
        is_told = result.visibility is Visibility.PUBLIC and result.group not in self._mapped
        if item.finding.mismatch is not Mismatch.VALUES or not is_told:
            return result
        found = error_map(item, self._manifest.source.heads_parameter)
        if found is None:
            return result
        self._mapped.add(result.group)
        return result.model_copy(update={"error_map": found})

    def _hinted(self, result: TestResult, item: ScoredCase) -> TestResult:
        """The case's hint belongs to what is special about it, and would mislead elsewhere."""
        return self._with_hint(result, item) if self._is_special(item) else result

    def _with_hint(self, result: TestResult, item: ScoredCase) -> TestResult:
        hint = "" if item.finding.mismatch is None else item.case.hint_for(item.finding.mismatch)
        return result.model_copy(update={"message": f"{result.message} {hint}"}) if hint else result

    def _is_special(self, item: ScoredCase) -> bool:
        """Whether the failure has to do with what is special about the case: most calls without that came out right,
        and all that are required, where this one is not.
        """
        case, mismatch = item.case, item.finding.mismatch
        if mismatch is Mismatch.NOT_A_TENSOR:
            return False
        if case.raises:
            return True
        if Aspect.ARGUMENTS in case.aspects:
            return mismatch is Mismatch.CHANGED_ARGUMENT  # when it raises, it is not for what it writes into
        same = [other for other in self.scored if other.function == item.function]
        families = self._manifest.families
        if not families[case.family].required:
            return all(other.is_right for other in same if families[other.case.family].required)
        plain = [other.is_right for other in same if _is_plain(other.case)]
        return 2 * sum(plain) >= len(plain)

    def _result(self, case: Case, finding: Finding) -> TestResult:
        if finding.mismatch is None:
            result = self._blank(case, TestStatus.PASSED, "")
            return result.model_copy(update={"score": result.max_score, "metrics": dict(finding.metrics)})
        status = TestStatus.ERROR if finding.mismatch is Mismatch.RAISED else TestStatus.FAILED
        result = self._blank(case, status, finding.message)
        return result.model_copy(update={"metrics": dict(finding.metrics)})

    def _unreached(self, case: Case, ending: Ending, is_first: bool) -> TestResult:
        if not is_first or ending is Ending.IMPORT_FAILED:
            return self._blank(case, TestStatus.SKIPPED, "Not run: your program had already ended.")
        if ending is Ending.OUT_OF_TIME:
            return self._blank(case, TestStatus.TIMEOUT, "Time ran out during this call.")
        return self._blank(case, TestStatus.ERROR, "The process ended during this call.")

    def _blank(self, case: Case, status: TestStatus, message: str) -> TestResult:
        return TestResult(
            id=case.id,
            group=case.family,
            title=case.title,
            status=status,
            score=0.0,
            max_score=self._worth[case.family],
            visibility=self._manifest.families[case.family].visibility,
            message=message,
        )


def _scored_against(case: Case, misread: Outcome, outcome: Outcome) -> ScoredCase:
    """Where what was read asks for no number, as for what is hidden from everybody, no number is right."""
    scored = _scored(case, misread, outcome)
    is_of_tensors = case.call.gives is Gives.TENSORS
    is_no_number = (
        is_of_tensors
        and scored.finding.mismatch is Mismatch.NOT_FINITE
        and alike(case, _as_given(case, misread), outcome)
    )
    return replace(scored, finding=Finding()) if is_no_number else scored


def _as_given(case: Case, outcome: Outcome) -> Outcome:
    """What was computed in float64, in the dtypes of the case."""
    dtype, given = output_dtype(case), case.call.arguments
    gradients = {name: None if value is None else value.to(dtype) for name, value in outcome.gradients.items()}
    arguments = {
        name: value.to(before.dtype)
        for name, value in outcome.arguments.items()
        if isinstance(before := given[name], Tensor)
    }
    outputs = tuple(output.to(dtype) for output in outcome.outputs)
    return replace(outcome, outputs=outputs, gradients=gradients, arguments=arguments)


def _scored(case: Case, expected: Outcome, outcome: Outcome) -> ScoredCase:
    return ScoredCase(case, expected, outcome, compare(case, expected, outcome))


def _worth_of_one(manifest: Manifest, paper: Paper) -> dict[str, float]:
    """Points of one case: a family's cases share its points evenly."""
    families = [case.family for case in paper.cases]
    return {name: manifest.families[name].points / families.count(name) for name in set(families)}


def _count_tests(manifest: Manifest, paper: Paper) -> int:
    """The paper's cases, the rules that carry points, and each family that is measured and not drawn."""
    measured = manifest.families.keys() - {case.family for case in paper.cases}
    return len(paper.cases) + sum(rule.points > 0 for rule in manifest.rules.values()) + len(measured)


def _rule_result(name: str, rule: Rule, finding: RuleFinding | None) -> TestResult:
    if finding is None:
        status, message = TestStatus.SKIPPED, "Not judged: the traced calls gave no result."
    elif finding.status is RuleStatus.FAILED:
        status, message = TestStatus.FAILED, finding.message
    else:
        status, message = TestStatus.PASSED, ""
    return TestResult(
        id=rule_test_id(name),
        group=STRUCTURE,
        title=rule.title,
        status=status,
        score=rule.points if status is TestStatus.PASSED else 0.0,
        max_score=rule.points,
        visibility=Visibility.PUBLIC,
        message=message,
    )


def _is_plain(case: Case) -> bool:
    """Nothing about it is special. A combination may be in several ways, which have no hint."""
    return not (case.hint or case.raises or case.traits)
