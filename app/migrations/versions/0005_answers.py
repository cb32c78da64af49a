"""What an assignment's questions are worth and when they are asked; who read a free text, and what they gave."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

from app.identifiers import new_id

revision = "0005"
down_revision = "0004"

TEXT = sa.String(length=16)
Columns = tuple[tuple[str, TypeEngine[Any], str], ...]
TERMS: Columns = (
    ("question_points", sa.Double(), "0"),
    ("questions_unlock", TEXT, "always"),
    ("solutions", TEXT, "never"),
)
COUNTS: Columns = (("tries", sa.Integer(), "1"), ("version", sa.Integer(), "1"), ("asked", sa.Text(), ""))
answers = sa.table(
    "answers",
    sa.column("submission_id", sa.String),
    sa.column("question", sa.String),
    sa.column("id", sa.String),
)


def upgrade() -> None:
    _add("assignments", TERMS)
    with op.batch_alter_table("assignments") as batch_op:
        batch_op.add_column(sa.Column("unlock_attempts", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("answers_max", sa.Integer(), nullable=True))

    _add("answers", COUNTS)
    with op.batch_alter_table("answers") as batch_op:
        batch_op.add_column(sa.Column("id", sa.String(length=26), nullable=True))
    _name_answers(op.get_bind())
    with op.batch_alter_table("answers") as batch_op:
        batch_op.alter_column("id", existing_type=sa.String(length=26), nullable=False)
        batch_op.create_unique_constraint(batch_op.f("uq_answers_id"), ["id"])

    op.create_table(
        "readings",
        sa.Column("answer_id", sa.String(length=26), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("reader_id", sa.String(length=26), nullable=False),
        sa.Column("role", TEXT, nullable=False),
        sa.Column("points", sa.JSON(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["answer_id"], ["answers.id"], name=op.f("fk_readings_answer_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["reader_id"], ["users.id"], name=op.f("fk_readings_reader_id"), ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("answer_id", "place", name=op.f("pk_readings")),
    )
    op.create_index(op.f("ix_readings_reader_id"), "readings", ["reader_id"])


def _add(table: str, columns: Columns) -> None:
    """Columns that old rows get a value in, and that have no default afterwards."""
    with op.batch_alter_table(table) as batch_op:
        for name, kind, value in columns:
            batch_op.add_column(sa.Column(name, kind, nullable=False, server_default=value))
    with op.batch_alter_table(table) as batch_op:
        for name, kind, _ in columns:
            batch_op.alter_column(name, existing_type=kind, server_default=None)


def _name_answers(connection: sa.Connection) -> None:
    for submission_id, question in connection.execute(sa.select(answers.c.submission_id, answers.c.question)).all():
        mine = (answers.c.submission_id == submission_id, answers.c.question == question)
        connection.execute(answers.update().where(*mine).values(id=new_id()))
