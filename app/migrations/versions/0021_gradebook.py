"""Sections, exceptions from terms, overrides of points, grades that are held, and a gradebook's rules."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

NAME = sa.String(length=26)
MOMENT = sa.DateTime(timezone=True)
RELEASE = sa.Enum("at_once", "held", native_enum=False, length=16, create_constraint=False)
INDEXED = ["assignment_id", "state", "score", "graded_at", "user_id", "id"]
# What older rows have: all as it was.
ASSIGNMENTS = (
    ("grace_minutes", sa.Integer(), "0"),
    ("is_bonus", sa.Boolean(), sa.false()),
    ("grades_release", RELEASE, "at_once"),
)


def upgrade() -> None:
    with op.batch_alter_table("enrollments") as batch_op:
        batch_op.add_column(sa.Column("section", sa.String(length=100), nullable=True))
    with op.batch_alter_table("courses") as batch_op:
        batch_op.add_column(sa.Column("drop_lowest", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("courses") as batch_op:
        batch_op.alter_column("drop_lowest", existing_type=sa.Integer(), server_default=None)
    with op.batch_alter_table("assignments") as batch_op:
        for name, kind, value in ASSIGNMENTS:
            batch_op.add_column(sa.Column(name, kind, nullable=False, server_default=value))
        batch_op.add_column(sa.Column("released_at", MOMENT, nullable=True))
    with op.batch_alter_table("assignments") as batch_op:
        for name, kind, _ in ASSIGNMENTS:
            batch_op.alter_column(name, existing_type=kind, server_default=None)
    op.create_index("ix_submissions_gradebook", "submissions", INDEXED)
    _create_exceptions()
    _create_overrides()


def _create_exceptions() -> None:
    table = "terms_exceptions"
    op.create_table(
        table,
        sa.Column("id", NAME, nullable=False),
        sa.Column("assignment_id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=True),
        sa.Column("section", sa.String(length=100), nullable=True),
        sa.Column("due_at", MOMENT, nullable=True),
        sa.Column("closes_at", MOMENT, nullable=True),
        sa.Column("extra_attempts", sa.Integer(), nullable=False),
        *_given(),
        *_keys(table),
        sa.UniqueConstraint("assignment_id", "user_id", name=op.f(f"uq_{table}_assignment_id_user_id")),
        sa.UniqueConstraint("assignment_id", "section", name=op.f(f"uq_{table}_assignment_id_section")),
    )
    op.create_index(op.f(f"ix_{table}_user_id"), table, ["user_id"])


def _create_overrides() -> None:
    table = "points_overrides"
    op.create_table(
        table,
        sa.Column("id", NAME, nullable=False),
        sa.Column("assignment_id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("points", sa.Double(), nullable=True),
        *_given(),
        *_keys(table),
    )
    op.create_index(op.f(f"ix_{table}_assignment_id_user_id_id"), table, ["assignment_id", "user_id", "id"])
    op.create_index(op.f(f"ix_{table}_user_id"), table, ["user_id"])


def _given() -> tuple[sa.Column[Any], ...]:
    return (
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("given_by", sa.String(length=100), nullable=False),
        sa.Column("given_at", MOMENT, nullable=False),
    )


def _keys(table: str) -> tuple[sa.Constraint, ...]:
    return (
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignments.id"], name=op.f(f"fk_{table}_assignment_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f(f"fk_{table}_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    )
