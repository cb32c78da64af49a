"""With which token a token was made. Of those that there are already, nobody knows."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    with op.batch_alter_table("tokens") as batch_op:
        batch_op.add_column(sa.Column("made_with_id", sa.String(length=26), nullable=True))
        batch_op.create_foreign_key(
            batch_op.f("fk_tokens_made_with_id"), "tokens", ["made_with_id"], ["id"], ondelete="SET NULL"
        )
        batch_op.create_index(batch_op.f("ix_tokens_made_with_id"), ["made_with_id"])
