"""The whole line with no display: `make demo OUT=dir`, or `/usr/bin/python3 tests/tools/demo.py OUT`.

Starts the test network, reads its records, resolves their terms, puts the public-use facilities on the park guide, and
writes custom-map.pdf, custom-map.png, custom-map.custommap.json and records.html. Exit status 1, with words, where the
map lacks a service or a credit.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TITLE = "Parque Natural Despeñaperros"
#: west, south, east, north of the park as the guide draws it, in degrees
PARK = (-3.5966, 38.3295, -3.4233, 38.4306)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", help="where the four files go")
    parser.add_argument("--out", help="the same")
    parser.add_argument("--paper", default="A4", choices=("A4", "A3", "A2", "A1", "A0"))
    parser.add_argument("--template", default="guide", help="guide, sheet, leaflet, or the path of a .qpt file")
    parser.add_argument("--orientation", default="landscape", choices=("landscape", "portrait"))
    parser.add_argument("--language", default="es", choices=("es", "en"))
    parser.add_argument("--scale", type=float, help="denominator; else the largest round scale that holds the park")
    parser.add_argument("--dpi", type=int, default=300)
    parser.add_argument("--workdir", help="folder of the test network, kept for the next time")
    parser.add_argument("--fault", help='faults of the network as JSON, for trying: \'[{"match": {"request": "GetMap", '
                                        '"endpoint": "facilities"}, "action": {"type": "status", "code": 500}}]\'')
    given = parser.parse_args()
    given.folder = given.folder or given.out
    if not given.folder:
        parser.error("say where the files go")
    return given


def read_records(network):
    """Every record of the network by endpoint."""
    from plugin.core.distributions.record_distributions import wms_address
    from plugin.core.records import read

    known = {}
    for path in network.records:
        for record in read(path.read_bytes(), path.name):
            address = wms_address(record)
            if address:
                known[address] = record
    return known


def custom_map(known, network, given):
    """The park guide as base, the facilities above it."""
    from plugin.core.custommap.map_entries import entry_from_record
    from plugin.core.custommap.model import CustomMap, MapExtent, Orientation, PageSetup
    from plugin.core.terms import terms_for

    def entry(name, **more):
        record = known[network.endpoints[name]]
        return entry_from_record(record, terms_for(record), **more)

    return CustomMap(title=TITLE, language=given.language, base=entry("guide"), overlays=(entry("facilities"), ),
                     extent=MapExtent(*PARK), scale=given.scale,
                     page=PageSetup(paper=given.paper, orientation=Orientation(given.orientation),
                                    template=given.template))


def verify(composed, pdf: Path, png: Path) -> list[str]:
    """What the finished files lack, in words: read back from the files themselves."""
    from plugin.gis.layouts import layout_items
    from plugin.gis.pages.layout_builder import layout_requirements

    problems = []
    if shutil.which("pdftotext"):
        text = " ".join(subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, check=True)
                        .stdout.decode().split())
        raw = " ".join(subprocess.run(["pdftotext", "-raw", str(pdf), "-"], capture_output=True, check=True)
                       .stdout.decode().split())
        for need in layout_requirements(composed.layout):
            problems += [f"the PDF does not say: {credit}" for credit in need.credits
                         if " ".join(credit.split()) not in raw]
        if TITLE not in text:
            problems.append("the PDF does not bear the map's title")
    else:
        print("pdftotext is not installed, so the PDF's text was not read back", file=sys.stderr)
    label = composed.layout.itemById(layout_items.CREDITS).currentText()
    problems += [
        f"the credits do not say: {credit}" for need in layout_requirements(composed.layout) for credit in need.credits
        if credit not in label
    ]
    problems += blank_services(composed)
    if png.stat().st_size < 50_000:
        problems.append("the picture is all but empty")
    return problems


def blank_services(composed) -> list[str]:
    """The services that draw nothing in the map's area: each is drawn alone, coarsely, and looked at."""
    from qgis.core import QgsMapRendererSequentialJob, QgsMapSettings
    from qgis.PyQt.QtCore import QSize, Qt

    item = composed.layout.itemById("map")
    problems = []
    for entry in sorted({plan.entry_index for plan in composed.plan.layers}):
        members = [(plan, layer) for plan, layer in zip(composed.plan.layers, composed.layers)
                   if plan.entry_index == entry]
        settings = QgsMapSettings()
        settings.setLayers([layer for _, layer in members if layer is not None][::-1])
        settings.setDestinationCrs(item.crs())
        settings.setExtent(item.extent())
        settings.setOutputSize(QSize(600, round(600 * item.extent().height() / item.extent().width())))
        settings.setBackgroundColor(Qt.GlobalColor.white)
        job = QgsMapRendererSequentialJob(settings)
        job.start()
        job.waitForFinished()
        image = job.renderedImage()
        colours = {image.pixel(x, y) for x in range(0, image.width(), 4) for y in range(0, image.height(), 4)}
        if len(colours) < 3:
            problems.append(f"“{members[0][0].service_title}” has drawn nothing")
    return problems


