"""Exercise repositories in the front end: switched at once, rolled back, and nothing secret ever there."""

import io
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from app.accounts.service import console
from app.exercises import service
from app.exercises.commits import Fetched
from app.exercises.public_archive import READ_BYTES, pack
from app.exercises.shelf import Shelf
from app.models import AuditEntry, ExerciseCommit
from app.problems import Conflict, NotFound
from assay.new_challenge import Names, write_challenge
from grader.challenge import load_challenge
from grader.messages import Fault, GradeRequest, JobKind, ProvenExercise
from grader.report import ChallengeRef
from grader.repository_addresses import RepositoryError
from tests.app.school import School, make_report
from tests.app.scoped import browser
from tests.web.conftest import field

pytestmark = pytest.mark.on_both_databases
SOURCE = "file:///srv/exercises.git"
SECRET = "marked_secret"
SECRET_PARTS = ("reference.py", "cases.py", "accepted/plain.py", "equivalents.toml", "misconceptions/softmax-dim.py")


class Author:
    """Whoever writes exercises; `commit` says how a real one is fetched and verified."""

    def __init__(self, school: School, folder: Path) -> None:
        self.school, self.root = school, folder
        write_challenge(Names.of("shares", None), folder)
        for part in SECRET_PARTS:
            path = folder / "shares" / part
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"{path.read_text() if path.is_file() else ''}\n# {SECRET}\n")

    def write(self, spec: str) -> None:
        (self.root / "shares" / "spec.md").write_text(spec)

    @property
    def version(self) -> str:
        return load_challenge(self.root / "shares").version

    def bring_live(self, commit: str, namespace: str = "cs") -> Fetched:
        fetched = Fetched(namespace, "https://git.example.edu/exercises", "main", SOURCE, commit * 40)
        if service.begin(self.school.database, console(), fetched):
            slugs = {f"{namespace}.{path.parent.name}": path.parent for path in self.root.glob("*/challenge.toml")}
            found = [
                ProvenExercise(slug=slug, version=load_challenge(folder).version, digest=commit * 64)
                for slug, folder in slugs.items()
            ]
            service.accept(self.school.database, console(), fetched, found, pack(self.root))
        service.go_live(self.school.database, console(), fetched)
        return fetched

    def spec(self, who: str = "ada") -> str:
        """What a student reads, once the front end has looked."""
        assert isinstance(self.school.client("root").get("/operations/exercises").json()["items"], list)
        found: httpx.Response = self.school.client(who).get("/challenges/cs.shares")
        assert found.status_code == 200, found.text
        return str(found.json()["spec"])

    def submit(self) -> str:
        sent = self.school.client("ada").post(
            "/submissions", files={"file": ("shares.py", b"x = 1\n")}, data={"challenge": "cs.shares"}
        )
        assert sent.status_code == 202, sent.text
        return str(sent.json()["id"])


