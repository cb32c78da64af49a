"""GPU stages of submissions that have passed."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "gpu_stages",
        sa.Column("submission_id", sa.String(length=26), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("queued_at", MOMENT, nullable=True),
        sa.Column("started_at", MOMENT, nullable=True),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("worker", sa.String(length=255), nullable=True),
        sa.Column("requeues", sa.Integer(), nullable=False),
        sa.Column("requeue_at", MOMENT, nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_gpu_stages_submission_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_gpu_stages")),
    )
    op.create_index(op.f("ix_gpu_stages_state_queued_at"), "gpu_stages", ["state", "queued_at"])
