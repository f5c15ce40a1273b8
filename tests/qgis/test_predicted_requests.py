"""The requests that are sent before a page is drawn are those that QGIS sends while it draws, for every template."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest
from qgis.core import QgsLayoutItemMap, QgsNetworkAccessManager
from qgis.PyQt.QtCore import QSizeF

from plugin.core.custommap.model import MapExtent, PageSetup
from plugin.gis.export import getmap_prediction, layout_export, prefetch
from plugin.gis.layouts import layout_items, templates
from tests.qgis.print_maps import composed, entry_of, known_records

#: the first and the last paper of every template
PAGES = [(template.name, *size) for template in templates.bundled_templates()
         for size in sorted({template.sizes[0], template.sizes[-1]})]
REGION = MapExtent(-7.5, 36.0, -1.66, 38.73)


def composed_page(network, project, name, paper, orientation):
    page = PageSetup(paper, orientation, name)
    if name != "multiples":
        return composed(network, project, page=page)
    known = known_records(network)
    days = entry_of(known[network.endpoints["precipitation"]], [f"precipitacion_201606{day:02d}" for day in (1, 2, 3)])
    return composed(network, project, base=None, overlays=(days, ), extent=REGION, page=page)


def telling_dpi(layout, as_image):
    """A resolution at which a map has other whole numbers of pixels by the page's own than by the export's."""
    maps = [item for item in layout_items.items_of_type(layout, QgsLayoutItemMap)
            if item.isVisible() and any(layer.providerType() == "wms" for layer in item.layers())]
    assert maps
    for dpi in range(40, 120):
        for item in maps:
            by_page = getmap_prediction._page_dpi(layout, item, dpi, as_image)
            sizes = {(QSizeF(item.rect().size()) * (own / 25.4)).toSize().width() for own in (dpi, by_page)} | {
                -(QSizeF(item.rect().size()) * (own / 25.4)).toSize().height() for own in (dpi, by_page)}
            if len(sizes) > 2:
                return dpi
    return 60


def parameters_of(url):
    return {name.upper(): value for name, value in parse_qsl(urlsplit(url).query, keep_blank_values=True)}


def shape(parameters):
    return parameters["LAYERS"], parameters["BBOX"], parameters["WIDTH"], parameters["HEIGHT"]


@pytest.mark.parametrize(("name", "paper", "orientation"), PAGES)
def test_what_is_fetched_beforehand_is_what_qgis_asks_for(network, project, tmp_path, name, paper, orientation):
    made = composed_page(network, project, name, paper, orientation)
    for kind in ("pdf", "png"):
        form = layout_export.EXPORT_FORMATS[kind]
        dpi = telling_dpi(made.layout, form.as_image)
        network.reset()
        predicted = prefetch.layout_requests(made.layout, dpi, form.as_image)
        # the leaflet's cover has a map too
        maps = 2 if name == "leaflet" else 1
        assert network.count("GetMap") == 0 and len(predicted) == maps * len(made.plan.layers)
        QgsNetworkAccessManager.instance().cache().clear()
        form.write(made.layout, tmp_path / f"page.{kind}", dpi)
        asked = [shape(seen["parameters"]) for seen in network.requests if seen["request"] == "GetMap"]
        assert sorted(asked) == sorted(shape(parameters_of(request.url)) for request in predicted), (kind, dpi)


@pytest.mark.parametrize("dpi", [26, 64, 103, 128, 207, 256, 512])
def test_requests_are_known_at_resolutions_that_qgis_writes_one_too_small(network, project, dpi):
    made = composed(network, project)
    network.reset()
    predicted = prefetch.layout_requests(made.layout, dpi, True)
    assert len(predicted) >= len(made.plan.layers) and network.count("GetMap") == 0
    assert {parameters_of(request.url)["DPI"] for request in predicted} == {str(dpi - 1)}
