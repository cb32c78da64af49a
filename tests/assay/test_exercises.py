"""`assay exercises` as an operator lives it: from a repository of an author's to a verdict, and back."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.exercises.schemas import CommitView, RegradeOffer, RepositoryView
from app.models import CommitState, Role, now
from assay.exercises.proofs import Progress, prove
from assay.exercises.snapshots import snapshot
from assay.exercises.verifier import found_in
from assay.exercises.verifying import problems_of
from assay.new_challenge import Names, write_challenge
from grader.challenge import load_challenge
from grader.messages import ExercisesRequest
from grader.repository_addresses import RepositoryError
from tests.assay.conftest import invoke_assay, run_assay
from tests.assay.test_up import Up, in_state, start
from tests.patience import PATIENCE_S, wait_until
from tests.worker.test_repositories import commit, run_git
from worker.repositories.store import fetch_into

# What an author's module must not be able to do before anybody has said that it may.
TRIES = """
def _tries():
    import os, socket, subprocess
    done = []
    tries = {
        "read": lambda: open(PRIVATE).read(),
        "read the environment": lambda: open(f"/proc/{os.getppid()}/environ").read(),
        "write": lambda: open(PRIVATE + "-too", "w"),
        "start": lambda: subprocess.run(["/bin/true"]),
        "connect": lambda: socket.create_connection(("127.0.0.1", PORT), 5),
        "send": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53)),
        "signal": lambda: os.kill(os.getppid(), 0),
    }
    for name, act in tries.items():
        try:
            act()
        except OSError:
            continue
        done.append(name)
    told = sorted(name for name in os.environ if name.startswith("ASSAY_"))
    raise RuntimeError(f"done: {done}, told: {told}")
