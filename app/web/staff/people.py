"""The people of a course: the roster and its import, one student, the difference between two attempts."""

from typing import Final
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.datastructures import FormData
from starlette.datastructures import UploadFile as SentUpload

from app.analytics.schemas import StudentAssignment
from app.analytics.student import student as one_student
from app.courses import one_person
from app.courses import roster as rosters
from app.courses import service as courses
from app.courses.schemas import NewPerson, RosterPlan
from app.problems import NotFound, Problem, Unprocessable
from app.rate import limit_rosters
from app.submissions import service as submissions
from app.submissions.files import sent_files
from app.submissions.schemas import item_of
from app.web.charts import sparkline
from app.web.differences import changes_between
from app.web.field_errors import NO_ERRORS, FieldErrors, errors_of
from app.web.rendering import see_other
from app.web.staff.frame import CourseFrame, InCourse, Short
from app.web.visitors import PostedForm, text_of, texts_of

ROWS: Final = 100
ROSTER_BYTES_MAX: Final = 1 << 20

router = APIRouter(prefix="/courses/{course}/people")


@router.get("")
def show_people(here: InCourse, search: Short = "", done: Short = "", cursor: Short = "") -> Response:
    """Shows the people of the course, page by page."""
    return _people_page(here, search=search, done=done, cursor=cursor)


@router.post("")
def add_person(here: InCourse, form: PostedForm) -> Response:
    """Adds one person. What concerns an account or a person that is there already, it shows first."""
    courses.refuse_all_but_managers(*here.in_course)
    fields = texts_of(form, NewPerson.model_fields)
    digest = text_of(form, "digest")
    try:
        limit_rosters(here.services.broker, here.user)
        wanted = NewPerson.model_validate(fields)
        plan = one_person.preview(*here.in_course, wanted)
        is_plain = bool(plan.added) and plan.added[0].is_new_account is not False
        if not digest and not is_plain:
            return _people_page(here, fields=fields, plan=plan)
        one_person.add(*here.in_course, wanted, digest or plan.digest)
    except (ValidationError, Problem) as error:
        return _people_page(here, fields=fields, wrong=errors_of(error, fields))
    query = urlencode({"search": fields["name"] or fields["email"], "done": "add"})
    return see_other(f"/courses/{here.course}/people?{query}")


@router.get("/import")
def show_import(here: InCourse) -> Response:
    """Shows the form for a roster file."""
    courses.refuse_all_but_managers(*here.in_course)
    return _import_page(here)


@router.post("/import")
def preview_or_import(here: InCourse, form: PostedForm) -> Response:
    """Previews what the file would change; sent again with the preview's digest, applies it."""
    remove_missing = text_of(form, "remove_missing") == "yes"
    digest = text_of(form, "digest")
    try:
        limit_rosters(here.services.broker, here.user)
        content = _content(form)
        if digest:
            rosters.apply(*here.in_course, content, remove_missing=remove_missing, digest=digest)
            return see_other(f"/courses/{here.course}/people?done=import")
        plan = rosters.preview(*here.in_course, content, remove_missing=remove_missing)
    except Problem as problem:
        return _import_page(here, problem=problem)
    text = content.decode("utf-8-sig", "replace")
    return _import_page(here, plan=plan, text=text, remove_missing=remove_missing)


@router.get("/{name}")
def show_student(name: str, here: InCourse) -> Response:
    """Shows every attempt of a student by assignment, the newest first."""
    found = one_student(*here.in_course, name)
    return here.render(
        "student.html",
        "people",
        person=found,
        sections=[(section, sparkline(_shares(section))) for section in found.assignments],
    )


@router.get("/{name}/changes")
def show_changes(name: str, here: InCourse, before: Short, after: Short) -> Response:
    """Shows what changed in the source between two attempts of this student."""
    person = one_student(*here.in_course, name)
    read = [submissions.read(here.database, here.user, each).submission for each in (before, after)]
    old, new = (item_of(each, as_staff=True) for each in read)
    if not old.student == new.student == name:
        raise NotFound(f"These are not two submissions of {name}. The student's page compares theirs.")
    files = [sent_files(here.database, here.user, each) for each in (before, after)]
    return here.render("changes.html", "people", person=person, old=old, new=new, files=changes_between(*files))


def _people_page(
    here: CourseFrame,
    *,
    search: str = "",
    done: str = "",
    cursor: str = "",
    fields: dict[str, str] | None = None,
    plan: RosterPlan | None = None,
    wrong: FieldErrors = NO_ERRORS,
) -> Response:
    """Shows the people; with `fields`, what was typed to add one, and what stands against it or would come of it."""
    found = courses.roster(*here.in_course, search=search, cursor=cursor or None, limit=ROWS)
    return here.render(
        "people.html",
        "people",
        found=found,
        search=search.strip(),
        cursor=cursor,
        done=done,
        is_typed=fields is not None,
        fields=fields or dict.fromkeys(NewPerson.model_fields, ""),
        sections=courses.sections(*here.in_course),
        plan=plan,
        **wrong.shown,
    )


def _shares(section: StudentAssignment) -> list[int]:
    return [
        round(100 * one.score / one.max_score) for one in section.attempts if one.score is not None and one.max_score
    ]


def _content(form: FormData) -> bytes:
    """The chosen file; or, when the preview is confirmed, its text, which the page has kept."""
    file = form.get("file")
    if isinstance(file, SentUpload) and file.filename:
        return file.file.read(ROSTER_BYTES_MAX + 1)
    text = text_of(form, "text")
    if not text.strip():
        raise Unprocessable("Nothing was sent. Choose a CSV file, or paste its lines, and preview it.")
    return text.replace("\r\n", "\n").encode()


def _import_page(
    here: CourseFrame,
    *,
    plan: RosterPlan | None = None,
    text: str = "",
    remove_missing: bool = False,
    problem: Problem | None = None,
) -> Response:
    there: list[str] = []
    if plan is not None:
        there = [*plan.removed, *(each.name for each in plan.kept), *(each.name for each in plan.changed)]
    return here.render(
        "roster.html",
        "people",
        problem=problem,
        plan=plan,
        full_names=here.full_names(there),
        text=text,
        remove_missing=remove_missing,
    )
