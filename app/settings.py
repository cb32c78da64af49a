"""What each process of `app` is told from outside, read once at start. Nothing else reads the environment."""

import os
from collections.abc import Mapping
from enum import StrEnum
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Self

from pydantic import BeforeValidator, Field, HttpUrl, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from app.accounts.names import is_email
from app.environment import PREFIX, SettingsError, refuse_unknown, secrets_folder, told_by_name
from app.time_zones import checked_zone
from grader.challenge import DEFAULT_ROOT

DATABASES: Final = ("sqlite", "postgresql+psycopg")
REDIS_SCHEMES: Final = ("redis://", "rediss://", "unix://")
LOCAL_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
MAY_BE_EMPTY: Final = BeforeValidator(lambda value: None if value == "" else value)


class SmtpSecurity(StrEnum):
    """How the connection to the mail server is encrypted."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


class SharedSettings(BaseSettings):
    """What every process of `app` needs."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")

    # Not shown: both hold a password.
    database_url: str = Field(
        repr=False, description="SQLAlchemy URL: sqlite:////path/assay.db or postgresql+psycopg://…"
    )
    redis_url: str = Field(
        repr=False, description="Redis of the queues and of the progress streams: redis://host:port/0"
    )
    queue_ahead: int = Field(
        default=8, ge=1, description="submissions sent to a queue before a judge is free: about twice its judges"
    )
    log_json: bool = Field(default=False, description="one JSON object per log line instead of readable lines")
    public_url: Annotated[HttpUrl | None, MAY_BE_EMPTY] = Field(
        default=None,
        description="where people reach the server: https://assay.example.edu; https brings secure cookies and HSTS",
    )
    smtp_host: str = Field(default="", description="the mail server that mails are sent through; empty: no mail")

    @field_validator("database_url")
    @classmethod
    def _is_a_database(cls, value: str) -> str:
        try:
            kind = make_url(value).drivername
        except ArgumentError:
            kind = ""
        if kind not in DATABASES:
            raise ValueError("it must begin with sqlite:/// or postgresql+psycopg://")
        return value

    @field_validator("redis_url")
    @classmethod
    def _is_a_redis(cls, value: str) -> str:
        if not value.startswith(REDIS_SCHEMES):
            raise ValueError(f"it must begin with one of {', '.join(REDIS_SCHEMES)}")
        return value

    @field_validator("public_url")
    @classmethod
    def _is_an_origin(cls, value: HttpUrl | None) -> HttpUrl | None:
        if value is not None and (value.path not in (None, "/") or value.query or value.fragment or value.username):
            raise ValueError("it must be scheme and host alone, such as https://assay.example.edu")
        return value

    @classmethod
    def from_environment(cls) -> Self:
        """Reads the settings from the environment. Raises SettingsError with a sentence that names the variable."""
        refuse_unknown(os.environ, known_names())
        try:
            return cls(_secrets_dir=secrets_folder())
        except ValidationError as error:
            raise SettingsError(told_by_name(error)) from error

    @classmethod
    def check(cls, environment: Mapping[str, str]) -> None:
        """Raises SettingsError as a process with this environment would, before it is started."""
        names = {f"{PREFIX}{name.upper()}": name for name in cls.model_fields}
        given: dict[str, Any] = {names[each]: value for each, value in environment.items() if each in names}
        try:
            cls(_env_prefix="NOT_OF_THIS_PROCESS_", **given)
        except ValidationError as error:
            raise SettingsError(told_by_name(error)) from error


