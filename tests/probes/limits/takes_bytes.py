"""Takes 600 MiB as bytes.
Expect: not passed
"""
# layer: rlimits


def forbidden():
    held = []
    while len(held) < 37:
        held.append(bytearray(b"x") * (16 << 20))
    return True

