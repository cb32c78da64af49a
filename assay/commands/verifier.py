"""`assay verifier`: what fetches and verifies exercise repositories, as a process."""

import click

from assay import logs
from assay.errors import CannotStart
from assay.exercises.settings import VerifierSettings
from assay.exercises.verifier import run_verifier
from transport.internals import use_no_scripts
from worker.process_settings import ProcessSettingsError


@click.command()
def command() -> None:
    """Run only a verifier, which fetches and verifies the exercise repositories that are added in the dashboard.

    Settings: ASSAY_VERIFIER_ variables, see docs/settings.md.
    """
    try:
        settings = VerifierSettings.from_environment()
    except ProcessSettingsError as error:
        raise CannotStart(str(error)) from error
    logs.configure(as_json=settings.log_json)
    use_no_scripts()
    run_verifier(settings)
