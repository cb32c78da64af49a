"""Wrong sign-ins: slowed by address and by account, logged with both; right ones always pass."""

from collections.abc import Iterator

import httpx
import pytest
import structlog
from structlog.testing import capture_logs

from app.accounts import service as accounts
from app.accounts.attempts import WRONG_PER_MINUTE
from app.settings import ApiSettings
from tests.app.conftest import open_school
from tests.app.redis_process import RedisProcess
from tests.app.school import NO_CERTIFICATES, School, serve

MANY = WRONG_PER_MINUTE + 3


@pytest.fixture
def proxied_school(settings: ApiSettings, redis: RedisProcess) -> Iterator[School]:
    yield from open_school(settings.model_copy(update={"trusted_proxies": "127.0.0.0/8"}), redis)


def ask(school: School, token: str, address: str = "10.0.0.1") -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": address}
    return httpx.get(f"{school.url}/api/v1/me", headers=headers, trust_env=False, verify=NO_CERTIFICATES)


def wrong(number: int) -> str:
    return f"assay_{number:043d}"


def test_wrong_tokens_from_one_address_are_slowed_and_right_ones_pass(school: School):
    answers = [ask(school, wrong(number)) for number in range(MANY)]
    assert [each.status_code for each in answers] == [401] * WRONG_PER_MINUTE + [429] * 3
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
    assert "a correct one works right away" in answers[-1].json()["detail"]
    assert ask(school, school.tokens["ada"]).status_code == 200, "nobody behind that address is locked out"


def test_a_token_that_was_somebodys_is_slowed_wherever_it_comes_from(proxied_school: School):
    """By account: from as many addresses as you like. Its owner is not locked out by it."""
    school = proxied_school
    accounts.revoke_tokens(school.database, "ada")
    answers = [ask(school, school.tokens["ada"], f"10.0.{number}.1") for number in range(MANY)]
    assert [each.status_code for each in answers][-3:] == [429] * 3
    assert ask(school, wrong(1), "10.9.9.9").status_code == 401, "others are not slowed"
    new = accounts.issue_token(school.database, "ada")
    assert ask(school, new, "10.0.1.1").status_code == 200


def test_a_proxy_that_is_not_trusted_gives_nobody_another_address(school: School):
    assert [ask(school, wrong(number), f"10.1.{number}.1").status_code for number in range(MANY)][-1] == 429


def test_behind_a_trusted_proxy_each_client_is_counted_alone(proxied_school: School):
    statuses = [ask(proxied_school, wrong(number), f"10.1.{number}.1").status_code for number in range(MANY)]
    assert statuses == [401] * MANY


def test_the_form_of_the_web_counts_too(school: School):
    with httpx.Client(base_url=school.url, headers={"Accept": "text/html"}, trust_env=False) as browser:
        csrf = browser.get("/sign-in").text.partition('name="csrf" value="')[2].partition('"')[0]
        statuses = [
            browser.post("/sign-in", data={"csrf": csrf, "token": wrong(number)}).status_code for number in range(MANY)
        ]
        assert statuses[-1] == 429
        assert browser.post("/sign-in", data={"csrf": csrf, "token": school.tokens["ada"]}).status_code == 303


def test_several_front_ends_count_together(school: School, settings: ApiSettings, redis: RedisProcess):
    with serve(settings) as other:
        for number in range(WRONG_PER_MINUTE):
            ask(school, wrong(number))
        headers = {"Authorization": f"Bearer {wrong(MANY)}"}
        assert httpx.get(f"{other}/api/v1/me", headers=headers, trust_env=False).status_code == 429


def test_wrong_sign_ins_are_logged_with_address_and_account_and_are_not_a_way_to_fill_the_log(school: School):
    accounts.revoke_tokens(school.database, "bob")
    configuration = structlog.get_config()
    structlog.reset_defaults()
    with capture_logs() as logged:
        ask(school, school.tokens["bob"])
        for number in range(3 * MANY):
            ask(school, wrong(number))
    structlog.configure(**configuration)  # logs go to stderr again: what the next test's commands print is looked at
    told = [entry for entry in logged if entry["event"] == "sign_in_refused"]
    assert (told[0]["address"], told[0]["account"], told[0]["slowed"]) == ("127.0.0.1", "bob", False)
    assert told[-1]["slowed"]
    assert len(told) <= WRONG_PER_MINUTE + 1
    assert school.tokens["bob"] not in str(logged)
    metrics = httpx.get(f"{school.url}/metrics", trust_env=False).text
    assert 'assay_wrong_sign_ins_total{slowed="true"}' in metrics


def test_memory_for_it_is_bounded_however_many_addresses_attack(proxied_school: School, redis: RedisProcess):
    for number in range(50):
        ask(proxied_school, wrong(number), f"2001:db8:{number:x}::1")
    with redis.client() as client:
        keys = [str(key) for key in client.keys("assay:rate:wrong:*")]
        assert all(len(key) == len("assay:rate:wrong:") + 4 for key in keys)
        assert all(0 < client.ttl(key) <= 60 for key in keys)


def test_without_redis_wrong_tokens_are_still_refused(fragile_school: School, own_redis: RedisProcess):
    own_redis.kill()
    assert ask(fragile_school, wrong(1)).status_code == 401
    assert ask(fragile_school, fragile_school.tokens["ada"]).status_code == 200
