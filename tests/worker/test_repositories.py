"""Repositories come from people: git in an environment of its own, addresses, names, links, sizes."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from assay.new_challenge import Names, write_challenge
from grader.challenge import load_challenge
from grader.exercise import exercise_of
from grader.messages import ExerciseSource
from grader.repository_addresses import RepositoryError, checked_namespace, checked_ref, checked_url
from worker.repositories import tree
from worker.repositories.git import _BOUNDED, fetch, git, new_repository
from worker.repositories.store import Store, fetch_into, slugs_in


def run_git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=author", "-c", "user.email=author@example.edu")
    done = subprocess.run(["git", "-C", str(folder), *who, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(folder: Path) -> str:
    run_git(folder, "add", "--all")
    run_git(folder, "commit", "--quiet", "--allow-empty", "--message", "change")
    return run_git(folder, "rev-parse", "HEAD")


@pytest.fixture
def author(tmp_path: Path) -> Path:
    """A repository with one exercise, as its author has it."""
    folder = tmp_path / "author"
    write_challenge(Names.of("shares", None), folder)
    run_git(folder, "init", "--quiet", "--initial-branch", "main")
    commit(folder)
    return folder


def fetched(author: Path, tmp_path: Path, ref: str = "HEAD") -> Path:
    scratch = tmp_path / f"scratch-{time.monotonic_ns()}"
    scratch.mkdir()
    fetch_into(scratch, f"file://{author}", ref)
    return scratch / "exercises"


def refusal(author: Path, tmp_path: Path) -> str:
    commit(author)
    with pytest.raises(RepositoryError) as refused:
        fetched(author, tmp_path)
    return str(refused.value)


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("https://git.example.edu/course/exercises.git", "https://git.example.edu/course/exercises.git"),
        ("git@git.example.edu:course/exercises.git", "ssh://git@git.example.edu/course/exercises.git"),
        ("ssh://git@git.example.edu:2222/course", "ssh://git@git.example.edu:2222/course"),
        ("file:///tmp", "file:///tmp"),
        ("HTTPS://git.example.edu/x", "https://git.example.edu/x"),
    ],
)
def test_addresses_of_three_protocols_are_taken(typed: str, url: str) -> None:
    assert checked_url(typed) == url


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "http://git.example.edu/course",
        "git://git.example.edu/course",
        "ext::sh -c touch% /tmp/pwned",
        "ssh://-oProxyCommand=touch/x",
        "ssh://-oProxyCommand@git.example.edu/x",
        "https://token@git.example.edu/course",
        "https://user:password@git.example.edu/course",
        "https://git.example.edu/course?x=1",
        "https:///course",
        "--upload-pack=touch /tmp/pwned",
        "file://elsewhere/srv",
        "https://git.example.edu/a\nb",
        "https://git.example.edu/" + "a" * 500,
        "https://[::1/x",
    ],
)
def test_other_addresses_are_refused_in_a_sentence(typed: str) -> None:
    with pytest.raises(RepositoryError, match=r"\.$"):
        checked_url(typed)


@pytest.mark.parametrize("ref", ["", "--upload-pack=x", "a..b", "a b", "+main", "main:main", "a\nb", "x" * 201, "é"])
def test_a_ref_that_git_could_take_for_something_else_is_refused(ref: str) -> None:
    with pytest.raises(RepositoryError, match="is not the name of a branch"):
        checked_ref(ref)


@pytest.mark.parametrize("name", ["CS336", "a_b", "a.b", "", "-a", "a--b", "../a", "x" * 25, "9a"])
def test_a_name_that_cannot_be_a_namespace_is_refused(name: str) -> None:
    with pytest.raises(RepositoryError, match="cannot be a namespace"):
        checked_namespace(name)


def test_exercises_are_fetched_as_they_were_committed(author: Path, tmp_path: Path) -> None:
    version = load_challenge(author / "shares").version
    (author / "shares" / "spec.md").write_text("not committed")
    root = fetched(author, tmp_path)
    assert load_challenge(root / "shares").version == version
    assert sorted(path.name for path in root.iterdir()) == ["shares"]


def test_they_may_lie_in_one_folder_below_and_nothing_else_is_taken_along(author: Path, tmp_path: Path) -> None:
    (author / "exercises").mkdir()
    (author / "shares").rename(author / "exercises" / "shares")
    (author / "grades.csv").write_text("private")
    (author / "link-to-elsewhere").symlink_to("/etc/passwd")
    commit(author)
    assert [path.name for path in fetched(author, tmp_path).iterdir()] == ["shares"]


def test_an_earlier_commit_is_fetched_by_its_name(author: Path, tmp_path: Path) -> None:
    first = run_git(author, "rev-parse", "HEAD")
    (author / "shares" / "spec.md").write_text("changed")
    commit(author)
    assert (fetched(author, tmp_path, first) / "shares" / "spec.md").read_text() != "changed"


def test_links_submodules_and_large_files_are_refused(
    author: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = author / "shares" / "notes"
    for target in ("/etc/passwd", "../../outside", "spec.md"):
        notes.unlink(missing_ok=True)
        notes.symlink_to(target)
        assert refusal(author, tmp_path).startswith("shares/notes is a symbolic link")
    notes.unlink()
    run_git(author, "init", "--quiet", "shares/other")
    commit(author / "shares" / "other")
    assert refusal(author, tmp_path).startswith("shares/other is a submodule")
    run_git(author, "rm", "--quiet", "--cached", "shares/other")
    (author / "shares" / "other" / ".git").rename(tmp_path / "away")
    monkeypatch.setattr(tree, "FILE_BYTES", 10_000)
    (author / "shares" / "giant.py").write_bytes(b"#" * 10_001)
    assert refusal(author, tmp_path).startswith("shares/giant.py has 10001 bytes")
    (author / "shares" / "giant.py").unlink()
    monkeypatch.setattr(tree, "TOTAL_BYTES", 1000)
    assert "at most" in refusal(author, tmp_path)


@pytest.mark.parametrize(
    "name", [b"a\nb.py", b"\xff.py", b"a\\b.py", b"a\x1bb.py", "\u202eb.py".encode(), "é".encode() * 110]
)
def test_strange_file_names_are_refused(author: Path, tmp_path: Path, name: bytes) -> None:
    Path(os.fsdecode(os.fsencode(author / "shares") + b"/" + name)).write_text("")
    assert refusal(author, tmp_path).endswith("rename it.")


def test_a_repository_without_exercises_or_with_several_places_is_refused(author: Path, tmp_path: Path) -> None:
    write_challenge(Names.of("others", None), author / "more")
    assert "several places" in refusal(author, tmp_path)
    run_git(author, "rm", "-r", "--quiet", "shares", "more")
    assert "holds no exercise" in refusal(author, tmp_path)


def test_nothing_of_the_repository_or_the_account_decides_how_git_works(
    author: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A filter, a hook and configuration in every place where git looks for it: none runs."""
    trace = tmp_path / "it-ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {trace}\ncat\n")
    script.chmod(0o755)
    (author / "shares" / ".gitattributes").write_text("* filter=evil export-subst eol=crlf\n")
    commit(author)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(
        f'[filter "evil"]\n smudge = {script}\n clean = {script}\n[core]\n fsmonitor = {script}\n'
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(script))
    monkeypatch.setenv("GIT_SSH_COMMAND", str(script))
    for hook in ("post-checkout", "reference-transaction", "pre-receive"):
        (author / ".git" / "hooks" / hook).write_text(script.read_text())
        (author / ".git" / "hooks" / hook).chmod(0o755)
    spec = (fetched(author, tmp_path) / "shares" / "spec.md").read_bytes()
    assert b"\r\n" not in spec
    assert not trace.exists()