class ApiSettings(SharedSettings):
    """The HTTP front end."""

    secret_key: SecretStr = Field(
        min_length=32,
        description="signs the web's session cookie; at least 32 characters, the same on every API process",
    )
    challenges_root: Path = Field(default=DEFAULT_ROOT, description="the folder that holds the challenge folders")
    request_bytes: int = Field(
        default=1 << 20,
        ge=1024,
        description="largest request body with files, 256 KiB without, 128 KiB for a form without; more gets 413",
    )
    siblings_max: int = Field(default=32, ge=0, description="most sibling modules in one submission")
    submissions_per_minute: int = Field(default=30, ge=1, description="per user; more gets 429")
    answers_per_minute: int = Field(
        default=30, ge=1, description="requests with answers to questions, per user; more gets 429"
    )
    writes_per_minute: int = Field(
        default=300, ge=1, description="requests that send or change anything, per user; more gets 429"
    )
    queue_max: int = Field(default=5000, ge=1, description="submissions that may wait in the queue; more get 503")
    address_uploads_per_minute: int = Field(
        default=3000, ge=1, description="per address, which a whole campus may share; more gets 429"
    )
    trusted_proxies: str = Field(
        default="",
        description="addresses or networks, with commas, whose X-Forwarded-For and X-Forwarded-Proto are believed",
    )
    allowed_hosts: str = Field(
        default="",
        description="further names, with commas, that requests may call the server by (Host); others get 400",
    )
    secure_cookie: Annotated[bool | None, MAY_BE_EMPTY] = Field(
        default=None, description="send the session cookie over HTTPS only; unless told, where public_url is https"
    )
    token_days_max: int = Field(default=365, ge=1, le=3650, description="longest life of a token that people make")
    instructors_create_courses: bool = Field(
        default=False, description="whoever instructs a course may create and copy courses too; else operators alone"
    )
    time_zone: str = Field(default="UTC", description="zone of new courses, as an IANA name: Europe/Berlin")
    local_exercises: bool = Field(
        default=False,
        description="operators may also add folders and file:// addresses, of the verifier's machine, on the web",
    )
    invitation_days: int = Field(default=14, ge=1, le=90, description="life of an invitation's code")
    openid_issuer: HttpUrl | None = Field(
        default=None, description="an OpenID Connect provider through which people sign in on the web"
    )
    openid_client_id: str = Field(default="", description="what the provider calls this server")
    openid_client_secret: SecretStr | None = Field(default=None, description="and the secret that it gave it")
    openid_name: str = Field(default="your institution", description="what the sign-in button calls the provider")
    openid_creates_users: bool = Field(
        default=False, description="whoever the provider knows gets an account; else only who is on a roster"
    )
    lti_every_s: float = Field(
        default=30.0,
        ge=0,
        description="seconds between two looks for what learning platforms (LTI) are to get; 0: never",
    )
    head_timeout_s: float = Field(
        default=10.0, gt=0, description="longest time for a request's first line and headers; then the connection ends"
    )
    body_timeout_s: float = Field(default=60.0, gt=0, description="longest time for a request's body; then 408")
    answer_timeout_s: float = Field(
        default=120.0,
        gt=0,
        description="longest time that a client may leave an answer unread; then the connection ends",
    )
    heartbeat_s: float = Field(default=10.0, gt=0, description="seconds between comments on a silent event stream")
    streams_per_person: int = Field(
        default=20, ge=1, description="event streams that one person may have open on this process; more get 429"
    )
    streams_max: int = Field(
        default=1000, ge=1, description="event streams that may be open on this process; more get 429"
    )
    stream_life_s: float = Field(
        default=1800.0, gt=0, description="longest life of an event stream; whoever watches takes up a new one"
    )
    proposals_url: HttpUrl | None = Field(
        default=None, description="base URL of an OpenAI-compatible service that proposes points for free texts"
    )
    proposals_model: str = Field(default="", description="the model's name there")
    proposals_key_file: Path | None = Field(default=None, description="holds the key for it, if it wants one")
    proposals_timeout_s: float = Field(default=60.0, gt=0, description="longest wait for its answer")

    @property
    def can_send_mail(self) -> bool:
        """Whether invitations can be sent: the recorder sends them, and checks the rest."""
        return bool(self.smtp_host)

    @property
    def is_secure(self) -> bool:
        """Whether browsers are to use only HTTPS with this server."""
        return self.public_url is not None and self.public_url.scheme == "https"

    @property
    def has_secure_cookie(self) -> bool:
        """Whether the session cookie is sent over HTTPS only."""
        return self.is_secure if self.secure_cookie is None else self.secure_cookie

    @model_validator(mode="after")
    def _keeps_the_cookie_secure(self) -> Self:
        if self.is_secure and self.secure_cookie is False:
            raise ValueError("ASSAY_SECURE_COOKIE cannot be false where ASSAY_PUBLIC_URL is https: leave it out")
        return self

    @model_validator(mode="after")
    def _names_a_model(self) -> Self:
        if self.proposals_url is not None and not self.proposals_model:
            raise ValueError("ASSAY_PROPOSALS_URL needs ASSAY_PROPOSALS_MODEL: the model's name there")
        return self

    @model_validator(mode="after")
    def _names_itself_to_the_provider(self) -> Self:
        if self.openid_issuer is not None:
            if not self.openid_client_id:
                raise ValueError(
                    "ASSAY_OPENID_ISSUER needs ASSAY_OPENID_CLIENT_ID: what the provider calls this server"
                )
            if self.openid_issuer.scheme != "https" and self.openid_issuer.host not in ("localhost", "127.0.0.1"):
                raise ValueError("ASSAY_OPENID_ISSUER must be an https address")
        return self

    @field_validator("time_zone")
    @classmethod
    def _is_a_zone(cls, value: str) -> str:
        return checked_zone(value)

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, value: str) -> str:
        for part in filter(None, value.split(",")):
            ip_network(part.strip())  # raises ValueError with a sentence
        return value


