"""`assay recorder`: the only writer of reports, with the sweeper, as a process."""

import click

from app.environment import SettingsError
from app.recorder import run_recorder
from app.settings import RecorderSettings
from assay import logs
from assay.errors import CannotStart
from transport.internals import use_no_scripts


@click.command()
def command() -> None:
    """Run only the recorder, which writes reports into the database and queues lost submissions again.

    Settings: ASSAY_ variables, see docs/settings.md. The database must have the newest schema.
    """
    try:
        settings = RecorderSettings.from_environment()
        logs.configure(as_json=settings.log_json)
        use_no_scripts()
        run_recorder(settings)
    except SettingsError as error:
        raise CannotStart(str(error)) from error
