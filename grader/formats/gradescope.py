"""A report as Gradescope's `results.json`, whose words the report shares; Gradescope hides what is not visible."""

import json
from collections.abc import Sequence
from typing import Any

from grader.formats.plain import plain
from grader.report import Report, RuleFinding, RuleStatus, TestResult, TestStatus, Visibility, where_in


def write_gradescope(report: Report, points: float | None = None, told: Report | None = None) -> str:
    """The score is `points`, or on the report's own scale: then set the assignment's points to `max_score`.

    `told` is as much of the report as its student may see now. What it leaves out is there for staff, hidden from
    students; the seed, from which the paper could be drawn, is not there at all.
    """
    told = told or report
    seen = {test.id: test for test in (*told.tests, *_forgeable(told))}
    results = {
        "score": report.score if points is None else points,
        "execution_time": round(report.timings.total_s, 3),
        "output": plain(_summary(told)),
        "output_format": "text",  # or Gradescope renders it as HTML, with whatever an exception says
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            *(_test(_as_told(test, seen.get(test.id))) for test in report.tests),
            *(_beside(_as_told(test, seen.get(test.id))) for test in _forgeable(report)),
            *(_rule(finding, "visible") for finding in told.structure),
            *(_rule(finding, "hidden") for finding in report.structure if not told.structure),
        ],
        "extra_data": {"schema": report.schema_, "verdict": report.verdict, "sandbox": report.environment.sandbox},
    }
    return json.dumps(results, ensure_ascii=False)


def write_refusal(sentence: str) -> str:
    """Writes the result of a submission in which there was nothing to grade."""
    results = {
        "score": 0.0,
        "output": plain(sentence),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [],
    }
    return json.dumps(results, ensure_ascii=False)


def _as_told(test: TestResult, told: TestResult | None) -> TestResult:
    """A test whose name and outcome are told is shown with what is told of it, and no more."""
    if told is not None and (told == test or test.visibility is Visibility.PUBLIC):
        return told
    return test.model_copy(update={"visibility": Visibility.HIDDEN})


def _summary(report: Report) -> str:
    told = [
        f"{found.title}\n{found.explanation}\n{found.evidence}\n{found.patch or ''}".rstrip()
        for found in report.diagnoses
    ]
    if report.guidance:
        told.append("\n".join(filter(None, [report.guidance.message, report.guidance.snippet])))
    return "\n\n".join([report.summary, *told])


def _test(test: TestResult) -> dict[str, Any]:
    return {
        "name": plain(f"{test.group}: {test.title}"),
        "score": test.score,
        "max_score": test.max_score,
        "status": "passed" if test.status is TestStatus.PASSED else "failed",
        "visibility": "visible" if test.visibility == "public" else test.visibility.value,
        "output": plain(test.message),
    }


def _forgeable(report: Report) -> Sequence[TestResult]:
    return report.forgeable.tests if report.forgeable else ()


def _beside(test: TestResult) -> dict[str, Any]:
    """Without points, which count apart, and named for what it is."""
    shown = _test(test)
    name = f"could be forged: {shown['name']} ({test.score:g} of {test.max_score:g} points apart)"
    return {key: value for key, value in shown.items() if key not in ("score", "max_score")} | {"name": name}


def _rule(finding: RuleFinding, visibility: str) -> dict[str, Any]:
    where = f"{where_in(finding.line, finding.file)}: " if finding.line else ""
    return {
        "name": f"rule: {finding.rule}",
        "status": "passed" if finding.status is RuleStatus.PASSED else "failed",
        "visibility": visibility,
        "output": plain(where + finding.message),
    }
