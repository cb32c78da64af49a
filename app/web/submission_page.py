"""A submission's page: waiting, then what it earned and why, and its questions."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from fastapi.responses import Response

from app.assignments import admission
from app.assignments.attempts import Attempts
from app.comments import service as comments
from app.courses.people import full_names
from app.gpu.schemas import is_worth_telling
from app.models import State, Submission, SubmissionKind, now
from app.problems import Conflict, NotFound
from app.questions import service as questions
from app.questions.schemas import Given
from app.questions.service import Asked
from app.regrade_requests import service as regrade_requests
from app.services import Services
from app.submissions import service
from app.submissions.access import Access, attempts_before
from app.submissions.endpoints import whole_view
from app.submissions.feedback import HELD_PAUSE, shows_comments
from app.submissions.files import sent_files
from app.submissions.schemas import SubmissionView
from app.web.rendering import render
from app.web.request_form import RequestDraft, request_form
from app.web.result_view import Result, Sources
from app.web.threads import CommentBox, CommentDraft, threads_of
from app.web.visible import printable
from app.web.visitors import Visitor
from grader.challenge import Challenge
from grader.report import Report, Verdict


@dataclass(frozen=True)
class Refused:
    """An answer that could not be read, shown again with the reason."""

    question: str
    given: Given
    sentence: str
    status: int


@dataclass(frozen=True)
class Typed:
    """What was typed and is shown again: an answer, a comment or a regrade request, with why it was refused."""

    answer: Refused | None = None
    comment: CommentDraft = field(default_factory=CommentDraft)
    request: RequestDraft = field(default_factory=RequestDraft)

    @property
    def status(self) -> int:
        """The status of a page that shows it."""
        return max(self.answer.status if self.answer else HTTPStatus.OK, self.comment.status, self.request.status)


@dataclass(frozen=True)
class SubmissionFrame:
    """A submission as the page shows it, and who looks."""

    services: Services
    visitor: Visitor
    access: Access
    submission: SubmissionView
    as_student: bool  # as staff who want to see what the student sees

    @classmethod
    def of(cls, services: Services, visitor: Visitor, submission_id: str, *, as_student: bool) -> "SubmissionFrame":
        """Reads the submission. Raises NotFound, also when the visitor may not see it."""
        access = service.read(services.database, visitor.user, submission_id)
        submission = whole_view(services, access.submission, as_staff=access.as_staff and not as_student)
        return cls(services, visitor, access, submission, as_student and access.as_staff)

    @property
    def challenge(self) -> Challenge:
        """The challenge that the submission answers."""
        return self.services.catalogue.get(self.submission.challenge).challenge

    def render(
        self, template: str, *, named: Collection[str] = (), status_code: int = HTTPStatus.OK, **context: Any
    ) -> Response:
        """Renders one of its pages, on which the student and those who are `named` are called as the course does."""
        return render(
            template,
            status_code=status_code,
            visitor=self.visitor,
            submission=self.submission,
            challenge=self.challenge,
            is_owner=self.access.is_owner,
            as_student=self.as_student,
            full_names=called(self.services, self.access.submission, named),
            **context,
        )


def called(services: Services, submission: Submission, named: Collection[str] = ()) -> dict[str, str]:
    """What the submission's course calls its student, and others who are `named` by their accounts."""
    names = {submission.user.name, *named}
    return full_names(services.database, submission.course.slug, names) if submission.course else {}


@dataclass(frozen=True)
class QuestionList:
    """The questions, where there are any, or why not; which of them is open, and an answer that was refused."""

    asked: list[Asked]
    locked: str
    refused: Refused | None
    open_question: str | None

    @classmethod
    def of(cls, here: SubmissionFrame, refused: Refused | None, answered: str) -> "QuestionList":
        """Returns them for the student alone, and not for what could not be graded."""
        submission = here.submission
        is_askable = submission.state is State.GRADED and submission.verdict is not Verdict.REJECTED
        asked, locked = list[Asked](), ""
        if here.access.is_owner and is_askable and submission.hunt is None:
            try:
                services = here.services
                asked = questions.ask(services.database, services.catalogue, here.visitor.user, submission.id)
            except Conflict as error:
                locked = error.detail
        unanswered = (item.view.id for item in asked if item.answer is None and item.refusal is None)
        return cls(asked, locked, refused, refused.question if refused else answered or next(unanswered, None))


