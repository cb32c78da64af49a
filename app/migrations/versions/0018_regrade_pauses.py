"""When a submission of a regrade may be sent again, after the service has failed on it."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    with op.batch_alter_table("regraded_submissions") as batch_op:
        batch_op.add_column(sa.Column("requeue_at", sa.DateTime(timezone=True), nullable=True))
