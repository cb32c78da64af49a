"""Exercise repositories added and updated in the dashboard: who may, from where, and how far a verifier is believed."""

import io
import time
import zipfile
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from app.accounts.service import console
from app.exercises import fetching, service
from app.exercises.commits import Fetched
from app.exercises.schemas import NewRepository
from app.jobs.kinds import KINDS
from app.models import AuditEntry, ExerciseCommit, ExerciseFetch, Job, JobState, User, now
from app.problems import Unprocessable
from grader.messages import (
    EXERCISES_QUEUE,
    VERIFIERS,
    ExercisesFound,
    ExercisesRequest,
    JobKind,
    Progressed,
    ProvenExercise,
    Started,
)
from tests.app.school import School
from tests.app.scoped import browser
from tests.assay.conftest import invoke_assay
from tests.web.conftest import field
from worker.progress import Progress

pytestmark = pytest.mark.on_both_databases
URL = "https://git.example.edu/exercises.git"
HERE = "/operations/exercises"


def packed() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("shares/spec.md", "What to build.")
    return target.getvalue()


PUBLIC = packed()


class Verifier:
    """Says of a repository what a test wants, as a real one does of what it has found."""

    def __init__(self, school: School) -> None:
        self.school, self.recording = school, school.recording()

    def take(self) -> ExercisesRequest:
        self.school.sweeper().sweep()
        with self.school.database.read() as session:
            job = session.scalars(select(Job).where(Job.kind == JobKind.EXERCISES).order_by(Job.id.desc())).first()
            assert job is not None
            assert (job.queue, job.state) == (EXERCISES_QUEUE, JobState.DISPATCHED)
            request = KINDS[job.kind].request(session, job)
        assert isinstance(request, ExercisesRequest)
        self.recording.start(Started(job=request.job, worker="here", at=time.time()))
        return request

    def find(self, request: ExercisesRequest, mark: str = "a", **told: Any) -> None:
        slug = f"{request.namespace}.shares"
        found: dict[str, Any] = {
            "commit": mark * 40,
            "exercises": (ProvenExercise(slug=slug, version=f"v-{mark}", digest=mark * 64),),
            "public": PUBLIC,
        } | told
        found["public"] = b64encode(found["public"])
        self.recording.record(ExercisesFound(job=request.job, **found))


@pytest.fixture
def verifier(school: School) -> Verifier:
    return Verifier(school)


def add(school: School, who: str = "root", **told: Any) -> httpx.Response:
    return school.client(who).post(HERE, json={"url": URL, "namespace": "cs", **told})


def listed(school: School, who: str = "root") -> Any:
    return school.client(who).get(HERE).json()


def live(school: School, namespace: str = "cs") -> str | None:
    found = {view["namespace"]: view for view in listed(school)["items"]}
    commits = found[namespace]["commits"] if namespace in found else []
    return next((commit["commit"][:1] for commit in commits if commit["is_live"]), None)


def is_dropped(school: School, request: ExercisesRequest) -> bool:
    """Whether a verifier that is at it sees that it may stop."""
    with school.redis.client() as client:
        return not Progress(client, "here").is_wanted(request.job)


def test_what_is_added_goes_live_when_a_verifier_has_found_nothing_wrong(school: School, verifier: Verifier) -> None:
    asked = add(school, ref="main")
    assert asked.status_code == 202, asked.text
    assert (asked.json()["state"], asked.json()["namespace"]) == ("waiting", "cs")
    request = verifier.take()
    assert (request.url, request.ref, request.proven) == (URL, "main", frozenset())
    verifier.recording.progress(Progressed(job=request.job, text="Verifying cs.shares (1 of 1)"))
    (shown,) = listed(school)["fetches"]
    assert (shown["state"], shown["progress"], shown["asked_by"]) == ("running", "Verifying cs.shares (1 of 1)", "root")
    assert live(school) is None
    verifier.find(request)
    assert (live(school), listed(school)["fetches"]) == ("a", [])
    with school.database.read() as session:
        assert session.scalars(select(ExerciseCommit.url)).one() == URL


def test_an_update_tells_the_verifier_what_needs_no_other_proof(school: School, verifier: Verifier) -> None:
    add(school)
    verifier.find(verifier.take())
    updated = school.client("root").post(f"{HERE}/cs/update", json={"ref": "v2"})
    assert updated.status_code == 202, updated.text
    request = verifier.take()
    assert (request.ref, request.proven) == ("v2", {"a" * 64})
    again = school.client("root").post(f"{HERE}/cs/update", json={})
    assert (again.status_code, "is being fetched and verified already" in again.json()["detail"]) == (409, True)
    verifier.find(request, "b")
    assert live(school) == "b"
    school.client("root").post(f"{HERE}/cs/update", json={})
    assert verifier.take().ref == "v2"  # from now on