@pytest.fixture
def author(school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Author:
    monkeypatch.setattr("app.exercises.shelf.LOOK_EVERY_S", 0.0)
    return Author(school, tmp_path)


def test_a_commit_is_there_beside_the_installed_exercises_and_gone_when_it_is_removed(author: Author) -> None:
    author.write("first")
    author.bring_live("a")
    listed = author.school.client("ada").get("/challenges").json()["items"]
    assert [item["slug"] for item in listed] == ["mha-rope", "cs.shares"]
    assert listed[1]["version"] == author.version  # though the front end has not the files that it comes from
    assert author.spec() == "first"
    assert author.school.client("ada").get("/challenges/cs.shares/starter").text.startswith('"""')
    service.remove(author.school.database, console(), "cs")
    assert author.school.client("ada").get("/challenges/cs.shares").status_code == 404
    author.bring_live("a")
    assert author.spec() == "first"


def test_two_courses_with_exercises_of_one_name_do_not_collide(author: Author) -> None:
    author.write("of one")
    author.bring_live("a", "one")
    author.write("of the other")
    author.bring_live("b", "other")
    specs = {
        slug: author.school.client("ada").get(f"/challenges/{slug}").json()["spec"]
        for slug in ("one.shares", "other.shares")
    }
    assert specs == {"one.shares": "of one", "other.shares": "of the other"}


def test_a_rollback_is_one_click_and_an_update_can_follow(author: Author) -> None:
    for commit in "abc":
        author.write(commit)
        author.bring_live(commit)
    root = author.school.client("root")
    for before in ("b", "a"):
        rolled = root.post("/operations/exercises/cs/rollback")
        assert rolled.status_code == 200, rolled.text
        assert author.spec() == before
    refused = root.post("/operations/exercises/cs/rollback")
    assert refused.status_code == 409
    assert refused.json()["detail"].startswith("No other commit of cs was live before")
    author.bring_live("c")  # it was verified: it needs no other proof
    assert author.spec() == "c"
    with author.school.database.read() as session:
        actions = list(
            session.scalars(select(AuditEntry.action).where(AuditEntry.subject == "cs").order_by(AuditEntry.id))
        )
    assert actions.count("exercises.switch") == 4
    assert actions.count("exercises.roll_back") == 2


def test_what_is_refused_leaves_what_is_live_and_says_why(author: Author) -> None:
    author.write("first")
    author.bring_live("a")
    broken = Fetched("cs", "https://git.example.edu/exercises", "experiment", SOURCE, "b" * 40)
    assert service.begin(author.school.database, console(), broken)
    service.refuse(author.school.database, console(), broken, "cs.shares: NameError (shares/cases.py, line 3)")
    assert author.spec() == "first"
    (found,) = author.school.client("root").get("/operations/exercises").json()["items"]
    assert [(commit["state"], commit["is_live"]) for commit in found["commits"]] == [
        ("refused", False),
        ("verified", True),
    ]
    assert found["commits"][0]["reason"].endswith("(shares/cases.py, line 3)")
    with pytest.raises(Conflict, match="has not been verified"):
        service.go_live(author.school.database, console(), broken)


def test_a_submission_is_graded_by_the_version_that_it_was_made_for(author: Author) -> None:
    author.write("first")
    first, version = author.bring_live("a"), author.version
    sent = author.submit()
    author.write("second")
    author.bring_live("b")
    request = author.school.judge.take()
    assert request.job == sent
    assert request.source is not None
    assert (request.source.url, request.source.commit, request.source.version) == (SOURCE, first.commit, version)
    service.roll_back(author.school.database, console(), "cs")
    service.remove(author.school.database, console(), "cs")
    author.school.recording().fault(Fault(job=sent, reason="git.example.edu does not answer"))
    author.school.change_job(sent, not_before=None)
    author.school.sweeper().sweep()
    again = author.school.judge.take()
    assert (again.job, again.source) == (sent, request.source)  # it has waited, and nothing is lost


def test_installed_exercises_need_no_source(school: School) -> None:
    school.submit()
    assert school.judge.take().source is None


@pytest.fixture
def assigned(author: Author) -> Author:
    author.write("first")
    author.bring_live("a")
    terms = {"slug": "shares", "title": "Shares", "challenge": "cs.shares"}
    created = author.school.client("grace").post("/courses/demo/assignments", json=terms)
    assert created.status_code == 201, created.text
    return author


def test_a_regrade_is_offered_and_is_by_the_live_version(assigned: Author) -> None:
    school, old = assigned.school, assigned.version
    sent = school.client("ada").post(
        "/submissions", files={"file": ("shares.py", b"x = 1\n")}, data={"assignment": "demo/shares"}
    )
    school.judge.take()
    report = make_report().model_copy(update={"challenge": ChallengeRef(slug="cs.shares", version=old)})
    school.grade(sent.json()["id"], report)
    assert service.read(school.database, console(), "cs").regrades == []
    assigned.write("second")
    second = assigned.bring_live("b")
    (offer,) = service.read(school.database, console(), "cs").regrades
    assert (offer.course, offer.assignment, offer.challenge) == ("demo", "shares", "cs.shares")
    assert [len(offers_to(assigned, who)) for who in ("grace", "ada")] == [1, 0]
    asked = school.client("grace").post("/courses/demo/assignments/shares/regrades", json={})
    assert asked.status_code == 202, asked.text
    assert asked.json()["challenge_version"] == assigned.version != old
    school.sweeper().sweep()
    request = behind(school)
    assert request.kind is JobKind.REGRADE
    assert request.source is not None
    assert (request.source.commit, request.source.version) == (second.commit, assigned.version)


def offers_to(assigned: Author, who: str) -> Any:
    """What somebody to whom the namespace was given is offered."""
    assigned.school.client("root").put(f"/operations/exercises/cs/authors/{who}").raise_for_status()
    (repository,) = assigned.school.client(who).get("/operations/exercises").json()["items"]
    return repository["regrades"]


def behind(school: School) -> GradeRequest:
    from tests.app.test_regrades import Staff  # noqa: PLC0415 - its queue is read there

    staff = Staff.__new__(Staff)
    staff.school = school
    return staff.take()


def test_an_assignment_does_not_lose_its_exercise(assigned: Author) -> None:
    with pytest.raises(Conflict, match=r"The assignment shares of demo uses cs\.shares"):
        service.remove(assigned.school.database, console(), "cs")
    (assigned.root / "shares").rename(assigned.root / "others")
    with pytest.raises(Conflict, match=r"uses cs\.shares, which would be gone"):
        assigned.bring_live("b")
    assert assigned.spec() == "first"


@pytest.mark.parametrize(("who", "is_named"), [("grace", True), ("ada", False)])
def test_which_assignment_needs_an_exercise_is_told_to_its_staff(author: Author, who: str, is_named: bool) -> None:
    shares, others = author.root / "shares", author.root / "others"
    shares.rename(others)
    author.bring_live("a")
    others.rename(shares)
    author.bring_live("b")
    author.school.client("root").put(f"/operations/exercises/cs/authors/{who}").raise_for_status()
    terms = {"slug": "secret-plan", "title": "Shares", "challenge": "cs.shares"}
    author.school.client("grace").post("/courses/demo/assignments", json=terms).raise_for_status()
    refused = author.school.client(who).post("/operations/exercises/cs/rollback")
    assert (refused.status_code, "cs.shares, which would be gone" in refused.json()["detail"]) == (409, True)
    assert ("assignment secret-plan of demo" in refused.json()["detail"]) is is_named


def test_a_namespace_that_is_taken_is_not_taken_over(author: Author) -> None:
    author.bring_live("a")
    with pytest.raises(Conflict, match=r"is taken by https://git\.example\.edu/exercises"):
        service.refuse_taken(author.school.database, "cs")
    service.refuse_taken(author.school.database, "other")
    with pytest.raises(NotFound):
        service.roll_back(author.school.database, console(), "other")


@pytest.mark.parametrize(("name", "content"), [("a.py", b"\xff"), ("a.py/b", b""), ("bugs.toml/b", b"")])
def test_an_exercise_that_cannot_be_read_takes_no_other_away(author: Author, name: str, content: bytes) -> None:
    author.bring_live("a", namespace="good")
    path = author.root / "shares" / "hunt" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    author.bring_live("b", namespace="bad")
    found = author.school.client("ada").get("/challenges")
    assert found.status_code == 200
    slugs = [item["slug"] for item in found.json()["items"]]
    assert ("good.shares" in slugs, "bad.shares" in slugs, "mha-rope" in slugs) == (True, False, True)


@pytest.mark.parametrize("name", ["spec.md", "questions.toml", "hunt/plain.py"])
def test_no_text_that_the_front_end_reads_is_long(author: Author, name: str) -> None:
    path = author.root / "shares" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"#" * (READ_BYTES + 1))
    with pytest.raises(RepositoryError, match=f"^shares/{name} has {READ_BYTES + 1} bytes"):
        pack(author.root)


