"""Answers that are a line of code: sent to a judge that runs it, and marked with what it found. The row is the truth:
what has no mark yet is sent again.
"""

from datetime import timedelta
from typing import Final

from sqlalchemy import select, update

from app.broker import Broker
from app.database import Database
from app.line.transitions import applies_to
from app.models import Answer, now
from app.questions.asked import drawn_for, facts_of
from grader.messages import Checked, CheckRequest

BATCH: Final = 50
AGAIN_AFTER: Final = timedelta(seconds=15)  # longer than a line may run: then the message or its judge was lost


class Checks:
    """One for each recorder. Several may send at the same time: a conditional update lets one of them win."""

    def __init__(self, database: Database, broker: Broker) -> None:
        self._database = database
        self._broker = broker

    def send(self) -> int:
        """What is due; how many that was. Nothing while many wait, or no judge takes them: each would wait there again
        and again. Raises BrokerDown.
        """
        room = BATCH - self._broker.checks()
        with self._database.read() as session:
            due = session.scalars(
                select(Answer.id).where(Answer.check_from <= now()).order_by(Answer.check_from).limit(max(0, room))
            ).all()
        return sum(self._send(answer_id) for answer_id in due)

    def record(self, message: Checked) -> None:
        """The mark, once, unless the student has answered anew since then."""
        is_the_one = (Answer.id == message.answer_id, Answer.version == message.version, Answer.check_from.is_not(None))
        with self._database.write() as session:
            applies_to(
                session,
                update(Answer).where(*is_the_one).values(mark=message.mark.model_dump(mode="json"), check_from=None),
            )

    def _send(self, answer_id: str) -> bool:
        moment = now()
        with self._database.write() as session:
            later = update(Answer).where(Answer.id == answer_id, Answer.check_from <= moment)
            if not applies_to(session, later.values(check_from=moment + AGAIN_AFTER)):
                return False
            answer = session.scalars(select(Answer).where(Answer.id == answer_id)).one()
            submission = answer.submission
            request = CheckRequest(
                answer_id=answer.id,
                version=answer.version,
                challenge=submission.challenge,
                question=answer.question,
                student=drawn_for(submission.user, submission.assignment),
                facts=facts_of(session, submission.user_id, submission.challenge, submission.assignment),
                given=answer.given,
            )
        self._broker.check(request, moment.timestamp())
        return True
