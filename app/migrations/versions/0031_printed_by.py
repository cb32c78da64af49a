"""Who printed an invitation."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"

TABLE, COLUMN = "invitations", "printed_by_id"


def upgrade() -> None:
    with op.batch_alter_table(TABLE) as table:
        table.add_column(sa.Column(COLUMN, sa.String(length=26), nullable=True))
        table.create_foreign_key(op.f(f"fk_{TABLE}_{COLUMN}"), "users", [COLUMN], ["id"], ondelete="RESTRICT")
        table.create_index(op.f(f"ix_{TABLE}_{COLUMN}"), [COLUMN])
