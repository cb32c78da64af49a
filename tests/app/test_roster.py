"""Rosters from CSV: what is understood, what a preview says, and that exactly that is done."""

from typing import Any

import pytest
from sqlalchemy import select

from app.accounts import service as accounts
from app.courses import roster as roster_service
from app.courses.roster_file import student_row
from app.models import Enrollment, Role, User
from app.problems import Conflict, Unprocessable
from tests.app.school import School

PATH = "/courses/demo/roster"
KEPT = (
    "This course will use these details. The account keeps its own full name and e-mail address: it is in use, or this "
    "course did not make it."
)


def preview(school: School, text: str | bytes, name: str = "grace", **fields: str) -> dict[str, Any]:
    content = text if isinstance(text, bytes) else text.encode()
    response = school.client(name).post(f"{PATH}/preview", files={"file": ("roster.csv", content)}, data=fields)
    assert response.status_code == 200, response.text
    return response.json()  # type: ignore[no-any-return]


def bring_in(school: School, text: str, name: str = "grace", **fields: str) -> dict[str, Any]:
    said = preview(school, text, name, **fields)
    response = school.client(name).post(
        PATH, files={"file": ("roster.csv", text.encode())}, data={**fields, "digest": said["digest"]}
    )
    assert response.status_code == 200, response.text
    assert response.json() == said
    return said


def roster(school: School) -> dict[str, tuple[str | None, str | None, str]]:
    items = school.client("grace").get(PATH).json()["items"]
    return {item["name"]: (item["full_name"], item["email"], item["role"]) for item in items}


def test_a_preview_says_what_will_change_and_changes_nothing(school: School):
    before = roster(school)
    said = preview(
        school,
        "name,full_name,email,role\n"
        "carol,Carol Shaw,Carol@X.org,\n"
        "tara,,,assistant\n"
        "ada,Ada Lovelace,ada@x.org,assistant\n"
        "bob,,,student\n"
        "dora,,dora,student\n"
        "emil,,,operator\n"
        "carol,,,\n",
    )
    assert said.pop("digest")
    assert said == {
        "course": "demo",
        "added": [
            {
                "line": 2, "name": "carol", "role": "student",
                "full_name": "Carol Shaw", "email": "carol@x.org", "section": None, "is_new_account": True,
            },
            {
                "line": 3, "name": "tara", "role": "assistant",
                "full_name": None, "email": None, "section": None, "is_new_account": True,
            },
        ],
        "changed": [
            {
                "line": 4,
                "name": "ada",
                "changes": {
                    "role": ["student", "assistant"],
                    "full_name": [None, "Ada Lovelace"],
                    "email": [None, "ada@x.org"],
                },
            }
        ],
        "removed": [],
        "kept": [{"line": 4, "name": "ada", "reason": KEPT}],
        "refused": [
            {"line": 6, "reason": "'dora' is not an e-mail address."},
            {"line": 7, "reason": "'operator' is not a role in a course. Use student, assistant or instructor."},
            {"line": 8, "reason": "This is a duplicate of line 2."},
        ],
        "unchanged": 1,
    }  # fmt: skip
    assert roster(school) == before


@pytest.mark.on_both_databases
def test_exactly_the_preview_is_done_and_an_import_twice_changes_nothing(school: School):
    text = "name,full_name,email,role\ncarol,Carol Shaw,carol@x.org,\nada,Ada Lovelace,,assistant\n"
    bring_in(school, text)
    assert roster(school) == {
        "ada": ("Ada Lovelace", None, "assistant"),
        "bob": (None, None, "student"),
        "carol": ("Carol Shaw", "carol@x.org", "student"),
        "grace": (None, None, "instructor"),
    }
    again = preview(school, text)
    assert (again["added"], again["changed"], again["unchanged"]) == ([], [], 2)
    (entry,) = school.client("grace").get("/courses/demo/audit").json()["items"]
    assert (entry["actor"], entry["action"]) == ("grace", "roster.import")
    changes = {"role": ["student", "assistant"], "full_name": [None, "Ada Lovelace"]}
    assert entry["detail"]["changed"] == {"ada": changes}