@pytest.mark.parametrize("commit", ["b" * 40, ""])
def test_what_is_refused_leaves_what_is_live(school: School, verifier: Verifier, commit: str) -> None:
    add(school)
    verifier.find(verifier.take())
    school.client("root").post(f"{HERE}/cs/update", json={})
    verifier.recording.record(
        ExercisesFound(job=verifier.take().job, commit=commit, refusal="cs.shares: NameError (shares/cases.py, line 3)")
    )
    assert live(school) == "a"
    (shown,) = listed(school)["fetches"]
    assert (shown["state"], shown["reason"][-25:]) == ("refused", "(shares/cases.py, line 3)")
    repaired = Fetched("cs", URL, "HEAD", URL, "c" * 40)
    service.begin(school.database, console(), repaired)
    service.accept(school.database, console(), repaired, [], PUBLIC)
    service.go_live(school.database, console(), repaired)  # as the command does
    assert (live(school), listed(school)["fetches"]) == ("c", [])
    assert school.client("root").post(f"{HERE}/cs/update", json={}).status_code == 202


NO_ADDRESSES = [
    ({"url": "ext::sh -c touch% /tmp/pwned"}, "url"),
    ({"url": "http://git.example.edu/cs"}, "url"),
    ({"url": "https://me:secret@git.example.edu/cs"}, "url"),
    ({"url": "file:///etc"}, "url"),
    ({"url": "/etc"}, "url"),
    ({"url": "FILE:///etc"}, "url"),
    ({"url": "~/exercises"}, "url"),
    ({"url": "-oProxyCommand=x"}, "url"),
    ({"url": "https://git.example.edu/" + "a" * 600}, "body.url"),
    ({"ref": "--upload-pack=x"}, "ref"),
    ({"namespace": "../cs"}, "namespace"),
    ({"namespace": "", "url": "https://git.example.edu/CS_1"}, "namespace"),
]


def test_what_cannot_be_added_is_told_beside_its_field(school: School) -> None:
    for told, place in NO_ADDRESSES:
        refused = add(school, **told)
        assert refused.status_code == 422, (told, refused.text)
        assert [error["location"] for error in refused.json()["errors"]] == [place], told
        assert listed(school)["fetches"] == [], told


def test_folders_are_for_operators_alone_and_only_where_a_setting_allows_them(school: School) -> None:
    school.client("root").put(f"{HERE}/cs/authors/grace")
    settings = school.api_settings.model_copy(update={"local_exercises": True})
    with school.database.read() as session:
        people = {user.name: user for user in session.scalars(select(User))}
    for typed in ("/srv/exercises", "file:///srv/exercises"):
        wanted = NewRepository(url=typed, namespace="cs")
        with pytest.raises(Unprocessable, match="Give an https or ssh address"):
            fetching.add(school.database, settings, people["grace"], wanted)
        with pytest.raises(Unprocessable, match="Give an https or ssh address"):
            fetching.add(school.database, school.api_settings, people["root"], wanted)
    assert fetching.add(school.database, settings, people["root"], NewRepository(url="/srv/cs")).namespace == "cs"


def test_a_namespace_that_is_taken_is_not_taken_over(school: School, verifier: Verifier) -> None:
    """Also not by what was asked for before another repository went live there."""
    add(school, url="https://git.example.edu/first")
    request = verifier.take()
    fetched = Fetched("cs", "https://git.example.edu/other", "HEAD", "https://git.example.edu/other", "c" * 40)
    service.begin(school.database, console(), fetched)
    found = [ProvenExercise(slug="cs.shares", version="v", digest="c" * 64)]
    service.accept(school.database, console(), fetched, found, PUBLIC)
    service.go_live(school.database, console(), fetched)
    verifier.find(request)
    assert live(school) == "c"
    (shown,) = listed(school)["fetches"]
    assert "is taken by https://git.example.edu/other" in shown["reason"]
    refused = add(school)
    assert (refused.status_code, refused.json()["detail"][:22]) == (409, "The namespace cs is ta")


def torn() -> bytes:
    """Of which a file cannot be read, for its sum is wrong."""
    return PUBLIC.replace(b"What to build.", b"What to bend..")


def in_the_way() -> bytes:
    """A file where a folder must be."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("shares", "")
        archive.writestr("shares/spec.md", "")
    return target.getvalue()


def folders_without_end() -> bytes:
    """A few bytes that make thousands of folders."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("shares/" + "a/" * 1000 + "spec.md", "")
    return target.getvalue()


