"""What pages name is there: where links lead, files, modules, tests, commands and their options, calls, settings."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest

from app.settings import known_names
from assay.cli import cli as assay
from assay.exercises.settings import VerifierSettings
from engine.cli import cli as engine
from worker.runner_settings import RunnerSettings
from worker.settings import WorkerSettings

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "examples" / "exercises" / "README.md"])
PAGES.remove(ROOT / "CHANGELOG.md")  # which speaks of what was there
ANYWHERE = {"tests/adapters.py", "tests/q1.py"}  # in a project of somebody else's
FENCE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
PLACEHOLDER = re.compile(r"<\w+>|\b[A-Z]{3,}\b")
SETTING = re.compile(r"\bASSAY_[A-Z][A-Z0-9_]*\b(?!_)")
CALL = re.compile(r"(GET|POST|PUT|PATCH|DELETE) (\S+)")
LABEL = re.compile(r"(?<![*\w])\*([A-Z][^*\n]{2,70})\*(?![*\w])")
OPTION = re.compile(r"--[a-z][a-z-]+")


def test_there_are_pages() -> None:
    assert len(PAGES) > 40


def test_the_first_two_commands_of_the_readme_are_the_demo_and_the_tests() -> None:
    first = FENCE.findall((ROOT / "README.md").read_text(encoding="utf-8"))[0].splitlines()[1:3]
    assert [line.split("#")[0].strip() for line in first] == ["make demo", "make test"]


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return listed.splitlines()


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def spans(page: Path) -> list[str]:
    return SPAN.findall(prose(page))


def commands(page: Path) -> Iterator[str]:
    """Each line of a block of code and each span of one, without what follows in a comment or a pipe."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    fenced = [line for block in FENCE.findall(text) for line in block.splitlines()]
    indented = [line for line in FENCE.sub("", text).splitlines() if line.startswith("    ")]
    for line in [*fenced, *indented, *SPAN.findall(FENCE.sub("", text))]:
        for command in re.split(r"\s#|\s\|\s|&&|;", line):
            yield command.strip().removeprefix("$ ")


