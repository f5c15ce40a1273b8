"""Actions that resolve a failure where it is shown: choose a login, or consent to a redirect or a login with a risk."""

from __future__ import annotations

from typing import Callable, List, Optional

from qgis.gui import QgsAuthConfigSelect
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QVBoxLayout, QWidget

from ...core.errors import CartoguideError, FailureKind, LoginWithheld, NetworkFailure, UnexpectedResponse
from ...core.i18n import tr
from ...gis.network.origin_settings import (
    RedirectRisk,
    allow_login,
    allow_redirect,
    origin_address,
    saved_authcfg,
    set_authcfg,
)
from ...gis.runtime.guide_pages import GuideTopic
from ...gis.runtime.network_errors import host_of, without_credentials
from .dialogs import dialog_button_box
from .flow_layout import FlowLayout
from .form_widgets import fill_layout
from .labels import PlainLabel


def login_removed_text(address: str) -> str:
    """Return the message that a login or a key was removed from an address."""
    return tr("The address of {host} contained a login or a key. Cartoguide removed it, because addresses are saved "
              "and shown. QGIS can store it encrypted, and send it to {host} only.", host=host_of(address))


class LoginDialog(QDialog):
    """Dialog that assigns one of QGIS's authentication configurations to all requests to one server.

    ``login_saved`` is emitted once it is stored.
    """

    login_saved = pyqtSignal()

    def __init__(self, url: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Login for {host}", host=host_of(url)))
        self._url = url
        explanation = PlainLabel(tr("The login is stored by QGIS and sent to {host} only.", host=host_of(url)),
                                 wraps=True)
        self.auth_select = QgsAuthConfigSelect(self)
        self.auth_select.setAccessibleName(tr("Authentication configuration"))
        self.auth_select.setConfigId(saved_authcfg(url))
        kinds = QDialogButtonBox.StandardButton
        buttons = dialog_button_box(self, GuideTopic.CATALOGUES, kinds.Ok, kinds.Cancel)
        buttons.accepted.connect(self.accept)
        layout = fill_layout(QVBoxLayout(self), explanation, self.auth_select, margins=None)
        layout.addStretch(1)
        layout.addWidget(buttons)

    def accept(self) -> None:
        """Qt: store the chosen configuration. An empty choice removes the login."""
        set_authcfg(self._url, self.auth_select.configId())
        super().accept()
        self.login_saved.emit()


class _ConsentDialog(QDialog):
    """Dialog that asks whether something with a risk may be done from now on. Cancel is the default button.

    ``consented`` is emitted once the consent is stored.
    """

    consented = pyqtSignal()

    def __init__(self, title: str, question: str, button: str, store: Callable[[], None],
                 parent: Optional[QWidget]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._store = store
        label = PlainLabel(question, wraps=True)
        label.setMinimumWidth(360)
        kinds = QDialogButtonBox.StandardButton
        buttons = dialog_button_box(self, GuideTopic.PROBLEMS)
        agree = buttons.addButton(button, QDialogButtonBox.ButtonRole.AcceptRole)
        agree.setAutoDefault(False)
        buttons.button(kinds.Cancel).setDefault(True)
        buttons.accepted.connect(self.accept)
        fill_layout(QVBoxLayout(self), label, buttons, wide=label, margins=None)

    def accept(self) -> None:
        self._store()
        super().accept()
        self.consented.emit()


class RedirectConsentDialog(_ConsentDialog):
    """Dialog that asks for consent to a redirect with a risk, for one server and one target."""

    def __init__(self, url: str, target: str, parent: Optional[QWidget] = None,
                 risk: RedirectRisk = RedirectRisk.INSECURE) -> None:
        host, shown_target = host_of(url), without_credentials(target)
        if risk is RedirectRisk.INTERNAL:
            title = tr("Redirect into your network")
            words = tr("{host} redirects to {target}, an address of this computer or its own network. A public server "
                       "could make Cartoguide call services that only you can reach. No login is sent to it.\n\n"
                       "Should Cartoguide follow this redirect from now on?", host=host, target=shown_target)
        else:
            title = tr("Insecure redirect")
            words = tr(
                "{host} redirects from https to the insecure address {target}. Anyone on the network path can read and "
                "alter this traffic. No login is sent to it.\n\nShould Cartoguide follow this redirect from now on?",
                host=host, target=shown_target)
        super().__init__(title, words, tr("Follow the redirect"), lambda: allow_redirect(url, target, risk), parent)


class LoginConsentDialog(_ConsentDialog):
    """Dialog that asks for consent to send the login for one server to another one."""

    def __init__(self, url: str, target: str, parent: Optional[QWidget] = None) -> None:
        host, other = origin_address(url), origin_address(target)
        words = tr("The service at {host} names {target} for its maps. Whoever runs {target} can read the login for "
                   "{host} if it is sent there, and use it.\n\nShould Cartoguide and QGIS send this login to {target} "
                   "from now on?", host=host, target=other)
        super().__init__(tr("Login for another server"), words, tr("Send the login"),
                         lambda: allow_login(url, target), parent)


class ErrorAction:
    """One action that may resolve an error: the ``label`` of its button, and a dialog."""

    def __init__(self, label: str, open_dialog: Callable[[QWidget, Callable[[], None]], QDialog]) -> None:
        self.label = label
        self._open_dialog = open_dialog

    def run(self, parent: QWidget, retry: Optional[Callable[[], object]]) -> QDialog:
        """Open the dialog, which is not modal. ``retry`` is called after the person confirmed it."""
        def decided() -> None:
            if retry is not None:
                retry()

        dialog = self._open_dialog(parent, decided)
        dialog.show()
        return dialog


def actions_for_error(error: CartoguideError) -> List[ErrorAction]:
    """Return the actions that may resolve ``error``, mostly none."""
    if isinstance(error, LoginWithheld):
        holder, asking = error.url, error.target

        def send(parent: QWidget, again: Callable[[], None]) -> QDialog:
            consent = LoginConsentDialog(holder, asking, parent)
            consent.consented.connect(again)
            return consent

        return [ErrorAction(tr("Send the login…"), send)]
    if isinstance(error, NetworkFailure) and (error.insecure_target or error.internal_target):
        url, target = error.url, error.internal_target or error.insecure_target
        risk = RedirectRisk.INTERNAL if error.internal_target else RedirectRisk.INSECURE

        def agree(parent: QWidget, again: Callable[[], None]) -> QDialog:
            dialog = RedirectConsentDialog(url, target, parent, risk)
            dialog.consented.connect(again)
            return dialog

        return [ErrorAction(tr("Follow the redirect…"), agree)]
    refused = isinstance(error, UnexpectedResponse) and error.status in (401, 403) and error.url
    if refused or (isinstance(error, NetworkFailure) and error.kind is FailureKind.AUTH):
        server = str(getattr(error, "url", ""))

        def log_in(parent: QWidget, again: Callable[[], None]) -> QDialog:
            dialog = LoginDialog(server, parent)
            dialog.login_saved.connect(again)
            return dialog

        return [ErrorAction(tr("Choose a login…"), log_in)]
    return []


class ErrorActionRow(QWidget):
    """Row with a button for each action that may resolve an error, hidden if there is none."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.buttons: List[QPushButton] = []
        self._row = FlowLayout(self)
        self.hide()

    def show_actions(self, error: Optional[CartoguideError], retry: Callable[[], object]) -> None:
        """Replace the buttons by the actions for ``error``. ``retry`` is called after one was carried out."""
        for button in self.buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self.buttons = []
        for remedy in actions_for_error(error) if error is not None else []:
            button = QPushButton(remedy.label)
            button.clicked.connect(lambda _checked=False, remedy=remedy: remedy.run(self, retry))
            self._row.addWidget(button)
            self.buttons.append(button)
        self.setVisible(bool(self.buttons))
