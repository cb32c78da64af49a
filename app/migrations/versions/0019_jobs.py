"""One table for what judges are asked to do, of every kind. What waits, is sent or runs goes on."""

from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op
from alembic.operations import BatchOperations

from app.identifiers import new_id

revision = "0019"
down_revision = "0018"

CHUNK = 1000
MOMENT = sa.DateTime(timezone=True)
# A submission's job has its id, so it is carried over by the database itself.
SUBMISSIONS = """
INSERT INTO jobs (id, kind, submission_id, queue, priority, state, dispatched_at, started_at, worker, tries, not_before,
                  fault)
SELECT id, 'submission', id, 'grade.cpu', 0,
       CASE WHEN state = 'running' THEN 'running'
            WHEN state = 'queued' AND queued_at IS NULL THEN 'waiting'
            WHEN state = 'queued' THEN 'dispatched'
            WHEN state = 'graded' THEN 'done'
            WHEN fault IS NOT NULL THEN 'given_up'
            ELSE 'withdrawn' END,
       queued_at, started_at, worker, requeues, requeue_at, fault
FROM submissions
"""
REGRADED = """
SELECT item.regrade_id, item.submission_id, item.queued_at, item.requeues, item.requeue_at, item.fault,
       CASE WHEN item.body IS NOT NULL THEN 'done'
            WHEN item.fault IS NOT NULL THEN 'given_up'
            WHEN regrades.state <> 'grading' THEN 'withdrawn'
            WHEN item.queued_at IS NULL THEN 'waiting'
            ELSE 'dispatched' END AS state
FROM regraded_submissions AS item JOIN regrades ON regrades.id = item.regrade_id
"""
# A regrade whose last job had ended, and nobody had noted it yet.
COMPLETE = """
UPDATE regrades SET state = 'ready' WHERE state = 'grading' AND NOT EXISTS (
    SELECT 1 FROM regraded_submissions AS item JOIN jobs ON jobs.id = item.job_id
    WHERE item.regrade_id = regrades.id AND jobs.state IN ('waiting', 'dispatched', 'running'))
"""
# What was never sent because no worker with a GPU was there has no job.
STAGES = """
SELECT submission_id, queued_at, started_at, worker, requeues, requeue_at, fault,
       CASE WHEN state = 'waiting' AND queued_at IS NULL THEN 'waiting'
            WHEN state = 'waiting' THEN 'dispatched'
            WHEN state = 'running' THEN 'running'
            WHEN state = 'not_run' THEN 'given_up'
            ELSE 'done' END AS state
FROM gpu_stages WHERE state <> 'not_run' OR fault IS NOT NULL
"""
CHECKS = "SELECT submission_id, question FROM answers WHERE check_from IS NOT NULL"


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("submission_id", sa.String(26), nullable=False),
        sa.Column("queue", sa.String(32), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("dispatched_at", MOMENT, nullable=True),
        sa.Column("started_at", MOMENT, nullable=True),
        sa.Column("worker", sa.String(255), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("not_before", MOMENT, nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_jobs_submission_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    for columns in (["kind", "state", "dispatched_at"], ["kind", "dispatched_at"], ["submission_id"]):
        op.create_index(op.f(f"ix_jobs_{'_'.join(columns)}"), "jobs", columns)
    op.execute(SUBMISSIONS)
    for table in ("regraded_submissions", "gpu_stages", "answers"):
        op.add_column(table, sa.Column("job_id", sa.String(26), nullable=True))
    _carry(REGRADED, "regrade", "grade.cpu", 9, "regraded_submissions", ("regrade_id", "submission_id"))
    op.execute(COMPLETE)
    _carry(STAGES, "gpu", "grade.gpu", 0, "gpu_stages", ("submission_id",))
    _carry(CHECKS, "check", "grade.check", 0, "answers", ("submission_id", "question"))
    _drop()


def _carry(query: str, kind: str, queue: str, priority: int, table: str, key: Sequence[str]) -> None:
    """A job for each row, which from now on names it."""
    connection = op.get_bind()
    where = " AND ".join(f"{column} = :{column}" for column in key)
    name_it = sa.text(f"UPDATE {table} SET job_id = :job_id WHERE {where}")  # noqa: S608 - our own names
    insert = sa.text(
        "INSERT INTO jobs (id, kind, submission_id, queue, priority, state, dispatched_at, started_at, worker, tries,"
        " not_before, fault) VALUES (:job_id, :kind, :submission_id, :queue, :priority, :state, :queued_at,"
        " :started_at, :worker, :requeues, :requeue_at, :fault)"
    )
    unknown: dict[str, Any] = dict.fromkeys(("queued_at", "started_at", "worker", "requeue_at", "fault"))
    unknown |= {"state": "waiting", "requeues": 0}
    same = {"kind": kind, "queue": queue, "priority": priority}
    for rows in _chunks(connection.execute(sa.text(query)).mappings().all()):
        jobs = [{**unknown, **same, **row, "job_id": new_id()} for row in rows]
        connection.execute(insert, jobs)
        connection.execute(name_it, [{column: job[column] for column in ("job_id", *key)} for job in jobs])


def _chunks(rows: Sequence[sa.RowMapping]) -> Iterator[Sequence[sa.RowMapping]]:
    for start in range(0, len(rows), CHUNK):
        yield rows[start : start + CHUNK]


def _drop() -> None:
    """What the jobs know now."""
    with op.batch_alter_table("submissions") as batch_op:
        batch_op.drop_index(batch_op.f("ix_submissions_state_queued_at"))
        batch_op.drop_index(batch_op.f("ix_submissions_queued_at"))
        for column in ("queued_at", "started_at", "worker", "requeues", "requeue_at", "fault"):
            batch_op.drop_column(column)
        batch_op.create_index(batch_op.f("ix_submissions_state"), ["state"])
    with op.batch_alter_table("regraded_submissions") as batch_op:
        for column in ("queued_at", "requeues", "requeue_at", "fault"):
            batch_op.drop_column(column)
        batch_op.alter_column("job_id", existing_type=sa.String(26), nullable=False)
        _refer_to_job(batch_op, "regraded_submissions")
    with op.batch_alter_table("gpu_stages") as batch_op:
        batch_op.drop_index(batch_op.f("ix_gpu_stages_state_queued_at"))
        for column in ("queued_at", "started_at", "worker", "requeues", "requeue_at", "fault"):
            batch_op.drop_column(column)
        batch_op.create_index(batch_op.f("ix_gpu_stages_state"), ["state"])
        _refer_to_job(batch_op, "gpu_stages")
    with op.batch_alter_table("answers") as batch_op:
        batch_op.drop_index(batch_op.f("ix_answers_check_from"))
        batch_op.drop_column("check_from")
        _refer_to_job(batch_op, "answers")


def _refer_to_job(batch_op: BatchOperations, table: str) -> None:
    batch_op.create_foreign_key(batch_op.f(f"fk_{table}_job_id"), "jobs", ["job_id"], ["id"])
    batch_op.create_unique_constraint(batch_op.f(f"uq_{table}_job_id"), ["job_id"])
