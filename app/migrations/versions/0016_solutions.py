"""Right answers that everybody could read stay read, however often an assignment is extended."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    with op.batch_alter_table("assignments") as batch_op:
        batch_op.add_column(sa.Column("solutions_were_shown", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("assignments") as batch_op:
        batch_op.alter_column("solutions_were_shown", existing_type=sa.Boolean(), server_default=None)
