"""The events of a submission, as its student's view tells them."""

import json
from collections.abc import Mapping
from typing import Any

from fastapi.sse import ServerSentEvent

from app.models import Feedback
from app.submissions.feedback import Told
from grader.report import Verdict


def event_for_student(event: ServerSentEvent, told: Told) -> ServerSentEvent | None:
    """Returns the event without what the student's view leaves out; None when nothing remains."""
    if told.is_held and event.event in ("test", "verdict", "gpu"):
        return None
    if event.event == "test":
        return None if told.feedback is Feedback.VERDICT else event
    return _with_summary(event, told.summaries) if event.event == "verdict" else event


def _with_summary(event: ServerSentEvent, summaries: Mapping[Verdict, str]) -> ServerSentEvent:
    data: dict[str, Any] = event.data if event.raw_data is None else json.loads(event.raw_data)
    summary = summaries.get(Verdict(data["verdict"]), data["summary"])
    return ServerSentEvent(event="verdict", data={**data, "summary": summary}, id=event.id)
