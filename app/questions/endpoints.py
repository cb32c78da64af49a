"""The conceptual questions of a submission."""

from fastapi import APIRouter

from app.questions import answering, service
from app.questions.schemas import AnswerList, AnswersIn, QuestionList, marked_of, question_of
from app.rate import limit_answers
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/submissions/{submission_id}", tags=["questions"])


@router.get("/questions")
def list_questions(submission_id: str, user: SignedIn, services: WithServices) -> QuestionList:
    """This student's questions, once the assignment asks them, with the answers so far."""
    asked = service.ask(services.database, services.catalogue, user, submission_id)
    return QuestionList(items=[question_of(item) for item in asked])


@router.post("/answers")
def give_answers(submission_id: str, body: AnswersIn, user: SignedIn, services: WithServices) -> AnswerList:
    """Answers one or more questions, each once, and returns the marks. The last answer to a question counts."""
    answers = [(item.question, item.answer) for item in body.answers]
    limit_answers(services.broker, services.settings, user)
    marked = answering.answer(services.database, services.catalogue, user, submission_id, answers)
    return AnswerList(items=[marked_of(item) for item in marked])
