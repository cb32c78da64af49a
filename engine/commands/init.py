"""`engine init SLUG`: the starter file where the challenge wants it, with the specification and what it builds on.

`engine init` alone: looks which files of this folder answer which exercise, and writes `engine.toml`.
"""

from pathlib import Path

import click

from engine.display import Page
from engine.errors import WrongUsage
from engine.init_project import init_project
from engine.project import Project
from engine.signed_in import signed_in


@click.command()
@click.argument("slug", required=False)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--yes", is_flag=True, help="Without SLUG: write engine.toml without asking.")
def command(slug: str | None, force: bool, yes: bool) -> None:
    """Get a challenge's starter file, its specification and any library it needs.

    Without SLUG, find which files of this folder answer which exercise, and write that to engine.toml.

    Writes into the current folder, and never over your work unless you say --force.
    """
    if slug is None:
        with signed_in() as client:
            init_project(client, Page(), Path.cwd(), force=force, yes=yes)
        return
    with signed_in() as client:
        challenge = client.challenge(slug)
        starter = client.starter(slug)
    target = Path(challenge.default_path)
    spec = target.parent / f"{challenge.slug}.md"
    libraries = {Path(path): text.encode() for path, text in challenge.libraries.items()}
    files = {target: starter, spec: challenge.spec.encode(), **libraries}
    if not force:
        _refuse_to_overwrite(files)
    for path, data in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    project = Project.read(Path.cwd())
    project.note(challenge.default_path, challenge.slug)
    is_one_of_several = bool(set(project.challenges) - {challenge.default_path})
    page = Page()
    page.say(f"{challenge.title}: ready in this folder.", "green")
    page.say(f"1. Read {spec}.", indent=2)
    beside = ", ".join(sorted({path.parts[0] for path in libraries}))
    page.say(
        f"2. Write your code in {target}{f'; it builds on {beside}, which is also here' if beside else ''}.",
        indent=2,
    )
    page.say(f"3. Submit it: engine submit-build{f' {target}' if is_one_of_several else ''}", indent=2)


def _refuse_to_overwrite(files: dict[Path, bytes]) -> None:
    changed = [path for path, data in files.items() if path.exists() and path.read_bytes() != data]
    if changed:
        raise WrongUsage(
            f"{' and '.join(map(str, changed))} {'is' if len(changed) == 1 else 'are'} here already, but different.",
            "Nothing was written. Overwrite with --force, or run it in an empty folder.",
        )
