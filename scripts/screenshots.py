"""Takes the pictures in docs/screenshots, of a made-up class (`make screenshots`).

    python -m scripts.screenshots [DATA_DIR]

Gradings are real, so it takes some minutes, unless DATA_DIR has such a class already. Needs Chromium, as the tests do.
"""

import re
import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import cast

from jinja2 import BaseLoader, ChoiceLoader, FileSystemLoader
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from app.database import upgrade
from app.settings import ApiSettings
from app.web.pictures import error_picture
from app.web.rendering import environment
from app.web.source import lines_of
from assay import logs
from grader.report import ErrorMap
from scripts import stage
from tests.app.redis_process import RedisProcess
from tests.app.school import serve
from tests.browser import FLAGS

FOLDER = stage.ROOT / "docs" / "screenshots"
HALF_RIGHT = stage.ROOT / "tests" / "submissions" / "mha-rope" / "failed" / "fixed_rank_transpose.py"
COURSE = "/courses/demo-class"
ASSIGNMENT = f"{COURSE}/assignments/attention"
ALIKE = f"{COURSE}/assignments/normalisation"
PAGES = {
    "course": COURSE,
    "overview": ASSIGNMENT,
    "understanding": f"{ASSIGNMENT}/understanding",
    "passages": f"{ASSIGNMENT}/understanding/rope-on-v",
    "teach": f"{ASSIGNMENT}/understanding/rope-before-split/teach",
    "students": f"{ASSIGNMENT}/students",
    "reviews": f"{COURSE}/reviews?state=waiting",
    "gradebook": f"{COURSE}/gradebook",
    "requests": f"{COURSE}/regrade-requests",
}
DARK = ("students",)
PHONE = ("overview",)
CHALLENGE = "/challenges/mha-rope"
STUDENTS_PAGES = {"due": "/", "challenge": CHALLENGE}
PASTED = "class Attention:\n    def rope(self, x): ...\n\ndef scaled_dot_product_attention(Q, K, V, mask=None): ...\n"
THOUGHT = (
    "With 8 heads a token can look at several places at once, each head with its own softmax. "
    "It pays with narrower heads: each compares queries and keys in 64 features instead of 512."
)
PHONE_SIZE = {"width": 390, "height": 844}
HEIGHT_MAX = 1600
EDGE = 8
DRAWN = ("025000013000", "013000025000", "000000000000", "049000037000")
COLOURS = 256  # of a picture's palette: a page has few, and a repository keeps every byte


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    logs.configure()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else stage.make_class(Path(name))
        url = f"sqlite:///{folder.absolute()}/assay.db"
        upgrade(url)
        redis = RedisProcess(Path(name))
        redis.start()
        try:
            settings = ApiSettings(database_url=url, redis_url=redis.url, secret_key=32 * "s")
            with serve(settings) as address, sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
                take_student(browser, address, url, redis.url)
                stage.show_judges(url, redis.url)  # else pages say that grading has stopped
                take_staff(browser, address, stage.token_of(url, "demo-class-instructor"))
                take_regrade(browser, address, url, redis.url)
                take_operations(browser, address, url)
                take_design(browser, address)
                browser.close()
        finally:
            redis.kill()


def take_staff(browser: Browser, address: str, token: str) -> None:
    page = open_page(browser, address, token)
    for name, path in PAGES.items():
        take(page, path, name)
    take(page, student_of(page), "student")
    page.get_by_role("link", name="what changed").nth(1).click()  # the first is often a new beginning
    take(page, page.url, "changes")
    page.goto(PAGES["reviews"])
    page.get_by_role("link", name="Review them one by one").click()
    take(page, page.url, "review")
    page.goto(f"{ALIKE}/similarity")
    page.get_by_role("link", name=re.compile("^Compare")).first.wait_for(timeout=600_000)
    page.get_by_role("link", name=re.compile("^Compare")).first.click()
    take(page, page.url, "pair")
    dark = open_page(browser, address, token, color_scheme="dark")
    for name in DARK:
        take(dark, PAGES[name], f"{name}-dark")
    phone = open_page(browser, address, token, viewport=PHONE_SIZE)
    for name in PHONE:
        take(phone, PAGES[name], f"{name}-phone")


def take_student(browser: Browser, address: str, url: str, redis_url: str) -> None:
    """Whose submission was wrong in a way that can be drawn."""
    submission, name = stage.wrong_submission(url)
    token = stage.token_of(url, name)
    page = open_page(browser, address, token)
    for picture, path in STUDENTS_PAGES.items():
        take(page, path, picture)
    page.get_by_text("Paste the code instead").click()
    page.get_by_label("Source").fill(PASTED)
    take_part(page.locator("section", has=page.get_by_role("heading", name="Submit")), "upload")
    page.goto(f"/submissions/{submission}")
    page.locator("#again").scroll_into_view_if_needed()
    page.wait_for_timeout(500)  # until the editor has measured its lines
    take_part(page.locator("#again"), "editor")
    save(page.screenshot(full_page=True), "result")
    show_where(page)
    take_part(page.locator("details.family", has=page.locator(".where")).first, "where")
    write(page, "question")
    phone = open_page(browser, address, token, viewport=PHONE_SIZE)
    take(phone, f"/submissions/{submission}", "result-phone")
    take(phone, COURSE, "standing-phone")
    take_live(page, url, redis_url)
    passed = open_page(browser, address, stage.token_of(url, stage.passed_student(url)))
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
    families = page.locator("details.family", has=page.locator(".where"))
    families.evaluate_all("families => families.forEach(family => { family.open = true; })")


def take_live(page: Page, url: str, redis_url: str) -> None:
    """A grading under way."""
    page.goto(CHALLENGE)
    page.get_by_label("Your layers.py").set_input_files(HALF_RIGHT)
    page.get_by_role("button", name="Submit for grading").click()
    page.wait_for_url("**/submissions/*")
    told = stage.grade_by_half(url, redis_url, page.url.rpartition("/")[2], HALF_RIGHT)
    page.get_by_text(told).wait_for()
    page.wait_for_timeout(500)  # until the last mark has grown
    save(page.screenshot(full_page=True), "live")


def take_regrade(browser: Browser, address: str, url: str, redis_url: str) -> None:
    """A preview, as if a family had been too strict: whoever failed it is found right now."""
    page = open_page(browser, address, stage.token_of(url, "demo-class-instructor"))
    page.goto(f"{ASSIGNMENT}/regrades")
    page.get_by_role("button", name="Regrade everything").click()
    page.wait_for_url("**/regrades/*")
    stage.grade_again(url, redis_url, page.url.rpartition("/")[2])
    take(page, page.url, "regrade")


def take_operations(browser: Browser, address: str, url: str) -> None:
    take(open_page(browser, address, stage.operators_token(url)), "/operations", "operations")


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
