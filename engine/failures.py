"""Tells which tests failed: by family, with an example of each, briefly enough to be read. Knows no verdict."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from engine.cleaning import clean_line
from engine.display import Page
from grader.report import Forgeable, Report, RuleFinding, RuleStatus, TestResult, TestStatus

FAMILIES_WITH_EXAMPLE: Final = 4
WITH_EXAMPLE_WHEN_EXPLAINED: Final = 2  # a diagnosis says more than many examples
OUR_TITLES: Final = {"structure": "Rules", "efficiency": "Efficiency"}


@dataclass(frozen=True)
class Family:
    """The tests of one case family, in the order of the report."""

    group: str
    title: str
    tests: tuple[TestResult, ...]

    @property
    def is_right(self) -> bool:
        """Whether all of it passed; what was not run is neither right nor wrong."""
        return all(test.status is TestStatus.PASSED for test in self.tests)

    @property
    def is_of_rules(self) -> bool:
        """Whether its tests are rules about how the code is written."""
        return self.group == "structure"

    def is_explained(self, explained: Set[str]) -> bool:
        """Whether something is wrong in it, and only for a reason that was told."""
        return bool(self.wrong) and all(test.id in explained for test in self.wrong)

    @property
    def wrong(self) -> tuple[TestResult, ...]:
        """The tests that ran and did not pass."""
        return tuple(test for test in self.tests if test.status.is_failure)

    @property
    def points(self) -> str:
        """The points earned, and those that there are, in words."""
        earned, possible = sum(test.score for test in self.tests), sum(test.max_score for test in self.tests)
        return f"{number(earned)} of {number(possible)} points"


class FailureText:
    """Writes the failing families, then those that are right. `titles` are the families' names, by id."""

    def __init__(self, page: Page, titles: Mapping[str, str], *, everything: bool) -> None:
        self._page = page
        self._titles = titles
        self._everything = everything

    def write(self, report: Report) -> bool:
        """Whether something was left out that `everything` would show."""
        wrong = [test for test in report.tests if test.status.is_failure]
        if not wrong:
            return False
        self._page.heading(f"What failed ({len(wrong)} of {len(report.tests)} tests)")
        families = list(self._families(report.tests))
        explained = [family for family in families if family.is_explained(report.explained)]
        folded = explained if len(explained) > 1 and not self._everything else []
        told_elsewhere = {finding.message for finding in broken_rules(report)}
        if folded:
            self._fold(folded, "reasons" if len(report.diagnoses) > 1 else "reason")
        failing = [family for family in families if family.wrong and family not in folded]
        examples = WITH_EXAMPLE_WHEN_EXPLAINED if report.diagnoses else FAMILIES_WITH_EXAMPLE
        left_out = len(folded)
        for place, family in enumerate(failing):
            shown = 1 if place < examples else 0
            left_out += self._family(family, told_elsewhere, len(family.wrong) if self._everything else shown)
        right = [family for family in families if family.is_right]
        if broken_rules(report):  # one without points is in no test
            right = [family for family in right if not family.is_of_rules]
        if right:
            sign, titles = Text(self._page.glyphs.passed, "green"), "; ".join(family.title for family in right)
            self._page.put(Text(f"Already right: {titles}"), indent=2, sign=sign)
        return left_out > 0

    def _fold(self, families: Sequence[Family], reason: str) -> None:
        """Those that fail for the reason that was told already."""
        count = sum(len(family.wrong) for family in families)
        titles = "; ".join(family.title for family in families)
        told = f"{count} {'test fails' if count == 1 else 'tests fail'} for the {reason} above: {titles}"
        self._page.put(Text(told), indent=2, sign=Text(self._page.glyphs.failed, "red"))

    def _families(self, tests: tuple[TestResult, ...]) -> Iterator[Family]:
        for group in dict.fromkeys(test.group for test in tests):
            title = clean_line((OUR_TITLES | dict(self._titles)).get(group, group))
            yield Family(group, title, tuple(test for test in tests if test.group == group))

    def _family(self, family: Family, told_elsewhere: set[str], shown: int) -> int:
        """How many tests could have been told, but were not."""
        told = [test for test in family.wrong if test.message or test.metrics]
        hidden = len(family.wrong) - len(told)
        aside = f"  {family.points}" + (f", {hidden} hidden {'test' if hidden == 1 else 'tests'}" if hidden else "")
        title = Text.assemble((family.title, "bold"), (aside, "dim"))
        self._page.put(title, indent=2, sign=Text(self._page.glyphs.failed, "red"))
        for test in told[:shown]:
            self._test(test, told_elsewhere)
        rest = max(0, len(told) - shown)
        if rest and shown:
            self._page.say(f"and {rest} more", "dim", indent=4)
        return rest

    def _test(self, test: TestResult, told_elsewhere: set[str]) -> None:
        message = test.message or measured(test.metrics)
        if test.message in told_elsewhere:
            message = ""
        separator = ":" if message else ""
        self._page.say(f"{clean_line(test.title)}{separator}", indent=4)
        if message:
            self._page.say(message, "dim", indent=6)


def tell_forgeable(page: Page, forgeable: Forgeable) -> None:
    """Tells of tests of which nothing is proven, apart from those of the paper."""
    page.heading(f"Beside your code ({number(forgeable.score)} of {number(forgeable.max_score)} points, counted apart)")
    page.say("Your code could change how these tests end, so they prove nothing.", "dim", indent=2)
    for test in forgeable.tests:
        separator = ":" if test.message else ""
        page.say(f"{clean_line(test.title)}: {test.status.value}{separator}", indent=4)
        if test.message:
            page.say(test.message, "dim", indent=6)


def broken_rules(report: Report) -> list[RuleFinding]:
    """Picks the rules that the code breaks."""
    return [finding for finding in report.structure if finding.status is RuleStatus.FAILED]


def number(value: float) -> str:
    """Writes a number with two decimals at most, as the web pages do."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def measured(metrics: Mapping[str, float]) -> str:
    """Metrics in words where we know them."""
    rest = dict(metrics)
    said = []
    if "max_abs_error" in rest and "tolerance" in rest:
        error, tolerance = rest.pop("max_abs_error"), rest.pop("tolerance")
        said.append(f"Off by up to {error:.2g}; the tolerance is {tolerance:.1g}.")
    said += [f"{clean_line(name).replace('_', ' ')} {value:.4g}" for name, value in rest.items()]
    return " ".join(said)
