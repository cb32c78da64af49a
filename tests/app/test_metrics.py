"""What operators see: each figure is looked at where Prometheus would, at the processes' own addresses."""

from datetime import timedelta

import httpx
import structlog
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import update

from app.models import Submission, now
from app.sweeper import Sweeper
from grader.messages import ENDINGS_HEADER, RECORD_TASK, Fault, Graded
from grader.report import Timings, Verdict
from tests.app.redis_process import free_port
from tests.app.school import NO_CERTIFICATES, School, make_report
from tests.app.test_recorder import age, recorder, wait_until_graded
from tests.patience import PATIENCE_S, wait_until

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def scrape(address: str) -> Samples:
    text = httpx.get(address, trust_env=False).raise_for_status().text
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(samples: Samples, name: str, **labels: str) -> float:
    return samples[name, frozenset(labels.items())]


def test_wrong_sign_ins_are_nought_before_the_first(school: School):
    """A rate needs a value before the first one, and a panel of the dashboard something to show."""
    seen = scrape(f"{school.url}/metrics")
    assert [value(seen, "assay_wrong_sign_ins_total", slowed=slowed) for slowed in ("true", "false")] == [0, 0]


def test_the_length_and_age_of_the_queue_are_told(school: School):
    metrics = f"{school.url}/metrics"
    assert value(scrape(metrics), "assay_queue_submissions", queue="grade.cpu") == 0
    first, *_ = [school.submit() for _ in range(3)]
    with school.database.write() as session:
        session.execute(
            update(Submission).where(Submission.id == first["id"]).values(waiting_since=now() - timedelta(seconds=40))
        )
    seen = scrape(metrics)
    assert value(seen, "assay_queue_submissions", queue="grade.cpu") == 3
    assert 40 <= value(seen, "assay_queue_oldest_seconds", queue="grade.cpu") < 40 + PATIENCE_S
    assert value(seen, "assay_queue_submissions", queue="grade.gpu") == 0
    assert value(seen, "assay_judges") == 0
    school.judge.send_graded("nobody", make_report())
    assert value(scrape(metrics), "assay_record_messages") == 1


def test_what_cannot_be_asked_is_left_out_and_the_rest_is_told(fragile_school: School):
    fragile_school.submit()
    fragile_school.redis.kill()
    seen = scrape(f"{fragile_school.url}/metrics")
    assert value(seen, "assay_queue_submissions", queue="grade.cpu") == 1
    assert ("assay_judges", frozenset()) not in seen


def test_the_recorder_tells_verdicts_phases_lag_endings_and_faults(school: School):
    sent = school.submit()
    school.judge.take()
    port = free_port()
    report = make_report(Verdict.TIMEOUT).model_copy(update={"timings": Timings(sandbox_s=2.0, total_s=3.0)})
    with recorder(school, recorder_metrics_port=port):
        school.judge.send_fault(sent["id"], "no sandbox")
        school.judge.lease(sent["id"])  # as every judge does, or the sweeper takes it for lost
        school.judge.send_started(sent["id"])
        school.judge.send_graded(sent["id"], report, {ENDINGS_HEADER: {"completed": 2, "out_of_time": 1, "x": 9}})
        wait_until_graded(school, sent["id"])
        school.judge.send_graded(sent["id"], report)
        seen = scrape_until(f"http://127.0.0.1:{port}/metrics", "assay_reports_ignored_total", 1)
    assert value(seen, "assay_reports_recorded_total", challenge="mha-rope", verdict="timeout") == 1
    assert value(seen, "assay_submission_phase_seconds_sum", phase="grading") == 3.0
    assert value(seen, "assay_submission_phase_seconds_sum", phase="sandbox") == 2.0
    assert 0 < value(seen, "assay_submission_phase_seconds_sum", phase="waiting") < 300
    assert 0 < value(seen, "assay_recorder_lag_seconds_sum", message=RECORD_TASK) < 300
    assert value(seen, "assay_sandbox_sessions_total", ending="out_of_time") == 1
    assert value(seen, "assay_sandbox_sessions_total", ending="completed") == 2
    assert not any(labels == frozenset({("ending", "x")}) for _, labels in seen)
    assert value(seen, "assay_grading_faults_total") == 1


def scrape_until(address: str, name: str, wanted: float) -> Samples:
    wait_until(lambda: value(scrape(address), name) == wanted, lambda: f"{name} is {value(scrape(address), name)}")
    return scrape(address)


def test_what_is_queued_again_is_counted_by_its_reason(school: School):
    office = school.office()
    sweeper, metrics = Sweeper(school.database, office, clock=school.clock), office.metrics
    sent = school.submit()
    school.judge.take()
    age(school, sent["id"])
    sweeper.sweep()
    school.clock.let_pass(0.25)
    sweeper.sweep()
    assert metrics.registry.get_sample_value("assay_requeues_total", {"reason": "lost_message"}) == 1


def test_the_logs_of_a_submission_name_it(school: School):
    with structlog.testing.capture_logs() as told:
        sent = school.submit()
        school.client("ada").get(f"/submissions/{sent['id']}")
        school.recording().fault(Fault(job=sent["id"], reason="judges die of it"))
        school.recording().record(Graded(job=sent["id"], report=make_report()))
    named = {entry["event"] for entry in told if entry.get("submission_id") == sent["id"]}
    assert {"submission_accepted", "request_finished", "job_failed", "report_recorded"} <= named


def test_nothing_that_a_client_makes_up_becomes_a_label(school: School):
    """Each new label would stay in memory for as long as the process lives."""
    prefixes = (
        "",
        "/static",
        "/static/a",
        "/api/v1",
        "/api/v1/courses",
        "/api/v1/submissions",
        "/submissions",
        "/sign-in",
    )

    def ask(number: int) -> None:
        made_up = f"{number}-{'x' * 300}"
        with httpx.Client(base_url=school.url, trust_env=False, verify=NO_CERTIFICATES) as client:
            for prefix in prefixes:
                client.get(f"{prefix}/{made_up}", headers={"User-Agent": made_up, "Host": f"h{number}"})
                client.post(f"{prefix}/{made_up}/{made_up}?{made_up}")
            for path in ("/api/v1/submissions/api", "/api/v1/submissions/a", "/api/v1/courses/c/assignments/a%2Fv"):
                client.get(f"{path[: len(path) - number % 3]}")
            for method in ("PROPFIND", "TRACE", "BREW", "M-SEARCH", f"X{number}"):
                client.request(method, "/static/x")

    def series() -> set[frozenset[tuple[str, str]]]:
        return {labels for name, labels in scrape(f"{school.url}/metrics") if name.startswith("assay_http_requests")}

    for number in range(3):
        ask(number)
    before = series()
    for number in range(3, 12):
        ask(number)
    routes = {value for labels in before for name, value in labels if name == "route"}
    assert {"unknown", "/static/{path}", "/api/v1/submissions/{submission_id}"} <= routes
    assert all(len(route) < 100 and route.isprintable() for route in routes)
    assert not any(route.startswith("/{") for route in routes)
    assert {value for labels in before for name, value in labels if name == "method"} <= {"GET", "POST", "other"}
    scraped = frozenset({("method", "GET"), ("route", "/metrics"), ("status", "200")})
    assert series() - {scraped} == before - {scraped}
