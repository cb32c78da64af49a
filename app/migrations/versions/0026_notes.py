"""Notes to students, who has read them, and digests by mail."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

NAME, MOMENT = sa.String(length=26), sa.DateTime(timezone=True)


def upgrade() -> None:
    _create_notes()
    _create_recipients()
    _create_readers()
    _create_digests()


def _create_notes() -> None:
    table = "notes"
    op.create_table(
        table,
        sa.Column("id", NAME, nullable=False),
        sa.Column("course_id", NAME, nullable=False),
        sa.Column("assignment_id", NAME, nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("misconception", sa.String(length=100), nullable=True),
        sa.Column("misconception_title", sa.String(length=300), nullable=True),
        sa.Column("regrade_id", NAME, nullable=True),
        sa.Column("author_id", NAME, nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sent_at", MOMENT, nullable=False),
        _key(table, "course_id", "courses", "CASCADE"),
        _key(table, "assignment_id", "assignments", "CASCADE"),
        _key(table, "regrade_id", "regrades", "CASCADE"),
        _key(table, "author_id", "users", "RESTRICT"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    )
    op.create_index(op.f(f"ix_{table}_course_id_id"), table, ["course_id", "id"])
    for column in ("assignment_id", "regrade_id", "author_id"):
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column])


def _create_recipients() -> None:
    table = "note_recipients"
    op.create_table(
        table,
        sa.Column("note_id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("read_at", MOMENT, nullable=True),
        _key(table, "note_id", "notes", "CASCADE"),
        _key(table, "user_id", "users", "CASCADE"),
        sa.PrimaryKeyConstraint("note_id", "user_id", name=op.f(f"pk_{table}")),
    )
    op.create_index(op.f(f"ix_{table}_user_id_note_id"), table, ["user_id", "note_id"])


def _create_readers() -> None:
    table = "readers"
    op.create_table(
        table,
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("seen_until", MOMENT, nullable=True),
        sa.Column("not_mailed", sa.JSON(), nullable=False),
        sa.Column("mail_secret", sa.String(length=64), nullable=False),
        _key(table, "user_id", "users", "CASCADE"),
        sa.PrimaryKeyConstraint("user_id", name=op.f(f"pk_{table}")),
    )


def _create_digests() -> None:
    table = "digests"
    op.create_table(
        table,
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("last_at", MOMENT, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_try_at", MOMENT, nullable=True),
        sa.Column("tells_until", MOMENT, nullable=True),
        sa.Column("told_until", MOMENT, nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=True),
        _key(table, "user_id", "users", "CASCADE"),
        sa.PrimaryKeyConstraint("user_id", name=op.f(f"pk_{table}")),
    )
    op.create_index(op.f(f"ix_{table}_state_next_try_at"), table, ["state", "next_try_at"])


def _key(table: str, column: str, target: str, ondelete: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=op.f(f"fk_{table}_{column}"), ondelete=ondelete)
