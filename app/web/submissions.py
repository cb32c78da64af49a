"""What can be done with a submission: look at it, compare it with earlier attempts, answer its questions, cancel it."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.datastructures import FormData

from app.problems import Conflict, NotFound, Unprocessable
from app.questions import answering
from app.questions.schemas import AnswerIn, Given
from app.rate import limit_answers
from app.services import WithServices
from app.submissions import cancellation, service
from app.submissions.access import attempts_before
from app.submissions.files import sent_files
from app.submissions.schemas import item_of, view_of
from app.web.differences import changes_between
from app.web.rendering import render, see_other
from app.web.submission_page import Refused, Typed, called, submission_page
from app.web.threads import CommentDraft
from app.web.visible import printable
from app.web.visitors import PostedForm, SignedInVisitor, all_of, text_of
from grader.questions import Kind

Short = Annotated[str, Query(max_length=100)]

router = APIRouter()


@router.get("/submissions/{submission_id}")
def show_submission(
    submission_id: str,
    visitor: SignedInVisitor,
    services: WithServices,
    answered: Short = "",
    as_student: bool = False,
    file: Short = "",
    line: Short = "",
) -> Response:
    """Shows a submission to its student and to staff. `answered` is the question that is shown open; `file` and `line`,
    where staff mean to comment.
    """
    typed = Typed(comment=CommentDraft(file=file, line=line))
    return submission_page(services, visitor, submission_id, typed, answered=answered, as_student=as_student)


@router.get("/submissions/{submission_id}/changes")
def show_changes(submission_id: str, visitor: SignedInVisitor, services: WithServices, since: Short = "") -> Response:
    """Shows what changed in the source since an attempt before (by its number; else the last one), to anyone who may
    see both.
    """
    access = service.read(services.database, visitor.user, submission_id)
    earlier = attempts_before(services.database, visitor.user, access.submission)
    if not earlier:
        raise NotFound("This is the first attempt, so there is nothing to compare it with.")
    old = next((each for each in earlier if since in ("", str(each.attempt))), None)
    if old is None:
        raise NotFound(f"There is no attempt {printable(since)} before this one. Choose one from the list.")
    files = [sent_files(services.database, visitor.user, each) for each in (old.id, submission_id)]
    return render(
        "changes.html",
        visitor=visitor,
        submission=view_of(access.submission, as_staff=access.as_staff),
        challenge=services.catalogue.get(access.submission.challenge).challenge,
        is_owner=access.is_owner,
        full_names=called(services, access.submission),
        old=item_of(old, as_staff=access.as_staff),
        earlier=earlier,
        files=changes_between(*files),
    )


@router.post("/submissions/{submission_id}/answers")
def answer(submission_id: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Marks one answer. One that does not have the question's form is shown again, with the reason."""
    question = text_of(form, "question")
    given = _given(form)
    try:
        checked = AnswerIn(question=question, answer=given)
        limit_answers(services.broker, services.settings, visitor.user)
        answering.answer(
            services.database, services.catalogue, visitor.user, submission_id, [(question, checked.answer)]
        )
    except (ValidationError, Unprocessable, Conflict) as error:
        status = error.status if isinstance(error, Conflict) else Unprocessable.status
        refused = Refused(question, given, _sentence(error, question), status)
        return submission_page(services, visitor, submission_id, Typed(answer=refused))
    return see_other(f"/submissions/{submission_id}?answered={question}#question-{question}")


@router.post("/submissions/{submission_id}/cancel")
def cancel_submission(submission_id: str, visitor: SignedInVisitor, services: WithServices, _: PostedForm) -> Response:
    """Cancels the submission and shows its page."""
    cancellation.cancel(services.database, services.broker, visitor.user, submission_id)
    return see_other(f"/submissions/{submission_id}")


def _given(form: FormData) -> Given:
    """One text, or options: those that were ticked, or those of an ordering in their places."""
    if text_of(form, "kind") in (Kind.ORDER, Kind.CHOICES):
        return all_of(form, "answer")
    return text_of(form, "answer").strip()


def _sentence(error: ValidationError | Unprocessable | Conflict, question: str) -> str:
    if isinstance(error, ValidationError):
        return "This answer is too long: the limit is 10,000 characters. Shorten it and send it again."
    return error.detail.removeprefix(f"{question}: ")
