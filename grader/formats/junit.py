"""Reports as JUnit XML, which every CI system shows: a suite per file, a case per test and rule, one for the whole."""

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from grader.formats.plain import plain
from grader.report import Report, RuleStatus, TestStatus, Verdict, where_in

TAGS = {
    TestStatus.FAILED: "failure",
    TestStatus.ERROR: "error",
    TestStatus.TIMEOUT: "error",
    TestStatus.SKIPPED: "skipped",
}


def write_junit(graded: Iterable[tuple[str, Report]]) -> str:
    """The XML of graded submissions, each with the name of its file."""
    suites = ElementTree.Element("testsuites", name="assay")
    suites.extend(_suite(name, report) for name, report in graded)
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode")


def _suite(name: str, report: Report) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=plain(name), time=f"{report.timings.total_s:.3f}")
    suite.extend(_cases(report))
    suite.set("tests", str(len(suite)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(len(suite.findall(f"testcase/{tag}"))))
    return suite


def _cases(report: Report) -> Iterator[ElementTree.Element]:
    tag = {Verdict.PASSED: None, Verdict.FAILED: "failure"}.get(report.verdict, "error")
    told = [f"{found.title}: {found.explanation}\n{found.patch or ''}".rstrip() for found in report.diagnoses]
    causes = "\n".join([*told, report.guidance.message] if report.guidance else told)
    yield _case("submission", "verdict", tag, f"{report.verdict}: {report.summary}", causes)
    for test in report.tests:
        yield _case(test.group, test.title, TAGS.get(test.status), test.message)
    for test in report.forgeable.tests if report.forgeable else ():
        yield _case(f"forgeable.{test.group}", test.title, TAGS.get(test.status), test.message)
    for finding in report.structure:
        broken = "failure" if finding.status is RuleStatus.FAILED else None
        where = f"{where_in(finding.line, finding.file)}: " if finding.line else ""
        yield _case("structure", finding.rule, broken, where + finding.message)


def _case(group: str, name: str, tag: str | None, message: str, text: str = "") -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname=plain(group), name=plain(name))
    if tag is not None:
        ElementTree.SubElement(case, tag, message=plain(message)).text = plain(text) or None
    return case
