"""Layers made from the responses of operations, with the credit and metadata of the WMS layer.

DescribeLayer gives WFS and WCS layers of the data behind a map. The image of a GetMap is saved as a file and added as a
layer.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Callable, Optional, Tuple, Union

from osgeo import gdal
from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsDataSourceUri,
    QgsMapLayer,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QObject

from ...core.addresses import is_web_address
from ...core.box import Box
from ...core.custommap.model import LayerPlan
from ...core.errors import CartoguideError, LoginWithheld
from ...core.files import atomic_write
from ...core.i18n import tr
from ...core.request import HttpMethod, Request
from ...core.sources.layer_source import LayerSource, SourceType
from ...core.sources.source_text import encoded_source
from ...core.text import inert
from ...core.wms.requests.urls import url_prefix, with_parameters
from ...core.wms.responses.layer_descriptions import LayerDescription, data_addresses, qualified_type_name
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..credits.layer_metadata import fill_metadata
from ..network.client import fetch
from ..network.origin_settings import authcfg_for, origin_address
from ..runtime import crs_ownership, tasks
from ..runtime.drawn_source import drawn_source
from ..runtime.gdal import quiet_gdal, refers_elsewhere
from ..runtime.network_errors import host_of
from ..runtime.thread_pool import pool_slot_released
from .operation_client import is_raster

PROVIDERS = {"WFS": "WFS", "WCS": "wcs"}
#: GDAL's drivers of the formats of maps. Others of its drivers read files that refer to any place
_DRIVERS = ("PNG", "JPEG", "GIF", "BIGGIF", "BMP", "WEBP", "GTiff", "JP2OpenJPEG", "JP2ECW", "JP2KAK", "JP2MrSID")


def can_be_added(description: LayerDescription) -> bool:
    """Return whether QGIS has a provider for the data and the description has an address."""
    return description.service_type in PROVIDERS and bool(description.url and description.type_names)


def data_uri(description: LayerDescription, type_name: str, authcfg: str = "") -> str:
    """Return the provider's source string for ``type_name`` of the service behind a layer.

    QGIS sends ``authcfg``, the id of an authentication configuration, with every request, whatever its address.
    """
    parameters = {"url": url_prefix(description.url)}
    if authcfg:
        parameters["authcfg"] = authcfg
    if description.service_type == "WCS":
        return encoded_source(identifier=type_name, **parameters)
    uri = QgsDataSourceUri()
    # request only the map's extent: a feature type may have millions of features
    for name, value in {**parameters, "typename": type_name, "version": "auto", "restrictToRequestBBOX": "1"}.items():
        uri.setParam(name, value)
    return str(uri.uri(False))


def start_making_data_layer(description: LayerDescription, type_name: str, plan: LayerPlan,
                            done: Callable[[QgsMapLayer], None], failed: tasks.ErrorCallback,
                            owner: Optional[QObject] = None) -> tasks.Job:
    """Make the layer in a task. ``plan`` is that of the WMS layer in front of it, whose credit is copied.

    The service is requested first, with cancel and our own limits, because a provider would wait for a minute.
    """
    def work(feedback: tasks.Feedback) -> QgsMapLayer:
        address = with_parameters(url_prefix(description.url),
                                  {"SERVICE": description.service_type, "REQUEST": "GetCapabilities"})
        response = fetch(Request(HttpMethod.GET, address), feedback=feedback)
        check_response(response, ExpectedContent.XML)
        feedback.raise_if_cancelled()
        codes = [plan.wms.crs] if plan.wms is not None else []
        crs_ownership.claim_crs(dict.fromkeys([*codes, *crs_ownership.crs_codes_in(response.body)]), feedback)
        qualified_name = qualified_type_name(response.body, type_name,
                                             address) if description.service_type == "WFS" else type_name
        layer = _make_data_layer(description, qualified_name, plan, _login_of_data(description, response.body, plan))
        layer.moveToThread(QgsApplication.instance().thread())
        return layer

    return tasks.start(tr("Requesting the data of “{layer}” from {host}",
                          host=host_of(description.url), layer=plan.title),
                       work, done, failed, owner)


def _login_of_data(description: LayerDescription, capabilities: bytes, plan: LayerPlan) -> str:
    """Return the login that all addresses of the data may have, or an empty text.

    Raises LoginWithheld where the data come from another host than the one that the login is for.
    """
    authcfg = authcfg_for(description.url)
    for address in data_addresses(capabilities, description.url) if authcfg else ():
        if is_web_address(address) and authcfg_for(address) != authcfg:
            raise LoginWithheld(
                tr("The data of “{layer}” come from {target}, and the login for {host} is not sent there.",
                   layer=plan.title, target=origin_address(address), host=origin_address(description.url)),
                f"{description.url}\n{address}", description.url, address)
    return authcfg


def _make_data_layer(description: LayerDescription, type_name: str, plan: LayerPlan, authcfg: str) -> QgsMapLayer:
    title = tr("{layer} (data)", layer=plan.title)
    layer: Union[QgsRasterLayer, QgsVectorLayer]
    uri, provider = data_uri(description, type_name, authcfg), PROVIDERS[description.service_type]
    with pool_slot_released():
        if description.service_type == "WCS":
            layer = QgsRasterLayer(uri, inert(title), provider, QgsRasterLayer.LayerOptions(False))
        else:
            layer = QgsVectorLayer(uri, inert(title), provider, QgsVectorLayer.LayerOptions(False))
    if not layer.isValid():
        raise CartoguideError(
            tr(
                "QGIS could not create a layer of “{type}” from the {kind} at {host}. The service may no longer offer "
                "it, or may offer it in a format that this QGIS cannot read.",
                type=type_name, kind=description.service_type,
                host=host_of(description.url)), uri)
    fill_metadata(
        layer,
        replace(plan, source=replace(drawn_source(layer), address=url_prefix(description.url), names=(type_name,)),
                title=title, scale_range=(None, None)))
    return layer


def start_making_image_layer(path: Path, body: bytes, area: Tuple[str, Box], size: Tuple[int, int],
                             plan: LayerPlan, done: Callable[[QgsRasterLayer], None], failed: tasks.ErrorCallback,
                             owner: Optional[QObject] = None) -> tasks.Job:
    """Write the map in ``body`` to ``path`` and make a layer of it in a task.

    ``area`` is its CRS with the box in it, ``size`` is (width, height) in pixels. ``plan`` gives title, credit and
    metadata.
    Formats without georeference (PNG, JPEG …) get a world file beside them.
    """
    def work(feedback: tasks.Feedback) -> QgsRasterLayer:
        crs, box = area
        crs_ownership.claim_crs((crs,), feedback)
        with atomic_write(path) as file:
            file.write(body)
        if not is_raster(body):
            with atomic_write(path.with_suffix(path.suffix + "w")) as file:
                file.write(world_file_text(box, size).encode("ascii"))
        _check_image(path)
        layer = QgsRasterLayer(str(path), inert(plan.title), "gdal", QgsRasterLayer.LayerOptions(False))
        if not layer.isValid():
            raise CartoguideError(tr("QGIS could not create a layer from {name}.", name=path.name), str(path))
        if not layer.crs().isValid() or not is_raster(body):
            layer.setCrs(QgsCoordinateReferenceSystem(crs))
        fill_metadata(layer, replace(plan, source=LayerSource(SourceType.WMS, plan.address, names=(plan.name,)),
                                     scale_range=(None, None)))
        layer.moveToThread(QgsApplication.instance().thread())
        return layer

    return tasks.start(tr("Creating a layer from {name}", name=path.name), work, done, failed, owner)


def _check_image(path: Path) -> None:
    """Raise CartoguideError unless the file is an image of one of the formats of maps, which refers to nothing else."""
    with quiet_gdal():
        image = gdal.OpenEx(str(path), gdal.OF_RASTER | gdal.OF_READONLY, allowed_drivers=list(_DRIVERS),
                            sibling_files=[path.name])
        is_harmless = image is not None and not refers_elsewhere(image)
        # released in the thread that opened it
        image = None
    if not is_harmless:
        raise CartoguideError(tr("{name} is not an image, or refers to other files or addresses, and was not added.",
                                 name=path.name), str(path))


def world_file_text(box: Box, size: Tuple[int, int]) -> str:
    """Return the six lines of a world file.

    They are pixel width, two rotations, pixel height downwards, and x and y of the centre of the first pixel.
    """
    width, height = box.width / size[0], box.height / size[1]
    numbers = (width, 0.0, 0.0, -height, box.west + width / 2, box.north - height / 2)
    return "\n".join(f"{number:.12g}" for number in numbers) + "\n"
