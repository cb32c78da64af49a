"""A GPU stage as its student and the staff see it."""

from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from app.models import Feedback, GpuStage
from grader.gpu_report import GpuReport, GpuState

MESSAGES: Final = {
    GpuState.NOT_RUN: "Not run: no worker with a graphics card was there. The verdict stands without it.",
    GpuState.WAITING: "Waiting for a graphics card. The verdict stands, whatever comes of it.",
    GpuState.RUNNING: "Running on a graphics card.",
    GpuState.DONE: "Right there, too, and measured.",
    GpuState.FAILED: "It did not come out right there. The verdict stands.",
}
GIVEN_UP: Final = "Not run: the graphics card's worker failed again and again. That is our fault; the verdict stands."


class GpuView(BaseModel):
    """The result of a passed submission on a GPU. It gives no points and changes no verdict."""

    model_config = ConfigDict(frozen=True)

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
