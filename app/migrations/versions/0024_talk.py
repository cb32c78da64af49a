"""Comments on submissions."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

NAME, MOMENT = sa.String(length=26), sa.DateTime(timezone=True)


def upgrade() -> None:
    _create_comments()


def _create_comments() -> None:
    table = "comments"
    op.create_table(
        table,
        sa.Column("id", NAME, nullable=False),
        sa.Column("submission_id", NAME, nullable=False),
        sa.Column("author_id", NAME, nullable=False),
        sa.Column("file", sa.String(length=255), nullable=True),
        sa.Column("line", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written_at", MOMENT, nullable=False),
        sa.Column("edited_at", MOMENT, nullable=True),
        sa.Column("edited_by_id", NAME, nullable=True),
        _key(table, "submission_id", "submissions", "CASCADE"),
        _key(table, "author_id", "users", "RESTRICT"),
        _key(table, "edited_by_id", "users", "RESTRICT"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    )
    op.create_index(op.f(f"ix_{table}_submission_id"), table, ["submission_id"])
    op.create_index(op.f(f"ix_{table}_author_id"), table, ["author_id"])


def _key(table: str, column: str, target: str, ondelete: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=op.f(f"fk_{table}_{column}"), ondelete=ondelete)
