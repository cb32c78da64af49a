"""Exercise repositories, with the commits that were fetched."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

NAME, MOMENT = sa.String(length=26), sa.DateTime(timezone=True)
REPOSITORIES, COMMITS, EXERCISES = "exercise_repositories", "exercise_commits", "committed_exercises"


def upgrade() -> None:
    op.create_table(
        REPOSITORIES,
        sa.Column("id", NAME, nullable=False),
        sa.Column("namespace", sa.String(length=24), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("ref", sa.String(length=200), nullable=False),
        sa.Column("live_id", NAME, nullable=True),
        sa.Column("removed_at", MOMENT, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{REPOSITORIES}")),
        sa.UniqueConstraint("namespace", name=op.f(f"uq_{REPOSITORIES}_namespace")),
    )
    op.create_table(
        COMMITS,
        sa.Column("id", NAME, nullable=False),
        sa.Column("repository_id", NAME, nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("commit", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("public", sa.LargeBinary(), nullable=True),
        sa.Column("added_by", sa.String(length=100), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("live_at", MOMENT, nullable=True),
        _key(COMMITS, "repository_id", REPOSITORIES),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{COMMITS}")),
        sa.UniqueConstraint("repository_id", "commit", name=op.f(f"uq_{COMMITS}_repository_id_commit")),
    )
    op.create_table(
        EXERCISES,
        sa.Column("commit_id", NAME, nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        _key(EXERCISES, "commit_id", COMMITS),
        sa.PrimaryKeyConstraint("commit_id", "slug", name=op.f(f"pk_{EXERCISES}")),
    )
    op.create_index(op.f(f"ix_{EXERCISES}_slug_version"), EXERCISES, ["slug", "version"])


def _key(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=op.f(f"fk_{table}_{column}"), ondelete="CASCADE")
