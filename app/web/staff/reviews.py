"""Free texts to read: the list by question, and one answer at a time with its rubric."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import pairwise
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Depends
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.datastructures import FormData

from app.assignments.service import list_all
from app.problems import Conflict, FieldError, Problem, Unprocessable, in_one_sentence
from app.reviews import service, suggestions
from app.reviews.queue import ReviewFilter, free_texts
from app.reviews.schemas import PointsIn, Proposal, ProposalList, ReviewView, Stand
from app.web.rendering import see_other
from app.web.staff.frame import CourseFrame, InCourse, Short, chosen_in
from app.web.visitors import PostedForm, all_of, text_of

ROWS: Final = 50
TAB: Final = "reviews"

router = APIRouter(prefix="/courses/{course}/reviews")


def picked_in(challenge: Short = "", assignment: Short = "", question: Short = "", state: str = "") -> ReviewFilter:
    """Returns the filter from the address."""
    known = next((item for item in Stand if item == state), None)
    return ReviewFilter(challenge or None, assignment or None, question or None, known)


Picked = Annotated[ReviewFilter, Depends(picked_in)]


@dataclass(frozen=True)
class Filled:
    """The values in the form: the grade given, a model's suggestion, or what was sent and could not be kept."""

    points: dict[int, float] = field(default_factory=dict)  # by the concept's place, from 0
    comment: str = ""
    proposed: ProposalList | None = None
    problem: str = ""


@router.get("")
def show_reviews(here: InCourse, picked: Picked, after: Short = "") -> Response:
    """Shows the questions with how many answers wait, and the chosen answers. Staff only."""
    page = service.list_page(
        here.database, here.services.catalogue, here.user, here.course, picked, after or None, ROWS
    )
    return here.render(
        "reviews.html",
        TAB,
        page=page,
        after=after,
        picked=picked,
        chosen=chosen_in(picked),
        states=list(Stand),
        prompts={name: section.prompt for name, section in free_texts(here.services.catalogue).items()},
        assignment_titles=_titles(here),
    )


@router.get("/{review}")
def show_review(review: str, here: InCourse, picked: Picked) -> Response:
    """Shows one answer with its grades."""
    found = _read(here, review, picked)
    return _review_page(here, picked, found, _given(found, picked))


@router.post("/{review}")
def give_points(review: str, here: InCourse, picked: Picked, form: PostedForm) -> Response:
    """Keeps the points and goes on to the next answer; on an error shows the form again with the reason."""
    found = _read(here, review, picked)
    try:
        service.give_points(here.database, here.services.catalogue, here.user, here.course, review, _sent(form))
    except (Conflict, Unprocessable) as problem:
        fresh = _read(here, review, picked)
        filled = Filled(_points(form), _comment(form), problem=problem.detail)
        return _review_page(here, picked, fresh, filled, problem.status)
    where = f"/courses/{here.course}/reviews" + (f"/{found.next}" if found.next else "")
    return see_other(_address(where, picked))


@router.post("/{review}/proposals")
def propose(review: str, here: InCourse, picked: Picked, form: PostedForm) -> Response:
    """Shows the form filled in as a language model suggests; nothing is kept."""
    found = _read(here, review, picked)
    try:
        proposed = suggestions.suggest(
            here.services.settings, here.database, here.services.catalogue, here.user, here.course, review
        )
    except Problem as problem:
        filled = Filled(_points(form), _comment(form), problem=problem.detail)
        return _review_page(here, picked, found, filled, problem.status)
    points = dict.fromkeys(range(len(found.rubric)), 0.0) | {item.concept - 1: item.points for item in proposed.items}
    return _review_page(here, picked, found, Filled(points, _comment(form), proposed))


def passages_in(answer: str, proposed: Sequence[Proposal]) -> list[tuple[str, str]]:
    """Splits the answer into pieces, each with the numbers of the concepts whose passage it is in."""
    words = list(re.finditer(r"\S+", answer))
    plain = " ".join(word[0] for word in words)
    places = [place for word in words for place in range(word.start(), word.end() + 1)]  # of each character of `plain`
    spans = []
    for item in proposed:
        passage = " ".join(item.passage.split())
        start = plain.find(passage)
        if passage and start >= 0:
            spans.append((places[start], places[start + len(passage) - 1] + 1, item.concept))
    cuts = sorted({0, len(answer), *(end for start, stop, _ in spans for end in (start, stop))})
    return [
        (answer[start:stop], ", ".join(str(number) for begin, end, number in spans if begin <= start and stop <= end))
        for start, stop in pairwise(cuts)
    ]


def _titles(here: CourseFrame) -> dict[str, str]:
    """The course's assignments, by slug."""
    return {each.slug: each.title for each in list_all(*here.in_course)}


def _read(here: CourseFrame, review: str, picked: ReviewFilter) -> ReviewView:
    as_second = picked.state is Stand.SECOND
    return service.read(
        here.database, here.services.catalogue, here.user, here.course, review, picked, as_second=as_second
    )


def _given(found: ReviewView, picked: ReviewFilter) -> Filled:
    """What this reader would change: the first one's points, or in the second one's place one's own."""
    place = 2 if _is_second(found, picked) else 1
    given = next((item for item in found.given if item.place == place), None)
    if given is None:
        return Filled()
    return Filled({number: item.points for number, item in enumerate(given.points)}, given.comment)


def _is_second(found: ReviewView, picked: ReviewFilter) -> bool:
    """Whether one reads it as the second."""
    return picked.state is Stand.SECOND or any(item.place == 2 and item.is_mine for item in found.given)


def _review_page(
    here: CourseFrame, picked: ReviewFilter, found: ReviewView, filled: Filled, status_code: int = HTTPStatus.OK
) -> Response:
    proposed = filled.proposed.items if filled.proposed else []
    return here.render(
        "review.html",
        TAB,
        status_code=status_code,
        chosen=chosen_in(picked),
        review=found,
        filled=filled,
        is_second=_is_second(found, picked),
        stretches=passages_in(found.answer, proposed),
        passages={item.concept: item.passage for item in proposed},
        assignment_titles=_titles(here),
        full_names=here.full_names(each.reader for each in found.given),
        may_propose=here.services.settings.proposals_url is not None,
    )


def _sent(form: FormData) -> PointsIn:
    """Raises Unprocessable."""
    points, count = _points(form), text_of(form, "concepts")
    wanted = range(int(count)) if count.isdecimal() and len(count) < 3 else range(0)
    missing = [str(number + 1) for number in wanted if number not in points]
    if missing:
        raise Unprocessable(
            f"Choose how many points the answer earns for each concept; {', '.join(missing)} is missing."
        )
    try:
        return PointsIn(
            version=text_of(form, "version"),
            points=[points[number] for number in wanted],
            comment=_comment(form),
            second=text_of(form, "second") == "yes",
        )
    except ValidationError as error:
        raise Unprocessable(in_one_sentence(map(FieldError.of, error.errors()))) from error


def _points(form: FormData) -> dict[int, float]:
    found = {}
    for name in form:
        match = re.fullmatch(r"points-(\d{1,2})", name)
        try:
            if match:
                found[int(match[1])] = float(text_of(form, name))
        except ValueError:
            continue  # told as missing
    return found


def _comment(form: FormData) -> str:
    """The kept comments that were ticked, then what was typed."""
    return "\n".join([*all_of(form, "kept"), text_of(form, "comment").replace("\r\n", "\n").strip()]).strip()


def _address(path: str, picked: ReviewFilter) -> str:
    return f"{path}?{urlencode(chosen_in(picked))}" if chosen_in(picked) else path
