"""`assay course`: courses, rosters and assignments, straight in the database."""

import csv
import io
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from app.accounts import service as accounts
from app.accounts.service import console
from app.assignments import service as assignments
from app.assignments.schemas import ChangedTerms, NewAssignment
from app.courses import archiving, creation
from app.courses import roster as rosters
from app.courses import service as courses
from app.courses.schemas import NewCourse, RosterPlan
from app.database import Database
from app.exports.tables import harmless
from app.identifiers import is_free_slug
from app.models import Feedback, GradesRelease, Role, Solutions, Unlock
from assay.commands import course_gradebook
from assay.courses import assignments_table, catalogue_in, plan_in_words, table, terms_from
from assay.datadir import write_private
from assay.errors import WrongUsage
from assay.open_database import hint, on_database, to_read, to_write
from assay.root_option import root_option
from assay.times import zone_of

SLUGS = "Use lower-case letters, digits and hyphens; some words are reserved."
CommandT = TypeVar("CommandT", bound=Callable[..., Any])


@click.group()
@on_database
def command() -> None:
    """Manage courses: rosters, assignments, exceptions, overrides, grades."""


@command.command("list")
@to_read
def list_courses(database: Database) -> None:
    """List the courses, with how many people each has."""
    rows = [
        (item.slug, item.title, item.students, item.staff, item.assignments, "archived" if item.archived_at else "")
        for item in courses.everything(database)
    ]
    click.echo(table(("COURSE", "TITLE", "STUDENTS", "STAFF", "ASSIGNMENTS", ""), rows))


@command.command()
@click.argument("course")
@click.option("--title", help="What people call it; by default, the URL name.")
@click.option(
    "--instructor", "instructors", multiple=True, metavar="NAME", help="Who teaches it; may be given more than once."
)
@click.option(
    "--time-zone", default="UTC", show_default=True, help="The zone of its pages: an IANA name, such as Europe/Berlin."
)
@to_write
def create(database: Database, course: str, title: str | None, instructors: tuple[str, ...], time_zone: str) -> None:
    """Create a course. COURSE is its URL name: lowercase letters, digits, hyphens."""
    if not is_free_slug(course):
        raise WrongUsage(f"{course[:64]!r} cannot name a course.", SLUGS)
    wanted = NewCourse(slug=course, title=title or course, time_zone=time_zone)
    creation.create(database, console(), wanted)
    for name in instructors:
        accounts.enroll(database, name, course, Role.INSTRUCTOR, by=console())
    click.echo(f"Created {course}. Next: {hint('course', 'roster', 'import', course, 'FILE')}.")


@command.command()
@click.argument("course")
@to_read
def show(database: Database, course: str) -> None:
    """Show the people and assignments of a course."""
    people = courses.roster(database, console(), course).items
    asked = assignments.list_all(database, console(), course)
    rows = [(item.name, item.role, item.full_name or "-", item.submissions, len(item.passed)) for item in people]
    click.echo(table(("NAME", "ROLE", "FULL NAME", "SUBMISSIONS", "PASSED"), rows))
    click.echo(f"\n{assignments_table(asked)}")


@command.command()
@click.argument("course")
@to_write
def archive(database: Database, course: str) -> None:
    """Archive a course that is over.

    Its students can still read their work, but not submit anything.
    """
    archiving.archive(database, console(), course)
    click.echo(f"{course} is archived. To bring it back: {hint('course', 'bring-back', course)}.")


@command.command("bring-back")
@click.argument("course")
@to_write
def bring_back(database: Database, course: str) -> None:
    """Bring an archived course back."""
    archiving.bring_back(database, console(), course)
    click.echo(f"Students can submit to {course} again, wherever an assignment has not closed.")


@command.group()
def roster() -> None:
    """Import a roster."""


@roster.command("import")
@click.argument("course")
@click.argument("file", type=click.File("rb"))
@click.option("--remove-missing", is_flag=True, help="Remove students who are not in the file.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--tokens",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a token for each new account here, as CSV that only you can read.",
)
@to_write
def import_roster(
    database: Database, course: str, file: io.BufferedIOBase, remove_missing: bool, yes: bool, tokens: Path | None
) -> None:
    """Import people from a CSV file. Columns: name, full_name, email, role, section. You see what changes first."""
    content = file.read()
    if tokens is not None and tokens.exists():
        raise WrongUsage(f"{tokens} already exists.", "Name a new file for the tokens.")
    plan = rosters.preview(database, console(), course, content, remove_missing=remove_missing)
    for line in plan_in_words(plan):
        click.echo(line)
    if not (plan.added or plan.changed or plan.removed):
        return
    if not yes:
        click.confirm("Apply these changes?", abort=True)
    rosters.apply(database, console(), course, content, remove_missing=remove_missing, digest=plan.digest)
    if tokens is not None:
        _write_tokens(database, plan, tokens)
    click.echo("Done.")


