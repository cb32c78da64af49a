"""Compares the submissions of an assignment in a process beside the front end, one assignment at a time, and keeps it.

Nothing is stored: what is asked for again while nobody has submitted is answered from memory.
"""

import subprocess
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy import func, select

from app.analytics.results import student_results
from app.analytics.scope import scope_of
from app.challenges.service import Catalogue
from app.database import Database
from app.models import Submission, SubmissionFile, User
from app.problems import NotFound
from app.similarity.clusters import clusters_of
from app.similarity.compare import Alike, Found, Group, Task
from app.similarity.schemas import Cluster, Pair, Progress, Sender, SharedLine, Side, Similarities
from grader.grouping import grouped

FILES_MAX: Final = 600
SOURCE_MAX: Final = 64 << 10
AT_ONCE: Final = 2
KEPT: Final = 16  # assignments
TIMEOUT_S: Final = 600
PATIENCE_S: Final = 0.2  # somebody looks at a page
logger = structlog.get_logger(part="similarity")

Key = tuple[str, ...]


class ComparisonFailed(Exception):
    """Raised when the comparing process gave no result."""


@dataclass(frozen=True)
class SourcesToCompare:
    """Different files, each with those who sent it. Their content is read only when they are compared."""

    sent_by: Sequence[Sequence[Sender]]
    left_out: int
    course: str
    task: Callable[[], Task]

    @property
    def key(self) -> Key:
        """Identifies the set of files in the cache."""
        return tuple(senders[0].submission for senders in self.sent_by)


@dataclass(frozen=True)
class PendingComparison:
    """A comparison that waits, and where its result goes."""

    sources: SourcesToCompare
    found: Future[Found]


