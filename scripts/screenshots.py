"""Takes the pictures in docs/screenshots: every page, with a made-up class (`make screenshots`).

    python -m scripts.screenshots [DATA_DIR]

Gradings are real, so it takes some minutes, unless DATA_DIR has such a class already. Needs Chromium, as the tests do.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import cast

from jinja2 import BaseLoader, ChoiceLoader, FileSystemLoader
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright
from redis import Redis
from sqlalchemy import select

from app.accounts.service import create_user, issue_token
from app.broker import Broker
from app.database import Database, upgrade
from app.metrics import RecorderMetrics
from app.models import Regrade, RegradedSubmission, Role, State, StoredReport, Submission, User
from app.problems import Conflict
from app.recording import Recording
from app.settings import ApiSettings, RecorderSettings
from app.sweeper import Sweeper
from app.web.pictures import error_picture
from app.web.rendering import environment
from app.web.source import lines_of
from assay import logs
from grader.messages import JUDGES, Graded
from grader.report import ErrorMap, Report, TestStatus, Verdict
from tests.app.redis_process import RedisProcess
from tests.app.school import serve
from tests.web.conftest import FLAGS

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "screenshots"
COURSE = "/courses/demo-class"
ASSIGNMENT = f"{COURSE}/assignments/attention"
ALIKE = f"{COURSE}/assignments/normalisation"
PAGES = {
    "course": COURSE,
    "submissions": f"{COURSE}/submissions?verdict=failed",
    "people": f"{COURSE}/people",
    "roster-import": f"{COURSE}/people/import",
    "exports": f"{COURSE}/exports",
    "audit": f"{COURSE}/audit",
    "overview": ASSIGNMENT,
    "understanding": f"{ASSIGNMENT}/understanding",
    "passages": f"{ASSIGNMENT}/understanding/rope-on-v",
    "students": f"{ASSIGNMENT}/students",
    "stuck": f"{ASSIGNMENT}/stuck",
    "questions": f"{ASSIGNMENT}/questions",
    "regrades": f"{ASSIGNMENT}/regrades",
    "settings": f"{ASSIGNMENT}/edit",
    "reviews": f"{COURSE}/reviews?state=waiting",
}
DARK = ("overview", "students")
PHONE = ("overview", "course")
CHALLENGE = "/challenges/mha-rope"
STUDENTS_PAGES = {"due": "/", "standing": COURSE, "challenge": CHALLENGE}
PASTED = "class Attention:\n    def rope(self, x): ...\n\ndef scaled_dot_product_attention(Q, K, V, mask=None): ...\n"
THOUGHT = (
    "With 8 heads a token can look at several places at once, each head with its own softmax. "
    "It pays with narrower heads: each compares queries and keys in 64 features instead of 512."
)
MENDED = "full-attention"  # the family that a regrade is made to find right
PHONE_SIZE = {"width": 390, "height": 844}
HEIGHT_MAX = 1600
EDGE = 8
DRAWN = ("025000013000", "013000025000", "000000000000", "049000037000")
COLOURS = 256  # of a picture's palette: a page has few, and a repository keeps every byte


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    logs.configure()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else make_class(Path(name))
        url = f"sqlite:///{folder.absolute()}/assay.db"
        upgrade(url)
        redis = RedisProcess(Path(name))
        redis.start()
        try:
            settings = ApiSettings(database_url=url, redis_url=redis.url, secret_key=32 * "s")
            with serve(settings) as address, sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
                take_student(browser, address, url, redis.url)
                take_staff(browser, address, token_of(url, "demo-class-instructor"))
                take_regrade(browser, address, url, redis.url)
                take_operations(browser, address, url, redis.url)
                take_design(browser, address)
                browser.close()
        finally:
            redis.kill()


def make_class(folder: Path) -> Path:
    command = [sys.executable, "-P", "-m", "assay", "demo-data", "--data-dir", folder]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return folder


def token_of(url: str, name: str) -> str:
    database = Database(url)
    token = issue_token(database, name, "screenshots")
    database.close()
    return token


def take_staff(browser: Browser, address: str, token: str) -> None:
    page = open_page(browser, address, token)
    for name, path in PAGES.items():
        take(page, path, name)
    take(page, student_of(page), "student")
    page.get_by_role("link", name="what changed").nth(1).click()  # the first is often a new beginning
    take(page, page.url, "changes")
    page.goto(PAGES["reviews"])
    page.get_by_role("link", name="Read them one by one").click()
    take(page, page.url, "review")
    page.goto(f"{ALIKE}/similarity")
    page.get_by_role("link", name="Look", exact=True).first.wait_for(timeout=600_000)
    take(page, page.url, "similarity")
    page.get_by_role("link", name="Look", exact=True).first.click()
    take(page, page.url, "pair")
    dark = open_page(browser, address, token, color_scheme="dark")
    for name in DARK:
        take(dark, PAGES[name], f"{name}-dark")
    phone = open_page(browser, address, token, viewport=PHONE_SIZE)
    for name in PHONE:
        take(phone, PAGES[name], f"{name}-phone")


def take_student(browser: Browser, address: str, url: str, redis_url: str) -> None:
    """Whose submission was wrong in a way that can be drawn."""
    submission, name = wrong_submission(url)
    token = token_of(url, name)
    page = browser.new_context(base_url=address).new_page()
    take(page, "/sign-in", "sign-in")
    page = open_page(browser, address, token)
    for picture, path in STUDENTS_PAGES.items():
        take(page, path, picture)
    page.get_by_text("Paste it instead").click()
    page.get_by_label("Source").fill(PASTED)
    take_part(page.locator("section", has=page.get_by_role("heading", name="Submit")), "upload")
    take(page, f"/submissions/{submission}", "result")
    show_where(page)
    take_part(page.locator("details.family", has=page.locator(".where")).first, "where")
    write(page, "question")
    take(open_page(browser, address, token, color_scheme="dark"), f"/submissions/{submission}", "result-dark")
    phone = open_page(browser, address, token, viewport=PHONE_SIZE)
    take(phone, f"/submissions/{submission}", "result-phone")
    take(phone, COURSE, "standing-phone")
    take_live(page, url, redis_url, submission)
    passed = open_page(browser, address, token_of(url, passed_student(url)))
    take(passed, f"{CHALLENGE}/hunt", "hunt")
    passed.goto(CHALLENGE)
    passed.get_by_role("link", name=re.compile("^Attempt")).first.click()
    write(passed)


def write(page: Page, name: str | None = None) -> None:
    """Answer the first question that asks for one's own words: staff are to have something to read."""
    question = page.locator(".question", has=page.locator("textarea:not(.code)")).first
    question.evaluate("question => { question.open = true; }")
    question.get_by_role("textbox").fill(THOUGHT)
    if name:
        take_part(question, name)
    question.get_by_role("button", name=re.compile("^Answer")).click()
    question.get_by_role("status").wait_for()


