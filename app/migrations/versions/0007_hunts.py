"""The bug hunt: files that were handed out, and submissions that are to mend them."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

NAME, KIND, MOMENT = sa.String(length=26), sa.String(length=16), sa.DateTime(timezone=True)
BEFORE = ("user_id", "challenge", "attempt")
AFTER = ("user_id", "challenge", "kind", "attempt")
NUMBERED_BEHIND = """
UPDATE submissions SET attempt = attempt + COALESCE(
    (SELECT MAX(build.attempt) FROM submissions AS build WHERE build.user_id = submissions.user_id
     AND build.challenge = submissions.challenge AND build.kind = 'build'), 0)
WHERE kind = 'hunt'
"""


def upgrade() -> None:
    op.create_table(
        "hunts",
        sa.Column("id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("challenge", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("bug", sa.String(length=100), nullable=False),
        sa.Column("style", sa.String(length=100), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("lines_max", sa.Integer(), nullable=False),
        sa.Column("drawn_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_hunts_user_id"), ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hunts")),
        sa.UniqueConstraint("user_id", "challenge", "number", name=op.f("uq_hunts_user_id_challenge_number")),
    )
    op.create_table(
        "fixes",
        sa.Column("submission_id", NAME, nullable=False),
        sa.Column("hunt_id", NAME, nullable=False),
        sa.Column("lines", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_fixes_submission_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["hunt_id"], ["hunts.id"], name=op.f("fk_fixes_hunt_id"), ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_fixes")),
    )
    op.create_index(op.f("ix_fixes_hunt_id"), "fixes", ["hunt_id"])
    with op.batch_alter_table("submissions") as batch_op:
        batch_op.add_column(sa.Column("kind", KIND, nullable=False, server_default="build"))
        batch_op.drop_constraint(batch_op.f(_name(BEFORE)), type_="unique")
        batch_op.create_unique_constraint(batch_op.f(_name(AFTER)), AFTER)
    with op.batch_alter_table("submissions") as batch_op:
        batch_op.alter_column("kind", existing_type=KIND, server_default=None)


def _name(columns: tuple[str, ...]) -> str:
    return f"uq_submissions_{'_'.join(columns)}"
