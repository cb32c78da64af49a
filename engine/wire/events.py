"""What the events of a submission carry."""

from pydantic import Field

from engine.wire.base import Wire
from engine.wire.submissions import State


class StateEvent(Wire):
    """The submission has changed its state."""

    state: State


class TestEvent(Wire):
    """One test as it ends; `done` of `total`."""

    __test__ = False  # pytest: this is not a test class

    group: str = ""
    title: str = ""
    status: str = ""
    done: int = Field(default=0, ge=0)
    total: int = Field(default=0, ge=0)
