"""The data behind a map: WFS and WCS layers made in a task, with the credit and the metadata of the map's own layer."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, Optional, Union

from qgis.core import QgsApplication, QgsDataSourceUri, QgsMapLayer, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QObject

from ..core.custommap.model import LayerPlan
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.request import Request
from ..core.wms.addresses import prefix, with_parameters
from ..core.wms.answers import explain_answer
from ..core.wms.descriptions import LayerDescription, offered_type
from . import crs_home, tasks
from .authentication import authcfg_for
from .metadata import fill_metadata
from .network import fetch, pool_thread_lent
from .network_errors import host_of

PROVIDERS = {"WFS": "WFS", "WCS": "wcs"}


def can_be_added(description: LayerDescription) -> bool:
    """Whether QGIS has a provider for the data and the answer says where they are."""
    return description.kind in PROVIDERS and bool(description.address and description.types)


def data_uri(description: LayerDescription, type_name: str) -> str:
    """The provider's source string for ``type_name`` of the service behind a layer."""
    uri = QgsDataSourceUri()
    uri.setParam("url", prefix(description.address))
    authcfg = authcfg_for(description.address)
    if authcfg:
        uri.setParam("authcfg", authcfg)
    if description.kind == "WCS":
        uri.setParam("identifier", type_name)
        return bytes(uri.encodedUri()).decode("ascii")
    uri.setParam("typename", type_name)
    uri.setParam("version", "auto")
    # only what the map shows is asked for: a feature type may have millions of features
    uri.setParam("restrictToRequestBBOX", "1")
    return str(uri.uri(False))


def build_data_layer(description: LayerDescription, type_name: str, plan: LayerPlan,
                     done: Callable[[QgsMapLayer], None], failed: Callable[[CartoguideError], None],
                     owner: Optional[QObject] = None) -> tasks.Job:
    """Make the layer in a task; ``plan`` is that of the WMS layer which it stands behind: its credit goes along.

    The service is asked first, cancellably and within our own limits: a provider would wait for it for a minute.
    """
    def work(feedback: tasks.Feedback) -> QgsMapLayer:
        address = with_parameters(prefix(description.address),
                                  {"SERVICE": description.kind, "REQUEST": "GetCapabilities"})
        response = fetch(Request("GET", address), feedback=feedback)
        explain_answer(response, "xml")
        feedback.stop_if_cancelled()
        crs_home.own(("EPSG:4326", plan.crs), feedback)
        known = offered_type(response.body, type_name, address) if description.kind == "WFS" else type_name
        layer = _make(description, known, plan)
        layer.moveToThread(QgsApplication.instance().thread())
        return layer

    return tasks.start(tr("Asking {host} for the data of “{layer}”", host=host_of(description.address),
                          layer=plan.title), work, done, failed, owner)


def _make(description: LayerDescription, type_name: str, plan: LayerPlan) -> QgsMapLayer:
    title = tr("{layer} (data)", layer=plan.title)
    layer: Union[QgsRasterLayer, QgsVectorLayer]
    uri, provider = data_uri(description, type_name), PROVIDERS[description.kind]
    with pool_thread_lent():
        if description.kind == "WCS":
            layer = QgsRasterLayer(uri, title, provider, QgsRasterLayer.LayerOptions(False))
        else:
            layer = QgsVectorLayer(uri, title, provider, QgsVectorLayer.LayerOptions(False))
    if not layer.isValid():
        raise CartoguideError(
            tr("QGIS could not make a layer of “{type}” from the {kind} at {host}. The service may not offer it any "
               "more, or in a form that this QGIS does not read.", type=type_name, kind=description.kind,
               host=host_of(description.address)), uri)
    fill_metadata(layer, replace(plan, address=prefix(description.address), name=type_name, title=title,
                                 scale_range=(None, None), legend_url=None, feature_info_format=None))
    return layer
