"""Every metric of `app`, with its unit and labels. One registry per process, handed down; counted at the edges."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from app.broker import BrokerDown
from app.database import DATABASE_FAULTS
from grader.guest.limits import Ending
from grader.messages import ENDINGS_HEADER, QUEUED_AT_HEADER

GRADING_BUCKETS_S = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
LAG_BUCKETS_S = (0.005, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0, 600.0)
_ENDINGS = frozenset(Ending)  # anything else would be a label that nobody expects


class ApiMetrics:
    """What the HTTP front end counts."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "assay_http_requests", "HTTP requests answered", ["method", "route", "status"], registry=self.registry
        )
        self.request_seconds = Histogram(
            "assay_http_request_seconds", "seconds from a request to the end of its answer", ["method", "route"],
            registry=self.registry,
        )  # fmt: skip
        self.queue_failures = Counter(
            "assay_queue_failures", "submissions that were kept but not queued at once, because Redis was away",
            registry=self.registry,
        )  # fmt: skip
        self.wrong_sign_ins = Counter(
            "assay_wrong_sign_ins", "wrong tokens, and whether they were slowed: `true` is a 429", ["slowed"],
            registry=self.registry,
        )  # fmt: skip
        for slowed in ("true", "false"):
            self.wrong_sign_ins.labels(slowed)  # from 0 on: a rate does not see a first one that comes out of nothing


class RecorderMetrics:
    """What the recorder and the sweeper count."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.reports = Counter(
            "assay_reports_recorded", "reports recorded", ["challenge", "verdict"], registry=self.registry
        )
        self.duplicates = Counter(
            "assay_reports_ignored", "results that came again, or too late", registry=self.registry
        )
        self.faults = Counter("assay_grading_faults", "faults of the service that a judge told", registry=self.registry)
        self.requeues = Counter("assay_requeues", "jobs queued once more", ["reason"], registry=self.registry)
        self.given_up = Counter(
            "assay_jobs_given_up", "jobs given up because the service failed on them too often: look into it",
            ["kind"], registry=self.registry,
        )  # fmt: skip
        self.graded_seconds = Histogram(
            "assay_submission_graded_seconds", "seconds from the upload to the recorded report", ["challenge"],
            buckets=GRADING_BUCKETS_S, registry=self.registry,
        )  # fmt: skip
        self.phase_seconds = Histogram(
            "assay_submission_phase_seconds",
            "seconds of a submission's way: waiting for a judge, grading, and of that in the sandbox", ["phase"],
            buckets=GRADING_BUCKETS_S, registry=self.registry,
        )  # fmt: skip
        self.lag_seconds = Histogram(
            "assay_recorder_lag_seconds", "seconds from a judge's message to its being written down", ["message"],
            buckets=LAG_BUCKETS_S, registry=self.registry,
        )  # fmt: skip
        self.mails = Counter("assay_mails", "mails, by kind and outcome", ["kind", "outcome"], registry=self.registry)
        self.sessions = Counter(
            "assay_sandbox_sessions", "sandbox sessions, by how they ended; all but `completed` were cut short",
            ["ending"], registry=self.registry,
        )  # fmt: skip

    def note_phases(self, waiting_s: float, grading_s: float, sandbox_s: float) -> None:
        """Observes how long a submission waited, was graded, and spent in the sandbox."""
        for phase, seconds in (("waiting", waiting_s), ("grading", grading_s), ("sandbox", sandbox_s)):
            self.phase_seconds.labels(phase).observe(max(0.0, seconds))  # machines' clocks differ

    def note_message(self, task: str, headers: Mapping[str, Any]) -> None:
        """Counts a judge's message by what it says beside its content."""
        if isinstance(sent_at := headers.get(QUEUED_AT_HEADER), (int, float)):
            self.lag_seconds.labels(task).observe(max(0.0, time.time() - sent_at))
        for ending, count in headers.get(ENDINGS_HEADER, {}).items():
            if ending in _ENDINGS:
                self.sessions.labels(ending).inc(count)


@dataclass(frozen=True)
class QueueLength:
    """Jobs that wait for a judge: queued, or dispatched and not claimed yet."""

    name: str
    waiting: int
    oldest_s: float


@dataclass(frozen=True)
class BrokerState:
    """The figures that only Redis knows."""

    judges: int
    record_messages: int


@dataclass(frozen=True)
class Tally:
    """How many submissions have this challenge, state and verdict."""

    challenge: str
    state: str
    verdict: str
    count: int


class QueueCollector(Collector):
    """Queue lengths and waits, messages for the recorder, and the number of judges, read when scraped."""

    def __init__(self, queues: Callable[[], list[QueueLength]], broker: Callable[[], BrokerState]) -> None:
        self._queues = queues
        self._broker = broker

    def describe(self) -> Iterator[Metric]:
        """Yields the metrics without values, so that registering them reads nothing."""
        yield from self._families()

    def collect(self) -> Iterator[Metric]:
        """Yields the metrics; those whose source does not answer have no values."""
        waiting, oldest, judges, messages = self._families()
        with suppress(*DATABASE_FAULTS):  # what cannot be asked is left out, and the rest is told
            for queue in self._queues():
                waiting.add_metric([queue.name], queue.waiting)
                oldest.add_metric([queue.name], queue.oldest_s)
        with suppress(BrokerDown):
            state = self._broker()
            judges.add_metric([], state.judges)
            messages.add_metric([], state.record_messages)
        yield from (waiting, oldest, judges, messages)

    @staticmethod
    def _families() -> tuple[GaugeMetricFamily, ...]:
        return (
            GaugeMetricFamily("assay_queue_submissions", "submissions that wait for a judge", labels=["queue"]),
            GaugeMetricFamily("assay_queue_oldest_seconds", "how long the first of them has waited", labels=["queue"]),
            GaugeMetricFamily("assay_judges", "judges that are alive and warm"),
            GaugeMetricFamily("assay_record_messages", "messages of judges that wait for the recorder"),
        )


class SubmissionsCollector(Collector):
    """Submissions by challenge, state and verdict, read from the database when scraped."""

    def __init__(self, count: Callable[[], list[Tally]]) -> None:
        self._count = count

    def describe(self) -> Iterator[Metric]:
        """Yields the metric without values, so that registering it reads nothing."""
        yield self._family()

    def collect(self) -> Iterator[Metric]:
        """Yields the metric; without values when the database does not answer."""
        family = self._family()
        with suppress(*DATABASE_FAULTS):
            for tally in self._count():
                family.add_metric([tally.challenge, tally.state, tally.verdict], tally.count)
        yield family

    @staticmethod
    def _family() -> GaugeMetricFamily:
        return GaugeMetricFamily(
            "assay_submissions", "submissions in the database", labels=["challenge", "state", "verdict"]
        )
