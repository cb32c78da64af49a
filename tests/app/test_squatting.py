"""Two courses and one name: what the one makes opens nothing in the other, and tells it nothing.

eve manages the course elsewhere, which makes accounts that grace, of demo, then names in a roster of hers.
"""

from typing import Any, Final

import httpx
import pytest
from sqlalchemy import select

from app.accounts import service as accounts
from app.models import Enrollment, Role, User
from app.rate import ROSTERS_PER_HOUR
from tests.app.school import School

OURS: Final = "/courses/demo/roster"
THEIRS: Final = "/courses/elsewhere/roster"


@pytest.fixture
def two(school: School) -> School:
    school.add("eve", Role.INSTRUCTOR, "elsewhere")
    return school


def sent(school: School, who: str, path: str, text: str, **fields: str) -> httpx.Response:
    return school.client(who).post(path, files={"file": ("roster.csv", text.encode())}, data=fields)


def preview(school: School, text: str, who: str = "grace", path: str = OURS) -> dict[str, Any]:
    response = sent(school, who, f"{path}/preview", text)
    assert response.status_code == 200, response.text
    return response.json()  # type: ignore[no-any-return]


def bring_in(school: School, text: str, who: str = "grace", path: str = OURS) -> dict[str, Any]:
    said = preview(school, text, who, path)
    response = sent(school, who, path, text, digest=said["digest"])
    assert response.json() == said, response.text
    return said


def use(school: School, name: str) -> None:
    school.tokens[name] = accounts.issue_token(school.database, name)
    assert school.client(name).get("/me").status_code == 200


def roles(school: School, name: str) -> list[Role]:
    """In demo."""
    query = select(Enrollment.role).join(User).where(User.name == name, Enrollment.course.has(slug="demo"))
    with school.database.read() as session:
        return list(session.scalars(query))


@pytest.mark.parametrize("is_used", [False, True])
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("prof-new,evil@x.org", "prof-new,prof@real.org"),
        ("prof-new,evil@x.org", "prof-new,"),
        ("prof-new,", "prof-new,prof@real.org"),
        ("prof-new,", "prof-new,"),
        ("Prof-New,evil@x.org", "prof-new,prof@real.org"),
        ("prof@real.org,", "prof@real.org,other@real.org"),
        ("prof@real.org,", "prof@real.org,"),
        ("prof-new,prof@real.org", "prof-new,"),
        ("prof-new,prof@real.org", "other,prof@real.org"),
    ],
)
def test_a_name_that_another_course_took_first_gets_no_role_of_the_staff(
    two: School, theirs: str, ours: str, is_used: bool
):
    bring_in(two, f"name,email\n{theirs}\n", "eve", THEIRS)
    if is_used:
        use(two, theirs.partition(",")[0])
    for role in ("assistant", "instructor"):
        said = bring_in(two, f"name,email,role\n{ours},{role}\n")
        assert (said["added"], len(said["refused"])) == ([], 1)
    assert roles(two, theirs.partition(",")[0]) == []


def test_nor_does_it_in_two_steps(two: School):
    bring_in(two, "name,email\nprof-new,evil@x.org\n", "eve", THEIRS)
    (added,) = bring_in(two, "name\nprof-new\n")["added"]
    assert added["is_new_account"] is False
    refused = preview(two, "name,role\nprof-new,instructor\n")["refused"]
    assert "may be somebody else's" in refused[0]["reason"]
    assert "ask an operator" in refused[0]["reason"]
    bring_in(two, "name,role\nprof-new,instructor\n", "root")
    assert roles(two, "prof-new") == [Role.INSTRUCTOR]


@pytest.mark.parametrize("line", ["tara,tara@x.org,assistant", ",tara@x.org,assistant"])
def test_whoever_owns_the_address_of_the_line_may_have_the_role(two: School, line: str):
    bring_in(two, "name,email\ntara,tara@x.org\n", "eve", THEIRS)
    assert bring_in(two, f"name,email,role\n{line}\n")["refused"] == []
    assert roles(two, "tara") == [Role.ASSISTANT]


def test_an_account_called_by_an_address_gets_no_other_one(two: School):
    """Else eve would make prof@real.org, and put an address of her own into it."""
    bring_in(two, "name\nprof@real.org\n", "eve", THEIRS)
    bring_in(two, "name,email\nprof@real.org,evil@x.org\n", "eve", THEIRS)
    with two.database.read() as session:
        assert session.scalars(select(User.email).where(User.name == "prof@real.org")).one() is None