def torn_otherwise() -> bytes:
    """Compressed in a way that has errors of its own."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("shares/spec.md", "What to build." * 9)
    found = target.getvalue()
    return found[:60] + bytes(20) + found[80:]


def proved(*slugs: str) -> tuple[ProvenExercise, ...]:
    return tuple(ProvenExercise(slug=slug, version="v", digest="a" * 64) for slug in slugs)


def bomb() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in "abcde":
            archive.writestr(name, b"0" * (16 << 20))
    return target.getvalue()


@pytest.mark.parametrize(
    "told",
    [
        {"exercises": proved("other.shares")},
        {"exercises": proved("shares")},
        {"exercises": proved("cs../../etc")},
        {"exercises": proved("cs.shares", "cs.shares")},
        {"exercises": ()},
        {"commit": ""},
        {"public": b"no archive"},
        {"public": bomb()},
        {"public": torn()},
        {"public": torn_otherwise()},
        {"public": in_the_way()},
        {"public": folders_without_end()},
    ],
)
def test_a_verifier_that_was_taken_over_reaches_no_other_namespace(
    school: School, verifier: Verifier, told: dict[str, Any]
) -> None:
    add(school)
    verifier.find(verifier.take(), **told)
    assert live(school) is None
    assert listed(school)["fetches"][0]["state"] == "waiting"  # as a fault of ours: tried again


def test_judges_are_sent_to_the_address_that_was_checked_and_to_no_verifiers(
    school: School, verifier: Verifier
) -> None:
    add(school)
    verifier.find(verifier.take(), source="https://evil.example/x")
    with school.database.read() as session:
        assert session.scalars(select(ExerciseCommit.url)).one() == URL


def test_who_was_given_a_namespace_sees_and_updates_that_one_alone(school: School, verifier: Verifier) -> None:
    add(school, namespace="other")
    verifier.find(verifier.take())
    root, grace = school.client("root"), school.client("grace")
    for refused in (grace.get(HERE), add(school, "grace"), grace.post(f"{HERE}/other/update", json={})):
        assert refused.status_code == 403
    for _ in range(2):
        assert root.put(f"{HERE}/cs/authors/grace").status_code == 204
    assert add(school, "grace").status_code == 202
    verifier.find(verifier.take(), "b")
    assert live(school) == "b"
    seen = listed(school, "grace")
    assert [view["namespace"] for view in seen["items"]] == ["cs"]
    assert (seen["namespaces"], seen["authors"], seen["fetches"]) == (["cs"], [], [])
    for refused in (
        add(school, "grace", namespace="third"),
        grace.post(f"{HERE}/other/update", json={}),
        grace.post(f"{HERE}/other/rollback"),
        grace.put(f"{HERE}/cs/authors/bob"),
        grace.delete(f"{HERE}/cs/authors/grace"),
        grace.get("/operations"),
    ):
        assert refused.status_code == 403, refused.text
    (author,) = listed(school)["authors"]
    assert (author["namespace"], author["name"], author["given_by"]) == ("cs", "grace", "root")
    with school.database.read() as session:
        noted = list(session.scalars(select(AuditEntry).where(AuditEntry.action.startswith("exercises."))))
    assert [(entry.actor, entry.detail) for entry in noted if entry.action == "exercises.give"] == [
        ("root", {"to": "grace"})
    ]
    assert [entry.actor for entry in noted if entry.action == "exercises.switch"] == ["root", "grace"]


def take_over_rest(school: School, folder: Path) -> None:
    del folder
    assert school.client("root").delete(f"{HERE}/cs/authors/grace").status_code == 204


def take_at_the_command_line(school: School, folder: Path) -> None:
    settings = school.api_settings
    words = ("--database-url", settings.database_url, "--redis-url", settings.redis_url)
    assert invoke_assay(folder, "exercises", "take", *words, "cs", "grace").returncode == 0


def test_a_wrong_address_of_redis_is_told_before_anything_is_changed(school: School, tmp_path: Path) -> None:
    school.client("root").put(f"{HERE}/cs/authors/grace")
    words = ("--database-url", school.api_settings.database_url, "--redis-url", "nonsense:word")
    done = invoke_assay(tmp_path, "exercises", "take", *words, "cs", "grace")
    assert (done.returncode, "Traceback" in done.stderr, "nonsense" in done.stderr) == (2, False, False)
    assert "no address of a Redis. Nothing was changed." in done.stderr
    assert school.client("grace").get(HERE).status_code == 200


@pytest.mark.parametrize("take", [take_over_rest, take_at_the_command_line])
def test_what_is_asked_for_by_somebody_who_may_no_longer_does_not_go_live(
    school: School, verifier: Verifier, tmp_path: Path, take: Callable[[School, Path], None]
) -> None:
    school.client("root").put(f"{HERE}/cs/authors/grace")
    add(school, "grace")
    request = verifier.take()
    take(school, tmp_path)
    verifier.find(request)
    assert live(school) is None
    (shown,) = listed(school)["fetches"]
    assert (shown["state"], shown["reason"]) == ("refused", "An operator has taken this namespace back from grace.")
    assert school.client("grace").get(HERE).status_code == 403
    assert is_dropped(school, request)


def test_a_request_can_be_cancelled_before_and_while_it_is_verified(school: School, verifier: Verifier) -> None:
    root = school.client("root")
    root.put(f"{HERE}/other/authors/grace")
    add(school)
    assert school.client("grace").post(f"{HERE}/cs/cancel").status_code == 403
    assert root.post(f"{HERE}/cs/cancel").json()["state"] == "cancelled"  # before
    again = root.post(f"{HERE}/cs/cancel")
    assert (again.status_code, "Nothing is being fetched" in again.json()["detail"]) == (404, True)
    add(school)
    request = verifier.take()
    with browser(school, "root") as pages:
        text = pages.get(HERE).text
        assert "Cancel<" in text
        assert pages.post(f"{HERE}/cs/cancel", data={"csrf": field(text, "csrf")}).status_code == 303  # while
        text = pages.get(HERE).text
        assert ("root cancelled this request." in text, "Cancel<" in text) == (True, False)
    assert is_dropped(school, request)
    verifier.find(request)
    assert live(school) is None
    add(school)
    verifier.find(verifier.take(), "b")
    assert live(school) == "b"
    with school.database.read() as session:
        query = select(AuditEntry.actor).where(AuditEntry.action == "exercises.cancel")
        assert list(session.scalars(query)) == ["root", "root"]


def test_an_author_asks_so_many_times_an_hour(school: School, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "ASKED_PER_HOUR", 2)
    root, grace = school.client("root"), school.client("grace")
    root.put(f"{HERE}/cs/authors/grace")
    for _ in range(2):
        assert add(school, "grace").status_code == 202
        grace.post(f"{HERE}/cs/cancel").raise_for_status()
    refused = add(school, "grace")
    assert (refused.status_code, 3000 < int(refused.headers["Retry-After"]) <= 3601) == (429, True)
    assert add(school).status_code == 202  # an operator
    root.post(f"{HERE}/cs/cancel").raise_for_status()
    with school.database.write() as session:
        session.execute(update(ExerciseFetch).values(created_at=now() - fetching.HOUR))
    assert add(school, "grace").status_code == 202


def test_the_page_adds_tells_how_far_it_is_and_gives_namespaces(school: School, verifier: Verifier) -> None:
    with browser(school, "root") as pages:
        text = pages.get(HERE).text
        assert "No verifier is running" in text
        sent = {"csrf": field(text, "csrf")}
        with school.redis.client() as client:
            client.zadd(VERIFIERS, {"here:1": time.time()})
        assert "No verifier is running" not in pages.get(HERE).text
        wrong = pages.post(HERE, data=sent | {"url": "ext::sh", "namespace": "cs"})
        assert (wrong.status_code, "is not one of a repository" in wrong.text) == (422, True)
        assert 'value="ext::sh"' in wrong.text
        assert pages.post(HERE, data=sent | {"url": URL, "namespace": "cs"}).status_code == 303
        request = verifier.take()
        verifier.recording.progress(Progressed(job=request.job, text="Verifying <cs.shares>"))
        text = pages.get(HERE).text
        assert ("Verifying &lt;cs.shares&gt;" in text, "data-again" in text) == (True, True)
        verifier.recording.record(ExercisesFound(job=request.job, refusal="cs.shares/cases.py: <b>line 3</b>"))
        text = pages.get(HERE).text
        assert ("&lt;b&gt;line 3&lt;/b&gt;" in text, "data-again" in text) == (True, False)
        given = sent | {"author_namespace": "cs", "person": "grace", "do": "give"}
        assert pages.post(f"{HERE}/authors", data=given).status_code == 303
        nobody = pages.post(f"{HERE}/authors", data=given | {"person": "nobody"})
        assert (nobody.status_code, "There is no user" in nobody.text) == (404, True)
    with browser(school, "grace") as pages:
        assert f'href="{HERE}"' in pages.get("/").text
        assert "Yours: cs." in pages.get(HERE).text
    with browser(school, "ada") as pages:
        assert f'href="{HERE}"' not in pages.get("/").text