@dataclass(frozen=True)
class Editor:
    """What a student mends on the result's page, and sends again."""

    source: str
    line: int | None  # to begin with
    assignment: str | None  # that it counts for, or practice
    attempts: Attempts | None  # none where it counts for nothing
    nonce: str = field(default_factory=lambda: secrets.token_urlsafe(16))

    @classmethod
    def of(cls, here: SubmissionFrame, result: Result) -> "Editor | None":
        """Returns the editor for what can be mended here; None for what has passed, for a bug hunt, which has a page of
        its own, for others than the student, and for a source with characters that are not shown as they are.
        """
        submission, source = here.submission, result.sources.main.replace("\r\n", "\n")
        is_whole = source == printable(source)
        is_done = submission.hunt is not None or submission.verdict is Verdict.PASSED
        if not here.access.is_owner or is_done or not is_whole:
            return None
        line = min(result.sources.marked_lines(result.report), default=None)
        found = admission.choices(here.services.database, here.visitor.user, submission.challenge)
        if found and all(each.attempts.left == 0 for each in found):
            return cls(source, line, admission.PRACTICE, None) if admission.may_practise(found) else None
        open_ones = {f"{each.assignment.course.slug}/{each.assignment.slug}": each.attempts for each in found}
        meant = submission.assignment if submission.assignment in open_ones else None
        attempts = open_ones[meant] if meant else next(iter(open_ones.values()), None)
        return cls(source, line, meant, attempts)


def submission_page(
    services: Services,
    visitor: Visitor,
    submission_id: str,
    typed: Typed,
    *,
    answered: str = "",
    as_student: bool = False,
) -> Response:
    """Renders a submission's page. `answered` is the question that is shown open."""
    here = SubmissionFrame.of(services, visitor, submission_id, as_student=as_student)
    submission = here.submission
    if submission.is_held and submission.state is State.GRADED:
        asked = QuestionList.of(here, typed.answer, answered)
        return here.render("held.html", status_code=typed.status, questions=asked)
    if submission.report is None and submission.state is State.GRADED:
        raise NotFound("The student's data was erased. Only the verdict and the points are kept.")
    if submission.report is None:
        return here.render("waiting.html", held_minutes=HELD_PAUSE // timedelta(minutes=1))
    return _result_page(here, submission.report, typed, answered)


def _result_page(here: SubmissionFrame, report: Report, typed: Typed, answered: str) -> Response:
    database, user, access, as_student = here.services.database, here.visitor.user, here.access, here.as_student
    files = sent_files(database, user, here.submission.id)
    result = Result.of(report, here.challenge.manifest, Sources(files))
    box = CommentBox(result.sources, typed.comment, is_shown=shows_comments(access.submission, now()))
    said = comments.list_all(database, user, here.submission.id, as_student=as_student)
    requests = regrade_requests.list_all(database, user, here.submission.id, as_student=as_student)
    return here.render(
        "result.html",
        named={each.edited_by for each in said if each.edited_by},
        status_code=typed.status,
        report=report,
        result=result,
        editor=Editor.of(here, result),
        before=next(iter(attempts_before(database, user, access.submission)), None),
        threads=threads_of(said, report, result.sources),
        comment_box=box if access.as_staff and not as_student else None,
        requests=requests.items,
        request_form=request_form(files, result.families, typed.request, requests.refusal) if access.is_owner else None,
        leaderboard=_leaderboard(access, report),
        gpu=here.submission.gpu if is_worth_telling(access.submission.gpu_stage) else None,
        questions=QuestionList.of(here, typed.answer, answered),
    )


def _leaderboard(access: Access, report: Report) -> str | None:
    """The address of the leaderboard that the student may join with what has passed."""
    assignment = access.submission.assignment
    if assignment is None or not assignment.has_leaderboard or not access.is_owner:
        return None
    if report.verdict is not Verdict.PASSED or access.submission.kind is not SubmissionKind.BUILD:
        return None
    return f"/courses/{assignment.course.slug}/assignments/{assignment.slug}/leaderboard"
