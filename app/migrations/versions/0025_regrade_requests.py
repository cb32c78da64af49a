"""Regrade requests by students."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

TABLE = "regrade_requests"
NAME, MOMENT = sa.String(length=26), sa.DateTime(timezone=True)
OUTCOMES = ("unchanged", "points_changed", "graded_again", "withdrawn")


def upgrade() -> None:
    op.create_table(
        TABLE,
        sa.Column("id", NAME, nullable=False),
        sa.Column("submission_id", NAME, nullable=False),
        sa.Column("course_id", NAME, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("tests", sa.JSON(), nullable=False),
        sa.Column("file", sa.String(length=255), nullable=True),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("asked_at", MOMENT, nullable=False),
        sa.Column("outcome", sa.Enum(*OUTCOMES, native_enum=False, length=16, create_constraint=False), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("answered_by_id", NAME, nullable=True),
        sa.Column("closed_at", MOMENT, nullable=True),
        _key("submission_id", "submissions", "CASCADE"),
        _key("course_id", "courses", "CASCADE"),
        _key("answered_by_id", "users", "RESTRICT"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{TABLE}")),
    )
    op.create_index(op.f(f"ix_{TABLE}_submission_id"), TABLE, ["submission_id"])
    op.create_index(op.f(f"ix_{TABLE}_answered_by_id"), TABLE, ["answered_by_id"])
    op.create_index(op.f(f"ix_{TABLE}_course_id_outcome_id"), TABLE, ["course_id", "outcome", "id"])


def _key(column: str, target: str, ondelete: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=op.f(f"fk_{TABLE}_{column}"), ondelete=ondelete)
