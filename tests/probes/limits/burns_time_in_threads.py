"""Burns processor time in four threads at once.
Expect: timeout
"""
# layer: rlimits, supervisor

import threading

import torch


def burn():
    x = torch.ones(200, 200)
    while True:
        x @ x


for _ in range(4):
    threading.Thread(target=burn).start()
burn()
