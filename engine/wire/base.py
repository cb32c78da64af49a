"""What all data from the server have in common."""

from pydantic import BaseModel, ConfigDict


class Wire(BaseModel):
    """Unknown keys are let through: students update later than their server."""

    model_config = ConfigDict(frozen=True, extra="ignore")