def anchors(page: Path) -> set[str]:
    """Of its headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", prose(page).replace("`", ""), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        path, _, anchor = link.partition("#")
        if "://" in path:
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_picture_is_on_a_page() -> None:
    shown = {name for page in PAGES for name in re.findall(r"screenshots/([\w-]+\.png)", page.read_text("utf-8"))}
    assert {path.name for path in (ROOT / "docs" / "screenshots").iterdir()} == shown


@each_page
def test_files_are_there(page: Path) -> None:
    """`<slug>`, `NAME` and `*` stand for any name."""
    folders = {path.partition("/")[0] for path in tracked() if "/" in path}
    named = [span for span in spans(page) if re.fullmatch(r"[\w<>*./-]+", span) and span.partition("/")[0] in folders]
    missing = [path for path in named if not any(ROOT.glob(PLACEHOLDER.sub("*", path.rstrip("/"))))]
    assert not set(missing) - ANYWHERE


@each_page
def test_modules_are_there(page: Path) -> None:
    named = [span for span in spans(page) if re.fullmatch(r"(grader|app|worker|engine|transport)(\.[a-z_]+)+", span)]
    paths = [ROOT / name.replace(".", "/") for name in named if name not in ("engine.toml", "engine.patch")]
    assert not [path for path in paths if not path.is_dir() and not path.with_suffix(".py").is_file()]


@each_page
def test_tests_are_there(page: Path) -> None:
    defined = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert not [span for span in spans(page) if re.fullmatch(r"test_\w+", span) and f"def {span}(" not in defined]


def refuse_unknown(command: click.Command, arguments: list[str]) -> None:
    """Raises a `UsageError` for a name that is none; values may be missing or stand for others."""
    context = command.make_context(command.name, [*arguments], resilient_parsing=True)
    with suppress(click.BadOptionUsage, click.BadArgumentUsage):
        context.command.make_parser(click.Context(context.command)).parse_args([*arguments])
    rest = [*context._protected_args, *context.args]  # what a group hands to its command
    if isinstance(command, click.Group) and rest and re.fullmatch("[a-z-]+", rest[0]):
        _, further, left = command.resolve_command(context, rest)
        if further is None:
            raise click.UsageError(rest[0])
        refuse_unknown(further, left)


@pytest.mark.parametrize(
    "words", ["up --prot 1", "usre add", "user addd x", "export autograder x --extra", "user add --x"]
)
def test_what_is_misspelt_would_be_seen(words: str) -> None:
    with pytest.raises(click.UsageError):
        refuse_unknown(assay, words.split())


@each_page
@pytest.mark.parametrize("program", [assay, engine], ids=["assay", "engine"])
def test_commands_and_their_options_are_there(page: Path, program: click.Group) -> None:
    name = "assay" if program is assay else "engine"
    for command in commands(page):
        said = re.sub(r"^(docker-compose exec (-T )?\w+ )?(\w+=\S* )*(\.venv/bin/)?", "", command)
        if not said.startswith(f"{name} "):
            continue
        words = shlex.split(re.sub(r"[\[\]|(]", " ", said), comments=True)
        refuse_unknown(program, [word for word in words[1:] if word not in ("…", "...")])


@each_page
def test_targets_of_make_are_there(page: Path) -> None:
    there = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = [re.findall(r" ([a-z-]+)", command) for command in commands(page) if command.startswith("make ")]
    assert {target for targets in named for target in targets} <= there


@each_page
def test_programs_are_there_with_their_options(page: Path) -> None:
    for module, rest in re.findall(r"python -m ((?:benchmarks|grader|scripts|tests)\.[\w.]+)([^`#]*)", prose(page)):
        path = ROOT / module.replace(".", "/")
        files = [*path.glob("*.py")] if path.is_dir() else [path.with_suffix(".py")]
        source = "".join(file.read_text(encoding="utf-8") for file in files)
        assert not [option for option in OPTION.findall(rest) if f'"{option}"' not in source], module


@each_page
def test_calls_are_there(page: Path) -> None:
    """A call that begins with an ellipsis is the end of one."""
    listed = (ROOT / "tests" / "app" / "scoping_calls.txt").read_text(encoding="utf-8")
    there = [
        (method, path.partition("?")[0].split("/")) for method, path in re.findall(rf"^{CALL.pattern}", listed, re.M)
    ]
    named = [match.groups() for span in spans(page) if (match := CALL.fullmatch(span))]
    named += [("", path) for path in re.findall(r"\$ASSAY(/[^\s\"]+)", page.read_text(encoding="utf-8"))]
    for method, address in named:
        wanted = address.partition("?")[0].removeprefix("/api/v1").split("/")
        steps = wanted[1:] if wanted[0] == "…" else wanted
        assert [
            path
            for known, path in there
            if method in ("", known) and (len(path) == len(steps) or wanted[0] == "…")
            if all(step == one or one.startswith("{") for step, one in zip(steps, path[-len(steps) :], strict=False))
        ], f"{method} {address}"


@pytest.mark.parametrize("name", ["courses", "dashboard", "exercise-repositories", "leaderboard", "tour-student"])
def test_what_is_to_be_clicked_is_on_a_page(name: str) -> None:
    """What is in italics and begins with a capital; an ellipsis stands for what differs."""
    files = [path for path in (ROOT / "app" / "web").rglob("*") if path.suffix in (".html", ".js", ".py")]
    words = " ".join("".join(path.read_text(encoding="utf-8") for path in files).replace("{{ 'them'", "them").split())
    labels = LABEL.findall(prose(ROOT / "docs" / f"{name}.md"))
    assert labels
    parts = [part.strip() for label in labels for part in re.split(r"→|…", label)]
    assert not [part for part in parts if part not in words]


def test_settings_are_there() -> None:
    files = [
        path for path in tracked() if not path.endswith(".md") and not path.startswith(("app/", "tests/", "worker/"))
    ]
    known = {name for path in files for name in SETTING.findall((ROOT / path).read_text("utf-8", errors="ignore"))}
    for settings in (WorkerSettings, RunnerSettings, VerifierSettings):
        known |= {f"{settings.model_config['env_prefix']}{name.upper()}" for name in settings.model_fields}
    for page in PAGES:
        assert set(SETTING.findall(page.read_text(encoding="utf-8"))) <= known | known_names(), page
