"""`assay challenge import`: an assignment of Otter or nbgrader becomes a challenge, and what is missing is said."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.errors import SEE_DOCTOR, AssayError, GraderFailed, WrongUsage
from assay.root_option import root_option
from grader.challenge import DEFAULT_ROOT
from grader.formats.plain import plain

if TYPE_CHECKING:
    from assay.importing.bringing import Brought
    from assay.importing.plan import Planned


@click.command("import")
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("slug", required=False)
@root_option
def import_(source: Path, slug: str | None, root: Path) -> None:
    """Turn an assignment for Otter or nbgrader into a challenge.

    SOURCE is the instructor's notebook, with its solutions, or a folder that holds it; SLUG is the name that the
    challenge gets, that of the notebook if not given. Tests that compare a call with a value become cases; all others
    become tests that run beside the submission. The code of the assignment runs in the sandbox only, and in a process
    without network. Exit code 0 when a challenge was written, whatever it still lacks.
    """
    from assay.importing.assignment import ImportRefusedError  # noqa: PLC0415 - torch: `--help` need not wait for it
    from assay.importing.bringing import bring  # noqa: PLC0415
    from grader.guest.execution import SandboxUnavailable  # noqa: PLC0415
    from grader.repository_addresses import RepositoryError  # noqa: PLC0415

    if root == DEFAULT_ROOT and "site-packages" in root.parts:
        raise WrongUsage(
            "This installation's own challenges are replaced with it.",
            "Say where yours are to live: --root FOLDER, or ASSAY_CHALLENGES_ROOT.",
        )
    try:
        brought = bring(source, slug, root)
    except ImportRefusedError as error:
        raise AssayError(f"Nothing was imported. {error}") from error
    except FileExistsError as error:
        raise WrongUsage(f"{error.args[0]} already exists.", "Remove it, or give another SLUG.") from error
    except SandboxUnavailable as error:
        raise GraderFailed(f"No sandbox: {error}", SEE_DOCTOR) from error
    except RepositoryError as error:
        raise GraderFailed(f"Nothing was imported. {error}") from error
    except OSError as error:
        raise AssayError(f"{error.filename} cannot be written: {error.strerror}.") from error
    click.echo(plain("\n".join(_told(brought, source, root))))  # names of an assignment may be anything


def _told(brought: "Brought", source: Path, root: Path) -> Iterator[str]:
    written = brought.written
    folder = root / written.names.slug
    yield f"{folder} was made of {source} ({written.found.form}).\n"
    yield "Carried over"
    for entry in written.module.entries.values():
        yield f"  {entry.kind} {entry.name}({', '.join((*entry.parameters, *entry.keywords))})"
    cases = sum(len(one.cases.cases) for one in written.cases if one.cases)
    yield f"  {_counted(written.cases)} as {cases} case{'' if cases == 1 else 's'}"
    if written.forgeable:
        yield f"  {_counted(written.forgeable)} beside the submission (could be forged, so counted apart)"
        yield from (f"    {one.test.group}, {one.test.where}: {one.reason}" for one in written.forgeable)
    if written.found.left:
        yield "\nNot carried over"
        yield from (f"  {left.where}: {left.reason}" for left in written.found.left)
    if brought.missing:
        yield "\nMissing before it verifies"
        yield from (f"  {problem}" for problem in brought.missing)
    where = "" if root == DEFAULT_ROOT else f" --root {root}"
    yield f"\nNext: read {folder}/spec.md and cases.py, then `assay challenge verify {written.names.slug}{where}`."


def _counted(tests: "Sequence[Planned]") -> str:
    from assay.importing.assignment import told_points  # noqa: PLC0415 - beside what the command itself imports

    points = told_points(sum(one.test.points for one in tests))
    return f"{len(tests)} test{'' if len(tests) == 1 else 's'} ({points})"
