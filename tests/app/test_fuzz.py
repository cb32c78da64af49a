"""Schemathesis sends what the OpenAPI document allows and what it forbids, as everybody: the service never fails, and
answers as it is documented. `make test` has a few seconds for each and always sends the same; `make fuzz` has longer,
sends something else each time, and gives each request no more than a second (`make test` may share its machine; there
`test_bounded_work` counts processor time instead).
"""

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
import structlog
from sqlalchemy import select

from app.accounts import service as accounts
from app.models import Role, State, Submission
from assay import logs
from tests.app.api_process import api_process
from tests.app.conftest import api_settings
from tests.app.databases import Databases
from tests.app.redis_process import RedisProcess
from tests.app.school import School
from tests.postgresql_process import find_programs

SECONDS: Final = int(os.environ.get("FUZZ_S", "2"))
IS_LONG: Final = "FUZZ_S" in os.environ
REQUEST_S: Final = 1.0  # one request at a time, on a machine that does nothing else
LONG: Final = ("--generation-database=none", f"--max-response-time={REQUEST_S}")
CHECKS: Final = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "allow_header_conformance",
)
# The stricter database where it is to be had.
pytestmark = pytest.mark.parametrize(
    "database_kind", ["postgresql" if find_programs() else "sqlite"], indirect=True, scope="session"
)
# DELETE takes back the invitation of whoever is called so: their `Allow` names it, and the document does not.
ALSO_NAMES: Final = tuple(f"POST /api/v1/courses/{{course}}/invitations/{kind}" for kind in ("mail", "slips"))
REVOKE: Final = "DELETE /api/v1/me/tokens/{token_id}"  # whoever finds the own token there is nobody afterwards


@pytest.fixture(scope="module")
def school(databases: Databases, challenges_root: Path, module_redis: RedisProcess) -> Iterator[School]:
    """One for all, where every submission is graded within a moment: no event stream waits for ever."""
    configuration = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with databases.migrated() as url:
        settings = api_settings(url, challenges_root, module_redis)
        unlimited = ("submissions_per_minute", "answers_per_minute", "writes_per_minute", "address_uploads_per_minute")
        settings = settings.model_copy(update=dict.fromkeys(unlimited, 10**6))
        with closing(School(settings, module_redis)) as school, api_process(settings) as process:
            school.url = process.url
            school.add_people()
            school.add("tom")
            accounts.enroll(school.database, "tom", "demo", Role.ASSISTANT)
            school.grade(school.submit("bob")["id"])
            stop = threading.Event()
            judge = threading.Thread(target=grade_all, args=[school, stop])
            judge.start()
            yield school
            stop.set()
            judge.join()
    structlog.configure(**configuration)
    logs.configure()


def grade_all(school: School, stop: threading.Event) -> None:
    while not stop.wait(0.05):
        with school.database.read() as session:
            waiting = session.scalars(select(Submission.id).where(Submission.state == State.QUEUED)).all()
        for submission_id in waiting:
            school.grade(submission_id)


@pytest.mark.parametrize("name", [None, "ada", "tom", "grace", "root"], ids=str)
def test_nothing_that_can_be_sent_makes_the_service_fail(school: School, tmp_path: Path, name: str | None):
    fuzz(school, tmp_path, name, *(f"--exclude-name={each}" for each in (REVOKE, *ALSO_NAMES)))


def test_nor_at_an_address_that_is_also_a_name(school: School, tmp_path: Path):
    options = ("--exclude-checks=allow_header_conformance", *(f"--include-name={each}" for each in ALSO_NAMES))
    fuzz(school, tmp_path, "grace", *options)


def test_a_token_that_is_revoked_meanwhile_is_no_trouble(school: School, tmp_path: Path):
    fuzz(school, tmp_path, "bob", f"--include-name={REVOKE}", "--include-name=GET /api/v1/me/tokens")


def fuzz(school: School, folder: Path, name: str | None, *options: str) -> None:
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "run",
        f"{school.url}/api/v1/openapi.json",
        f"--max-time={SECONDS}",
        f"--checks={','.join(CHECKS)}",
        "--suppress-health-check=all",
        "--request-timeout=20",
        "--warnings=off",
        "--no-color",
        *(LONG if IS_LONG else ["--generation-deterministic", "--no-shrink"]),
        *([f"--header=Authorization: Bearer {school.tokens[name]}"] if name else []),
        *options,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
