# Images from one source: app (no torch: front end, recorder), worker (the judge), runner (students' code, no secret),
# sandbox (a container for each submission, where the runner is told to use Docker).
#   docker build --target app -t assay-app .
#   docker build --target worker -t assay-worker --build-arg PIP_EXTRA_INDEX_URL=<an index with torch for the CPU> .
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS base
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PATH=/opt/assay/bin:$PATH
RUN python -m venv /opt/assay \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin assay \
    && install -d -o 10001 -g 10001 /var/lib/assay /run/assay
WORKDIR /src

# What students' code sees in a container of its own, and no more: a Python, the allowed packages, the guest's modules.
#   docker build --target sandbox -t assay-sandbox .
FROM base AS build-sandbox
ARG PIP_EXTRA_INDEX_URL
ARG PIP_FIND_LINKS
ARG PIP_NO_INDEX
COPY requirements.lock ./
RUN pip install --no-cache-dir -c requirements.lock einops einx jaxtyping numpy safetensors torch typing_extensions
COPY worker/__init__.py worker/
COPY worker/sandbox/__init__.py worker/sandbox/image.py worker/sandbox/layout.py worker/sandbox/packages.py \
    worker/sandbox/root.py worker/sandbox/syscalls.py worker/sandbox/
RUN mkdir /image && python -m worker.sandbox.image /image
COPY grader grader
COPY worker worker
RUN python -m worker.sandbox.guest_code /guest

FROM scratch AS sandbox
COPY --from=build-sandbox /image /
COPY --from=build-sandbox /guest /assay

FROM base AS build-app
ARG PIP_EXTRA_INDEX_URL
ARG PIP_FIND_LINKS
COPY . .
RUN pip install --no-cache-dir -c requirements.lock ".[server]"

FROM base AS build-worker
ARG PIP_EXTRA_INDEX_URL
ARG PIP_FIND_LINKS
COPY . .
RUN pip install --no-cache-dir -c requirements.lock ".[worker]"

# What students' code could reach if it broke out: no reference, no questions, no front end.
FROM build-worker AS build-runner
RUN site=$(python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') \
    && rm -r "$site/challenges" "$site/app" "$site/engine"

FROM base AS app
COPY --from=build-app /opt/assay /opt/assay
WORKDIR /var/lib/assay
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["assay", "api", "--host", "0.0.0.0", "--port", "8000", "--upgrade-database"]

FROM base AS worker
COPY --from=build-worker /opt/assay /opt/assay
WORKDIR /var/lib/assay
USER 10001:10001
CMD ["assay", "worker"]

FROM base AS runner
RUN ldconfig -p | grep -q libseccomp.so.2 \
    || { apt-get update && apt-get install -y --no-install-recommends libseccomp2 && rm -rf /var/lib/apt/lists/*; }
COPY --from=build-runner /opt/assay /opt/assay
WORKDIR /
USER 10001:10001
CMD ["assay", "runner"]
