"""Opens the processor's counters.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return reached("perf_event_open", 0, 0, -1, -1, 0)