def run(given: argparse.Namespace, scratch: str) -> int:
    from network import Network
    from qgis.core import QgsApplication, QgsProject

    application = QgsApplication([], True, str(Path(scratch) / "profile"))
    application.initQgis()
    from plugin.core.custommap.document import write_document
    from plugin.core.errors import CartoguideError
    from plugin.core.review.report.record_sheet import sheet_html
    from plugin.core.terms import terms_for
    from plugin.gis.export import layout_export, map_pipeline
    from plugin.gis.layouts.layout_items import layout_notes

    out = Path(given.folder)
    out.mkdir(parents=True, exist_ok=True)
    files = {kind: out / name for kind, name in (
        ("document", "custom-map.custommap.json"), ("sheet", "records.html"), ("pdf", "custom-map.pdf"),
        ("png", "custom-map.png"), ("world", "custom-map.pgw"))}
    for path in files.values():
        path.unlink(missing_ok=True)
    project = QgsProject.instance()
    with Network(workdir=given.workdir) as network:
        try:
            known = read_records(network)
            sheets = [(record, terms_for(record)) for record in known.values()]
            files["sheet"].write_text(sheet_html(sheets), encoding="utf-8")
            document = custom_map(known, network, given)
            files["document"].write_bytes(write_document(document))
            if given.fault:
                network.fault(*json.loads(given.fault))
            step("records read, map composed")
            composed = map_pipeline.compose_map(project, document, known)
            planned = [note.text for note in composed.plan.notes]
            for note in (*planned, *composed.failures, *layout_notes(composed.layout)):
                print(f"  note: {note}")
            step("layers and layout made")
            pdf = layout_export.export_pdf(composed.layout, files["pdf"], given.dpi)
            step(f"PDF written ({pdf.request_count} map requests, drawn {pdf.attempts} time(s))")
            png = layout_export.export_png(composed.layout, files["png"], given.dpi)
            step(f"PNG written ({png.request_count} map requests)")
            problems = verify(composed, files["pdf"], files["png"])
        except CartoguideError as error:
            print(f"{error.user_text}\n{error.detail}".strip(), file=sys.stderr)
            return 1
        finally:
            project.clear()
    if problems:
        for kind in ("pdf", "png", "world"):
            files[kind].unlink(missing_ok=True)
        print("The map is not complete:\n" + "\n".join(problems), file=sys.stderr)
        return 1
    for path in files.values():
        print(f"{path} ({path.stat().st_size // 1024} kB)")
    return 0


STARTED = time.monotonic()


def step(words: str) -> None:
    print(f"{time.monotonic() - STARTED:5.1f} s  {words}", flush=True)


def main() -> int:
    given = arguments()
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "network")]
    from isolation import isolate

    with tempfile.TemporaryDirectory(prefix="cartoguide-demo-") as scratch:
        isolate(Path(scratch))
        status = run(given, scratch)
        sys.stdout.flush()
        sys.stderr.flush()
    # QGIS takes its time, and now and then a crash, to tear itself down; everything is written by now
    os._exit(status)


if __name__ == "__main__":
    main()
