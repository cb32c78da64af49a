"""Writes 64 MiB.
Expect: not passed
"""
# layer: tmpfs, rlimits

def forbidden():
    for number in range(64):
        with open(f"full-{number}", "wb") as file:
            file.write(bytes(1 << 20))
    return True
