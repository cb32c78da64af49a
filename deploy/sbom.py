"""Lists what is in an image or a wheel as CycloneDX 1.6, with the hashes of requirements.lock.

python deploy/sbom.py NAME FILE [EXTRA ...]           what the extras need
python deploy/sbom.py NAME FILE --installed LIST      what is installed: LIST is what `pip freeze` said there

Where several files of a version are locked, for other platforms and Pythons, it is one of them. Packages of the base
image's distribution are not listed: the image's digest names those.
"""

import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from dependencies import ROOT, Locked, read, wanted
from packageurl import PackageURL

_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def bill(name: str, packages: Iterable[Locked]) -> Bom:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    bom = Bom()
    bom.metadata.component = Component(name=name, version=version, type=ComponentType.APPLICATION)
    components = [_component(package) for package in packages]
    for component in components:
        bom.components.add(component)
    bom.register_dependency(bom.metadata.component, components)
    return bom


def _component(package: Locked) -> Component:
    url = PackageURL("pypi", None, package.name, package.version)
    hashes = [HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in _HASH.findall("\n".join(package.lines))]
    files = ExternalReference(type=ExternalReferenceType.DISTRIBUTION, url=XsUri(str(url)), hashes=hashes)
    return Component(
        name=package.name, version=package.version, purl=url, bom_ref=str(url), external_references=[files]
    )


def installed(text: str) -> list[Locked]:
    """As the lock has them: nothing else may be there."""
    locked = read((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    names = sorted(re.sub(r"[-_.]+", "-", line.partition("==")[0]).lower() for line in text.split())
    if strangers := [name for name in names if name not in locked]:
        sys.exit(f"assay: installed, and not of requirements.lock: {' '.join(strangers)}")
    return [locked[name] for name in names]


def main(name: str, file: str, *told: str) -> None:
    if told[:1] == ("--installed",):
        packages = installed(Path(told[1]).read_text(encoding="utf-8"))
    else:
        plain, torch, _ = wanted(told)
        packages = [*plain, *torch]
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    Path(file).write_text(JsonV1Dot6(bill(name, packages)).output_as_string(indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
