"""The forms in which staff write, change and delete comments on a submission."""

from dataclasses import replace
from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError

from app.comments import service
from app.comments.schemas import ChangedComment, NewComment
from app.problems import Conflict, Unprocessable
from app.services import WithServices
from app.web.field_errors import errors_of
from app.web.rendering import see_other
from app.web.submission_page import Typed, submission_page
from app.web.threads import CommentDraft
from app.web.visitors import PostedForm, SignedInVisitor, text_of

BESIDE: Final = {"file": "line"}
FIELDS: Final = {"file": "", "line": "", "text": ""}

router = APIRouter(prefix="/submissions/{submission_id}/comments")


@router.post("")
def write_comment(submission_id: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm) -> Response:
    """Writes a comment and shows it; one that is refused is shown again, with the reason."""
    typed = {name: text_of(form, name) for name in FIELDS}
    service.refuse_all_but_staff(services.database, visitor.user, submission_id)
    try:
        wanted = NewComment.model_validate({name: value for name, value in typed.items() if value.strip()})
        written = service.write(services.database, visitor.user, submission_id, wanted)
    except (ValidationError, Unprocessable, Conflict) as error:
        draft = _refused(CommentDraft(typed["file"], typed["line"], typed["text"]), error)
        return submission_page(services, visitor, submission_id, Typed(comment=draft))
    return see_other(f"/submissions/{submission_id}#comment-{written.id}")


@router.post("/{comment}")
def change_comment(
    submission_id: str, comment: str, visitor: SignedInVisitor, services: WithServices, form: PostedForm
) -> Response:
    """Changes a comment, or deletes it."""
    service.refuse_all_but_staff(services.database, visitor.user, submission_id)
    if text_of(form, "do") == "delete":
        service.delete(services.database, visitor.user, submission_id, comment)
        return see_other(f"/submissions/{submission_id}#comments")
    text = text_of(form, "text")
    try:
        service.change(services.database, visitor.user, submission_id, comment, ChangedComment(text=text))
    except ValidationError as error:
        draft = _refused(CommentDraft(text=text, comment=comment), error)
        return submission_page(services, visitor, submission_id, Typed(comment=draft))
    return see_other(f"/submissions/{submission_id}#comment-{comment}")


def _refused(draft: CommentDraft, error: ValidationError | Unprocessable | Conflict) -> CommentDraft:
    """What is wrong with the file is told beside the line: where there is one file, nobody chose it."""
    found = errors_of(error, FIELDS)
    whole = "line" if isinstance(error, ValidationError) else "text"
    errors = {BESIDE.get(name, name): sentence for name, sentence in found.by_field.items()} or {whole: found.above[0]}
    return replace(draft, errors=errors, status=found.status)
