"""The public halves of the keys that receipts are signed with. The private half is the recorder's, in a file."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, now


class ReceiptKey(Base):
    """A public key for receipts. All that were ever used are kept: a receipt outlives the key that signed it."""

    __tablename__ = "receipt_keys"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    public_key: Mapped[str] = mapped_column(String(64))  # Ed25519, base64url without padding
    first_used_at: Mapped[datetime] = mapped_column(default=now)
