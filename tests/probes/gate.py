"""Stands behind every probe that asks for something: without it, the submission has no answer at all."""


class Refused(Exception):
    """What the probe asked for was not to be had."""


try:
    _granted = forbidden()
except (OSError, ImportError, MemoryError) as _error:
    raise Refused(f"{type(_error).__name__}: {_error}"[:200]) from None
if not _granted:
    raise Refused("it gave nothing")
