"""Makes 1,000 folders, one in another.
Expect: not passed
"""
# layer: tmpfs
# surface: gVisor's tmpfs counts bytes, not folders; they are of the sandbox's own memory

def forbidden():
    for _ in range(1000):
        os.mkdir("deeper")
        os.chdir("deeper")
    return True
