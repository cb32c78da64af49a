"""Looks for a graphics card, which a submission for the processor does not need.
Expect: not passed
"""
# layer: root
# surface

import os


def forbidden():
    devices = ("nvidia0", "nvidiactl", "nvidia-uvm", "dri", "kfd")
    return any(os.path.exists(f"/dev/{name}") for name in devices)
