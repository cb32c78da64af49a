"""A proof as Markdown, to comment a change: does it hold, which mistakes are named, what is new, what is lost."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from grader.proof.check import Check, Section
from grader.proof.mistakes import Seen

# What is told when it holds, too.
_FIGURES: Final = (Section.COVERAGE, Section.MUTANTS, Section.FAMILIES)


def markdown_of(slug: str, checks: Sequence[Check], before: Mapping[str, Seen] | None, seconds: float) -> str:
    """`before` is what an earlier version was seen to find; None where there is none to compare with."""
    failed = [check for check in checks if not check.holds]
    mistakes = [check for check in checks if check.section is Section.MISCONCEPTION]
    head = f"{len(failed)} of {len(checks)} checks do not hold" if failed else f"all {len(checks)} checks hold"
    parts = [f"### {_plain(slug)}: {head} ({seconds:.0f} s)", *_complaints(failed)]
    if mistakes:
        parts += [_summary(mistakes, before), *_lost(mistakes, before or {}), _table(mistakes, before)]
    parts += [f"* {_plain(check.title)}: {_plain(_first(check))}" for check in checks if check.section in _FIGURES]
    return "\n\n".join(_joined(parts)) + "\n"


def _joined(parts: Sequence[str]) -> Iterator[str]:
    """Neighbouring lines of a list are one paragraph."""
    lines: list[str] = []
    for part in parts:
        if part.startswith("* "):
            lines.append(part)
            continue
        if lines:
            yield "\n".join(lines)
            lines = []
        yield part
    if lines:
        yield "\n".join(lines)


def _complaints(failed: Sequence[Check]) -> Iterator[str]:
    for check in failed:
        detail = check.detail if check.section is Section.FOLDER else _first(check)
        yield f"* **{_plain(check.title)}**: {_plain(detail)}"


def _summary(mistakes: Sequence[Check], before: Mapping[str, Seen] | None) -> str:
    named = sum(bool(check.diagnosed_as) and check.holds for check in mistakes)
    text = f"{named} of {len(mistakes)} misconceptions are named by their diagnosis"
    if before is None:
        return text + "."
    new = sum(check.name not in before for check in mistakes)
    gone = len(before.keys() - {check.name for check in mistakes})
    return f"{text}; {new} new, {gone} removed."


def _lost(mistakes: Sequence[Check], before: Mapping[str, Seen]) -> Iterator[str]:
    """What was found before, and is found no longer."""
    now = {check.name: check for check in mistakes}
    for name in sorted(before.keys() - now.keys()):
        yield f"* Lost: the misconception {_code(name)} is removed."
    for name, seen in before.items():
        check = now.get(name)
        if check is None:
            continue
        if seen.killed_by and not check.killed_by:
            yield f"* Lost: {_code(name)} is killed by nothing now; before, by {_codes(seen.killed_by)}."
        elif gone := sorted(set(seen.killed_by) - set(check.killed_by)):
            yield f"* Lost: {_code(name)} is no longer killed by {_codes(gone)}."
        if seen.named[:1] != check.diagnosed_as[:1]:
            now_as, before_as = _codes(check.diagnosed_as), _codes(seen.named)
            yield f"* Changed: {_code(name)} is diagnosed as {now_as}; before, as {before_as}."


def _table(mistakes: Sequence[Check], before: Mapping[str, Seen] | None) -> str:
    rows = ["| misconception | killed by | diagnosed as | |", "|---|---|---|---|"]
    for check in mistakes:
        remark = "new" if before is not None and check.name not in before else ""
        row = (
            _code(check.name),
            _codes(check.killed_by),
            _codes(check.diagnosed_as),
            remark if check.holds else "**does not hold**",
        )
        rows.append(f"| {' | '.join(row)} |")
    return "<details><summary>All misconceptions</summary>\n\n" + "\n".join(rows) + "\n\n</details>"


def _first(check: Check) -> str:
    return "; ".join(check.told[:3])


def _codes(names: Sequence[str]) -> str:
    return ", ".join(map(_code, names)) or "nothing"


def _code(name: str) -> str:
    return f"`{name.replace('`', '').replace('|', '/')}`"


def _plain(text: str) -> str:
    """One line that is no Markdown, no HTML and mentions nobody."""
    line = " ".join(text.split())
    for sign in ("\\", "|", "*", "_", "[", "]", "#"):
        line = line.replace(sign, f"\\{sign}")
    return line.replace("&", "&amp;").replace("<", "&lt;").replace("@", "@\u200b")
