"""`assay challenge verify`: a challenge proves its own tests."""

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.challenges import slugs_in, sound_challenge
from assay.errors import AssayError, GraderFailed, WrongUsage
from assay.root_option import root_option

if TYPE_CHECKING:
    from rich.console import Console

    from grader.proof.verify import Check
    from worker.runner_client import RunnerClient


class Format(StrEnum):
    """How a proof is printed."""

    TEXT = "text"
    JSON = "json"


@click.command()
@click.argument("slug", required=False)
@click.option("--all", "every", is_flag=True, help="Every challenge; so it is too when no SLUG is given.")
@click.option("--format", "form", type=click.Choice([form.value for form in Format]), default="text", show_default=True)
@root_option
def verify(slug: str | None, every: bool, form: str, root: Path) -> None:
    """Prove a challenge's own tests.

    Right answers pass with room to spare, every known mistake is killed and named, every small change of the reference
    is noticed or explained, no cheat passes. Exit code 0 when everything holds, 1 when something does not, 3 when this
    machine has no sandbox.
    """
    if slug is not None and every:
        raise WrongUsage("Name one challenge, or --all.")
    slugs = [slug] if slug is not None else slugs_in(root)
    if not slugs:
        raise AssayError(f"{root} holds no challenges.", "`assay challenge new SLUG` begins one.")
    broken: list[str] = []
    with _sandbox() as sandbox:
        for name in slugs:
            try:
                holds = _prove(name, root, sandbox, Format(form))
            except WrongUsage:
                raise
            except AssayError as error:  # a manifest that cannot be read; the others are proved all the same
                click.echo(error.format_message(), err=True)
                holds = False
            broken += [] if holds else [name]
    if broken:
        raise AssayError(f"Not proven: {', '.join(broken)} (above).")


@contextmanager
def _sandbox() -> "Iterator[RunnerClient]":
    from grader.guest.execution import SandboxUnavailable  # noqa: PLC0415 - torch: wrong usage need not wait for it
    from worker.private_runner import private_runner  # noqa: PLC0415

    try:
        with private_runner() as runner:
            yield runner
    except SandboxUnavailable as error:
        raise GraderFailed(f"No sandbox: {error}", "`assay doctor` says what is missing here.") from error


def _prove(slug: str, root: Path, sandbox: "RunnerClient", form: Format) -> bool:
    import torch  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    from assay.formats.proof import json_of  # noqa: PLC0415
    from assay.trials import bounded_trials  # noqa: PLC0415
    from grader.proof.verify import verify as checks_of  # noqa: PLC0415

    torch.set_num_threads(1)  # the calls are tiny
    warnings.simplefilter("ignore")  # mistakes do what torch warns of, and the warning would not say which
    started = time.perf_counter()
    found = checks_of(sound_challenge(slug, root), sandbox, bounded_trials)
    if form is Format.JSON:
        checks = list(found)
        click.echo(json_of(slug, checks, time.perf_counter() - started))
    else:
        console = Console(highlight=False, soft_wrap=True)
        checks = _tabled(slug, found, console) if console.is_terminal else _listed(found, console)
        holds = "holds" if all(check.holds for check in checks) else "does not hold"
        console.print(f"{slug} {holds}: {len(checks)} checks in {time.perf_counter() - started:.0f} s")
    return all(check.holds for check in checks)


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
