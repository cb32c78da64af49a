"""Sessions on the web: each sign-in is a row of its own, and what has ended has ended, in a copied cookie too."""

import re
from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, update

from app.accounts import service as accounts
from app.accounts import sessions
from app.accounts.sessions import SESSIONS_MAX
from app.models import AuditEntry, Base, Proof, Token, User, WebSession, now
from app.settings import ApiSettings
from tests.app.conftest import open_school
from tests.app.redis_process import RedisProcess
from tests.app.school import School
from tests.web.conftest import Visit, visitor


def copied(visit: Visit) -> str:
    return visit.client.cookies["assay_session"]


def opens(school: School, cookie: str) -> bool:
    """Whether this cookie, in whoever's browser, is somebody."""
    answer = httpx.get(
        f"{school.url}/tokens", cookies={"assay_session": cookie}, headers={"Accept": "text/html"}, trust_env=False
    )
    return answer.status_code == 200


def age(school: School, **columns: timedelta) -> None:
    """Make what the columns say longer ago, in every session."""
    with school.database.write() as session:
        values: dict[str, Any] = {name: now() - span for name, span in columns.items()}
        session.execute(update(WebSession).values(values))


def test_a_copied_cookie_is_worth_nothing_after_signing_out(school: School, ada: Visit) -> None:
    cookie = copied(ada)
    assert opens(school, cookie)
    ada.post("/sign-out", {"csrf": ada.csrf("/")})
    assert not opens(school, cookie)
    with httpx.Client(base_url=school.url, cookies={"assay_session": cookie}, trust_env=False) as thief:
        assert thief.post("/tokens", data={"csrf": "x", "days": "365"}).headers["location"] == "/sign-in"
        assert thief.get("/api/v1/me").status_code == 401
    assert school.client("ada").get("/me").status_code == 200  # the token stays


def test_the_oldest_session_ends_when_there_are_too_many(school: School, ada: Visit) -> None:
    cookie = copied(ada)
    with school.database.read() as session:
        user = session.scalars(select(User).where(User.name == "ada")).one()
    secrets = [sessions.begin(school.database, user, Proof.PROVIDER, "Firefox/140") for _ in range(SESSIONS_MAX)]
    assert not opens(school, cookie)
    assert all(sessions.find(school.database, secret) for secret in secrets)


def test_signing_in_again_ends_the_session_before(school: School, ada: Visit) -> None:
    cookie = copied(ada)
    ada.client.post("/sign-in", data={"csrf": ada.csrf("/"), "token": school.tokens["ada"]})
    assert opens(school, copied(ada))
    assert not opens(school, cookie)


@pytest.mark.parametrize(
    "columns",
    [{"used_at": timedelta(hours=13)}, {"expires_at": timedelta(0)}],
    ids=["not used for half a day", "older than a week"],
)
def test_a_session_ends_by_itself(school: School, ada: Visit, columns: dict[str, timedelta]) -> None:
    cookie = copied(ada)
    age(school, **columns)
    assert not opens(school, cookie)
    assert school.client("ada").get("/me/sessions").json()["items"] == []
    ada.sign_in(school.tokens["ada"])
    with school.database.read() as session:
        assert session.scalar(select(func.count()).select_from(WebSession)) == 1  # what is over is not kept


def test_with_its_token_a_session_ends(school: School, ada: Visit) -> None:
    cookie = copied(ada)
    (token,) = school.client("ada").get("/me/tokens").json()["items"]
    (session,) = school.client("ada").get("/me/sessions").json()["items"]
    assert (session["token_id"], session["proof"]) == (token["id"], "token")
    school.client("ada").delete(f"/me/tokens/{token['id']}")
    assert not opens(school, cookie)


