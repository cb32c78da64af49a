"""Learning platforms (LTI 1.3): registrations, keys, launches, linked courses, gradebook columns and scores."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

NAME, MOMENT, URL = sa.String(length=26), sa.DateTime(timezone=True), sa.String(length=1000)


def upgrade() -> None:
    _platforms()
    _contexts()
    _scores()


def _platforms() -> None:
    op.create_table(
        "lti_platforms",
        sa.Column("id", NAME, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("issuer", sa.String(length=500), nullable=False),
        sa.Column("client_id", sa.String(length=255), nullable=False),
        sa.Column("authorization_url", URL, nullable=False),
        sa.Column("token_url", URL, nullable=False),
        sa.Column("keyset_url", URL, nullable=False),
        sa.Column("token_audience", URL, nullable=True),
        sa.Column("service_hosts", sa.JSON(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lti_platforms")),
        sa.UniqueConstraint("issuer", "client_id", name=op.f("uq_lti_platforms_issuer_client_id")),
    )
    op.create_table(
        "lti_deployments",
        sa.Column("platform_id", NAME, nullable=False),
        sa.Column("deployment_id", sa.String(length=255), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        _refers("lti_deployments", "platform_id", "lti_platforms"),
        sa.PrimaryKeyConstraint("platform_id", "deployment_id", name=op.f("pk_lti_deployments")),
    )
    op.create_table(
        "lti_registrations",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("created_by_id", NAME, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        _refers("lti_registrations", "created_by_id", "users"),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_lti_registrations")),
    )
    op.create_index(op.f("ix_lti_registrations_created_by_id"), "lti_registrations", ["created_by_id"])
    op.create_table(
        "lti_keys",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lti_keys")),
    )
    op.create_table(
        "lti_launches",
        sa.Column("nonce", sa.String(length=64), nullable=False),
        sa.Column("ticket_sha256", sa.String(length=64), nullable=False),
        sa.Column("platform_id", NAME, nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("used_at", MOMENT, nullable=True),
        sa.Column("expires_at", MOMENT, nullable=False),
        _refers("lti_launches", "platform_id", "lti_platforms"),
        sa.PrimaryKeyConstraint("nonce", name=op.f("pk_lti_launches")),
        sa.UniqueConstraint("ticket_sha256", name=op.f("uq_lti_launches_ticket_sha256")),
    )
    op.create_index(op.f("ix_lti_launches_platform_id"), "lti_launches", ["platform_id"])
    op.create_index(op.f("ix_lti_launches_expires_at"), "lti_launches", ["expires_at"])


def _contexts() -> None:
    op.create_table(
        "lti_contexts",
        sa.Column("id", NAME, nullable=False),
        sa.Column("platform_id", NAME, nullable=False),
        sa.Column("deployment_id", sa.String(length=255), nullable=False),
        sa.Column("context_id", sa.String(length=255), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("course_id", NAME, nullable=True),
        sa.Column("linked_by_id", NAME, nullable=True),
        sa.Column("memberships_url", URL, nullable=True),
        sa.Column("line_items_url", URL, nullable=True),
        sa.Column("may_create_line_items", sa.Boolean(), nullable=False),
        sa.Column("roster_at", MOMENT, nullable=True),
        sa.Column("roster_result", sa.String(length=500), nullable=True),
        sa.Column("looked_at", MOMENT, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        _refers("lti_contexts", "platform_id", "lti_platforms"),
        _refers("lti_contexts", "course_id", "courses", "SET NULL"),
        _refers("lti_contexts", "linked_by_id", "users", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lti_contexts")),
        sa.UniqueConstraint(
            "platform_id",
            "deployment_id",
            "context_id",
            name=op.f("uq_lti_contexts_platform_id_deployment_id_context_id"),
        ),
    )
    op.create_index(op.f("ix_lti_contexts_course_id"), "lti_contexts", ["course_id"])
    op.create_index(op.f("ix_lti_contexts_linked_by_id"), "lti_contexts", ["linked_by_id"])
    op.create_table(
        "lti_members",
        sa.Column("context_id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        _refers("lti_members", "context_id", "lti_contexts"),
        _refers("lti_members", "user_id", "users"),
        sa.PrimaryKeyConstraint("context_id", "user_id", name=op.f("pk_lti_members")),
    )
    op.create_index(op.f("ix_lti_members_user_id"), "lti_members", ["user_id"])


def _scores() -> None:
    op.create_table(
        "lti_line_items",
        sa.Column("context_id", NAME, nullable=False),
        sa.Column("assignment_id", NAME, nullable=False),
        sa.Column("url", URL, nullable=True),
        _refers("lti_line_items", "context_id", "lti_contexts"),
        _refers("lti_line_items", "assignment_id", "assignments"),
        sa.PrimaryKeyConstraint("context_id", "assignment_id", name=op.f("pk_lti_line_items")),
    )
    op.create_index(op.f("ix_lti_line_items_assignment_id"), "lti_line_items", ["assignment_id"])
    op.create_table(
        "lti_scores",
        sa.Column("context_id", NAME, nullable=False),
        sa.Column("assignment_id", NAME, nullable=False),
        sa.Column("user_id", NAME, nullable=False),
        sa.Column("points", sa.Double(), nullable=True),
        sa.Column("points_max", sa.Double(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("sent_version", sa.Integer(), nullable=False),
        sa.Column("sent_at", MOMENT, nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_try_at", MOMENT, nullable=True),
        sa.Column("error", sa.String(length=500), nullable=True),
        sa.Column("changed_at", MOMENT, nullable=False),
        _refers("lti_scores", "context_id", "lti_contexts"),
        _refers("lti_scores", "assignment_id", "assignments"),
        _refers("lti_scores", "user_id", "users"),
        sa.PrimaryKeyConstraint("context_id", "assignment_id", "user_id", name=op.f("pk_lti_scores")),
    )
    op.create_index(op.f("ix_lti_scores_assignment_id"), "lti_scores", ["assignment_id"])
    op.create_index(op.f("ix_lti_scores_user_id"), "lti_scores", ["user_id"])
    op.create_index(op.f("ix_lti_scores_next_try_at"), "lti_scores", ["next_try_at"])


def _refers(table: str, column: str, target: str, when_gone: str = "CASCADE") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=op.f(f"fk_{table}_{column}"), ondelete=when_gone)
