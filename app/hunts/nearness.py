"""Which open hunt an upload is near to: its explanation would tell the planted mistake."""

from sqlalchemy import select

from app.database import Database
from app.models import Hunt, User
from grader.guest.submission import Submission
from grader.hunt import is_near, runs_text, shape_of


def near_hunt(database: Database, user: User, sent: Submission, bytes_max: int) -> Hunt | None:
    """Returns the open hunt of this person, in whatever challenge, to which the files are or could be near; else None.

    Files of more than `bytes_max` bytes are not graded, and so not compared.
    """
    with database.read() as session:
        hunts = session.scalars(select(Hunt).where(Hunt.user_id == user.id, Hunt.solved_at.is_(None))).all()
    if not hunts or sum(map(len, sent.files.values())) > bytes_max:
        return None
    main = sent.source.decode("utf-8-sig", "replace")
    files = [content.decode("utf-8-sig", "replace") for content in sent.files.values()]
    if runs_text(files):
        return hunts[0]
    shape = shape_of(files)
    return next((hunt for hunt in hunts if is_near(hunt.source, main, shape)), None)
