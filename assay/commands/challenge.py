"""`assay challenge`: the exercises on this machine."""

import click

from assay.errors import AssayError, GraderFailed
from assay.tasks import challenge_named
from grader.challenge import Challenge, load_challenges
from grader.manifest import ManifestError


@click.group()
def command() -> None:
    """List, show and verify the exercises."""


@command.command("list")
def list_all() -> None:
    """Every challenge: slug and title."""
    try:
        found = load_challenges()
    except ManifestError as error:
        raise AssayError(f"{error}.") from error
    for slug, challenge in found.items():
        click.echo(f"{slug}\t{challenge.manifest.title}")


@command.command()
@click.argument("slug")
@click.option("--spec", is_flag=True, help="Print what the student reads instead.")
def show(slug: str, spec: bool) -> None:
    """What a challenge asks for and what it is worth."""
    challenge = _find(slug)
    if spec:
        click.echo(challenge.spec())
        return
    manifest = challenge.manifest
    click.echo(f"{slug}: {manifest.title} (version {challenge.version})\n{manifest.summary}\n")
    click.echo(f"upload        {manifest.upload}, in a student's project {manifest.default_path}")
    for entry in manifest.entry_points:
        click.echo(f"entry point   {entry.name}({', '.join(entry.parameters)})")
    for name, family in manifest.families.items():
        optional = "" if family.required else ", not required"
        click.echo(f"{family.points:5g} points  {name}: {family.title} ({family.visibility}{optional})")
    for name, rule in manifest.rules.items():
        click.echo(f"rule          {name}: {rule.title}")


@command.command()
@click.argument("slug")
def verify(slug: str) -> None:
    """Prove a challenge's own tests: right answers pass with room to spare, every known mistake is killed and named.

    Exit code 0 when everything holds, 1 when something does not, 3 when this machine has no sandbox.
    """
    # Imports torch, which `list` and `show` do without.
    from grader.execution import SandboxUnavailable  # noqa: PLC0415
    from grader.verify import verify as checks_of  # noqa: PLC0415
    from worker.private_runner import private_runner  # noqa: PLC0415

    challenge = _find(slug)
    broken = 0
    try:
        with private_runner() as runner:
            for check in checks_of(challenge, runner):
                broken += not check.holds
                sign = click.style("ok  ", fg="green") if check.holds else click.style("FAIL", fg="red", bold=True)
                click.echo(f"{sign}  {check.name}: {check.detail}")
    except SandboxUnavailable as error:
        raise GraderFailed(f"No sandbox: {error}", "`assay doctor` says what is missing here.") from error
    if broken:
        raise AssayError(f"{broken} checks of {slug} do not hold (FAIL above).")
    click.echo(f"{slug} holds.")


def _find(slug: str) -> Challenge:
    try:
        return challenge_named(slug)
    except ManifestError as error:
        raise AssayError(f"{error}.") from error
