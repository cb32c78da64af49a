"""Never ends its import.
Expect: timeout
"""
# layer: supervisor, rlimits

while True:
    pass
