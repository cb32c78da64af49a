"""Whether a file that cannot be graded costs an attempt: where assignments were set before, it goes on to."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    with op.batch_alter_table("assignments") as batch_op:
        batch_op.add_column(sa.Column("charges_rejected", sa.Boolean(), nullable=False, server_default=sa.true()))
    with op.batch_alter_table("assignments") as batch_op:
        batch_op.alter_column("charges_rejected", existing_type=sa.Boolean(), server_default=None)