def test_people_see_where_they_are_signed_in_and_end_it(school: School, ada: Visit) -> None:
    cookie = copied(ada)
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    with visitor(school, **{"User-Agent": firefox}) as other:
        other.sign_in(school.tokens["ada"])
    page = ada.page("/tokens")
    assert "Firefox on Linux" in page
    assert "(this one)" in page
    mine, others = school.client("ada").get("/me/sessions").json()["items"]
    assert (mine["browser"], others["browser"]) == ("A browser", "Firefox on Linux")
    assert ada.post(f"/sessions/{others['id']}/end", {"csrf": ada.csrf("/tokens")}).url.path == "/tokens"
    for name in ("bob", "grace", "root"):
        assert school.client(name).delete(f"/me/sessions/{mine['id']}").status_code == 404
    assert opens(school, cookie)
    assert school.client("ada").delete(f"/me/sessions/{mine['id']}").status_code == 204
    assert not opens(school, cookie)


@pytest.mark.parametrize("by", ["page", "api"])
def test_signing_out_everywhere_ends_tokens_too_that_a_copied_cookie_made(school: School, ada: Visit, by: str) -> None:
    cookie = copied(ada)
    page = ada.post("/tokens", {"csrf": ada.csrf("/tokens"), "label": "thief", "days": "365"}).text
    (school.tokens["thief"],) = re.findall(r"<code>(assay_[^<]+)</code>", page)
    with school.database.read() as session:
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "token.create"))
    assert entry.actor == "ada"
    assert entry.detail["made_with"].startswith("session ")
    if by == "page":
        ada.post("/sessions/end", {"csrf": ada.csrf("/tokens")})
    else:
        school.client("ada").delete("/me/sessions")
    assert not opens(school, cookie)
    assert school.client("thief").get("/me").status_code == 401
    assert school.client("ada").get("/me").status_code == (401 if by == "page" else 200)  # what asked for it stays


def test_an_old_session_makes_no_token(school: School, ada: Visit) -> None:
    """A cookie that was copied from a machine left alone is not turned into a token for a year."""
    csrf = ada.csrf("/tokens")
    age(school, created_at=timedelta(hours=2))
    refused = ada.post("/tokens", {"csrf": csrf, "label": "x", "days": "30"})
    assert refused.status_code == 403
    assert "sign in again" in refused.text
    assert len(school.client("ada").get("/me/tokens").json()["items"]) == 1


def test_the_operator_ends_sessions_with_the_tokens(school: School, ada: Visit) -> None:
    cookie = copied(ada)
    accounts.revoke_tokens(school.database, "ada")
    assert not opens(school, cookie)


def test_the_secret_of_a_session_is_kept_only_as_a_digest(school: School, ada: Visit) -> None:
    ada.page("/")
    with school.database.read() as session:
        rows = [row for table in Base.metadata.sorted_tables for row in session.execute(select(table))]
    assert ada.client.cookies["assay_session"][:40] not in str(rows)
    (stored,) = (row for row in rows if "token" in row and hasattr(row, "proof"))
    assert re.fullmatch(r"[0-9a-f]{64}", stored.sha256)


def test_a_token_has_a_longest_life(settings: ApiSettings, redis: RedisProcess) -> None:
    for school in open_school(settings.model_copy(update={"token_days_max": 30}), redis):
        ada = school.client("ada")
        too_long = (now() + timedelta(days=31)).isoformat()
        refused = ada.post("/me/tokens", json={"label": "x", "expires_at": too_long})
        assert refused.status_code == 422
        assert "30 days" in refused.json()["detail"]
        made = ada.post("/me/tokens", json={"label": "x"}).json()
        with school.database.read() as session:
            token = session.get_one(Token, made["id"])
        assert timedelta(days=29) < token.expires_at - now() <= timedelta(days=30)


def test_tokens_of_the_command_line_end_after_a_year_too(school: School) -> None:
    with school.database.read() as session:
        lives = [token.expires_at - now() for token in session.scalars(select(Token))]
    assert lives
    assert all(life <= timedelta(days=365) for life in lives)


def test_an_account_knows_that_it_was_used(school: School, ada: Visit) -> None:
    school.client("bob").get("/me")
    with school.database.read() as session:
        used = dict(session.execute(select(User.name, User.first_used_at.is_not(None))).all())
    assert used == {"ada": True, "bob": True, "grace": False, "root": False}