_tries()
"""

MARK = b"marked_secret"
SECRET_PARTS = ("reference.py", "cases.py", "misconceptions/softmax-dim.py")  # the accepted answer is what is submitted


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("author") / "course.git"
    write_challenge(Names.of("shares", None), folder)
    for part in SECRET_PARTS:
        path = folder / "shares" / part
        path.write_bytes(path.read_bytes() + b"\n# " + MARK + b"\n")
    run_git(folder.parent, "init", "--quiet", "--initial-branch", "main", "course.git")
    commit(folder)
    return folder


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """It serves one installed exercise, so that its judge is soon warm."""
    folder = tmp_path_factory.mktemp("up")
    write_challenge(Names.of("installed", None), folder / "installed")
    running = start(folder / "data", "--root", str(folder / "installed"))
    yield running
    running.process.terminate()
    told, _ = running.process.communicate(timeout=PATIENCE_S)
    assert MARK.decode() not in told


def exercises(up: Up, *words: str) -> "subprocess.CompletedProcess[str]":
    return invoke_assay(up.data.parent, "exercises", "--data-dir", up.data, *words, ASSAY_MARK="secret")


def grade(up: Up, author: Path, name: str, version: str) -> dict[str, Any]:
    """What becomes of a right answer once that version is live; its last line keeps it apart from any other."""
    report: dict[str, Any] = graded(up, author, name, version)["report"]
    return report


def graded(up: Up, author: Path, name: str, version: str) -> dict[str, Any]:
    """The submission, with its report."""
    source = (author / "shares" / "accepted" / "plain.py").read_bytes() + f"\n# {name}\n".encode()
    with up.newcomer(name) as client:
        wait_until(lambda: client.get("/challenges/course.shares").json().get("version") == version)  # within a second
        sent = client.post("/submissions", files={"file": ("shares.py", source)}, data={"challenge": "course.shares"})
        assert sent.status_code == 202, sent.text
        return in_state(client, sent.json(), "graded")


def test_from_a_repository_to_a_verdict_and_back(up: Up, author: Path) -> None:
    """One service for all of it: adding, a commit that fails, an update, a rollback."""
    first, url = load_challenge(author / "shares").version, f"file://{author}"
    added = exercises(up, "add", url)
    assert added.returncode == 0, added.stderr
    assert added.stdout.startswith("Live: course.shares at commit ")
    assert "Verifying course.shares (1 of 1)" in added.stderr
    assert (
        f"`assay course --data-dir {up.data} assignment add COURSE ASSIGNMENT --challenge course.shares`"
        in added.stderr
    )
    assert "Students begin with `engine init course.shares`." in added.stderr
    report = grade(up, author, "first", first)
    assert (report["verdict"], report["challenge"]) == ("passed", {"slug": "course.shares", "version": first})

    cases = (author / "shares" / "cases.py").read_text()
    private = up.data / "secrets.json"
    port = int(up.address.rpartition(":")[2])
    hostile = TRIES.replace("PRIVATE", repr(str(private))).replace("PORT", str(port))
    (author / "shares" / "cases.py").write_text(cases + hostile)
    commit(author)
    refused = exercises(up, "update", "course")
    assert refused.returncode == 1
    assert "course.shares: RuntimeError: done: [], told: []" in refused.stderr
    assert "shares/cases.py, line " in refused.stderr
    assert refused.stderr.endswith("What was live before stays live.\n")
    assert grade(up, author, "second", first)["challenge"] == {"slug": "course.shares", "version": first}

    (author / "shares" / "cases.py").write_text(cases)
    spec = author / "shares" / "spec.md"
    spec.write_text(spec.read_text() + "\nOne sentence more.\n")
    commit(author)
    second = load_challenge(author / "shares").version
    updated = exercises(up, "update", "course")
    assert updated.returncode == 0, updated.stderr
    third = graded(up, author, "third", second)
    assert third["report"]["challenge"] == {"slug": "course.shares", "version": second}

    again = exercises(up, "update", "course")
    assert "Nothing is new: that commit was live before." in again.stderr

    rolled = exercises(up, "rollback", "course")
    assert rolled.returncode == 0, rolled.stderr
    assert grade(up, author, "fourth", first)["challenge"] == {"slug": "course.shares", "version": first}
    replayed = run_assay(up.data.parent, "replay", third["id"], "--data-dir", up.data)
    assert (replayed.returncode, replayed.stderr) == (0, ""), "by the commit that it was graded by"
    assert replayed.stdout.startswith("The same: passed, ")
    listed = exercises(up, "list").stdout
    assert [line.split()[2] for line in listed.splitlines()[1:4]] == ["verified", "refused", "live"]
    assert "was refused: course.shares: RuntimeError" in listed
    taken = exercises(up, "add", url)
    assert taken.stderr.startswith("Error: The namespace course is taken by")
    assert [path for path in kept_files(up.data / "exercises") if MARK in path.read_bytes()]
    backup = up.data.parent / "backup"
    assert invoke_assay(up.data.parent, "backup", "--data-dir", up.data, backup).returncode == 0
    elsewhere = {backup, *kept_files(up.data)} - set(kept_files(up.data / "exercises"))
    assert {"backup", "assay.db"} < {path.name for path in elsewhere}
    assert up.data / "logs" in {path.parent for path in elsewhere}
    assert [path for path in elsewhere if MARK in path.read_bytes()] == [], "what is secret is with judges alone"


def kept_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.fixture
def operator(up: Up) -> Iterator[httpx.Client]:
    with up.newcomer("root", Role.OPERATOR) as client:
        yield client


def test_the_dashboard_does_what_the_command_does_in_a_process_of_its_own(
    up: Up, operator: httpx.Client, author: Path
) -> None:
    """Adding, an update of which nothing needs another proof, and one that fails, with file and line."""
    here, told = "/operations/exercises", set[str]()

    def fetch() -> dict[str, Any]:
        found = [each for each in operator.get(here).json()["fetches"] if each["namespace"] == "board"]
        told.update(each["progress"] or "" for each in found)
        return found[0] if found else {"state": "live"}

    def bring(path: str, **sent: str) -> dict[str, Any]:
        asked = operator.post(path, json=sent)
        assert asked.status_code == 202, asked.text
        wait_until(lambda: fetch()["state"] not in ("waiting", "running"))
        return fetch()

    assert bring(here, url=f"file://{author}", namespace="board") == {"state": "live"}
    assert "Verifying board.shares (1 of 1); this takes minutes …" in told
    first = load_challenge(author / "shares").version
    assert operator.get("/challenges/board.shares").json()["version"] == first
    (author / "README.md").write_text("More about it.")
    commit(author)
    told.clear()
    assert bring(f"{here}/board/update") == {"state": "live"}
    assert not [line for line in told if line.startswith("Verifying")]
    spec, cases = author / "shares" / "spec.md", (author / "shares" / "cases.py").read_text()
    (author / "shares" / "cases.py").write_text(f"{cases}\nraise ValueError('of mine')\n")
    spec.write_text(f"{spec.read_text()}\nAnother sentence.\n")
    commit(author)
    refused = bring(f"{here}/board/update")
    assert refused["state"] == "refused"
    assert "board.shares: ValueError: of mine (shares/cases.py, line " in refused["reason"]
    assert operator.get("/challenges/board.shares").json()["version"] == first
    (author / "shares" / "cases.py").write_text(cases)
    commit(author)
    environment = Path(f"/proc/{up.pid_of('verifier')}/environ").read_bytes()
    assert (b"DATABASE" in environment, b"SECRET" in environment) == (False, False)
    assert os.getpriority(os.PRIO_PROCESS, up.pid_of("verifier")) > os.getpriority(os.PRIO_PROCESS, up.pid_of("worker"))


def test_what_was_verified_as_it_is_needs_no_other_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three exercises one extends another, and one has nothing to do with them."""
    for name in ("base", "other"):
        write_challenge(Names.of(name, None), tmp_path)
    extending = tmp_path / "extending"
    shutil.copytree(tmp_path / "base", extending)
    manifest = extending / "challenge.toml"
    manifest.write_text(f'extends = "base"\n{manifest.read_text()}')
    told: list[str] = []
    verified: list[list[str]] = []

    def find(*_: object, names: list[str], is_wanted: object) -> list[str]:
        del is_wanted
        verified.append(names)
        return []

    monkeypatch.setattr("assay.exercises.proofs.problems_of", find)
    proven: set[str] = set()

    def prove_again() -> list[str]:
        verified.clear()
        proven.update(each.digest for each in prove(tmp_path, "cs", proven, told.append).exercises)
        return [name for names in verified for name in names]

    assert prove_again() == ["base", "extending", "other"]
    assert (prove_again(), told.pop()) == ([], "Unchanged since they were verified: 3 of 3 exercises.")
    (tmp_path / "other" / "hunt").mkdir(exist_ok=True)
    (tmp_path / "other" / "hunt" / "bugs.toml").write_text("")  # no version is of it, but a proof is
    assert prove_again() == ["other"]
    cases = tmp_path / "base" / "cases.py"
    cases.write_text(f"{cases.read_text()}# more\n")
    assert prove_again() == ["base", "extending"]
    monkeypatch.setattr("assay.exercises.digests.version", lambda _: "another")
    assert prove_again() == ["base", "extending", "other"]


