"""A report as JUnit XML, which every CI system shows. Hidden details stay hidden: it reads the student's report."""

from typing import Final
from xml.etree import ElementTree

from engine.cleaning import clean
from grader.report import Report, RuleFinding, RuleStatus, TestResult, TestStatus, Verdict, where_in

_NOT_RUN: Final = frozenset({Verdict.REJECTED, Verdict.ERROR, Verdict.TIMEOUT})


def junit_xml(report: Report) -> str:
    """Writes one suite: a case per test and rule, and one for the submission as a whole when it was not passed."""
    suite = ElementTree.Element(
        "testsuite", name=f"assay.{report.challenge.slug}", time=f"{report.timings.total_s:.3f}"
    )
    cases = [_whole(report), *map(_test, report.tests), *map(_rule, report.structure)]
    suite.extend(cases)
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("tests", str(len(cases)))
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode")


def _whole(report: Report) -> ElementTree.Element:
    case = _case("submission", report.submission.filename)
    if report.verdict is not Verdict.PASSED:
        causes = [f"{diagnosis.title}: {diagnosis.explanation}" for diagnosis in report.diagnoses]
        causes += [report.guidance.message] if report.guidance else []
        tag = "error" if report.verdict in _NOT_RUN else "failure"
        _say(case, tag, f"{report.verdict}: {report.summary}", "\n".join(causes))
    return case


def _test(test: TestResult) -> ElementTree.Element:
    case = _case(test.group, test.title)
    message = test.message or ("" if test.status is TestStatus.PASSED else "details are not shown")
    match test.status:
        case TestStatus.PASSED:
            pass
        case TestStatus.SKIPPED:
            _say(case, "skipped", message)
        case TestStatus.FAILED:
            _say(case, "failure", message)
        case TestStatus.ERROR | TestStatus.TIMEOUT:
            _say(case, "error", message)
    return case


def _rule(finding: RuleFinding) -> ElementTree.Element:
    case = _case("structure", finding.rule)
    if finding.status is RuleStatus.FAILED:
        where = f"{where_in(finding.line, finding.file)}: " if finding.line else ""
        _say(case, "failure", where + finding.message)
    return case


def _case(group: str, name: str) -> ElementTree.Element:
    return ElementTree.Element("testcase", classname=clean(group), name=clean(name))


def _say(case: ElementTree.Element, tag: str, message: str, text: str = "") -> None:
    ElementTree.SubElement(case, tag, message=clean(message)).text = clean(text) or None
