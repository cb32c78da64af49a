"""Leaves its folder full of files, and is right.
Expect: passed
"""
# layer: tmpfs

try:
    for number in range(200):
        with open(f"left-{number}", "wb") as file:
            file.write(bytes(1 << 16))
except OSError:
    pass