def test_a_verifier_stops_once_nobody_waits_for_what_it_does(tmp_path: Path) -> None:
    write_challenge(Names.of("shares", None), tmp_path)
    slow = tmp_path / "shares" / "cases.py"
    slow.write_text(f"import time\n\ntime.sleep(600)\n{slow.read_text()}")
    begun: list[str] = []
    started = time.monotonic()
    with pytest.raises(RepositoryError, match=r"Nobody waits for it any more\."):
        problems_of(tmp_path, begun.append, is_wanted=lambda: not begun)
    assert time.monotonic() - started < PATIENCE_S


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('["shares/cases.py: \\u001b]0;owned\\u0007 \\u0000 \\ud800"]', "cs.shares/cases.py:  ]0;owned     "),
        ("[" * 100_000, "Verifying ended early: status 0"),
    ],
)
def test_whatever_authors_code_says_in_place_of_the_result_is_a_sentence(said: str, told: str, tmp_path: Path) -> None:
    write_challenge(Names.of("shares", None), tmp_path)
    lies = tmp_path / "shares" / "reference.py"
    lies.write_text(f"import os\n\nprint({said!r}, flush=True)\nos._exit(0)\n")
    with pytest.raises(RepositoryError) as raised:
        prove(tmp_path, "cs", (), lambda _: None)
    assert str(raised.value) == told


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("file:///srv/exercises", "fetches https and ssh addresses alone"),
        ("/srv/exercises", "fetches https and ssh addresses alone"),
        ("ext::sh -c touch% /tmp/pwned", "is not one of a repository"),
        ("exercises", "is not one of a repository"),
    ],
)
def test_a_verifier_checks_addresses_once_more(
    url: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "exercises").mkdir()
    monkeypatch.chdir(tmp_path)
    asked = ExercisesRequest(job="x", namespace="cs", url=url, ref="HEAD")
    found = found_in(asked, None, lambda _: None)
    assert (found.commit, sentence in str(found.refusal)) == ("", True)


def test_progress_tells_only_names_of_exercises_that_are_still_to_come() -> None:
    told: list[str] = []
    progress = Progress(["cs.first", "cs.second"], told.append)
    for line in ("second", "first", "first", "\x1b]0;owned\x07", "cs.second", "second", "third"):
        progress(line)
    assert told == [
        f"Verifying cs.{name} ({n} of 2); this takes minutes …" for n, name in ((1, "first"), (2, "second"))
    ]


