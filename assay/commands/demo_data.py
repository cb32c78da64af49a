"""`assay demo-data`: a course with students, submissions and real reports, to look at the dashboard with."""

import os
from pathlib import Path
from random import Random

import click

from app.challenges.service import Catalogue
from app.database import Database
from app.models import now
from assay.open_database import to_write
from assay.root_option import root_option


@click.command()
@click.option("--course", default="demo-class", show_default=True, help="The course's URL name.")
@click.option("--students", type=click.IntRange(1, 2000), default=200, show_default=True)
@click.option("--seed", type=int, default=7, show_default=True, help="The same number makes the same class.")
@click.option("--jobs", type=click.IntRange(1, 64), default=os.cpu_count() or 1, help="Files graded at the same time.")
@to_write
@root_option
def command(database: Database, /, course: str, students: int, seed: int, jobs: int, root: Path) -> None:
    """Create a demo course with invented students, to see what the pages show.

    The gradings are real: the grader grades every file that one of them "sent", once; students with the same file share
    its report. Times, names and answers are made up. It takes some minutes.
    """
    from assay.demo.grading import grade_sources  # noqa: PLC0415 - torch: wrong usage need not wait for it
    from assay.demo.school import SETS, write_course  # noqa: PLC0415

    catalogue, random, moment = Catalogue(root), Random(seed), now()  # noqa: S311 - no secret is made of it
    graded = {}
    for item in SETS:
        if item.opens < 0 and item.challenge not in graded:
            challenge = catalogue.get(item.challenge).challenge
            graded[item.challenge] = grade_sources(challenge, random, jobs, lambda line: click.echo(line, err=True))
    made = write_course(database, catalogue, graded, random, moment, course, students)
    files = sum(len(item.reports) for item in graded.values())
    click.echo(
        f"Made {course}: {students} students, {made.submissions} submissions of {files} different files. Each file was "
        f"graded once, by the real grader; its report is everybody's who sent it."
    )
    click.echo(f"Instructor: {course}-instructor  {made.instructor_token}")
    click.echo(f"A student:  {made.student}  {made.student_token}")
