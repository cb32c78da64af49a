"""Fetching and verifying an exercise repository, as a job: about no submission, and done by a verifier."""

from typing import Any, Final

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.exercises import commits
from app.exercises.authors import refuse_strangers
from app.exercises.commits import Fetched
from app.exercises.public_archive import is_usable
from app.jobs.kind import Event, Kind, Office
from app.models import ExerciseFetch, FetchState, Job, now
from app.problems import Problem
from grader.messages import ExercisesFound, ExercisesRequest, JobKind
from grader.repository_addresses import WORDS, is_local

GIVEN_UP: Final = "The verifier kept failing on it, which is the service's fault: {fault}"

logger = structlog.get_logger(part="exercises")


class ExercisesJobs(Kind):
    """Jobs that bring a repository's exercises live. What a verifier says is believed of this namespace alone."""

    name = JobKind.EXERCISES

    def request(self, session: Session, job: Job) -> ExercisesRequest:
        fetch = _fetch(session, job)
        return ExercisesRequest(
            job=job.id,
            namespace=fetch.namespace,
            url=fetch.url,
            ref=fetch.ref,
            proven=commits.proven(session, fetch.namespace),
        )

    def started(self, session: Session, job: Job) -> list[Event]:
        return _set(session, job, FetchState.RUNNING)

    def progressed(self, session: Session, job: Job, text: str) -> None:
        _fetch(session, job).progress = text

    def requeued(self, session: Session, job: Job) -> list[Event]:
        return _set(session, job, FetchState.WAITING)

    def given_up(self, session: Session, job: Job) -> list[Event]:
        fetch = _fetch(session, job)
        fetch.reason, fetch.ended_at = GIVEN_UP.format(fault=job.fault), now()
        return _set(session, job, FetchState.FAILED)

    def refusal(self, session: Session, job: Job, result: Any) -> str | None:
        fetch, found = _fetch(session, job), result
        slugs = [exercise.slug for exercise in found.exercises]
        if not all(_is_in(fetch.namespace, slug) for slug in slugs) or len(set(slugs)) < len(slugs):
            return f"a verifier told of exercises outside the namespace {fetch.namespace}, or twice of one"
        if found.refusal is None and not (found.commit and found.exercises and is_usable(found.public)):
            return "a verifier told of no commit, of no exercises, or of files that cannot be used"
        return None

    def record(self, session: Session, office: Office, job: Job, result: ExercisesFound) -> list[Event]:  # noqa: ARG002
        fetch = _fetch(session, job)
        fetch.commit, fetch.ended_at = result.commit or None, now()
        try:
            fetch.reason = _bring_live(session, fetch, result)
        except Problem as problem:  # rights or assignments have changed meanwhile
            fetch.reason = problem.detail
        return _set(session, job, FetchState.REFUSED if fetch.reason else FetchState.LIVE)

    def noted(self, session: Session, office: Office, job: Job, result: ExercisesFound) -> None:  # noqa: ARG002
        fetch = _fetch(session, job)
        logger.info("exercises_recorded", namespace=fetch.namespace, commit=result.commit, state=fetch.state)


def _is_in(namespace: str, slug: str) -> bool:
    """The name is a folder's, here and in judges: it must lead to none elsewhere."""
    before, _, name = slug.partition(".")
    return before == namespace and WORDS.fullmatch(name) is not None


def _bring_live(session: Session, fetch: ExerciseFetch, result: ExercisesFound) -> str | None:
    """Returns why it was refused. The address is the one that was checked when it was asked for, never a verifier's.
    Raises Problem.
    """
    refuse_strangers(session, fetch.user, fetch.namespace)
    commits.refuse_taken(session, fetch.namespace, fetch.url)
    source = result.source if is_local(fetch.url) and is_local(result.source) else fetch.url
    fetched = Fetched(fetch.namespace, fetch.url, fetch.ref, source, result.commit)
    is_new = bool(result.commit) and commits.begin(session, fetch.user, fetched)
    if result.refusal is not None:
        if is_new:
            commits.refuse(session, fetch.user, fetched, result.refusal)
        return result.refusal
    if is_new:
        commits.accept(session, fetched, result.exercises, result.public)
    commits.switch(session, fetch.user, fetched)
    return None


def _fetch(session: Session, job: Job) -> ExerciseFetch:
    return session.scalars(select(ExerciseFetch).where(ExerciseFetch.job_id == job.id)).one()


def _set(session: Session, job: Job, state: FetchState) -> list[Event]:
    fetch = _fetch(session, job)
    fetch.state, fetch.progress = state, None
    return []
