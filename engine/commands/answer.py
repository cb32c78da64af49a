"""`engine answer`: the conceptual questions of a submission, asked or answered in one go."""

import click

from engine.answers import typed_answer
from engine.client import Client
from engine.display import Page
from engine.errors import WrongUsage
from engine.interview import Interview
from engine.outcome import is_conversation
from engine.questions import show_all, show_mark, show_score
from engine.recall import recall
from engine.signed_in import signed_in
from engine.wire.questions import Question


@click.command()
@click.argument("submission_id", metavar="[ID]", required=False)
@click.option("--question", metavar="QUESTION", help="Answer only this question, without prompts (needs --answer).")
@click.option("--answer", metavar="TEXT", help="The answer; for options, give their letters: b,a,c")
@click.option("--all", "again", is_flag=True, help="Also ask the questions you have answered; the last answer counts.")
def command(submission_id: str | None, question: str | None, answer: str | None, again: bool) -> None:
    """Answer a submission's conceptual questions and see your marks.

    Without a terminal it lists them, with what you answered, how it was marked, and your total.
    """
    if (question is None) != (answer is None):
        raise WrongUsage("--question and --answer belong together.", "Give both or none.")
    page = Page()
    with signed_in() as client:
        submission = recall(client, submission_id).submission
        questions = client.questions(submission.id)
        if question is not None and answer is not None:
            _answer_one(page, client, submission.id, _find(questions, question), answer)
            return
        to_ask = [asked for asked in questions if asked.refusal is None and (again or asked.answer is None)]
        if to_ask and is_conversation():
            Interview(page, client, submission.id).ask(to_ask)
            return
        show_all(page, questions)
        page.blank()
        show_score(page, client.submission(submission.id), questions)
        if to_ask:
            page.say(f"Answer one: engine answer {submission.id} --question QUESTION --answer TEXT", "dim")
        elif any(asked.refusal is None for asked in questions):
            page.say("You have answered everything. Answer again with: engine answer --all", "dim")


def _find(questions: tuple[Question, ...], question_id: str) -> Question:
    for question in questions:
        if question.id == question_id:
            return question
    known = ", ".join(question.id for question in questions) or "none"
    raise WrongUsage(f"There is no question {question_id!r}.", f"The questions are: {known}.")


def _answer_one(page: Page, client: Client, submission_id: str, question: Question, answer: str) -> None:
    marked = client.answer(submission_id, question.id, typed_answer(question, answer))
    show_mark(page, marked, marked, question)
