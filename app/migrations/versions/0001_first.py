"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "courses",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_courses")),
        sa.UniqueConstraint("slug", name=op.f("uq_courses_slug")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name", name=op.f("uq_users_name")),
    )
    op.create_table(
        "enrollments",
        sa.Column("course_id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name=op.f("fk_enrollments_course_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_enrollments_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("course_id", "user_id", name=op.f("pk_enrollments")),
    )
    op.create_index(op.f("ix_enrollments_user_id"), "enrollments", ["user_id"], unique=False)
    op.create_table(
        "submissions",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("challenge", sa.String(length=64), nullable=False),
        sa.Column("challenge_version", sa.String(length=64), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=200), nullable=True),
        sa.Column("filename", sa.String(length=255), nullable=False),
        sa.Column("main", sa.String(length=255), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("graded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("worker", sa.String(length=255), nullable=True),
        sa.Column("verdict", sa.String(length=16), nullable=True),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("max_score", sa.Double(), nullable=True),
        sa.Column("requeues", sa.Integer(), nullable=False),
        sa.Column("requeue_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_submissions_user_id"), ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
        sa.UniqueConstraint("user_id", "challenge", "attempt", name=op.f("uq_submissions_user_id_challenge_attempt")),
        sa.UniqueConstraint("user_id", "idempotency_key", name=op.f("uq_submissions_user_id_idempotency_key")),
    )
    op.create_index(op.f("ix_submissions_state_queued_at"), "submissions", ["state", "queued_at"], unique=False)
    op.create_index(op.f("ix_submissions_user_id_created_at"), "submissions", ["user_id", "created_at"], unique=False)
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=100), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_tokens_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("sha256", name=op.f("uq_tokens_sha256")),
    )
    op.create_index(op.f("ix_tokens_user_id"), "tokens", ["user_id"], unique=False)
    op.create_table(
        "answers",
        sa.Column("submission_id", sa.String(length=26), nullable=False),
        sa.Column("question", sa.String(length=100), nullable=False),
        sa.Column("given", sa.JSON(), nullable=False),
        sa.Column("mark", sa.JSON(), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_answers_submission_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("submission_id", "question", name=op.f("pk_answers")),
    )
    op.create_table(
        "diagnoses",
        sa.Column("submission_id", sa.String(length=26), nullable=False),
        sa.Column("misconception", sa.String(length=100), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_diagnoses_submission_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("submission_id", "misconception", name=op.f("pk_diagnoses")),
    )
    op.create_index(op.f("ix_diagnoses_misconception"), "diagnoses", ["misconception"], unique=False)
    op.create_table(
        "reports",
        sa.Column("submission_id", sa.String(length=26), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_reports_submission_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_reports")),
    )
    op.create_table(
        "submission_files",
        sa.Column("submission_id", sa.String(length=26), nullable=False),
        sa.Column("path", sa.String(length=255), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_submission_files_submission_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("submission_id", "path", name=op.f("pk_submission_files")),
    )
