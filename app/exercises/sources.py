"""Where judges find an exercise: the commit whose version a submission was made for."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import CommittedExercise, ExerciseCommit, ExerciseRepository
from grader.messages import ExerciseSource


def source_of(session: Session, slug: str, version: str | None = None) -> ExerciseSource | None:
    """Returns where that version of an exercise is; without a version, the live one. None for installed exercises."""
    if "." not in slug:
        return None
    query = select(ExerciseCommit.url, ExerciseCommit.commit, CommittedExercise.version).join(
        CommittedExercise, CommittedExercise.commit_id == ExerciseCommit.id
    )
    query = query.where(CommittedExercise.slug == slug)
    if version is None:
        query = query.join(ExerciseRepository, ExerciseRepository.live_id == ExerciseCommit.id)
    else:
        query = query.where(CommittedExercise.version == version)
    found = session.execute(query.order_by(ExerciseCommit.id.desc()).limit(1)).first()
    return None if found is None else ExerciseSource(url=found.url, commit=found.commit, version=found.version)
