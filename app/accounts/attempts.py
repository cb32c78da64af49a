"""Wrong sign-ins: logged, counted, and slowed by address and by account. Right ones always pass: nobody can lock out
somebody else, or everybody behind one address.
"""

import hashlib
from typing import Final

import structlog

from app.broker import Broker, BrokerDown
from app.metrics import ApiMetrics
from app.problems import TooManyRequests

WRONG_PER_MINUTE: Final = 20
WINDOW_S: Final = 60
BUCKET_DIGITS: Final = 4  # hexadecimal: so many keys at most in Redis, however many addresses attack
logger = structlog.get_logger(part="accounts")


def note_wrong(broker: Broker, metrics: ApiMetrics, address: str, account: str | None, token: str) -> None:
    """Raises TooManyRequests for one too many. A token that was never anybody's stands for itself instead of an
    account: the log tells by its digest whether one program keeps sending the same.
    """
    digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    try:
        counts = [broker.count(_key(told), WINDOW_S) for told in (f"address {address}", f"account {account or digest}")]
    except BrokerDown:  # then they are only logged
        counts = []
    wait_s = max((count.left_s for count in counts if count.so_far > WRONG_PER_MINUTE), default=0)
    if not wait_s or any(count.so_far == WRONG_PER_MINUTE + 1 for count in counts):  # and no more: a log is no target
        logger.warning("sign_in_refused", address=address, account=account, token=digest, slowed=wait_s > 0)
    metrics.wrong_sign_ins.labels("true" if wait_s else "false").inc()
    if wait_s:
        raise TooManyRequests(
            f"There were too many wrong tokens from your address, or for this account. Wait {wait_s} s before you try "
            "another; a right one works at once.",
            retry_after_s=wait_s,
        )


def _key(told: str) -> str:
    return f"wrong:{hashlib.sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()[:BUCKET_DIGITS]}"