def test_git_has_little_time_and_leaves_nobody_behind(author: Path, tmp_path: Path) -> None:
    repository = tmp_path / "bare.git"
    new_repository(repository)
    started = time.monotonic()
    with pytest.raises(RepositoryError, match="did not end within 1 s"):
        git(repository, "-c", "alias.slow=!sleep 300", "slow", timeout_s=1.0)
    assert time.monotonic() - started < 60


def test_a_pack_that_is_too_large_is_refused(author: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (author / "weights.bin").write_bytes(os.urandom(300_000))
    commit(author)
    repository = tmp_path / "bare.git"
    new_repository(repository)
    monkeypatch.setattr("worker.repositories.git._BOUNDED", tuple(w.replace('"$0"', "200") for w in _BOUNDED))
    with pytest.raises(RepositoryError, match="is larger than"):
        fetch(repository, f"file://{author}", "HEAD")


def test_a_few_trees_that_describe_millions_of_files_are_refused(author: Path, tmp_path: Path) -> None:
    entry = f"100644 blob {run_git(author, 'hash-object', '-w', 'shares/spec.md')}"
    for _ in range(7):
        lines = "".join(f"{entry}\t{letter}\n" for letter in "abcdefghij")
        command = ["git", "-C", str(author), "mktree"]
        made = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.strip()
        entry = f"040000 tree {made}"
    bomb = run_git(author, "commit-tree", "-m", "bomb", made)
    run_git(author, "update-ref", "refs/heads/main", bomb)
    with pytest.raises(RepositoryError, match="too many files"):
        fetched(author, tmp_path, "main")


def test_thousands_of_folders_are_told_apart_in_time_that_grows_with_them() -> None:
    folders = 30_000
    listing = b"".join(
        b"100644 blob %040d       1\tx%d/%s\0" % (number, number, name)
        for number in range(folders)
        for name in (b"challenge.toml", b"spec.md")
    )
    before = time.process_time()
    with pytest.raises(RepositoryError, match="have 60000 files"):
        tree._chosen(list(tree._listed(listing)))
    assert time.process_time() - before < 20


def test_nothing_of_a_commit_is_read_to_name_its_exercises(author: Path) -> None:
    (author / "shares" / "challenge.toml").write_text("[" * 100_000)
    assert slugs_in(author, "cs") == ["cs.shares"]
    (author / "shares").rename(author / "No Name")
    with pytest.raises(RepositoryError, match="'No Name' cannot name an exercise"):
        slugs_in(author, "cs")


def test_what_cannot_be_fetched_is_told_with_the_words_of_git(tmp_path: Path, author: Path) -> None:
    with pytest.raises(RepositoryError, match=r"cannot be fetched: git says: .*no-such-branch"):
        fetched(author, tmp_path, "no-such-branch")
    new_repository(tmp_path / "empty.git")
    with pytest.raises(RepositoryError, match=r"git says: .*[^.]\.$"):
        fetch(tmp_path / "empty.git", "ssh://127.0.0.1:1/x", "HEAD")


def test_a_judge_has_each_version_that_a_message_names_side_by_side(author: Path, tmp_path: Path) -> None:
    """Also when the two have a library of the same name beside them."""
    library = author / "shares" / "sandbox" / "ourlib" / "__init__.py"
    library.parent.mkdir(parents=True)
    reference = author / "shares" / "reference.py"
    reference.write_text("import ourlib\n" + reference.read_text() + "\n\nMARK = ourlib.MARK\n")
    store, sources = Store(tmp_path / "store"), []
    for mark in (1, 2):
        library.write_text(f"MARK = {mark}\n")
        source = ExerciseSource(
            url=f"file://{author}", commit=commit(author), version=load_challenge(author / "shares").version
        )
        sources.append((mark, source))
    for mark, source in [*sources, *sources]:
        found = store.challenge("cs.shares", source)
        assert (found.slug, found.version) == ("cs.shares", source.version)
        assert store.challenge("cs.shares", source) is found
        assert mark == exercise_of(found).reference.MARK  # type: ignore[attr-defined]
        exercise_of(found).program_with()
    (tmp_path / "author").rename(tmp_path / "gone")
    again = Store(tmp_path / "store")
    assert again.challenge("cs.shares", sources[0][1]).version == sources[0][1].version  # it is kept


def test_a_commit_that_has_another_version_than_was_asked_for_is_no_answer(author: Path, tmp_path: Path) -> None:
    head = run_git(author, "rev-parse", "HEAD")
    source = ExerciseSource(url=f"file://{author}", commit=head, version="0" * 16)
    with pytest.raises(RepositoryError, match="is asked for"):
        Store(tmp_path / "store").challenge("cs.shares", source)
