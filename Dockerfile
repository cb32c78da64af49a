# Images from one source. Each has the packages of requirements.lock that its role needs, and no more:
#   client    `engine` alone
#   app       front end, recorder, the operator's commands: no torch
#   sandbox   a container for each submission, where the runner is told to use Docker
#   worker    the judge
#   runner    students' code: no secret, no exercise's answers
#   worker-gpu, runner-gpu   the same for GPU stages; torch for CUDA in the runner alone, from CUDA_INDEX_URL (docs/gpu.md)
#
#   docker build --target app --tag assay-app .
#   docker build --target worker --tag assay-worker --build-arg PIP_EXTRA_INDEX_URL=<an index with torch for the CPU> .
# scripts/docker-images builds all that docker-compose.yml runs, also on a machine that reaches no image registry.
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS base
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PATH=/opt/assay/bin:$PATH
RUN python -m venv --without-pip /opt/assay \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin assay \
    && install -d -o 10001 -g 10001 /var/lib/assay /run/assay

# Packages come before any of our source, because they change seldom, and by the hashes of requirements.lock alone. pip is that of the
# base image and stays behind. A build of torch that the lock does not know comes in by its hash: TORCH_SHA256 (docs/operations.md).
FROM base AS packages
ARG PIP_EXTRA_INDEX_URL
ARG PIP_FIND_LINKS
ARG PIP_NO_INDEX
ARG TORCH_SHA256
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PIP_NO_CACHE_DIR=1 ASSAY_TORCH_SHA256=$TORCH_SHA256 \
    PIP_EXTRA_INDEX_URL=$PIP_EXTRA_INDEX_URL PIP_FIND_LINKS=$PIP_FIND_LINKS PIP_NO_INDEX=$PIP_NO_INDEX
WORKDIR /src
COPY pyproject.toml requirements.lock ./
COPY deploy/dependencies.py deploy/install.py deploy/

# Our own wheels are built with the setuptools of the lock, and fetch nothing. Each image says what is in it, in
# /usr/share/doc/assay/packages.cdx.json (CycloneDX): what pip finds installed, with the lock's hashes.
FROM packages AS builder
RUN python3 deploy/install.py /opt/assay build sbom
COPY deploy/sbom.py deploy/

FROM builder AS source
COPY . .

# --- client ----------------------------------------------------------------------------------------------------------

FROM packages AS packages-client
RUN python3 deploy/install.py /opt/assay && python3 -m pip --python /opt/assay freeze --all > /installed

FROM builder AS list-client
COPY --from=packages-client /installed /installed
RUN /opt/assay/bin/python deploy/sbom.py assay-client /packages.cdx.json --installed /installed

