"""A secret for each student's numbers, what questions know of a run, and lines of code that wait to be run."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

SEED = sa.String(length=64)


def upgrade() -> None:
    with op.batch_alter_table("users") as batch_op:
        batch_op.add_column(sa.Column("question_seed", SEED, nullable=True))
    op.execute("UPDATE users SET question_seed = id")  # who has answered keeps their numbers
    with op.batch_alter_table("users") as batch_op:
        batch_op.alter_column("question_seed", existing_type=SEED, nullable=False)
    with op.batch_alter_table("submissions") as batch_op:
        batch_op.add_column(sa.Column("facts", sa.JSON(none_as_null=True), nullable=True))
    with op.batch_alter_table("answers") as batch_op:
        batch_op.add_column(sa.Column("check_from", sa.DateTime(timezone=True), nullable=True))
        batch_op.create_index(batch_op.f("ix_answers_check_from"), ["check_from"])
