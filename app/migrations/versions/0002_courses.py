"""Assignments, rosters, identities, regrades, receipts, the audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=100), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("course", sa.String(length=64), nullable=True),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_course_at"), "audit", ["course", "at"])

    op.create_table(
        "assignments",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("course_id", sa.String(length=26), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("challenge", sa.String(length=64), nullable=False),
        sa.Column("points", sa.Double(), nullable=False),
        sa.Column("opens_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closes_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("late_percent_per_day", sa.Double(), nullable=False),
        sa.Column("attempts_max", sa.Integer(), nullable=True),
        sa.Column("attempts_per_hour", sa.Integer(), nullable=True),
        sa.Column("is_superseding", sa.Boolean(), nullable=False),
        sa.Column("feedback", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name=op.f("fk_assignments_course_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
        sa.UniqueConstraint("course_id", "slug", name=op.f("uq_assignments_course_id_slug")),
    )
    op.create_table(
        "identities",
        sa.Column("issuer", sa.String(length=500), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_identities_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("issuer", "subject", name=op.f("pk_identities")),
    )
    op.create_index(op.f("ix_identities_user_id"), "identities", ["user_id"])

    op.create_table(
        "regrades",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("assignment_id", sa.String(length=26), nullable=False),
        sa.Column("challenge_version", sa.String(length=64), nullable=False),
        sa.Column("asked_by", sa.String(length=100), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignments.id"], name=op.f("fk_regrades_assignment_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_regrades")),
    )
    op.create_index(op.f("ix_regrades_assignment_id"), "regrades", ["assignment_id"])

    op.create_table(
        "earlier_reports",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("submission_id", sa.String(length=26), nullable=False),
        sa.Column("regrade_id", sa.String(length=26), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("receipt", sa.Text(), nullable=True),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("replaced_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["regrade_id"], ["regrades.id"], name=op.f("fk_earlier_reports_regrade_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_earlier_reports_submission_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_earlier_reports")),
    )
    op.create_index(op.f("ix_earlier_reports_submission_id"), "earlier_reports", ["submission_id"])

    op.create_table(
        "regraded_submissions",
        sa.Column("regrade_id", sa.String(length=26), nullable=False),
        sa.Column("submission_id", sa.String(length=26), nullable=False),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=True),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("receipt", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["regrade_id"], ["regrades.id"], name=op.f("fk_regraded_submissions_regrade_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submissions.id"],
            name=op.f("fk_regraded_submissions_submission_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("regrade_id", "submission_id", name=op.f("pk_regraded_submissions")),
    )
    op.create_index(op.f("ix_regraded_submissions_submission_id"), "regraded_submissions", ["submission_id"])

    with op.batch_alter_table("reports") as batch_op:
        batch_op.add_column(sa.Column("receipt", sa.Text(), nullable=True))

    with op.batch_alter_table("submissions") as batch_op:
        batch_op.add_column(sa.Column("assignment_id", sa.String(length=26), nullable=True))
        batch_op.create_index(batch_op.f("ix_submissions_assignment_id"), ["assignment_id"], unique=False)
        batch_op.create_foreign_key(
            batch_op.f("fk_submissions_assignment_id"), "assignments", ["assignment_id"], ["id"], ondelete="RESTRICT"
        )

    with op.batch_alter_table("tokens") as batch_op:
        batch_op.add_column(sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))

    with op.batch_alter_table("users") as batch_op:
        batch_op.add_column(sa.Column("full_name", sa.String(length=200), nullable=True))
        batch_op.add_column(sa.Column("email", sa.String(length=254), nullable=True))
        batch_op.create_unique_constraint(batch_op.f("uq_users_email"), ["email"])
