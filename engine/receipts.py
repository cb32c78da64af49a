"""Receipts: whether one is genuine, by the keys that were pinned when this server was met first. Knows no terminal."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from joserfc import jws
from joserfc.errors import BadSignatureError, JoseError
from joserfc.jwk import OKPKey
from pydantic import BaseModel, ValidationError

from engine.config import Config, write_private
from engine.errors import NotGenuine, WrongUsage
from engine.wire.receipts import PublicKey, Receipt

ALGORITHM: Final = "Ed25519"


class Pins(BaseModel, frozen=True, extra="ignore"):
    """The file's content: keys by server."""

    servers: dict[str, tuple[PublicKey, ...]] = {}


@dataclass(frozen=True)
class KeyRing:
    """The keys that we trust for one server, in a file beside the credentials."""

    file: Path
    server: str

    @classmethod
    def of(cls, config: Config) -> "KeyRing":
        """Opens the keys of the present server."""
        return cls(config.folder / "receipt-keys.json", config.server)

    def trusted(self) -> tuple[PublicKey, ...]:
        """Reads the keys that were pinned. Raises WrongUsage when the file is damaged."""
        return self._pins().servers.get(self.server, ())

    def pin(self, keys: Iterable[PublicKey]) -> None:
        """Trusts these keys from now on, beside those that are trusted already."""
        pins = self._pins().servers
        known = {key.kid: key for key in (*pins.get(self.server, ()), *keys)}
        pinned = Pins(servers={**pins, self.server: tuple(known.values())})
        write_private(self.file, pinned.model_dump_json(indent=1))

    def _pins(self) -> Pins:
        """A damaged file is no reason to trust whatever comes."""
        try:
            return Pins.model_validate_json(self.file.read_bytes())
        except FileNotFoundError:
            return Pins()
        except ValidationError as error:
            raise WrongUsage(f"{self.file} is damaged.", "Remove it to trust the server's key again.") from error


def key_id(text: str) -> str:
    """Which key the receipt says it was signed with. Raises NotGenuine for what is no receipt."""
    try:
        return str(jws.extract_compact(text.encode()).headers()["kid"])
    except (JoseError, ValueError, KeyError) as error:
        raise NotGenuine("This is not a receipt.", "A receipt is one long word with two full stops in it.") from error


def verified(text: str, key: PublicKey) -> Receipt:
    """What the receipt says. Raises NotGenuine when the key did not sign it."""
    public = OKPKey.import_key({"kty": "OKP", "crv": ALGORITHM, "x": key.x})
    try:
        return Receipt.model_validate_json(jws.deserialize_compact(text.encode(), public, [ALGORITHM]).payload)
    except BadSignatureError as error:
        raise NotGenuine(
            "This receipt is not genuine: it was changed, or signed by someone else.",
            "Get it again from the server: engine verify-receipt ID",
        ) from error
    except (JoseError, ValidationError, ValueError) as error:
        raise NotGenuine("This receipt is damaged.", "Get it again: engine verify-receipt ID") from error


def key_in(path: Path) -> PublicKey:
    """A public key that was given by hand: PEM, or JSON (a key, or the server's whole set: its first)."""
    try:
        data = path.read_bytes()
        if data.lstrip().startswith(b"{"):
            found = json.loads(data)
            key = OKPKey.import_key(found["keys"][0] if "keys" in found else found)
        else:
            key = OKPKey.import_key(data)
        return PublicKey(kid=key.thumbprint(), x=str(key.as_dict(private=False)["x"]))
    except (JoseError, ValueError, KeyError, IndexError, TypeError) as error:
        raise WrongUsage(
            f"{path} holds no public Ed25519 key.", "It must be a PEM file, or the output of /receipts/key."
        ) from error
