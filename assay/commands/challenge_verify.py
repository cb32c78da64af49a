"""`assay challenge verify`: a challenge proves its own tests."""

import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.challenges import some_slugs_in, sound_challenge
from assay.changes import as_it_was, changed_since
from assay.errors import SEE_DOCTOR, AssayError, GraderFailed, WrongUsage
from assay.root_option import root_option
from grader.challenge import Challenge, load_challenge
from worker.sandbox.ahead import is_needed_in

if TYPE_CHECKING:
    from rich.console import Console

    from grader.proof.check import Check
    from grader.proof.mistakes import Seen
    from worker.runner_client import RunnerClient


class ProofFormat(StrEnum):
    """How a proof is printed."""

    TEXT = "text"
    JSON = "json"


@click.command()
@click.argument("slug", required=False)
@click.option("--all", "every", is_flag=True, help="Every challenge, as without a SLUG.")
@click.option(
    "--since", metavar="COMMIT", help="Only exercises that differ from this commit; with --markdown, compared with it."
)
@click.option("--quick", is_flag=True, help="Only check what takes a second: files, names, cases, questions.")
@click.option(
    "--format", "form", type=click.Choice([form.value for form in ProofFormat]), default="text", show_default=True
)
@click.option(
    "--markdown",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also write a comment on the change: which checks hold, which mistakes are named, what is new and lost.",
)
@root_option
def verify(
    slug: str | None, every: bool, since: str | None, quick: bool, form: str, markdown: Path | None, root: Path
) -> None:
    """Prove a challenge's own tests.

    Right answers pass with room to spare, every known mistake is killed and named, every small change of the reference
    is noticed or explained, no cheat passes. Exit code 0 when everything holds, 1 when something does not, 3 when this
    machine has no sandbox.
    """
    if slug is not None and (every or since):
        raise WrongUsage("Name one challenge, or --all, or --since.")
    slugs = [slug] if slug is not None else changed_since(root, since) if since else some_slugs_in(root)
    with _earlier(root, since) as before, nullcontext() if quick or not slugs else _sandbox(root, slugs) as sandbox:
        proofs = [_proof_of(name, root, before, sandbox, ProofFormat(form)) for name in slugs]
    if not proofs:
        click.echo(f"No exercise differs from {since}.")
    if markdown is not None:
        told = "\n".join(proof.markdown for proof in proofs)
        markdown.write_text(told or "No exercise is touched by this change.\n", encoding="utf-8")
    broken = [proof.slug for proof in proofs if not proof.holds]
    if broken:
        raise AssayError(f"Not proven: {', '.join(broken)} (above).")


@dataclass(frozen=True)
class Proof:
    """Whether an exercise holds, and how that is told."""

    slug: str
    holds: bool
    markdown: str


def _proof_of(slug: str, root: Path, before: Path | None, sandbox: "RunnerClient | None", form: ProofFormat) -> Proof:
    """Prints it as it goes. A manifest that cannot be read is told; the others are proved all the same."""
    try:
        challenge = sound_challenge(slug, root)
    except WrongUsage:
        raise
    except AssayError as error:
        click.echo(error.format_message(), err=True)
        return Proof(slug, False, f"### {slug} cannot be read\n\n    {error.format_message()}\n")
    started = time.perf_counter()
    checks = _checks(challenge, sandbox, form)
    from assay.formats.proof_markdown import markdown_of  # noqa: PLC0415 - torch: wrong usage need not wait for it

    seen = None if before is None else _seen(before / slug)
    return Proof(
        slug,
        all(check.holds for check in checks),
        markdown_of(slug, checks, seen, time.perf_counter() - started),
    )


@contextmanager
def _earlier(root: Path, since: str | None) -> Iterator[Path | None]:
    if since is None:
        yield None
        return
    with as_it_was(root, since) as folder:
        yield folder


def _seen(folder: Path) -> "dict[str, Seen] | None":
    """None where there is nothing to compare with: the exercise is new, or was broken."""
    from grader.proof.mistakes import seen_in  # noqa: PLC0415

    try:
        return seen_in(load_challenge(folder))
    except Exception:  # noqa: BLE001  the edge to the author's earlier code, which may have been any
        return None


@contextmanager
def _sandbox(root: Path, slugs: Sequence[str]) -> "Iterator[RunnerClient]":
    from grader.guest.execution import SandboxUnavailable  # noqa: PLC0415 - torch: wrong usage need not wait for it
    from worker.private_runner import private_runner  # noqa: PLC0415

    ahead = any(is_needed_in(root / slug) for slug in slugs)
    try:
        with private_runner(imports_ahead=str(ahead)) as runner:
            yield runner
    except SandboxUnavailable as error:
        raise GraderFailed(f"No sandbox: {error}", SEE_DOCTOR) from error


def _checks(challenge: Challenge, sandbox: "RunnerClient | None", form: ProofFormat) -> "list[Check]":
    import torch  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    from assay.formats.proof import json_of  # noqa: PLC0415
    from assay.mutant_trials import bounded_trials  # noqa: PLC0415
    from grader.proof.verify import quick_checks  # noqa: PLC0415
    from grader.proof.verify import verify as checks_of  # noqa: PLC0415

    torch.set_num_threads(1)  # the calls are tiny
    warnings.simplefilter("ignore")  # mistakes do what torch warns of, and the warning would not say which
    started, slug = time.perf_counter(), challenge.slug
    found = quick_checks(challenge) if sandbox is None else checks_of(challenge, sandbox, bounded_trials)
    if form is ProofFormat.JSON:
        checks = list(found)
        click.echo(json_of(slug, checks, time.perf_counter() - started))
        return checks
    console = Console(highlight=False, soft_wrap=True)
    checks = _tabled(slug, found, console) if console.is_terminal else _listed(found, console)
    holds = "holds" if all(check.holds for check in checks) else "does not hold"
    console.print(f"{slug} {holds}: {len(checks)} checks in {time.perf_counter() - started:.0f} s")
    return checks


def _listed(found: "Iterator[Check]", console: "Console") -> "list[Check]":
    from assay.formats.proof import line_of  # noqa: PLC0415

    checks = []
    for check in found:
        checks.append(check)
        console.print(line_of(check))
    return checks


def _tabled(slug: str, found: "Iterator[Check]", console: "Console") -> "list[Check]":
    """A terminal shows what is being done, and then all of it at once."""
    from assay.formats.proof import tables_of  # noqa: PLC0415

    checks = []
    with console.status(slug) as status:
        for check in found:
            checks.append(check)
            status.update(f"{slug}: {check.section} {check.name}")
    for table in tables_of(slug, checks):
        console.print(table, soft_wrap=False)
    return checks