def test_what_is_to_be_typed_next_is_for_the_same_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = CommitView(
        commit="a" * 40,
        state=CommitState.VERIFIED,
        reason=None,
        is_live=True,
        added_by="root",
        created_at=now(),
        live_at=now(),
        exercises={"cs.linear": "1"},
    )
    offer = RegradeOffer(course="demo", assignment="linear", title="Linear", challenge="cs.linear")
    view = RepositoryView(namespace="cs", url="x", ref="HEAD", commits=[commit], rolls_back_to=None, regrades=[offer])
    monkeypatch.setattr("app.exercises.service.roll_back", lambda *_: view)
    done = invoke_assay(tmp_path, "exercises", "--data-dir", tmp_path / "data", "rollback", "cs")
    assert f"`assay regrade --data-dir {tmp_path / 'data'} ask demo linear`" in done.stdout


def test_only_judges_have_a_folder_of_exercise_repositories(up: Up) -> None:
    def told(role: str) -> bytes:
        return Path(f"/proc/{up.pid_of(role)}/environ").read_bytes()

    assert b"ASSAY_WORKER_EXERCISES_FOLDER=" in told("worker")
    assert not [role for role in ("api", "recorder", "runner") if b"EXERCISES_FOLDER" in told(role)]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("add", "http://git.example.edu/course"), "is not one of a repository: give https://HOST/PATH"),
        (("add", "nowhere"), "There is no folder 'nowhere' on this machine."),
        (("add", "file:///there/is/none", "--name", "x"), "There is no folder /there/is/none on this machine."),
        (("add", "https://git.example.edu/CS_336"), "cannot be a namespace"),
        (("add", "https://git.example.edu/cs336", "--name", "../x"), "cannot be a namespace"),
        (("add", "https://me:secret@git.example.edu/cs336"), "must hold no password or token"),
        (("update", "nobody"), "There are no exercises under the namespace 'nobody'."),
        (("rollback", "nobody"), "There are no exercises under the namespace 'nobody'."),
        (("remove", "nobody"), "There are no exercises under the namespace 'nobody'."),
        (("give", "cs336", "nobody"), "There is no user 'nobody'."),
        (("give", "../x", "nobody"), "cannot be a namespace"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(
    assay: object, database_url: str, words: tuple[str, ...], sentence: str
) -> None:
    done = assay("exercises", "--database-url", database_url, *words)  # type: ignore[operator]
    assert done.returncode in (1, 2)
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_namespace_is_given_and_taken_back(assay: object, database_url: str) -> None:
    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        return assay(*words[:1], "--database-url", database_url, *words[1:])  # type: ignore[operator,no-any-return]

    run("user", "add", "ada", "--role", "instructor")
    assert run("exercises", "give", "cs336", "ada").stdout.startswith("ada may add and update exercises under cs336")
    assert "ada may add and update exercises under cs336." in run("exercises", "list").stderr
    assert "What is live stays live." in run("exercises", "take", "cs336", "ada").stdout
    assert "ada" not in run("exercises", "list").stderr


def test_a_plain_folder_is_refused_where_judges_are_elsewhere(assay: object, database_url: str, tmp_path: Path) -> None:
    write_challenge(Names.of("shares", None), tmp_path / "course")
    done = assay("exercises", "--database-url", database_url, "add", str(tmp_path / "course"))  # type: ignore[operator]
    assert done.returncode == 1
    assert "is not a git repository, and only `assay up` serves plain folders" in done.stderr


def test_a_plain_folder_is_a_commit_for_each_state(tmp_path: Path) -> None:
    folder, kept = tmp_path / "course", tmp_path / "kept.git"
    write_challenge(Names.of("shares", None), folder)
    commits = []
    for spec in ("first", "first", "second"):
        (folder / "shares" / "spec.md").write_text(spec)
        snapshot(folder, kept)
        scratch = tmp_path / f"scratch-{len(commits)}"
        scratch.mkdir()
        commits.append(fetch_into(scratch, f"file://{kept}", "HEAD"))
        assert (scratch / "exercises" / "shares" / "spec.md").read_text() == spec
    assert commits[0] == commits[1] != commits[2]
    assert not (folder / ".git").exists()


def test_a_slow_import_is_not_made_for_wrong_usage() -> None:
    script = "import sys, assay.commands.exercises; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
