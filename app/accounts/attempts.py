"""Wrong sign-ins: logged, counted, and slowed by address and by account. Right ones always pass: nobody can lock out
somebody else, or everybody behind one address.
"""

from typing import Final

import structlog

from app.broker import Broker
from app.hashing import sha256_of
from app.metrics import ApiMetrics
from app.problems import TooManyRequests
from app.rate import count

WRONG_PER_MINUTE: Final = 20
BUCKET_DIGITS: Final = 4  # hexadecimal: so many keys at most in Redis, however many addresses attack
logger = structlog.get_logger(part="accounts")


def note_wrong(broker: Broker, metrics: ApiMetrics, address: str, account: str | None, token: str) -> None:
    """Counts a wrong token; raises TooManyRequests when there were too many. A token that never existed is logged by
    its digest in place of an account, so that the log shows whether one program keeps sending the same.
    """
    digest = sha256_of(token)[:12]
    told = (f"address {address}", f"account {account or digest}")
    counts = [found for each in told if (found := count(broker, "wrong", sha256_of(each)[:BUCKET_DIGITS]))]
    wait_s = max((found.left_s for found in counts if found.so_far > WRONG_PER_MINUTE), default=0)
    if not wait_s or any(found.so_far == WRONG_PER_MINUTE + 1 for found in counts):  # and no more: a log is no target
        logger.warning("sign_in_refused", address=address, account=account, token=digest, slowed=wait_s > 0)
    metrics.wrong_sign_ins.labels("true" if wait_s else "false").inc()
    if wait_s:
        raise TooManyRequests(
            f"There were too many wrong tokens from your address, or for this account. Wait {wait_s} s before you try "
            "another; a correct one works right away.",
            retry_after_s=wait_s,
        )