def test_nobody_who_asks_the_front_end_is_shown_a_secret_nor_does_it_have_one(author: Author) -> None:
    """Each role by every call and page about an exercise; then the database and the files of the front end."""
    author.bring_live("a")
    school = author.school
    author.spec()
    paths = ("/challenges", "/challenges/cs.shares", "/challenges/cs.shares/starter", "/challenges/cs.shares/hunt")
    for who in ("ada", "grace", "root"):
        answers = [school.client(who).get(path) for path in (*paths, "/operations/exercises")]
        with browser(school, who) as pages:
            answers += [pages.get(path) for path in ("/challenges/cs.shares", "/operations/exercises")]
        assert {answer.status_code for answer in answers} == ({200, 404} if who == "root" else {200, 403, 404})
        assert not [answer for answer in answers if SECRET in answer.text]
    with school.database.read() as session:
        packed: Any = session.scalars(select(ExerciseCommit.public)).one()
    names = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert sorted(names) == [
        "shares/challenge.toml",
        "shares/questions.toml",
        "shares/spec.md",
        "shares/starter/shares.py",
    ]
    shelf = Shelf(school.database)
    folder = shelf.current()["cs.shares"].challenge.folder
    kept = [path for path in folder.parents[1].rglob("*") if path.is_file()]
    assert len(kept) == len(names)
    assert not [path for path in kept if SECRET in path.read_text()]
    assert [path for path in author.root.rglob("*.py") if SECRET in path.read_text()]  # the author has them


def test_the_page_tells_what_is_live_and_why_a_commit_was_refused(author: Author) -> None:
    for commit in "ab":
        author.write(commit)
        author.bring_live(commit)
    broken = Fetched("cs", "https://git.example.edu/exercises", "main", SOURCE, "c" * 40)
    service.begin(author.school.database, console(), broken)
    service.refuse(author.school.database, console(), broken, "cs.shares/cases.py: <b>line 3</b>")
    with browser(author.school, "root") as pages:
        text = pages.get("/operations/exercises").text
        assert "Live" in text
        assert "cs.shares/cases.py: &lt;b&gt;line 3&lt;/b&gt;" in text
        assert "Roll back to aaaaaaaaaaaa" in text
        sent = {"csrf": field(text, "csrf")}
        assert pages.post("/operations/exercises/cs/rollback", data=sent).status_code == 303
        assert author.spec() == "a"
        refused = pages.post("/operations/exercises/cs/rollback", data=sent)
        assert (refused.status_code, "nothing to roll back to" in refused.text) == (409, True)
