"""Web sessions as rows, tokens that end, and what a roster must know of an account: who made it, and whether anybody
has used it.
"""

import unicodedata
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

NAME, MOMENT = sa.String(length=26), sa.DateTime(timezone=True)
LONGEST_LIFE = timedelta(days=365)
USED = """
UPDATE users SET first_used_at = created_at WHERE
    EXISTS (SELECT 1 FROM tokens WHERE tokens.user_id = users.id)
    OR EXISTS (SELECT 1 FROM identities WHERE identities.user_id = users.id)
    OR EXISTS (SELECT 1 FROM submissions WHERE submissions.user_id = users.id)
"""


def upgrade() -> None:
    """Whether a token was ever used is not known of old accounts: who was given one counts as having used it."""
    op.create_table(
        "web_sessions",
        sa.Column("id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("token_id", NAME, nullable=True),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("proof", sa.String(length=16), nullable=False),
        sa.Column("browser", sa.String(length=40), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("used_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_web_sessions_user_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["token_id"], ["tokens.id"], name=op.f("fk_web_sessions_token_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_web_sessions")),
        sa.UniqueConstraint("sha256", name=op.f("uq_web_sessions_sha256")),
    )
    op.create_index(op.f("ix_web_sessions_user_id"), "web_sessions", ["user_id"])
    op.create_index(op.f("ix_web_sessions_token_id"), "web_sessions", ["token_id"])
    _end_tokens()
    with op.batch_alter_table("users") as batch_op:
        batch_op.add_column(sa.Column("name_key", sa.String(length=400), nullable=True))
        batch_op.add_column(sa.Column("created_by_course_id", NAME, nullable=True))
        batch_op.add_column(sa.Column("first_used_at", MOMENT, nullable=True))
        batch_op.create_foreign_key(
            batch_op.f("fk_users_created_by_course_id"),
            "courses",
            ["created_by_course_id"],
            ["id"],
            ondelete="SET NULL",
        )
        batch_op.create_index(batch_op.f("ix_users_created_by_course_id"), ["created_by_course_id"])
    op.execute(USED)
    _key_names()
    with op.batch_alter_table("users") as batch_op:
        batch_op.alter_column("name_key", existing_type=sa.String(length=400), nullable=False)
        batch_op.create_unique_constraint(batch_op.f("uq_users_name_key"), ["name_key"])


def _end_tokens() -> None:
    """Tokens without an end get the longest life, from today."""
    tokens = sa.table("tokens", sa.column("expires_at", MOMENT))
    op.execute(tokens.update().where(tokens.c.expires_at.is_(None)).values(expires_at=datetime.now(UTC) + LONGEST_LIFE))
    with op.batch_alter_table("tokens") as batch_op:
        batch_op.add_column(sa.Column("used_at", MOMENT, nullable=True))
        batch_op.alter_column("expires_at", existing_type=MOMENT, nullable=False)


def _key_names() -> None:
    """As `app.accounts.names.name_key` made it then. Where two old names have one key, the later has its id behind it:
    both stay, and a third cannot come.
    """
    users = sa.table("users", sa.column("id", NAME), sa.column("name"), sa.column("name_key"))
    connection, taken = op.get_bind(), set()
    for user_id, name in connection.execute(sa.select(users.c.id, users.c.name).order_by(users.c.id)).all():
        key = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())[:350]
        key = f"{key}/{user_id}" if key in taken else key
        taken.add(key)
        connection.execute(users.update().where(users.c.id == user_id).values(name_key=key))
