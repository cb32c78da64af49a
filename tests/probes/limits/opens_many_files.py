"""Opens 1,000 descriptors.
Expect: not passed
"""
# layer: rlimits

def forbidden():
    held = [os.open("/dev/null", os.O_RDONLY) for _ in range(1000)]
    return len(held) == 1000
