"""What the demonstration's staff and students write to each other."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import select

from app.comments import service as comments
from app.comments.schemas import NewComment
from app.database import Database
from app.models import DiagnosedMisconception, Submission, User
from grader.report import Verdict

COMMENTS_ABOUT: Final = 12  # students, of those who wrote it wrong
ON_THE_LINE: Final = (
    "What is this line for? Say it in one sentence, then look at the shapes before and after it.",
    "This is the line to look at. Try it by hand with two heads and three positions.",
    "Nearly. Which of the three inputs should know about positions, and why?",
)
ON_THE_WHOLE: Final = "Clearly written and well named. Come to the Tuesday session if you want to talk it through."


def write_talk(database: Database, users: Sequence[User], staff: Sequence[User]) -> None:
    """Has the staff comment on the last submissions of some students, on the lines that were diagnosed."""
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
