"""What the front end works with for learning platforms, put together once."""

from typing import Any, Final

from itsdangerous import BadSignature, URLSafeTimedSerializer
from pydantic import BaseModel

from app.accounts.identities import Claims, known
from app.challenges.service import Catalogue
from app.database import Database
from app.lti.advantage import PlatformServices
from app.lti.courier import Courier
from app.lti.keys import KeyRing
from app.lti.launches import Launches
from app.lti.messages import PlatformKeys
from app.models import User
from app.problems import Forbidden
from app.settings import ApiSettings

ARRIVAL_S: Final = 3600


class Arrival(BaseModel, frozen=True):
    """Where a launch leads, while the person is asked who they are here. Signed, since it passes through an address."""

    issuer: str
    subject: str
    is_instructor: bool
    context: str | None
    assignment: str | None


class Lti:
    """Keys, launches, and the courier, which `start` starts unless the settings say never."""

    def __init__(self, settings: ApiSettings, database: Database, catalogue: Catalogue) -> None:
        self._database = database
        self._runs = settings.lti_every_s > 0
        self._arrivals = URLSafeTimedSerializer(settings.secret_key.get_secret_value(), salt="assay-lti-arrival")
        self.keys: Final = KeyRing(database, settings.secret_key)
        self.launches: Final = Launches(database, settings.secret_key, PlatformKeys())
        self.services: Final = PlatformServices(self.keys)
        self.courier: Final = Courier(database, catalogue, self.services, settings.lti_every_s)

    def start(self) -> None:
        """Starts the courier."""
        if self._runs:
            self.courier.start()

    def stop(self) -> None:
        """Stops the courier."""
        self.courier.stop()

    def seal(self, arrival: Arrival) -> str:
        """Returns the arrival as a signed text."""
        return self._arrivals.dumps(arrival.model_dump())

    def unseal(self, text: str, user: User) -> Arrival:
        """Returns the arrival, if it is this person's. Raises Forbidden."""
        try:
            told: Any = self._arrivals.loads(text, max_age=ARRIVAL_S)
        except BadSignature as error:
            raise Forbidden("This took too long. Go back to your learning platform and open the link again.") from error
        arrival = Arrival.model_validate(told)
        found = known(self._database, Claims(arrival.issuer, arrival.subject))
        if found is None or found.id != user.id:
            raise Forbidden("You are signed in as somebody else. Go back to your learning platform and open it again.")
        return arrival
