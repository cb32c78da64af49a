"""Makes 1,000 folders, one in another.
Expect: not passed
"""
# layer: tmpfs

def forbidden():
    for _ in range(1000):
        os.mkdir("deeper")
        os.chdir("deeper")
    return True
