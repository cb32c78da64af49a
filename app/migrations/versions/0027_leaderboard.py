"""Leaderboards of assignments."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

NAME, MOMENT = sa.String(length=26), sa.DateTime(timezone=True)
TABLE = "leaderboard_entries"


def upgrade() -> None:
    with op.batch_alter_table("assignments") as batch_op:
        batch_op.add_column(sa.Column("has_leaderboard", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("assignments") as batch_op:
        batch_op.alter_column("has_leaderboard", existing_type=sa.Boolean(), server_default=None)
    op.create_table(
        TABLE,
        sa.Column("id", NAME, nullable=False),
        sa.Column("assignment_id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("pseudonym", sa.String(length=30), nullable=False),
        sa.Column("pseudonym_key", sa.String(length=120), nullable=False),
        sa.Column("joined_at", MOMENT, nullable=False),
        sa.Column("removed_at", MOMENT, nullable=True),
        sa.Column("submission_id", NAME, nullable=True),
        sa.Column("challenge_version", sa.String(length=64), nullable=True),
        sa.Column("job_id", NAME, nullable=True),
        sa.Column("measured_at", MOMENT, nullable=True),
        sa.Column("worker", sa.String(length=255), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        _key("assignment_id", "assignments", "CASCADE"),
        _key("user_id", "users", "CASCADE"),
        _key("submission_id", "submissions", "SET NULL"),
        _key("job_id", "jobs", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{TABLE}")),
        sa.UniqueConstraint("assignment_id", "user_id", name=op.f(f"uq_{TABLE}_assignment_id_user_id")),
        sa.UniqueConstraint("assignment_id", "pseudonym_key", name=op.f(f"uq_{TABLE}_assignment_id_pseudonym_key")),
        sa.UniqueConstraint("job_id", name=op.f(f"uq_{TABLE}_job_id")),
    )
    op.create_index(op.f(f"ix_{TABLE}_user_id"), TABLE, ["user_id"])
    op.create_index(op.f(f"ix_{TABLE}_submission_id"), TABLE, ["submission_id"])


def _key(column: str, target: str, ondelete: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=op.f(f"fk_{TABLE}_{column}"), ondelete=ondelete)