class Comparisons:
    """The comparisons that run and those that are done. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="comparison")
        # By course, round-robin.
        self._pending: OrderedDict[str, deque[PendingComparison]] = OrderedDict()
        self._busy: set[str] = set()  # courses: one at a time of each
        self._kept: OrderedDict[Key, Future[Found]] = OrderedDict()
        self._processes: set[subprocess.Popen[bytes]] = set()

    def of(self, sources: SourcesToCompare) -> Future[Found]:
        """Returns the comparison of these sources, begun when first asked for, or again after it failed."""
        with self._lock:
            found = self._kept.get(sources.key)
            if found is None or (found.done() and found.exception() is not None):
                found = Future()
                self._kept[sources.key] = found
                self._pending.setdefault(sources.course, deque()).append(PendingComparison(sources, found))
                self._waiting.submit(self._run_pending)
            self._kept.move_to_end(sources.key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return found

    def close(self) -> None:
        """Cancels all comparisons that run."""
        self._waiting.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._pending.clear()
        for process in list(self._processes):
            process.kill()

    def _run_pending(self) -> None:
        while (pending := self._next()) is not None:
            try:
                pending.found.set_result(self._compare(pending.sources))
            except Exception as error:  # noqa: BLE001 - told to whoever asks for the result
                pending.found.set_exception(error)
            finally:
                with self._lock:
                    self._busy.discard(pending.sources.course)

    def _next(self) -> "PendingComparison | None":
        """Takes the next comparison, of the course that has waited longest and has none running; None without any."""
        with self._lock:
            course = next((course for course in self._pending if course not in self._busy), None)
            if course is None:
                return None
            pending = self._pending[course].popleft()
            if self._pending[course]:
                self._pending.move_to_end(course)
            else:
                del self._pending[course]
            self._busy.add(course)
            return pending

    def _compare(self, sources: SourcesToCompare) -> Found:
        task = sources.task()
        with subprocess.Popen(
            [sys.executable, "-P", "-m", "app.similarity.compare"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={},  # none of our secrets
        ) as process:
            self._processes.add(process)
            try:
                told, complaint = process.communicate(task.model_dump_json().encode(), TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                told, complaint = b"", b"it took too long"
            finally:
                self._processes.discard(process)
        if process.returncode != 0:
            logger.error("comparison_failed", reason=complaint.decode(errors="replace")[-500:])
            raise ComparisonFailed
        return Found.model_validate_json(told)


def similarities(
    database: Database, catalogue: Catalogue, comparisons: Comparisons, user: User, course: str, assignment: str
) -> Similarities:
    """Returns the similar pairs of an assignment, or how far the comparison is. Raises NotFound, Forbidden."""
    sources = _sources(database, catalogue, user, course, assignment)
    comparison = comparisons.of(sources) if len(sources.sent_by) > 1 else None
    try:
        found = comparison.result(PATIENCE_S) if comparison else Found()
        progress = Progress.READY
    except NotYet:
        found, progress = Found(), Progress.COMPARING
    except (ComparisonFailed, OSError):  # logged where it happened
        found, progress = Found(), Progress.FAILED
    return Similarities(
        progress=progress,
        students=sum(map(len, sources.sent_by)),
        same=[list(senders) for senders in sources.sent_by if len(senders) > 1],
        pairs=[_pair(alike, sources) for alike in found.pairs],
        clusters=[_cluster(group, found, sources) for group in found.groups],
        left_out=sources.left_out,
    )


def pair_of(found: Similarities, name: str) -> Pair:
    """Returns the pair of that id. Raises NotFound."""
    pair = next((pair for pair in found.pairs if pair.id == name), None)
    if pair is None:
        raise NotFound("These two are not among the similar pairs. The list may have changed.")
    return pair


def _cluster(group: Group, found: Found, sources: SourcesToCompare) -> Cluster:
    members = set(group.members)
    ties = clusters_of((alike.left, alike.right) for alike in found.pairs if alike.left in members).ties
    return Cluster(
        students=[sender for each in group.members for sender in sources.sent_by[each]],
        pairs=[_id_of(*tie, sources) for tie in ties],
        shared=[SharedLine.of(each) for each in group.shared],
    )


def _id_of(left: int, right: int, sources: SourcesToCompare) -> str:
    return f"{sources.sent_by[left][0].submission}-{sources.sent_by[right][0].submission}"


def _pair(alike: Alike, sources: SourcesToCompare) -> Pair:
    left, right = sources.sent_by[alike.left], sources.sent_by[alike.right]
    return Pair.of(
        alike,
        id=_id_of(alike.left, alike.right, sources),
        left=Side(sent_by=list(left), lines=list(alike.left_lines)),
        right=Side(sent_by=list(right), lines=list(alike.right_lines)),
    )


def _sources(database: Database, catalogue: Catalogue, user: User, course: str, assignment: str) -> SourcesToCompare:
    """Of each student the best submission; the same bytes once."""
    with database.read() as session:
        scope = scope_of(session, user, course, assignment)
        people = student_results(session, scope.course, [scope.assignment])
        best = {person.best: person for person in people[:FILES_MAX]}
        query = select(Submission.id, Submission.sha256).where(Submission.id.in_(best)).order_by(Submission.id)
        senders = grouped((digest, Sender.of(best[each], submission=each)) for each, digest in session.execute(query))
        challenge = scope.assignment.challenge
    firsts = [each[0].submission for each in senders.values()]
    return SourcesToCompare(
        sent_by=list(senders.values()),
        left_out=max(0, len(people) - FILES_MAX),
        course=course,
        task=lambda: Task(sources=_texts(database, firsts), starter=_starter(catalogue, challenge)),
    )


def _texts(database: Database, submissions: Sequence[str]) -> list[str]:
    """The uploaded files, in this order, as far as they are compared."""
    with database.read() as session:
        query = (
            select(Submission.id, func.substr(SubmissionFile.content, 1, SOURCE_MAX))
            .join(SubmissionFile, SubmissionFile.submission_id == Submission.id)
            .where(Submission.id.in_(submissions), SubmissionFile.path == Submission.main)
        )
        contents = {row[0]: bytes(row[1]) for row in session.execute(query)}
    return [contents.get(submission, b"").decode("utf-8-sig", "replace") for submission in submissions]


def _starter(catalogue: Catalogue, challenge: str) -> str:
    try:
        return catalogue.get(challenge).challenge.starter().decode()
    except NotFound:
        return ""
