"""What everything in a report is. Knows no torch."""

from pydantic import BaseModel


class Part(BaseModel, frozen=True, extra="forbid", allow_inf_nan=False):
    """Base of everything in a report: frozen, and a key we do not know is refused."""
