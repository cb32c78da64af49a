"""A report as Gradescope's `results.json`, whose words the report shares; Gradescope hides what is not visible."""

import json
from typing import Any

from grader.formats.plain import plain
from grader.report import Report, RuleFinding, RuleStatus, TestResult, TestStatus, where_in


def write_gradescope(report: Report, points: float | None = None) -> str:
    """The score is `points`, or on the report's own scale: then set the assignment's points to `max_score`."""
    results = {
        "score": report.score if points is None else points,
        "execution_time": round(report.timings.total_s, 3),
        "output": plain(_summary(report)),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [*map(_test, report.tests), *map(_rule, report.structure)],
        "extra_data": {"schema": report.schema_, "verdict": report.verdict, "seed": report.seed},
    }
    return json.dumps(results, ensure_ascii=False)


def _summary(report: Report) -> str:
    told = [f"{found.title}\n{found.explanation}\n{found.evidence}" for found in report.diagnoses]
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


def _rule(finding: RuleFinding) -> dict[str, Any]:
    where = f"{where_in(finding.line, finding.file)}: " if finding.line else ""
    return {
        "name": f"rule: {finding.rule}",
        "status": "passed" if finding.status is RuleStatus.PASSED else "failed",
        "visibility": "visible",
        "output": plain(where + finding.message),
    }
