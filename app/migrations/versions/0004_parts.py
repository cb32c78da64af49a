"""What analytics needs of a report: families and rules, and the line behind a misconception. Old reports are read."""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

BATCH = 500

reports = sa.table("reports", sa.column("submission_id", sa.String), sa.column("body", sa.Text))
diagnoses = sa.table(
    "diagnoses",
    sa.column("submission_id", sa.String),
    sa.column("misconception", sa.String),
    sa.column("line", sa.Integer),
    sa.column("file", sa.String),
)


def upgrade() -> None:
    with op.batch_alter_table("diagnoses") as batch_op:
        batch_op.add_column(sa.Column("line", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("file", sa.String(length=255), nullable=True))
    parts = op.create_table(
        "graded_parts",
        sa.Column("submission_id", sa.String(length=26), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("passed", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submissions.id"],
            name=op.f("fk_graded_parts_submission_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("submission_id", "kind", "name", name=op.f("pk_graded_parts")),
    )
    connection = op.get_bind()
    for batch in _batches(connection):
        read = [(submission_id, report) for submission_id, body in batch if (report := _read(body)) is not None]
        if rows := [row for key, report in read for row in _parts(key, report)]:
            connection.execute(parts.insert(), rows)
        for key, report in read:
            for found in report.get("diagnoses", ()):
                connection.execute(
                    diagnoses.update()
                    .where(diagnoses.c.submission_id == key, diagnoses.c.misconception == found["id"][:100])
                    .values(line=found.get("line"), file=(found.get("file") or "")[:255] or None)
                )


def _batches(connection: sa.Connection) -> Iterator[list[Any]]:
    last = ""
    while True:
        query = sa.select(reports).where(reports.c.submission_id > last).order_by(reports.c.submission_id)
        batch = list(connection.execute(query.limit(BATCH)))
        if not batch:
            return
        yield batch
        last = batch[-1].submission_id


def _read(body: str) -> dict[str, Any] | None:
    """None for what is no report: figures without it are better than a service that does not start."""
    try:
        report = json.loads(body)
    except ValueError:
        return None
    return report if isinstance(report, dict) else None


def _parts(submission_id: str, report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    counts: dict[tuple[str, str], list[int]] = {}
    for test in report.get("tests", ()):
        count = counts.setdefault(("family", test["group"][:100]), [0, 0])
        count[0] += test["status"] == "passed"
        count[1] += 1
    for finding in report.get("structure", ()):
        counts[("rule", finding["rule"][:100])] = [int(finding["status"] == "passed"), 1]
    for (kind, name), (passed, total) in counts.items():
        yield {"submission_id": submission_id, "kind": kind, "name": name, "passed": passed, "total": total}
