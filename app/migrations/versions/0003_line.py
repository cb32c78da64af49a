"""Who waits for a judge stands in the database and is sent in turn; regrades that fail; keys of receipts."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    with op.batch_alter_table("submissions") as batch_op:
        batch_op.add_column(sa.Column("waiting_since", MOMENT, nullable=True))
        batch_op.add_column(sa.Column("queue", sa.String(length=32), nullable=False, server_default="grade.cpu"))
        batch_op.alter_column("queued_at", existing_type=MOMENT, nullable=True)
        batch_op.create_index(batch_op.f("ix_submissions_queued_at"), ["queued_at"], unique=False)
    op.execute("UPDATE submissions SET waiting_since = created_at")
    with op.batch_alter_table("submissions") as batch_op:
        batch_op.alter_column("waiting_since", existing_type=MOMENT, nullable=False)
        batch_op.alter_column("queue", existing_type=sa.String(length=32), server_default=None)

    with op.batch_alter_table("regraded_submissions") as batch_op:
        batch_op.alter_column("queued_at", existing_type=MOMENT, nullable=True)
        batch_op.add_column(sa.Column("requeues", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("fault", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("verdict_before", sa.String(length=16), nullable=True))
        batch_op.add_column(sa.Column("score_before", sa.Double(), nullable=True))
    with op.batch_alter_table("regraded_submissions") as batch_op:
        batch_op.alter_column("requeues", existing_type=sa.Integer(), server_default=None)

    op.create_table(
        "receipt_keys",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("public_key", sa.String(length=64), nullable=False),
        sa.Column("first_used_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_receipt_keys")),
    )
