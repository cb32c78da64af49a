"""Requests from the dashboard for exercise repositories, and those to whom operators have given a namespace."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"

NAME, MOMENT = sa.String(length=26), sa.DateTime(timezone=True)
AUTHORS, FETCHES = "exercise_authors", "exercise_fetches"


def upgrade() -> None:
    op.add_column("committed_exercises", sa.Column("digest", sa.String(length=64), nullable=True))
    with op.batch_alter_table("jobs") as batch_op:  # some are about no submission
        batch_op.alter_column("submission_id", existing_type=NAME, nullable=True)
    op.create_table(
        AUTHORS,
        sa.Column("namespace", sa.String(length=24), nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("given_by", sa.String(length=100), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f(f"fk_{AUTHORS}_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("namespace", "user_id", name=op.f(f"pk_{AUTHORS}")),
    )
    op.create_index(op.f(f"ix_{AUTHORS}_user_id"), AUTHORS, ["user_id"])
    op.create_table(
        FETCHES,
        sa.Column("id", NAME, nullable=False),
        sa.Column("namespace", sa.String(length=24), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("ref", sa.String(length=200), nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("job_id", NAME, nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("progress", sa.String(length=200), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("commit", sa.String(length=64), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f(f"fk_{FETCHES}_user_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f(f"fk_{FETCHES}_job_id")),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{FETCHES}")),
        sa.UniqueConstraint("job_id", name=op.f(f"uq_{FETCHES}_job_id")),
    )
    op.create_index(op.f(f"ix_{FETCHES}_user_id"), FETCHES, ["user_id"])
    op.create_index(op.f(f"ix_{FETCHES}_namespace_state"), FETCHES, ["namespace", "state"])