@command.group()
def assignment() -> None:
    """Create, list, change and remove assignments."""


_TERMS: Final = (
    click.option("--title", help="What students read; by default, the challenge's title."),
    click.option("--points", type=float, help="What a perfect submission earns; 100 by default."),
    click.option(
        "--opens", "opens_at", metavar="TIME", help="2026-12-01T09:00 in the course's zone, or with its own: +01:00"
    ),
    click.option("--due", "due_at", metavar="TIME", help="Later submissions are late."),
    click.option("--closes", "closes_at", metavar="TIME", help="No submissions after this."),
    click.option("--grace-minutes", type=int, help="Minutes after the due time in which nothing is late."),
    click.option("--late-percent-per-day", type=float, help="Deducted for each day after the due time."),
    click.option("--bonus/--no-bonus", "is_bonus", default=None, help="Counts on top of the course's points."),
    click.option("--attempts", "attempts_max", metavar="N", help="How many attempts in all."),
    click.option("--attempts-per-hour", metavar="N"),
    click.option(
        "--charge-rejected/--rejected-are-free",
        "charges_rejected",
        default=None,
        help="Whether a file that cannot be graded costs an attempt.",
    ),
    click.option(
        "--superseding/--keep-all",
        "is_superseding",
        default=None,
        help="A newer upload replaces one that is still waiting.",
    ),
    click.option(
        "--grades",
        "grades_release",
        type=click.Choice([item.value for item in GradesRelease]),
        help="held: students see no points until the grades are released.",
    ),
    click.option(
        "--leaderboard/--no-leaderboard",
        "has_leaderboard",
        default=None,
        help="Students who passed may show, under a pseudonym, how fast their code is.",
    ),
    click.option(
        "--feedback",
        type=click.Choice([item.value for item in Feedback]),
        help="What students see until it closes.",
    ),
    click.option("--question-points", type=float, help="For all questions together; --points is for the code."),
    click.option(
        "--questions",
        "questions_unlock",
        type=click.Choice([item.value for item in Unlock]),
        help="When the questions open.",
    ),
    click.option("--unlock-attempts", metavar="N", help="After how many, with --questions after_attempts."),
    click.option("--answers", "answers_max", metavar="N", help="How many answers each question takes."),
    click.option(
        "--solutions",
        type=click.Choice([item.value for item in Solutions]),
        help="When students see right answers that they did not find.",
    ),
)


def term_options(command: CommandT) -> CommandT:
    """Adds the terms of an assignment as options; `none` takes a limit away."""
    return reduce(lambda built, option: option(built), reversed(_TERMS), command)


@assignment.command("add")
@click.argument("course")
@click.argument("slug")
@click.option(
    "--challenge",
    required=True,
    help="A slug from `assay challenge list` or `assay exercises list`.",
)
@term_options
@root_option
@to_write
def add_assignment(database: Database, /, course: str, slug: str, root: Path, **options: Any) -> None:
    """Create an assignment. SLUG is its URL name."""
    catalogue = catalogue_in(root, database)
    wanted = {
        "title": catalogue.get(options["challenge"]).challenge.manifest.title,
        **terms_from(options, zone_of(database, course)),
    }
    made = assignments.create(database, catalogue, console(), course, NewAssignment(slug=slug, **wanted))
    click.echo(assignments_table([made]))


@assignment.command("list")
@click.argument("course")
@to_read
def list_assignments(database: Database, course: str) -> None:
    """List the assignments, the next due first."""
    click.echo(assignments_table(assignments.list_all(database, console(), course)))


@assignment.command("set")
@click.argument("course")
@click.argument("slug")
@click.option("--challenge", help="Only possible before anyone has submitted.")
@term_options
@root_option
@to_write
def set_assignment(database: Database, /, course: str, slug: str, root: Path, **options: Any) -> None:
    """Change an assignment, for everybody. `none` removes a limit; `assay course exception` is for one student."""
    wanted = ChangedTerms.model_validate(terms_from(options, zone_of(database, course)))
    changed = assignments.change(database, catalogue_in(root, database), console(), course, slug, wanted)
    click.echo(assignments_table([changed]))


@assignment.command("remove")
@click.argument("course")
@click.argument("slug")
@to_write
def remove_assignment(database: Database, course: str, slug: str) -> None:
    """Remove an assignment that nobody has submitted to. With submissions, close it: `assay course assignment set`."""
    assignments.remove(database, console(), course, slug)
    click.echo(f"The assignment {slug} of {course} is removed.")


def _write_tokens(database: Database, plan: RosterPlan, path: Path) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("name", "token"))
    for person in plan.added:
        if person.is_new_account:
            writer.writerow(
                (harmless(person.name), accounts.issue_token(database, person.name, "roster", by=console()))
            )
    write_private(path, text.getvalue().rstrip("\n"))


for each in course_gradebook.COMMANDS:
    command.add_command(each)
