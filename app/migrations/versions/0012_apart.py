"""Whether an assignment draws its questions' numbers from variants that practice does not use."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    with op.batch_alter_table("assignments") as batch_op:
        # Students keep the numbers that they have been given: what is there already goes on as it was.
        batch_op.add_column(sa.Column("draws_apart", sa.Boolean(), server_default=sa.false(), nullable=False))
    with op.batch_alter_table("assignments") as batch_op:
        batch_op.alter_column("draws_apart", existing_type=sa.Boolean(), server_default=None)
