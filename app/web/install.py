"""Puts the pages beside the API."""

from fastapi import APIRouter

from app.web.challenges import router as challenges
from app.web.codes import router as codes
from app.web.comments import router as comments
from app.web.first_run import router as first_run
from app.web.hunts import router as hunts
from app.web.leaderboard import router as leaderboard
from app.web.linking import router as linking
from app.web.lti import router as lti
from app.web.lti_registration import router as lti_registration
from app.web.mails import router as mails
from app.web.news import router as news
from app.web.openid import router as openid
from app.web.regrade_requests import router as regrade_requests
from app.web.rendering import STATIC
from app.web.sign_in import router as sign_in
from app.web.staff.assignment import router as assignment
from app.web.staff.course import router as course
from app.web.staff.courses import router as courses
from app.web.staff.editing import router as editing
from app.web.staff.exercises import router as exercises
from app.web.staff.gradebook import router as gradebook
from app.web.staff.invitations import router as invitations
from app.web.staff.lms import router as lms
from app.web.staff.notes import router as notes
from app.web.staff.operations import router as operations
from app.web.staff.people import router as people
from app.web.staff.platforms import router as platforms
from app.web.staff.regrade_requests import router as course_requests
from app.web.staff.regrades import router as regrades
from app.web.staff.reviews import router as reviews
from app.web.staff.similarity import router as similarity
from app.web.staff.teaching import router as teaching
from app.web.static_files import Static
from app.web.submissions import router as submissions
from app.web.tokens import router as tokens


def add_pages(routes: APIRouter) -> None:
    """Adds all pages, and the files that they load. The application needs the session's middleware, and
    `problem_pages`.
    """
    course_pages = (courses, course, gradebook, invitations, people, reviews, course_requests, notes, editing, lms)
    staff = (*course_pages, assignment, teaching, regrades, similarity, operations, exercises, platforms)
    signing_in = (sign_in, codes, first_run, openid, linking, lti, lti_registration)
    studying = (challenges, news, mails, hunts, submissions, comments, regrade_requests, leaderboard)
    for router in (*signing_in, *studying, *staff, tokens):
        routes.include_router(router, include_in_schema=False)
    routes.mount("/static", Static(directory=STATIC), name="static")