def test_another_file_or_another_course_than_previewed_is_a_conflict(school: School):
    text = "name\ncarol\n"
    digest = preview(school, text)["digest"]
    client = school.client("grace")

    def apply(content: str, **fields: str) -> int:
        files = {"file": ("roster.csv", content.encode())}
        return client.post(PATH, files=files, data={"digest": digest, **fields}).status_code

    assert apply("name\ncarol\ndora\n") == 409
    assert apply(text, remove_missing="true") == 409
    assert apply(text, digest="0" * 64) == 409
    accounts.create_user(school.database, "carol")
    assert apply(text) == 409
    assert client.post(PATH, files={"file": ("roster.csv", text.encode())}).status_code == 422
    assert school.client("grace").get("/courses/demo/audit").json()["items"] == []


@pytest.mark.on_both_databases
def test_only_students_are_removed_and_only_when_asked(school: School):
    school.add("tara", Role.ASSISTANT)
    sent = school.submit("bob")
    assert preview(school, "name\nada\n")["removed"] == []
    assert bring_in(school, "name\nada\n", remove_missing="true")["removed"] == ["bob"]
    assert sorted(roster(school)) == ["ada", "grace", "tara"]
    assert school.client("bob").get(f"/submissions/{sent['id']}").status_code == 200


def test_whom_a_refused_line_names_is_not_removed(school: School):
    said = preview(school, "name,email,role\nada,nonsense,\nbob,,king\n", remove_missing="true")
    assert (said["removed"], len(said["refused"])) == ([], 2)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffName;Full_Name;E-Mail;Role\ncarol;Shaw, Carol;carol@x.org;Teaching Assistant\n",
        '"Full name","Username","Email address","Roles"\r\n'
        '"Shaw, Carol","carol","carol@x.org","Non-editing teacher"\r\n',
        "Student\tID\tSIS Login ID\tEmail\tRole\nShaw, Carol\t17\tcarol\tcarol@x.org\tTA\n",
        '\n\nusername,"full\nname",email,role\ncarol,"Shaw, Carol",carol@x.org,assistant\n\n,,,\n',
    ],
)
def test_the_tables_of_other_programs_are_understood(school: School, text: str):
    (person,) = preview(school, text)["added"]
    assert (person["name"], person["full_name"], person["email"], person["role"]) == (
        "carol",
        "Shaw, Carol",
        "carol@x.org",
        "assistant",
    )


def test_first_and_last_names_are_joined_and_the_address_stands_for_a_missing_name(school: School):
    text = "First name,Surname,Email address\nCarol,Shaw,carol@x.org\n"
    (person,) = preview(school, text.encode("utf-16").decode("utf-16"))["added"]
    assert (person["name"], person["full_name"]) == ("carol@x.org", "Carol Shaw")
    assert preview(school, text.encode("utf-16"))["added"] == [person]
    bring_in(school, "name,email\ndora,carol@x.org\n")
    assert preview(school, text)["changed"][0]["name"] == "dora"


def test_an_account_that_is_called_by_its_address_is_found_by_it(school: School):
    accounts.create_user(school.database, "carol@x.org", course=None)
    (person,) = bring_in(school, "email\nCarol@x.org\n")["added"]
    assert (person["name"], person["is_new_account"]) == ("carol@x.org", None)  # of an address alone it is not told
    assert preview(school, "email\ncarol@x.org\n", remove_missing="true")["removed"] == ["ada", "bob"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\xff\x00\x00", "UTF-8"),
        (b"colour,size\nred,3\n", "No column says who is meant"),
        (b'name\n"' + b"x" * 200_000 + b'"\n', "cannot be read as CSV"),
        (b"name\n" + b"".join(b"p%d\n" % number for number in range(10_001)), "in parts"),
    ],
)
def test_what_is_no_roster_is_refused_with_a_sentence(school: School, content: bytes, words: str):
    response = school.client("grace").post(f"{PATH}/preview", files={"file": ("roster.csv", content)})
    assert response.status_code == 422
    assert words in response.json()["detail"]


