"""What is kept of a report beside its text, for counting."""

from app.models import DiagnosedMisconception
from grader.report import Report


def diagnosed(submission_id: str, report: Report) -> list[DiagnosedMisconception]:
    """One row for each misconception that the report names."""
    titles = {diagnosis.id: diagnosis.title for diagnosis in report.diagnoses}
    return [
        DiagnosedMisconception(submission_id=submission_id, misconception=name[:100], title=title[:300])
        for name, title in titles.items()
    ]
