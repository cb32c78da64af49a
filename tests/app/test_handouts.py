"""Hand-outs: nobody can be recognised in one, and nothing is in it that a class should not be given."""

from typing import Any

import pytest

from app.accounts.service import console
from app.challenges.service import Catalogue
from app.handouts.anonymous import COLUMNS_MAX, SOURCE_MAX, excerpt_of
from app.handouts.markdown import to_markdown
from app.handouts.service import handout
from grader.challenge import DEFAULT_ROOT
from grader.questions import Kind
from grader.report import Guidance
from tests.app.school import School
from tests.app.test_analytics import report
from tests.app.test_assignments import assign, from_now

KNOWN = frozenset({"rope"})
LINE = "    v = rope(v)"
HANDOUT = "/courses/demo/analytics/misconceptions/rope-on-v/handout"


def shown(*lines: str, line: int | None = None, known: frozenset[str] = KNOWN) -> str:
    """The excerpt around this line, or around LINE."""
    source = "\n".join(lines)
    found = excerpt_of(source, line or lines.index(LINE) + 1, known)
    return found.text if found else "nothing"


@pytest.mark.parametrize(
    "hidden",
    [
        "    # Ada Lovelace",
        '    "Ada Lovelace"',
        "    note = f'{x} by ada'",
        "    x = 1  # ada was here",
        "    ada = 1",
        "    x.ada_lovelace = 1",
        "    x = f(ada=1)",
        "    import ada.lovelace as x",
        "    @ada",
        "    x: ada = b'ada'",
        "    x = 'ada' 'lovelace'",
        "    x = rf'''ada",
        "    \u202eada = 1",
        "    \uff41\uff44\uff41 = 1",
        "    lambda ada: ada",
        "    match ada:",
    ],
)
def test_nothing_that_somebody_wrote_as_words_is_left(hidden: str):
    text = shown("def f(v):", hidden, LINE, "    return v")
    assert "ada" not in text.casefold()
    assert "lovelace" not in text.casefold()
    assert text.isascii() or text.replace("…", "").isascii()


@pytest.mark.parametrize("number", ["4915112345678", "20261126", "0xADA10CE", "1_9_8_4_0_7", "3.1415926", "1e123456"])
def test_a_long_number_may_be_somebodys(number: str):
    assert shown("def f(v):", f"    x = {number}", LINE).splitlines()[1] == "    x = 0"


def test_the_code_stays_readable():
    lines = ("def mine(v):", '    """Ada did', '    this."""', "    v = v.transpose(-3,   -2) / 1e-9", LINE)
    assert shown(*lines, "    return helper(v, helper)  # of mine") == "\n".join(
        ["v = v.transpose(-3, -2) / 1e-9", "v = rope(v)", "return name1(v, name1)"]
    )
    assert shown("x = 10000.0 + 0.5", LINE.strip(), line=2) == "x = 10000.0 + 0.5\nv = rope(v)"


def test_a_text_over_many_lines_is_one_without_words():
    text = shown("def f(v):", "    x = '''", "    ada", "    '''", LINE)
    assert text == "    '''".replace("    '''", "v = rope(v)")
    assert shown("def f(v):", "    x = '''ada", "    '''", LINE) == 'x = "…"\nv = rope(v)'


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("x = 'never closed\nv = 1\n", 2),
        ("x = '''never closed\nv = 1\n", 2),
        ("v = 1\n" * SOURCE_MAX, 1),
        ("# only a comment\n", 1),
        ("v = 1\n", 9),
        ("v = $\n", 1),
        ("(" * 5000 + "\nv = 1\n", 2),
        ("", 1),
        ("\x00\n", 1),
    ],
)
def test_what_cannot_be_read_or_has_no_code_there_is_not_shown(source: str, line: int):
    assert excerpt_of(source, line, KNOWN) is None