def test_a_quotation_mark_left_open_is_told_where_it_opens(school: School):
    content = b'name,full_name\ncyd,Cyd\n"dan,Dan Wu\neve,Eve Stone\n'
    found = school.client("grace").post(f"{PATH}/preview", files={"file": ("roster.csv", content)}).json()
    (refused,) = found["refused"]
    assert (refused["line"], [each["name"] for each in found["added"]]) == (3, ["cyd"])
    assert "quotation mark" in refused["reason"]


NOT_USED = [
    ("x\x00y,,", "cannot be a name"),
    (",Nobody,", "Nothing says who this is"),
    ("carol,,ada@x.org", "belongs to another account"),
    ("carol,a\tb,", "one line"),
    ("n" * 101 + ",,", "cannot be a name"),
    (".,,", "cannot be a name"),
    ("..,,", "cannot be a name"),
    ("../grace,,", "cannot be a name"),
    ("a\\b,,", "cannot be a name"),
    (".carol,,", "cannot be a name"),
    ("carol.,,", "cannot be a name"),
    ("carol\u202egnp,,", "cannot be a name"),
    ("car\u200bol,,", "cannot be a name"),
    ("car\u3164ol,,", "cannot be a name"),
    ("\uff43arol,,", "cannot be a name"),
    ("Dora,,", "but for its capitals"),
    ("carol,Carol\u202e,", "one line"),
    ("carol,,zoe@x.org", "belongs to another account"),
    ("ada@x.org,,carol@x.org", "another account's address"),
    ("someone@x.org,,carol@x.org", "not this person's"),
    ("carol,,car\u200bol@x.org", "not an e-mail address"),
]


def test_a_line_that_cannot_be_used_is_named_with_its_reason(school: School):
    bring_in(school, "name,email\ndora,ada@x.org\nzoe@x.org,\n")
    for line, reason in NOT_USED:
        said = preview(school, f"name,full_name,email\n{line}\n")
        assert (said["added"], said["changed"]) == ([], []), line
        (refused,) = said["refused"]
        assert (refused["line"], reason in refused["reason"]) == (2, True), (line, refused)


def test_nobody_changes_their_own_role(school: School):
    said = preview(school, "name,role\ngrace,student\n")
    assert said["refused"] == [{"line": 2, "reason": "You cannot change your own role."}]


@pytest.mark.on_both_databases
def test_a_course_changes_no_details_of_accounts_that_it_did_not_make(school: School):
    """Else an instructor could put an address of their own into somebody's account, and sign in with it."""
    accounts.create_user(school.database, "eve", course="elsewhere")
    accounts.enroll(school.database, "ada", "elsewhere")
    text = "name,email\nada,a@x.org\neve,e@x.org\nroot,r@x.org\nbob,b@x.org\n"
    said = bring_in(school, text)
    assert [person["name"] for person in said["added"]] == ["eve", "root"]
    assert [person["name"] for person in said["kept"]] == ["ada", "eve", "root", "bob"]
    assert [person["name"] for person in said["changed"]] == ["ada", "bob"]
    assert set(addresses(school).values()) == {None}
    assert roster(school)["ada"] == (None, "a@x.org", "student")
    said = bring_in(school, text, "root")
    assert [person["name"] for person in said["changed"]] == ["ada", "eve", "root", "bob"]


@pytest.mark.on_both_databases
def test_a_course_corrects_an_account_that_it_made_until_somebody_uses_it(school: School):
    bring_in(school, "name,email\ncarol,carol@x.org\n")
    bring_in(school, "name,full_name,email\ncarol,Carol Shaw,shaw@x.org\n")
    assert addresses(school)["carol"] == "shaw@x.org"
    school.tokens["carol"] = accounts.issue_token(school.database, "carol")
    assert school.client("carol").get("/me").status_code == 200
    said = bring_in(school, "name,full_name,email\ncarol,Mallory,mallory@x.org\n")
    assert said["kept"] == [{"line": 2, "name": "carol", "reason": KEPT}]
    assert addresses(school)["carol"] == "shaw@x.org"


