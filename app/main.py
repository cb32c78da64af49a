"""The HTTP front end, put together. `create_app` is the only thing that others need."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

from fastapi import APIRouter, FastAPI
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.accounts.endpoints import router as accounts
from app.analytics.endpoints import router as analytics
from app.assignments.endpoints import router as assignments
from app.broker import Broker
from app.challenges.endpoints import router as challenges
from app.challenges.service import Catalogue
from app.comments.endpoints import router as comments
from app.courses.endpoints import all_courses
from app.courses.endpoints import router as courses
from app.courses.submissions import router as course_submissions
from app.database import Database
from app.events import Follower
from app.exercises.endpoints import router as exercises
from app.exercises.shelf import Shelf
from app.exports.endpoints import router as exports
from app.gradebook.endpoints import router as gradebook
from app.gradebook.summaries import Summaries
from app.handouts.endpoints import router as handouts
from app.health.endpoints import router as health
from app.hosts import KnownHosts, names_of
from app.hunts.endpoints import router as hunts
from app.invitations.endpoints import router as invitations
from app.jobs.dispatch import Dispatcher
from app.jobs.kinds import KINDS
from app.leaderboard.endpoints import router as leaderboard
from app.lti.endpoints import router as lti
from app.lti.service import Lti
from app.metrics import ApiMetrics, QueueCollector, SubmissionsCollector
from app.middleware import BodyLimit, HeadLimit, RequestLog
from app.news.endpoints import router as news
from app.notes.endpoints import router as notes
from app.openapi import PROBLEMS, DocumentedApp
from app.operations.endpoints import router as operations
from app.problem_responses import install_handlers
from app.questions.endpoints import router as questions
from app.queue.lengths import broker_state, queue_lengths, tallies
from app.queue.positions import Positions
from app.receipts.endpoints import router as receipts
from app.regrade_requests.endpoints import of_course as course_requests
from app.regrade_requests.endpoints import of_submission as regrade_requests
from app.regrades.endpoints import router as regrades
from app.request_slots import RequestSlots
from app.reviews.endpoints import router as reviews
from app.services import Services
from app.settings import ApiSettings
from app.similarity.endpoints import router as similarity
from app.similarity.service import Comparisons
from app.standing.endpoints import router as standing
from app.streams import Streams
from app.submissions.endpoints import router as submissions
from app.submissions.files import router as files
from app.web.install import add_pages
from app.web.openid import provider_of
from app.web.problem_pages import install_problem_pages
from app.week.endpoints import router as week

API = "/api/v1"
SESSION_COOKIE = "assay_session"
SECURE_SESSION_COOKIE = f"__Host-{SESSION_COOKIE}"  # browsers then take it from this host alone, and over HTTPS


def create_app(settings: ApiSettings) -> FastAPI:
    """Returns the application for `settings`. The schema must be up to date (`app.database.upgrade`).

    Raises grader's ManifestError when a challenge is broken.
    """
    services = _services(settings)
    app = DocumentedApp(
        title="Assay",
        summary="Grades deep-learning exercises: is it right, which idea is wrong, and what to think about next.",
        version="1",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        routes=_routes().routes,
        lifespan=_lifespan,
        middleware=_middleware(settings, services.metrics),
    )
    app.state.services = services
    app.is_secure = settings.is_secure
    install_handlers(app)
    install_problem_pages(app)
    return app


@cache
def _routes() -> APIRouter:
    """The same under all settings: what FastAPI works out about a route, it does once in a process."""
    api = APIRouter(responses=PROBLEMS)
    for router in (
        accounts,
        news,
        challenges,
        hunts,
        submissions,
        files,
        comments,
        regrade_requests,
        questions,
        all_courses,
        courses,
        course_submissions,
        invitations,
        notes,
        standing,
        week,
        analytics,
        handouts,
        exports,
        similarity,
        operations,
        exercises,
        assignments,
        gradebook,
        leaderboard,
        receipts,
        regrades,
        course_requests,
        reviews,
        lti,
    ):
        api.include_router(router)
    routes = APIRouter()
    routes.include_router(api, prefix=API)
    routes.include_router(health)
    add_pages(routes)
    return routes


def _services(settings: ApiSettings) -> Services:
    metrics = ApiMetrics()
    database = Database(settings.database_url)
    broker = Broker(settings.redis_url)
    catalogue = Catalogue(settings.challenges_root, Shelf(database))
    metrics.registry.register(SubmissionsCollector(lambda: tallies(database)))
    metrics.registry.register(QueueCollector(lambda: queue_lengths(database), lambda: broker_state(broker)))
    return Services(
        settings=settings,
        database=database,
        broker=broker,
        follower=Follower(settings.redis_url),
        streams=Streams(settings.streams_per_person, settings.streams_max),
        request_slots=RequestSlots(),
        catalogue=catalogue,
        metrics=metrics,
        dispatcher=Dispatcher(database, broker, settings.queue_ahead, KINDS),
        positions=Positions(database, broker),
        comparisons=Comparisons(),
        summaries=Summaries(),
        lti=Lti(settings, database, catalogue),
        provider=provider_of(settings) if settings.openid_issuer else None,
    )


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    services: Services = app.state.services
    services.broker.warm_up()
    services.lti.start()
    yield
    services.lti.stop()
    await services.follower.close()
    services.comparisons.close()
    services.broker.close()
    services.database.close()


def _middleware(settings: ApiSettings, metrics: ApiMetrics) -> list[Middleware]:
    """Outermost first."""
    return [
        *_behind_proxies(settings.trusted_proxies),
        Middleware(RequestLog, metrics=metrics),
        Middleware(KnownHosts, names=names_of(settings)),
        Middleware(HeadLimit),
        Middleware(BodyLimit, limit_bytes=settings.request_bytes, limit_s=settings.body_timeout_s),
        Middleware(
            SessionMiddleware,
            secret_key=settings.secret_key.get_secret_value(),
            session_cookie=SECURE_SESSION_COOKIE if settings.has_secure_cookie else SESSION_COOKIE,
            https_only=settings.has_secure_cookie,
            same_site="lax",
        ),
    ]


def _behind_proxies(trusted: str) -> list[Middleware]:
    """What a proxy says of the client is believed only when a setting names the proxy: anybody can send the header."""
    return [Middleware(ProxyHeadersMiddleware, trusted_hosts=trusted)] if trusted else []
