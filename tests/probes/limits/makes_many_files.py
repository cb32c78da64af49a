"""Makes 2,000 empty files.
Expect: not passed
"""
# layer: tmpfs
# surface

def forbidden():
    for number in range(2000):
        open(f"empty-{number}", "w").close()
    return True
