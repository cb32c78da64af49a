"""What everything in a report is. Knows no torch."""

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """Base of everything in a report: frozen, and a key we do not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
