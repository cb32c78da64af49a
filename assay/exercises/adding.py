"""How a commit becomes live at the command line: verified, written down, switched to. Anything that fails on the way
leaves what was live.
"""

from app.database import Database
from app.exercises import service
from app.exercises.commits import Fetched
from app.exercises.schemas import RepositoryView
from app.models import User
from assay.exercises.proofs import Origin, Tell, fetched_from, prove
from grader.repository_addresses import RepositoryError


def bring_live(database: Database, user: User, namespace: str, place: Origin, tell: Tell) -> RepositoryView:
    """Makes what `place` has the live exercises of the namespace. Raises RepositoryError with the reason, and what the
    service refuses.
    """
    with fetched_from(place, tell) as (commit, root):
        fetched = Fetched(namespace, place.url, place.ref, place.source, commit)
        if service.begin(database, user, fetched):
            try:
                proof = prove(root, namespace, service.proven(database, namespace), tell)
            except RepositoryError as error:
                service.refuse(database, user, fetched, str(error))
                raise
            service.accept(database, user, fetched, proof.exercises, proof.public)
        else:
            tell(f"Commit {commit[:12]} was verified before.")
    return service.go_live(database, user, fetched)
