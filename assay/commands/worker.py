"""`assay worker`: a judge as a process."""

import click

from assay import logs
from assay.errors import CannotStart
from grader.manifest import ManifestError
from transport.internals import use_no_scripts
from worker.process_settings import Device, ProcessSettingsError
from worker.settings import WorkerSettings


@click.command()
@click.option(
    "--device",
    type=click.Choice([device.value for device in Device]),
    help="cuda: take the GPU stages of what has passed, in a runner with a GPU.  [default: cpu]",
)
def command(device: str | None) -> None:
    """Run only a judge, which grades queued submissions in its runner's sandbox. Settings: ASSAY_WORKER_ variables."""
    try:
        settings = WorkerSettings.from_environment(**({"device": device} if device else {}))
        logs.configure(as_json=settings.log_json)
        from worker.tasks import run_worker  # noqa: PLC0415 - torch: wrong settings need not wait for it

        use_no_scripts()
        run_worker(settings)
    except (ProcessSettingsError, ManifestError) as error:
        raise CannotStart(str(error)) from error
