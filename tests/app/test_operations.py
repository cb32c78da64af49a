"""What operators read is true of the code: metrics, alerts, settings and commands that the page names are there."""

import re
from pathlib import Path

from app.metrics import ApiMetrics, QueueCollector, RecorderMetrics, SubmissionsCollector
from app.queue.lengths import BrokerState, QueueLength
from app.settings import known_names
from assay.cli import COMMANDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
RULES = (ROOT / "deploy" / "alerts.yml").read_text(encoding="utf-8")


def metrics() -> dict[str, str]:
    """By the name in a document: counters end with _total."""
    api, recorder = ApiMetrics(), RecorderMetrics()
    api.registry.register(SubmissionsCollector(list))
    api.registry.register(QueueCollector(lambda: [QueueLength("grade.cpu", 0, 0.0)], lambda: BrokerState(0, 0)))
    families = [*api.registry.collect(), *recorder.registry.collect()]
    return {f"{family.name}{'_total' if family.type == 'counter' else ''}": family.type for family in families}


def test_every_metric_is_explained_and_no_other():
    table = PAGE.partition("## Metrics")[2].partition("## Alerts")[0]
    assert set(re.findall(r"`(assay_\w+)`", table)) == set(metrics())


def test_every_rule_asks_for_a_metric_that_is_there():
    known = metrics()
    known |= {f"{name}_bucket": "bucket" for name, kind in known.items() if kind == "histogram"}
    asked = set(re.findall(r"\bassay_\w+", RULES))
    assert asked <= set(known), asked - set(known)


def test_every_alert_says_what_to_do():
    assert re.findall(r"^\*\*(Assay\w+)\*\*:", PAGE, re.MULTILINE) == [
        *sorted(re.findall(r"alert: (\w+)", RULES), key=PAGE.index)
    ]


def test_settings_and_commands_that_are_named_exist():
    others = (
        "ASSAY_WORKER",
        "ASSAY_RUNNER",
        "ASSAY_VERIFIER",
        "ASSAY_TORCH_SHA256",
    )  # the last one is for who installs
    of_app = {name for name in re.findall(r"ASSAY_[A-Z0-9_]+", PAGE) if not name.startswith(others)}
    assert of_app <= known_names()
    assert set(re.findall(r"`assay (\w+)", PAGE)) <= set(COMMANDS)
