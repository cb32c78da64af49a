"""The part of a result page that a GPU adds: there with the figures, and it comes by itself."""

import re
import time

from playwright.sync_api import Browser, expect

from grader.messages import GPU_JUDGES, Graded
from tests.app.school import School
from tests.app.test_gpu_stages import PASSED, fail, find
from tests.web.conftest import Visit
from tests.web.test_browser import open_page, sign_in


def passed(school: School) -> str:
    with school.redis.client() as client:
        client.zadd(GPU_JUDGES, {"card:1": time.time()})
    sent = school.submit()
    school.recording().record(Graded(job=sent["id"], report=PASSED, has_gpu_stage=True))
    return str(sent["id"])


def test_a_result_without_such_a_stage_says_nothing_of_it(school: School, ada: Visit) -> None:
    sent = school.submit()
    school.grade(sent["id"])
    assert "On a GPU" not in ada.page(f"/submissions/{sent['id']}")


def test_where_no_card_is_there_or_expected_it_says_nothing_either(school: School, ada: Visit) -> None:
    sent = school.submit()["id"]
    school.recording().record(Graded(job=sent, report=PASSED, has_gpu_stage=True))
    assert school.client("ada").get(f"/submissions/{sent}").json()["gpu"]["state"] == "not_run"
    assert "On a GPU" not in ada.page(f"/submissions/{sent}")


def test_a_stage_that_the_service_gave_up_is_owned_up_to(school: School, ada: Visit) -> None:
    sent = passed(school)
    for _ in range(school.recorder_settings.requeues_max + 1):
        fail(school, sent, "the card is broken")
    assert "worker kept failing. That is our fault" in ada.page(f"/submissions/{sent}")


def test_the_part_says_how_it_stands_and_then_the_figures(school: School, ada: Visit) -> None:
    page = f"/submissions/{passed(school)}"
    waiting = ada.page(page)
    assert "Waiting for a GPU. The result will not change your verdict." in waiting
    assert f'data-watch="{page}"' in waiting
    find(school, page.rpartition("/")[2])
    done = ada.page(page)
    assert "data-watch" not in done
    assert re.search(r"<strong>1.20 .</strong> a plain correct answer \(1.10 to 1.40\)", done)
    assert "Fake 9000" in done


def test_it_comes_to_the_page_by_itself(chromium: Browser, school: School) -> None:
    submission_id = passed(school)
    with open_page(chromium, school) as page:
        sign_in(page, school, "ada")
        page.goto(f"/submissions/{submission_id}")
        part = page.locator("#gpu")
        expect(part).to_contain_text("Waiting for a GPU")
        find(school, submission_id)
        expect(part).to_contain_text("Right in float32 and bfloat16 on Fake 9000")
