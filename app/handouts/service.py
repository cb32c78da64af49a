"""A hand-out about a misconception of an assignment: what it is, how it looks in code, what to try, what to ask."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from sqlalchemy import and_, case, func, select
from sqlalchemy.orm import Session

from app.analytics.misconceptions import last_with
from app.analytics.scope import Scope, scope_of
from app.assignments.schedule import holds_grades
from app.assignments.terms import PersonalTerms
from app.challenges.service import Catalogue, Entry
from app.database import Database
from app.handouts.anonymous import Excerpt, excerpt_of, names_in
from app.handouts.schemas import ExcerptView, Handout, HuntFile
from app.models import DiagnosedMisconception, Feedback, StoredReport, Submission, SubmissionFile, User, now
from app.problems import NotFound
from app.submissions.feedback import feedback_at
from grader.questions import QuestionView
from grader.report import Report

STUDENTS_MIN: Final = 3  # different ones: of fewer, the class could tell whose code it is
FILES_MAX: Final = 20  # that are read for excerpts
EXCERPTS_MAX: Final = 3
REPORTS_MAX: Final = 5  # that are read for the explanation and an example


def handout(
    database: Database, catalogue: Catalogue, user: User, course: str, assignment: str, misconception: str
) -> Handout:
    """Returns the hand-out. Raises NotFound, also where no submission shows the misconception, and Forbidden."""
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        entry = catalogue.get(scope.assignment.challenge)
        told = _told(session, scope, entry, misconception)
        excerpts = _excerpts(session, scope, entry, misconception)
    return Handout.of(
        told,
        course=scope.course.slug,
        assignment=scope.assignment.slug,
        assignment_title=scope.assignment.title,
        id=misconception,
        excerpts=[ExcerptView.model_validate(each) for each in excerpts],
        excerpts_from=STUDENTS_MIN,
        question=_question(entry, scope, misconception),
        hunt=_hunt(entry, misconception),
        is_told=_is_told(scope),
    )


@dataclass(frozen=True)
class _Told:
    """What reports say of a misconception."""

    title: str
    explanation: str
    example: str | None


def _told(session: Session, scope: Scope, entry: Entry, name: str) -> _Told:
    """From the newest reports; first those that name nothing else, of files under the exercise's own name: their
    example is of this mistake, and imports nothing that a student has named. Raises NotFound.
    """
    found = DiagnosedMisconception
    diagnoses = select(func.count()).where(found.submission_id == Submission.id).correlate(Submission)
    usual = PurePosixPath(entry.challenge.manifest.default_path).name
    is_plain = case((and_(diagnoses.scalar_subquery() == 1, Submission.filename == usual), 1), else_=0)
    named = select(found.submission_id).where(found.misconception == name)
    query = (
        select(StoredReport.body, is_plain)
        .join(Submission, Submission.id == StoredReport.submission_id)
        .where(scope.graded, Submission.id.in_(named))
        .order_by(is_plain.desc(), Submission.id.desc())
        .limit(REPORTS_MAX)
    )
    reports = [(Report.model_validate_json(body), bool(plain)) for body, plain in session.execute(query)]
    told = next((each for report, _ in reports for each in report.diagnoses if each.id == name), None)
    if told is None:
        raise NotFound(f"No submission to {scope.assignment.slug!r} shows {name[:100]!r}.")
    examples = (report.guidance.snippet for report, is_plain in reports if is_plain and report.guidance)
    return _Told(told.title, told.explanation, next(filter(None, examples), None))


def _excerpts(session: Session, scope: Scope, entry: Entry, name: str) -> Sequence[Excerpt]:
    """Of the newest submissions of different students; what most of them wrote first, and then in the order of the
    text, which tells nothing of when or by whom it was sent.
    """
    found = DiagnosedMisconception
    newest = last_with(scope, name).order_by(func.max(Submission.id).desc()).limit(FILES_MAX)
    path = func.coalesce(found.file, Submission.main)
    query = (
        select(SubmissionFile.content, found.line)
        .join(Submission, Submission.id == SubmissionFile.submission_id)
        .join(found, and_(found.submission_id == Submission.id, found.misconception == name))
        .where(Submission.id.in_(newest), SubmissionFile.path == path, found.line.is_not(None))
    )
    known = names_in((entry.challenge.starter().decode("utf-8"), *entry.hunt.solutions.values()))
    shown = [
        excerpt
        for content, line in session.execute(query)
        if line and (excerpt := excerpt_of(content.decode("utf-8-sig", "replace"), line, known))
    ]
    if len(shown) < STUDENTS_MIN:
        return []
    counts = Counter(shown)
    return sorted(counts, key=lambda each: (-counts[each], each.text))[:EXCERPTS_MAX]


def _question(entry: Entry, scope: Scope, name: str) -> QuestionView | None:
    """A variant that grading does not use, the same whenever it is asked for."""
    section = next((each for each in entry.questions.sections if each.misconception == name), None)
    return entry.questions.practice.variant(section.id, scope.assignment.id).view if section else None


def _hunt(entry: Entry, name: str) -> HuntFile | None:
    planted = [each for each in entry.hunt.all_planted() if each.misconception == name]
    told = next(filter(None, map(entry.hunt.told, planted)), None)
    return HuntFile(symptom=told.symptom, files=len(planted)) if told else None


def _is_told(scope: Scope) -> bool:
    terms = PersonalTerms(scope.assignment)
    return feedback_at(terms, now()) is Feedback.FULL and not holds_grades(scope.assignment)