def show_where(page: Page) -> None:
    for family in page.locator("details.family:not([open])", has=page.locator(".where")).all():
        family.locator("summary").click()


def take_live(page: Page, url: str, redis_url: str, like: str) -> None:
    """A grading under way: what a judge would tell, of a paper like this one."""
    database, broker = Database(url), Broker(redis_url)
    with database.read() as session:
        report = Report.model_validate_json(session.get_one(StoredReport, like).body)
    page.goto(CHALLENGE)
    page.get_by_label("Your layers.py").set_input_files(ROOT / "examples" / "rope_on_v.py")
    page.get_by_role("button", name="Submit for grading").click()
    page.wait_for_url("**/submissions/*")
    sent = page.url.rpartition("/")[2]
    broker.tell(sent, "state", {"state": State.RUNNING})
    total = len(report.tests)
    for done, test in enumerate(report.tests[: total // 2], start=1):
        shown = test.model_dump(mode="json", include={"id", "group", "title", "status", "score", "max_score"})
        broker.tell(sent, "test", shown | {"done": done, "total": total})
    page.get_by_text(f"{total // 2} of {total} tests done.").wait_for()
    page.wait_for_timeout(500)  # until the last mark has grown
    save(page.screenshot(full_page=True), "live")
    broker.close()
    database.close()


def take_regrade(browser: Browser, address: str, url: str, redis_url: str) -> None:
    """A preview, as if a family had been too strict: whoever failed it is found right now."""
    page = open_page(browser, address, token_of(url, "demo-class-instructor"))
    page.goto(f"{ASSIGNMENT}/regrades")
    page.get_by_role("button", name="Grade everything again").click()
    page.wait_for_url("**/regrades/*")
    regrade = page.url.rpartition("/")[2]
    database, broker = Database(url), Broker(redis_url)
    settings = RecorderSettings(database_url=url, redis_url=redis_url)
    recording = Recording(settings, database, broker, RecorderMetrics())
    with database.read() as session:
        version = session.get_one(Regrade, regrade).challenge_version
        kept = session.execute(
            select(StoredReport.submission_id, StoredReport.body)
            .join(RegradedSubmission, RegradedSubmission.submission_id == StoredReport.submission_id)
            .where(RegradedSubmission.regrade_id == regrade)
        ).all()
    for submission, body in kept:
        report = mended(Report.model_validate_json(body), version)
        recording.record(Graded(submission_id=submission, report=report, regrade=regrade))
    Sweeper(settings, database, broker, RecorderMetrics()).sweep()
    take(page, page.url, "regrade")
    broker.close()
    database.close()


def mended(report: Report, version: str) -> Report:
    tests = tuple(
        test.model_copy(update={"status": TestStatus.PASSED, "score": test.max_score, "message": ""})
        if test.group == MENDED and test.status is TestStatus.FAILED
        else test
        for test in report.tests
    )
    challenge = report.challenge.model_copy(update={"version": version})
    gained = sum(test.score for test in tests) - sum(test.score for test in report.tests)
    verdict = report.verdict
    if gained and all(test.status is TestStatus.PASSED for test in tests if test.group != "efficiency"):
        verdict = Verdict.PASSED
    score = round(report.score + gained, 2)
    return report.model_copy(update={"tests": tests, "challenge": challenge, "score": score, "verdict": verdict})


def take_operations(browser: Browser, address: str, url: str, redis_url: str) -> None:
    """With a sign of life of the judges that graded the class."""
    database, broker = Database(url), Redis.from_url(redis_url)
    with database.read() as session:
        judges = session.scalars(select(Submission.worker).where(Submission.worker.is_not(None)).distinct()).all()
    broker.zadd(JUDGES, {str(judge): time.time() for judge in judges})
    with suppress(Conflict):  # made for earlier pictures
        create_user(database, "operator", Role.OPERATOR, None)
    take(open_page(browser, address, token_of(url, "operator")), "/operations", "operations")
    broker.close()
    database.close()


def take_design(browser: Browser, address: str) -> None:
    loader = ChoiceLoader([FileSystemLoader(Path(__file__).parent), cast(BaseLoader, environment.loader)])
    template = environment.overlay(loader=loader).get_template("design_system.html")
    html = template.render(
        visitor=None,
        spaces=[(f"--space-{number}", size) for number, size in enumerate((4, 8, 12, 16, 24, 40), start=1)],
        lines=lines_of("Q = rope(Q)\nK = rope(K)\nV = rope(V)", {3}),
        picture=error_picture(ErrorMap(positions=4, features=12, cells=DRAWN, heads="0090")),
    )
    for name, scheme in (("design", "light"), ("design-dark", "dark")):
        page = browser.new_context(
            base_url=address, color_scheme=scheme, viewport={"width": 1200, "height": 800}
        ).new_page()
        page.goto("/sign-in")  # for the address that the stylesheet's is relative to
        page.set_content(html)
        save(page.screenshot(full_page=True), name)


def wrong_submission(url: str) -> tuple[str, str]:
    """One that failed with something right in it, and its student's name; the one with the most to see."""
    database = Database(url)
    with database.read() as session:
        rows = session.execute(
            select(Submission.id, User.name, StoredReport.body)
            .join(User, Submission.user_id == User.id)
            .join(StoredReport, StoredReport.submission_id == Submission.id)
            .where(Submission.challenge == "mha-rope", StoredReport.body.contains('"cells"'))
        ).all()
    database.close()
    best = max(rows, key=lambda row: worth_seeing(Report.model_validate_json(row[2])))
    return best[0], best[1]


def worth_seeing(report: Report) -> tuple[bool, bool, float]:
    cells = "".join("".join(test.error_map.cells) for test in report.tests if test.error_map)
    return any(found.line for found in report.diagnoses), report.guidance is not None, cells.count("0")


def passed_student(url: str) -> str:
    database = Database(url)
    with database.read() as session:
        name = session.scalars(
            select(User.name)
            .join(Submission, Submission.user_id == User.id)
            .where(Submission.challenge == "mha-rope", Submission.verdict == Verdict.PASSED)
            .order_by(Submission.id)
        ).first()
    database.close()
    assert name
    return name


def open_page(browser: Browser, address: str, token: str, **options: object) -> Page:
    viewport = {"viewport": {"width": 1200, "height": 800}}
    page = browser.new_context(
        base_url=address, locale="en-GB", timezone_id="UTC", **{**viewport, **options}
    ).new_page()
    page.goto("/")
    page.get_by_label("Your token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign out").wait_for()
    return page


def student_of(page: Page) -> str:
    """Whoever tried most often: there is something to see."""
    page.goto(f"{ASSIGNMENT}/students?order=attempts")
    address = page.locator("tbody th a").first.get_attribute("href")
    assert address
    return address


def take(page: Page, path: str, name: str) -> None:
    page.goto(path)
    save(page.screenshot(full_page=True), name)


def take_part(part: Locator, name: str) -> None:
    """With some of what is around it."""
    box = part.evaluate(
        "e => (({ x, y, width, height }) => ({ x, y: y + scrollY, width, height }))(e.getBoundingClientRect())"
    )
    wider = {
        "x": box["x"] - EDGE,
        "y": box["y"] - EDGE,
        "width": box["width"] + 2 * EDGE,
        "height": box["height"] + 2 * EDGE,
    }
    save(part.page.screenshot(full_page=True, clip=wider), name)


def save(png: bytes, name: str) -> None:
    picture = Image.open(BytesIO(png)).convert("RGB")
    picture = picture.crop((0, 0, picture.width, min(picture.height, HEIGHT_MAX)))
    picture.quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)
    print(f"docs/screenshots/{name}.png")


if __name__ == "__main__":
    main()
