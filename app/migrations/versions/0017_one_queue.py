"""Submissions wait in one queue: no challenge ever asked for another."""

from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    with op.batch_alter_table("submissions") as batch_op:
        batch_op.drop_index(batch_op.f("ix_submissions_state_queue_queued_at"))
        batch_op.drop_column("queue")
        batch_op.create_index(batch_op.f("ix_submissions_state_queued_at"), ["state", "queued_at"])
