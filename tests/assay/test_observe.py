"""What Prometheus and Grafana are told by `deploy/observe` is true of the code and of docker-compose.yml."""

import json
import re
from pathlib import Path

import yaml

from tests.app.test_operations import metrics

ROOT = Path(__file__).parents[2]
OBSERVE = ROOT / "deploy" / "observe"
DASHBOARD = json.loads((OBSERVE / "dashboard.json").read_text(encoding="utf-8"))
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
PARTS = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


def series() -> set[str]:
    """Every name that a query may ask for."""
    return {name.removesuffix("_total") + part for name, kind in metrics().items() for part in PARTS[kind]}


def expressions() -> list[str]:
    return [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]


def test_the_dashboard_asks_for_series_that_are_there():
    asked = {name for expression in expressions() for name in re.findall(r"\bassay_\w+", expression)}
    assert asked <= series(), asked - series()


def test_the_dashboard_shows_every_metric_that_tells_how_it_goes():
    shown = " ".join(expressions())
    missing = {name for name in metrics() if name not in shown}
    assert missing == {"assay_reports_ignored_total"}  # harmless: for whoever looks for a cause


def test_rates_are_taken_of_counters_and_not_of_gauges():
    gauges = {name for name, kind in metrics().items() if kind == "gauge"}
    rated = {name for text in expressions() for name in re.findall(r"(?:rate|increase)\((\w+)", text)}
    assert not rated & gauges


def test_panels_do_not_overlap():
    places = [panel["gridPos"] for panel in DASHBOARD["panels"]]
    cells = [
        (x, y) for at in places for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


def test_prometheus_asks_the_ports_that_are_served():
    jobs = yaml.safe_load((OBSERVE / "prometheus.yml").read_text(encoding="utf-8"))["scrape_configs"]
    asked = {job["job_name"]: job["dns_sd_configs"][0] for job in jobs}
    assert set(asked) == {"assay-api", "assay-recorder"}  # deploy/alerts.yml names them so
    for job, place in asked.items():
        service = SERVICES[place["names"][0]]
        assert job == f"assay-{place['names'][0]}"
        assert set(SERVICES["prometheus"]["networks"]) & set(service["networks"])
    assert SERVICES["recorder"]["environment"]["ASSAY_RECORDER_METRICS_PORT"] == str(asked["assay-recorder"]["port"])
    assert SERVICES["api"]["ports"][0].endswith(f":{asked['assay-api']['port']}")
