"""Stops every clock of Python.
Expect: failed
"""
# layer: supervisor, judge

import time

for name in ("time", "monotonic", "perf_counter", "process_time", "time_ns", "monotonic_ns", "perf_counter_ns"):
    setattr(time, name, lambda: 0)