FROM source AS own-client
RUN /opt/assay/bin/python scripts/client_wheel.py /wheels \
    && python3 -m pip --python /opt/assay install --no-index --no-deps --root /own /wheels/*.whl

FROM base AS client
COPY --from=packages-client /opt/assay /opt/assay
COPY --from=own-client /own /
COPY --from=list-client /packages.cdx.json /usr/share/doc/assay/
WORKDIR /work
USER 10001:10001
ENTRYPOINT ["engine"]

# --- app -------------------------------------------------------------------------------------------------------------

FROM packages AS packages-app
# What copydetect would draw with is never loaded (app/similarity/text.py): an eighth of the image.
RUN python3 deploy/install.py /opt/assay server \
    && python3 -m pip --disable-pip-version-check --python /opt/assay uninstall --yes \
        matplotlib contourpy cycler fonttools kiwisolver pillow pyparsing \
    && python3 -m pip --python /opt/assay freeze --all > /installed

FROM builder AS list-app
COPY --from=packages-app /installed /installed
COPY app/web/editor/package-lock.json editor.lock
RUN /opt/assay/bin/python deploy/sbom.py assay-app /packages.cdx.json --installed /installed --bundled editor.lock

FROM source AS own
RUN python3 -m pip --python /opt/assay install --no-index --no-deps --no-build-isolation --root /own .

FROM base AS app
# For `assay backup` and `assay restore`.
RUN command -v pg_dump >/dev/null \
    || { apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*; }
COPY --from=packages-app /opt/assay /opt/assay
COPY --from=own /own /
COPY --from=list-app /packages.cdx.json /usr/share/doc/assay/
WORKDIR /var/lib/assay
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=10s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=8)"]
CMD ["assay", "api", "--host", "0.0.0.0", "--port", "8000"]

# --- sandbox: what students' code sees, a Python, the allowed packages, the guest's modules, and no more --------------

FROM packages AS packages-worker
RUN python3 deploy/install.py /opt/assay worker && python3 -m pip --python /opt/assay freeze --all > /installed

FROM packages-worker AS build-sandbox
COPY worker/__init__.py worker/
COPY worker/sandbox/__init__.py worker/sandbox/build_variables.py worker/sandbox/image.py worker/sandbox/layout.py \
    worker/sandbox/allowed_packages.py worker/sandbox/
RUN mkdir /image && /opt/assay/bin/python -m worker.sandbox.image /image
COPY grader grader
COPY worker worker
RUN /opt/assay/bin/python -m worker.sandbox.guest_code /guest

FROM scratch AS sandbox
COPY --from=build-sandbox /image /
COPY --from=build-sandbox /guest /assay/code

# --- worker and runner: the packages are one layer of both ------------------------------------------------------------

FROM builder AS list-worker
COPY --from=packages-worker /installed /installed
RUN /opt/assay/bin/python deploy/sbom.py assay-worker /packages.cdx.json --installed /installed

FROM base AS torch
RUN ldconfig -p | grep -q libseccomp.so.2 \
    || { apt-get update && apt-get install -y --no-install-recommends libseccomp2 && rm -rf /var/lib/apt/lists/*; }
COPY --from=packages-worker /opt/assay /opt/assay
COPY --from=list-worker /packages.cdx.json /usr/share/doc/assay/

FROM torch AS worker
# For exercise repositories, which judges fetch themselves.
RUN command -v git >/dev/null \
    || { apt-get update && apt-get install -y --no-install-recommends ca-certificates git openssh-client && rm -rf /var/lib/apt/lists/*; }
COPY --from=own /own /
# Who hangs shall be seen, and who is busy left alone: docs/operations.md, "Health checks".
ENV ASSAY_WORKER_ALIVE_FOLDER=/tmp/alive ASSAY_VERIFIER_ALIVE_FOLDER=/tmp/alive
WORKDIR /var/lib/assay
USER 10001:10001
HEALTHCHECK --interval=15s --timeout=10s --retries=2 --start-period=180s \
    CMD ["python", "-m", "grader.alive", "/tmp/alive", "queue", "judge", "runner"]
CMD ["assay", "worker"]

# What students' code could reach if it broke out: no reference, no questions, no front end.
FROM own AS own-runner
RUN cd /own/opt/assay/lib/python3*/site-packages && rm -r app challenges engine transport

FROM torch AS runner
COPY --from=own-runner /own /
ENV ASSAY_RUNNER_ALIVE_FOLDER=/tmp/alive
WORKDIR /
USER 10001:10001
HEALTHCHECK --interval=15s --timeout=10s --retries=2 --start-period=180s CMD ["python", "-m", "grader.alive", "/tmp/alive", "sandbox"]
CMD ["assay", "runner"]

# --- GPU stages: the judge needs no GPU and no CUDA, the runner both --------------------------------------------------

FROM worker AS worker-gpu
CMD ["assay", "worker", "--device", "cuda"]

FROM packages AS packages-gpu
ARG CUDA_INDEX_URL
RUN PIP_EXTRA_INDEX_URL=$CUDA_INDEX_URL python3 deploy/install.py /opt/assay worker && python3 -m pip --python /opt/assay freeze --all > /installed

FROM builder AS list-gpu
COPY --from=packages-gpu /installed /installed
RUN /opt/assay/bin/python deploy/sbom.py assay-runner-gpu /packages.cdx.json --installed /installed

FROM base AS torch-gpu
RUN ldconfig -p | grep -q libseccomp.so.2 \
    || { apt-get update && apt-get install -y --no-install-recommends libseccomp2 && rm -rf /var/lib/apt/lists/*; }
COPY --from=packages-gpu /opt/assay /opt/assay
COPY --from=list-gpu /packages.cdx.json /usr/share/doc/assay/

FROM torch-gpu AS runner-gpu
COPY --from=own-runner /own /
# What NVIDIA's container toolkit is to put in: the driver for computing, and NVML.
ENV ASSAY_RUNNER_DEVICE=cuda NVIDIA_DRIVER_CAPABILITIES=compute,utility ASSAY_RUNNER_ALIVE_FOLDER=/tmp/alive
WORKDIR /
USER 10001:10001
HEALTHCHECK --interval=15s --timeout=10s --retries=2 --start-period=180s CMD ["python", "-m", "grader.alive", "/tmp/alive", "sandbox"]
CMD ["assay", "runner"]
