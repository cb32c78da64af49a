"""Writes docs/report.schema.json, the published schema of the report."""

import json
from pathlib import Path

from grader.report import Report

if __name__ == "__main__":
    path = Path(__file__).parents[1] / "docs" / "report.schema.json"
    path.write_text(json.dumps(Report.model_json_schema(by_alias=True), indent=2) + "\n")
