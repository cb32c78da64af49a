"""A proof for reading: lines for a log, tables for a terminal, JSON for programs."""

import json
import math
from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from grader.proof.check import Check, Section

PROBLEMS_MAX = 20  # of mutants, one by one; the rest is counted


def line_of(check: Check) -> Text:
    """Writes one check in a line, as soon as it is done."""
    sign = Text("ok  ", style="green") if check.holds else Text("FAIL", style="bold red")
    return Text.assemble(sign, f"  {check.title}: {_detail(check)}")


def tables_of(slug: str, checks: Sequence[Check]) -> Iterator[Table]:
    """Yields a table of right answers, one of mistakes, and one of all the rest."""
    right = [check for check in checks if check.section in (Section.REFERENCE, Section.ACCEPTED)]
    mistakes = [check for check in checks if check.section is Section.MISCONCEPTION]
    rest = [check for check in checks if check not in right and check not in mistakes]
    yield _table(f"{slug}: right answers", ("", "name", "below tolerance", "remark"), map(_right_row, right))
    columns = ("", "misconception", "killed by", "above tolerance", "diagnosed as", "remark")
    yield _table(f"{slug}: {len(mistakes)} misconceptions", columns, map(_mistake_row, mistakes))
    yield _table(f"{slug}: the rest", ("", "check", "seen"), ((_sign(c), c.title, _detail(c)) for c in rest))


def json_of(slug: str, checks: Sequence[Check], seconds: float) -> str:
    """Writes the checks as one line of JSON. A margin that is no number (another shape, an exception) is null."""
    return json.dumps(
        {
            "challenge": slug,
            "holds": all(check.holds for check in checks),
            "seconds": round(seconds, 1),
            "checks": [_as_data(check) for check in checks],
        }
    )


def _as_data(check: Check) -> dict[str, object]:
    data: dict[str, object] = {
        "section": check.section.value,
        "name": check.name,
        "holds": check.holds,
        "detail": check.detail,
        "margin": None if check.margin is None or math.isinf(check.margin) else round(check.margin, 1),
        "killed_by": check.killed_by,
        "diagnosed_as": check.diagnosed_as,
    }
    if check.mutation is not None:
        data["mutation"] = {
            "mutants": len(check.mutation.outcomes),
            "killed": check.mutation.killed,
            "score": check.mutation.score,
            "equivalents": [section.model_dump() for section in check.mutation.equivalents],
            "problems": check.mutation.problems,
        }
    return data


def _table(title: str, columns: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Table:
    table = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if "tolerance" in column else "left")
    for row in rows:
        table.add_row(*map(Text, row), style="" if row[0] == "ok" else "red")
    return table


def _right_row(check: Check) -> tuple[str, ...]:
    return (_sign(check), check.name or "the reference", times(check.margin), "" if check.holds else check.detail)


def _mistake_row(check: Check) -> tuple[str, ...]:
    named = ", ".join(check.diagnosed_as) or "the rule"
    return (_sign(check), check.name, ", ".join(check.killed_by), times(check.margin), named, "; ".join(check.problems))


def times(margin: float | None) -> str:
    """Writes how many times the tolerance a margin is: beyond a million, nobody reads digits."""
    if margin is None or math.isinf(margin):
        return "no number"
    return f"{margin:.0f}" if margin < 1e6 else f"{margin:.0e}"


def _above(margin: float | None) -> str:
    return "not by a number" if margin is None or math.isinf(margin) else f"{times(margin)} times the tolerance"


def _sign(check: Check) -> str:
    return "ok" if check.holds else "FAIL"


def _detail(check: Check) -> str:
    if check.section is Section.MISCONCEPTION and check.holds:
        named = ", ".join(check.diagnosed_as) or "the rule"
        return f"{check.detail}; {_above(check.margin)}; diagnosed as {named}"
    if check.mutation is None:
        return check.detail
    untold = len(check.problems) - PROBLEMS_MAX
    more = [f"and {untold} more"] if untold > 0 else []
    return "\n        ".join([check.seen, *check.problems[:PROBLEMS_MAX], *more])
