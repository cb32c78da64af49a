"""What the supervisor tells a zygote on its command line. Knows no torch: both ends import it."""

import base64
import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from worker.sandbox.gpu import GpuBindings
from worker.sandbox.layout import Tree


@dataclass(frozen=True)
class Options:
    """The tree, the filter of system calls, the GPU, if any, and whether to import what `ahead.py` says."""

    tree: Tree
    seccomp: bytes
    gpu: GpuBindings | None = None
    imports_ahead: bool = True

    def in_place(self) -> "Options":
        """Returns the options for a process that has the tree's pieces at their targets."""
        return replace(self, tree=self.tree.in_place())

    def to_json(self) -> str:
        """Writes the options as `from_json` reads them."""
        return json.dumps(
            {
                "tree": self.tree.to_json(),
                "seccomp": base64.b64encode(self.seccomp).decode(),
                "gpu": None if self.gpu is None else asdict(self.gpu),
                "imports_ahead": self.imports_ahead,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> "Options":
        """Reads options. Trusts the text: it comes from `to_json` in the process that started this one."""
        data: dict[str, Any] = json.loads(text)
        return cls(
            tree=Tree.from_json(data["tree"]),
            seccomp=base64.b64decode(data["seccomp"]),
            gpu=None if data["gpu"] is None else GpuBindings.from_json(data["gpu"]),
            imports_ahead=data["imports_ahead"],
        )
