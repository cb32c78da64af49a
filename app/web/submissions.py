"""A submission's page: waiting, then what it earned and why, and its questions."""

import secrets
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.datastructures import FormData

from app.assignments import admission
from app.assignments.attempts import Attempts
from app.comments import service as comments
from app.gpu.schemas import is_worth_telling
from app.models import State, SubmissionKind, now
from app.problems import Conflict, NotFound, Unprocessable
from app.questions import answering
from app.questions import service as questions
from app.questions.schemas import AnswerIn, Given
from app.questions.scores import score_beside
from app.questions.service import Asked
from app.rate import limit_answers
from app.regrade_requests import service as regrade_requests
from app.services import Services, WithServices
from app.submissions import cancellation, service
from app.submissions.access import Access, attempts_before
from app.submissions.feedback import shows_comments
from app.submissions.files import sent_files
from app.submissions.schemas import SubmissionView, item_of, queue_view, view_of
from app.web.differences import changes_between
from app.web.pictures import error_picture
from app.web.rendering import render, see_other
from app.web.request_form import NOTHING_TYPED, RequestDraft, request_form
from app.web.result_view import Sources, diagnoses_of, families_of, forgeable_of, marked_lines, rules_of
from app.web.source import is_cut, lines_of
from app.web.threads import CommentDraft, comment_box, threads_of
from app.web.visible import printable
from app.web.visitors import PostedForm, SignedInVisitor, Visitor, text_of
from grader.notebook import cells_in
from grader.questions import Kind
from grader.report import Report, Verdict

Short = Annotated[str, Query(max_length=100)]

NO_DRAFT: Final = CommentDraft()

router = APIRouter()


@dataclass(frozen=True)
class Refused:
    """An answer that could not be read, shown again with the reason."""

    question: str
    given: Given
    sentence: str
    status: int


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
    draft = CommentDraft(file=file, line=line)
    return submission_page(services, visitor, submission_id, answered=answered, as_student=as_student, draft=draft)


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
        return submission_page(services, visitor, submission_id, refused=refused)
    return see_other(f"/submissions/{submission_id}?answered={question}#question-{question}")


@router.post("/submissions/{submission_id}/cancel")
def cancel_submission(submission_id: str, visitor: SignedInVisitor, services: WithServices, _: PostedForm) -> Response:
    """Cancels the submission and shows its page."""
    cancellation.cancel(services.database, services.broker, visitor.user, submission_id)
    return see_other(f"/submissions/{submission_id}")


def submission_page(
    services: Services,
    visitor: Visitor,
    submission_id: str,
    *,
    refused: Refused | None = None,
    answered: str = "",
    as_student: bool = False,
    draft: CommentDraft = NO_DRAFT,
    request_draft: RequestDraft = NOTHING_TYPED,
) -> Response:
    """Renders a submission's page, with an answer, a comment or a regrade request that was refused."""
    access = service.read(services.database, visitor.user, submission_id)
    queue = queue_view(services.positions, access.submission)
    score = score_beside(services.database, services.catalogue, access.submission)
    submission = view_of(access.submission, as_staff=access.as_staff and not as_student, queue=queue, score=score)
    challenge = services.catalogue.get(submission.challenge).challenge
    common: dict[str, Any] = {
        "visitor": visitor,
        "submission": submission,
        "challenge": challenge,
        "is_owner": access.is_owner,
        "as_student": as_student and access.as_staff,
    }
    if submission.is_held and submission.state is State.GRADED:
        return _held_page(services, visitor, access, submission, common, refused, answered)
    if submission.report is None and submission.state is State.GRADED:
        raise NotFound("The student's data was erased. Only the verdict and the points are kept.")
    if submission.report is None:
        return render("waiting.html", **common)
    files = sent_files(services.database, visitor.user, submission_id)
    source = next(file.text for file in files if file.is_main)
    cells = {cell: code for cell, (_, code) in cells_in(source).items()}
    sources = Sources(source, {file.path: file.text for file in files if not file.is_main} | cells)
    line, file = submission.report.place or (None, None)
    asked, locked = _asked(services, visitor, access, submission)
    said = comments.list_all(services.database, visitor.user, submission_id, as_student=as_student)
    is_shown = shows_comments(access.submission, now())
    asked_for = regrade_requests.list_all(services.database, visitor.user, submission_id, as_student=as_student)
    families = families_of(submission.report, challenge.manifest)
    form = request_form(files, families, request_draft, asked_for.refusal)
    return render(
        "result.html",
        status_code=refused.status if refused else max(draft.status, request_draft.status),
        **common,
        report=submission.report,
        diagnoses=diagnoses_of(submission.report, sources),
        families=families,
        forgeable=forgeable_of(submission.report, challenge.manifest),
        rules=rules_of(submission.report, challenge.manifest, sources),
        lines=lines_of(source, marked_lines(submission.report, source)),
        editor=_editor(services, visitor, access, submission, submission.report, source),
        is_cut=is_cut(source),
        before=next(iter(attempts_before(services.database, visitor.user, access.submission)), None),
        error_picture=error_picture,
        siblings=[file for file in files if not file.is_main],
        threads=threads_of(said, submission.report, sources),
        comment_box=comment_box(files, draft, is_shown=is_shown) if access.as_staff and not as_student else None,
        requests=asked_for.items,
        request_form=form if access.is_owner else None,
        summary_lines=sources.around(line, file),
        leaderboard=_leaderboard(access, submission.report),
        gpu=submission.gpu if is_worth_telling(access.submission.gpu_stage) else None,
        asked=asked,
        locked=locked,
        refused=refused,
        open_question=refused.question if refused else answered or _first_unanswered(asked),
    )


