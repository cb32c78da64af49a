"""Lists what is in an image or a wheel as CycloneDX 1.6, with the hashes of requirements.lock.

    python deploy/sbom.py NAME FILE [EXTRA ...]           what the extras need
    python deploy/sbom.py NAME FILE --installed LIST      what is installed: LIST is what `pip freeze` said there
    ... --bundled LOCK                                    and what a script of the pages is made of: LOCK is npm's

Where several files of a version are locked, for other platforms and Pythons, it is one of them. Packages of the base
image's distribution are not listed: the image's digest names those.
"""

import argparse
import base64
import json
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


def bill(name: str, components: Iterable[Component]) -> Bom:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    bom = Bom()
    bom.metadata.component = Component(name=name, version=version, type=ComponentType.APPLICATION)
    for component in components:
        bom.components.add(component)
    bom.register_dependency(bom.metadata.component, bom.components)
    return bom


def python_component(package: Locked) -> Component:
    hashes = [HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in _HASH.findall("\n".join(package.lines))]
    return _component(PackageURL("pypi", None, package.name, package.version), hashes)


def npm_components(lock: str) -> list[Component]:
    """Those that end in the bundle: what only builds it is left out."""
    return [
        _npm_component(place.rpartition("node_modules/")[2], entry)
        for place, entry in json.loads(lock)["packages"].items()
        if place and not entry.get("dev")
    ]


def _npm_component(name: str, entry: dict[str, str]) -> Component:
    scope, _, plain = name.rpartition("/")
    digest = base64.b64decode(entry["integrity"].removeprefix("sha512-"), validate=True).hex()
    url = PackageURL("npm", scope or None, plain, entry["version"])
    return _component(url, [HashType(alg=HashAlgorithm.SHA_512, content=digest)])


def _component(url: PackageURL, hashes: Iterable[HashType]) -> Component:
    files = ExternalReference(type=ExternalReferenceType.DISTRIBUTION, url=XsUri(str(url)), hashes=hashes)
    return Component(
        name=url.name,
        group=url.namespace,
        version=url.version,
        purl=url,
        bom_ref=str(url),
        external_references=[files],
    )


def installed(text: str) -> list[Locked]:
    """As the lock has them: nothing else may be there."""
    locked = read((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    names = sorted(re.sub(r"[-_.]+", "-", line.partition("==")[0]).lower() for line in text.split())
    if strangers := [name for name in names if name not in locked]:
        sys.exit(f"assay: installed, and not of requirements.lock: {' '.join(strangers)}")
    return [locked[name] for name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("file", type=Path)
    parser.add_argument("extras", nargs="*")
    parser.add_argument("--installed", type=Path)
    parser.add_argument("--bundled", type=Path)
    told = parser.parse_args()
    if told.installed:
        packages = installed(told.installed.read_text(encoding="utf-8"))
    else:
        plain, torch, _ = wanted(told.extras)
        packages = [*plain, *torch]
    components = [python_component(package) for package in packages]
    if told.bundled:
        components += npm_components(told.bundled.read_text(encoding="utf-8"))
    told.file.parent.mkdir(parents=True, exist_ok=True)
    text = JsonV1Dot6(bill(told.name, components)).output_as_string(indent=1)
    told.file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
