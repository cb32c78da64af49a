"""Takes the pictures in docs/screenshots: every page of the staff, with a made-up class (`make screenshots`).

    python -m scripts.screenshots [DATA_DIR]

Gradings are real, so it takes some minutes, unless DATA_DIR has such a class already. Needs Chromium, as the tests do.
"""

import shutil
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from app.accounts.service import issue_token
from app.database import Database, upgrade
from app.settings import ApiSettings
from assay import logs
from tests.app.redis_process import RedisProcess
from tests.app.school import serve
from tests.web.conftest import FLAGS

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "screenshots"
COURSE = "/courses/demo-class"
ASSIGNMENT = f"{COURSE}/assignments/attention"
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
}
DARK = ("overview", "students")
PHONE = ("overview", "course")
HEIGHT_MAX = 1600
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
                take_all(browser, address, token_of(url, "demo-class-instructor"))
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


def take_all(browser: Browser, address: str, token: str) -> None:
    page = open_page(browser, address, token)
    for name, path in PAGES.items():
        take(page, path, name)
    take(page, student_of(page), "student")
    page.get_by_role("link", name="what changed").nth(1).click()  # the first is often a new beginning
    take(page, page.url, "changes")
    page.goto(f"{ASSIGNMENT}/similarity")
    page.get_by_role("link", name="Look", exact=True).first.wait_for(timeout=120_000)
    take(page, page.url, "similarity")
    page.get_by_role("link", name="Look", exact=True).first.click()
    take(page, page.url, "pair")
    dark = open_page(browser, address, token, color_scheme="dark")
    for name in DARK:
        take(dark, PAGES[name], f"{name}-dark")
    phone = open_page(browser, address, token, viewport={"width": 390, "height": 844})
    for name in PHONE:
        take(phone, PAGES[name], f"{name}-phone")


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
    picture = Image.open(BytesIO(page.screenshot(full_page=True))).convert("RGB")
    picture = picture.crop((0, 0, picture.width, min(picture.height, HEIGHT_MAX)))
    picture.quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)
    print(f"docs/screenshots/{name}.png")


if __name__ == "__main__":
    main()
