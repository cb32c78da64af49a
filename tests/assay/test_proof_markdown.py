"""The comment on a change: what is lost is said, and what an author wrote is text, whatever it looks like."""

from assay.formats.proof_markdown import markdown_of
from grader.proof.check import Check, Section
from grader.proof.mistakes import Seen


def mistake(name: str, *killed_by: str, named: str = "") -> Check:
    return Check(Section.MISCONCEPTION, name, True, "", killed_by=killed_by, diagnosed_as=(named,) if named else ())


CHECKS = [
    mistake("kept", "values", named="kept"),
    mistake("thinner", "values", named="thinner"),
    mistake("renamed", "values", named="other"),
    mistake("unseen"),
    mistake("added", "values", named="added"),
]
BEFORE = {
    "kept": Seen(("values",), ("kept",)),
    "thinner": Seen(("gradients", "values"), ("thinner",)),
    "renamed": Seen(("values",), ("renamed",)),
    "unseen": Seen(("values",), ()),
    "removed": Seen(("values",), ("removed",)),
}


def test_what_is_new_lost_or_otherwise_named_is_said() -> None:
    told = markdown_of("shares", CHECKS, BEFORE, 3.2)
    assert told.startswith("### shares: all 5 checks hold (3 s)\n\n4 of 5 misconceptions are named")
    assert "; 1 new, 1 removed.\n" in told
    assert [line for line in told.splitlines() if line.startswith("* ")] == [
        "* Lost: the misconception `removed` is removed.",
        "* Lost: `thinner` is no longer killed by `gradients`.",
        "* Changed: `renamed` is diagnosed as `other`; before, as `renamed`.",
        "* Lost: `unseen` is killed by nothing now; before, by `values`.",
    ]
    assert "| `added` | `values` | `added` | new |" in told


def test_without_an_earlier_version_nothing_is_new() -> None:
    told = markdown_of("shares", CHECKS, None, 3.2)
    assert "4 of 5 misconceptions are named by their diagnosis.\n" in told
    assert "new" not in told
    assert "Lost" not in told


def test_what_does_not_hold_comes_first_and_is_no_markup() -> None:
    hostile = Check(Section.STARTER, "", False, "<img src=x> | @everyone\n# [a](b) **c** \\")
    told = markdown_of("shares", [hostile, *CHECKS], None, 3.2)
    first, second = told.splitlines()[:3:2]
    assert first == "### shares: 1 of 6 checks do not hold (3 s)"
    assert second == "* **starter**: &lt;img src=x> \\| @\u200beveryone \\# \\[a\\](b) \\*\\*c\\*\\* \\\\"


def test_of_many_problems_the_first_are_told_each_to_its_end() -> None:
    survivors = tuple(f"survives: {name}; {name} -> -{name}" for name in "abc")
    many = Check(Section.MUTANTS, "", False, "1 of 4 killed; score 25%", survivors)
    last = markdown_of("shares", [many, *CHECKS], None, 3.2).splitlines()[-1]
    assert last == "* mutants: 1 of 4 killed; score 25%; survives: a; a -> -a; survives: b; b -> -b"
