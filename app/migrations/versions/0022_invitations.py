"""Time zones of courses, invitations, and sign-in links. Times of courses that are there were entered in UTC."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

NAME, MOMENT = sa.String(length=26), sa.DateTime(timezone=True)


def upgrade() -> None:
    with op.batch_alter_table("courses") as batch_op:
        batch_op.add_column(sa.Column("time_zone", sa.String(length=64), nullable=False, server_default="UTC"))
    with op.batch_alter_table("courses") as batch_op:
        batch_op.alter_column("time_zone", existing_type=sa.String(length=64), server_default=None)
    op.create_table(
        "invitations",
        sa.Column("id", NAME, nullable=False),
        sa.Column("course_id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("is_printed", sa.Boolean(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_try_at", MOMENT, nullable=True),
        sa.Column("reason", sa.String(length=200), nullable=True),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name=op.f("fk_invitations_course_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_invitations_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("course_id", "user_id", name=op.f("uq_invitations_course_id_user_id")),
        sa.UniqueConstraint("sha256", name=op.f("uq_invitations_sha256")),
    )
    op.create_index(op.f("ix_invitations_user_id"), "invitations", ["user_id"])
    op.create_index(op.f("ix_invitations_state"), "invitations", ["state"])
    op.create_table(
        "sign_in_links",
        sa.Column("id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=True),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sign_in_links_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_links")),
        sa.UniqueConstraint("sha256", name=op.f("uq_sign_in_links_sha256")),
    )
    op.create_index(op.f("ix_sign_in_links_user_id"), "sign_in_links", ["user_id"])
