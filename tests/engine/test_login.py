"""Signing in: the token is checked, kept privately, and sent only where it belongs."""

import json
import stat
from pathlib import Path

from tests.engine.conftest import Student
from tests.engine.school import TOKEN, School


def credentials(student: Student) -> Path:
    return Path(student.environment["XDG_CONFIG_HOME"]) / "assay" / "credentials.json"


def test_a_token_from_a_pipe_is_checked_and_kept_where_only_the_owner_reads_it(stranger: Student):
    result = stranger.program("login", "--server", stranger.environment["ASSAY_SERVER"], stdin=TOKEN + "\n")
    assert result.returncode == 0
    assert "as Ada (student)" in result.stdout
    assert stat.S_IMODE(credentials(stranger).stat().st_mode) == 0o600
    assert stat.S_IMODE(credentials(stranger).parent.stat().st_mode) == 0o700
    assert stranger.program("challenges").returncode == 0


def test_in_a_terminal_the_token_is_asked_for_and_never_shown(stranger: Student):
    conversation = stranger.converse("login", typed=(TOKEN + "\n",), prompt="hidden): ")
    assert conversation.exit_code == 0
    assert TOKEN not in conversation.text


def test_a_token_that_the_server_does_not_know_is_not_kept(stranger: Student):
    result = stranger.run("login", "--token-stdin", stdin="assay_wrong\n")
    assert result.returncode == 3
    assert "does not accept this token" in result.stderr
    assert not credentials(stranger).exists()


def test_something_that_is_no_token_is_refused_before_it_is_sent(stranger: Student):
    for text in ("", "two words", "smörgås", "new\x07line"):
        result = stranger.program("login", stdin=text + "\n")
        assert result.returncode == 2
        assert "not a token" in result.stderr


def test_a_token_is_not_sent_to_another_server_than_its_own(stranger: Student):
    credentials(stranger).parent.mkdir(parents=True)
    credentials(stranger).write_text(
        json.dumps({"server": "https://a.example", "tokens": {"https://a.example": TOKEN}})
    )
    result = stranger.run("history")
    assert result.returncode == 3
    assert "not signed in" in result.stderr
    assert "engine login" in result.stderr


def test_a_damaged_file_is_a_sentence(stranger: Student):
    credentials(stranger).parent.mkdir(parents=True)
    credentials(stranger).write_text("{")
    result = stranger.run("history")
    assert result.returncode == 2
    assert "is damaged" in result.stderr


def test_a_misspelt_variable_is_pointed_out(stranger: Student):
    result = stranger.run("history", ASSAY_TOKN="x")
    assert result.returncode == 2
    assert "did you mean ASSAY_TOKEN?" in result.stderr


def test_a_revoked_token_says_to_sign_in_again(student: Student):
    result = student.run("history", ASSAY_TOKEN="assay_old")
    assert result.returncode == 3
    assert "does not accept your token: it may have expired" in result.stderr
    assert "engine login" in result.stderr


def test_an_address_that_is_none_is_refused(stranger: Student):
    for address in (
        "ftp://x",
        "http://",
        "http://a b",
        "http://x:99999999",
        "http://[::1",
        "http://me:pw@x",
        "http://a..b",
    ):
        result = stranger.run("login", "--server", address, stdin=TOKEN)
        assert result.returncode == 2
        assert "not a server's address" in result.stderr


def test_a_server_that_does_not_answer_is_named(student: Student, school: School):
    result = student.run("history", ASSAY_SERVER="http://127.0.0.1:9")
    assert result.returncode == 3
    assert "No server is answering at http://127.0.0.1:9 (connection refused)" in result.stderr
