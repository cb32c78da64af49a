"""`engine answer`: asked one by one, marked at once, and told where one stands."""

import copy

import pytest

from tests.engine import papers
from tests.engine.conftest import Student
from tests.engine.school import School

SCORE = {
    "code": 16.0, "code_max": 20.0, "questions": 5.0, "questions_max": 10.0, "total": 21.0, "total_max": 30.0,
    "unanswered": 1, "waiting": 1,
}  # fmt: skip
IN_WORDS = "21 of 30 points in Attention: 16 of 20 for the code, 5 of 10 for the questions."


@pytest.fixture
def graded(student: Student) -> Student:
    """Who has submitted."""
    student.invoke("submit-build")
    return student


def asked(school: School, *ids: str) -> None:
    everything = [*papers.QUESTIONS, papers.FILL, papers.CHOICES]
    school.questions = [copy.deepcopy(question) for question in everything if question["id"] in ids]


def talk(student: Student, *typed: str, words: tuple[str, ...] = ("answer",)) -> str:
    return student.converse(*words, typed=typed, NO_COLOR="1").text.replace("\r\n", "\n")


def test_a_wrong_answer_may_be_mended_at_once_until_none_is_left(graded: Student, school: School):
    asked(school, "score-memory", "which")
    school.standings["score-memory"] = {"answers_left": 2}
    told = talk(graded, "8.6\n", "17.2\n", "c a\n", "a,c\n")
    assert "Not right: 0 of 2." in told
    assert "1 more answer." in told
    assert "Try again, or press Enter to continue." in told
    assert told.index("Not right: 0 of 2.") < told.index("Right: 2 of 2.") < told.index("Right: 1 of 1.")
    assert school.answers["which"]["given"] == ["a", "c"]
    school.answers.clear()
    assert "You have no answers left" in talk(graded, "1\n", "q\n")


def test_help_says_how_to_type_and_how_often(graded: Student, school: School):
    asked(school, "score-memory")
    school.standings["score-memory"] = {"answers_left": 3}
    told = talk(graded, "?\n", "q\n")
    assert told.count("Unit: GB.") == 2
    assert "You may answer 3 times; an answer in the wrong format does not count." in " ".join(told.split())


def test_where_nothing_more_is_taken_nothing_is_asked_and_the_solution_is_shown(graded: Student, school: School):
    asked(school, "why-not-v", "score-memory")
    why = "You have no answers left for this question: the limit is 1."
    solution = {"answer": "relative", "explanation": "The product depends on the distance alone."}
    school.standings["why-not-v"] = {"answers_left": 0, "refusal": why, "solution": solution}
    school.answers["why-not-v"] = {"given": "slow", "mark": papers.mark("why-not-v", "slow"), "is_late": True}
    listed = graded.invoke("answer").stdout
    assert "Your answer: b" in listed
    assert "It was late and counts for less." in listed
    assert "Solution: a" in listed
    assert solution["explanation"] in listed
    assert why in listed
    assert "Why is V not rotated?" not in talk(graded, "q\n")


def test_what_a_person_reads_is_told_and_who_marked_it(graded: Student, school: School):
    asked(school, "explain")
    school.score = SCORE
    told = talk(graded, "Above the diagonal\n\nq\n")
    assert "an empty line ends your answer" in " ".join(told.split())
    assert school.answers["explain"]["given"] == "Above the diagonal"
    assert "Kept.\n    A person will read it." in told
    assert f"{IN_WORDS} Questions: 1 awaiting review." in " ".join(told.split())
    mark = {"status": "partial", "score": 1.0, "max_score": 2.0, "feedback": "And below it?"}
    school.answers["explain"] |= {"mark": mark, "marked_by": "assistant"}
    listed = graded.invoke("answer").stdout
    assert "Partly right: 1 of 2." in listed
    assert "And below it?" in listed
    assert "Marked by an assistant." in listed


def test_an_answer_of_many_lines_is_one_answer(graded: Student, school: School):
    asked(school, "explain", "score-memory")
    told = talk(graded, "q\n")
    assert "score-memory" not in school.answers, told
    talk(graded, "17.2\n", "First this.\nThen that.\n\n")
    assert school.answers["explain"]["given"] == "First this.\nThen that."


def test_a_line_of_code_is_waited_for_until_it_has_run(graded: Student, school: School):
    asked(school, "fill")
    told = talk(graded, "scores / d_k ** 0.5\n")
    assert "    return ..." in told
    assert told.index("Running it") < told.index("Right: 1 of 1.")


def test_questions_that_are_not_unlocked_yet_say_when_they_come(student: Student, school: School):
    school.locked = "The questions open once one of your submissions has passed."
    assert school.locked in student.invoke("submit-build").stdout
    refused = student.invoke("answer")
    assert refused.exit_code == 3
    assert school.locked in refused.stderr


def test_the_score_in_the_assignment_stands_beside_the_verdict(student: Student, school: School):
    school.score = SCORE
    assert IN_WORDS in student.invoke("submit-build").stdout
    assert IN_WORDS in student.invoke("status").stdout


def test_practice_tells_the_points_of_the_questions_alone(graded: Student, school: School):
    asked(school, "which", "explain")
    graded.invoke("answer", "--question", "which", "--answer", "a c")
    assert "1 of 3 points for the questions. Questions: 1 not answered yet." in graded.invoke("answer").stdout
