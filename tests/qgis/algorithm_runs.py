"""Helpers that run Cartoguide's algorithms: the provider in QGIS, a folder for the examples, parsed commands."""

from __future__ import annotations

import json
import shlex
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

from qgis.core import QgsApplication, QgsProcessingContext, QgsProcessingFeedback, QgsProject

from plugin.gis.runtime import settings
from plugin.gis.services import service_cache
from plugin.processing.provider import CartoguideProvider
from tests.qgis.print_maps import FACILITY_LAYERS, GUIDE_LAYERS

#: the names of the bundled records, in the order of the test network's
RECORDS = ("precipitation.xml", "park-guide.xml", "public-use-facilities.xml")


class Heard(QgsProcessingFeedback):
    """What an algorithm said."""

    def __init__(self) -> None:
        super().__init__(False)
        self.errors: list[str] = []
        self.said: list[str] = []

    def reportError(self, error: str, fatalError: bool = False) -> None:  # noqa: N802, N803
        self.errors.append(error)

    def pushInfo(self, info: str) -> None:  # noqa: N802
        self.said.append(info)

    def pushWarning(self, warning: str) -> None:  # noqa: N802
        self.said.append(warning)

    def setProgressText(self, text: str) -> None:  # noqa: N802
        self.said.append(text)


@contextmanager
def registered_provider() -> Iterator[CartoguideProvider]:
    """The provider of Cartoguide's algorithms, in QGIS's registry."""
    registry = QgsApplication.processingRegistry()
    provider = CartoguideProvider()
    assert registry.addProvider(provider)
    try:
        yield provider
    finally:
        # else a test that fails leaves it for those after it, which cannot add theirs
        registry.removeProvider(provider)


def use_network(network: Any, monkeypatch: Any) -> None:
    """Make the test network the person's own, with no service asked yet."""
    settings.set("profile", str(network.profile_path))
    monkeypatch.setattr(service_cache, "_shared", None)


def algorithm(name: str) -> Any:
    """A fresh ``cartoguide:NAME``."""
    found = QgsApplication.processingRegistry().createAlgorithmById(f"cartoguide:{name}")
    assert found is not None, name
    return found


def run(name: str, parameters: dict[str, Any], feedback: QgsProcessingFeedback | None = None,
        project: QgsProject | None = None) -> dict[str, Any]:
    """The results; AssertionError with what was said where it fails."""
    one, context = algorithm(name), QgsProcessingContext()
    context.setProject(project or QgsProject.instance())
    heard = feedback or Heard()
    fine, words = one.checkParameterValues(parameters, context)
    assert fine, words
    results, done = one.run(parameters, context, heard)
    assert done, getattr(heard, "errors", None)
    results["__context__"] = context  # temporary layers live as long as it does
    return results


def parsed(command: str) -> tuple[str, dict[str, Any]]:
    """The algorithm's name and its parameters in a ``qgis_process run`` command, as QGIS reads them."""
    words = shlex.split(command)
    assert words[:2] == ["qgis_process", "run"], command
    parameters: dict[str, Any] = {}
    for word in words[words.index("--") + 1:]:
        key, _, value = word.partition("=")
        if key in parameters:
            before = parameters[key]
            parameters[key] = [*(before if isinstance(before, list) else [before]), value]
        else:
            parameters[key] = value
    return words[2].partition(":")[2], parameters


def write_small(source: Path, target: Path) -> None:
    """Write the map of ``source`` with two layers of each of its services, which is drawn sooner."""
    document = json.loads(source.read_text("utf-8"))
    for entry, layers in ((document["base"], GUIDE_LAYERS), (document["overlays"][0], FACILITY_LAYERS)):
        entry.update(layers=list(layers), styles=[])
    target.write_text(json.dumps(document), encoding="utf-8")


def lay_out(folder: Path, network: Any) -> None:
    """``records`` in ``folder``: the test network's three, under the names of those that come with the plugin."""
    (folder / "records").mkdir()
    for source, name in zip(network.records, RECORDS):
        shutil.copy(source, folder / "records" / name)