@pytest.mark.on_both_databases
def test_a_course_sees_of_an_account_only_what_its_own_roster_said(two: School):
    bring_in(two, "name,full_name,email\nsa1,Secret Agent,sa1@secret.org\n", "eve", THEIRS)
    use(two, "sa1")
    assert "Secret" not in str(preview(two, "name\nsa1\n"))
    bring_in(two, "name,full_name\nsa1,Sam\n")
    grace = two.client("grace")
    seen = [grace.get(path) for path in (OURS, "/courses/demo/analytics/students/sa1", "/courses/demo/export.csv")]
    seen.append(grace.get("/courses/demo/submissions", params={"search": "Secret Agent"}))
    for response in seen:
        assert response.status_code == 200
        assert "Secret" not in response.text
        assert "secret" not in response.text
    assert "Sam" in seen[0].text
    assert "Secret Agent" in two.client("eve").get(THEIRS).text
    assert "Sam" not in two.client("eve").get(THEIRS).text


def test_an_address_alone_does_not_tell_whose_it_is(two: School):
    bring_in(two, "name,full_name,email\nsa1,Secret Agent,sa1@secret.org\n", "eve", THEIRS)
    there, none = (preview(two, f"email,full_name\n{address},S\n") for address in ("sa1@secret.org", "sa2@secret.org"))
    assert there.pop("digest") != none.pop("digest")
    assert str(there).replace("sa1@", "sa2@") == str(none)


def test_previews_and_imports_are_limited_and_an_operators_are_not(two: School):
    statuses = [sent(two, "grace", f"{OURS}/preview", "name\n").status_code for _ in range(ROSTERS_PER_HOUR + 1)]
    assert statuses == [200] * ROSTERS_PER_HOUR + [429]
    refused = sent(two, "grace", OURS, "name\n", digest="x")
    assert (refused.status_code, int(refused.headers["retry-after"]) > 0) == (429, True)
    assert sent(two, "eve", f"{THEIRS}/preview", "name\n").status_code == 200
    assert sent(two, "root", f"{OURS}/preview", "name\n").status_code == 200


@pytest.mark.parametrize("name", ["console", "Console", "erased", "erased-0011", "ERASED-x"])
def test_names_that_the_service_uses_itself_are_nobodys(two: School, name: str):
    (refused,) = preview(two, f"name\n{name}\n")["refused"]
    assert "cannot be a name" in refused["reason"]


@pytest.mark.parametrize(
    ("name", "is_taken"),
    [
        ("s\u04301", False),  # a Cyrillic a
        ("\u03bfmar", False),  # a Greek o
        ("ada.l\u03bfvelace", False),
        ("x\u04301@x.org", False),
        ("\u0438\u0432\u0430\u043d", True),
        ("\u0438\u0432\u0430\u043d@example.org", True),
        ("jos\u00e9 \u03bd\u03af\u03ba\u03b7", True),
    ],
    ids=ascii,
)
def test_a_word_of_two_alphabets_is_no_name(two: School, name: str, is_taken: bool):
    said = preview(two, f"name\n{name}\n")
    assert (len(said["added"]), len(said["refused"])) == ((1, 0) if is_taken else (0, 1))


def test_the_audit_log_says_what_was_done_at_the_command_line(two: School):
    accounts.enroll(two.database, "eve", "demo", by=accounts.console())
    bring_in(two, "name\ncarol\n")
    items = two.client("grace").get("/courses/demo/audit").json()["items"]
    assert [(item["actor"], item["actor_kind"]) for item in items] == [
        ("grace", "account"),
        ("console", "command line"),
    ]


def test_a_roster_is_read_in_pages_and_searched_beyond_ascii(two: School):
    lines = "".join(f"p{number:02d},\u00c5sa {number}\n" for number in range(10))
    bring_in(two, f"name,full_name\n{lines}")
    grace, names = two.client("grace"), []
    page = grace.get(OURS, params={"search": "\u00e5sa", "limit": 4}).json()
    while True:
        names += [item["name"] for item in page["items"]]
        assert page["total"] == 10
        if page["next_cursor"] is None:
            break
        params = {"search": "\u00e5sa", "limit": 4, "cursor": page["next_cursor"]}
        page = grace.get(OURS, params=params).json()
    assert names == [f"p{number:02d}" for number in range(10)]
    assert len(grace.get(OURS).json()["items"]) == 13
