"""Makes 500 pipes and fills them, which the kernel pays for.
Expect: not passed
"""
# layer: rlimits

def forbidden():
    for _ in range(500):
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        os.write(writing, bytes(4096))
    return True
