"""Every metric of `app`, with its unit and labels. One registry per process, handed down; counted at the edges."""

from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

GRADING_BUCKETS_S = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)


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


class RecorderMetrics:
    """What the recorder and the sweeper count."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.reports = Counter(
            "assay_reports_recorded", "reports recorded", ["challenge", "verdict"], registry=self.registry
        )
        self.duplicates = Counter(
            "assay_reports_ignored", "reports that came again, or too late", registry=self.registry
        )
        self.faults = Counter("assay_grading_faults", "faults of the service that a judge told", registry=self.registry)
        self.requeues = Counter("assay_requeues", "submissions queued once more", ["reason"], registry=self.registry)
        self.given_up = Counter(
            "assay_submissions_given_up", "submissions cancelled because the service failed too often: look into it",
            registry=self.registry,
        )  # fmt: skip
        self.graded_seconds = Histogram(
            "assay_submission_graded_seconds", "seconds from the upload to the recorded report", ["challenge"],
            buckets=GRADING_BUCKETS_S, registry=self.registry,
        )  # fmt: skip


class Tally:
    """How many submissions there are of one kind."""

    __slots__ = ("challenge", "count", "state", "verdict")

    def __init__(self, challenge: str, state: str, verdict: str, count: int) -> None:
        self.challenge, self.state, self.verdict, self.count = challenge, state, verdict, count


class SubmissionsCollector(Collector):
    """Submissions by challenge, state and verdict, read from the database when somebody asks."""

    def __init__(self, count: Callable[[], list[Tally]]) -> None:
        self._count = count

    def describe(self) -> Iterator[Metric]:
        yield self._family()

    def collect(self) -> Iterator[Metric]:
        family = self._family()
        for tally in self._count():
            family.add_metric([tally.challenge, tally.state, tally.verdict], tally.count)
        yield family

    @staticmethod
    def _family() -> GaugeMetricFamily:
        return GaugeMetricFamily(
            "assay_submissions", "submissions in the database", labels=["challenge", "state", "verdict"]
        )
