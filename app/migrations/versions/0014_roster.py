"""What a course calls its people stands in its enrolments, and the audit log says who were accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0012"

CONSOLE, ACCOUNT, COMMAND_LINE = "console", "account", "command line"


def upgrade() -> None:
    """Courses keep what they have seen of their people until now."""
    with op.batch_alter_table("enrollments") as batch_op:
        batch_op.add_column(sa.Column("full_name", sa.String(length=200), nullable=True))
        batch_op.add_column(sa.Column("email", sa.String(length=254), nullable=True))
    users = sa.table("users", sa.column("id"), sa.column("full_name"), sa.column("email"))
    enrollments = sa.table("enrollments", sa.column("user_id"), sa.column("full_name"), sa.column("email"))
    theirs = {
        name: sa.select(users.c[name]).where(users.c.id == enrollments.c.user_id).scalar_subquery()
        for name in ("full_name", "email")
    }
    op.execute(enrollments.update().values(theirs))
    with op.batch_alter_table("audit") as batch_op:
        batch_op.add_column(sa.Column("actor_kind", sa.String(length=16), server_default=ACCOUNT, nullable=False))
    audit = sa.table("audit", sa.column("actor"), sa.column("actor_kind"))
    op.execute(audit.update().where(audit.c.actor == CONSOLE).values(actor_kind=COMMAND_LINE))
    with op.batch_alter_table("audit") as batch_op:
        batch_op.alter_column("actor_kind", existing_type=sa.String(length=16), server_default=None)