class RecorderSettings(SharedSettings):
    """The recorder and its sweeper."""

    sweep_every_s: float = Field(default=1.0, gt=0, description="seconds between two looks for lost jobs")
    lost_after_s: float = Field(
        default=3.0, gt=0, description="seconds without queue message or judge before a job counts as lost"
    )
    requeue_base_s: float = Field(
        default=5.0, gt=0, description="pause before a job is sent a third time; doubles with each further one"
    )
    requeue_cap_s: float = Field(default=300.0, gt=0, description="longest such pause")
    requeues_max: int = Field(
        default=12, ge=0, description="times that a job is sent once more; then it is given up, as our fault"
    )
    gpu_expected: bool = Field(
        default=False,
        description="keep GPU stages for a worker with a GPU that is to come; else none is run while none is there",
    )
    receipt_key_file: Path | None = Field(
        default=None,
        description="private Ed25519 key (PEM) that signs receipts; made where no file is; none: no receipts",
    )
    recorder_alive_folder: Path | None = Field(
        default=None, description="where the recorder leaves heartbeats for a health check; none: nowhere"
    )
    recorder_metrics_port: int = Field(
        default=0, ge=0, le=65535, description="where the recorder shows its metrics; 0 = nowhere"
    )
    smtp_port: int = Field(default=587, ge=1, le=65535, description="the mail server's port")
    smtp_security: SmtpSecurity = Field(
        default=SmtpSecurity.STARTTLS, description="starttls, tls (from the first byte on, port 465), or none"
    )
    smtp_user: str = Field(default="", description="name at the mail server; empty: it asks for none")
    smtp_password: SecretStr | None = Field(default=None, description="and the password")
    mail_from: str = Field(default="", description="the address that mail comes from: assay@example.edu")

    @field_validator("mail_from")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        if value and not is_email(value):
            raise ValueError("it must be an e-mail address, such as assay@example.edu")
        return value

    @model_validator(mode="after")
    def _can_send_mail(self) -> Self:
        if not self.smtp_host:
            return self
        if not self.mail_from or self.public_url is None:
            raise ValueError(
                "ASSAY_SMTP_HOST needs ASSAY_MAIL_FROM and ASSAY_PUBLIC_URL: invitations name a sender and a link"
            )
        if self.smtp_security is SmtpSecurity.NONE and self.smtp_host not in LOCAL_HOSTS:
            raise ValueError("ASSAY_SMTP_SECURITY=none is for a mail server on this machine: invitations are secret")
        if bool(self.smtp_user) != (self.smtp_password is not None):
            raise ValueError("ASSAY_SMTP_USER and ASSAY_SMTP_PASSWORD go together")
        return self


def known_names() -> frozenset[str]:
    """Returns every ASSAY_ variable that a process of `app` reads. All of them may be in one environment."""
    fields = {*ApiSettings.model_fields, *RecorderSettings.model_fields}
    return frozenset(f"{PREFIX}{name.upper()}" for name in fields)
