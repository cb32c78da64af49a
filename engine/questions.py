"""The conceptual questions as text: one of them, its mark, where one stands."""

from collections.abc import Iterable
from typing import Final

from rich.text import Text

from engine.answers import labels, rule, shown_answer
from engine.cleaning import clean_line
from engine.display import Page, plain
from engine.failures import number
from engine.wire.questions import AfterAnswer, Answer, Question
from engine.wire.submissions import Submission

MARKS: Final = {
    "correct": ("passed", "green", "Right"),
    "partial": ("partial", "yellow", "Partly right"),
    "incorrect": ("failed", "red", "Not right"),
    "pending": ("waiting", "cyan", "Kept"),
}
READERS: Final = {"assistant": "an assistant", "instructor": "an instructor"}


def is_pending(question: Question) -> bool:
    """Tells whether an answer was given that has no mark yet."""
    return question.answer is not None and question.answer.mark.status == "pending"


def is_right(question: Question) -> bool:
    """Tells whether the question was answered right."""
    return question.answer is not None and question.answer.mark.status == "correct"


def show_question(page: Page, question: Question, place: str) -> None:
    """Prints a question with its points, its code and its options; `place` stands before it."""
    points = f"{number(question.points)} point{'' if question.points == 1 else 's'}"
    page.put(Text.assemble(plain(question.prompt, "bold"), (f"  ({points})", "dim")), sign=Text(place, "cyan"))
    if question.code:
        page.blank()
        for line in question.code.rstrip().splitlines():
            page.verbatim(plain(line), indent=4)
        page.blank()
    for label, option_id in labels(question).items():
        text = next(option.text for option in question.options if option.id == option_id)
        page.put(plain(text), indent=4, sign=Text(f"{label})", "cyan"))
    if question.refusal is None and (how := rule(question)):
        page.say(how, "dim", indent=4)


def show_mark(page: Page, answer: Answer, standing: AfterAnswer, question: Question) -> None:
    """The mark, what the student may learn now, and whether there is another try."""
    mark = answer.mark
    glyph, style, words = MARKS.get(mark.status, MARKS["pending"])
    points = "" if mark.status == "pending" else f": {number(mark.score)} of {number(mark.max_score)}"
    late = " It was late and counts for less." if answer.is_late else ""
    page.put(Text(f"{words}{points}.{late}", style), indent=2, sign=Text(getattr(page.glyphs, glyph), style))
    if mark.feedback:
        page.say(mark.feedback, indent=4)
    if answer.marked_by is not None:
        page.say(f"Marked by {READERS.get(answer.marked_by, 'the staff')}.", "dim", indent=4)
    if standing.solution is not None:
        page.say(f"Solution: {shown_answer(question, standing.solution.answer)}", "bold", indent=4)
        if standing.solution.explanation:
            page.say(standing.solution.explanation, indent=4)
    if standing.refusal is not None and mark.status != "correct":
        page.say(standing.refusal, "dim", indent=4)
    elif standing.answers_left is not None and standing.refusal is None:
        page.say(f"{standing.answers_left} more answer{'' if standing.answers_left == 1 else 's'}.", "dim", indent=4)


def show_all(page: Page, questions: Iterable[Question]) -> None:
    """Every question with its answer, without asking."""
    asked = list(questions)
    if not asked:
        page.say("There are no questions for this submission.")
    for question in asked:
        show_question(page, question, question.id)
        if question.answer is not None:
            page.say(f"Your answer: {shown_answer(question, question.answer.given)}", indent=4)
            show_mark(page, question.answer, question, question)
        elif question.refusal is not None:
            page.say(question.refusal, "dim", indent=4)


def show_score(page: Page, submission: Submission, questions: Iterable[Question]) -> None:
    """Prints how many points the answers earned, and what is still open."""
    asked = list(questions)
    if submission.assignment_score is not None:
        page.say(f"{score_words(submission)}{_rest(asked)}", "bold")
    elif asked:
        earned = sum(question.answer.mark.score for question in asked if question.answer)
        most = sum(question.points for question in asked)
        page.say(f"{_of(earned, most)} points for the questions.{_rest(asked)}", "bold")


def score_words(submission: Submission) -> str:
    """Says how many points there are in the assignment; nothing for practice."""
    score = submission.assignment_score
    if score is None:
        return ""
    if score.is_held:
        return f"Your points in {submission.assignment_name} are held until your instructor releases them."
    code, answers = _of(score.code, score.code_max), _of(score.questions, score.questions_max)
    told = [
        f"{_of(score.total, score.total_max)} points in {submission.assignment_name}"
        f"{f': {code} for the code, {answers} for the questions' if score.questions_max else ''}."
    ]
    if score.late_deduction:
        told.append(f"Being late took {round(score.late_deduction, 2):g} off.")
    if score.override is not None:
        reason = clean_line(score.override.reason)
        told.append(f"The course's staff set the points to {round(score.override.points, 2):g}: {reason}")
    return " ".join(told)


def _of(points: float, most: float) -> str:
    return f"{round(points, 2):g} of {round(most, 2):g}"


def _rest(questions: list[Question]) -> str:
    unanswered = sum(question.answer is None and question.refusal is None for question in questions)
    read = sum(is_pending(question) and question.kind == "text" for question in questions)
    run = sum(is_pending(question) and question.kind != "text" for question in questions)
    told = (
        (unanswered, "not answered yet"),
        (read, "awaiting review"),
        (run, "being run"),
    )
    parts = [f"{count} {what}" for count, what in told if count]
    return f" Questions: {', '.join(parts)}." if parts else ""