def _held_page(
    services: Services,
    visitor: Visitor,
    access: Access,
    submission: SubmissionView,
    common: dict[str, Any],
    refused: Refused | None,
    answered: str,
) -> Response:
    """Shows that it is graded, and no more; its questions can be answered."""
    asked, locked = _asked(services, visitor, access, submission)
    return render(
        "held.html",
        status_code=refused.status if refused else HTTPStatus.OK,
        **common,
        asked=asked,
        locked=locked,
        refused=refused,
        open_question=refused.question if refused else answered or _first_unanswered(asked),
    )


def _leaderboard(access: Access, report: Report) -> str | None:
    """The address of the leaderboard that the student may join with what has passed."""
    assignment = access.submission.assignment
    if assignment is None or not assignment.has_leaderboard or not access.is_owner:
        return None
    if report.verdict is not Verdict.PASSED or access.submission.kind is not SubmissionKind.BUILD:
        return None
    return f"/courses/{assignment.course.slug}/assignments/{assignment.slug}/leaderboard"


@dataclass(frozen=True)
class Editor:
    """What a student mends on the result's page, and sends again."""

    source: str
    line: int | None  # to begin with
    nonce: str
    assignment: str | None  # that it counts for, or practice
    attempts: Attempts | None  # none where it counts for nothing


def _editor(
    services: Services, visitor: Visitor, access: Access, submission: SubmissionView, report: Report, source: str
) -> Editor | None:
    """Nothing for what has passed, for a bug hunt, which has a page of its own, for others than the student, and for a
    source with characters that are not shown as they are.
    """
    source = source.replace("\r\n", "\n")
    is_whole = source == printable(source)
    if not access.is_owner or submission.hunt is not None or submission.verdict is Verdict.PASSED or not is_whole:
        return None
    found = admission.choices(services.database, visitor.user, submission.challenge)
    line, nonce = min(marked_lines(report, source), default=None), secrets.token_urlsafe(16)
    if found and all(each.attempts.left == 0 for each in found):
        return Editor(source, line, nonce, admission.PRACTICE, None) if admission.may_practise(found) else None
    open_ones = {f"{each.assignment.course.slug}/{each.assignment.slug}": each.attempts for each in found}
    meant = submission.assignment if submission.assignment in open_ones else None
    attempts = open_ones[meant] if meant else next(iter(open_ones.values()), None)
    return Editor(source, line, nonce, meant, attempts)


def _asked(services: Services, visitor: Visitor, access: Access, submission: SubmissionView) -> tuple[list[Asked], str]:
    """The questions, where there are any (for the student alone, and not for what could not be graded), or why not."""
    if not access.is_owner or submission.state is not State.GRADED or submission.verdict is Verdict.REJECTED:
        return [], ""
    if submission.hunt is not None:
        return [], ""
    try:
        return questions.ask(services.database, services.catalogue, visitor.user, submission.id), ""
    except Conflict as locked:
        return [], locked.detail


def _first_unanswered(asked: list[Asked]) -> str | None:
    return next((item.view.id for item in asked if item.answer is None and item.refusal is None), None)


def _given(form: FormData) -> Given:
    """One text, or options: those that were ticked, or those of an ordering in their places."""
    if text_of(form, "kind") in (Kind.ORDER, Kind.CHOICES):
        return [text for text in form.getlist("answer") if isinstance(text, str)]
    return text_of(form, "answer").strip()


def _sentence(error: ValidationError | Unprocessable | Conflict, question: str) -> str:
    if isinstance(error, ValidationError):
        return "This answer is too long: the limit is 10,000 characters. Shorten it and send it again."
    return error.detail.removeprefix(f"{question}: ")
