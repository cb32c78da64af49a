"""What the pages show of a job that the service has given up."""

from tests.app.school import School
from tests.app.test_jobs import challenges_root, check, fail_until, gpu_stage
from tests.web.conftest import Visit

__all__ = ["challenges_root"]  # a fixture: the question is a line of code there


def test_a_line_that_was_given_up_says_so_and_nobody_waits_for_it(school: School, visit: Visit) -> None:
    job = check(school)
    visit.sign_in(school.tokens["ada"])
    page = f"/submissions/{job.submission_id}"
    waiting = visit.page(page)
    assert ("Being run" in waiting, "data-watch" in waiting) == (True, True)
    fail_until(school, job, lambda found, _: not found.state.is_open)
    given_up = visit.page(page)
    assert ("Being run" in given_up, "data-watch" in given_up) == (False, False)
    assert "Not run" in given_up
    assert "That is our fault, not yours" in given_up


def test_operators_see_what_was_given_up_and_of_which_kind(school: School, visit: Visit) -> None:
    fail_until(school, gpu_stage(school), lambda found, _: not found.state.is_open)
    visit.sign_in(school.tokens["root"])
    page = visit.page("/operations")
    assert "(GPU stage)" in page
    assert "Given up" in page
