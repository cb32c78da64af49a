"""Asks for threads with stacks of 2 GiB.
Expect: not passed
"""
# layer: rlimits

import threading


def forbidden():
    threading.stack_size(2 << 30)
    threads = [threading.Thread(target=print) for _ in range(4)]
    try:
        for thread in threads:
            thread.start()
    except RuntimeError:
        return False
    return True
