"""What a container or a jail runs that is to execute a submission: imports torch, is confined, serves.

Its argument is the orders.
"""

import sys
from typing import NoReturn

from worker.sandbox import guest
from worker.sandbox.backend import CHECK_LIMITS
from worker.sandbox.channels import end_with
from worker.sandbox.contained import Orders, confine
from worker.sandbox.context import open_context
from worker.sandbox.warmup import warm_up


def main() -> NoReturn:
    """Serves one session and ends the process."""
    end_with(_serve)


def _serve() -> NoReturn:
    orders = Orders.from_json(sys.argv[1])
    warm_up(imports_ahead=orders.imports_ahead)
    ready = confine(orders)
    if orders.on_gpu and orders.limits != CHECK_LIMITS:  # as in the zygote's child
        open_context()
    guest.serve(ready, orders.limits.call_cpu_s)
