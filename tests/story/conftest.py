"""A service as its operator starts it, the university's mail server, its learning platform, and everybody's browser."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.app.mail_server import MailServer, running
from tests.app.redis_process import free_port
from tests.lti.conftest import PROGRAM, EdxPlatform
from tests.not_run import NOT_RUN, note
from tests.patience import PATIENCE_S

expect.set_options(timeout=PATIENCE_S * 1000)


@dataclass
class University:
    """All of it. `first_link` is what `assay up` printed."""

    url: str
    first_link: str
    mails: MailServer
    platform: EdxPlatform
    chromium: Browser
    open_browsers: ExitStack

    def browser(self) -> Page:
        """Of one more person, who has no cookie yet."""
        context: BrowserContext = self.chromium.new_context(base_url=self.url)
        self.open_browsers.callback(context.close)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        return page


@pytest.fixture
def university(chromium: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[University]:
    if not PROGRAM.exists():
        note(request.config, "LTI platform", f"{NOT_RUN}Open edX's is not installed; scripts/lti-platform does that")
        pytest.skip("Open edX's platform is not installed")
    note(request.config, "LTI platform", "Open edX (lti-consumer-xblock)")
    with ExitStack() as stack:
        mails = stack.enter_context(running(MailServer()))
        url = f"http://127.0.0.1:{free_port()}"
        first_link = stack.enter_context(_service(tmp_path, url, mails))
        platform = EdxPlatform(tmp_path, url)
        platform.start()
        stack.callback(platform.stop)
        yield University(url, first_link, mails, platform, chromium, stack)


@contextmanager
def _service(folder: Path, url: str, mails: MailServer) -> Iterator[str]:
    """`assay up`, as somebody types it who has a mail server and wants scores to be sent at once; yields the link."""
    port = url.rpartition(":")[2]
    command = [sys.executable, "-P", "-m", "assay", "up", "--data-dir", str(folder / "data"), "--port", port]
    told = {
        "ASSAY_SMTP_HOST": "127.0.0.1",
        "ASSAY_SMTP_PORT": str(mails.port),
        "ASSAY_SMTP_SECURITY": "none",
        "ASSAY_MAIL_FROM": "assay@school.test",
        "ASSAY_LTI_EVERY_S": "1",
    }
    with subprocess.Popen(
        [*command, "--workers", "1", "--public-url", url],
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", **told},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        said: list[str] = []
        for line in process.stdout:
            said.append(line)
            if link := re.search(r"http\S+/first-run#\S+", line):
                break
        else:
            raise AssertionError("".join(said))
        threading.Thread(target=process.stdout.read, daemon=True).start()  # or it waits for a reader
        try:
            yield link[0]
        finally:
            process.terminate()
            process.wait(PATIENCE_S)