@pytest.mark.on_both_databases
def test_an_unused_account_that_two_courses_have_is_neither_ones_to_change(school: School):
    bring_in(school, "name,email\ncarol,carol@x.org\n")
    accounts.create_user(school.database, "mallory", Role.INSTRUCTOR, "elsewhere")
    accounts.enroll(school.database, "carol", "elsewhere")
    assert [kept["name"] for kept in bring_in(school, "name,email\ncarol,mallory@x.org\n")["kept"]] == ["carol"]
    assert addresses(school)["carol"] == "carol@x.org"


def test_an_account_that_another_course_made_under_a_students_name_is_not_brought_in_by_mistake(school: School):
    """Else who makes `carol` with an address of their own first would be carol in every course that follows."""
    accounts.create_user(school.database, "mallory", Role.INSTRUCTOR, "elsewhere")
    school.tokens["mallory"] = accounts.issue_token(school.database, "mallory")
    mallory, files = school.client("mallory"), {"file": ("roster.csv", b"name,email\ncarol,mallory@x.org\n")}
    digest = mallory.post("/courses/elsewhere/roster/preview", files=files).json()["digest"]
    mallory.post("/courses/elsewhere/roster", files=files, data={"digest": digest}).raise_for_status()
    said = preview(school, "name,email\ncarol,carol@x.org\n")
    assert (said["added"], len(said["refused"])) == ([], 1)
    assert "has another address" in said["refused"][0]["reason"]
    assert preview(school, "email\ncarol@x.org\n")["added"][0]["name"] == "carol@x.org"


def test_addresses_beyond_ascii_are_only_their_own(school: School):
    """The Kelvin sign in small letters is a k: a mailbox with it must not open an account with the other."""
    bring_in(school, "name,email\nkate,kate@x.org\n")
    said = preview(school, "name,email\nkim,\u212aate@x.org\nkaren,KATE@x.org\n")
    assert [person["name"] for person in said["added"]] == ["kim"]
    assert "belongs to another account" in said["refused"][0]["reason"]


@pytest.mark.parametrize(
    "name", [".", "..", "a/b", "a\\b", "a\u202eb", "a\u200bb", " a", "a ", ".a", "a.", "ADA", "\uff41da"]
)
def test_the_operator_cannot_add_such_names_either(school: School, name: str):
    with pytest.raises((Unprocessable, Conflict)):
        accounts.create_user(school.database, name)


def addresses(school: School) -> dict[str, str | None]:
    with school.database.read() as session:
        return dict(session.execute(select(User.name, User.email)).all())


def test_students_and_assistants_do_not_change_the_roster(school: School):
    school.add("tara", Role.ASSISTANT)
    for name in ("ada", "tara"):
        for path in (f"{PATH}/preview", PATH):
            files = {"file": ("roster.csv", b"name\ncarol\n")}
            response = school.client(name).post(path, files=files, data={"digest": "0" * 64})
            assert response.status_code == 403
    with school.database.read() as session:
        assert session.scalar(select(User).where(User.name == "carol")) is None


def test_an_operator_who_learns_somewhere_still_is_one(school: School):
    bring_in(school, "name,role\nroot,student\n", "grace")
    assert school.client("root").get("/courses/demo/audit").status_code == 200
    with school.database.read() as session:
        assert session.scalars(select(Enrollment.role).join(User).where(User.name == "root")).one() is Role.STUDENT


def test_the_log_tells_a_file_from_a_platform_that_was_followed(school: School):
    with school.database.write() as session:
        grace = session.scalars(select(User).where(User.name == "grace")).one()
        rows = [student_row(1, "Carol Shaw", "carol@x.org")]
        roster_service.follow(session, grace, "demo", rows, remove_missing=False)
    (entry,) = school.client("grace").get("/courses/demo/audit").json()["items"]
    assert (entry["action"], entry["detail"]["added"]) == ("roster.follow", ["carol@x.org"])
