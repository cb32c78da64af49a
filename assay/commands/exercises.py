"""`assay exercises`: exercises of folders and git repositories, beside the installed ones."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from app.accounts.service import console
from app.broker import Broker
from app.database import Database
from app.exercises import authors, service
from app.exercises.schemas import CommitView, RepositoryView
from assay.courses import table
from assay.database_option import chosen
from assay.datadir import DataDir
from assay.errors import AssayError
from assay.exercises.adding import bring_live
from assay.exercises.proofs import Origin
from assay.open_database import given_where, hint, on_database, to_read, to_write
from assay.redis_option import with_broker
from grader.repository_addresses import RepositoryError, checked_namespace, namespace_of


@click.group()
@on_database
def command() -> None:
    """Serve exercises from folders and git repositories: add, list, update, roll back, remove.

    A commit is fetched and verified before all of it goes live. If that fails, what was live stays live.
    """


@command.command()
@click.argument("url_or_path")
@click.option("--ref", default="HEAD", show_default=True, help="Branch, tag or commit.")
@click.option("--name", help="The namespace of its exercises; by default, the last part of the address.")
@to_write
def add(database: Database, /, url_or_path: str, ref: str, name: str | None) -> None:
    """Serve the exercises of a repository or folder. Students see them as NAMESPACE.SLUG."""

    with _told():
        namespace = checked_namespace(name) if name else namespace_of(url_or_path)
        service.refuse_taken(database, namespace)
        place = Origin.of(url_or_path, ref, namespace, _snapshots())
        view = bring_live(database, console(), namespace, place, _tell)
        _say_live(view)
    first = min(_live(view).exercises)
    _tell(
        f"To assign it: {hint('course', 'assignment', 'add', 'COURSE', 'ASSIGNMENT', '--challenge', first)}. "
        f"Students begin with `engine init {first}`."
    )


@command.command()
@click.argument("namespace")
@click.option("--ref", help="Another branch, tag or commit from now on.")
@to_write
def update(database: Database, /, namespace: str, ref: str | None) -> None:
    """Fetch the newest commit, verify it, and switch to it."""

    with _told():
        known = service.read(database, console(), namespace)
        place = Origin.of(known.url, ref or known.ref, namespace, _snapshots())
        view = bring_live(database, console(), namespace, place, _tell)
        if known.live and known.live.commit == _live(view).commit:
            _tell("Nothing is new: that commit was live before. Changes count once they are committed.")
        _say_live(view)


@command.command("list")
@to_read
def list_all(database: Database, /) -> None:
    """List the repositories and who may add others. Each has the commits that were fetched."""
    everything = service.list_all(database, console())
    for author in everything.authors:
        click.echo(f"{author.name} may add and update exercises under {author.namespace}.", err=True)
    found = everything.items
    if not found:
        click.echo("No exercise repositories. `assay exercises add URL_OR_PATH` serves one.", err=True)
        return
    rows = [
        (
            view.namespace,
            commit.commit[:12],
            "live" if commit.is_live else str(commit.state),
            ", ".join(commit.exercises),
            view.url,
        )
        for view in found
        for commit in view.commits
    ]
    click.echo(table(("NAMESPACE", "COMMIT", "STATE", "EXERCISES", "FROM"), rows))
    for view in found:
        for commit in view.commits:
            if commit.reason:
                click.echo(f"{view.namespace} {commit.commit[:12]} was refused: {commit.reason}")


@command.command()
@click.argument("namespace")
@to_write
def rollback(database: Database, /, namespace: str) -> None:
    """Switch back to the commit that was live before."""
    with _told():
        _say_live(service.roll_back(database, console(), namespace))


@command.command()
@click.argument("namespace")
@to_write
def remove(database: Database, /, namespace: str) -> None:
    """Stop serving a repository's exercises. Submissions stay, and can still be graded."""
    with _told():
        service.remove(database, console(), namespace)
    click.echo(f"The exercises of {namespace} are no longer served.")


@command.command()
@click.argument("namespace")
@click.argument("person")
@to_write
def give(database: Database, /, namespace: str, person: str) -> None:
    """Let a person manage a namespace. They add and update its exercises; their code then runs in judges."""
    with _told():
        authors.give(database, console(), namespace, person)
    click.echo(f"{person} may add and update exercises under {namespace}, on the page Exercise repositories.")


@command.command()
@click.argument("namespace")
@click.argument("person")
@to_write
@with_broker
def take(database: Database, broker: Broker | None, /, namespace: str, person: str) -> None:
    """Take a namespace back from a person. What is live stays live; their pending requests are cancelled."""
    with _told():
        authors.take(database, broker, console(), namespace, person)
    click.echo(f"{person} may no longer change exercises under {namespace}. What is live stays live.")


def _live(view: RepositoryView) -> CommitView:
    assert view.live is not None  # it has just gone live
    return view.live


def _say_live(view: RepositoryView) -> None:
    live = _live(view)
    click.echo(f"Live: {', '.join(live.exercises)} at commit {live.commit[:12]}.")
    for offer in view.regrades:
        click.echo(
            f"{offer.title} ({offer.course}) has results by another version of {offer.challenge}. "
            f"{hint('regrade', 'ask', offer.course, offer.assignment)} shows what a regrade would change."
        )


def _tell(line: str) -> None:
    click.echo(line, err=True)


def _snapshots() -> Path | None:
    """Where snapshots of plain folders are kept: beside `assay up`, whose judges can read them."""
    where = given_where()
    found = chosen(where.data_dir, where.database_url)
    return found.snapshots if isinstance(found, DataDir) else None


@contextmanager
def _told() -> Iterator[None]:
    """What is wrong with a repository is told in a sentence; nothing has changed then."""
    try:
        yield
    except RepositoryError as error:
        raise AssayError(f"{str(error).rstrip('.')}.", "What was live before stays live.") from error
