"""When a course was archived."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.add_column("courses", sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True))
