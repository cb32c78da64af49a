"""`assay challenge`: the exercises on this machine."""

from collections.abc import Iterator
from pathlib import Path

import click

from assay.challenges import some_slugs_in, sound_challenge
from assay.commands.challenge_combine import combine
from assay.commands.challenge_import import import_
from assay.commands.challenge_new import new
from assay.commands.challenge_observe import observe
from assay.commands.challenge_questions import questions
from assay.commands.challenge_try import try_files
from assay.commands.challenge_verify import verify
from assay.root_option import root_option
from grader.challenge import Challenge, load_challenge
from grader.guest.inspection import EntryKind
from grader.manifest import EntryPointSection, ManifestError


@click.group()
def command() -> None:
    """List, show, begin, import, try and verify exercises, and preview their questions."""


command.add_command(combine)
command.add_command(import_)
command.add_command(new)
command.add_command(observe)
command.add_command(questions)
command.add_command(try_files)
command.add_command(verify)


@command.command("list")
@root_option
def list_all(root: Path) -> None:
    """List the challenges: slug, title, and what a student uploads."""
    slugs = some_slugs_in(root)
    width = max(len(slug) for slug in slugs)
    for slug in slugs:
        click.echo(f"{slug:<{width}}  {_one_line(root / slug)}")


def _one_line(folder: Path) -> str:
    try:
        manifest = load_challenge(folder).manifest
    except ManifestError as error:
        return f"(broken) {error}"
    return f"{manifest.title} ({manifest.upload}, {manifest.max_score:g} points)"


@command.command()
@click.argument("slug")
@click.option("--spec", is_flag=True, help="Only what the student reads.")
@root_option
def show(slug: str, spec: bool, root: Path) -> None:
    """Show a challenge as the student reads it, with its points."""
    challenge = sound_challenge(slug, root)
    if not spec:
        click.echo("\n".join(_facts(challenge)) + "\n")
    click.echo(challenge.spec())


def _facts(challenge: Challenge) -> Iterator[str]:
    manifest = challenge.manifest
    yield f"{challenge.slug}: {manifest.title} (version {challenge.version})\n{manifest.summary}\n"
    yield f"upload        {manifest.upload}, in a student's project {manifest.default_path}"
    for entry in manifest.entry_points:
        yield f"entry point   {_signature(entry)}"
    for name, family in manifest.families.items():
        optional = "" if family.required else ", not required"
        yield f"{family.points:5g} points  {name}: {family.title} ({family.visibility}{optional})"
    for name, rule in manifest.rules.items():
        yield f"{rule.points:5g} points  rule {name}: {rule.title}"
    yield f"{manifest.max_score:5g} points  in all"


def _signature(entry: EntryPointSection) -> str:
    kind = "class " if entry.kind is EntryKind.CLASS else ""
    methods = f" with {', '.join(entry.methods)}" if entry.methods else ""
    return f"{kind}{entry.name}({entry.signature}){methods}"
