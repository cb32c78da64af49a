"""`GET /receipts/key`: for everybody, also without an account, because a receipt is meant to be shown to others."""

from fastapi import APIRouter

from app.receipts import service
from app.receipts.schemas import KeySet
from app.services import WithServices

router = APIRouter(prefix="/receipts", tags=["receipts"])


@router.get("/key")
def read_keys(services: WithServices) -> KeySet:
    """The public keys that receipts are signed with, as a JSON Web Key set. The one in use comes first."""
    return service.key_set(services.database)
