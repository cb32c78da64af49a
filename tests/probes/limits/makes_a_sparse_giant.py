"""Makes a file of a terabyte that holds nothing.
Expect: error|failed
"""
# layer: rlimits

def forbidden():
    with open("giant", "wb") as file:
        file.truncate(1 << 40)
    return True
