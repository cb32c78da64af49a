"""What the demonstration's staff and students write to each other."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import func, select, update
from sqlalchemy.orm import joinedload

from app.analytics.misconceptions import misconceptions
from app.assignments import service as assignments
from app.assignments.schedule import HOLDING
from app.comments import service as comments
from app.comments.schemas import NewComment
from app.database import Database
from app.gradebook import overrides
from app.gradebook.schemas import NewOverride
from app.models import DiagnosedMisconception, RegradeRequest, RequestOutcome, Submission, User
from app.notes import service as notes
from app.notes.schemas import NewNote
from app.regrade_requests import answering
from app.regrade_requests import service as requests
from app.regrade_requests.schemas import Answer, NewRequest
from grader.report import Verdict

ABOUT: Final = "mha-rope"  # what is written speaks of its ideas
COMMENTS_ABOUT: Final = 12  # students, of those who wrote it wrong
ORAL_EXAM: Final = 36  # points for the student who took it
AFTER: Final = timedelta(hours=3)  # a result is doubted
ON_THE_LINE: Final = (
    "What is this line for? Say it in one sentence, then look at the shapes before and after it.",
    "This is the line to look at. Try it by hand with two heads and three positions.",
    "Nearly. Which of the three inputs should know about positions, and why?",
)
ON_THE_WHOLE: Final = "Clearly written and well named. Come to the Tuesday session if you want to talk it through."

# What a student asks, and what staff answer; the last ones are still open.
REQUESTS: Final = (
    (
        "My file passes all tests on my laptop. Is it the version of torch?",
        Answer(
            outcome=RequestOutcome.UNCHANGED,
            answer="It is not the version: the example below the result fails with your file here, too. "
            "Run it, and print what comes out of each step.",
        ),
    ),
    (
        "I explained in the oral exam how this should work, and only the last step is missing. Please look again.",
        Answer(
            outcome=RequestOutcome.POINTS_CHANGED,
            answer="You did, and well. Your points now count the oral exam.",
        ),
    ),
    ("The likely cause says that I rotate the values, but I only rotate q and k. Please look at my rope call.", None),
    ("The rule about loops is not broken: my loop is over layers, not over heads.", None),
    ("I think the hidden test on long sequences is wrong. My answer is the same as the formula in the paper.", None),
)

NOTES: Final = (
    "The Tuesday session is in room 2.14 this week. Bring the shape of every tensor in your function.",
    "Most of you pass by the fourth attempt. If you are past that, come and see us: it is usually one line.",
)
TO_HOLDERS: Final = (
    "Your last submission still shows one idea that we talked about on Monday. Take two positions and one head, "
    "work out by hand what each of q, k and v should know, and then compare with your code."
)


def write_talk(database: Database, users: Sequence[User], staff: Sequence[User], course: str, moment: datetime) -> None:
    """Has the staff comment on submissions and write notes, and students request regrades."""
    _write_comments(database, users, staff)
    _send_notes(database, staff, course)
    _write_requests(database, users, staff, course, moment)


def _send_notes(database: Database, staff: Sequence[User], course: str) -> None:
    """To the whole course, and to those who hold a misconception."""
    for text in NOTES:
        notes.send(database, staff[0], course, NewNote(text=text))
    for assignment in assignments.list_all(database, staff[0], course):
        if assignment.challenge != ABOUT:
            continue
        found = misconceptions(database, staff[0], course, assignment.slug).items
        most = max(found, key=lambda each: each.students_still, default=None)
        if most is not None and most.students_still:
            about = NewNote(assignment=assignment.slug, misconception=most.id, text=TO_HOLDERS)
            notes.send(database, staff[0], course, about)


def _write_comments(database: Database, users: Sequence[User], staff: Sequence[User]) -> None:
    """On the last submissions of some students, on the lines that were diagnosed."""
    with database.read() as session:
        found = session.execute(
            select(Submission.id, DiagnosedMisconception.file, DiagnosedMisconception.line)
            .join(DiagnosedMisconception, DiagnosedMisconception.submission_id == Submission.id)
            .where(Submission.user_id.in_([user.id for user in users]), DiagnosedMisconception.line.is_not(None))
            .order_by(Submission.id.desc())
            .limit(COMMENTS_ABOUT)
        ).all()
        whole = session.scalars(
            select(Submission.id)
            .where(Submission.user_id == users[0].id, Submission.verdict == Verdict.PASSED)
            .order_by(Submission.id.desc())
            .limit(1)
        ).all()
    for place, (submission, file, line) in enumerate(found):
        author = staff[place % len(staff)]
        text = ON_THE_LINE[place % len(ON_THE_LINE)]
        comments.write(database, author, submission, NewComment(file=file, line=line, text=text))
    for submission in whole:
        comments.write(database, staff[-1], submission, NewComment(text=ON_THE_WHOLE))


def _write_requests(
    database: Database, users: Sequence[User], staff: Sequence[User], course: str, moment: datetime
) -> None:
    """About the last submissions that did not pass, each of another student."""
    with database.read() as session:
        query = (
            select(func.max(Submission.id))
            .join(Submission.assignment)
            .where(
                Submission.user_id.in_([user.id for user in users]),
                Submission.verdict == Verdict.FAILED,
                Submission.challenge == ABOUT,
                ~HOLDING,
            )
        )
        query = query.group_by(Submission.user_id).order_by(Submission.user_id).limit(len(REQUESTS))
        wrong = (
            select(Submission)
            .options(joinedload(Submission.user), joinedload(Submission.assignment))
            .where(Submission.id.in_(query))
        )
        found = session.scalars(wrong.order_by(Submission.id)).all()
    for submission, (reason, answer) in zip(found, REQUESTS, strict=False):
        made = requests.ask(database, submission.user, submission.id, NewRequest(reason=reason))
        asked_at = min(submission.created_at + AFTER, moment)
        with database.write() as session:
            session.execute(update(RegradeRequest).where(RegradeRequest.id == made.id).values(asked_at=asked_at))
        if answer is not None and answer.outcome is RequestOutcome.POINTS_CHANGED and submission.assignment:
            wanted = NewOverride(student=submission.user.name, points=ORAL_EXAM, reason="Oral exam")
            overrides.give(database, staff[0], course, submission.assignment.slug, wanted)
        if answer is not None:
            answering.answer(database, staff[-1], course, made.id, answer)
