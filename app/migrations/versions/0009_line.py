"""An index that knows the queue of what waits, so that the line is counted from it alone."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_index(op.f("ix_submissions_state_queue_queued_at"), "submissions", ["state", "queue", "queued_at"])
    op.drop_index(op.f("ix_submissions_state_queued_at"), table_name="submissions")
