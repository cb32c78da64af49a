"""Receipts from the recorder's key to the student's terminal: genuine ones hold, changed ones do not."""

import base64
import json
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click.testing
import pytest
from joserfc.jwk import OKPKey

from app.environment import SettingsError
from app.models import StoredReport
from app.receipts.service import register
from app.receipts.signing import Signer
from app.recording import Recording
from engine.cli import cli
from grader.messages import Graded
from grader.report import Verdict
from tests.app.school import School, make_report

Engine = Callable[..., click.testing.Result]


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer.at(tmp_path / "receipt-key.pem")


@pytest.fixture
def graded(school: School, signer: Signer) -> str:
    """A submission with a receipt."""
    return grade(school, signer)


def grade(school: School, signer: Signer) -> str:
    register(school.database, signer)
    sent = str(school.submit()["id"])
    recording = Recording(school.database, replace(school.office(), signer=signer))
    report = make_report(Verdict.PASSED, 100.0)
    recording.record(Graded(job=sent, report=report, packages={"torch": "2.13.0 sha256:00"}))
    return sent


@pytest.fixture
def engine(school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    monkeypatch.chdir(tmp_path)
    environment = {
        "ASSAY_SERVER": school.url,
        "ASSAY_TOKEN": school.tokens["ada"],
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    return lambda *words, **more: click.testing.CliRunner().invoke(cli, words, env=environment | more)


def receipt_of(school: School, submission_id: str) -> str:
    return str(school.client("ada").get(f"/submissions/{submission_id}").json()["receipt"])


def claims_of(receipt: str) -> dict[str, object]:
    body = receipt.split(".")[1]
    found: dict[str, object] = json.loads(base64.urlsafe_b64decode(body + "=="))
    return found


def test_a_receipt_says_what_was_graded_with_what(school: School, graded: str):
    claims = claims_of(receipt_of(school, graded))
    shown = school.client("grace").get(f"/submissions/{graded}").json()
    assert (claims["submission"], claims["student"], claims["sha256"]) == (graded, "ada", shown["sha256"])
    assert (claims["verdict"], claims["score"], claims["packages"]) == ("passed", 100.0, {"torch": "2.13.0 sha256:00"})
    assert (claims["challenge"], claims["environment"]) == (
        shown["report"]["challenge"],
        shown["report"]["environment"],
    )
    assert claims["graded_at"] == shown["graded_at"].replace("Z", "+00:00")


def test_the_seed_is_sealed_and_not_told(school: School, graded: str):
    claims = claims_of(receipt_of(school, graded))
    with school.database.read() as session:
        seed = session.get_one(StoredReport, graded).submission.seed
    assert str(seed) not in json.dumps(claims)
    assert len(str(claims["seed_seal"])) == 64


def test_a_genuine_receipt_is_told_and_kept_for_later(school: School, graded: str, engine: Engine):
    first = engine("verify-receipt", graded, "--save", "receipt.txt")
    assert first.exit_code == 0, first.output
    assert "Genuine: passed, 100 of 100 points." in first.stdout
    assert "From now on" in first.stderr
    kept = engine("verify-receipt", "receipt.txt", ASSAY_SERVER=school.url)
    assert (kept.exit_code, kept.stderr) == (0, "")  # the key is pinned: nobody was asked


def test_a_changed_receipt_is_refused(school: School, graded: str, engine: Engine, tmp_path: Path):
    head, body, signature = receipt_of(school, graded).split(".")
    better = claims_of(f".{body}.") | {"score": 1000.0}
    forged = base64.urlsafe_b64encode(json.dumps(better).encode()).decode().rstrip("=")
    for text in (f"{head}.{forged}.{signature}", f"{head}.{body}.{signature[:-4]}AAAA"):
        (tmp_path / "forged.txt").write_text(text)
        result = engine("verify-receipt", "forged.txt")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "not genuine" in result.stderr


@pytest.mark.parametrize("nonsense", ["", "hello", "a.b.c", "e30.e30.e30", "{}"])
def test_what_is_no_receipt_is_told_so(graded: str, engine: Engine, tmp_path: Path, nonsense: str):
    (tmp_path / "file.txt").write_text(nonsense)
    result = engine("verify-receipt", "file.txt")
    assert (result.exit_code, "not a receipt" in result.stderr) == (1, True)


def test_a_key_that_changed_is_refused_until_somebody_says_so(
    school: School, graded: str, engine: Engine, tmp_path: Path
):
    assert engine("verify-receipt", graded).exit_code == 0
    newer = grade(school, Signer.at(tmp_path / "another.pem"))
    assert engine("verify-receipt", newer).exit_code == 1
    assert engine("verify-receipt", newer, "--accept-new-key").exit_code == 0
    assert engine("verify-receipt", graded).exit_code == 0  # the old key is still trusted


def test_a_key_given_by_hand_needs_no_server(school: School, graded: str, engine: Engine, tmp_path: Path):
    (tmp_path / "receipt.txt").write_text(receipt_of(school, graded))
    (tmp_path / "keys.json").write_text(school.client().get("/receipts/key").text)
    elsewhere = {"ASSAY_SERVER": "http://127.0.0.1:9", "ASSAY_TOKEN": ""}
    assert engine("verify-receipt", "receipt.txt", "--key", "keys.json", **elsewhere).exit_code == 0
    public = OKPKey.import_key((tmp_path / "receipt-key.pem").read_bytes()).as_pem(private=False)
    (tmp_path / "public.pem").write_bytes(public)
    assert engine("verify-receipt", "receipt.txt", "--key", "public.pem", **elsewhere).exit_code == 0
    stranger = OKPKey.generate_key("Ed25519").as_pem(private=False)
    (tmp_path / "public.pem").write_bytes(stranger)
    assert engine("verify-receipt", "receipt.txt", "--key", "public.pem", **elsewhere).exit_code == 1
    (tmp_path / "public.pem").write_text("nonsense")
    assert engine("verify-receipt", "receipt.txt", "--key", "public.pem", **elsewhere).exit_code == 2


def test_a_verdict_that_no_longer_is_what_was_signed_is_noticed(school: School, graded: str, engine: Engine):
    with school.database.write() as session:
        session.get_one(StoredReport, graded).submission.score = 12.0
    result = engine("verify-receipt", graded)
    assert result.exit_code == 1
    assert "The receipt says passed, 100 points" in result.stderr


def test_without_a_receipt_it_is_told_why(school: School, engine: Engine):
    sent = school.submit()
    result = engine("verify-receipt", sent["id"])
    assert (result.exit_code, "not graded yet" in result.stderr) == (2, True)


def test_the_key_is_made_once_for_its_owner_alone(tmp_path: Path):
    path = tmp_path / "key.pem"
    assert Signer.at(path).id == Signer.at(path).id
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["key.pem"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        OKPKey.generate_key("X25519").as_pem(private=True),
        OKPKey.generate_key("Ed25519").as_pem(private=False),
    ],
)
def test_a_file_that_is_no_signing_key_stops_the_recorder_with_a_sentence(tmp_path: Path, content: bytes):
    path = tmp_path / "key.pem"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match="ASSAY_RECEIPT_KEY_FILE"):
        Signer.at(path)
