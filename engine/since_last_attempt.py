"""What became of the causes of an attempt in the next one: gone, new, or still there."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.report import Report, Verdict


@dataclass(frozen=True)
class Since:
    """Causes by their titles. What a report names none for has its groups of failing tests instead."""

    gone: tuple[str, ...]
    same: tuple[str, ...]
    new: tuple[str, ...]

    def sentences(self) -> list[str]:
        """Returns a sentence for each kind of change that there is."""
        told = (("Gone", self.gone), ("The same as before", self.same), ("New", self.new))
        return [f"{what}: {_listed(titles)}" for what, titles in told if titles]


def since(before: Report, after: Report, titles: Mapping[str, str]) -> Since:
    """Compares two reports; `titles` names the groups of tests. Behind what keeps code from running nobody sees what
    else is gone.
    """
    old, new = _causes(before, titles), _causes(after, titles)
    has_run = after.breakdown is None and after.verdict in (Verdict.PASSED, Verdict.FAILED)
    return Since(
        gone=tuple(title for key, title in old.items() if key not in new) if has_run else (),
        same=tuple(title for key, title in new.items() if key in old),
        new=tuple(title for key, title in new.items() if key not in old),
    )


def _causes(report: Report, titles: Mapping[str, str]) -> dict[str, str]:
    stopped = {report.breakdown.message: report.breakdown.message} if report.breakdown else {}
    if stopped or report.diagnoses:
        return stopped | {diagnosis.id: diagnosis.title for diagnosis in report.diagnoses}
    groups = dict.fromkeys(test.group for test in report.tests if test.status.is_failure)
    if groups or report.verdict is Verdict.PASSED:
        return {group: titles.get(group, group) for group in groups}
    return {report.summary: report.summary}


def _listed(titles: tuple[str, ...]) -> str:
    text = "; ".join(title.removesuffix(".") for title in titles)
    return text if text.endswith("?") else f"{text}."