def test_lines_are_no_longer_than_a_page_and_spaces_tell_nothing():
    text = shown("if x:", " " * 90 + "v" + " + v" * 200, " " * 90 + "v = 1", line=3)
    assert max(map(len, text.splitlines())) <= COLUMNS_MAX + 2
    assert shown("v     =      rope  (v)", line=1) == "v = rope (v)"


def send(school: School, student: str, *, line: int = 2, text: str = "", filename: str = "layers.py") -> None:
    """A submission with the mistake, in which the student's name stands wherever it can."""
    source = f"# {student}\nv = rope({student})  # {student}\n{text}".encode()
    files = {"file": (filename, source)}
    sent = school.client(student).post("/submissions", files=files, data={"assignment": "demo/attention"})
    assert sent.status_code == 202, sent.text
    found = report(40, "heads", misconceptions=("rope-on-v",), line=line)
    example = f"from {filename.removesuffix('.py')} import rope"
    guidance = Guidance(message="There is a small example.", snippet=example)
    school.grade(sent.json()["id"], found.model_copy(update={"guidance": guidance}))


def read(school: School, name: str = "grace") -> dict[str, Any]:
    response = school.client(name).get(HANDOUT, params={"assignment": "attention"})
    assert response.status_code == 200, response.text
    return response.json()  # type: ignore[no-any-return]


@pytest.fixture
def class_(school: School) -> School:
    """ada and bob have the mistake, ada often."""
    assign(school, due_at=from_now(days=1))
    school.add("cyd")
    for text in ("", "x = 1\n", "x = 2\n"):
        send(school, "ada", text=text)
    send(school, "bob")
    return school


@pytest.mark.on_both_databases
def test_code_is_shown_when_three_students_have_shown_the_mistake_and_nobody_is_named(class_: School):
    assert read(class_)["excerpts"] == []
    send(class_, "cyd", line=9)
    assert read(class_)["excerpts"] == [], "of cyd there is no line to show"
    send(class_, "cyd")
    found = read(class_)
    assert [each["lines"] for each in found["excerpts"]] == [["v = rope(name1)"], ["v = rope(name1)", "x = 2"]]
    assert [each["marked"] for each in found["excerpts"]] == [0, 0]
    assert not {"ada", "bob", "cyd"} & set(str(found).replace("'", " ").replace("(", " ").split())


@pytest.mark.on_both_databases
def test_the_example_is_of_this_mistake_and_imports_nothing_that_a_student_named(class_: School):
    assert read(class_)["example"] == "from layers import rope"
    send(class_, "bob", filename="bob_the_great.py")
    assert read(class_)["example"] == "from layers import rope"


def test_it_has_the_question_without_its_answer_and_the_hunt_for_staff_alone(class_: School):
    bank = Catalogue(DEFAULT_ROOT)
    found = handout(class_.database, bank, console(), "demo", "attention", "rope-on-v")
    (section,) = (each for each in bank.get("mha-rope").questions.sections if each.misconception == "rope-on-v")
    assert section.kind == Kind.CHOICES
    assert found.question
    texts = {option.text for option in found.question.options}
    assert texts == {option.text for option in (*section.right, *section.wrong)}
    assert found.hunt
    text = to_markdown(found)
    assert found.question.prompt in text
    assert all(f"* {option}" in text for option in texts)
    assert "the bug hunt gives you a file with one bug" in text
    for secret in (section.explanation, section.right[0].forgotten, found.hunt.symptom):
        assert secret not in text
    assert section.explanation not in found.model_dump_json()


def test_an_assignment_that_keeps_causes_back_says_so(class_: School):
    grace = class_.client("grace")
    grace.patch("/courses/demo/assignments/attention", json={"feedback": "families"}).raise_for_status()
    assert read(class_)["is_told"] is False
    missing = grace.get(HANDOUT.replace("rope-on-v", "nothing"), params={"assignment": "attention"})
    assert missing.status_code == 404
