"""A GPU stage as its student and the staff see it."""

from typing import Final

from pydantic import Field

from app.models import Feedback, GpuStage
from app.request_values import View
from grader.gpu_report import GpuReport, GpuState

MESSAGES: Final = {
    GpuState.NOT_RUN: "Not run: no worker with a GPU was available. Your verdict does not depend on it.",
    GpuState.WAITING: "Waiting for a GPU. The result will not change your verdict.",
    GpuState.RUNNING: "Running on a GPU.",
    GpuState.DONE: "Right on the GPU as well; time and memory were measured.",
    GpuState.FAILED: "Not right on the GPU. Your verdict does not change.",
}
GIVEN_UP: Final = "Not run: the GPU worker kept failing. That is our fault, and your verdict does not change."


class GpuView(View):
    """The result of a passed submission on a GPU. It gives no points and changes no verdict."""

    state: GpuState
    message: str = Field(description="one sentence to the student")
    report: GpuReport | None = Field(description="once it is done or failed, where the feedback is full")


def gpu_view(stage: GpuStage | None, feedback: Feedback) -> GpuView | None:
    """Returns the view of the submission's GPU stage; None without a stage or a verdict."""
    if stage is None:
        return None
    report = GpuReport.model_validate_json(stage.body) if stage.body and feedback is Feedback.FULL else None
    is_given_up = stage.state is GpuState.NOT_RUN and stage.job_id is not None
    message = GIVEN_UP if is_given_up else report.message if report else MESSAGES[stage.state]
    return GpuView(state=stage.state, message=message, report=report)


def is_worth_telling(stage: GpuStage | None) -> bool:
    """Whether the student could expect a GPU run at all: a service without GPUs does not mention them."""
    return stage is not None and (stage.state is not GpuState.NOT_RUN or stage.job_id is not None)
