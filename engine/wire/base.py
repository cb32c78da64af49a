"""What all data from the server have in common."""

from typing import Generic, TypeVar

from pydantic import BaseModel


class Wire(BaseModel, frozen=True, extra="ignore"):
    """Unknown keys are let through: students update later than their server."""


ItemT = TypeVar("ItemT", bound=Wire)


class Listed(Wire, Generic[ItemT]):
    """Everything that the server has of a kind, in its order."""

    items: tuple[ItemT, ...]
