"""Opens the devices of memory, virtual machines and file systems.
Expect: not passed
"""
# layer: root, landlock, namespaces
# surface

import os


def forbidden():
    return any(os.path.exists(f"/dev/{name}") for name in ("mem", "kmsg", "port", "kvm", "fuse", "net/tun", "vhost-vsock", "sda"))
