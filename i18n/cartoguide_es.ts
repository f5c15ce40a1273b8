<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es_ES" sourcelanguage="en">
    <context>
        <name>Cartoguide</name>
        <message>
            <location filename="../plugin/app/maps/distribution_additions.py"/>
            <source>Adding “{title}”</source>
            <translation>Añadiendo «{title}»</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/distribution_additions.py"/>
            <source>All %n of them</source>
            <translation>
                <numerusform>Todos (%n)</numerusform>
                <numerusform>Todos (%n)</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/distribution_additions.py"/>
            <source>{kind} does not have what the record’s link names. Add instead:</source>
            <translation>{kind} no tiene lo que nombra el enlace del registro. Añadir en su lugar:</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/distribution_additions.py"/>
            <source>{kind} offers several. Add:</source>
            <translation>{kind} ofrece varios. Añadir:</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/distribution_additions.py"/>
            <source>Add all the same</source>
            <translation>Añadir de todos modos</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/distribution_additions.py"/>
            <source>Download all the same</source>
            <translation>Descargar de todos modos</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/distribution_additions.py"/>
            <source>Downloading “{title}”</source>
            <translation>Descargando «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/distribution_additions.py"/>
            <source>“{title}” was added to the map.</source>
            <translation>«{title}» se ha añadido al mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/distribution_additions.py"/>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <location filename="../plugin/app/maps/map_additions.py"/>
            <location filename="../plugin/app/maps/operation_controller.py"/>
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <location filename="../plugin/app/records/collection_controller.py"/>
            <location filename="../plugin/app/records/removal_controller.py"/>
            <location filename="../plugin/integration/record_commands.py"/>
            <location filename="../plugin/ui/composer/composer_controller.py"/>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <location filename="../plugin/ui/dock/dock_widget.py"/>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Undo</source>
            <translation>Deshacer</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/distribution_additions.py"/>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <location filename="../plugin/app/maps/unavailable_services.py"/>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <location filename="../plugin/ui/service/service_view.py"/>
            <source>Try again</source>
            <translation>Reintentar</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <source>“{title}” was pasted as a plain group. It is not part of the map.</source>
            <translation>«{title}» se ha pegado como un grupo corriente. No forma parte del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <location filename="../plugin/integration/layer_menu.py"/>
            <source>Open as custom map</source>
            <translation>Abrir como mapa personalizado</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <source>The custom map of the group “{title}” cannot be read.</source>
            <translation>No se puede leer el mapa personalizado del grupo «{title}».</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <source>A new custom map. The one before was removed from the project.</source>
            <translation>Mapa personalizado nuevo. El anterior se ha quitado del proyecto.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <source>Save the custom map</source>
            <translation>Guardar el mapa personalizado</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <location filename="../plugin/app/maps/operation_controller.py"/>
            <location filename="../plugin/app/records/collection_controller.py"/>
            <location filename="../plugin/app/records/record_controller.py"/>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Saved as {name}.</source>
            <translation>Guardado como {name}.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <location filename="../plugin/processing/algorithm.py"/>
            <source>Custom maps</source>
            <translation>Mapas personalizados</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <source>Open a custom map</source>
            <translation>Abrir un mapa personalizado</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <source>Reading the map</source>
            <translation>Leyendo el mapa</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/document_controller.py"/>
            <source>Not shown, because somebody else saved the map: %n thing(s) that it names.</source>
            <translation>
                <numerusform>No se muestra, porque el mapa lo guardó otra persona: %n cosa que nombra.</numerusform>
                <numerusform>No se muestran, porque el mapa lo guardó otra persona: %n cosas que nombra.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <source>Opened “{title}”. The map before it was removed from the project.</source>
            <translation>«{title}» abierto. El mapa anterior se ha quitado del proyecto.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <source>its snapshot is not there</source>
            <translation>su instantánea no está</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <location filename="../plugin/integration/layer_menu.py"/>
            <source>Use the live services</source>
            <translation>Usar los servicios en vivo</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/document_controller.py"/>
            <source>{reason} The map shows nothing until its services are loaded instead.</source>
            <translation>{reason} El mapa no muestra nada hasta que se carguen sus servicios.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/export_controller.py"/>
            <location filename="../plugin/app/maps/map_series_controller.py"/>
            <source>Loading the legends…</source>
            <translation>Cargando las leyendas…</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/export_controller.py"/>
            <source>The export was cancelled.</source>
            <translation>Se ha cancelado la exportación.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/export_controller.py"/>
            <source>The layout was closed before the map was rendered.</source>
            <translation>La composición se cerró antes de dibujar el mapa.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/export_controller.py"/>
            <source>The layout was created, with %n warning(s).</source>
            <translation>
                <numerusform>Se ha creado la composición, con %n advertencia.</numerusform>
                <numerusform>Se ha creado la composición, con %n advertencias.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/export_controller.py"/>
            <source>The map is stamped as incomplete: it lacks %n item(s).</source>
            <translation>
                <numerusform>El mapa lleva el sello de incompleto: le falta %n elemento.</numerusform>
                <numerusform>El mapa lleva el sello de incompleto: le faltan %n elementos.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/export_controller.py"/>
            <source>Exported, with %n warning(s) about its images: compare it with the map canvas.</source>
            <translation>
                <numerusform>Exportado, con %n advertencia sobre sus imágenes: compárelo con la vista del mapa.</numerusform>
                <numerusform>Exportado, con %n advertencias sobre sus imágenes: compárelo con la vista del mapa.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/export_controller.py"/>
            <source>Export the map</source>
            <translation>Exportar el mapa</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/layer_builds.py"/>
            <source>not loaded</source>
            <translation>sin cargar</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/layer_builds.py"/>
            <location filename="../plugin/app/maps/map_controller.py"/>
            <source>The service of “{title}” has not been loaded yet.</source>
            <translation>El servicio de «{title}» aún no se ha cargado.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/layer_builds.py"/>
            <source>Nothing of “{title}” could be added.</source>
            <translation>No se ha podido añadir nada de «{title}».</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/layer_builds.py"/>
            <source>its service does not respond</source>
            <translation>su servicio no responde</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/layer_builds.py"/>
            <location filename="../plugin/gis/services/service_cache.py"/>
            <source>The service could not be read.</source>
            <translation>No se ha podido leer el servicio.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/map_additions.py"/>
            <source>%n of these layer(s) are on the map already.</source>
            <translation>
                <numerusform>Esta capa (%n) ya está en el mapa.</numerusform>
                <numerusform>Estas %n capas ya están en el mapa.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_additions.py"/>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}” offers no layer that can be requested.</source>
            <translation>«{title}» no ofrece ninguna capa que se pueda solicitar.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_additions.py"/>
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>Searching for time series</source>
            <translation>Buscando series temporales</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_additions.py"/>
            <source>“{title}” was added to the project, not to the custom map.</source>
            <translation>«{title}» se ha añadido al proyecto, no al mapa personalizado.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_additions.py"/>
            <source>Searching for the services and data of the record</source>
            <translation>Buscando los servicios y los datos del registro</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_additions.py"/>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>Saved in your records. The map’s credit is read from it.</source>
            <translation>Guardado en sus registros. De él se lee el crédito del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_additions.py"/>
            <source>Searching for services that match the map</source>
            <translation>Buscando servicios adecuados para el mapa</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/map_controller.py"/>
            <source>%n layer(s) missing</source>
            <translation>
                <numerusform>Falta %n capa</numerusform>
                <numerusform>Faltan %n capas</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_controller.py"/>
            <source>Reading the terms of “{title}”</source>
            <translation>Leyendo las condiciones de «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_controller.py"/>
            <source>No layer could be created.</source>
            <translation>No se ha podido crear ninguna capa.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_controller.py"/>
            <location filename="../plugin/app/maps/project_mirror.py"/>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>coordinate reference system</source>
            <translation>sistema de referencia de coordenadas</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_controller.py"/>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>legend</source>
            <translation>leyenda</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_series_controller.py"/>
            <source>The layout was closed before the names had been read.</source>
            <translation>La composición se cerró antes de que se leyeran los nombres.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_series_controller.py"/>
            <source>The layer with the names was removed meanwhile.</source>
            <translation>Entretanto se quitó la capa de los nombres.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_series_controller.py"/>
            <source>Reading the names of “{layer}”</source>
            <translation>Leyendo los nombres de «{layer}»</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/map_state.py"/>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/core/health.py"/>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <location filename="../plugin/ui/service/layer_combo_box.py"/>
            <location filename="../plugin/ui/service/layer_model.py"/>
            <source>%n layer(s)</source>
            <translation>
                <numerusform>%n capa</numerusform>
                <numerusform>%n capas</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/map_state.py"/>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>loading…</source>
            <translation>cargando…</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>{title} offline</source>
            <translation>{title} sin conexión</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Snapshot taken, but not all of the map is in it: {folder}</source>
            <translation>Instantánea tomada, pero no contiene todo el mapa: {folder}</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Show it</source>
            <translation>Mostrarla</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Snapshot complete: {folder}</source>
            <translation>Instantánea completa: {folder}</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Taking the snapshot…</source>
            <translation>Tomando la instantánea…</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Snapshot of “{title}”</source>
            <translation>Instantánea de «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Opening the snapshot…</source>
            <translation>Abriendo la instantánea…</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>The map still shows its snapshot, because a service cannot be loaded:</source>
            <translation>El mapa sigue mostrando su instantánea, porque no se puede cargar un servicio:</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Contacting the live services…</source>
            <translation>Conectando con los servicios en vivo…</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Package for an offline computer</source>
            <translation>Empaquetar para un equipo sin conexión</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Saved as {name}. Open it on the other computer, or drop it on the Cartoguide dock there.</source>
            <translation>Guardado como {name}. Ábralo en el otro equipo o suéltelo allí sobre el panel de Cartoguide.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>The package does not contain the data of your own layers: {layers}. Copy their files too, and locate them on the other computer.</source>
            <translation>El paquete no contiene los datos de sus capas propias: {layers}. Copie también sus archivos y localícelos en el otro equipo.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Creating the package…</source>
            <translation>Creando el paquete…</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Open a package</source>
            <translation>Abrir un paquete</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Opened “{title}” from its package, which was unpacked to {folder}.</source>
            <translation>Se ha abierto «{title}» de su paquete, que se ha desempaquetado en {folder}.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/offline_controller.py"/>
            <source>Unpacking the map…</source>
            <translation>Desempaquetando el mapa…</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/operation_controller.py"/>
            <source>Save the response</source>
            <translation>Guardar la respuesta</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/operation_controller.py"/>
            <source>Save the map and add it as a layer</source>
            <translation>Guardar el mapa y añadirlo como capa</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/operation_controller.py"/>
            <source>The layer of this map is no longer known. Send the request again.</source>
            <translation>Ya no se conoce la capa de este mapa. Vuelva a enviar la petición.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/operation_controller.py"/>
            <source>The layer of these data is no longer known. Send the request again.</source>
            <translation>Ya no se conoce la capa de estos datos. Vuelva a enviar la petición.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/operation_controller.py"/>
            <source>Added: {title}</source>
            <translation>Añadida: {title}</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>At {dpi} dpi: {figures}.</source>
            <translation>A {dpi} ppp: {figures}.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Checked at {time}.</source>
            <translation>Comprobado a las {time}.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Changed since it was checked.</source>
            <translation>Ha cambiado desde la comprobación.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Layers missing: {layers}.</source>
            <translation>Capas que faltan: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Load them again, or remove the service from the map.</source>
            <translation>Cárguelas de nuevo o quite el servicio del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Locate…</source>
            <translation>Localizar…</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>The terms of its service could not be read completely: it may ask for another credit.</source>
            <translation>No se han podido leer por completo las condiciones de su servicio: puede que pida otro crédito.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Try again, or read its terms before you publish.</source>
            <translation>Reinténtelo o lea sus condiciones antes de publicar.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Locate its file, or remove it from the map.</source>
            <translation>Localice su archivo o quítela del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Remove it from the map, or add a layer of a server that you know in its place.</source>
            <translation>Quítela del mapa, o añada en su lugar una capa de un servidor que conozca.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>A file of it is cut short, so that only a part of it would be drawn.</source>
            <translation>Uno de sus archivos está cortado, de modo que solo se dibujaría una parte de ella.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Copy the file again, or remove the layer from the map.</source>
            <translation>Copie de nuevo el archivo o quite la capa del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <location filename="../plugin/processing/build_map.py"/>
            <source>It is a temporary layer: a saved map cannot refer to it.</source>
            <translation>Es una capa temporal: un mapa guardado no puede referirse a ella.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Make it permanent in QGIS's layer tree.</source>
            <translation>Hágala permanente en el árbol de capas de QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Its login is part of its address, and is not saved in the map.</source>
            <translation>Sus credenciales forman parte de su dirección y no se guardan en el mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Use an authentication configuration, so that the map can be opened elsewhere.</source>
            <translation>Use una configuración de autenticación para que el mapa se pueda abrir en otro lugar.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>It has no credit line.</source>
            <translation>No tiene línea de crédito.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Enter its source line in the composer.</source>
            <translation>Escriba su línea de fuente en el compositor.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Add to the map</source>
            <translation>Añadir al mapa</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <location filename="../plugin/app/maps/unavailable_services.py"/>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Leave it out</source>
            <translation>Dejarla fuera</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>It lies in the map's group, but is not on the map. {reason}</source>
            <translation>Está en el grupo del mapa, pero no en el mapa. {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Move it out of the map's group, or save what it shows as a layer of a file.</source>
            <translation>Sáquela del grupo del mapa o guarde lo que muestra como capa de un archivo.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>QGIS draws the layers of this group as one ({effects}), the page draws them one by one.</source>
            <translation>QGIS dibuja las capas de este grupo como una sola ({effects}); la página las dibuja una por una.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Give opacity and blending mode to services and layers instead: the page has them too.</source>
            <translation>Dé opacidad y modo de mezcla a los servicios y a las capas: la página también los tiene.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Draw them one by one</source>
            <translation>Dibujarlas una por una</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>QGIS draws the layers in the order of its Layer Order panel, the page in that of the layer tree.</source>
            <translation>QGIS dibuja las capas en el orden de su panel Orden de capas; la página, en el del árbol de capas.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Untick “Control rendering order” there, and move the layers in the layer tree.</source>
            <translation>Desmarque allí «Controlar el orden de representación» y mueva las capas en el árbol de capas.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Draw as in the layer tree</source>
            <translation>Dibujar como en el árbol de capas</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Choose another template.</source>
            <translation>Elija otra plantilla.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Install a font with these letters, and begin QGIS anew.</source>
            <translation>Instale una fuente con estas letras y vuelva a iniciar QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Look at the credits of the page.</source>
            <translation>Mire los créditos de la página.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Requesting the images…</source>
            <translation>Solicitando las imágenes…</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Requesting the images: {layer}…</source>
            <translation>Solicitando las imágenes: {layer}…</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>All images arrived in {seconds} s.</source>
            <translation>Todas las imágenes se recibieron en {seconds} s.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>The export does not check whether it arrives completely.</source>
            <translation>La exportación no comprueba si llega completa.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preflight_controller.py"/>
            <source>Compare the exported map with the map canvas.</source>
            <translation>Compare el mapa exportado con el lienzo del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/preview_controller.py"/>
            <location filename="../plugin/core/custommap/preview_image.py"/>
            <location filename="../plugin/core/custommap/service_use.py"/>
            <source>The service offers no layer that can be requested.</source>
            <translation>El servicio no ofrece ninguna capa que se pueda solicitar.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/project_mirror.py"/>
            <source>A map has at most {count} own layers.</source>
            <translation>Un mapa tiene como mucho {count} capas propias.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/project_mirror.py"/>
            <source>A map has at most {count} services.</source>
            <translation>Un mapa tiene como mucho {count} servicios.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>“{title}” is long: its last %n layer(s) were left out.</source>
            <translation>
                <numerusform>«{title}» es larga: se ha omitido su última capa (%n).</numerusform>
                <numerusform>«{title}» es larga: se han omitido sus últimas %n capas.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>{title}: {moments}, played by QGIS’s Temporal Controller.</source>
            <translation>{title}: {moments}; el controlador temporal de QGIS los reproduce.</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>Add to the project only: {title} ({moments})</source>
            <translation>Añadir solo al proyecto: {title} ({moments})</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>Add to the project only ({moments})</source>
            <translation>Añadir solo al proyecto ({moments})</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>Add as time series: {title} ({moments})</source>
            <translation>Añadir como serie temporal: {title} ({moments})</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>Add as time series ({moments})</source>
            <translation>Añadir como serie temporal ({moments})</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>%n day(s)</source>
            <translation>
                <numerusform>%n día</numerusform>
                <numerusform>%n días</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>%n month(s)</source>
            <translation>
                <numerusform>%n mes</numerusform>
                <numerusform>%n meses</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>%n year(s)</source>
            <translation>
                <numerusform>%n año</numerusform>
                <numerusform>%n años</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>%n moment(s)</source>
            <translation>
                <numerusform>%n momento</numerusform>
                <numerusform>%n momentos</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>Time shown on the map</source>
            <translation>Momento mostrado en el mapa</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/time_series_controller.py"/>
            <source>Time of “{title}” shown on the printed map:</source>
            <translation>Momento de «{title}» que muestra el mapa impreso:</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/unavailable_services.py"/>
            <source>The former address is still used by %n other saved map(s): {names}. Repair the services there too.</source>
            <translation>
                <numerusform>Otro mapa guardado usa aún la dirección anterior: {names}. Repare allí también los servicios.</numerusform>
                <numerusform>Otros %n mapas guardados usan aún la dirección anterior: {names}. Repare allí también los servicios.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/unavailable_services.py"/>
            <source>The map was not exported.</source>
            <translation>No se ha exportado el mapa.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/unavailable_services.py"/>
            <source>%n service(s) missing or drawn in part: {titles}.</source>
            <translation>
                <numerusform>Falta, o está dibujado en parte, %n servicio: {titles}.</numerusform>
                <numerusform>Faltan, o están dibujados en parte, %n servicios: {titles}.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/maps/unavailable_services.py"/>
            <source>%n service(s) missing: {titles}.</source>
            <translation>
                <numerusform>Falta %n servicio: {titles}.</numerusform>
                <numerusform>Faltan %n servicios: {titles}.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/unavailable_services.py"/>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Use the record's address for all</source>
            <translation>Usar la dirección del registro en todos</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/unavailable_services.py"/>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Use the record's address</source>
            <translation>Usar la dirección del registro</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/unavailable_services.py"/>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Show the snapshot</source>
            <translation>Mostrar la instantánea</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/unavailable_services.py"/>
            <source>Open it…</source>
            <translation>Abrirla…</translation>
        </message>
        <message>
            <location filename="../plugin/app/maps/unavailable_services.py"/>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Leave them out</source>
            <translation>Dejarlos fuera</translation>
        </message>
        <message>
            <location filename="../plugin/app/page/legend_controller.py"/>
            <source>Fetching the names of layers</source>
            <translation>Obteniendo los nombres de las capas</translation>
        </message>
        <message>
            <location filename="../plugin/app/page/legend_controller.py"/>
            <location filename="../plugin/gis/export/atlas.py"/>
            <location filename="../plugin/gis/previews/page_drawing.py"/>
            <source>Fetching the legends of “{title}”</source>
            <translation>Obteniendo las leyendas de «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/app/page/map_logos_controller.py"/>
            <source>Add logos</source>
            <translation>Añadir logotipos</translation>
        </message>
        <message>
            <location filename="../plugin/app/page/map_logos_controller.py"/>
            <location filename="../plugin/processing/export_map.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Images</source>
            <translation>Imágenes</translation>
        </message>
        <message>
            <location filename="../plugin/app/page/map_logos_controller.py"/>
            <location filename="../plugin/ui/pages/logos.py"/>
            <source>A page has at most {count} logos.</source>
            <translation>Una página tiene como máximo {count} logotipos.</translation>
        </message>
        <message>
            <location filename="../plugin/app/page/map_logos_controller.py"/>
            <source>Reading logos</source>
            <translation>Leyendo los logotipos</translation>
        </message>
        <message>
            <location filename="../plugin/app/page/page_frame_controller.py"/>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>rotation of the page</source>
            <translation>rotación de la página</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Map themes that showed its layers: {names}.</source>
            <translation>Temas del mapa que mostraban sus capas: {names}.</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Layouts that showed its layers: {names}.</source>
            <translation>Composiciones que mostraban sus capas: {names}.</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Undo shows them there again.</source>
            <translation>Al deshacer se muestran ahí de nuevo.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/phrases.py"/>
            <source>%n layer(s) of “{title}” could not be created.</source>
            <translation>
                <numerusform>No se ha podido crear %n capa de «{title}».</numerusform>
                <numerusform>No se han podido crear %n capas de «{title}».</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/records/model/record.py"/>
            <source>Record without a title</source>
            <translation>Registro sin título</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Map service</source>
            <translation>Servicio de mapas</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Tiled map service</source>
            <translation>Servicio de teselas</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Download service</source>
            <translation>Servicio de descarga</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Feature service</source>
            <translation>Servicio de objetos</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Coverage service</source>
            <translation>Servicio de coberturas</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Catalogue service</source>
            <translation>Servicio de catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Transformation service</source>
            <translation>Servicio de transformación</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Processing service</source>
            <translation>Servicio de procesamiento</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Other service</source>
            <translation>Otro servicio</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/health.py"/>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/ui/legend.py"/>
            <location filename="../plugin/ui/record/record_view.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Service</source>
            <translation>Servicio</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Dataset</source>
            <translation>Conjunto de datos</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <location filename="../plugin/integration/record_items.py"/>
            <location filename="../plugin/processing/inputs.py"/>
            <source>Series</source>
            <translation>Serie</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Other record</source>
            <translation>Otro registro</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>free</source>
            <translation>gratuito</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>fees apply</source>
            <translation>con tarifas</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>credit required</source>
            <translation>crédito obligatorio</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>no credit required</source>
            <translation>sin crédito obligatorio</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>terms unclear</source>
            <translation>condiciones sin aclarar</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>fees unclear</source>
            <translation>tarifas sin aclarar</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>credit unclear</source>
            <translation>crédito sin aclarar</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>starter record</source>
            <translation>registro provisional</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>in {catalogue}</source>
            <translation>en {catalogue}</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>newer in {catalogue}</source>
            <translation>más reciente en {catalogue}</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>removed from its source, {day}</source>
            <translation>eliminado de su fuente, {day}</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>from {smallest} to {largest}</source>
            <translation>de {smallest} a {largest}</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>{smallest} or larger</source>
            <translation>{smallest} o mayor</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>{largest} or smaller</source>
            <translation>{largest} o menor</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Document</source>
            <translation>Documento</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>requires a login</source>
            <translation>exige credenciales</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>is down</source>
            <translation>no funciona</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>interrupted</source>
            <translation>interrumpido</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>server not found</source>
            <translation>servidor no hallado</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>not trusted</source>
            <translation>no es de confianza</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>blocked by the proxy</source>
            <translation>bloqueado por el proxy</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>timed out</source>
            <translation>tiempo agotado</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>too slow</source>
            <translation>demasiado lento</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>response too large</source>
            <translation>respuesta excesiva</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>damaged response</source>
            <translation>respuesta dañada</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>no connection</source>
            <translation>sin conexión</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>login failed</source>
            <translation>credenciales no válidas</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/health.py"/>
            <source>failed</source>
            <translation>ha fallado</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>contacting… {count} so far</source>
            <translation>conectando… {count} hasta ahora</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <source>contacting…</source>
            <translation>conectando…</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>not searched</source>
            <translation>no consultado</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/phrases.py"/>
            <source>%n found so far</source>
            <translation>
                <numerusform>%n hallado hasta ahora</numerusform>
                <numerusform>%n hallados hasta ahora</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>{shown} of {total}</source>
            <translation>{shown} de {total}</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/phrases.py"/>
            <source>%n found</source>
            <translation>
                <numerusform>%n hallado</numerusform>
                <numerusform>%n hallados</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/processing/inputs.py"/>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Type</source>
            <translation>Tipo</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/gis/snapshots/snapshot_documents.py"/>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <location filename="../plugin/ui/record/record_view.py"/>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>Terms</source>
            <translation>Uso</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Year</source>
            <translation>Año</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Organisation</source>
            <translation>Organización</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Keyword</source>
            <translation>Palabra clave</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Service type</source>
            <translation>Tipo de servicio</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/gis/snapshots/snapshot_documents.py"/>
            <source>Source</source>
            <translation>Fuente</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Collection</source>
            <translation>Colección</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/integration/record_items.py"/>
            <location filename="../plugin/processing/check_services.py"/>
            <location filename="../plugin/processing/inputs.py"/>
            <source>Services</source>
            <translation>Servicios</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/integration/record_items.py"/>
            <location filename="../plugin/processing/inputs.py"/>
            <source>Datasets</source>
            <translation>Conjuntos de datos</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <location filename="../plugin/integration/record_items.py"/>
            <source>Other records</source>
            <translation>Otros registros</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Free</source>
            <translation>Gratuito</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Fees apply</source>
            <translation>Con tarifas</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Terms unclear</source>
            <translation>Condiciones sin aclarar</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Favourites</source>
            <translation>Favoritos</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source> or </source>
            <translation> o </translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>in the current view</source>
            <translation>en la vista actual</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Search words</source>
            <translation>Palabras de búsqueda</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Not supported by the catalogue: {names}. Filtered here instead.</source>
            <translation>No admitido por el catálogo: {names}. Se filtra aquí.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/phrases.py"/>
            <source>%n day(s) ago</source>
            <translation>
                <numerusform>hace %n día</numerusform>
                <numerusform>hace %n días</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/phrases.py"/>
            <source>%n hour(s) ago</source>
            <translation>
                <numerusform>hace %n hora</numerusform>
                <numerusform>hace %n horas</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/phrases.py"/>
            <source>%n minute(s) ago</source>
            <translation>
                <numerusform>hace %n minuto</numerusform>
                <numerusform>hace %n minutos</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>a moment ago</source>
            <translation>hace un momento</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>From {age}; the service could not be reached: {reason}</source>
            <translation>De {age}; no se ha podido acceder al servicio: {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Loaded at {time}</source>
            <translation>Cargado a las {time}</translation>
        </message>
        <message>
            <location filename="../plugin/app/phrases.py"/>
            <source>Loaded {age}</source>
            <translation>Cargado {age}</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/collection_controller.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>New collection</source>
            <translation>Nueva colección</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/collection_controller.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Rename the collection</source>
            <translation>Cambiar el nombre de la colección</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/collection_controller.py"/>
            <source>Export the collection</source>
            <translation>Exportar la colección</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/collection_controller.py"/>
            <source>Zip</source>
            <translation>Zip</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/collection_controller.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>“{name}” contains the selected records already.</source>
            <translation>«{name}» ya contiene los registros seleccionados.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/collection_controller.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>%n record(s) added to “{name}”.</source>
            <translation>
                <numerusform>%n registro añadido a «{name}».</numerusform>
                <numerusform>%n registros añadidos a «{name}».</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/records/collection_controller.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Collection “{name}” created (empty).</source>
            <translation>Colección «{name}» creada (vacía).</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/collection_controller.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>%n record(s) removed from “{name}”.</source>
            <translation>
                <numerusform>%n registro quitado de «{name}».</numerusform>
                <numerusform>%n registros quitados de «{name}».</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/records/collection_controller.py"/>
            <source>“{name}” renamed to “{new}”.</source>
            <translation>«{name}» renombrada a «{new}».</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/collection_controller.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Collection “{name}” deleted. Its records remain in the library.</source>
            <translation>Colección «{name}» eliminada. Sus registros siguen en la biblioteca.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/collection_controller.py"/>
            <source>Saved as {name}, without %n record(s) that are not in the library.</source>
            <translation>
                <numerusform>Guardado como {name}, sin %n registro que no está en la biblioteca.</numerusform>
                <numerusform>Guardado como {name}, sin %n registros que no están en la biblioteca.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/records/collection_controller.py"/>
            <source>Exporting the collection</source>
            <translation>Exportando la colección</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/dock_session.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/integration/record_commands.py"/>
            <source>Saving the collection</source>
            <translation>Guardando la colección</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/dock_session.py"/>
            <source>Searching for other versions</source>
            <translation>Buscando otras versiones</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/dock_session.py"/>
            <source>Your records describe this service already.</source>
            <translation>Sus registros ya describen este servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/dock_session.py"/>
            <location filename="../plugin/app/records/removal_controller.py"/>
            <location filename="../plugin/integration/record_commands.py"/>
            <source>Saving the records</source>
            <translation>Guardando los registros</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/dock_session.py"/>
            <source>Contacting the catalogue…</source>
            <translation>Conectando con el catálogo…</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/dock_session.py"/>
            <location filename="../plugin/gis/library/library_reader.py"/>
            <location filename="../plugin/processing/record_inputs.py"/>
            <source>Bundled with Cartoguide</source>
            <translation>Incluidos en Cartoguide</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/dock_session.py"/>
            <source>Opening the records</source>
            <translation>Abriendo los registros</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/dock_session.py"/>
            <source>%n record(s) replaced in the library.</source>
            <translation>
                <numerusform>%n registro sustituido en la biblioteca.</numerusform>
                <numerusform>%n registros sustituidos en la biblioteca.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/dock_session.py"/>
            <location filename="../plugin/app/records/import_jobs.py"/>
            <location filename="../plugin/processing/read_records.py"/>
            <source>%n record(s) read.</source>
            <translation>
                <numerusform>%n registro leído.</numerusform>
                <numerusform>%n registros leídos.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/dock_session.py"/>
            <source>%n record(s) updated from the catalogue.</source>
            <translation>
                <numerusform>%n registro actualizado desde el catálogo.</numerusform>
                <numerusform>%n registros actualizados desde el catálogo.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/dock_session.py"/>
            <source>%n record(s) could not be updated.</source>
            <translation>
                <numerusform>%n registro no se pudo actualizar.</numerusform>
                <numerusform>%n registros no se pudieron actualizar.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/records/dock_session.py"/>
            <location filename="../plugin/ui/identify.py"/>
            <source>Cancelled before the service responded.</source>
            <translation>Cancelado antes de que respondiera el servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/harvest_controller.py"/>
            <source>The records are still being opened. Try again in a moment.</source>
            <translation>Los registros aún se están abriendo. Vuelva a intentarlo en un momento.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/harvest_controller.py"/>
            <source>interrupted ({reason}). Records received so far are kept.</source>
            <translation>interrumpida ({reason}). Los registros recibidos se conservan.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/harvest_controller.py"/>
            <source>stopped. Records received so far are kept.</source>
            <translation>detenida. Los registros recibidos se conservan.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/harvest_controller.py"/>
            <location filename="../plugin/core/library/failure_groups.py"/>
            <source>… and %n more</source>
            <translation>
                <numerusform>… y %n más</numerusform>
                <numerusform>… y %n más</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>The import was undone.</source>
            <translation>La importación se ha deshecho.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>Undoing the import</source>
            <translation>Deshaciendo la importación</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>Reading %n file(s) or folder(s)…</source>
            <translation>
                <numerusform>Leyendo %n archivo o carpeta…</numerusform>
                <numerusform>Leyendo %n archivos o carpetas…</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>{name} and %n more</source>
            <translation>
                <numerusform>{name} y %n más</numerusform>
                <numerusform>{name} y %n más</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>interrupted: {reason} Records read so far are kept.</source>
            <translation>interrumpida: {reason} Los registros leídos se conservan.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>stopped. %n record(s) were saved.</source>
            <translation>
                <numerusform>detenida. Se ha guardado %n registro.</numerusform>
                <numerusform>detenida. Se han guardado %n registros.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>stopped before any record was saved.</source>
            <translation>detenida antes de guardar ningún registro.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>Nothing could be read.</source>
            <translation>No se ha podido leer nada.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/import_jobs.py"/>
            <location filename="../plugin/core/library/failure_groups.py"/>
            <source>%n document(s) could not be read.</source>
            <translation>
                <numerusform>No se ha podido leer %n documento.</numerusform>
                <numerusform>No se han podido leer %n documentos.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>%n record(s) read: {added} added to the library, {replaced} replaced in it.</source>
            <translation>
                <numerusform>%n registro leído: {added} añadidos a la biblioteca, {replaced} sustituidos en ella.</numerusform>
                <numerusform>%n registros leídos: {added} añadidos a la biblioteca, {replaced} sustituidos en ella.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>%n record(s) read, {count} of them already in the library.</source>
            <translation>
                <numerusform>%n registro leído; {count} ya estaba en la biblioteca.</numerusform>
                <numerusform>%n registros leídos; {count} de ellos ya estaban en la biblioteca.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>Reading the pasted text…</source>
            <translation>Leyendo el texto pegado…</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>Contacting {address}…</source>
            <translation>Conectando con {address}…</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>Contacting %n address(es)…</source>
            <translation>
                <numerusform>Conectando con %n dirección…</numerusform>
                <numerusform>Conectando con %n direcciones…</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>Pasted text</source>
            <translation>Texto pegado</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/import_jobs.py"/>
            <source>Pasted addresses</source>
            <translation>Direcciones pegadas</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_checks.py"/>
            <source>Contacting {host}…</source>
            <translation>Conectando con {host}…</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_checks.py"/>
            <source>Checking links…</source>
            <translation>Comprobando los enlaces…</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_checks.py"/>
            <location filename="../plugin/ui/service/service_view.py"/>
            <source>Contacting the service…</source>
            <translation>Conectando con el servicio…</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_checks.py"/>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Save the issues</source>
            <translation>Guardar los avisos</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_checks.py"/>
            <location filename="../plugin/processing/check_records.py"/>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Issues</source>
            <translation>Avisos</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_checks.py"/>
            <source>Checking records…</source>
            <translation>Comprobando registros…</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_checks.py"/>
            <source>Saved as {name}: {records} with {errors}, {warnings}, {notes}.</source>
            <translation>Guardado como {name}: {records} con {errors}, {warnings} y {notes}.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/record_checks.py"/>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>%n record(s)</source>
            <translation>
                <numerusform>%n registro</numerusform>
                <numerusform>%n registros</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/record_checks.py"/>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>%n error(s)</source>
            <translation>
                <numerusform>%n error</numerusform>
                <numerusform>%n errores</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/record_checks.py"/>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>%n warning(s)</source>
            <translation>
                <numerusform>%n advertencia</numerusform>
                <numerusform>%n advertencias</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/record_checks.py"/>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>%n note(s)</source>
            <translation>
                <numerusform>%n nota</numerusform>
                <numerusform>%n notas</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/record_checks.py"/>
            <location filename="../plugin/processing/check_records.py"/>
            <source>%n record(s) could not be read.</source>
            <translation>
                <numerusform>No se ha podido leer %n registro.</numerusform>
                <numerusform>No se han podido leer %n registros.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_checks.py"/>
            <source>Searching for the record’s identifier</source>
            <translation>Buscando el identificador del registro</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_controller.py"/>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Open records</source>
            <translation>Abrir registros</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_controller.py"/>
            <location filename="../plugin/processing/algorithm.py"/>
            <location filename="../plugin/processing/outputs.py"/>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <location filename="../plugin/ui/results/record_list.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Records</source>
            <translation>Registros</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_controller.py"/>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>All files</source>
            <translation>Todos los archivos</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_controller.py"/>
            <source>Open a folder of records</source>
            <translation>Abrir una carpeta de registros</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_controller.py"/>
            <source>What was dropped is neither a file nor a web address. Drop records as files, or their http(s) address.</source>
            <translation>Lo que se ha soltado no es un archivo ni una dirección web. Suelte los registros como archivos o su dirección http(s).</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/record_controller.py"/>
            <source>Save the record’s document</source>
            <translation>Guardar el documento del registro</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>A collection is a set of your own records. No catalogue is searched for it.</source>
            <translation>Una colección es un conjunto de registros propios. No se busca en ningún catálogo.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>Only records from {sources} are searched. No other catalogue is contacted.</source>
            <translation>Solo se buscan registros de {sources}. No se consulta ningún otro catálogo.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>Also in {catalogues}</source>
            <translation>También en {catalogues}</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>{name} returned only a summary of this record.</source>
            <translation>{name} solo ha devuelto una versión resumida de este registro.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>Loading the complete record from {name}…</source>
            <translation>Cargando el registro completo de {name}…</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>From {name}. Your copy is dated {day}.</source>
            <translation>De {name}. Su copia es del {day}.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>no date</source>
            <translation>sin fecha</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>From {name}, not saved yet.</source>
            <translation>De {name}, sin guardar.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>The complete record has not been loaded yet. Its terms are missing.</source>
            <translation>El registro completo aún no se ha cargado. Faltan sus condiciones.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>My records</source>
            <translation>Mis registros</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <location filename="../plugin/integration/layer_commands.py"/>
            <source>Saved in your records.</source>
            <translation>Guardado en sus registros.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>“{title}” was not saved, because it is no longer among the results. Search for it again.</source>
            <translation>«{title}» no se ha guardado, porque ya no está entre los resultados. Búsquelo de nuevo.</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/remote_search_controller.py"/>
            <source>“{title}” was not saved. {reason}</source>
            <translation>«{title}» no se ha guardado. {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/removal_controller.py"/>
            <location filename="../plugin/integration/record_commands.py"/>
            <source>Removing records</source>
            <translation>Quitando registros</translation>
        </message>
        <message>
            <location filename="../plugin/app/records/removal_controller.py"/>
            <location filename="../plugin/integration/record_commands.py"/>
            <source>Records bundled with the network profile cannot be removed. To hide them, choose another network in the settings.</source>
            <translation>Los registros incluidos en el perfil de la red no se pueden quitar. Para ocultarlos, elija otra red en la configuración.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/removal_controller.py"/>
            <location filename="../plugin/integration/record_commands.py"/>
            <source>%n record(s) removed.</source>
            <translation>
                <numerusform>Se quitó %n registro.</numerusform>
                <numerusform>Se quitaron %n registros.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/app/records/removal_controller.py"/>
            <source>%n record(s) restored.</source>
            <translation>
                <numerusform>%n registro restaurado.</numerusform>
                <numerusform>%n registros restaurados.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>credited</source>
            <translation>con su crédito</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>another credit was found</source>
            <translation>se encontró otro crédito</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>credit found</source>
            <translation>crédito encontrado</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>no credit found</source>
            <translation>sin crédito</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>No credit is known: is it your own?</source>
            <translation>No se conoce ningún crédito: ¿es suyo?</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>own data, confirmed</source>
            <translation>datos propios, confirmado</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>to confirm as own data</source>
            <translation>por confirmar como datos propios</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>Fees: {words}</source>
            <translation>Tarifas: {words}</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>Access: {words}</source>
            <translation>Acceso: {words}</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>the layer itself</source>
            <translation>la propia capa</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/core/sources/ows_capabilities.py"/>
            <source>capabilities: Attribution</source>
            <translation>capacidades: Attribution</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>capabilities: contact and title</source>
            <translation>capacidades: contacto y título</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>Credits of this project</source>
            <translation>Créditos de este proyecto</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/core/health.py"/>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>State</source>
            <translation>Estado</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <location filename="../plugin/ui/legend.py"/>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Layer</source>
            <translation>Capa</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/gis/snapshots/snapshot_documents.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Credit</source>
            <translation>Crédito</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>Found in</source>
            <translation>Encontrado en</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>now:</source>
            <translation>ahora:</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>found:</source>
            <translation>encontrado:</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>not stated</source>
            <translation>sin indicar</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>Credit on the layer</source>
            <translation>Crédito de la capa</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>Credit found</source>
            <translation>Crédito encontrado</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>Credit required</source>
            <translation>Crédito obligatorio</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/core/terms/labels.py"/>
            <location filename="../plugin/gis/snapshots/snapshot_documents.py"/>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>Licence</source>
            <translation>Licencia</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>Licence’s address</source>
            <translation>Dirección de la licencia</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/core/terms/labels.py"/>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Fees</source>
            <translation>Tarifas</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Access constraints</source>
            <translation>Restricciones de acceso</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/core/catalogues/harvesting.py"/>
            <location filename="../plugin/core/health.py"/>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <source>Record</source>
            <translation>Registro</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>Record’s title</source>
            <translation>Título del registro</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <location filename="../plugin/core/health.py"/>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Address</source>
            <translation>Dirección</translation>
        </message>
        <message>
            <location filename="../plugin/core/audit/audit_row.py"/>
            <source>Problem</source>
            <translation>Problema</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>“{name}” is not a catalogue that can be searched.</source>
            <translation>«{name}» no es un catálogo en el que se pueda buscar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>{name} is neither a GeoNetwork nor a CSW. Check its address.</source>
            <translation>{name} no es ni un GeoNetwork ni un CSW. Compruebe su dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>{name} has no collection of records.</source>
            <translation>{name} no tiene ninguna colección de registros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>“{address}” is not a web address. A catalogue's address begins with http:// or https://.</source>
            <translation>«{address}» no es una dirección web. La dirección de un catálogo empieza por http:// o https://.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>A record of a GeoNetwork catalogue.</source>
            <translation>Un registro de un catálogo GeoNetwork.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>{address} is not a catalogue of a supported kind.</source>
            <translation>{address} no es un catálogo de un tipo admitido.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>GeoNetwork {version}: “{title}”.</source>
            <translation>GeoNetwork {version}: «{title}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>A document of records.</source>
            <translation>Un documento con registros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>CKAN {version}: “{title}”.</source>
            <translation>CKAN {version}: «{title}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>A package of records.</source>
            <translation>Un paquete de registros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>{address} is a map service (WMS), not a catalogue.</source>
            <translation>{address} es un servicio de mapas (WMS), no un catálogo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>{address} is an OGC API, but none of its collections contains catalogue records.</source>
            <translation>{address} es una OGC API, pero ninguna de sus colecciones contiene registros de catálogo.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>OGC API Records with %n collection(s).</source>
            <translation>
                <numerusform>OGC API Records con %n colección.</numerusform>
                <numerusform>OGC API Records con %n colecciones.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/detection.py"/>
            <source>CSW {version}: “{title}”.</source>
            <translation>CSW {version}: «{title}».</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/catalogues/harvesting.py"/>
            <source>%n new</source>
            <translation>
                <numerusform>%n nuevo</numerusform>
                <numerusform>%n nuevos</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/catalogues/harvesting.py"/>
            <source>%n changed</source>
            <translation>
                <numerusform>%n modificado</numerusform>
                <numerusform>%n modificados</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/catalogues/harvesting.py"/>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>%n unchanged</source>
            <translation>
                <numerusform>%n sin cambios</numerusform>
                <numerusform>%n sin cambios</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/catalogues/harvesting.py"/>
            <source>%n failed</source>
            <translation>
                <numerusform>%n con error</numerusform>
                <numerusform>%n con error</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/catalogues/harvesting.py"/>
            <source>%n left out</source>
            <translation>
                <numerusform>%n descartado</numerusform>
                <numerusform>%n descartados</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/catalogues/harvesting.py"/>
            <source>%n no longer there</source>
            <translation>
                <numerusform>%n ya no está</numerusform>
                <numerusform>%n ya no están</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/harvesting.py"/>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Why</source>
            <translation>Motivo</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/harvesting.py"/>
            <location filename="../plugin/core/health.py"/>
            <source>Detail</source>
            <translation>Detalle</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/model.py"/>
            <source>must begin with http:// or https://</source>
            <translation>debe empezar por http:// o https://</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/model.py"/>
            <source>{name} has no record {identifier}.</source>
            <translation>{name} no tiene el registro {identifier}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/model.py"/>
            <source>{name} returned this message instead of records: “{words}”</source>
            <translation>{name} devolvió este mensaje en lugar de registros: «{words}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/model.py"/>
            <source>{name} returned JSON without a list of records.</source>
            <translation>{name} devolvió un JSON sin lista de registros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/paginator.py"/>
            <source>The catalogue returned the same page twice; the search was stopped.</source>
            <translation>El catálogo devolvió dos veces la misma página; la búsqueda se detuvo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/paginator.py"/>
            <source>The catalogue has more pages than can be read; the rest was skipped.</source>
            <translation>El catálogo tiene más páginas de las que se pueden leer; el resto se omitió.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/catalogues/paginator.py"/>
            <source>The catalogue announced %n record(s) but returned {given}.</source>
            <translation>
                <numerusform>El catálogo anunció %n registro pero devolvió {given}.</numerusform>
                <numerusform>El catálogo anunció %n registros pero devolvió {given}.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/paginator.py"/>
            <source>The catalogue repeats earlier results; the search was stopped.</source>
            <translation>El catálogo repite resultados anteriores; la búsqueda se detuvo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/paginator.py"/>
            <source>The catalogue returns only empty pages; the search was stopped.</source>
            <translation>El catálogo solo devuelve páginas vacías; la búsqueda se detuvo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/paginator.py"/>
            <source>The catalogue returns more than {count} records; the rest was skipped.</source>
            <translation>El catálogo devuelve más de {count} registros; el resto se omitió.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/paginator.py"/>
            <source>The catalogue announced {total} records but keeps returning more; the rest was skipped.</source>
            <translation>El catálogo anunció {total} registros, pero sigue devolviendo más; el resto se omitió.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/paste_classifier.py"/>
            <source>There is nothing to open: the text is empty.</source>
            <translation>No hay nada que abrir: el texto está vacío.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/paste_classifier.py"/>
            <source>The text is too long to be read; save it as a file and open that.</source>
            <translation>El texto es demasiado largo para leerlo; guárdelo como archivo y ábralo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/paste_classifier.py"/>
            <source>These are more than {most} addresses or files. Paste a part of them at a time.</source>
            <translation>Son más de {most} direcciones o archivos. Pegue una parte cada vez.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/paste_classifier.py"/>
            <source>This text is neither the XML of a record nor an address or a file: “{words}”</source>
            <translation>Este texto no es el XML de un registro, ni una dirección, ni un archivo: «{words}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/protocols/csw.py"/>
            <source>{name} returned {what} instead of search results.</source>
            <translation>{name} devolvió {what} en lugar de resultados de búsqueda.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/protocols/csw.py"/>
            <location filename="../plugin/core/catalogues/protocols/geonetwork_api.py"/>
            <source>{name} returned an entry that is not a record.</source>
            <translation>{name} devolvió una entrada que no es un registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/protocols/csw.py"/>
            <source>The catalogue reported its last page after only {given} of {total} records.</source>
            <translation>El catálogo indicó su última página tras solo {given} de {total} registros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/protocols/csw.py"/>
            <source>The catalogue pointed back from record {start} to record {declared}; this was ignored.</source>
            <translation>El catálogo remitió del registro {start} de vuelta al {declared}; no se tuvo en cuenta.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/protocols/csw.py"/>
            <source>The catalogue skipped from record {behind} to record {declared}; the records in between were requested too.</source>
            <translation>El catálogo saltó del registro {behind} al {declared}; también se solicitaron los intermedios.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/protocols/csw.py"/>
            <source>{name} returned {what} instead of the capabilities of a CSW catalogue.</source>
            <translation>{name} devolvió {what} en lugar de las capacidades de un catálogo CSW.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/protocols/ogcapi_records.py"/>
            <source>An entry</source>
            <translation>Una entrada</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/protocols/ogcapi_records.py"/>
            <source>{name} of {source} is not a catalogue record.</source>
            <translation>{name} de {source} no es un registro de catálogo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/protocols/ogcapi_records.py"/>
            <source>The link to the next page uses a method that is not supported.</source>
            <translation>El enlace a la página siguiente usa un método no admitido.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/protocols/ogcapi_records.py"/>
            <source>The link to the next page leads to {address}, which does not belong to the catalogue; it was not followed.</source>
            <translation>El enlace a la página siguiente lleva a {address}, que no pertenece al catálogo; no se siguió.</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/source_list.py"/>
            <source>The list of sources</source>
            <translation>La lista de fuentes</translation>
        </message>
        <message>
            <location filename="../plugin/core/catalogues/source_list.py"/>
            <location filename="../plugin/core/json_document.py"/>
            <source>must be “{format}”</source>
            <translation>debe ser «{format}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>language of the output and of localised texts (es, en …)</source>
            <translation>idioma de la salida y de los textos localizados (es, en …)</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>Unknown language “{code}”. Use a code of ISO 639, such as es or spa.</source>
            <translation>Idioma desconocido: «{code}». Use un código de ISO 639, como es o spa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>{name} is a pipe that no program writes to.</source>
            <translation>{name} es una tubería en la que ningún programa escribe.</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>Reads catalogue records and map services without QGIS and without network.</source>
            <translation>Lee registros de catálogo y servicios de mapas, sin QGIS y sin red.</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>print the version and exit</source>
            <translation>imprimir la versión y salir</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>commands</source>
            <translation>órdenes</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>read catalogue records and show them with their terms</source>
            <translation>lee registros de catálogo y los muestra con sus condiciones de uso</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>a file, a package (zip, MEF), a folder, or - for the standard input</source>
            <translation>un archivo, un paquete (zip, MEF), una carpeta o «-» para la entrada estándar</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>one JSON object per line: the record and its terms</source>
            <translation>un objeto JSON por línea: el registro y sus condiciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>one HTML page to read and print</source>
            <translation>una página HTML para leer e imprimir</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>{name}: a response without records.</source>
            <translation>{name}: una respuesta sin registros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>read the terms of use of records and services</source>
            <translation>leer las condiciones de uso de registros y servicios</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>records, packages, folders or descriptions of services (capabilities, ArcGIS, OGC API, TileJSON, styles), or - for the standard input</source>
            <translation>registros, paquetes, carpetas o descripciones de servicios (capacidades, ArcGIS, OGC API, TileJSON, estilos), o - para la entrada estándar</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>one JSON object per line</source>
            <translation>un objeto JSON por línea</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Credit: {credit}</source>
            <translation>Crédito: {credit}</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>tell what the links of records lead to</source>
            <translation>decir a qué llevan los enlaces de los registros</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>Prints one JSON object per line: for each link of a record, or for each row of a table of links (columns protocol, media_type, function, name and url, separated by tabs).</source>
            <translation>Imprime un objeto JSON por línea: por cada enlace de un registro, o por cada fila de una tabla de enlaces (columnas protocol, media_type, function, name y url, separadas por tabuladores).</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>records, packages, folders or a table (.tsv), or - for the standard input</source>
            <translation>registros, paquetes, carpetas o una tabla (.tsv), o - para la entrada estándar</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>check catalogue records against INSPIRE, ISO 19119 and the network's conventions</source>
            <translation>comprueba registros de catálogo según INSPIRE, ISO 19119 y las convenciones de la red</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>Prints the issues, the most severe first. The exit status is 1 if an error is found or a file cannot be read.</source>
            <translation>Imprime los avisos, primero los más graves. El estado de salida es 1 si hay algún error o un archivo no se puede leer.</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>print CSV with one row per issue</source>
            <translation>imprime CSV con una fila por aviso</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>only the rules of this family; can be repeated</source>
            <translation>solo las reglas de esta familia; se puede repetir</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>the network profile whose conventions are checked (default: the bundled one)</source>
            <translation>el perfil de la red cuyas convenciones se comprueban (de forma predeterminada, el incluido)</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>compare with a service: its capabilities document</source>
            <translation>comparar con un servicio: su documento de capacidades</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>print the table of all rules</source>
            <translation>imprimir la tabla de todas las reglas</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>Name a file, a package or a folder of records.</source>
            <translation>Indique un archivo, un paquete o una carpeta de registros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/library/local_documents.py"/>
            <location filename="../plugin/core/records/input/file_reader.py"/>
            <source>{name} could not be read.</source>
            <translation>{name} no se ha podido leer.</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>read WMS capabilities documents</source>
            <translation>leer documentos de capacidades de WMS</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>a capabilities document, or - for the standard input</source>
            <translation>un documento de capacidades, o - para la entrada estándar</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>one JSON object per line: the service</source>
            <translation>un objeto JSON por línea: el servicio</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>build a WMS request without sending it</source>
            <translation>componer una petición WMS sin enviarla</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>Prints the address of a GET request. A POST request is printed as a message: method and address, headers, a blank line, the body. The exit status is 1 if the capabilities do not allow the request.</source>
            <translation>Escribe la dirección de una petición GET. Una petición POST se escribe como mensaje: método y dirección, cabeceras, una línea en blanco y el cuerpo. El estado de salida es 1 si las capacidades no permiten la petición.</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>the service's capabilities document, or - for the standard input</source>
            <translation>el documento de capacidades del servicio, o - para la entrada estándar</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>from the bottom to the top; can be repeated</source>
            <translation>de abajo arriba; se puede repetir</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>one for each layer; can be repeated</source>
            <translation>uno por cada capa; se puede repetir</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>such as {code}</source>
            <translation>por ejemplo, {code}</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>in degrees of longitude and latitude</source>
            <translation>en grados de longitud y latitud</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>in the units of the CRS, with x to the east</source>
            <translation>en las unidades del SRC, con x hacia el este</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>in pixels</source>
            <translation>en píxeles</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>the media type of the response</source>
            <translation>el tipo MIME de la respuesta</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>a transparent background</source>
            <translation>fondo transparente</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>the colour of the background</source>
            <translation>el color del fondo</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>the value of the elevation dimension</source>
            <translation>el valor de la dimensión de elevación</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>another dimension; can be repeated</source>
            <translation>otra dimensión; se puede repetir</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>{operation}: from 0 on the left</source>
            <translation>{operation}: desde 0 a la izquierda</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>{operation}: from 0 at the top</source>
            <translation>{operation}: desde 0 arriba</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>{operation}: a layer that is queried; can be repeated</source>
            <translation>{operation}: una capa que se consulta; se puede repetir</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>{operation}: the media type of the response</source>
            <translation>{operation}: el tipo MIME de la respuesta</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>{operation}: the maximum number of features per layer</source>
            <translation>{operation}: el número máximo de objetos geográficos por capa</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>{operations}: a style of your own</source>
            <translation>{operations}: un estilo propio</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>{operation}: the requested version</source>
            <translation>{operation}: la versión que se pide</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>{operation}: that of the document you have</source>
            <translation>{operation}: la del documento que ya se tiene</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>the encoding of a POST body</source>
            <translation>la codificación del cuerpo de un POST</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>used instead of the address that the service advertises</source>
            <translation>se usa en lugar de la dirección que anuncia el servicio</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>print the request as a curl command</source>
            <translation>escribir la petición como orden curl</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>Unknown operation {name}. Available: {offered}.</source>
            <translation>Operación desconocida: {name}. Disponibles: {offered}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>{operation} requires {options}.</source>
            <translation>{operation} requiere {options}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>four numbers are needed: {value}</source>
            <translation>se necesitan cuatro números: {value}</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>width x height is needed: {value}</source>
            <translation>se necesita ANCHOxALTO: {value}</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>NAME=VALUE is needed: {value}</source>
            <translation>se necesita NOMBRE=VALOR: {value}</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Identifier</source>
            <translation>Identificador</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Abstract</source>
            <translation>Resumen</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/checks/rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Dates</source>
            <translation>Fechas</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>Status</source>
            <translation>Estado</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Contacts</source>
            <translation>Contactos</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/processing/harvest_source.py"/>
            <location filename="../plugin/processing/search_records.py"/>
            <source>Keywords</source>
            <translation>Palabras clave</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/checks/rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Extent</source>
            <translation>Extensión</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>west</source>
            <translation>oeste</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>east</source>
            <translation>este</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>south</source>
            <translation>sur</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>north</source>
            <translation>norte</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Read from</source>
            <translation>Leído en</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Unclear</source>
            <translation>Sin aclarar</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>WMS address</source>
            <translation>Dirección WMS</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/ui/service/service_view.py"/>
            <source>Operations</source>
            <translation>Operaciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/checks/rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/core/terms/labels.py"/>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>Links</source>
            <translation>Enlaces</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>Language</source>
            <translation>Idioma</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Date stamp</source>
            <translation>Fecha de los metadatos</translation>
        </message>
        <message>
            <location filename="../plugin/core/cli.py"/>
            <source>Not shown here</source>
            <translation>No se muestra aquí</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/cli.py"/>
            <source>%n value(s) without a field; --json lists them under unread</source>
            <translation>
                <numerusform>%n valor sin campo; --json lo enumera en unread</numerusform>
                <numerusform>%n valores sin campo; --json los enumera en unread</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/credit_answers.py"/>
            <source>{parameter} has a line that gives no credit to a service of this map: {line}. Write its number or title, “=” and the credit. From the bottom up the map has {titles}.</source>
            <translation>{parameter} tiene una línea que no da crédito a ningún servicio de este mapa: {line}. Escriba su número o su título, «=» y el crédito. De abajo arriba, el mapa tiene {titles}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/document.py"/>
            <source>The custom map</source>
            <translation>El mapa personalizado</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/document.py"/>
            <source>must be “{format}”: this is not a custom map</source>
            <translation>debe ser «{format}»: no es un mapa personalizado</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/document.py"/>
            <source>is {version}: a newer Cartoguide wrote this map; update Cartoguide to open it</source>
            <translation>es {version}: este mapa lo escribió una versión más reciente de Cartoguide; actualice Cartoguide para abrirlo</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/document.py"/>
            <location filename="../plugin/gis/pages/layout_builder.py"/>
            <location filename="../plugin/processing/map_parameters.py"/>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Landscape</source>
            <translation>Horizontal</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/document.py"/>
            <location filename="../plugin/gis/pages/layout_builder.py"/>
            <location filename="../plugin/processing/map_parameters.py"/>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Portrait</source>
            <translation>Vertical</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/foreign_maps.py"/>
            <source>layer “{name}”</source>
            <translation>capa «{name}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/foreign_maps.py"/>
            <source>The {use} {path} is left out: it is not beside or below the map.</source>
            <translation>Se ha omitido ({use}): {path} no está junto al mapa ni por debajo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/foreign_maps.py"/>
            <source>The style of “{layer}” is drawn without {parts}. The map that you save is without them too.</source>
            <translation>El estilo de «{layer}» se dibuja sin {parts}. El mapa que guarde tampoco los tendrá.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/foreign_maps.py"/>
            <location filename="../plugin/gis/own_layers/references.py"/>
            <source>The style of “{layer}” in the map's document cannot be read.</source>
            <translation>El estilo de «{layer}» en el documento del mapa no se puede leer.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/foreign_maps.py"/>
            <source>“{layer}” is not opened for a map of somebody else: {reason}.</source>
            <translation>«{layer}» no se abre para un mapa de otra persona: {reason}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/foreign_maps.py"/>
            <source>“{layer}” is not opened: the map is somebody else's, and the layer leads to the {reference}.</source>
            <translation>«{layer}» no se abre: el mapa es de otra persona, y la capa lleva a: {reference}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/foreign_maps.py"/>
            <source>“{layer}” is not opened: its file {path} is not beside or below the map. Locate it, or remove it from the map.</source>
            <translation>«{layer}» no se abre: su archivo {path} no está junto al mapa ni por debajo. Localícelo o quite la capa del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/foreign_maps.py"/>
            <source>layout template</source>
            <translation>plantilla de composición</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/foreign_maps.py"/>
            <source>snapshot</source>
            <translation>instantánea</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/map_entries.py"/>
            <source>The service has no map for {time}, which the record’s link names.</source>
            <translation>El servicio no tiene mapa para {time}, que el enlace del registro nombra.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/map_findings.py"/>
            <source>Multiply with what lies below</source>
            <translation>Multiplicar con lo de debajo</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/map_findings.py"/>
            <source>Move it below the others</source>
            <translation>Ponerlo debajo de los demás</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/map_findings.py"/>
            <source>Set opacity to 70 %</source>
            <translation>Poner la opacidad al 70 %</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/map_title.py"/>
            <location filename="../plugin/core/publication/map_statement.py"/>
            <location filename="../plugin/gis/layers/project_group.py"/>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/processing/build_map.py"/>
            <location filename="../plugin/processing/map_parameters.py"/>
            <location filename="../plugin/ui/dock/dock_widget.py"/>
            <source>Custom map</source>
            <translation>Mapa personalizado</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/model.py"/>
            <location filename="../plugin/core/pages/leaflet.py"/>
            <source>must be a file of this computer</source>
            <translation>debe ser un archivo de este ordenador</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/model.py"/>
            <location filename="../plugin/core/json_fields.py"/>
            <location filename="../plugin/core/pages/leaflet.py"/>
            <source>must not be empty</source>
            <translation>no puede estar vacío</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/model.py"/>
            <source>This version of Cartoguide does not draw sources of the kind “{kind}”. Update Cartoguide.</source>
            <translation>Esta versión de Cartoguide no dibuja fuentes del tipo «{kind}». Actualice Cartoguide.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/model.py"/>
            <source>must have one style for each layer: {styles} for {layers}</source>
            <translation>debe tener un estilo por capa: hay {styles} para {layers}</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/model.py"/>
            <source>must lie east of “west” ({west})</source>
            <translation>debe quedar al este de «west» ({west})</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/model.py"/>
            <source>must lie north of “south” ({south})</source>
            <translation>debe quedar al norte de «south» ({south})</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/model.py"/>
            <source>must be a folder of this computer</source>
            <translation>debe ser una carpeta de este equipo</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/model.py"/>
            <source>is that of another layer: {value}</source>
            <translation>es el de otra capa: {value}</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/moments.py"/>
            <source>The series has {count} moments, and an animation has at most {most} frames. Choose fewer layers.</source>
            <translation>La serie tiene {count} momentos, y una animación tiene como máximo {most} fotogramas. Elija menos capas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/moments.py"/>
            <source>The map has no time series. Add one with “Add as time series”.</source>
            <translation>El mapa no tiene ninguna serie temporal. Añada una con «Añadir como serie temporal».</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>The service's address for maps is not a web address ({address}). The record's address is used.</source>
            <translation>La dirección que el servicio da para sus mapas no es una dirección web ({address}); se usa la del registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>The service's address for maps ({address}) is inside its own network. The record's address is used.</source>
            <translation>La dirección que el servicio da para sus mapas ({address}) es de su propia red interna; se usa la del registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>The service's maps come from {address}, the record names {endpoint}.</source>
            <translation>Los mapas del servicio proceden de {address}; el registro indica {endpoint}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}” is missing from the map: its service cannot be used. {reason}</source>
            <translation>«{title}» falta en el mapa: su servicio no se puede usar. {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}” is drawn for {shown} and not for {moment}: a page shows one time.</source>
            <translation>«{title}» se dibuja para {shown} y no para {moment}: una página muestra un solo tiempo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}” no longer offers the layer “{layer}”.</source>
            <translation>«{title}» ya no ofrece la capa «{layer}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}”: {layers} is not offered in {wanted} and is requested in {crs}.</source>
            <translation>«{title}»: {layers} no se ofrece en {wanted} y se solicita en {crs}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}” is no longer a time series: all of its layers are drawn.</source>
            <translation>«{title}» ya no es una serie temporal: se dibujan todas sus capas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}” offers nothing for {moment}: {other} is shown.</source>
            <translation>«{title}» no ofrece nada para {moment}: se muestra {other}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}”: the layer “{layer}” offers no coordinate reference system in which it can be requested.</source>
            <translation>«{title}»: la capa «{layer}» no ofrece ningún SRC en el que se pueda solicitar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}”: the layer “{layer}” no longer has the style “{style}”. Its default style is used.</source>
            <translation>«{title}»: la capa «{layer}» ya no tiene el estilo «{style}». Se usa su estilo predeterminado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}” offers no image format that can be shown for the layer “{layer}”.</source>
            <translation>«{title}» no ofrece la capa «{layer}» en ningún formato de imagen que se pueda mostrar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}” does not offer {wanted}; {format} is used.</source>
            <translation>«{title}» no ofrece {wanted}; se usa {format}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}”: images in {format} have no transparency and cover what lies below them.</source>
            <translation>«{title}»: las imágenes en {format} no tienen transparencia y tapan lo que hay debajo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>The record of “{title}” is not available. The credit saved in the map is used.</source>
            <translation>El registro de «{title}» no está disponible. Se usa el crédito guardado en el mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>No credit is known for “{title}”.</source>
            <translation>No se conoce el crédito de «{title}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}”: the layer “{layer}” is only available in a fixed size or extent.</source>
            <translation>«{title}»: la capa «{layer}» solo está disponible con un tamaño o una extensión fijos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}”: the layer “{layer}” is drawn for {name} {value}: its service has no default value.</source>
            <translation>«{title}»: la capa «{layer}» se dibuja para {name} {value}: su servicio no tiene ningún valor predeterminado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}”: the layer “{layer}” needs a value for “{name}”, which QGIS does not send: it may stay empty. Request it under Operations.</source>
            <translation>«{title}»: la capa «{layer}» necesita un valor para «{name}», que QGIS no envía: puede quedar vacía. Solicítela en Operaciones.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>It has not been loaded yet.</source>
            <translation>Aún no se ha cargado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/planner.py"/>
            <source>“{title}”: terms as stored in the snapshot of {date} differ from those known here. The stricter duty to credit counts.</source>
            <translation>«{title}»: las condiciones guardadas en la instantánea del {date} difieren de las conocidas aquí. Vale la obligación de citar más estricta.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/preview_image.py"/>
            <source>The layers have no coordinate system in common.</source>
            <translation>Las capas no tienen ningún sistema de coordenadas en común.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/service_state.py"/>
            <source>{cause} · drawn in part since {time}</source>
            <translation>{cause} · dibujado en parte desde las {time}</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/service_state.py"/>
            <source>{cause} · failed since {time}</source>
            <translation>{cause} · falla desde las {time}</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/service_state.py"/>
            <source>loading… ({problem})</source>
            <translation>cargando… ({problem})</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/service_use.py"/>
            <source>The service has no time series: neither a time dimension nor layers of several dates.</source>
            <translation>El servicio no tiene ninguna serie temporal: ni dimensión temporal ni capas de varias fechas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/suggestions.py"/>
            <source>Named by the record “{title}”.</source>
            <translation>Lo nombra el registro «{title}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/suggestions.py"/>
            <source>From the same network, with an extent that overlaps the map's.</source>
            <translation>De la misma red, y su extensión se solapa con la del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>add {title}</source>
            <translation>añadir {title}</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>add layers</source>
            <translation>añadir capas</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>remove {title}</source>
            <translation>quitar {title}</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>remove layers</source>
            <translation>quitar capas</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>replace layers</source>
            <translation>sustituir capas</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>order of the layers</source>
            <translation>orden de las capas</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>visibility of {title}</source>
            <translation>visibilidad de {title}</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>opacity of {title}</source>
            <translation>opacidad de {title}</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>blending mode of {title}</source>
            <translation>modo de mezcla de {title}</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>settings of {title}</source>
            <translation>ajustes de {title}</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>title of the map</source>
            <translation>título del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>extent and scale</source>
            <translation>extensión y escala</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>page</source>
            <translation>página</translation>
        </message>
        <message>
            <location filename="../plugin/core/custommap/undo_history.py"/>
            <source>several layers</source>
            <translation>varias capas</translation>
        </message>
        <message>
            <location filename="../plugin/core/dates.py"/>
            <source>UTC</source>
            <translation>UTC</translation>
        </message>
        <message>
            <location filename="../plugin/core/dates.py"/>
            <source>before {date}</source>
            <translation>antes de {date}</translation>
        </message>
        <message>
            <location filename="../plugin/core/dates.py"/>
            <source>after {date}</source>
            <translation>después de {date}</translation>
        </message>
        <message>
            <location filename="../plugin/core/dates.py"/>
            <source>now</source>
            <translation>ahora</translation>
        </message>
        <message>
            <location filename="../plugin/core/dates.py"/>
            <source>unknown</source>
            <translation>desconocido</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/description.py"/>
            <source>QGIS opens no {kind}.</source>
            <translation>QGIS no abre {kind}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/description.py"/>
            <source>The record’s link is called {expected}, but it answers as {kind}.</source>
            <translation>El enlace del registro se llama {expected}, pero responde como {kind}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/description.py"/>
            <source>{host} offers no layer that can be opened.</source>
            <translation>{host} no ofrece ninguna capa que se pueda abrir.</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/description.py"/>
            <source>{host} does not answer as {kind}.</source>
            <translation>{host} no responde como {kind}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/description.py"/>
            <source>{host} does not answer as {expected}, but as {kind}.</source>
            <translation>{host} no responde como {expected}, sino como {kind}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/description.py"/>
            <source>The address of the tiles has places that QGIS does not know.</source>
            <translation>La dirección de las teselas tiene marcadores de posición que QGIS no conoce.</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/description.py"/>
            <source>{host} sends something else than tiles.</source>
            <translation>{host} envía otra cosa que teselas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/description.py"/>
            <source>{host} offers no tiles in web mercator.</source>
            <translation>{host} no ofrece teselas en Web Mercator.</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/description.py"/>
            <source>The feed of {host} lists no file that can be opened.</source>
            <translation>El canal de {host} no contiene ningún archivo que se pueda abrir.</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <location filename="../plugin/core/sources/layer_source.py"/>
            <source>vector tiles</source>
            <translation>teselas vectoriales</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>vector tiles with style</source>
            <translation>teselas vectoriales con estilo</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>file of another format</source>
            <translation>archivo de otro formato</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>service of another kind</source>
            <translation>servicio de otro tipo</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <location filename="../plugin/core/sources/layer_source.py"/>
            <source>database</source>
            <translation>base de datos</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>catalogue</source>
            <translation>catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <location filename="../plugin/core/featureinfo/safe_html.py"/>
            <source>image</source>
            <translation>imagen</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>metadata</source>
            <translation>metadatos</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>web page</source>
            <translation>página web</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>service of an unknown kind</source>
            <translation>servicio de tipo desconocido</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>Add tiles</source>
            <translation>Añadir teselas</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>Add features</source>
            <translation>Añadir objetos</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>Add coverage</source>
            <translation>Añadir cobertura</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>Download and add</source>
            <translation>Descargar y añadir</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>Add map</source>
            <translation>Añadir mapa</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/integration/locator_filter.py"/>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <location filename="../plugin/ui/service/layers_page.py"/>
            <source>Add to map</source>
            <translation>Añadir al mapa</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>{action} ({kind}): {use}</source>
            <translation>{action} ({kind}): {use}</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>query, print at any scale</source>
            <translation>consulta, impresión a cualquier escala</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>speed, sharp print</source>
            <translation>rapidez, impresión nítida</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>speed</source>
            <translation>rapidez</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>query, a style of your own, sharp print</source>
            <translation>consulta, estilo propio, impresión nítida</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>values of cells, a style of your own</source>
            <translation>valores de las celdas, estilo propio</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>offline, values of cells</source>
            <translation>sin conexión, valores de las celdas</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>offline, query, sharp print</source>
            <translation>sin conexión, consulta, impresión nítida</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>asks the server what it is</source>
            <translation>pregunta al servidor qué es</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>{name}: only addresses of the web (http, https) are opened.</source>
            <translation>{name}: solo se abren direcciones web (http, https).</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>{name}: QGIS cannot open it.</source>
            <translation>{name}: QGIS no puede abrirlo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>“{title}” names others of the kind {kind} too, which are not added: {addresses}</source>
            <translation>«{title}» nombra también otros del tipo {kind}, que no se añaden: {addresses}</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>This record names nothing that can be added to a map.</source>
            <translation>Este registro no indica nada que se pueda añadir a un mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>The service does not have {layers}, which the record’s link names.</source>
            <translation>El servicio no tiene {layers}, que el enlace del registro nombra.</translation>
        </message>
        <message>
            <location filename="../plugin/core/distributions/uses.py"/>
            <source>The service does not have {layers}, which the record’s link names. All of its layers are offered.</source>
            <translation>El servicio no tiene {layers}, que el enlace del registro nombra. Se ofrecen todas sus capas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/errors.py"/>
            <location filename="../plugin/processing/execution.py"/>
            <source>Cancelled.</source>
            <translation>Cancelado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/errors.py"/>
            <source>{name} is too large to be read: the limit is {limit} MB. Divide it, or request less of it at once.</source>
            <translation>{name} es demasiado grande para leerlo: el límite es de {limit} MB. Divídalo o solicite menos de una vez.</translation>
        </message>
        <message>
            <location filename="../plugin/core/errors.py"/>
            <source>{name} is too large to be read: {size} MB, the limit is {limit} MB. Divide it, or request less of it at once.</source>
            <translation>{name} es demasiado grande para leerlo: {size} MB; el límite es de {limit} MB. Divídalo o solicite menos de una vez.</translation>
        </message>
        <message>
            <location filename="../plugin/core/featureinfo/queries.py"/>
            <source>The layer “{layer}” cannot be queried here: it offers no suitable coordinate reference system.</source>
            <translation>La capa «{layer}» no se puede consultar aquí: no ofrece ningún sistema de referencia de coordenadas adecuado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/featureinfo/queries.py"/>
            <source>The point lies outside the map.</source>
            <translation>El punto queda fuera del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/featureinfo/queries.py"/>
            <location filename="../plugin/gis/operations/identification.py"/>
            <source>The point lies outside the area where {crs} is defined.</source>
            <translation>El punto queda fuera del área donde está definido {crs}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/featureinfo/queries.py"/>
            <source>The point cannot be queried at this scale.</source>
            <translation>El punto no se puede consultar a esta escala.</translation>
        </message>
        <message>
            <location filename="../plugin/core/featureinfo/queries.py"/>
            <source>The layer “{layer}” can only be drawn as a whole, but does not state its extent.</source>
            <translation>La capa «{layer}» solo se dibuja entera, pero no declara su extensión.</translation>
        </message>
        <message>
            <location filename="../plugin/core/files.py"/>
            <source>{name} could not be written: {reason}. Choose another location.</source>
            <translation>No se ha podido escribir {name}: {reason}. Elija otra ubicación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/files.py"/>
            <source>The file {name} could not be written completely. Is the disk full?</source>
            <translation>No se ha podido escribir por completo el archivo {name}. ¿Está lleno el disco?</translation>
        </message>
        <message>
            <location filename="../plugin/core/files.py"/>
            <source>The disk with the folder {folder} is full, so {name} could not be written. Free some space on it, or choose a folder on another disk.</source>
            <translation>El disco de la carpeta {folder} está lleno y no se ha podido escribir {name}. Libere espacio en él o elija una carpeta de otro disco.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>works</source>
            <translation>funciona</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>not checked</source>
            <translation>sin comprobar</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>questionable</source>
            <translation>dudoso</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/health.py"/>
            <source>%n working</source>
            <translation>
                <numerusform>%n funciona</numerusform>
                <numerusform>%n funcionan</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/health.py"/>
            <source>%n not checked</source>
            <translation>
                <numerusform>%n sin comprobar</numerusform>
                <numerusform>%n sin comprobar</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/health.py"/>
            <source>%n questionable</source>
            <translation>
                <numerusform>%n dudoso</numerusform>
                <numerusform>%n dudosos</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/health.py"/>
            <source>%n not working</source>
            <translation>
                <numerusform>%n no funciona</numerusform>
                <numerusform>%n no funcionan</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Returns its capabilities</source>
            <translation>Devuelve sus capacidades</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Capabilities are valid</source>
            <translation>Capacidades válidas</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Version</source>
            <translation>Versión</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Record matches service</source>
            <translation>El registro concuerda</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Legends</source>
            <translation>Leyendas</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Everything that was checked works.</source>
            <translation>Todo lo comprobado funciona.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Not checked yet.</source>
            <translation>Aún no se ha comprobado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>{name} does not contain service checks.</source>
            <translation>{name} no contiene comprobaciones de servicios.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Health of map services</source>
            <translation>Estado de los servicios de mapas</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/health.py"/>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>%n service(s)</source>
            <translation>
                <numerusform>%n servicio</numerusform>
                <numerusform>%n servicios</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Checked (UTC)</source>
            <translation>Comprobado (UTC)</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Time</source>
            <translation>Tiempo</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Part</source>
            <translation>Elemento</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Seconds</source>
            <translation>Segundos</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Result</source>
            <translation>Resultado</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Request</source>
            <translation>Petición</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>There is no layer that can be requested.</source>
            <translation>No hay ninguna capa que se pueda solicitar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Layer {layer}: responded correctly.</source>
            <translation>Capa {layer}: ha respondido correctamente.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Slow: {seconds} s for a very small request.</source>
            <translation>Lento: {seconds} s para una petición muy pequeña.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Not offered by the service.</source>
            <translation>El servicio no la ofrece.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>The layer “{layer}” has no bounding box in a known coordinate reference system.</source>
            <translation>La capa «{layer}» no tiene rectángulo envolvente en ningún sistema de referencia de coordenadas conocido.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>None of the layers can be queried.</source>
            <translation>Ninguna de las capas se puede consultar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>One legend was read; {named} of {all} layers declare a legend.</source>
            <translation>Se ha leído una leyenda; {named} de {all} capas declaran una.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>GetMap has no address.</source>
            <translation>GetMap no tiene dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>The address of GetMap is not a web address: {address}.</source>
            <translation>La dirección de GetMap no es una dirección web: {address}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>GetMap lists no image format.</source>
            <translation>GetMap no declara ningún formato de imagen.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>No layer has a name, so none can be requested.</source>
            <translation>Ninguna capa tiene nombre, así que no se puede solicitar ninguna.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Layers without a coordinate reference system: {layers}.</source>
            <translation>Capas sin sistema de referencia de coordenadas: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Layers without a geographic bounding box: {layers}.</source>
            <translation>Capas sin rectángulo envolvente geográfico: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>Names used by several layers: {layers}.</source>
            <translation>Nombres que usan varias capas: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>{version}; the current version is 1.3.0</source>
            <translation>{version}; la vigente es la 1.3.0</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>There is no record of this service.</source>
            <translation>No hay ningún registro de este servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <source>The record agrees with the service, in different words.</source>
            <translation>El registro concuerda con el servicio, con otras palabras.</translation>
        </message>
        <message>
            <location filename="../plugin/core/health.py"/>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>The record agrees with the service.</source>
            <translation>El registro concuerda con el servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/html_templates.py"/>
            <source>The page cannot be written: Jinja2 is not installed for this Python. Install python3-jinja2, or run this inside QGIS.</source>
            <translation>No se puede escribir la página: Jinja2 no está instalado en este Python. Instale python3-jinja2 o ejecútelo dentro de QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <location filename="../plugin/core/records/input/document_reader.py"/>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} is empty.</source>
            <translation>{name} está vacío.</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>{name} is not encoded in UTF-8.</source>
            <translation>{name} no está codificado en UTF-8.</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>{name} does not contain a JSON object.</source>
            <translation>{name} no contiene ningún objeto JSON.</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <location filename="../plugin/core/records/formats/dcat.py"/>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <location filename="../plugin/core/records/input/document_reader.py"/>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <location filename="../plugin/core/records/rdf/description.py"/>
            <location filename="../plugin/core/records/rdf/graph.py"/>
            <location filename="../plugin/core/safe_xml.py"/>
            <location filename="../plugin/core/sources/arcgis.py"/>
            <location filename="../plugin/core/sources/ows_capabilities.py"/>
            <location filename="../plugin/core/sources/tilejson.py"/>
            <location filename="../plugin/core/wfs.py"/>
            <location filename="../plugin/core/wms/capabilities/parser.py"/>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>The document</source>
            <translation>El documento</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>{name} is broken JSON at line {line}, column {column}: {reason}.</source>
            <translation>{name} es JSON defectuoso en la línea {line}, columna {column}: {reason}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} is not in the character encoding that it declares.</source>
            <translation>{name} no está escrito en la codificación de caracteres que declara.</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>{name} is nested too deeply to be read.</source>
            <translation>{name} tiene demasiados niveles anidados para leerlo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>{name} cannot be read: {reason}.</source>
            <translation>{name} no se puede leer: {reason}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>{name} has too many values to be read: the limit is {limit}. Request less of it at once, or divide it.</source>
            <translation>{name} tiene demasiados valores para leerlo: el límite es de {limit}. Solicite menos de una vez o divídalo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>a number has more than {limit} digits</source>
            <translation>un número tiene más de {limit} cifras</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>must be text</source>
            <translation>debe ser texto</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <location filename="../plugin/core/snapshot/manifest.py"/>
            <source>is too long or contains invalid characters</source>
            <translation>es demasiado largo o contiene caracteres no válidos</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <location filename="../plugin/core/pages/qr_code.py"/>
            <source>must be a web address (http or https)</source>
            <translation>debe ser una dirección web (http o https)</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>must be one of {choices}, not “{value}”</source>
            <translation>debe ser uno de {choices}, no «{value}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>must be true or false</source>
            <translation>debe ser verdadero o falso</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <location filename="../plugin/core/json_fields.py"/>
            <source>must be an object</source>
            <translation>debe ser un objeto</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>is newer than this version of Cartoguide supports. Update Cartoguide</source>
            <translation>es posterior a la que admite esta versión de Cartoguide. Actualice Cartoguide</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>{name} is not valid: {place} {what}. Correct it, or use an earlier copy.</source>
            <translation>{name} no es válido: {place} {what}. Corríjalo o use una copia anterior.</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <location filename="../plugin/core/json_fields.py"/>
            <location filename="../plugin/core/library/collection_file.py"/>
            <location filename="../plugin/core/pages/leaflet.py"/>
            <source>is missing</source>
            <translation>falta</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>must be a list</source>
            <translation>debe ser una lista</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>has {count} items, but at most {most} are allowed</source>
            <translation>tiene {count} elementos, pero se admiten {most} como máximo</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>must be a number</source>
            <translation>debe ser un número</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>must be between {least} and {most}, not {value}</source>
            <translation>debe estar entre {least} y {most}, no ser {value}</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>the member “{key}” occurs twice</source>
            <translation>el miembro «{key}» aparece dos veces</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>{number} is not a valid number in JSON</source>
            <translation>{number} no es un número válido en JSON</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>{name} contains a number that is too large.</source>
            <translation>{name} contiene un número demasiado grande.</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_document.py"/>
            <source>{name} contains text that is not valid Unicode.</source>
            <translation>{name} contiene texto que no es Unicode válido.</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_fields.py"/>
            <source>must be written like “{example}”, not “{value}”</source>
            <translation>debe escribirse como «{example}», no «{value}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_fields.py"/>
            <source>must be a list of two numbers</source>
            <translation>debe ser una lista de dos números</translation>
        </message>
        <message>
            <location filename="../plugin/core/json_fields.py"/>
            <source>has more than {count} members</source>
            <translation>tiene más de {count} miembros</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/collection_file.py"/>
            <location filename="../plugin/core/library/record_collections.py"/>
            <source>There is no collection called {name}.</source>
            <translation>No hay ninguna colección llamada {name}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/connection_pool.py"/>
            <source>The record library {name} can only be read. To save records, make its folder writable or choose another library in the settings.</source>
            <translation>La biblioteca de registros {name} solo se puede leer. Para guardar registros, permita la escritura en su carpeta o elija otra biblioteca en los ajustes.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/connection_pool.py"/>
            <source>The record library {name} cannot be opened. Check that its folder exists and can be written, or choose another in the settings.</source>
            <translation>La biblioteca de registros {name} no se puede abrir. Compruebe que su carpeta existe y permite escribir, o elija otra en la configuración.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/connection_pool.py"/>
            <source>The record library is busy: another QGIS has been writing to it for too long. Try again in a moment.</source>
            <translation>La biblioteca de registros está ocupada: otro QGIS lleva demasiado tiempo escribiendo en ella. Vuelva a intentarlo en un momento.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/failure_groups.py"/>
            <source>not a catalogue record but {what}</source>
            <translation>no es un registro de catálogo, sino {what}</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/failure_groups.py"/>
            <source>without catalogue records</source>
            <translation>sin registros de catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/failure_groups.py"/>
            <source>broken, empty, too large or unsafe</source>
            <translation>defectuoso, vacío, demasiado grande o inseguro</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/failure_groups.py"/>
            <location filename="../plugin/processing/record_inputs.py"/>
            <source>{name} is a catalogue response without records.</source>
            <translation>{name} es una respuesta de catálogo sin registros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/failure_groups.py"/>
            <source>a catalogue response without records</source>
            <translation>una respuesta del catálogo sin registros</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/library/failure_groups.py"/>
            <source>%n file(s) without catalogue records.</source>
            <translation>
                <numerusform>%n archivo sin registros de catálogo.</numerusform>
                <numerusform>%n archivos sin registros de catálogo.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/library/index/row_extraction.py"/>
            <source>{name} contains no catalogue record.</source>
            <translation>{name} no contiene ningún registro de catálogo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/journal.py"/>
            <source>The record's original document cannot be read from the record library.</source>
            <translation>El documento original del registro no se puede leer de la biblioteca de registros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/journal.py"/>
            <source>The record's original document is damaged in the record library. Read it again from its source.</source>
            <translation>El documento original del registro está dañado en la biblioteca de registros. Vuelva a leerlo de su fuente.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/local_documents.py"/>
            <location filename="../plugin/core/records/input/file_reader.py"/>
            <source>{name} contains no file that could be a catalogue record.</source>
            <translation>{name} no contiene ningún archivo que pueda ser un registro de catálogo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/local_documents.py"/>
            <source>The folder {name} cannot be read.</source>
            <translation>No se puede leer la carpeta {name}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/local_documents.py"/>
            <location filename="../plugin/core/records/input/document_reader.py"/>
            <source>{name} is a zip package without catalogue records.</source>
            <translation>{name} es un paquete zip sin ningún registro de catálogo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/rebuild.py"/>
            <source>The record library {name} is damaged and cannot be set aside, perhaps because another QGIS has it open. Close the other QGIS windows and try again.</source>
            <translation>La biblioteca de registros {name} está dañada y no se puede apartar, quizá porque otro QGIS la tiene abierta. Cierre las demás ventanas de QGIS y vuelva a intentarlo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/record_collections.py"/>
            <source>A collection called {name} already exists.</source>
            <translation>Ya hay una colección llamada {name}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/record_store.py"/>
            <source>The record library {name} can only be read: it can be searched, but nothing is saved in it. Make its folder writable, or choose another library in the settings.</source>
            <translation>La biblioteca de registros {name} solo se puede leer: se puede buscar en ella, pero no se guarda nada. Permita la escritura en su carpeta o elija otra biblioteca en los ajustes.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/record_store.py"/>
            <source>Original documents are missing from the record library {name}. Read them again from their sources.</source>
            <translation>Faltan documentos originales en la biblioteca de registros {name}. Vuelva a leerlos de sus fuentes.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/library/record_store.py"/>
            <source>The record library was completed from its journal: %n record(s).</source>
            <translation>
                <numerusform>La biblioteca de registros se ha completado desde su diario: %n registro.</numerusform>
                <numerusform>La biblioteca de registros se ha completado desde su diario: %n registros.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/library/record_store.py"/>
            <source>The record library {name} cannot be read or written. Check that there is room on its disk and that its folder may be written.</source>
            <translation>La biblioteca de registros {name} no se puede leer ni escribir. Compruebe que hay espacio en su disco y que su carpeta permite escribir.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/library/record_store.py"/>
            <source>The record library was damaged. It was set aside as {aside} and rebuilt: %n record(s).</source>
            <translation>
                <numerusform>La biblioteca de registros estaba dañada. Se ha apartado como {aside} y se ha reconstruido: %n registro.</numerusform>
                <numerusform>La biblioteca de registros estaba dañada. Se ha apartado como {aside} y se ha reconstruido: %n registros.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/library/record_store.py"/>
            <source>%n block(s) of original documents in {name} are damaged. Records that are missing now have to be read again from their sources.</source>
            <translation>
                <numerusform>%n bloque de documentos originales de {name} está dañado. Los registros que falten ahora deben leerse de nuevo desde sus fuentes.</numerusform>
                <numerusform>%n bloques de documentos originales de {name} están dañados. Los registros que falten ahora deben leerse de nuevo desde sus fuentes.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/library/record_store.py"/>
            <source>The record library {name} is damaged and cannot be rebuilt. Move it away and start with an empty one.</source>
            <translation>La biblioteca de registros {name} está dañada y no se puede reconstruir. Muévala a otro lugar y empiece con una vacía.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/schema.py"/>
            <source>The record library {name} was written by a newer Cartoguide. Update Cartoguide, or choose another library in the settings.</source>
            <translation>La biblioteca de registros {name} la escribió una versión más reciente de Cartoguide. Actualice Cartoguide o elija otra biblioteca en la configuración.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/schema.py"/>
            <source>{name} is a database, but not a Cartoguide record library. Choose another file in the settings.</source>
            <translation>{name} es una base de datos, pero no una biblioteca de registros de Cartoguide. Elija otro archivo en la configuración.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/store_copy.py"/>
            <source>Give the record library a file name that ends in .sqlite.</source>
            <translation>Dé a la biblioteca de registros un nombre de archivo que acabe en .sqlite.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/store_copy.py"/>
            <source>{name} is a folder. Name a file in it, such as records.sqlite.</source>
            <translation>{name} es una carpeta. Indique un archivo dentro de ella, por ejemplo records.sqlite.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/store_copy.py"/>
            <source>{name} is another program’s file, not a record library. Choose another.</source>
            <translation>{name} es un archivo de otro programa, no una biblioteca de registros. Elija otro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/library/store_copy.py"/>
            <source>{name} cannot be used: {reason}. Choose a folder that you may write to.</source>
            <translation>{name} no se puede usar: {reason}. Elija una carpeta en la que pueda escribir.</translation>
        </message>
        <message>
            <location filename="../plugin/core/network_profile.py"/>
            <source>must be a web address (http or https), without a login</source>
            <translation>debe ser una dirección web (http o https) sin nombre de usuario ni contraseña</translation>
        </message>
        <message>
            <location filename="../plugin/core/network_profile.py"/>
            <source>must be at most {most} letters, digits, “-”, “_”, “.” or “~”</source>
            <translation>debe tener como máximo {most} caracteres: letras, cifras, «-», «_», «.» o «~»</translation>
        </message>
        <message>
            <location filename="../plugin/core/network_profile.py"/>
            <source>must be a code of two or three lower-case letters</source>
            <translation>debe ser un código de dos o tres letras minúsculas</translation>
        </message>
        <message>
            <location filename="../plugin/core/network_profile.py"/>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>The network profile</source>
            <translation>El perfil de red</translation>
        </message>
        <message>
            <location filename="../plugin/core/network_profile.py"/>
            <source>is not “{format}”, so this is not a network profile</source>
            <translation>no es «{format}», así que esto no es un perfil de red</translation>
        </message>
        <message>
            <location filename="../plugin/core/network_profile.py"/>
            <source>The network profile {name} cannot be read. Choose another one in the settings, or leave the setting empty to use the bundled one.</source>
            <translation>No se puede leer el perfil de red {name}. Elija otro en la configuración, o deje el ajuste vacío para usar el incluido.</translation>
        </message>
        <message>
            <location filename="../plugin/core/network_profile.py"/>
            <source>The bundled network profile cannot be read. Reinstall the plugin.</source>
            <translation>No se puede leer el perfil de red incluido. Vuelva a instalar el complemento.</translation>
        </message>
        <message>
            <location filename="../plugin/core/network_profile.py"/>
            <source>The network's settings</source>
            <translation>La configuración de la red</translation>
        </message>
        <message>
            <location filename="../plugin/core/network_profile.py"/>
            <source>is one file too many: a profile has at most {count}</source>
            <translation>es un archivo de más: un perfil tiene como máximo {count}</translation>
        </message>
        <message>
            <location filename="../plugin/core/network_profile.py"/>
            <source>is “{path}”, which is not a file in the profile’s own folder. Copy it there</source>
            <translation>es «{path}», que no es un archivo de la carpeta del perfil. Cópielo allí</translation>
        </message>
        <message>
            <location filename="../plugin/core/network_profile.py"/>
            <source>{name} does not contain a network profile ({wanted}).</source>
            <translation>{name} no contiene ningún perfil de red ({wanted}).</translation>
        </message>
        <message>
            <location filename="../plugin/core/page_design/page_themes.py"/>
            <source>Standard</source>
            <translation>Estándar</translation>
        </message>
        <message>
            <location filename="../plugin/core/page_design/page_themes.py"/>
            <source>Park</source>
            <translation>Parque</translation>
        </message>
        <message>
            <location filename="../plugin/core/page_design/page_themes.py"/>
            <source>Blue-grey</source>
            <translation>Gris azulado</translation>
        </message>
        <message>
            <location filename="../plugin/core/page_design/page_themes.py"/>
            <source>High contrast</source>
            <translation>Alto contraste</translation>
        </message>
        <message>
            <location filename="../plugin/core/page_design/page_themes.py"/>
            <source>Large print</source>
            <translation>Letra grande</translation>
        </message>
        <message>
            <location filename="../plugin/core/page_design/page_themes.py"/>
            <source>Own colours</source>
            <translation>Colores propios</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/leaflet.py"/>
            <location filename="../plugin/gis/pages/leaflet_photos.py"/>
            <source>The photo {file} has no credit. Say who took it, and under which licence.</source>
            <translation>La foto {file} no tiene crédito. Indique quién la hizo y con qué licencia.</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/leaflet.py"/>
            <source>Type its credit in the form of the leaflet. Without it the map is not exported.</source>
            <translation>Escriba su crédito en el formulario del folleto. Sin él no se exporta el mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/leaflet.py"/>
            <source>The photo {file} has no text for people who do not see it.</source>
            <translation>La foto {file} no tiene texto para quienes no la ven.</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/leaflet.py"/>
            <source>Say in the form of the leaflet what it shows.</source>
            <translation>Diga en el formulario del folleto qué muestra.</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/leaflet.py"/>
            <source>The folded leaflet is made as {size}. Its page was {former}, for which there is no template. Check the area of its map and whether its texts fit.</source>
            <translation>El folleto plegado se hace en {size}. Su página era {former}, para la que no hay plantilla. Compruebe el área de su mapa y si caben sus textos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/leaflet.py"/>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Folded leaflet</source>
            <translation>Folleto plegado</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/leaflet.py"/>
            <source>texts of the leaflet</source>
            <translation>textos del folleto</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/leaflet.py"/>
            <source>photo</source>
            <translation>foto</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/logos.py"/>
            <source>must be a PNG or JPEG as base64, not a path or an address</source>
            <translation>debe ser un PNG o JPEG en base64, no una ruta ni una dirección</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/logos.py"/>
            <source>must be a PNG or JPEG: an SVG is not taken from a document</source>
            <translation>debe ser un PNG o JPEG: de un documento no se admite un SVG</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/logos.py"/>
            <source>has more than {count} bytes</source>
            <translation>tiene más de {count} bytes</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/logos.py"/>
            <source>is a damaged image</source>
            <translation>es una imagen dañada</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/logos.py"/>
            <source>has {width} × {height} pixels, but at most {most} by {most} are allowed</source>
            <translation>tiene {width} × {height} píxeles, pero se admiten como máximo {most} por {most}</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/logos.py"/>
            <source>logos of the page</source>
            <translation>los logotipos de la página</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/map_book.py"/>
            <source>That would be more than {most} sheets: choose a smaller scale or area.</source>
            <translation>Serían más de {most} hojas: elija una escala o un área menor.</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/page_features.py"/>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Technical sheet</source>
            <translation>Ficha técnica</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/page_features.py"/>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Field sheet</source>
            <translation>Hoja de campo</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/qr_code.py"/>
            <source>QR code of the page</source>
            <translation>código QR de la página</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/small_multiples.py"/>
            <source>The page has {places} small maps, but there are {count} to show. The last ones are left out.</source>
            <translation>La página de mapas en serie tiene sitio para {places} mapas, pero hay {count} que mostrar. Los últimos se omiten.</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/small_multiples.py"/>
            <source>Choose fewer layers, or export an animation, which shows all of them.</source>
            <translation>Elija menos capas, o exporte una animación, que los muestra todos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/pages/small_multiples.py"/>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Small multiples</source>
            <translation>Mapas en serie</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/preflight/print_estimate.py"/>
            <source>%n image(s)</source>
            <translation>
                <numerusform>%n imagen</numerusform>
                <numerusform>%n imágenes</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/print_estimate.py"/>
            <source>{count} megapixels</source>
            <translation>{count} megapíxeles</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/print_estimate.py"/>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>about {seconds} s</source>
            <translation>unos {seconds} s</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Load the service again, choose other layers, or remove it from the map.</source>
            <translation>Vuelva a cargar el servicio, elija otras capas o quítelo del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Load again</source>
            <translation>Cargar de nuevo</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>If layers stay empty, ask the provider of the service.</source>
            <translation>Si hay capas que quedan vacías, pregunte al proveedor del servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>If layers stay empty, load the service again: a message then offers to send the login.</source>
            <translation>Si hay capas que quedan vacías, vuelva a cargar el servicio: un mensaje ofrece entonces enviar las credenciales.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>The map is hidden in the Layers panel. It is printed all the same.</source>
            <translation>El mapa está oculto en el panel Capas. Aun así se imprime.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Tick its group in the Layers panel to see it on the canvas, or untick single layers to leave them out of the page.</source>
            <translation>Marque su grupo en el panel Capas para verlo en el lienzo, o desmarque capas sueltas para dejarlas fuera de la página.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>The map has no area yet.</source>
            <translation>El mapa aún no tiene área.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Choose an extent, or a centre and a scale.</source>
            <translation>Elija una extensión, o un centro y una escala.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Leave it out, or choose a scale at which it is drawn.</source>
            <translation>Quítelo, o elija una escala a la que se dibuje.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Show it at {scale}</source>
            <translation>Mostrarlo a {scale}</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>It is not drawn at {scale}.</source>
            <translation>No se dibuja a {scale}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Leave them out, or choose a scale at which they are drawn.</source>
            <translation>Déjelas fuera o elija una escala a la que se dibujen.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Not drawn at {scale}: {layers}.</source>
            <translation>No se dibuja a {scale}: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Give it an opacity, or leave it out.</source>
            <translation>Dele una opacidad o déjela fuera.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Its opacity is 0 %.</source>
            <translation>Su opacidad es del 0 %.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Opacity of 0 %: {layers}.</source>
            <translation>Con opacidad del 0 %: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Give them an opacity, or leave them out.</source>
            <translation>Deles una opacidad o déjelas fuera.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>The map is in degrees ({crs}). One centimetre is {across} on the ground across the page and {along} along it. No numeric scale is printed, and the scale bar is true along one parallel only.</source>
            <translation>El mapa está en grados ({crs}). Un centímetro equivale a {across} sobre el terreno a lo ancho de la página y a {along} a lo alto. No se imprime escala numérica y la escala gráfica solo es exacta a lo largo de un paralelo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>In {crs} the scale is not the same in all directions here. One centimetre is {across} on the ground across the page and {along} along it ({percent} %). No numeric scale is printed, and the scale bar is true across the page only.</source>
            <translation>En {crs} la escala no es aquí la misma en todas las direcciones. Un centímetro equivale a {across} sobre el terreno a lo ancho de la página y a {along} a lo alto ({percent} %). No se imprime escala numérica y la escala gráfica solo es exacta a lo ancho de la página.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Use {crs} for the map</source>
            <translation>Usar {crs} en el mapa</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Choose a projected reference system made for this area, if distances matter.</source>
            <translation>Elija un sistema de referencia proyectado pensado para esta área si importan las distancias.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Not offered in {wanted}: it is requested in {used} and warped, which blurs its text.</source>
            <translation>No se ofrece en {wanted}: se solicita en {used} y se reproyecta, lo que desenfoca su texto.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Choose a reference system for the map that the service offers, where sharp text matters.</source>
            <translation>Elija para el mapa un sistema de referencia que el servicio ofrezca, si el texto debe verse nítido.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Its image is divided into {count} parts: the service allows at most {limits} pixels per request.</source>
            <translation>Su imagen se divide en {count} partes: el servicio admite como máximo {limits} píxeles por petición.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>The parts overlap, so that symbols are complete, but labels may be placed differently at the seams. A smaller paper or a lower resolution needs one image only.</source>
            <translation>Las partes se solapan para que los símbolos queden enteros, pero las etiquetas pueden colocarse de otro modo en las uniones. Con un papel menor o una resolución más baja basta una sola imagen.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>The map needs {images}.</source>
            <translation>El mapa necesita {images}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Choose fewer layers, a smaller paper or a lower resolution, to spare the servers.</source>
            <translation>Elija menos capas, un papel menor o una resolución más baja, para no sobrecargar los servidores.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>“{layer}” is only available in a fixed size or extent.</source>
            <translation>«{layer}» solo está disponible con un tamaño o una extensión fijos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>It will look coarse on paper: check it at this scale.</source>
            <translation>En papel se verá basta: compruébela a esta escala.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>No legend is offered for {layers}.</source>
            <translation>No se ofrece leyenda para {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Explain it in the title or on the page.</source>
            <translation>Explíquelo en el título o en la página.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>What lies below is covered by {layers}.</source>
            <translation>Lo que hay debajo queda cubierto por {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Multiply it with what lies below, move it down, make it translucent, or use it as the base.</source>
            <translation>Multiplíquelo con lo de debajo, muévalo hacia abajo, hágalo translúcido o úselo como base.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Show its area</source>
            <translation>Mostrar su área</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>The map is outside the extent in its record.</source>
            <translation>El mapa queda fuera de la extensión que indica su registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Choose another extent, or remove the service from the map.</source>
            <translation>Elija otra extensión o quite el servicio del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>It covers {share} % of the map.</source>
            <translation>Cubre el {share} % del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Choose another extent if the rest should not be empty.</source>
            <translation>Elija otra extensión si el resto no debe quedar vacío.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Write the credit as it has to be printed. It is saved in the map.</source>
            <translation>Escriba el crédito como se ha de imprimir. Se guarda en el mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Use this credit</source>
            <translation>Usar este crédito</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Its terms require a credit, and none is known.</source>
            <translation>Sus condiciones exigen un crédito y no se conoce ninguno.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Read its terms before you publish, and ask its owner whom to credit.</source>
            <translation>Lea sus condiciones antes de publicar y pregunte a su propietario a quién hay que citar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Its record is not available. The credit saved in the map is used.</source>
            <translation>Su registro no está disponible. Se usa el crédito guardado en el mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Search for the record again if its terms may have changed.</source>
            <translation>Busque de nuevo el registro si sus condiciones pueden haber cambiado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Its terms leave open whether a credit is required. It is shown to be safe.</source>
            <translation>Sus condiciones no aclaran si el crédito es obligatorio. Se muestra por seguridad.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Leave the credit on the map.</source>
            <translation>Deje el crédito en el mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>no amount is given</source>
            <translation>no se indica el importe</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>It is not free of charge: {fees}</source>
            <translation>No es gratuito: {fees}</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>It may not be free of charge: {fees}</source>
            <translation>Puede no ser gratuito: {fees}</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Settle the fees with its owner before you publish.</source>
            <translation>Acuerde las tarifas con su propietario antes de publicar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Ask its owner which terms apply.</source>
            <translation>Pregunte a su propietario qué condiciones se aplican.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Its terms of use are unclear.</source>
            <translation>Sus condiciones de uso no están claras.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Read its terms before you publish.</source>
            <translation>Lea sus condiciones antes de publicar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Its terms restrict the use: {limit}</source>
            <translation>Sus condiciones restringen el uso: {limit}</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <location filename="../plugin/core/text.py"/>
            <source>“{words}”</source>
            <translation>«{words}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Check that your map complies.</source>
            <translation>Compruebe si su mapa lo respeta.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Its terms may restrict this use: “{words}”</source>
            <translation>Sus condiciones pueden restringir este uso: «{words}»</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Record and service disagree in %n point(s): {first}</source>
            <translation>
                <numerusform>El registro y el servicio discrepan en %n punto: {first}</numerusform>
                <numerusform>El registro y el servicio discrepan en %n puntos: {first}</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>See the Checks tab of its record, and rely on what the service states.</source>
            <translation>Consulte la pestaña Avisos de su registro y dé prioridad a lo que indica el propio servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>The data come from different years: {years}.</source>
            <translation>Los datos son de años distintos: {years}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>State it on the map: the sources name each year.</source>
            <translation>Indíquelo en el mapa: las fuentes mencionan cada año.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Its record now names another address: {address}</source>
            <translation>Su registro indica ahora otra dirección: {address}</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Use the record's address: the old one may be switched off.</source>
            <translation>Use la dirección del registro: la antigua puede dejar de funcionar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Use https for all</source>
            <translation>Usar https para todos</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Use https</source>
            <translation>Usar https</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>It is requested over http although the server also supports https.</source>
            <translation>Se solicita por http, aunque el servidor también admite https.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Use https so that nobody in between can read or alter the map.</source>
            <translation>Use https para que nadie pueda leer ni alterar el mapa en el trayecto.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Not in the snapshot: {layers}. The live service is used instead.</source>
            <translation>No está en la instantánea: {layers}. En su lugar se usa el servicio en vivo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Take a new snapshot, or show the live services.</source>
            <translation>Tome una instantánea nueva o muestre los servicios en vivo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>The snapshot does not cover all of this page.</source>
            <translation>La instantánea no cubre toda esta página.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Move the map into the snapshot’s area, take a larger one, or show the live services.</source>
            <translation>Mueva el mapa al área de la instantánea, tome una mayor o muestre los servicios en vivo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>The snapshot is coarser than this page: it was taken for {scales} at {dpi} dpi.</source>
            <translation>La instantánea es menos detallada que esta página: se tomó para {scales} a {dpi} ppp.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Print at a smaller scale or a lower resolution, or take a finer snapshot.</source>
            <translation>Imprima a una escala menor o con menos resolución, o tome una instantánea más detallada.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>The snapshot was drawn for {scales}: at this scale its symbols and labels have another size.</source>
            <translation>La instantánea se dibujó para {scales}: a esta escala sus símbolos y etiquetas tienen otro tamaño.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Print at one of these scales, or take a snapshot for this one.</source>
            <translation>Imprima a una de estas escalas o tome una instantánea para esta.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Terms as stored in the snapshot of {date} differ from those known here. The stricter duty to credit counts.</source>
            <translation>Las condiciones guardadas en la instantánea del {date} difieren de las conocidas aquí. Vale la obligación de citar más estricta.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Read both terms before you publish, and ask its owner which apply.</source>
            <translation>Lea ambas condiciones antes de publicar y pregunte a su propietario cuáles valen.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>In the snapshot: {terms}</source>
            <translation>En la instantánea: {terms}</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/rules.py"/>
            <source>Known here: {terms}</source>
            <translation>Conocidas aquí: {terms}</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>The template {name} is from outside your templates folder, so this was left out: {parts}.</source>
            <translation>La plantilla {name} no está en su carpeta de plantillas, así que se ha omitido lo siguiente: {parts}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>This computer does not have these fonts of the template {name}: {fonts}. {font} is used instead.</source>
            <translation>Este equipo no tiene estos tipos de letra de la plantilla {name}: {fonts}. En su lugar se usa {font}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>Install them and begin QGIS anew, or choose other fonts in the template.</source>
            <translation>Instálelos y vuelva a iniciar QGIS, o elija otros tipos de letra en la plantilla.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>These pictures of the template {name} were not found, so they are left out: {pictures}.</source>
            <translation>No se han encontrado estas imágenes de la plantilla {name}, así que se omiten: {pictures}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>Put them in the folder of the template, or embed them in the template.</source>
            <translation>Póngalas en la carpeta de la plantilla o insértelas en la plantilla.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>These pictures of the template {name} are damaged, or no pictures, so they are left out: {pictures}.</source>
            <translation>Estas imágenes de la plantilla {name} están dañadas, o no son imágenes, así que se omiten: {pictures}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>Save them anew, or choose others in the template.</source>
            <translation>Guárdelas de nuevo, o elija otras en la plantilla.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>These pictures of the template {name} are left out, because it is from outside your templates folder: {pictures}.</source>
            <translation>Estas imágenes de la plantilla {name} se omiten, porque la plantilla no está en su carpeta de plantillas: {pictures}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>Embed them in the template. If you trust who made it, put it in your templates folder with its pictures.</source>
            <translation>Insértelas en la plantilla. Si confía en quien la hizo, póngala en su carpeta de plantillas con sus imágenes.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>The template {name} shows map themes in {maps}: {themes}. Cartoguide fills these maps instead.</source>
            <translation>La plantilla {name} muestra temas de mapa en {maps}: {themes}. En su lugar, Cartoguide rellena estos mapas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>To show a theme, give its map another id in the template.</source>
            <translation>Para mostrar un tema, dé otro id a su mapa en la plantilla.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>The template {name} shows map themes in {maps}: {themes}. It is from outside your templates folder, so the layers of this map are shown there instead.</source>
            <translation>La plantilla {name} muestra temas de mapa en {maps}: {themes}. No está en su carpeta de plantillas, así que allí se muestran en su lugar las capas de este mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>This project does not have the map themes that the template {name} shows in {maps}: {themes}. The layers of this map are shown there instead.</source>
            <translation>Este proyecto no tiene los temas de mapa que la plantilla {name} muestra en {maps}: {themes}. Allí se muestran en su lugar las capas de este mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>Add map themes of these names to the project, or choose others in the template.</source>
            <translation>Añada al proyecto temas de mapa con estos nombres, o elija otros en la plantilla.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>The template {name} names layers of a project, and shows none of them, because it is from outside your templates folder: {layers}.</source>
            <translation>La plantilla {name} nombra capas de un proyecto y no muestra ninguna, porque no está en su carpeta de plantillas: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>This project does not have layers that maps, legends, tables or the atlas of the template {name} show, so they are left out: {layers}.</source>
            <translation>Este proyecto no tiene capas que muestran los mapas, las leyendas, las tablas o el atlas de la plantilla {name}, así que se omiten: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>Add these layers to the project, or choose others in the template.</source>
            <translation>Añada estas capas al proyecto, o elija otras en la plantilla.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>These expressions in texts of the template {name} have no value on this page, so they are left out: {expressions}.</source>
            <translation>Estas expresiones en textos de la plantilla {name} no tienen valor en esta página, así que se omiten: {expressions}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>A page shows no feature of an atlas: write these texts without fields and unknown functions.</source>
            <translation>Una página no muestra ningún objeto geográfico de un atlas: escriba estos textos sin campos ni funciones desconocidas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/template_findings.py"/>
            <source>If you trust who made it, put it in your templates folder.</source>
            <translation>Si confía en quien la hizo, póngala en su carpeta de plantillas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>No image of {width} × {height} pixels was received for {layers}. {reason}</source>
            <translation>No se ha recibido ninguna imagen de {width} × {height} píxeles de {layers}. {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>{layers} did not come completely. {reason}</source>
            <translation>{layers}: no ha llegado todo. {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>A lower resolution or a smaller paper needs smaller images.</source>
            <translation>Con una resolución más baja o un papel menor bastan imágenes más pequeñas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>The map is not exported without it.</source>
            <translation>El mapa no se exporta sin ello.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Remove from the map</source>
            <translation>Quitar del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>“{layer}” took {seconds} s.</source>
            <translation>«{layer}» tardó {seconds} s.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>The export will be slow. Consider a lower resolution.</source>
            <translation>La exportación será lenta. Considere una resolución más baja.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>{count} features of “{layer}” came, and the service does not say how many there are.</source>
            <translation>Han llegado {count} objetos geográficos de «{layer}», y el servicio no dice cuántos hay.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>Multiply it with what lies below, move it down, or remove it.</source>
            <translation>Multiplíquelo con lo de debajo, muévalo hacia abajo o quítelo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>The image of {layers} is opaque, although a transparent one was requested. It hides the layers below.</source>
            <translation>La imagen de {layers} es opaca, aunque se pidió transparente. Tapa las capas de debajo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>Most of what lies below is hidden by {layers}.</source>
            <translation>{layers} oculta la mayor parte de lo que hay debajo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>Draws nothing on page {page}: its image is empty there.</source>
            <translation>No dibuja nada en la página {page}: su imagen está vacía ahí.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>Draws nothing on pages {pages}: its images are empty there.</source>
            <translation>No dibuja nada en las páginas {pages}: sus imágenes están vacías ahí.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>Nothing is drawn of “{layer}” on page {page}.</source>
            <translation>No se dibuja nada de «{layer}» en la página {page}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>Nothing is drawn of “{layer}” on pages {pages}.</source>
            <translation>No se dibuja nada de «{layer}» en las páginas {pages}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>Of the {total} pieces of the image of “{layer}”, {count} have one colour only.</source>
            <translation>De los {total} fragmentos de la imagen de «{layer}», {count} tienen un solo color.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>Compare it with the map canvas. If something should be here, try another resolution or scale; if not, it may be left out.</source>
            <translation>Compárelo con el lienzo del mapa. Si debería haber algo, pruebe con otra resolución u otra escala; si no, puede quitarse.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>Draws nothing here at this scale: its image is empty.</source>
            <translation>No dibuja nada aquí a esta escala: su imagen está vacía.</translation>
        </message>
        <message>
            <location filename="../plugin/core/preflight/trial_requests.py"/>
            <source>Nothing of {layers} is drawn here at this scale.</source>
            <translation>Aquí y a esta escala no se dibuja nada de {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/publication/embedded_documents.py"/>
            <source>{name} contains no custom map. Only maps that Cartoguide exported as PDF, PNG or GeoTIFF contain theirs.</source>
            <translation>{name} no contiene ningún mapa personalizado. Solo lo contienen los mapas que Cartoguide exportó como PDF, PNG o GeoTIFF.</translation>
        </message>
        <message>
            <location filename="../plugin/core/publication/embedded_documents.py"/>
            <source>The file has more than {count} attachments, and only these were read.</source>
            <translation>El archivo tiene más de {count} adjuntos y solo se han leído estos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/publication/map_files.py"/>
            <location filename="../plugin/core/snapshot/manifest.py"/>
            <location filename="../plugin/core/trust/files.py"/>
            <location filename="../plugin/gis/layers/snapshot_rasters.py"/>
            <source>{name} could not be opened: {reason}.</source>
            <translation>No se ha podido abrir {name}: {reason}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/publication/map_statement.py"/>
            <source>Map made of: {credits}</source>
            <translation>Mapa elaborado a partir de: {credits}</translation>
        </message>
        <message>
            <location filename="../plugin/core/publication/pdf_update.py"/>
            <source>The structure of the PDF cannot be read.</source>
            <translation>No se puede leer la estructura del PDF.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/dcat.py"/>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an RDF document without data sets and services of DCAT</source>
            <translation>un documento RDF sin conjuntos de datos ni servicios de DCAT</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/dcat.py"/>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>{name} is not a catalogue record but {what}.</source>
            <translation>{name} no es un registro de catálogo, sino {what}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <source>a STAC catalogue without items and collections</source>
            <translation>un catálogo STAC sin elementos ni colecciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an OWS context document</source>
            <translation>un documento de contexto OWS</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a JSON document of another kind</source>
            <translation>un documento JSON de otro tipo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <source>a Cartoguide document ({kind})</source>
            <translation>un documento de Cartoguide ({kind})</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <source>a list of collections (OGC API)</source>
            <translation>una lista de colecciones (OGC API)</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <source>a JSON-LD document (DCAT, schema.org or another vocabulary)</source>
            <translation>un documento JSON-LD (DCAT, schema.org u otro vocabulario)</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <source>the description of an API (OpenAPI)</source>
            <translation>la descripción de una API (OpenAPI)</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <source>the description of a collection (OGC API)</source>
            <translation>la descripción de una colección (OGC API)</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <source>a GeoJSON document whose features are not records</source>
            <translation>un documento GeoJSON cuyos objetos no son registros</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <source>a conformance declaration (OGC API)</source>
            <translation>una declaración de conformidad (OGC API)</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <source>a page of an OGC API without records</source>
            <translation>una página de una OGC API sin ningún registro</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an exception report</source>
            <translation>un informe de excepción</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/formats/ogcapi_records.py"/>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>{name} is not a catalogue record but {what}: {said}</source>
            <translation>{name} no es un registro de catálogo, sino {what}: {said}</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/document_reader.py"/>
            <source>The document was not read: it has too many addresses with a login or a key.</source>
            <translation>El documento no se ha leído: tiene demasiadas direcciones con un usuario o una clave.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/document_reader.py"/>
            <location filename="../plugin/core/records/rdf/description.py"/>
            <source>{name} expands to far more data than expected and was not read.</source>
            <translation>{name} ocupa mucho más de lo esperado al extraer sus registros, y no se ha leído.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/records/input/document_reader.py"/>
            <source>{name} contains %n record(s) in a format that Cartoguide does not support: {what}.</source>
            <translation>
                <numerusform>{name} contiene %n registro en un formato que Cartoguide no admite: {what}.</numerusform>
                <numerusform>{name} contiene %n registros en un formato que Cartoguide no admite: {what}.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/document_reader.py"/>
            <location filename="../plugin/core/records/input/packages.py"/>
            <source>The package</source>
            <translation>El paquete</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/file_reader.py"/>
            <location filename="../plugin/processing/inputs.py"/>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>{name} does not exist.</source>
            <translation>{name} no existe.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/file_reader.py"/>
            <source>{name} cannot be read: permission denied.</source>
            <translation>{name} no se puede leer: permiso denegado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a WMS capabilities document</source>
            <translation>un documento de capacidades WMS</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a WFS capabilities document</source>
            <translation>un documento de capacidades WFS</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a WCS capabilities document</source>
            <translation>un documento de capacidades WCS</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a TMS capabilities document</source>
            <translation>un documento de capacidades TMS</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a service exception</source>
            <translation>una excepción del servicio</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>a DescribeLayer response</source>
            <translation>una respuesta DescribeLayer</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a map style (SLD)</source>
            <translation>un estilo de mapa (SLD)</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>a collection of features (GML)</source>
            <translation>una colección de objetos geográficos (GML)</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a GetFeatureInfo response</source>
            <translation>una respuesta GetFeatureInfo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a DIF metadata record, a format that Cartoguide does not read</source>
            <translation>un registro de metadatos DIF, formato que Cartoguide no lee</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an INTERLIS transfer (GM03), a format that Cartoguide does not read</source>
            <translation>una transferencia INTERLIS (GM03), formato que Cartoguide no lee</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an EML metadata record, a format that Cartoguide does not read</source>
            <translation>un registro de metadatos EML, formato que Cartoguide no lee</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an ANZMETA metadata record, a format that Cartoguide does not read</source>
            <translation>un registro de metadatos ANZMETA, formato que Cartoguide no lee</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a register (ISO 19135)</source>
            <translation>un registro de elementos (ISO 19135)</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>an OpenSearch description</source>
            <translation>una descripción OpenSearch</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>an Atom feed</source>
            <translation>un canal Atom</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an Atom entry</source>
            <translation>una entrada Atom</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>an RSS feed</source>
            <translation>un canal RSS</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an HTML page</source>
            <translation>una página HTML</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an SVG image</source>
            <translation>una imagen SVG</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>a KML document</source>
            <translation>un documento KML</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a GPX document</source>
            <translation>un documento GPX</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a QGIS project</source>
            <translation>un proyecto de QGIS</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a QGIS layer definition</source>
            <translation>una definición de capa de QGIS</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an XML schema</source>
            <translation>un esquema XML</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an XSLT style sheet</source>
            <translation>una hoja de estilo XSLT</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a feature catalogue (ISO 19110)</source>
            <translation>un catálogo de fenómenos (ISO 19110)</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a catalogue of code lists</source>
            <translation>un catálogo de listas de códigos</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a SensorML document</source>
            <translation>un documento SensorML</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a WMC context document</source>
            <translation>un documento de contexto WMC</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a CSW response without records</source>
            <translation>una respuesta CSW sin registros</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a CSW request</source>
            <translation>una petición CSW</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an OGC request</source>
            <translation>una petición OGC</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a WPS request or response</source>
            <translation>una petición o respuesta WPS</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a catalogue of reference systems</source>
            <translation>un catálogo de sistemas de referencia</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a catalogue of units</source>
            <translation>un catálogo de unidades</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an XML document of another kind</source>
            <translation>un documento XML de otro tipo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a CSW exception</source>
            <translation>una excepción CSW</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an OGC exception report</source>
            <translation>un informe de excepción OGC</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a {service} capabilities document</source>
            <translation>un documento de capacidades {service}</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>a SOAP message</source>
            <translation>un mensaje SOAP</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an OAI-PMH response</source>
            <translation>una respuesta de OAI-PMH</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>the table of contents of a GeoNetwork package (MEF); open the package itself</source>
            <translation>la lista de contenido de un paquete de GeoNetwork (MEF); abra el propio paquete</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a part of an ISO metadata record, not a whole one</source>
            <translation>una parte de un registro de metadatos ISO, no uno completo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an observation or another response of a sensor service (SOS)</source>
            <translation>una observación u otra respuesta de un servicio de sensores (SOS)</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a GML document</source>
            <translation>un documento GML</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an FGDC metadata record, a format that Cartoguide does not read</source>
            <translation>un registro de metadatos FGDC, formato que Cartoguide no lee</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an ArcGIS metadata record, a format that Cartoguide does not read</source>
            <translation>un registro de metadatos ArcGIS, formato que Cartoguide no lee</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>{name} is not a catalogue record; its root element is {element}.</source>
            <translation>{name} no es un registro de catálogo; su elemento raíz es {element}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>an image</source>
            <translation>una imagen</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>a PDF document</source>
            <translation>un documento PDF</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a compressed file; unpack it first</source>
            <translation>un archivo comprimido; descomprímalo antes</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>an SQLite database</source>
            <translation>una base de datos SQLite</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a shapefile</source>
            <translation>un shapefile</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>plain text</source>
            <translation>texto sin formato</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a binary file</source>
            <translation>un archivo binario</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/format_detection.py"/>
            <source>a zip package</source>
            <translation>un paquete zip</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/packages.py"/>
            <source>{name} contains too many files to be read.</source>
            <translation>{name} contiene demasiados archivos para leerlo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/packages.py"/>
            <source>{name} is a broken zip package.</source>
            <translation>{name} es un paquete zip defectuoso.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/packages.py"/>
            <source>{name} unpacks to far more data than expected and was not read completely.</source>
            <translation>{name} ocupa mucho más de lo esperado al descomprimirlo, y no se ha leído por completo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/packages.py"/>
            <location filename="../plugin/core/snapshot/snapshot_package.py"/>
            <source>{name} contains a path outside the package and was not read.</source>
            <translation>{name} contiene una ruta fuera del paquete y no se ha leído.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/packages.py"/>
            <source>{name} is a package inside a package; unpack it first.</source>
            <translation>{name} es un paquete dentro de otro; descomprímalo antes.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/packages.py"/>
            <source>{name} is encrypted and cannot be read.</source>
            <translation>{name} está cifrado y no se puede leer.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/input/packages.py"/>
            <location filename="../plugin/core/snapshot/snapshot_package.py"/>
            <location filename="../plugin/gis/snapshots/snapshot_documents.py"/>
            <source>{name} is damaged and cannot be read.</source>
            <translation>{name} está dañado y no se puede leer.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Resource provider</source>
            <translation>Proveedor del recurso</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Custodian</source>
            <translation>Custodio</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Owner</source>
            <translation>Propietario</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>User</source>
            <translation>Usuario</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Distributor</source>
            <translation>Distribuidor</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Originator</source>
            <translation>Creador</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Point of contact</source>
            <translation>Punto de contacto</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Principal investigator</source>
            <translation>Investigador principal</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Processor</source>
            <translation>Procesador</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Publisher</source>
            <translation>Publicador</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Author</source>
            <translation>Autor</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Sponsor</source>
            <translation>Patrocinador</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Co-author</source>
            <translation>Coautor</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Collaborator</source>
            <translation>Colaborador</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Editor</source>
            <translation>Editor</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Mediator</source>
            <translation>Mediador</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Rights holder</source>
            <translation>Titular de los derechos</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Contributor</source>
            <translation>Contribuidor</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Funder</source>
            <translation>Financiador</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Stakeholder</source>
            <translation>Parte interesada</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Creation</source>
            <translation>Creación</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Publication</source>
            <translation>Publicación</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Revision</source>
            <translation>Revisión</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Expiry</source>
            <translation>Caducidad</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Last update</source>
            <translation>Última actualización</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Last revision</source>
            <translation>Última revisión</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Next update</source>
            <translation>Próxima actualización</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Unavailable from</source>
            <translation>No disponible desde</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>In force</source>
            <translation>Entrada en vigor</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Adopted</source>
            <translation>Adopción</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Deprecated</source>
            <translation>En desuso</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Superseded</source>
            <translation>Sustituido</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Valid from</source>
            <translation>Válido desde</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Valid until</source>
            <translation>Válido hasta</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Released</source>
            <translation>Difusión</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Distribution</source>
            <translation>Distribución</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <location filename="../plugin/ui/identify.py"/>
            <source>Attribute</source>
            <translation>Atributo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Attribute type</source>
            <translation>Tipo de atributo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Collection hardware</source>
            <translation>Equipo de captura</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Collection session</source>
            <translation>Sesión de captura</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Non-geographic dataset</source>
            <translation>Conjunto de datos no geográficos</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Dimension group</source>
            <translation>Grupo de dimensiones</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>Feature</source>
            <translation>Objeto geográfico</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Feature type</source>
            <translation>Tipo de objeto geográfico</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Property type</source>
            <translation>Tipo de propiedad</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Field session</source>
            <translation>Sesión de campo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Software</source>
            <translation>Software</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Model</source>
            <translation>Modelo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Tile</source>
            <translation>Tesela</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Initiative</source>
            <translation>Iniciativa</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Application</source>
            <translation>Aplicación</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Map</source>
            <translation>Mapa</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Metadata</source>
            <translation>Metadatos</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Sample</source>
            <translation>Muestra</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Aggregate</source>
            <translation>Agregado</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Product</source>
            <translation>Producto</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Coverage</source>
            <translation>Cobertura</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Repository</source>
            <translation>Repositorio</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Completed</source>
            <translation>Completado</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Historical archive</source>
            <translation>Archivo histórico</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Obsolete</source>
            <translation>Obsoleto</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Ongoing</source>
            <translation>Actualización continua</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Planned</source>
            <translation>Planificado</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Required</source>
            <translation>Requerido</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Under development</source>
            <translation>En desarrollo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Final</source>
            <translation>Definitivo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Pending</source>
            <translation>Pendiente</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Retired</source>
            <translation>Retirado</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Tentative</source>
            <translation>Provisional</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Valid</source>
            <translation>Válido</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Accepted</source>
            <translation>Aceptado</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Not accepted</source>
            <translation>No aceptado</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Withdrawn</source>
            <translation>Descartado</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Proposed</source>
            <translation>Propuesto</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Copyright</source>
            <translation>Derecho de autor</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Patent</source>
            <translation>Patente</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Patent pending</source>
            <translation>Pendiente de patente</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Trademark</source>
            <translation>Marca registrada</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Intellectual property rights</source>
            <translation>Derechos de propiedad intelectual</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Restricted</source>
            <translation>Restringido</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Other restrictions</source>
            <translation>Otras restricciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Unrestricted</source>
            <translation>Sin restricciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Licence, unrestricted</source>
            <translation>Licencia sin restricciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>End user licence</source>
            <translation>Licencia de usuario final</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Distributor licence</source>
            <translation>Licencia de distribuidor</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Private</source>
            <translation>Privado</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Statutory</source>
            <translation>Establecido por ley</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Confidential</source>
            <translation>Confidencial</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Sensitive but unclassified</source>
            <translation>Sensible, no clasificado</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>In confidence</source>
            <translation>Reservado</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Unclassified</source>
            <translation>Sin clasificar</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Secret</source>
            <translation>Secreto</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Top secret</source>
            <translation>Alto secreto</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Protected</source>
            <translation>Protegido</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>For official use only</source>
            <translation>Solo para uso oficial</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Limited distribution</source>
            <translation>Difusión limitada</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Tight</source>
            <translation>Fuerte</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Loose</source>
            <translation>Débil</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Mixed</source>
            <translation>Mixto</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Discipline</source>
            <translation>Disciplina</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Place</source>
            <translation>Lugar</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Stratum</source>
            <translation>Estrato</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <location filename="../plugin/processing/map_parameters.py"/>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Theme</source>
            <translation>Tema</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Data centre</source>
            <translation>Centro de datos</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Instrument</source>
            <translation>Instrumento</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Platform</source>
            <translation>Plataforma</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Process</source>
            <translation>Proceso</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <location filename="../plugin/processing/audit_credits.py"/>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Project</source>
            <translation>Proyecto</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Subtopic category</source>
            <translation>Subcategoría temática</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Taxon</source>
            <translation>Taxón</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Download</source>
            <translation>Descarga</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Information</source>
            <translation>Información</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Offline access</source>
            <translation>Acceso sin conexión</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Order</source>
            <translation>Pedido</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Search</source>
            <translation>Búsqueda</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Complete metadata</source>
            <translation>Metadatos completos</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Browse graphic</source>
            <translation>Gráfico de muestra</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Upload</source>
            <translation>Subida</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>E-mail service</source>
            <translation>Servicio de correo electrónico</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Browsing</source>
            <translation>Exploración</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>File access</source>
            <translation>Acceso a archivos</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Cross reference</source>
            <translation>Referencia cruzada</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Larger work</source>
            <translation>Obra mayor</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Part of a seamless database</source>
            <translation>Parte de una base de datos continua</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Stereo mate</source>
            <translation>Par estereoscópico</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Is composed of</source>
            <translation>Se compone de</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Collective title</source>
            <translation>Título colectivo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Dependency</source>
            <translation>Dependencia</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Revision of</source>
            <translation>Revisión de</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/codelists.py"/>
            <source>Web services</source>
            <translation>Servicios web</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Spanish; Castilian</source>
            <translation>Español; castellano</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <location filename="../plugin/ui/legend.py"/>
            <source>English</source>
            <translation>Inglés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>French</source>
            <translation>Francés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>German</source>
            <translation>Alemán</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Italian</source>
            <translation>Italiano</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Portuguese</source>
            <translation>Portugués</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Catalan; Valencian</source>
            <translation>Catalán; valenciano</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Galician</source>
            <translation>Gallego</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Basque</source>
            <translation>Euskera</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Aragonese</source>
            <translation>Aragonés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Asturian; Bable; Leonese; Asturleonese</source>
            <translation>Asturiano; bable; leonés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Occitan</source>
            <translation>Occitano</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Dutch; Flemish</source>
            <translation>Neerlandés; flamenco</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Danish</source>
            <translation>Danés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Swedish</source>
            <translation>Sueco</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Norwegian</source>
            <translation>Noruego</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Norwegian Bokmål</source>
            <translation>Noruego bokmål</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Norwegian Nynorsk</source>
            <translation>Noruego nynorsk</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Finnish</source>
            <translation>Finés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Estonian</source>
            <translation>Estonio</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Latvian</source>
            <translation>Letón</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Lithuanian</source>
            <translation>Lituano</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Polish</source>
            <translation>Polaco</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Czech</source>
            <translation>Checo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Slovak</source>
            <translation>Eslovaco</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Slovenian</source>
            <translation>Esloveno</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Hungarian</source>
            <translation>Húngaro</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Romanian; Moldavian; Moldovan</source>
            <translation>Rumano; moldavo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Bulgarian</source>
            <translation>Búlgaro</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Croatian</source>
            <translation>Croata</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Serbian</source>
            <translation>Serbio</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Bosnian</source>
            <translation>Bosnio</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Macedonian</source>
            <translation>Macedonio</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Albanian</source>
            <translation>Albanés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Greek, Modern (1453-)</source>
            <translation>Griego moderno</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Turkish</source>
            <translation>Turco</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Irish</source>
            <translation>Irlandés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Welsh</source>
            <translation>Galés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Gaelic; Scottish Gaelic</source>
            <translation>Gaélico escocés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Maltese</source>
            <translation>Maltés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Icelandic</source>
            <translation>Islandés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Luxembourgish; Letzeburgesch</source>
            <translation>Luxemburgués</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Romansh</source>
            <translation>Romanche</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Russian</source>
            <translation>Ruso</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Ukrainian</source>
            <translation>Ucraniano</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Belarusian</source>
            <translation>Bielorruso</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Arabic</source>
            <translation>Árabe</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Hebrew</source>
            <translation>Hebreo</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Persian</source>
            <translation>Persa</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Chinese</source>
            <translation>Chino</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Japanese</source>
            <translation>Japonés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Korean</source>
            <translation>Coreano</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Hindi</source>
            <translation>Hindi</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Vietnamese</source>
            <translation>Vietnamita</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Thai</source>
            <translation>Tailandés</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Indonesian</source>
            <translation>Indonesio</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Swahili</source>
            <translation>Suajili</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Latin</source>
            <translation>Latín</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Multiple languages</source>
            <translation>Varios idiomas</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>Undetermined</source>
            <translation>Sin determinar</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/model/languages.py"/>
            <source>No linguistic content; Not applicable</source>
            <translation>Sin contenido lingüístico; no aplicable</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/records/model/record.py"/>
            <source>… and %n more value(s)</source>
            <translation>
                <numerusform>… y %n valor más</numerusform>
                <numerusform>… y %n valores más</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/records/rdf/graph.py"/>
            <source>{name} has more than {most} statements and was not read. Divide it, or search its catalogue.</source>
            <translation>{name} tiene más de {most} declaraciones y no se ha leído. Divídalo o busque en su catálogo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/rdf/turtle.py"/>
            <source>{name} is broken Turtle at line {line}.</source>
            <translation>{name} es Turtle dañado en la línea {line}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/records/rdf/turtle.py"/>
            <source>{name} is nested too deeply and was not read.</source>
            <translation>{name} está anidado demasiado profundamente y no se ha leído.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Resource type</source>
            <translation>Tipo de recurso</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>A service's record has the hierarchy level “Service”.</source>
            <translation>El registro de un servicio tiene el nivel jerárquico «Servicio».</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Set the hierarchy level to “service”.</source>
            <translation>Ponga el nivel jerárquico «service».</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The record describes a service, but has a different hierarchy level.</source>
            <translation>El registro describe un servicio, pero su nivel jerárquico es otro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Name of the resource type</source>
            <translation>Nombre del tipo de recurso</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The name of the hierarchy level contains the word “service” in the metadata's language.</source>
            <translation>El nombre del nivel jerárquico contiene la palabra «servicio» en el idioma de los metadatos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Set the name of the hierarchy level to “service” in the record's language.</source>
            <translation>Ponga como nombre del nivel jerárquico «servicio», en el idioma del registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The name of the hierarchy level is not “service”.</source>
            <translation>El nombre del nivel jerárquico no es «servicio».</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The hierarchy level has no name.</source>
            <translation>El nivel jerárquico no tiene nombre.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Category of the service</source>
            <translation>Categoría del servicio</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>A keyword gives the service's category from the classification of spatial data services (Part D 4 of Regulation 1205/2008), such as infoMapAccessService.</source>
            <translation>Una palabra clave da la categoría del servicio según la clasificación de servicios de datos espaciales (parte D.4 del Reglamento 1205/2008), como infoMapAccessService.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Add the keyword infoMapAccessService for a map service, or humanInteractionService for a viewer.</source>
            <translation>Añada la palabra clave infoMapAccessService a un servicio de mapas o humanInteractionService a un visor.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>No keyword gives the category of the service.</source>
            <translation>Ninguna palabra clave da la categoría del servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Spatial data service type</source>
            <translation>Tipo de servicio de datos espaciales</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The service type is view, download, discovery, transformation or other.</source>
            <translation>El tipo de servicio es view, download, discovery, transformation u other.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>INSPIRE expects “view” for a map service. Keep the value if another profile requires the name of the protocol.</source>
            <translation>INSPIRE espera «view» para un servicio de mapas. Conserve el valor si otro perfil exige el nombre del protocolo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The service type is not one of those of INSPIRE.</source>
            <translation>El tipo de servicio no es ninguno de los de INSPIRE.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Coupled resources</source>
            <translation>Recursos acoplados</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The coupled data are given by the addresses of their metadata records.</source>
            <translation>Los datos acoplados se indican con las direcciones de sus registros de metadatos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Give the http(s) address of the data's metadata record.</source>
            <translation>Indique la dirección http(s) del registro de metadatos de los datos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The coupled data are named, but not by an address.</source>
            <translation>Los datos acoplados se nombran, pero no con una dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Resource locator</source>
            <translation>Localizador del recurso</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The record has a link to the service.</source>
            <translation>El registro tiene un enlace al servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Add the service's address as an online resource of the distribution.</source>
            <translation>Añada la dirección del servicio como recurso en línea de la distribución.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The distribution has no link to the service.</source>
            <translation>La distribución no tiene ningún enlace al servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Scope of the data quality</source>
            <translation>Ámbito de la calidad de los datos</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The data quality section is scoped to the service.</source>
            <translation>La sección de calidad de los datos tiene como ámbito el servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Set the level of the data quality's scope to “service”.</source>
            <translation>Ponga «service» como nivel del ámbito de la calidad de los datos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The data quality section is not scoped to the service.</source>
            <translation>La sección de calidad de los datos no tiene el servicio como ámbito.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Limitations on public access</source>
            <translation>Limitaciones al acceso público</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Limitations on public access, or that there are none, are given with a value of INSPIRE’s code list.</source>
            <translation>Las limitaciones al acceso público, o que no las hay, se dan con un valor de la lista de códigos de INSPIRE.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Add a legal constraint with access constraint “otherRestrictions” and an Anchor to the code list LimitationsOnPublicAccess, noLimitations where there are none.</source>
            <translation>Añada una restricción legal con la restricción de acceso «otherRestrictions» y un Anchor a la lista de códigos LimitationsOnPublicAccess; si no hay limitaciones, noLimitations.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Limitations on public access are not stated.</source>
            <translation>No se indican limitaciones al acceso público.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Limitations on public access are not given with a value of INSPIRE’s code list.</source>
            <translation>Las limitaciones al acceso público no se dan con un valor de la lista de códigos de INSPIRE.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Conditions for access and use</source>
            <translation>Condiciones de acceso y uso</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The conditions for access and use are described in other constraints, or stated not to exist.</source>
            <translation>Las condiciones de acceso y uso se describen en otras restricciones, o se dice que no las hay.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Describe the conditions, or refer to “noConditionsApply” of INSPIRE’s code list.</source>
            <translation>Describa las condiciones o remita a «noConditionsApply» de la lista de códigos de INSPIRE.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The conditions for access and use are in the use limitation, not in other constraints.</source>
            <translation>Las condiciones de acceso y uso están en la limitación de uso, no en otras restricciones.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>No conditions for access and use are described.</source>
            <translation>No se describen condiciones de acceso y uso.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Resource title</source>
            <translation>Título del recurso</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The resource has a title.</source>
            <translation>El recurso tiene título.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Give the resource the title by which people know it.</source>
            <translation>Dé al recurso el título por el que se conoce.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The record has no title.</source>
            <translation>El registro no tiene título.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Resource abstract</source>
            <translation>Resumen del recurso</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The resource has an abstract that is more than its title.</source>
            <translation>El recurso tiene un resumen que dice más que su título.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Describe in a few sentences what the resource contains, and for which area and time.</source>
            <translation>Describa en pocas frases qué contiene el recurso, y para qué área y época.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The record has no abstract.</source>
            <translation>El registro no tiene resumen.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The abstract only repeats the title.</source>
            <translation>El resumen solo repite el título.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Metadata language</source>
            <translation>Idioma de los metadatos</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The language of the metadata is given by its three-letter code (ISO 639-2/B).</source>
            <translation>El idioma de los metadatos se da con su código de tres letras (ISO 639-2/B).</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Give the language's three-letter code, such as spa for Spanish.</source>
            <translation>Indique el código de tres letras del idioma, como spa para el español.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The record does not state its language.</source>
            <translation>El registro no indica su idioma.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The language is not written as a three-letter code of ISO 639-2/B.</source>
            <translation>El idioma no está escrito con un código de tres letras de ISO 639-2/B.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The language is not an official language of the European Union.</source>
            <translation>El idioma no es una lengua oficial de la Unión Europea.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Metadata date</source>
            <translation>Fecha de los metadatos</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The record states when it was last changed.</source>
            <translation>El registro indica cuándo se modificó por última vez.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Give the date on which the record was created or last changed.</source>
            <translation>Indique la fecha en que se creó o se modificó por última vez el registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The record has no date stamp.</source>
            <translation>El registro no tiene fecha de los metadatos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Metadata point of contact</source>
            <translation>Punto de contacto de los metadatos</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The metadata name a responsible organisation with its e-mail address and the role “Point of contact”.</source>
            <translation>Los metadatos nombran una organización responsable, con su correo electrónico y la función «Punto de contacto».</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Name the organisation responsible for the record, with an e-mail address.</source>
            <translation>Nombre la organización responsable del registro, con un correo electrónico.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The record names no contact for the metadata.</source>
            <translation>El registro no nombra ningún contacto para los metadatos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>No contact of the metadata has the role “Point of contact”.</source>
            <translation>Ningún contacto de los metadatos tiene la función «Punto de contacto».</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Give one contact of the metadata the role “Point of contact”.</source>
            <translation>Dé a un contacto de los metadatos la función «Punto de contacto».</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Responsible organisation</source>
            <translation>Organización responsable</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The resource names a responsible organisation with e-mail address and role.</source>
            <translation>El recurso nombra la organización responsable, con correo electrónico y función.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Name the organisation responsible for the resource, with an e-mail address.</source>
            <translation>Nombre la organización responsable del recurso, con un correo electrónico.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The record names no contact for the resource.</source>
            <translation>El registro no nombra ningún contacto para el recurso.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>No contact of the resource has a role.</source>
            <translation>Ningún contacto del recurso tiene una función.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Temporal reference</source>
            <translation>Referencia temporal</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The resource has a date of publication, of last revision or of creation.</source>
            <translation>El recurso tiene fecha de publicación, de última revisión o de creación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Give the date on which the resource was published, last revised or created.</source>
            <translation>Indique la fecha en que el recurso se publicó, se revisó por última vez o se creó.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The resource has no date of publication, revision or creation.</source>
            <translation>El recurso no tiene fecha de publicación, de revisión ni de creación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>One date of creation</source>
            <translation>Una sola fecha de creación</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>There is at most one date of creation.</source>
            <translation>Hay como máximo una fecha de creación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Keep the date on which the resource was created. The others are revisions or publications.</source>
            <translation>Conserve la fecha en que se creó el recurso. Las demás son revisiones o publicaciones.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>More than one date of creation is given.</source>
            <translation>Hay más de una fecha de creación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>One date of last revision</source>
            <translation>Una sola fecha de última revisión</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>There is at most one date of last revision.</source>
            <translation>Hay como máximo una fecha de última revisión.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Keep only the date of the last revision.</source>
            <translation>Conserve solo la fecha de la última revisión.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>More than one date of revision is given.</source>
            <translation>Hay más de una fecha de revisión.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Geographic bounding box</source>
            <translation>Rectángulo geográfico envolvente</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The resource has a bounding box.</source>
            <translation>El recurso tiene un rectángulo envolvente.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Give the smallest bounding box in degrees that contains the resource.</source>
            <translation>Indique el menor rectángulo en grados que contiene el recurso.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The record has no bounding box.</source>
            <translation>El registro no tiene rectángulo envolvente.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Conformity</source>
            <translation>Conformidad</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The record states the specifications to which the resource conforms.</source>
            <translation>El registro dice con qué especificaciones es conforme el recurso.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Declare the conformity to Regulation 976/2009 (services) or 1089/2010 (data), even if it was not evaluated.</source>
            <translation>Declare la conformidad con el Reglamento 976/2009 (servicios) o 1089/2010 (datos), aunque no se haya evaluado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The record declares no conformity to any specification.</source>
            <translation>El registro no declara la conformidad con ninguna especificación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Specification of the conformity</source>
            <translation>Especificación de la conformidad</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Each declaration of conformity cites its specification by official title and date.</source>
            <translation>Cada declaración de conformidad cita su especificación con su título oficial y su fecha.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Cite the specification by its official title and its date of publication.</source>
            <translation>Cite la especificación con su título oficial y su fecha de publicación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>A declaration of conformity does not name its specification.</source>
            <translation>Una declaración de conformidad no nombra su especificación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The specification of a conformity has no date.</source>
            <translation>La especificación de una conformidad no tiene fecha.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Degree of conformity</source>
            <translation>Grado de conformidad</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Each declaration of conformity states whether the resource conforms.</source>
            <translation>Cada declaración de conformidad dice si el recurso es conforme.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>State whether the resource conforms once it has been evaluated.</source>
            <translation>Diga si el recurso es conforme, una vez evaluado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>It is not stated whether the resource conforms.</source>
            <translation>No se indica si el recurso es conforme.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Vocabulary of the keywords</source>
            <translation>Vocabulario de las palabras clave</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>The vocabulary of keywords is cited by its title and date.</source>
            <translation>El vocabulario de las palabras clave se cita por su título y fecha.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Add the vocabulary's date of publication, creation or last revision to its citation.</source>
            <translation>Añada a la cita del vocabulario su fecha de publicación, de creación o de última revisión.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>A vocabulary of keywords is cited without its date.</source>
            <translation>Un vocabulario de las palabras clave se cita sin su fecha.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Keywords of one vocabulary together</source>
            <translation>Palabras clave de un vocabulario, juntas</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>All keywords of one vocabulary are in one group.</source>
            <translation>Todas las palabras clave de un vocabulario están en un mismo grupo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Put the keywords of the vocabulary in one group.</source>
            <translation>Reúna las palabras clave del vocabulario en un solo grupo.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Keywords of one vocabulary are in %n group(s).</source>
            <translation>
                <numerusform>Las palabras clave de un vocabulario están en %n grupo.</numerusform>
                <numerusform>Las palabras clave de un vocabulario están en %n grupos.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Limitations separate from conditions</source>
            <translation>Limitaciones separadas de las condiciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Limitations on public access and conditions for access and use are in separate blocks of constraints, each in only one.</source>
            <translation>Las limitaciones al acceso público y las condiciones de acceso y uso están en bloques de restricciones distintos, cada una en uno solo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Create one block with the access constraint and the limitations, and another with the use constraint and the conditions.</source>
            <translation>Haga un bloque con la restricción de acceso y las limitaciones, y otro con la restricción de uso y las condiciones.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>One block of constraints contains both the limitations on access and the conditions of use.</source>
            <translation>Un mismo bloque de restricciones contiene las limitaciones de acceso y las condiciones de uso.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Limitations on public access are in %n block(s).</source>
            <translation>
                <numerusform>Las limitaciones al acceso público están en %n bloque.</numerusform>
                <numerusform>Las limitaciones al acceso público están en %n bloques.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>No contact names its organisation.</source>
            <translation>Ningún contacto nombra su organización.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>No contact has an e-mail address.</source>
            <translation>Ningún contacto tiene correo electrónico.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>This is not an e-mail address.</source>
            <translation>Esto no es una dirección de correo electrónico.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/inspire_rules.py"/>
            <source>Write the address as name@organisation.example, one address in each field.</source>
            <translation>Escriba la dirección como nombre@organizacion.example, una en cada campo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Service identification</source>
            <translation>Identificación del servicio</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>A record with the hierarchy level “Service” identifies a service.</source>
            <translation>Un registro con el nivel jerárquico «Servicio» identifica un servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Describe the service (its type, coupling and operations), or correct the hierarchy level.</source>
            <translation>Describa el servicio (su tipo, su acoplamiento y sus operaciones) o corrija el nivel jerárquico.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The hierarchy level is “service”, but the record does not describe a service.</source>
            <translation>El nivel jerárquico es «servicio», pero el registro no describe ninguno.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The record states the type of the service.</source>
            <translation>El registro da el tipo de servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Give the service type, such as OGC:WMS or view.</source>
            <translation>Indique el tipo de servicio, como OGC:WMS o view.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The record does not state the type of service.</source>
            <translation>El registro no indica el tipo de servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Version of the service type</source>
            <translation>Versión del tipo de servicio</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The record states the version of the service type.</source>
            <translation>El registro da la versión del tipo de servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Give the version of the protocol, such as 1.3.0.</source>
            <translation>Indique la versión del protocolo, como 1.3.0.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The version of the service type is not given.</source>
            <translation>No se indica la versión del tipo de servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Coupling type</source>
            <translation>Tipo de acoplamiento</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The coupling type is tight, loose or mixed.</source>
            <translation>El tipo de acoplamiento es fuerte, débil o mixto.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>State how the service is coupled to its data: tight, loose or mixed.</source>
            <translation>Diga cómo está acoplado el servicio a sus datos: tight (fuerte), loose (débil) o mixed (mixto).</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The coupling type is not given.</source>
            <translation>No se indica el tipo de acoplamiento.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The coupling type is not in the code list.</source>
            <translation>El tipo de acoplamiento no está en la lista de códigos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Coupling type and coupled data</source>
            <translation>Tipo de acoplamiento y datos acoplados</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>A tightly coupled service names the data it operates on, and a loosely coupled one does not.</source>
            <translation>Un servicio con acoplamiento fuerte nombra los datos con los que opera, y uno con acoplamiento débil no.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Name the metadata records of the data (operatesOn), or change the coupling type to loose.</source>
            <translation>Nombre los registros de metadatos de los datos (operatesOn) o cambie el tipo de acoplamiento a loose.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The service is coupled to its data, but the record does not name them.</source>
            <translation>El servicio está acoplado a sus datos, pero el registro no nombra ninguno.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The service is coupled loosely, but the record names its data.</source>
            <translation>El servicio tiene acoplamiento débil, pero el registro nombra sus datos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Change the coupling type to tight or mixed, or remove the data.</source>
            <translation>Cambie el tipo de acoplamiento a tight o mixed, u omita los datos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Contained operations</source>
            <translation>Operaciones contenidas</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The record lists the service's operations.</source>
            <translation>El registro enumera las operaciones del servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>List at least GetCapabilities with its address.</source>
            <translation>Enumere al menos GetCapabilities con su dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The record lists no operation.</source>
            <translation>El registro no enumera ninguna operación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>GetCapabilities is not among the operations.</source>
            <translation>GetCapabilities no figura entre las operaciones.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Operation name</source>
            <translation>Nombre de la operación</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Every operation has a name that its standard defines.</source>
            <translation>Cada operación tiene un nombre definido por su norma.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Write the operation's name as in the standard, such as GetMap.</source>
            <translation>Escriba el nombre de la operación como lo hace la norma; por ejemplo, GetMap.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>An operation has no name.</source>
            <translation>Una operación no tiene nombre.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>This is not an operation of a Web Map Service.</source>
            <translation>Esto no es una operación de un servicio web de mapas (WMS).</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Each operation once</source>
            <translation>Cada operación, una vez</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>No operation is listed twice.</source>
            <translation>Ninguna operación se enumera dos veces.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Merge the entries: one operation may have several platforms and addresses.</source>
            <translation>Reúna las entradas: una operación puede tener varias plataformas y direcciones.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The operation is listed %n time(s).</source>
            <translation>
                <numerusform>La operación figura %n vez.</numerusform>
                <numerusform>La operación figura %n veces.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Address of an operation</source>
            <translation>Dirección de una operación</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Every operation has an address.</source>
            <translation>Cada operación tiene una dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Give the address at which the operation is called.</source>
            <translation>Indique la dirección en la que se llama a la operación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The operation has no address.</source>
            <translation>La operación no tiene dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Platform of an operation</source>
            <translation>Plataforma de una operación</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Every operation names its platforms from the code list.</source>
            <translation>Cada operación nombra sus plataformas de la lista de códigos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>Give WebServices, or HTTP-GET and HTTP-POST as the service offers them.</source>
            <translation>Indique WebServices, o HTTP-GET y HTTP-POST según los ofrezca el servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>The operation has no platform.</source>
            <translation>La operación no tiene plataforma.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/iso19119_rules.py"/>
            <source>{operation}: the platform is not in the code list.</source>
            <translation>{operation}: la plataforma no está en la lista de códigos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Address of the map service</source>
            <translation>Dirección del servicio de mapas</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>The record of a map service has a link to the service.</source>
            <translation>El registro de un servicio de mapas tiene un enlace al servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Add the service's address as a link with the protocol OGC:WMS.</source>
            <translation>Añada la dirección del servicio como enlace con el protocolo OGC:WMS.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>The record has no link to a map service.</source>
            <translation>El registro no tiene ningún enlace a un servicio de mapas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Web addresses</source>
            <translation>Direcciones web</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Links are web addresses that others can open (http or https).</source>
            <translation>Los enlaces son direcciones web que otros pueden abrir (http o https).</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Give a complete address that begins with https://.</source>
            <translation>Indique una dirección completa que empiece por https://.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>The link is not an address that others can open.</source>
            <translation>El enlace no es una dirección que otros puedan abrir.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Encrypted addresses</source>
            <translation>Direcciones cifradas</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Links use https if their server supports it.</source>
            <translation>Los enlaces usan https si su servidor lo admite.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Try the address with https; “Check links” does it for you.</source>
            <translation>Pruebe la dirección con https; «Comprobar enlaces» lo hace por usted.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>%n link(s) to {host} without encryption (http).</source>
            <translation>
                <numerusform>%n enlace a {host} sin cifrar (http).</numerusform>
                <numerusform>%n enlaces a {host} sin cifrar (http).</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>No secrets in addresses</source>
            <translation>Sin secretos en las direcciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>No link carries a user name with password, or a key.</source>
            <translation>Ningún enlace lleva un nombre de usuario con contraseña ni una clave.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Remove the secret from the record, and change it: anyone who saw the record knows it.</source>
            <translation>Quite el secreto del registro y cámbielo: lo conoce cualquiera que haya visto el registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>The link carries a password or a key.</source>
            <translation>El enlace lleva una contraseña o una clave.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>One service, one address</source>
            <translation>Un servicio, una dirección</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>The links and the operations have the address of the same service.</source>
            <translation>Los enlaces y las operaciones llevan al mismo servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Check which address responds (“Check links”), and correct the other.</source>
            <translation>Compruebe qué dirección responde («Comprobar enlaces») y corrija la otra.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>The operations are on another server than the link.</source>
            <translation>Las operaciones llevan a un servidor distinto del del enlace.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Working links</source>
            <translation>Enlaces que funcionan</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Every link works (checked on request only).</source>
            <translation>Todos los enlaces funcionan (solo se comprueba a petición).</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Find out where the page or service is now, and correct the address.</source>
            <translation>Busque dónde está ahora la página o el servicio y corrija la dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Links without login</source>
            <translation>Enlaces sin credenciales</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>No link requires a login (checked on request only).</source>
            <translation>Ningún enlace exige credenciales (solo se comprueba a petición).</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>State in the constraints who gets access, and how.</source>
            <translation>Diga en las restricciones quién tiene acceso y cómo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Links without redirects</source>
            <translation>Enlaces sin redirección</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>No link is redirected to another host (checked on request only).</source>
            <translation>Ningún enlace se redirige a otro servidor (solo se comprueba a petición).</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Enter the new address in the record.</source>
            <translation>Escriba la dirección nueva en el registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>https available</source>
            <translation>https disponible</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Addresses that are available over https use https (checked on request only).</source>
            <translation>Las direcciones disponibles por https usan https (solo se comprueba a petición).</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>Use https in the address.</source>
            <translation>Use https en la dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>The server responded with status {status}.</source>
            <translation>El servidor ha respondido con el estado {status}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>The server requires a login (status {status}).</source>
            <translation>El servidor exige credenciales (estado {status}).</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>The link is redirected to another server.</source>
            <translation>El enlace se redirige a otro servidor.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/link_rules.py"/>
            <source>The same address is available over https.</source>
            <translation>La misma dirección está disponible por https.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Address of the network</source>
            <translation>Dirección de la red</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The service's address is in the network's folder of services.</source>
            <translation>La dirección del servicio está en la carpeta de servicios de la red.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Give the present address of the service. Older hosts may be shut down.</source>
            <translation>Indique la dirección actual del servicio. Los servidores antiguos pueden dejar de funcionar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The service's address is not in the network's folder of services.</source>
            <translation>La dirección del servicio no está en la carpeta de servicios de la red.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Address ends in “?”</source>
            <translation>La dirección termina en «?»</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The service's address ends in “?”, so that parameters can be appended.</source>
            <translation>La dirección del servicio termina en «?», para poder añadirle parámetros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Write the address up to “?”, without parameters.</source>
            <translation>Escriba la dirección hasta «?», sin parámetros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The service's address does not end in “?”.</source>
            <translation>La dirección del servicio no termina en «?».</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Protocol of the link</source>
            <translation>Protocolo del enlace</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The link to the service has the protocol {protocol}.</source>
            <translation>El enlace al servicio tiene el protocolo {protocol}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Give the link the protocol {protocol}.</source>
            <translation>Dé al enlace el protocolo {protocol}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>No link has the protocol of the network's map services.</source>
            <translation>Ningún enlace tiene el protocolo de los servicios de mapas de la red.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Identifier of the record</source>
            <translation>Identificador del registro</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The file identifier has 40 hexadecimal digits, the SHA-1 of the path of the service's address.</source>
            <translation>El identificador del archivo tiene 40 cifras hexadecimales: el SHA-1 de la ruta de la dirección del servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Nothing needs to be done, unless the record was copied from that of another service.</source>
            <translation>No hace falta hacer nada, salvo que el registro se haya copiado del de otro servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The identifier is not one of 40 hexadecimal digits.</source>
            <translation>El identificador no tiene 40 cifras hexadecimales.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The identifier is not the one that belongs to the service's address.</source>
            <translation>El identificador no es el que corresponde a la dirección del servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Service type of the network</source>
            <translation>Tipo de servicio de la red</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The service type is OGC:WMS, its version 1.3.0.</source>
            <translation>El tipo de servicio es OGC:WMS y su versión, 1.3.0.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Give the service type OGC:WMS with the version 1.3.0.</source>
            <translation>Indique el tipo de servicio OGC:WMS con la versión 1.3.0.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Service type or version are not those of the network's map services.</source>
            <translation>El tipo de servicio o la versión no son los de los servicios de mapas de la red.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The record states what the service costs in a recognised wording (“Gratuito”).</source>
            <translation>El registro indica lo que cuesta el servicio en términos interpretables («Gratuito»).</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Enter “Gratuito” as the fees if the service is free of charge.</source>
            <translation>Escriba «Gratuito» como tarifa si el servicio es gratuito.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The record does not state what the service costs.</source>
            <translation>El registro no indica lo que cuesta el servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Whether the service is free of charge is not clear.</source>
            <translation>No queda claro si el servicio es gratuito.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>References to the licence</source>
            <translation>Remisión a la licencia</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The use limitation refers to the constraints, these refer to the other constraints, and those state the permitted use and the credit.</source>
            <translation>La limitación de uso remite a las restricciones, estas a las otras restricciones, y aquellas indican el uso permitido y el crédito.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Set access and use constraints to “otherRestrictions”, and enter the licence in the other constraints.</source>
            <translation>Ponga «otherRestrictions» en las restricciones de acceso y de uso, y escriba la licencia en las otras restricciones.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The constraint does not refer to the other constraints.</source>
            <translation>La restricción no remite a las otras restricciones.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The licence is missing: there are no other constraints.</source>
            <translation>Falta la licencia: no hay otras restricciones.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The licence does not state the credit in a recognised wording.</source>
            <translation>La licencia no indica el crédito en términos interpretables.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Operations of the network</source>
            <translation>Operaciones de la red</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>All six operations are listed, each by HTTP-GET and HTTP-POST.</source>
            <translation>Se enumeran las seis operaciones, cada una por HTTP-GET y HTTP-POST.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>List the missing operations, as the service's capabilities name them.</source>
            <translation>Enumere las operaciones que faltan, como las nombran las capacidades del servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Operations are missing: {names}.</source>
            <translation>Faltan operaciones: {names}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>{operation} is not listed for both HTTP-GET and HTTP-POST.</source>
            <translation>{operation} no figura a la vez por HTTP-GET y por HTTP-POST.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Distribution format</source>
            <translation>Formato de distribución</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The distribution format is WMS, 1.3.0.</source>
            <translation>El formato de distribución es WMS, 1.3.0.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Give the distribution format WMS, 1.3.0.</source>
            <translation>Indique el formato de distribución WMS, 1.3.0.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>WMS is not among the distribution formats.</source>
            <translation>WMS no figura entre los formatos de distribución.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Units of distribution</source>
            <translation>Unidades de distribución</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>If one link has a label (units of distribution), all have one.</source>
            <translation>Si un enlace tiene etiqueta (unidades de distribución), todos la tienen.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Label the other links too, such as “Servicio WMS” and “Ficha WMS”.</source>
            <translation>Etiquete también los demás enlaces, como «Servicio WMS» y «Ficha WMS».</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The link has no units of distribution, but others do.</source>
            <translation>El enlace no tiene unidades de distribución y otros sí.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Keywords of the network</source>
            <translation>Palabras clave de la red</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The keywords contain “WMS” and the category of the service.</source>
            <translation>Las palabras clave contienen «WMS» y la categoría del servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Add the keywords WMS and humanInteractionService.</source>
            <translation>Añada las palabras clave WMS y humanInteractionService.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Keywords are missing: {names}.</source>
            <translation>Faltan palabras clave: {names}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Date of revision</source>
            <translation>Fecha de revisión</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The resource has a date of revision.</source>
            <translation>El recurso tiene fecha de revisión.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Give the date of the last revision.</source>
            <translation>Indique la fecha de la última revisión.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The resource has no date of revision.</source>
            <translation>El recurso no tiene fecha de revisión.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Thumbnails</source>
            <translation>Miniaturas</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The record has a thumbnail and a large thumbnail.</source>
            <translation>El registro tiene una miniatura y una miniatura grande.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Add both thumbnails.</source>
            <translation>Añada las dos miniaturas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The record has no thumbnail.</source>
            <translation>El registro no tiene miniatura.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The record has only one of its two thumbnails.</source>
            <translation>El registro solo tiene una de sus dos miniaturas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Metadata about the record</source>
            <translation>Metadatos sobre el registro</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The record is written in Spanish and UTF-8, and names its standard with its version.</source>
            <translation>El registro está escrito en español y en UTF-8, y nombra su norma con la versión.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Give language, character set, and the standard's name and version, as the network's other records do.</source>
            <translation>Indique el idioma, el juego de caracteres y el nombre y la versión de la norma, como los demás registros de la red.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The record is not written in Spanish, as the network's others are.</source>
            <translation>El registro no está escrito en español, como los demás de la red.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The record does not state UTF-8 as its character set.</source>
            <translation>El registro no indica UTF-8 como juego de caracteres.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The record does not name its standard and the standard's version.</source>
            <translation>El registro no nombra su norma ni la versión de esta.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The record gives the resource's status.</source>
            <translation>El registro indica el estado del recurso.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>Give the status, such as “Completed”.</source>
            <translation>Indique el estado; por ejemplo, «Completado».</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/network_rules.py"/>
            <source>The status of the resource is not given.</source>
            <translation>No se indica el estado del recurso.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Unique identifier</source>
            <translation>Identificador único</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>No two records have the same identifier.</source>
            <translation>No hay dos registros con el mismo identificador.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Keep the newer of two versions. Give different records different identifiers.</source>
            <translation>De dos versiones, conserve la más reciente; dé identificadores distintos a registros distintos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>References among the constraints</source>
            <translation>Remisiones entre las restricciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>If one constraint refers to another, the other exists and has content.</source>
            <translation>Si una restricción remite a otra, la otra existe y tiene contenido.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Enter the licence in the field referred to.</source>
            <translation>Escriba la licencia en el campo al que se remite.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Terms are stated</source>
            <translation>Condiciones indicadas</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The record states the terms of use of the resource.</source>
            <translation>El registro indica las condiciones de uso del recurso.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>State the licence, whether credit is required, and what the use costs.</source>
            <translation>Indique la licencia, si el crédito es obligatorio y lo que cuesta el uso.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The record states neither a licence nor obligations nor costs.</source>
            <translation>El registro no indica ni licencia, ni obligaciones, ni coste.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Open points of the terms</source>
            <translation>Puntos abiertos de las condiciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The terms are complete and do not contradict each other.</source>
            <translation>Las condiciones están completas y no se contradicen.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>State it unambiguously in the constraints.</source>
            <translation>Indíquelo sin ambigüedad en las restricciones.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Complete extent</source>
            <translation>Extensión completa</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Every extent has four numeric sides.</source>
            <translation>Cada extensión tiene cuatro lados numéricos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Give west, east, south and north in degrees.</source>
            <translation>Indique oeste, este, sur y norte en grados.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>A side of the extent is missing or not a number.</source>
            <translation>Un lado de la extensión falta o no es un número.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Extent within the world</source>
            <translation>Extensión dentro del mundo</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Longitudes are between -180 and 180 degrees, latitudes between -90 and 90.</source>
            <translation>Las longitudes están entre -180 y 180 grados; las latitudes, entre -90 y 90.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Give the sides in degrees of longitude and latitude, not in projected coordinates.</source>
            <translation>Indique los lados en grados de longitud y latitud, no en coordenadas proyectadas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The extent is outside the world (west, south, east, north).</source>
            <translation>La extensión queda fuera del mundo (oeste, sur, este, norte).</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Order of longitude and latitude</source>
            <translation>Orden de longitud y latitud</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>West and east are longitudes, south and north are latitudes.</source>
            <translation>Oeste y este son longitudes; sur y norte, latitudes.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Swap longitude and latitude.</source>
            <translation>Intercambie longitud y latitud.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Longitude and latitude are swapped.</source>
            <translation>La longitud y la latitud están intercambiadas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>South below north</source>
            <translation>El sur, debajo del norte</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>South is not greater than north.</source>
            <translation>El sur no es mayor que el norte.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Swap south and north.</source>
            <translation>Intercambie sur y norte.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>South and north are swapped.</source>
            <translation>El sur y el norte están intercambiados.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Extent with an area</source>
            <translation>Extensión con superficie</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The extent is more than a point or a line.</source>
            <translation>La extensión es más que un punto o una línea.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Give the smallest extent that contains the resource.</source>
            <translation>Indique la menor extensión que contiene el recurso.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>All sides of the extent are 0.</source>
            <translation>Todos los lados de la extensión son 0.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The extent is empty.</source>
            <translation>La extensión está vacía.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Extent across the 180th meridian</source>
            <translation>Extensión que cruza el meridiano 180</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>West may be greater than east only if the extent crosses the 180th meridian.</source>
            <translation>El oeste solo puede ser mayor que el este si la extensión cruza el meridiano 180.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Swap west and east, unless the extent does cross the 180th meridian.</source>
            <translation>Intercambie oeste y este, salvo que la extensión cruce de verdad el meridiano 180.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>West and east are swapped.</source>
            <translation>El oeste y el este están intercambiados.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The extent crosses the 180th meridian.</source>
            <translation>La extensión cruza el meridiano 180.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Precise extent</source>
            <translation>Extensión precisa</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The extent was measured: not all of its sides are whole degrees, and it is not the whole world.</source>
            <translation>La extensión se ha medido: no todos sus lados son grados enteros ni abarca el mundo entero.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Give the smallest extent that contains the resource, to a hundredth of a degree.</source>
            <translation>Indique la menor extensión que contiene el recurso, a la centésima de grado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The extent is the whole world.</source>
            <translation>La extensión es el mundo entero.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The extent has whole degrees only.</source>
            <translation>La extensión solo tiene grados enteros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>Date</source>
            <translation>Fecha</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Readable dates</source>
            <translation>Fechas legibles</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Dates follow ISO 8601: 2024-02-29, 2024-02 or 2024.</source>
            <translation>Las fechas se escriben según ISO 8601: 2024-02-29, 2024-02 o 2024.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Write the date as year, month and day: 2024-02-29.</source>
            <translation>Escriba la fecha como año, mes y día: 2024-02-29.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>{what}: the date cannot be read.</source>
            <translation>{what}: la fecha no se puede leer.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>No future dates</source>
            <translation>Sin fechas futuras</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Dates of creation, publication and revision, and the date stamp, are not in the future.</source>
            <translation>Las fechas de creación, publicación y revisión, y la de los metadatos, no son futuras.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Correct the date. Planned dates belong in “Next update” or “Released”.</source>
            <translation>Corrija la fecha. Las fechas previstas corresponden a «Próxima actualización» o «Difusión».</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>{what}: the date is in the future.</source>
            <translation>{what}: la fecha es futura.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Order of dates</source>
            <translation>Orden de las fechas</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>A resource is created, then published, then revised.</source>
            <translation>Un recurso se crea, luego se publica y luego se revisa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Correct the date that is wrong, or its type.</source>
            <translation>Corrija la fecha errónea o su tipo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The last revision is older than the publication.</source>
            <translation>La última revisión es anterior a la publicación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The last revision is older than the creation.</source>
            <translation>La última revisión es anterior a la creación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The publication is older than the creation.</source>
            <translation>La publicación es anterior a la creación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Date stamp up to date</source>
            <translation>Fecha de los metadatos al día</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The record is not older than the last revision of what it describes.</source>
            <translation>El registro no es anterior a la última revisión de lo que describe.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Check that the record still describes the revised resource.</source>
            <translation>Compruebe que el registro sigue describiendo el recurso revisado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The record is older than the revision it mentions.</source>
            <translation>El registro es anterior a la revisión que menciona.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Type of a date</source>
            <translation>Tipo de fecha</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Every date has a type.</source>
            <translation>Cada fecha tiene un tipo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>State whether it is the date of creation, publication or revision.</source>
            <translation>Indique si es la fecha de creación, de publicación o de revisión.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The date has no type.</source>
            <translation>La fecha no tiene tipo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Order of begin and end</source>
            <translation>Orden de principio y fin</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>A period does not end before it begins.</source>
            <translation>Un periodo no termina antes de empezar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Swap begin and end.</source>
            <translation>Intercambie el principio y el fin.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The period ends before it begins.</source>
            <translation>El periodo termina antes de empezar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The record has an identifier.</source>
            <translation>El registro tiene un identificador.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Give the record an identifier that no other record has and that never changes.</source>
            <translation>Asigne al registro un identificador que no tenga ningún otro y que no cambie nunca.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The record has no identifier.</source>
            <translation>El registro no tiene identificador.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Identifier usable in addresses</source>
            <translation>Identificador apto para direcciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The identifier contains no white space and no character that is invalid in addresses.</source>
            <translation>El identificador no contiene espacios ni caracteres no válidos en direcciones.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Use letters, digits, “-”, “_”, “.” and “:” only.</source>
            <translation>Use solo letras, cifras, «-», «_», «.» y «:».</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The identifier contains characters that are invalid in an address.</source>
            <translation>El identificador contiene caracteres no válidos en una dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Starter record</source>
            <translation>Registro provisional</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The record comes from the catalogue and is not a starter record of the plugin.</source>
            <translation>El registro procede del catálogo y no es un registro provisional del complemento.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Update it from the catalogue. Until then missing values are only notes.</source>
            <translation>Actualícelo desde el catálogo. Hasta entonces, los valores que faltan son solo notas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>This is a starter record: it contains only what is known about the service.</source>
            <translation>Es un registro provisional: solo contiene lo que se sabe del servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>The same record occurs more than once.</source>
            <translation>El mismo registro aparece más de una vez.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/record_rules.py"/>
            <source>Another record with different content has the same identifier.</source>
            <translation>Otro registro con otro contenido tiene el mismo identificador.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/rules.py"/>
            <source>Error</source>
            <translation>Error</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/rules.py"/>
            <source>Warning</source>
            <translation>Advertencia</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/rules.py"/>
            <source>Note</source>
            <translation>Nota</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/rules.py"/>
            <source>Identity</source>
            <translation>Identidad</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/rules.py"/>
            <source>INSPIRE Technical Guidelines 2.0</source>
            <translation>Guías técnicas de INSPIRE 2.0</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/rules.py"/>
            <source>ISO 19119, services</source>
            <translation>ISO 19119, servicios</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/rules.py"/>
            <source>Conventions of the network</source>
            <translation>Convenciones de la red</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/rules.py"/>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Terms of use</source>
            <translation>Condiciones de uso</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/rules.py"/>
            <source>Record and live service</source>
            <translation>Registro y servicio en vivo</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <source>no issues</source>
            <translation>sin avisos</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Rule</source>
            <translation>Regla</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Name</source>
            <translation>Nombre</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <source>Requirement</source>
            <translation>Requisito</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <source>Severity</source>
            <translation>Gravedad</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <source>Location in the document</source>
            <translation>Lugar en el documento</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/processing/build_map.py"/>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>Title</source>
            <translation>Título</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <source>Family</source>
            <translation>Familia</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <source>Field</source>
            <translation>Campo</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <source>Message</source>
            <translation>Mensaje</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <source>What to do</source>
            <translation>Qué hacer</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <source>The record says</source>
            <translation>El registro dice</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/runner.py"/>
            <source>Found instead</source>
            <translation>Encontrado en su lugar</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Record and service have the same title, or nearly so.</source>
            <translation>El registro y el servicio tienen el mismo título, o casi.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Give both the same title, because people search for one and find the other.</source>
            <translation>Dé a ambos el mismo título: quien busca uno encuentra el otro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Record and service have similar abstracts.</source>
            <translation>El registro y el servicio tienen resúmenes parecidos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Check which of the two texts is newer.</source>
            <translation>Compruebe cuál de los dos textos es más reciente.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Record and service agree on what the use costs.</source>
            <translation>El registro y el servicio coinciden en lo que cuesta el uso.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Ask the publisher which one applies; until then do not rely on it being free.</source>
            <translation>Pregunte a quien lo publica cuál se aplica; hasta entonces, no dé por hecho que es gratuito.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Constraints</source>
            <translation>Restricciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Record and service agree on the terms.</source>
            <translation>El registro y el servicio coinciden en las condiciones.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Keep to the stricter one until the publisher says which one applies.</source>
            <translation>Aténgase a lo más estricto hasta que quien lo publica diga qué se aplica.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The service supports the version named in the record.</source>
            <translation>El servicio admite la versión que el registro nombra.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Correct the version in the record.</source>
            <translation>Corrija la versión en el registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Bounding box</source>
            <translation>Rectángulo envolvente</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The record has the extent of the service.</source>
            <translation>El registro tiene la extensión del servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Use the extent of the service, unless the record describes a part of it.</source>
            <translation>Use la extensión del servicio, salvo que el registro describa una parte de él.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Moved service</source>
            <translation>Servicio trasladado</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The service advertises the address given in the record.</source>
            <translation>El servicio anuncia la dirección que da el registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Enter the address advertised by the service in the record.</source>
            <translation>Escriba en el registro la dirección que anuncia el servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The record lists the operations that the service offers.</source>
            <translation>El registro enumera las operaciones que el servicio ofrece.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>List the operations as the capabilities do.</source>
            <translation>Enumere las operaciones como lo hacen las capacidades.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Platforms of the operations</source>
            <translation>Plataformas de las operaciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Each operation is offered by GET and POST as stated in the record.</source>
            <translation>Cada operación se ofrece por GET y POST como dice el registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>List the platforms as the capabilities do.</source>
            <translation>Enumere las plataformas como lo hacen las capacidades.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Addresses of the operations</source>
            <translation>Direcciones de las operaciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The operations have the addresses that the record gives.</source>
            <translation>Las operaciones tienen las direcciones que da el registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Enter the addresses of the capabilities in the record.</source>
            <translation>Escriba en el registro las direcciones de las capacidades.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <location filename="../plugin/processing/audit_credits.py"/>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <location filename="../plugin/ui/service/service_view.py"/>
            <source>Layers</source>
            <translation>Capas</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The layers and data that the record names are those of the service.</source>
            <translation>Las capas y los datos que el registro nombra son los del servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Enter the layer's name as in the capabilities.</source>
            <translation>Escriba el nombre de la capa como figura en las capacidades.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Reference systems</source>
            <translation>Sistemas de referencia</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The service offers the reference systems that the record names.</source>
            <translation>El servicio ofrece los sistemas de referencia que el registro nombra.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>List the reference systems of the capabilities.</source>
            <translation>Enumere los sistemas de referencia de las capacidades.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Record of the service</source>
            <translation>Registro del servicio</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The service names this record as its own.</source>
            <translation>El servicio nombra este registro como suyo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Check the record that the service names. This one may be an older copy.</source>
            <translation>Compruebe el registro que nombra el servicio. Este puede ser una copia anterior.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Only one of the two states that the use is free of charge.</source>
            <translation>Solo uno de los dos dice que el uso es gratuito.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The record does not repeat the service's fees.</source>
            <translation>El registro no repite las tarifas del servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The fees are different.</source>
            <translation>Las tarifas son distintas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The constraints are worded differently.</source>
            <translation>Las restricciones están redactadas de otro modo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The service has a version that the record does not list.</source>
            <translation>El servicio tiene una versión que el registro no enumera.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Longitude and latitude are swapped in the record.</source>
            <translation>En el registro, la longitud y la latitud están intercambiadas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The extents do not overlap.</source>
            <translation>Las extensiones no se solapan.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The extents are different.</source>
            <translation>Las extensiones son distintas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The service refers its clients to another address.</source>
            <translation>El servicio remite a sus clientes a otra dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The service refers its clients to https.</source>
            <translation>El servicio remite a sus clientes a https.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The service does not offer what the record lists: {names}.</source>
            <translation>El servicio no ofrece lo que el registro enumera: {names}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The record does not list what the service offers: {names}.</source>
            <translation>El registro no enumera lo que el servicio ofrece: {names}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>{operation}: the service offers fewer platforms.</source>
            <translation>{operation}: el servicio ofrece menos plataformas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>{operation}: the service offers more platforms.</source>
            <translation>{operation}: el servicio ofrece más plataformas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>Operations have other addresses in the service: {names}.</source>
            <translation>Las operaciones tienen otras direcciones en el servicio: {names}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The service has no such layer.</source>
            <translation>El servicio no tiene esa capa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>No layer of the service links to this metadata record.</source>
            <translation>Ninguna capa del servicio enlaza con este registro de metadatos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The service does not offer this reference system.</source>
            <translation>El servicio no ofrece este sistema de referencia.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The service names another metadata record.</source>
            <translation>El servicio nombra otro registro de metadatos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The titles are different.</source>
            <translation>Los títulos son distintos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/checks/service_rules.py"/>
            <source>The abstracts are different.</source>
            <translation>Los resúmenes son distintos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Other titles</source>
            <translation>Otros títulos</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Purpose</source>
            <translation>Propósito</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/core/terms/labels.py"/>
            <location filename="../plugin/processing/audit_credits.py"/>
            <location filename="../plugin/processing/build_map.py"/>
            <location filename="../plugin/processing/export_map.py"/>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Credits</source>
            <translation>Créditos</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Lineage</source>
            <translation>Linaje</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Use limitations</source>
            <translation>Limitaciones de uso</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Use constraints</source>
            <translation>Restricciones de uso</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Other constraints</source>
            <translation>Otras restricciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Operates on</source>
            <translation>Opera sobre</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Formats</source>
            <translation>Formatos</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Conformance</source>
            <translation>Conformidad</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Overviews</source>
            <translation>Vistas previas</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Associated</source>
            <translation>Asociados</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Parent</source>
            <translation>Registro padre</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Hierarchy level</source>
            <translation>Nivel jerárquico</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Character set</source>
            <translation>Juego de caracteres</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Metadata standard</source>
            <translation>Norma de metadatos</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Record contacts</source>
            <translation>Contactos del registro</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Also in the record</source>
            <translation>También en el registro</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>not evaluated</source>
            <translation>sin evaluar</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>conformant</source>
            <translation>conforme</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/comparison.py"/>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>not conformant</source>
            <translation>no conforme</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/bibliography.py"/>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Text</source>
            <translation>Texto</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/bibliography.py"/>
            <source>{address} (accessed on {day})</source>
            <translation>{address} (consultado el {day})</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Overview</source>
            <translation>Resumen</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Classification</source>
            <translation>Clasificación</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>References</source>
            <translation>Referencias</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>as under “{field}”</source>
            <translation>como en «{field}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Legal constraints</source>
            <translation>Restricciones legales</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Security constraints</source>
            <translation>Restricciones de seguridad</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Hierarchy level name</source>
            <translation>Nombre del nivel jerárquico</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/processing/export_map.py"/>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <location filename="../plugin/ui/composer/offline.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Format</source>
            <translation>Formato</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>%n entries</source>
            <translation>
                <numerusform>%n entrada</numerusform>
                <numerusform>%n entradas</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Conformity to an unnamed specification</source>
            <translation>Conformidad con una especificación sin nombre</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>This is a starter record: unknown values are missing or approximate until the record of the catalogue replaces it.</source>
            <translation>Es un registro provisional: los valores desconocidos faltan o son aproximados hasta que el registro del catálogo lo sustituya.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>{name}: one resource without parts of its own</source>
            <translation>{name}: un solo recurso, sin partes propias</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Attributes</source>
            <translation>Atributos</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Identifier of the specification</source>
            <translation>Identificador de la especificación</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_fields.py"/>
            <source>Not given in the record:</source>
            <translation>No consta en el registro:</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>%n catalogue record(s)</source>
            <translation>
                <numerusform>%n registro de catálogo</numerusform>
                <numerusform>%n registros de catálogo</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Filter the list</source>
            <translation>Filtrar la lista</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>{shown} of {total} records shown</source>
            <translation>{shown} de {total} registros mostrados</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>List of records</source>
            <translation>Lista de registros</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Back to the list</source>
            <translation>Volver a la lista</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Terms in the record’s words</source>
            <translation>Condiciones, en palabras del registro</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>To be safe, show this credit:</source>
            <translation>Por precaución, incluya este crédito:</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Credit line:</source>
            <translation>Línea de crédito:</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Copy the credit</source>
            <translation>Copiar el crédito</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Copied.</source>
            <translation>Copiado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Press Ctrl+C to copy the marked text.</source>
            <translation>Pulse Ctrl+C para copiar el texto marcado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>The credit line has a blank to fill ({blanks}):</source>
            <translation>La línea de crédito tiene un hueco por rellenar ({blanks}):</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Map of %n extents, among them: {extents}</source>
            <translation>
                <numerusform>Mapa de %n extensión: {extents}</numerusform>
                <numerusform>Mapa de %n extensiones, entre ellas: {extents}</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Map of the extent: {extents}</source>
            <translation>Mapa de la extensión: {extents}</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>%n extents</source>
            <translation>
                <numerusform>%n extensión</numerusform>
                <numerusform>%n extensiones</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>%n extent(s) cannot be drawn</source>
            <translation>
                <numerusform>%n extensión no se puede dibujar</numerusform>
                <numerusform>%n extensiones no se pueden dibujar</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Picture on the web:</source>
            <translation>Imagen en la web:</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>Picture of {title}</source>
            <translation>Imagen de {title}</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>for the record: {roles}</source>
            <translation>para el registro: {roles}</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>for the record too</source>
            <translation>también para el registro</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/core/terms/resolve.py"/>
            <source>It is not stated, or not clearly, whether a credit is required.</source>
            <translation>No se indica, o no con claridad, si es obligatorio incluir un crédito.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/core/terms/resolve.py"/>
            <source>According to the record, the conditions of access and use are unknown.</source>
            <translation>Las condiciones de acceso y uso son desconocidas, según el propio registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>required</source>
            <translation>obligatorio</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <source>not required</source>
            <translation>no obligatorio</translation>
        </message>
        <message>
            <location filename="../plugin/core/review/report/record_sheet.py"/>
            <location filename="../plugin/core/terms/model.py"/>
            <source>not clear</source>
            <translation>no está claro</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} is not XML: it does not begin with an element.</source>
            <translation>{name} no es XML: no empieza por un elemento.</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} uses the character encoding {encoding}, which is not supported.</source>
            <translation>{name} usa la codificación de caracteres {encoding}, que no se admite.</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} has too many elements to be read: the limit is {limit}. Request less of it at once, or divide it.</source>
            <translation>{name} tiene demasiados elementos para leerlo: el límite es de {limit}. Solicite menos de una vez o divídalo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} has an element with too many attributes to be read.</source>
            <translation>{name} tiene un elemento con demasiados atributos para leerlo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} cannot be read as XML.</source>
            <translation>{name} no se puede leer como XML.</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} contains no XML element.</source>
            <translation>{name} no contiene ningún elemento XML.</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} takes too long to read, because its elements are designed to overload the parser.</source>
            <translation>{name} tarda demasiado en leerse, porque sus elementos están diseñados para sobrecargar el analizador.</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} declares XML entities, which are not safe to read. Ask its publisher for a copy without them.</source>
            <translation>{name} declara entidades XML, que no es seguro leer. Pida a quien lo publica una copia sin ellas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} is nested too deeply to be read (line {line}).</source>
            <translation>{name} tiene demasiados niveles anidados para leerlo (línea {line}).</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} is not in the character encoding that it declares (line {line}, column {column}).</source>
            <translation>{name} no está escrito en la codificación de caracteres que declara (línea {line}, columna {column}).</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} is incomplete: it ends at line {line}, column {column}.</source>
            <translation>{name} está incompleto: termina en la línea {line}, columna {column}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} contains a text that is too long to be read (line {line}).</source>
            <translation>{name} contiene un texto demasiado largo para leerlo (línea {line}).</translation>
        </message>
        <message>
            <location filename="../plugin/core/safe_xml.py"/>
            <source>{name} is broken XML at line {line}, column {column}.</source>
            <translation>{name} es XML defectuoso en la línea {line}, columna {column}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Nothing needs to be fetched.</source>
            <translation>No hay nada que descargar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>about {minutes} min</source>
            <translation>unos {minutes} min</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>%n request(s)</source>
            <translation>
                <numerusform>%n petición</numerusform>
                <numerusform>%n peticiones</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>about {size} MB</source>
            <translation>unos {size} MB</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>A snapshot without it would be incomplete. Load the service again, or remove it from the map.</source>
            <translation>Sin él, la instantánea quedaría incompleta. Vuelva a cargar el servicio o quítelo del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>The map has no layer yet.</source>
            <translation>El mapa aún no tiene ninguna capa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Add a service to the map first.</source>
            <translation>Añada primero un servicio al mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Its terms forbid keeping a copy: “{words}”</source>
            <translation>Sus condiciones prohíben conservar una copia: «{words}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Remove it from the map, or ask its publisher for permission and confirm it here.</source>
            <translation>Quítelo del mapa, o pida permiso a quien lo publica y confírmelo aquí.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>You confirmed that its publisher allows a copy although its terms do not: “{words}”</source>
            <translation>Usted ha confirmado que quien lo publica permite una copia, aunque sus condiciones no la permiten: «{words}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Keep the permission with the snapshot.</source>
            <translation>Guarde el permiso junto a la instantánea.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Its terms limit its use: “{words}”</source>
            <translation>Sus condiciones limitan su uso: «{words}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Check whether they allow a copy before you pass it on.</source>
            <translation>Compruebe si permiten una copia antes de entregarla a otros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Its record and terms are not available.</source>
            <translation>Su registro y sus condiciones no están disponibles.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Read its terms before you pass a copy on.</source>
            <translation>Lea sus condiciones antes de entregar una copia a otros.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>The layer “{layer}” is only available in a fixed size or extent.</source>
            <translation>La capa «{layer}» solo está disponible con un tamaño o una extensión fijos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Remove the layer from the map before you take the snapshot.</source>
            <translation>Quite la capa del mapa antes de tomar la instantánea.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Drawn at none of these scales and not in the snapshot: {layers}.</source>
            <translation>No se dibujan a ninguna de estas escalas ni estarán en la instantánea: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Add a scale at which they are drawn.</source>
            <translation>Añada una escala a la que se dibujen.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Add a scale at which it is drawn.</source>
            <translation>Añada una escala a la que se dibuje.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>GeoTIFF can only store whole multiples of the largest scale's denominator: {scales} is used.</source>
            <translation>GeoTIFF solo puede guardar múltiplos enteros del denominador de la escala mayor: se usa {scales}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>GeoPackage can store any scale.</source>
            <translation>GeoPackage puede guardar cualquier escala.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>It takes %n request(s); the limit is {most}.</source>
            <translation>
                <numerusform>Necesita %n petición; el límite es {most}.</numerusform>
                <numerusform>Necesita %n peticiones; el límite es {most}.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Choose a smaller area, fewer scales or a lower resolution, or raise the limit in the settings.</source>
            <translation>Elija un área menor, menos escalas o una resolución más baja, o suba el límite en la configuración.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>It takes about {size} MB; the limit is {most} MB.</source>
            <translation>Necesita unos {size} MB; el límite es {most} MB.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>“{layer}” has many moments. The snapshot contains the default one of its service.</source>
            <translation>«{layer}» tiene muchos momentos. La instantánea contiene el predeterminado de su servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/findings.py"/>
            <source>Add a layer for each moment that you need.</source>
            <translation>Añada una capa por cada momento que necesite.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/manifest.py"/>
            <source>must be a list of four numbers</source>
            <translation>debe ser una lista de cuatro números</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/manifest.py"/>
            <source>has no area</source>
            <translation>no tiene superficie</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/manifest.py"/>
            <source>contains a path outside the snapshot</source>
            <translation>contiene una ruta fuera de la instantánea</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/manifest.py"/>
            <location filename="../plugin/gis/snapshots/snapshot_documents.py"/>
            <source>{name} is a link that leads out of the snapshot’s folder, and is not opened.</source>
            <translation>{name} es un enlace que lleva fuera de la carpeta de la instantánea y no se abre.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/manifest.py"/>
            <source>The snapshot “{title}” is not complete.</source>
            <translation>La instantánea «{title}» no está completa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/manifest.py"/>
            <source>The snapshot “{title}” lacks its file {name}.</source>
            <translation>A la instantánea «{title}» le falta su archivo {name}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/manifest.py"/>
            <source>{name} is not the file that the snapshot was made with: it was changed or damaged. Copy or unpack the snapshot again.</source>
            <translation>{name} no es el archivo con el que se hizo la instantánea: se ha modificado o dañado. Vuelva a copiar o desempaquetar la instantánea.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/snapshot_package.py"/>
            <location filename="../plugin/gis/snapshots/snapshot_packages.py"/>
            <source>The folder {folder} does not contain a snapshot.</source>
            <translation>La carpeta {folder} no contiene ninguna instantánea.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/snapshot_package.py"/>
            <location filename="../plugin/gis/snapshots/snapshot_packages.py"/>
            <source>{name} is not a Cartoguide package.</source>
            <translation>{name} no es un paquete de Cartoguide.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/snapshot_package.py"/>
            <source>{name} expands to far more data than a map package contains, and was not read.</source>
            <translation>{name} ocupa desempaquetado mucho más que el paquete de un mapa y no se ha leído.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/snapshot_package.py"/>
            <source>{folder} already exists. Choose another folder.</source>
            <translation>{folder} ya existe. Elija otra carpeta.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/snapshot_package.py"/>
            <source>There is not enough disk space for {size} MB in {folder}.</source>
            <translation>No hay suficiente espacio en disco para {size} MB en {folder}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/snapshot_package.py"/>
            <source>{name} could not be unpacked to {folder}: {reason}.</source>
            <translation>No se ha podido desempaquetar {name} en {folder}: {reason}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/snapshot_package.py"/>
            <source>{name} expands to more data than its package states. Extraction was stopped.</source>
            <translation>{name} ocupa desempaquetado más de lo que indica su paquete. Se ha detenido la extracción.</translation>
        </message>
        <message>
            <location filename="../plugin/core/snapshot/snapshot_sources.py"/>
            <source>The map is drawn from its snapshot of {date}, not from the live services.</source>
            <translation>El mapa se dibuja con su instantánea del {date}, no con los servicios en vivo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/arcgis.py"/>
            <source>{name} is not the description of an ArcGIS service.</source>
            <translation>{name} no es la descripción de un servicio de ArcGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/arcgis.py"/>
            <location filename="../plugin/core/sources/feature_pages.py"/>
            <source>{name} answered: {message}</source>
            <translation>{name} ha respondido: {message}</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/arcgis.py"/>
            <source>The service</source>
            <translation>El servicio</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/arcgis.py"/>
            <source>ArcGIS: copyright text</source>
            <translation>ArcGIS: texto de derechos de autor</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/feature_pages.py"/>
            <source>{name} sent no features.</source>
            <translation>{name} no ha enviado objetos geográficos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/layer_source.py"/>
            <source>file on the web</source>
            <translation>archivo en la web</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/layer_source.py"/>
            <source>file</source>
            <translation>archivo</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/layer_source.py"/>
            <source>temporary layer</source>
            <translation>capa temporal</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/layer_source.py"/>
            <source>virtual layer</source>
            <translation>capa virtual</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/layer_source.py"/>
            <source>annotations</source>
            <translation>anotaciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/layer_source.py"/>
            <source>other source</source>
            <translation>otro origen</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/offered_layers.py"/>
            <location filename="../plugin/core/sources/tilejson.py"/>
            <source>{name} is not a TileJSON document.</source>
            <translation>{name} no es un documento TileJSON.</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/offered_layers.py"/>
            <location filename="../plugin/core/sources/ogcapi_features.py"/>
            <source>{name} is not the description of an OGC API.</source>
            <translation>{name} no es la descripción de una OGC API.</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/offered_layers.py"/>
            <source>{name} answers with WCS {version}. QGIS opens coverages by WCS 1.0.0.</source>
            <translation>{name} responde con WCS {version}. QGIS abre coberturas con WCS 1.0.0.</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/offered_layers.py"/>
            <source>{name} sends JSON that describes no service.</source>
            <translation>{name} envía un JSON que no describe ningún servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/ogcapi_features.py"/>
            <source>OGC API: attribution</source>
            <translation>OGC API: atribución</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/ogcapi_features.py"/>
            <source>OGC API: contact</source>
            <translation>OGC API: contacto</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/ows_capabilities.py"/>
            <location filename="../plugin/core/wfs.py"/>
            <source>{name} is not a capabilities document.</source>
            <translation>{name} no es un documento de capacidades.</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/ows_capabilities.py"/>
            <source>capabilities: provider</source>
            <translation>capacidades: proveedor</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/sidecar_files.py"/>
            <location filename="../plugin/gis/credits/credit_audit.py"/>
            <source>the file {name}</source>
            <translation>el archivo {name}</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/tile_grid.py"/>
            <location filename="../plugin/gis/sources/vector_tiles.py"/>
            <source>The map needs more than {count} tiles of this layer. Choose a larger scale, or a lower first level for the layer's tiles.</source>
            <translation>El mapa necesita más de {count} teselas de esta capa. Elija una escala mayor, o un primer nivel más bajo para las teselas de la capa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/tile_grid.py"/>
            <source>The capabilities of {name} do not describe the tiles of “{layer}”.</source>
            <translation>Las capacidades de {name} no describen las teselas de «{layer}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/tile_hosts.py"/>
            <source>the publisher’s website</source>
            <translation>el sitio web de quien lo publica</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/tilejson.py"/>
            <source>TileJSON: attribution</source>
            <translation>TileJSON: atribución</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/tilejson.py"/>
            <source>{name} is not a style of vector tiles.</source>
            <translation>{name} no es un estilo de teselas vectoriales.</translation>
        </message>
        <message>
            <location filename="../plugin/core/sources/tilejson.py"/>
            <source>style: attribution</source>
            <translation>estilo: atribución</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Public domain</source>
            <translation>Dominio público</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>No limitations on public access (INSPIRE)</source>
            <translation>Sin limitaciones al acceso público (INSPIRE)</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Public access limited (INSPIRE Directive, Article 13(1))</source>
            <translation>Acceso público limitado (Directiva INSPIRE, artículo 13, apartado 1)</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>No conditions apply to access and use (INSPIRE)</source>
            <translation>No se aplican condiciones de acceso ni de uso (INSPIRE)</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Conditions applying to access and use unknown (INSPIRE)</source>
            <translation>Condiciones de acceso y uso desconocidas (INSPIRE)</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Personal use only</source>
            <translation>Solo uso personal</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Not for commercial use</source>
            <translation>No apto para uso comercial</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Evaluation only</source>
            <translation>Solo evaluación</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Internal use only</source>
            <translation>Solo uso interno</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>For some people or organisations only</source>
            <translation>Solo para algunas personas u organizaciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>No storing or caching</source>
            <translation>Prohibido almacenar o guardar en caché</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>No redistribution</source>
            <translation>Prohibida la redistribución</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>No altered versions</source>
            <translation>Prohibidas las versiones modificadas</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Derived works under the same terms</source>
            <translation>Obras derivadas en las mismas condiciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Permission required</source>
            <translation>Requiere autorización</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Charges apply</source>
            <translation>Tiene coste</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Public access limited</source>
            <translation>Acceso público limitado</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Other restriction</source>
            <translation>Otra restricción</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Use limitation</source>
            <translation>Limitación de uso</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Licence reference</source>
            <translation>Referencia de la licencia</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>Attribution</source>
            <translation>Atribución</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>{field} (from the service)</source>
            <translation>{field} (del servicio)</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/labels.py"/>
            <source>The terms of “{title}” could not be read completely. {reason}</source>
            <translation>No se han podido leer por completo las condiciones de «{title}». {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/model.py"/>
            <source>yes</source>
            <translation>sí</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/model.py"/>
            <source>no</source>
            <translation>no</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/paper_gate.py"/>
            <source>Its credit “{line}” has a blank that nobody has filled: {blanks}.</source>
            <translation>Su crédito «{line}» tiene un hueco que nadie ha rellenado: {blanks}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/paper_gate.py"/>
            <source>Its credit is the text with which its server was delivered, and names nobody: {line}.</source>
            <translation>Su crédito es el texto con el que se entrega su servidor y no nombra a nadie: {line}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/paper_gate.py"/>
            <source>Its credit names nobody: {line}.</source>
            <translation>Su crédito no nombra a nadie: {line}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/paper_gate.py"/>
            <source>Its terms require a credit, and do not say whom to credit.</source>
            <translation>Sus condiciones exigen un crédito y no dicen a quién citar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/reading_trail.py"/>
            <source>“{field}” refers to “{target}”, which the record does not have.</source>
            <translation>«{field}» remite a «{target}», que no está en el registro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/reading_trail.py"/>
            <source>The record's constraints refer to each other in a circle: {fields}.</source>
            <translation>Las restricciones del registro se remiten unas a otras en círculo: {fields}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/resolve.py"/>
            <source>The service’s terms could not be read completely: {reason}</source>
            <translation>No se han podido leer por completo las condiciones del servicio: {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/resolve.py"/>
            <source>Several licences are named, {others} and {last}, but not which one applies.</source>
            <translation>Se nombran varias licencias, {others} y {last}, pero no cuál se aplica.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/resolve.py"/>
            <source>No licence is named.</source>
            <translation>No se cita ninguna licencia.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/resolve.py"/>
            <source>The text is not a known licence. Read it before you publish: “{words}”</source>
            <translation>El texto no es una licencia conocida. Conviene leerlo antes de publicar: «{words}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/resolve.py"/>
            <source>A text is too long, so only its beginning was read.</source>
            <translation>Un texto es demasiado largo: solo se ha leído el principio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/resolve.py"/>
            <source>The texts contradict each other about credit: {asking} requires it, {sparing} does not.</source>
            <translation>Los textos se contradicen sobre el crédito: {asking} lo exige, {sparing} no.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/resolve.py"/>
            <source>{sparing} requires no credit, but another text could not be understood: “{words}”.</source>
            <translation>{sparing} no exige ningún crédito, pero no se ha podido entender otro texto: «{words}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/resolve.py"/>
            <source>The texts contradict each other about fees: “{first}” and “{second}”.</source>
            <translation>Los textos se contradicen sobre las tarifas: «{first}» y «{second}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/resolve.py"/>
            <source>This text may limit who may use it free of charge, or for what: “{words}”.</source>
            <translation>Este texto puede limitar quién puede usarlo gratis, o para qué: «{words}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/resolve.py"/>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>Fees are not stated.</source>
            <translation>No se dice nada sobre tarifas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/resolve.py"/>
            <source>No limitations on public access.</source>
            <translation>Sin limitaciones al acceso público.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>Security classification: {classification}.</source>
            <translation>Clasificación de seguridad: {classification}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>State the date of the last update too.</source>
            <translation>Indique también la fecha de la última actualización.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>This is in the public domain, and free of charge.</source>
            <translation>Es de dominio público y gratuito.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>You may use this free of charge under {licence}.</source>
            <translation>Se puede usar gratuitamente conforme a {licence}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>No conditions apply to access and use; it is free of charge.</source>
            <translation>No se aplican condiciones de acceso ni de uso; es gratuito.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>You may use this free of charge.</source>
            <translation>Se puede usar gratuitamente.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>This is in the public domain.</source>
            <translation>Es de dominio público.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>You may use this under {licence}.</source>
            <translation>Se puede usar conforme a {licence}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>The conditions of use are unknown.</source>
            <translation>Las condiciones de uso son desconocidas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>The record gives no terms of use, only a restriction: {codes}.</source>
            <translation>El registro no da condiciones de uso, solo una restricción: {codes}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>No terms of use are given.</source>
            <translation>No se indican condiciones de uso.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>It is not free of charge.</source>
            <translation>No es gratuito.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>It may not be free of charge for every use: read the terms.</source>
            <translation>Puede no ser gratuito para todos los usos: lea las condiciones.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>It is free of charge.</source>
            <translation>Es gratuito.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>Fees: “{fees}”.</source>
            <translation>Tarifas: «{fees}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>Terms of use: “{words}”.</source>
            <translation>Condiciones de uso: «{words}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>Restrictions: {limits}.</source>
            <translation>Restricciones: {limits}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>The terms say: “{words}”.</source>
            <translation>Las condiciones dicen: «{words}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>You must credit its authors and owners.</source>
            <translation>Es obligatorio citar a sus autores y propietarios.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>You must credit: “{credit}”.</source>
            <translation>Es obligatorio incluir el crédito: «{credit}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>No credit is required.</source>
            <translation>No es obligatorio incluir ningún crédito.</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>It is not clear whether a credit is required. To be safe, credit: “{credit}”.</source>
            <translation>No está claro si es obligatorio incluir un crédito. Por si acaso, incluya: «{credit}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/terms/terms_summary.py"/>
            <source>It is not clear whether a credit is required.</source>
            <translation>No está claro si es obligatorio incluir un crédito.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/text.py"/>
            <source>{names} and %n more</source>
            <translation>
                <numerusform>{names} y %n más</numerusform>
                <numerusform>{names} y %n más</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/text.py"/>
            <source>[This text is very long. The original document has all of it.]</source>
            <translation>[Este texto es muy largo. El documento original lo contiene entero.]</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/drawing.py"/>
            <location filename="../plugin/core/wms/requests/sld_profile.py"/>
            <source>The style</source>
            <translation>El estilo</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/drawing.py"/>
            <source>The layout template</source>
            <translation>La plantilla de composición</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/drawing.py"/>
            <source>{name} is not one of QGIS.</source>
            <translation>{name} no es de QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/drawing.py"/>
            <source>pictures of other files or addresses</source>
            <translation>imágenes de otros archivos o direcciones</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/drawing.py"/>
            <source>parts that are not known to be harmless</source>
            <translation>partes que no se sabe que sean inofensivas</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/drawing.py"/>
            <source>layers of a project</source>
            <translation>capas de un proyecto</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/drawing.py"/>
            <source>HTML</source>
            <translation>HTML</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/drawing.py"/>
            <source>sizes and distances that would take very long to draw</source>
            <translation>tamaños y distancias que tardarían mucho en dibujarse</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/drawing.py"/>
            <source>actions, forms and map tips</source>
            <translation>acciones, formularios y avisos del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/drawing.py"/>
            <source>The layout template has more than {count} items.</source>
            <translation>La plantilla de composición tiene más de {count} elementos.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/drawing.py"/>
            <source>The picture</source>
            <translation>La imagen</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/drawing.py"/>
            <source>The picture refers to its own parts too often.</source>
            <translation>La imagen remite demasiadas veces a sus propias partes.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/expressions.py"/>
            <source>expressions that read files, settings or other layers, or that are not known to be harmless</source>
            <translation>expresiones que leen archivos, ajustes u otras capas, o que no se sabe que sean inofensivas</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/expressions.py"/>
            <source>expressions that could take very long</source>
            <translation>expresiones que podrían tardar mucho</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/expressions.py"/>
            <source>expressions that cannot be read</source>
            <translation>expresiones que no se pueden leer</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/files.py"/>
            <source>“{path}” is not the name of a file. Choose a file of this computer.</source>
            <translation>«{path}» no es el nombre de un archivo. Elija un archivo de este equipo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/files.py"/>
            <source>“{path}” is on another computer, and is not opened for a file of somebody else. Copy it to this computer.</source>
            <translation>«{path}» está en otro equipo y no se abre para un archivo de otra persona. Cópielo a este equipo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/files.py"/>
            <source>“{path}” is an address or a part of a file, not a file. Choose a file of this computer.</source>
            <translation>«{path}» es una dirección o una parte de un archivo, no un archivo. Elija un archivo de este equipo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/files.py"/>
            <source>“{path}” is a device or a file of the system, and is not opened. Choose another file.</source>
            <translation>«{path}» es un dispositivo o un archivo del sistema y no se abre. Elija otro archivo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/files.py"/>
            <source>{name} is not opened: it was replaced by a link to another file after you agreed to open it.</source>
            <translation>{name} no se abre: se sustituyó por un enlace a otro archivo después de que usted aceptara abrirlo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/files.py"/>
            <source>{name} is a folder, not a file. Choose a file.</source>
            <translation>{name} es una carpeta, no un archivo. Elija un archivo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/files.py"/>
            <source>{name} is a pipe of another program, not a file. Choose a file.</source>
            <translation>{name} es una tubería de otro programa, no un archivo. Elija un archivo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/files.py"/>
            <source>{name} is a device, not a file. Choose a file.</source>
            <translation>{name} es un dispositivo, no un archivo. Elija un archivo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/files.py"/>
            <source>its name cannot be the name of a file</source>
            <translation>su nombre no puede ser el de un archivo</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>file {name}</source>
            <translation>archivo {name}</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>database {name}</source>
            <translation>base de datos {name}</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>server {name} (this computer or its network)</source>
            <translation>servidor {name} (este equipo o su red)</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>server {name}</source>
            <translation>servidor {name}</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>its source is not written as QGIS writes it</source>
            <translation>su fuente no está escrita como la escribe QGIS</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>it is a virtual layer, which may run a query over other layers and files</source>
            <translation>es una capa virtual, que puede ejecutar una consulta sobre otras capas y archivos</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>it was a temporary layer of another project</source>
            <translation>era una capa temporal de otro proyecto</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>layers of this kind ({kind}) cannot be checked</source>
            <translation>las capas de este tipo ({kind}) no se pueden comprobar</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>its file has a name of a format that may lead to other files. Convert it to GeoPackage or GeoTIFF</source>
            <translation>su archivo tiene un nombre de un formato que puede llevar a otros archivos. Conviértalo a GeoPackage o GeoTIFF</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>its source is not the path of a file</source>
            <translation>su fuente no es la ruta de un archivo</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>its source has the option “{name}”, which is not known to be harmless</source>
            <translation>su fuente tiene la opción «{name}», de la que no se sabe que sea inofensiva</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>its filter does more than compare values</source>
            <translation>su filtro hace más que comparar valores</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>its address is not one of the web (http or https)</source>
            <translation>su dirección no es de la web (http o https)</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>it asks its server for very many images</source>
            <translation>pide a su servidor muchísimas imágenes</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>its source has the option “{name}” twice</source>
            <translation>su fuente tiene dos veces la opción «{name}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/sources.py"/>
            <source>its source is a query in place of a table</source>
            <translation>su fuente es una consulta en lugar de una tabla</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/svg_pictures.py"/>
            <location filename="../plugin/gis/pages/logos.py"/>
            <source>{file} is not an image.</source>
            <translation>{file} no es una imagen.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/svg_pictures.py"/>
            <source>{file} contains a script, so it is not taken. Save it as a PNG, or without scripts.</source>
            <translation>{file} contiene un script, por lo que no se admite. Guárdelo como PNG o sin scripts.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/svg_pictures.py"/>
            <source>{file} would take very long to draw, so it is not taken. Save it as a PNG.</source>
            <translation>{file} tardaría mucho en dibujarse, por lo que no se acepta. Guárdelo como PNG.</translation>
        </message>
        <message>
            <location filename="../plugin/core/trust/svg_pictures.py"/>
            <source>{file} refers to other files or addresses, so it is not taken. Save it as a PNG, or with its images embedded.</source>
            <translation>{file} remite a otros archivos o direcciones, por lo que no se admite. Guárdelo como PNG o con sus imágenes incrustadas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wfs.py"/>
            <source>The WFS at {host} does not offer “{type}”.</source>
            <translation>El WFS de {host} no ofrece «{type}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/wfs.py"/>
            <source>{name} returned another document in place of the features: {element}.</source>
            <translation>{name} devolvió otro documento en lugar de los objetos: {element}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wfs.py"/>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>The server</source>
            <translation>El servidor</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/capabilities/layer_tree.py"/>
            <source>The capabilities document is too large: its layers inherit more than {limit} values.</source>
            <translation>El documento de capacidades es demasiado grande: sus capas heredan más de {limit} valores.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/capabilities/parser.py"/>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>a web page</source>
            <translation>una página web</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/capabilities/parser.py"/>
            <source>something other than XML</source>
            <translation>algo que no es XML</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/capabilities/parser.py"/>
            <source>{name} uses too many undeclared prefixes.</source>
            <translation>{name} usa demasiados prefijos sin declarar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/capabilities/parser.py"/>
            <source>a capabilities document of WMS {version}, which is not supported</source>
            <translation>un documento de capacidades WMS {version}, una versión que no se admite</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/crs/bounding_boxes.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>The extent must be four numbers: west, south, east, north.</source>
            <translation>La extensión debe ser cuatro números: oeste, sur, este y norte.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/crs/bounding_boxes.py"/>
            <source>The extent has no area: west must be less than east and south less than north (it is {box}).</source>
            <translation>La extensión no tiene superficie: el oeste debe ser menor que el este, y el sur menor que el norte (es {box}).</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/crs/bounding_boxes.py"/>
            <source>The extent is not in degrees of longitude and latitude: {box}.</source>
            <translation>La extensión no está en grados de longitud y latitud: {box}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/crs/bounding_boxes.py"/>
            <source>The extent reaches beyond the area where {crs} is defined. Choose a smaller extent.</source>
            <translation>La extensión rebasa el área donde {crs} está definido. Elija una menor.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/crs/bounding_boxes.py"/>
            <source>The extent crosses the edge of {crs}. Choose an extent on one side of longitude 180, or another CRS.</source>
            <translation>La extensión cruza el borde de {crs}. Elija una extensión a un solo lado de la longitud 180 u otro SRC.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/crs/bounding_boxes.py"/>
            <source>The layers do not state their extent. Enter the extent of the map.</source>
            <translation>Las capas no declaran su extensión. Indique la extensión del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/crs/codes.py"/>
            <source>Unknown coordinate reference system: {code}. Choose another one.</source>
            <translation>SRC desconocido: {code}. Elija otro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/crs/transformation.py"/>
            <source>Coordinates cannot be converted: neither pyproj nor GDAL is installed for this Python. Install python3-pyproj, or run this inside QGIS.</source>
            <translation>No se pueden convertir coordenadas: este Python no tiene pyproj ni GDAL. Instale python3-pyproj o ejecute esto dentro de QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/dimensions/declared_dimensions.py"/>
            <source>None of the layers has the dimension “{name}”. They have: {offered}.</source>
            <translation>Ninguna de las capas tiene la dimensión «{name}». Tienen: {offered}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/dimensions/declared_dimensions.py"/>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>nothing</source>
            <translation>nada</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/dimensions/declared_dimensions.py"/>
            <source>The layer “{layer}” needs a value for “{name}”. It offers: {offered}.</source>
            <translation>La capa «{layer}» necesita un valor de «{name}». Ofrece: {offered}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/dimensions/declared_dimensions.py"/>
            <source>The dimension “{name}” accepts only one value at a time.</source>
            <translation>La dimensión «{name}» admite un solo valor cada vez.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/dimensions/declared_dimensions.py"/>
            <source>The dimension “{name}” does not offer “{value}”. It offers: {offered}.</source>
            <translation>La dimensión «{name}» no ofrece «{value}». Ofrece: {offered}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/advertised_operations.py"/>
            <source>The service does not advertise this operation.</source>
            <translation>El servicio no anuncia esta operación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/advertised_operations.py"/>
            <source>The service gives no address for this operation.</source>
            <translation>El servicio no indica ninguna dirección para esta operación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/advertised_operations.py"/>
            <source>None of the service’s layers can be queried.</source>
            <translation>Ninguna capa del servicio se puede consultar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/get_feature_info.py"/>
            <source>The point {i}, {j} lies outside the map of {width} × {height} pixels.</source>
            <translation>El punto {i}, {j} queda fuera del mapa de {width} × {height} píxeles.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/get_feature_info.py"/>
            <source>At least one feature must be requested.</source>
            <translation>Hay que solicitar al menos un objeto geográfico.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/get_feature_info.py"/>
            <source>The layer “{layer}” is not part of the queried map.</source>
            <translation>La capa «{layer}» no forma parte del mapa que se consulta.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/get_feature_info.py"/>
            <source>The layer “{layer}” cannot be queried. These can: {offered}.</source>
            <translation>La capa «{layer}» no se puede consultar. Estas sí: {offered}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/get_map.py"/>
            <source>The automatic projection {code} requires a unit, a longitude and a latitude, such as {example}.</source>
            <translation>La proyección automática {code} necesita una unidad, una longitud y una latitud, como {example}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/get_map.py"/>
            <source>Enter the extent either in degrees or in the units of {crs}, not both.</source>
            <translation>Indique la extensión en grados o en las unidades de {crs}, no de las dos formas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/get_map.py"/>
            <source>The layer “{layer}” can only be drawn as a whole: its extent in {crs} is {box}.</source>
            <translation>La capa «{layer}» solo se dibuja entera: su extensión en {crs} es {box}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/get_map.py"/>
            <source>A request as XML cannot contain {parameters}. Use GET or a form.</source>
            <translation>Una petición en XML no puede contener {parameters}. Use GET o un formulario.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/get_map.py"/>
            <source>“{words}” cannot be written as XML.</source>
            <translation>«{words}» no se puede escribir como XML.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/operation_options.py"/>
            <source>Unknown operation: {name}.</source>
            <translation>Operación desconocida: {name}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>The service does not offer {operation}. It offers: {offered}.</source>
            <translation>El servicio no ofrece {operation}. Ofrece: {offered}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>No layer selected. The service offers: {offered}.</source>
            <translation>No se ha seleccionado ninguna capa. El servicio ofrece: {offered}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>“{name}” is only a group without a name and cannot be requested. Select layers inside it.</source>
            <translation>«{name}» es solo un grupo sin nombre y no se puede solicitar. Seleccione capas de dentro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>The service has no layer called “{name}”. It offers: {offered}.</source>
            <translation>El servicio no tiene ninguna capa llamada «{name}». Ofrece: {offered}.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>The service draws at most %n layer(s) in one map; {count} were selected.</source>
            <translation>
                <numerusform>El servicio dibuja como máximo %n capa por mapa; se han elegido {count}.</numerusform>
                <numerusform>El servicio dibuja como máximo %n capas por mapa; se han elegido {count}.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>Each layer needs one style. Styles given: {styles}, layers: {layers}.</source>
            <translation>Cada capa necesita un estilo. Estilos indicados: {styles}, capas: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>The layer “{layer}” has no style called “{style}”. It offers: {offered}.</source>
            <translation>La capa «{layer}» no tiene ningún estilo llamado «{style}». Ofrece: {offered}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>The layer “{layer}” is not offered in {crs}. It is offered in: {offered}.</source>
            <translation>La capa «{layer}» no se ofrece en {crs}. Se ofrece en: {offered}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>The service does not offer {operation} as {format}. It offers: {offered}.</source>
            <translation>El servicio no ofrece {operation} en {format}. Ofrece: {offered}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>A map of {width} × {height} pixels cannot be drawn.</source>
            <translation>No se puede dibujar un mapa de {width} × {height} píxeles.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>The service draws at most {max_width} × {max_height} pixels; {width} × {height} were requested.</source>
            <translation>El servicio dibuja como máximo {max_width} × {max_height} píxeles; se han solicitado {width} × {height}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>The layer “{layer}” is only drawn at {fixed_width} × {fixed_height} pixels.</source>
            <translation>La capa «{layer}» solo se dibuja a {fixed_width} × {fixed_height} píxeles.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>The service does not report errors as {format}. It offers: {offered}.</source>
            <translation>El servicio no comunica los errores en {format}. Ofrece: {offered}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>“{colour}” is not a colour. Write it as #RRGGBB.</source>
            <translation>«{colour}» no es un color. Escríbalo como #RRGGBB.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>The service accepts {operation} by GET only.</source>
            <translation>El servicio solo admite {operation} por GET.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/request_validation.py"/>
            <source>The service gives no address for {operation} by {method}.</source>
            <translation>El servicio no indica ninguna dirección para {operation} por {method}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/sld_profile.py"/>
            <source>The service offers no legend for the layer “{layer}”.</source>
            <translation>El servicio no ofrece leyenda para la capa «{layer}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/sld_profile.py"/>
            <source>A legend of {width} × {height} pixels cannot be drawn.</source>
            <translation>No se puede dibujar una leyenda de {width} × {height} píxeles.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/sld_profile.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>The scale must be a number above 0.</source>
            <translation>La escala debe ser un número mayor que 0.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/sld_profile.py"/>
            <source>The service does not advertise support for custom styles (SLD).</source>
            <translation>El servicio no anuncia que admita estilos personalizados (SLD).</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/sld_profile.py"/>
            <source>A custom style must be a StyledLayerDescriptor (SLD) or its web address; this is “{element}”.</source>
            <translation>Un estilo personalizado debe ser un StyledLayerDescriptor (SLD) o su dirección web; esto es «{element}».</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/urls.py"/>
            <source>The address is empty or too long.</source>
            <translation>La dirección está vacía o es demasiado larga.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/requests/urls.py"/>
            <source>“{address}” is not a web address. A service's address begins with http:// or https://.</source>
            <translation>«{address}» no es una dirección web. La dirección de un servicio empieza por http:// o https://.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>an image ({format})</source>
            <translation>una imagen ({format})</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>a JSON document</source>
            <translation>un documento JSON</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>a zip archive</source>
            <translation>un archivo zip</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>{name} contains {what}, but WMS capabilities were expected. Check the address or the file.</source>
            <translation>{name} contiene {what}; se esperaban las capacidades de un WMS. Compruebe la dirección o el archivo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>the capabilities of a {service}</source>
            <translation>las capacidades de un {service}</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>an XML document whose root element is “{element}”</source>
            <translation>un documento XML cuyo elemento raíz es «{element}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>a metadata record (ISO 19139 or ISO 19115-3)</source>
            <translation>un registro de metadatos (ISO 19139 o ISO 19115-3)</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>a metadata record (Dublin Core)</source>
            <translation>un registro de metadatos (Dublin Core)</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>a response of a CSW catalogue</source>
            <translation>una respuesta de un catálogo CSW</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>a style (SLD)</source>
            <translation>un estilo (SLD)</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>an image (SVG)</source>
            <translation>una imagen (SVG)</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>the capabilities of a TMS</source>
            <translation>las capacidades de un TMS</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/document_detection.py"/>
            <source>the capabilities of a tile service</source>
            <translation>las capacidades de un servicio de teselas</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The service refused the request.</source>
            <translation>El servicio ha rechazado la petición.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>It says: “{words}”</source>
            <translation>Dice: «{words}»</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Its code is {code}.</source>
            <translation>Su código es {code}.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The service does not offer this format. Choose one that its capabilities list.</source>
            <translation>El servicio no ofrece este formato. Elija uno de los que figuran en sus capacidades.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The service does not know this layer. Refresh its capabilities: the layer may have been renamed or withdrawn.</source>
            <translation>El servicio no conoce esta capa. Actualice sus capacidades: puede que la capa haya cambiado de nombre o se haya retirado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The service does not know this style for the layer. Refresh its capabilities, or use the default style.</source>
            <translation>El servicio no conoce este estilo para la capa. Actualice sus capacidades o use el estilo predeterminado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The layer cannot be queried.</source>
            <translation>La capa no se puede consultar.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The point is outside the queried map.</source>
            <translation>El punto queda fuera del mapa consultado.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The capabilities have not changed since they were last read.</source>
            <translation>Las capacidades no han cambiado desde la última lectura.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The service does not recognise the update sequence of its capabilities. Reload them.</source>
            <translation>El servicio no reconoce la secuencia de actualización de sus capacidades. Recárguelas.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The layer needs a value for a dimension, such as a time or an elevation. Choose one.</source>
            <translation>La capa necesita un valor de una dimensión, como el tiempo o la elevación. Elija uno.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The layer has no data for this value of a dimension, such as the time or the elevation. Choose one of the values offered.</source>
            <translation>La capa no tiene datos para este valor de una dimensión, como el tiempo o la elevación. Elija uno de los que se ofrecen.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The service does not support this operation.</source>
            <translation>El servicio no admite esta operación.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The request lacks a parameter that the service requires.</source>
            <translation>A la petición le falta un parámetro que el servicio exige.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The service does not accept a parameter of the request.</source>
            <translation>El servicio no acepta un parámetro de la petición.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The service does not support the requested version.</source>
            <translation>El servicio no admite la versión solicitada.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The service does not support an option of the request.</source>
            <translation>El servicio no admite una opción de la petición.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/exception_reports.py"/>
            <source>The service does not offer this coordinate reference system for the layer. Choose another one.</source>
            <translation>El servicio no ofrece este SRC para la capa. Elija otro.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host}: {problem}</source>
            <translation>{host}: {problem}</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} returned an empty response. Try again later.</source>
            <translation>{host} ha devuelto una respuesta vacía. Vuelva a intentarlo más tarde.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>XML</source>
            <translation>XML</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>JSON</source>
            <translation>JSON</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>text</source>
            <translation>texto</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>The image of {host} is incomplete: the connection was interrupted, or the server failed while drawing. Try again, or request a smaller map.</source>
            <translation>La imagen de {host} ha llegado incompleta: se cortó la conexión o el servidor falló al dibujarla. Vuelva a intentarlo o solicite un mapa más pequeño.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} returned an image of {width} × {height} pixels instead of {asked_width} × {asked_height}. Request a smaller map.</source>
            <translation>{host} ha enviado una imagen de {width} × {height} píxeles en lugar de {asked_width} × {asked_height}. Solicite un mapa más pequeño.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>The request for the map has two values for {name}, of which {host} may take either: {first} and {second}. Remove the parameters of a request from the address of the layer.</source>
            <translation>La petición del mapa tiene dos valores de {name}, y {host} puede tomar cualquiera de los dos: {first} y {second}. Quite de la dirección de la capa los parámetros de una petición.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} has no map for {name}={requested}, and sent the one for {delivered}. Choose a value that the service offers.</source>
            <translation>{host} no tiene mapa para {name}={requested} y ha enviado el de {delivered}. Elija un valor que ofrezca el servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} has no map for {name}={requested}, and sent another one. Choose a value that the service offers.</source>
            <translation>{host} no tiene mapa para {name}={requested} y ha enviado otro. Elija un valor que ofrezca el servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>Add an authentication configuration in QGIS under Settings ▸ Options ▸ Authentication, and select it for this service.</source>
            <translation>Añada una configuración de autenticación en QGIS, en Configuración ▸ Opciones ▸ Autenticación, y selecciónela para este servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>The network proxy requires a login. Enter it in QGIS under Settings ▸ Options ▸ Network.</source>
            <translation>El proxy de la red exige credenciales. Indíquelas en QGIS, en Configuración ▸ Opciones ▸ Red.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} requires a login.</source>
            <translation>{host} exige credenciales.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} sent a page to log in on instead of the response.</source>
            <translation>{host} ha enviado una página que pide usuario y contraseña en lugar de la respuesta.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} denied access: it requires a login, or the login in use has insufficient rights.</source>
            <translation>{host} deniega el acceso: exige credenciales o las que se usan no bastan.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} found nothing at this address (status {status}). Check the service's address.</source>
            <translation>{host} no encuentra nada en esta dirección (estado {status}). Compruebe la dirección del servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} limits the number of requests (status 429). Wait a while and try again.</source>
            <translation>{host} limita el número de peticiones (estado 429). Espere un rato y vuelva a intentarlo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} limits the number of requests (status 429). Wait {seconds} s and try again.</source>
            <translation>{host} limita el número de peticiones (estado 429). Espere {seconds} s e inténtelo de nuevo.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} is not available at the moment (status {status}). Try again later.</source>
            <translation>{host} no está disponible en este momento (estado {status}). Vuelva a intentarlo más tarde.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} failed (status {status}). Try again later, or contact its publisher.</source>
            <translation>{host} ha fallado (estado {status}). Vuelva a intentarlo más tarde o avise a quien lo publica.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>The request is too long for {host} (status {status}). Request fewer layers, or use POST.</source>
            <translation>La petición es demasiado larga para {host} (estado {status}). Solicite menos capas o use POST.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} does not accept this method at this address (status 405). Use the other one of GET and POST.</source>
            <translation>{host} no admite este método en esta dirección (estado 405). Use el otro: GET o POST.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} sent no document (status {status}). Try again later, or contact its publisher.</source>
            <translation>{host} no ha enviado ningún documento (estado {status}). Vuelva a intentarlo más tarde o avise a quien lo publica.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} redirects to another address, which was not followed (status {status}): {address}</source>
            <translation>{host} redirige a otra dirección, que no se ha seguido (estado {status}): {address}</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} refused the request (status {status}).</source>
            <translation>{host} ha rechazado la petición (estado {status}).</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} returned a web page instead of {wanted}. Check the address.</source>
            <translation>{host} ha respondido con una página web en lugar de {wanted}. Compruebe la dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} returned XML instead of {wanted}. Check the address.</source>
            <translation>{host} ha respondido con XML en lugar de {wanted}. Compruebe la dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} returned an image instead of {wanted}. Check the address.</source>
            <translation>{host} ha respondido con una imagen en lugar de {wanted}. Compruebe la dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/core/wms/responses/response_validation.py"/>
            <source>{host} returned something other than {wanted} (declared as {type}). Check the address.</source>
            <translation>{host} ha respondido con algo distinto de {wanted} (lo declara como {type}). Compruebe la dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/catalogues/federated_search.py"/>
            <location filename="../plugin/processing/search_records.py"/>
            <source>Searching {name}</source>
            <translation>Buscando en {name}</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/gis/catalogues/federated_search.py"/>
            <location filename="../plugin/gis/catalogues/harvest.py"/>
            <location filename="../plugin/gis/library/record_import.py"/>
            <location filename="../plugin/gis/library/record_library.py"/>
            <location filename="../plugin/processing/record_inputs.py"/>
            <location filename="../plugin/processing/search_records.py"/>
            <source>%n record(s) read</source>
            <translation>
                <numerusform>%n registro leído</numerusform>
                <numerusform>%n registros leídos</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/gis/catalogues/federated_search.py"/>
            <location filename="../plugin/gis/profiles/record_loading.py"/>
            <source>Reading a record of {host}</source>
            <translation>Leyendo un registro de {host}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/catalogues/federated_search.py"/>
            <location filename="../plugin/gis/catalogues/paste_import.py"/>
            <location filename="../plugin/gis/operations/operation_client.py"/>
            <source>Contacting {host}</source>
            <translation>Conectando con {host}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/catalogues/harvest.py"/>
            <source>“{name}” is already being harvested.</source>
            <translation>«{name}» ya se está cosechando.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/catalogues/harvest.py"/>
            <source>Harvesting {name}</source>
            <translation>Cosechando {name}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/catalogues/paste_import.py"/>
            <source>Reading the pasted text</source>
            <translation>Leyendo el texto pegado</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/gis/catalogues/paste_import.py"/>
            <source>Reading %n address(es)</source>
            <translation>
                <numerusform>Leyendo %n dirección</numerusform>
                <numerusform>Leyendo %n direcciones</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/gis/catalogues/paste_import.py"/>
            <source>The pasted text</source>
            <translation>El texto pegado</translation>
        </message>
        <message>
            <location filename="../plugin/gis/catalogues/paste_import.py"/>
            <source>The pasted text is a catalogue’s response without a record.</source>
            <translation>El texto pegado es una respuesta de catálogo sin ningún registro.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/checks/batch_checks.py"/>
            <source>Checking records</source>
            <translation>Comprobando registros</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/gis/checks/batch_checks.py"/>
            <source>%n record(s) checked</source>
            <translation>
                <numerusform>%n registro comprobado</numerusform>
                <numerusform>%n registros comprobados</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/gis/checks/link_check.py"/>
            <source>Checking links</source>
            <translation>Comprobando los enlaces</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/gis/checks/service_health.py"/>
            <source>%n kB</source>
            <translation>
                <numerusform>%n kB</numerusform>
                <numerusform>%n kB</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/gis/checks/service_health.py"/>
            <source>The saved service checks could not be read: {reason}.</source>
            <translation>No se han podido leer las comprobaciones de servicios guardadas: {reason}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/checks/service_health.py"/>
            <source>The service checks could not be saved: {reason}.</source>
            <translation>No se han podido guardar las comprobaciones de servicios: {reason}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/checks/service_health.py"/>
            <source>Saving the service checks</source>
            <translation>Guardando las comprobaciones de servicios</translation>
        </message>
        <message>
            <location filename="../plugin/gis/checks/service_health.py"/>
            <source>Checking “{title}”</source>
            <translation>Comprobando «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/gis/checks/validity_check.py"/>
            <source>Add a label with {expression} to the layout: it shows the credits of all layers on the map. The credits of the project are under Web › Cartoguide › Credits of this project.</source>
            <translation>Añada a la composición una etiqueta con {expression}: muestra los créditos de todas las capas del mapa. Los créditos del proyecto están en Web › Cartoguide › Créditos de este proyecto.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/checks/validity_check.py"/>
            <source>The scale bar is not true</source>
            <translation>La escala gráfica no es exacta</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/credit_audit.py"/>
            <source>a record in your library</source>
            <translation>un registro de su biblioteca</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/credit_audit.py"/>
            <source>MetadataURL of the service</source>
            <translation>MetadataURL del servicio</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/credit_audit.py"/>
            <source>MetadataURL of the layer</source>
            <translation>MetadataURL de la capa</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/credit_audit.py"/>
            <source>a link of the layer’s metadata</source>
            <translation>un enlace de los metadatos de la capa</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/gis/credits/credit_audit.py"/>
            <source>Looking for the credits of %n layer(s)</source>
            <translation>
                <numerusform>Buscando los créditos de %n capa</numerusform>
                <numerusform>Buscando los créditos de %n capas</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/expression_functions.py"/>
            <source>The scale of a layout's map on the ground, measured on the ellipsoid at its centre, as a denominator. NULL where no single number is true, as in degrees. QGIS's own @map_scale is measured in the map's plane.</source>
            <translation>La escala de un mapa de la composición sobre el terreno, medida sobre el elipsoide en su centro, como denominador. NULL donde ningún número es exacto, como en grados. El @map_scale de QGIS se mide en el plano del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/expression_functions.py"/>
            <source>the id of a map in the layout. By default the map with the id “map”, else the reference map of the layout</source>
            <translation>el id de un mapa de la composición. De forma predeterminada, el mapa con el id «map»; si no existe, el mapa de referencia de la composición</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/expression_functions.py"/>
            <source>Maps have ids in print layouts only.</source>
            <translation>Los mapas solo tienen identificador en las composiciones de impresión.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/expression_functions.py"/>
            <source>the id of a map in the layout, an array of such ids, or an array of layers (layer objects, ids or names). By default the map with the id “map”, else the reference map of the layout. Outside layouts: the map canvas</source>
            <translation>el identificador de un mapa de la composición, una matriz de tales identificadores o una matriz de capas (objetos, identificadores o nombres). De forma predeterminada, el mapa con el identificador «map» o, si no lo hay, el mapa de referencia de la composición. Fuera de las composiciones: el lienzo del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/expression_functions.py"/>
            <source>the text between two credits, by default a line break</source>
            <translation>el texto entre dos créditos; de forma predeterminada, un salto de línea</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/expression_functions.py"/>
            <source>The credits of the layers that a map shows, each once, starting with the topmost layer, with the address of the licence if it is known.</source>
            <translation>Los créditos de las capas que muestra un mapa, cada uno una vez, empezando por la capa superior, con la dirección de la licencia si se conoce.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/expression_functions.py"/>
            <source>Licences and fees of the services that a map shows.</source>
            <translation>Licencias y tarifas de los servicios que muestra un mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/expression_functions.py"/>
            <source>Title and address of the services that a map shows.</source>
            <translation>Título y dirección de los servicios que muestra un mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/expression_functions.py"/>
            <source>The layout has no map with the id “{id}”.</source>
            <translation>La composición no tiene ningún mapa con el identificador «{id}».</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/layer_credits.py"/>
            <source>{layer}: the credit is not complete</source>
            <translation>{layer}: el crédito no está completo</translation>
        </message>
        <message>
            <location filename="../plugin/gis/credits/layer_credits.py"/>
            <source>{layer}: the credit is not known</source>
            <translation>{layer}: no se conoce el crédito</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/atlas.py"/>
            <source>The layout was closed before its legends had loaded.</source>
            <translation>La composición se cerró antes de que se cargaran sus leyendas.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/atlas.py"/>
            <source>The area of the sheet “{title}” cannot be computed.</source>
            <translation>No se puede calcular la superficie de la hoja «{title}».</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/atlas.py"/>
            <source>The layer “{layer}” has more than {most} features: select those to print.</source>
            <translation>La capa «{layer}» tiene más de {most} objetos: seleccione los que quiera imprimir.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/atlas.py"/>
            <source>The layer “{layer}” has no polygon that could be printed.</source>
            <translation>La capa «{layer}» no tiene ningún polígono que se pueda imprimir.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/atlas.py"/>
            <location filename="../plugin/gis/layouts/map_frame.py"/>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>The map has no area yet. Choose an extent, or a centre and a scale.</source>
            <translation>El mapa aún no tiene área. Elija una extensión, o un centro y una escala.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/export_transaction.py"/>
            <source>The folder {folder} is not writable.</source>
            <translation>No se puede escribir en la carpeta {folder}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/export_transaction.py"/>
            <source>QGIS did not write the file {name}.</source>
            <translation>QGIS no ha escrito el archivo {name}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/export_transaction.py"/>
            <location filename="../plugin/gis/previews/map_images.py"/>
            <source>Loading the map images</source>
            <translation>Cargando las imágenes del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/export_transaction.py"/>
            <source>The file {name} could not be written. Is it open in another program?</source>
            <translation>No se ha podido escribir el archivo {name}. ¿Está abierto en otro programa?</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/export_transaction.py"/>
            <source>“{layer}” was not drawn as planned. Please report it, with the layout.</source>
            <translation>«{layer}» no se dibujó como estaba previsto. Comuníquelo, junto con la composición.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/export_transaction.py"/>
            <source>Not all of “{layer}” could be drawn: {reason}</source>
            <translation>No se pudo dibujar todo lo de «{layer}»: {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/export_transaction.py"/>
            <source>{layers} of “{service}”: {reason}</source>
            <translation>{layers} de «{service}»: {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/export_transaction.py"/>
            <source>There is not enough memory for a map of this size. Choose a lower resolution or a smaller paper.</source>
            <translation>No hay memoria suficiente para un mapa de este tamaño. Elija una resolución menor o un papel más pequeño.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/export_transaction.py"/>
            <location filename="../plugin/processing/build_map.py"/>
            <source>QGIS could not write {name}.</source>
            <translation>QGIS no ha podido escribir {name}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/export_transaction.py"/>
            <source>keywords</source>
            <translation>palabras clave</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/layout_export.py"/>
            <source>The GDAL of this QGIS cannot write GeoPDF. Export an ordinary PDF: it is georeferenced too.</source>
            <translation>La versión de GDAL de este QGIS no puede escribir GeoPDF. Exporte un PDF normal: también va georreferenciado.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/map_pipeline.py"/>
            <location filename="../plugin/gis/snapshots/snapshot_packages.py"/>
            <source>Opening the snapshot</source>
            <translation>Abriendo la instantánea</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/map_pipeline.py"/>
            <source>Reading the services of “{title}”</source>
            <translation>Leyendo los servicios de «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/map_pipeline.py"/>
            <location filename="../plugin/gis/layers/wms_layers.py"/>
            <source>Creating the layers of “{title}”</source>
            <translation>Creando las capas de «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/page_proof.py"/>
            <source>The animation has {count} of {expected} frames.</source>
            <translation>La animación tiene {count} de {expected} fotogramas.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/page_proof.py"/>
            <source>Page {page}: {problem}</source>
            <translation>Página {page}: {problem}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/preflight_requests.py"/>
            <source>Checking “{title}” for printing</source>
            <translation>Comprobando «{title}» para imprimir</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/publication.py"/>
            <source>Sources of the map</source>
            <translation>Fuentes del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/publication.py"/>
            <source>Custom map, to open with Cartoguide</source>
            <translation>Mapa personalizado, para abrir con Cartoguide</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/raster_formats.py"/>
            <location filename="../plugin/gis/snapshots/raster_writer.py"/>
            <source>GDAL could not write {name}.</source>
            <translation>GDAL no pudo escribir {name}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/sealed_layouts.py"/>
            <source>A layer</source>
            <translation>Una capa</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/sealed_layouts.py"/>
            <source>“{layer}” was changed while the map was drawn, so the map was not exported. Export it again.</source>
            <translation>«{layer}» cambió mientras se dibujaba el mapa, así que el mapa no se exportó. Expórtelo de nuevo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/export/sealed_layouts.py"/>
            <source>QGIS could not copy the layout “{name}” to export it.</source>
            <translation>QGIS no pudo copiar la composición «{name}» para exportarla.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/added_layers.py"/>
            <source>QGIS cannot open its source.</source>
            <translation>QGIS no puede abrir su origen.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/added_layers.py"/>
            <source>It exists in this project only, and the map's document cannot refer to it.</source>
            <translation>Solo existe en este proyecto, y el documento del mapa no puede remitir a ella.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/project_group.py"/>
            <source>opacity {percent} %</source>
            <translation>opacidad {percent} %</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/project_group.py"/>
            <source>blending mode</source>
            <translation>modo de mezcla</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/project_group.py"/>
            <source>effects</source>
            <translation>efectos</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/project_group.py"/>
            <source>“{title}” is in the project already. Replace it, or add it a second time.</source>
            <translation>«{title}» ya está en el proyecto. Se puede sustituir o añadir por segunda vez.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/project_group.py"/>
            <source>None of the layers of “{title}” could be created.</source>
            <translation>No se ha podido crear ninguna de las capas de «{title}».</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/snapshot_rasters.py"/>
            <source>{name} is not in the folder of its snapshot, and is not opened.</source>
            <translation>{name} no está en la carpeta de su instantánea y no se abre.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/snapshot_rasters.py"/>
            <source>The snapshot’s raster {name} cannot be read as GeoTIFF or GeoPackage. Take the snapshot again.</source>
            <translation>El ráster {name} de la instantánea no se puede leer como GeoTIFF ni como GeoPackage. Tome la instantánea otra vez.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/snapshot_rasters.py"/>
            <source>{other} would be read with the snapshot’s raster {name}, and may name anything. Remove it, or take the snapshot again.</source>
            <translation>{other} se leería junto con el ráster {name} de la instantánea y puede nombrar cualquier cosa. Quítelo o tome la instantánea otra vez.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/snapshot_rasters.py"/>
            <source>The snapshot’s raster {name} has tables that are read from elsewhere, and is not opened. Take the snapshot again.</source>
            <translation>El ráster {name} de la instantánea tiene tablas que se leen de otro sitio y no se abre. Tome la instantánea otra vez.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/snapshot_rasters.py"/>
            <source>The snapshot’s raster {name} refers to other files or addresses ({what}), and is not opened. Take the snapshot again.</source>
            <translation>El ráster {name} de la instantánea remite a otros archivos o direcciones ({what}) y no se abre. Tome la instantánea otra vez.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/snapshot_switch.py"/>
            <location filename="../plugin/gis/layers/wms_layers.py"/>
            <source>The snapshot of “{layer}” was not found: {folder}.</source>
            <translation>No se encontró la instantánea de «{layer}»: {folder}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/snapshot_switch.py"/>
            <source>Contacting the live services</source>
            <translation>Conectando con los servicios en vivo</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/snapshot_switch.py"/>
            <source>“{layer}” of “{service}” could not be switched.</source>
            <translation>No se ha podido cambiar «{layer}» de «{service}».</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/gis/layers/wms_layers.py"/>
            <source>Reading %n service(s)</source>
            <translation>
                <numerusform>Leyendo %n servicio</numerusform>
                <numerusform>Leyendo %n servicios</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/wms_layers.py"/>
            <source>QGIS could not create the layer “{layer}” of “{service}”. Refresh the service and try again.</source>
            <translation>QGIS no ha podido crear la capa «{layer}» de «{service}». Actualice el servicio y vuelva a intentarlo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/wms_layers.py"/>
            <source>“{service}” no longer offers the layer “{layer}”. Choose another one in its layer list.</source>
            <translation>«{service}» ya no ofrece la capa «{layer}». Elija otra en su lista de capas.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/wms_layers.py"/>
            <source>The layer “{layer}” of “{service}” has no style “{style}”. Choose one that it offers.</source>
            <translation>La capa «{layer}» de «{service}» no tiene el estilo «{style}». Elija uno de los que ofrece.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/wms_layers.py"/>
            <source>The layer “{layer}” of “{service}” is not offered in {crs}. Choose another coordinate reference system.</source>
            <translation>La capa «{layer}» de «{service}» no se ofrece en {crs}. Elija otro SRC.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layers/wms_layers.py"/>
            <source>The layer “{layer}” of “{service}” is missing.</source>
            <translation>Falta la capa «{layer}» de «{service}».</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/credit_legibility.py"/>
            <source>The credit of {layers} cannot be read on the page: {reason}</source>
            <translation>El crédito de {layers} no se puede leer en la página: {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/credit_legibility.py"/>
            <source>the label “{label}” is on a page that is not exported. Move it to another page.</source>
            <translation>la etiqueta «{label}» está en una página que no se exporta. Muévala a otra página.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/credit_legibility.py"/>
            <source>the label “{label}” is not wholly on the page. Move it onto the page.</source>
            <translation>la etiqueta «{label}» no está entera dentro de la página. Muévala adentro.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/credit_legibility.py"/>
            <source>the letters of the label “{label}” are {points} pt high, and less than {smallest} pt cannot be read. Choose a larger font.</source>
            <translation>las letras de la etiqueta «{label}» miden {points} pt, y con menos de {smallest} pt no se pueden leer. Elija una letra mayor.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/credit_legibility.py"/>
            <source>the text of the label “{label}” is cut off. Make the label larger.</source>
            <translation>el texto de la etiqueta «{label}» está cortado. Haga mayor la etiqueta.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/credit_legibility.py"/>
            <source>the label “{label}” is transparent ({percent} % opaque). Set its opacity to 100 %.</source>
            <translation>la etiqueta «{label}» es transparente ({percent} % de opacidad). Ponga su opacidad al 100 %.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/credit_legibility.py"/>
            <source>the contrast of the label “{label}” with what is behind it is {contrast}, and less than {smallest} cannot be read. Choose another colour, or give the label a background.</source>
            <translation>el contraste de la etiqueta «{label}» con lo que tiene detrás es {contrast}, y con menos de {smallest} no se puede leer. Elija otro color o dé un fondo a la etiqueta.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/credit_legibility.py"/>
            <source>the label “{label}” is covered by “{item}”. Move that item, or put the label above it.</source>
            <translation>la etiqueta «{label}» está tapada por «{item}». Mueva ese elemento o ponga la etiqueta encima.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/locator_map.py"/>
            <source>There is no outline map of this area, so the location map is left out.</source>
            <translation>No hay mapa de contornos de esta área, así que se omite el mapa de situación.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/map_frame.py"/>
            <source>The map of the template has no width. Make it larger in the template.</source>
            <translation>El mapa de la plantilla no tiene anchura. Agrándelo en la plantilla.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/map_frame.py"/>
            <source>The map's reference system {crs} is not known to QGIS. Choose another one.</source>
            <translation>QGIS no conoce el sistema de referencia del mapa, {crs}. Elija otro.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/map_frame.py"/>
            <source>The map's area lies outside the area of use of {crs}. Choose another reference system.</source>
            <translation>El área del mapa está fuera del área de uso de {crs}. Elija otro sistema de referencia.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/map_grids.py"/>
            <source>The map was moved, and its scale bar is no longer true ({percent} %). Make the layout again.</source>
            <translation>El mapa se ha movido y su escala gráfica ya no es exacta ({percent} %). Vuelva a crear la composición.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/map_grids.py"/>
            <source>The template's text “{id}” prints QGIS's own scale (map_scale), which is not that of the ground here. Write {expression} in the template instead.</source>
            <translation>El texto «{id}» de la plantilla imprime la escala propia de QGIS (map_scale), que aquí no es la del terreno. Escriba {expression} en la plantilla en su lugar.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/page_theme.py"/>
            <source>The template has its own colours and sizes, so the theme is not applied.</source>
            <translation>La plantilla tiene colores y tamaños propios, así que no se aplica el tema.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/page_theme.py"/>
            <source>The theme “{former}” is no longer offered, so the page has the theme “{theme}”.</source>
            <translation>El tema «{former}» ya no se ofrece, así que la página lleva el tema «{theme}».</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/page_theme.py"/>
            <source>There are no own colours in the settings, so the page has the standard theme.</source>
            <translation>No hay colores propios en las opciones, así que la página tiene el tema estándar.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/page_theme.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>The colour {given} is too light for text, so {used} is used.</source>
            <translation>El color {given} es demasiado claro para el texto, así que se usa {used}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/template_loading.py"/>
            <source>The layout template {name} cannot be read.</source>
            <translation>La plantilla de composición {name} no se puede leer.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/template_loading.py"/>
            <source>{name} is not a QGIS layout template.</source>
            <translation>{name} no es una plantilla de composición de QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/layouts/templates.py"/>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Guide map</source>
            <translation>Mapa guía</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/archive.py"/>
            <source>The snapshot does not contain it.</source>
            <translation>La instantánea no la contiene.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/legend_graphics.py"/>
            <source>Legend of “{layer}” ({service}): {note}</source>
            <translation>Leyenda de «{layer}» ({service}): {note}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/legend_graphics.py"/>
            <source>The legend of {layers} ({service}) is missing: {reason}</source>
            <translation>Falta la leyenda de {layers} ({service}): {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/legend_graphics.py"/>
            <source>GetStyles gave no rules for them.</source>
            <translation>GetStyles no dio reglas para ellas.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/legend_graphics.py"/>
            <source>The server sent a document other than styles.</source>
            <translation>El servidor envió un documento que no contiene estilos.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/legend_graphics.py"/>
            <source>The legend of {layers} ({service}) shows the service’s graphics for screens: {reason}</source>
            <translation>La leyenda de {layers} ({service}) muestra los gráficos del servicio para pantalla: {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/legend_graphics.py"/>
            <source>“{rule}”: {problem}</source>
            <translation>«{rule}»: {problem}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/legend_graphics.py"/>
            <source>The service sent an opaque JPEG image instead of a transparent one.</source>
            <translation>El servicio envió una imagen JPEG opaca en lugar de una transparente.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/legend_graphics.py"/>
            <source>The service sent an image of another size than requested.</source>
            <translation>El servicio envió una imagen de otro tamaño que el pedido.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/legend_graphics.py"/>
            <source>The service sent an empty image, so the entry is missing or blank.</source>
            <translation>El servicio envió una imagen vacía, así que la entrada falta o está en blanco.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/legend_graphics.py"/>
            <source>The service sent an image of one colour, so the entry is missing or blank.</source>
            <translation>El servicio envió una imagen de un solo color, así que la entrada falta o está en blanco.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/legend_graphics.py"/>
            <source>The service sent an image that cannot be read.</source>
            <translation>El servicio ha enviado una imagen que no se puede leer.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/legends/legend_previews.py"/>
            <source>Reading a legend of {host}</source>
            <translation>Leyendo una leyenda de {host}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/library/record_import.py"/>
            <source>Reading records</source>
            <translation>Leyendo registros</translation>
        </message>
        <message>
            <location filename="../plugin/gis/library/record_library.py"/>
            <source>{reason} Until then, records are saved for this session only.</source>
            <translation>{reason} Hasta entonces, los registros solo se conservan durante esta sesión.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/library/record_library.py"/>
            <source>Moving the record library</source>
            <translation>Trasladando la biblioteca de registros</translation>
        </message>
        <message>
            <location filename="../plugin/gis/library/record_library.py"/>
            <source>Enter the full path of the record library.</source>
            <translation>Indique la ruta completa de la biblioteca de registros.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/gis/library/record_library.py"/>
            <source>%n record(s) copied</source>
            <translation>
                <numerusform>%n registro copiado</numerusform>
                <numerusform>%n registros copiados</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/gis/library/thumbnails.py"/>
            <source>The overview is not an image that can be shown.</source>
            <translation>La vista previa no es una imagen que se pueda mostrar.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/library/thumbnails.py"/>
            <source>The overview is a damaged image.</source>
            <translation>La vista previa es una imagen dañada.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/library/thumbnails.py"/>
            <source>The overview is too large to be shown.</source>
            <translation>La vista previa es demasiado grande para mostrarla.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/library/thumbnails.py"/>
            <source>The overview is a damaged image, or of a format that this QGIS cannot show.</source>
            <translation>La vista previa es una imagen dañada o de un formato que este QGIS no puede mostrar.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/library/thumbnails.py"/>
            <source>The overview could not be written to a temporary file.</source>
            <translation>La vista previa no se pudo escribir en un archivo temporal.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/library/thumbnails.py"/>
            <source>The overview has not been loaded yet.</source>
            <translation>La imagen de muestra aún no se ha cargado.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/library/thumbnails.py"/>
            <location filename="../plugin/gis/operations/service_previews.py"/>
            <source>Loading an image from {host}</source>
            <translation>Cargando una imagen de {host}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/network/downloads.py"/>
            <source>“{name}” has {size} MB.</source>
            <translation>«{name}» ocupa {size} MB.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/network/downloads.py"/>
            <source>“{name}” has more than {size} MB.</source>
            <translation>«{name}» ocupa más de {size} MB.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/network/origin_settings.py"/>
            <source>This version of QGIS cannot send the key for {host}. A newer version can.</source>
            <translation>Esta versión de QGIS no puede enviar la clave de {host}. Una versión más reciente sí puede.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/network/origin_settings.py"/>
            <source>QGIS's authentication store did not take the login for {host}. Add it in QGIS's options.</source>
            <translation>La base de datos de autenticación de QGIS no ha guardado las credenciales de {host}. Añádalas en las opciones de QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/identification.py"/>
            <source>{host} did not respond in the requested format, {format}, or its response is incomplete. It is shown unchanged.</source>
            <translation>{host} no ha respondido en el formato solicitado, {format}, o su respuesta está incompleta. Se muestra sin cambios.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/identification.py"/>
            <source>Requested: {values}.</source>
            <translation>Consultado para: {values}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/identification.py"/>
            <source>The service has no default value, so this was requested: {values}.</source>
            <translation>El servicio no indica ningún valor predeterminado, así que se ha consultado para: {values}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/identification.py"/>
            <source>Not queryable: {layers}.</source>
            <translation>No se pueden consultar: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/identification.py"/>
            <source>Not drawn at this scale or time, so not queried: {layers}.</source>
            <translation>No se dibujan a esta escala o en este momento y no se han consultado: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/identification.py"/>
            <source>No longer offered by the service: {layers}.</source>
            <translation>El servicio ya no las ofrece: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/operation_client.py"/>
            <source>The image refers to other files or addresses, and is not shown.</source>
            <translation>La imagen remite a otros archivos o direcciones y no se muestra.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/operation_client.py"/>
            <source>The image is too large to be displayed.</source>
            <translation>La imagen es demasiado grande para mostrarla.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/operation_client.py"/>
            <source>The image is damaged, or in a format that this QGIS cannot display.</source>
            <translation>La imagen está dañada o es de un tipo que este QGIS no puede mostrar.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/response_layers.py"/>
            <source>Requesting the data of “{layer}” from {host}</source>
            <translation>Solicitando a {host} los datos de «{layer}»</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/response_layers.py"/>
            <source>The data of “{layer}” come from {target}, and the login for {host} is not sent there.</source>
            <translation>Los datos de «{layer}» proceden de {target}, y las credenciales de {host} no se envían allí.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/response_layers.py"/>
            <source>{layer} (data)</source>
            <translation>{layer} (datos)</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/response_layers.py"/>
            <source>QGIS could not create a layer of “{type}” from the {kind} at {host}. The service may no longer offer it, or may offer it in a format that this QGIS cannot read.</source>
            <translation>QGIS no ha podido crear una capa de «{type}» a partir del {kind} de {host}. Puede que el servicio ya no la ofrezca, o que la ofrezca en un formato que este QGIS no puede leer.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/response_layers.py"/>
            <source>QGIS could not create a layer from {name}.</source>
            <translation>QGIS no ha podido crear una capa a partir de {name}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/response_layers.py"/>
            <source>Creating a layer from {name}</source>
            <translation>Creando una capa a partir de {name}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/response_layers.py"/>
            <source>{name} is not an image, or refers to other files or addresses, and was not added.</source>
            <translation>{name} no es una imagen, o remite a otros archivos o direcciones, y no se ha añadido.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/operations/service_previews.py"/>
            <source>The service draws nothing at this scale.</source>
            <translation>El servicio no dibuja nada a esta escala.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/gis/own_layers/distribution_layers.py"/>
            <source>“{title}” offers %n layer(s), and the record names none of them.</source>
            <translation>
                <numerusform>«{title}» ofrece %n capa y el registro no la indica.</numerusform>
                <numerusform>«{title}» ofrece %n capas y el registro no indica ninguna.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/distribution_layers.py"/>
            <source>“{title}” has {count} features in the area of the map, which take long to load and draw.</source>
            <translation>«{title}» tiene {count} objetos en el área del mapa, que tardan en cargarse y dibujarse.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/distribution_layers.py"/>
            <source>The server sends a web page in place of {kind}.</source>
            <translation>El servidor envía una página web en lugar de {kind}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/distribution_layers.py"/>
            <source>“{name}” has no layer that QGIS opens.</source>
            <translation>«{name}» no tiene ninguna capa que QGIS abra.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/distribution_layers.py"/>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>points</source>
            <translation>puntos</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/distribution_layers.py"/>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>lines</source>
            <translation>líneas</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/distribution_layers.py"/>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>areas</source>
            <translation>polígonos</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/distribution_layers.py"/>
            <source>“{name}” has no columns that are called like coordinates, such as lon and lat.</source>
            <translation>«{name}» no tiene columnas con nombres de coordenadas, como lon y lat.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/distribution_layers.py"/>
            <source>“{name}” has coordinates in a system that neither the file nor its record names.</source>
            <translation>«{name}» tiene coordenadas en un sistema que no indican ni el archivo ni su registro.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/distribution_layers.py"/>
            <source>“{name}” unpacks to more than {size} MB.</source>
            <translation>«{name}» ocupa más de {size} MB al descomprimirse.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/distribution_layers.py"/>
            <source>“{name}” cannot be unpacked.</source>
            <translation>«{name}» no se puede descomprimir.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>Opening “{layer}”</source>
            <translation>Abriendo «{layer}»</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>waiting for {host}…</source>
            <translation>esperando a {host}…</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>opening {name}…</source>
            <translation>abriendo {name}…</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>“{layer}” is missing from the map: it was a temporary layer of another project.</source>
            <translation>«{layer}» falta en el mapa: era una capa temporal de otro proyecto.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>“{layer}” is not opened: the map is somebody else's, and nobody has agreed to it.</source>
            <translation>«{layer}» no se abre: el mapa es de otra persona y nadie ha dado su consentimiento.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>“{layer}” did not open within {seconds} s ({waited}). Try again, or remove it from the map.</source>
            <translation>«{layer}» no se abrió en {seconds} s ({waited}). Reinténtelo o quite la capa del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>“{layer}” is not opened for a map of somebody else: its server leads to {host}.</source>
            <translation>«{layer}» no se abre para un mapa de otra persona: su servidor lleva a {host}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>“{layer}” is missing from the map. {reason}</source>
            <translation>Falta «{layer}» en el mapa. {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>“{layer}” is not opened: its file was replaced by a link to another one after you agreed to open it.</source>
            <translation>«{layer}» no se abre: su archivo se sustituyó por un enlace a otro después de que usted aceptara abrirlo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>“{layer}” is not opened for a map of somebody else: files of this format ({format}) may lead to other files or addresses. Convert it to GeoPackage or GeoTIFF.</source>
            <translation>«{layer}» no se abre para un mapa de otra persona: los archivos de este formato ({format}) pueden llevar a otros archivos o direcciones. Conviértalo a GeoPackage o GeoTIFF.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>“{layer}” is not opened for a map of somebody else: its image has more than {count} million pixels. Convert it to GeoTIFF.</source>
            <translation>«{layer}» no se abre para un mapa de otra persona: su imagen tiene más de {count} millones de píxeles. Conviértala a GeoTIFF.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>“{layer}” is not opened for a map of somebody else: its file leads to other files or addresses.</source>
            <translation>«{layer}» no se abre para un mapa de otra persona: su archivo lleva a otros archivos o direcciones.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/opening.py"/>
            <source>“{layer}” is not opened for a map of somebody else: a query in its file takes longer than {seconds} s. Save what the query gives as a table.</source>
            <translation>«{layer}» no se abre para un mapa de otra persona: una consulta de su archivo tarda más de {seconds} s. Guarde el resultado de la consulta como tabla.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/references.py"/>
            <source>“{layer}” cannot be put on the map: it exists in this project only. Export it to a file first.</source>
            <translation>«{layer}» no se puede poner en el mapa: solo existe en este proyecto. Expórtela antes a un archivo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/references.py"/>
            <source>The style of “{layer}” is too large for the map's document. Use image files instead of embedded images.</source>
            <translation>El estilo de «{layer}» es demasiado grande para el documento del mapa. Use imágenes en archivos en lugar de incrustadas.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/references.py"/>
            <source>“{layer}” is missing from the map: {host} sent nothing that QGIS can open. Try again, or remove it from the map.</source>
            <translation>Falta «{layer}» en el mapa: {host} no envió nada que QGIS pueda abrir. Reinténtelo o quite la capa del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/own_layers/references.py"/>
            <source>“{layer}” is missing from the map: its source cannot be opened. Locate it, or remove it from the map.</source>
            <translation>«{layer}» falta en el mapa: su fuente no se puede abrir. Localícela o quítela del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>The map was not exported, because it is not complete:</source>
            <translation>El mapa no se ha exportado porque no está completo:</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>A file of “{layer}” is cut short, so that only a part of it would be drawn. Copy the file again, or take the layer off the page.</source>
            <translation>Un archivo de «{layer}» está cortado, de modo que solo se dibujaría una parte. Copie de nuevo el archivo o quite la capa de la página.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>Its legend has not been loaded yet.</source>
            <translation>Su leyenda aún no se ha cargado.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>The layout has no map item with the id “map”.</source>
            <translation>La composición no tiene ningún elemento de mapa con el id «map».</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>The map shows no layer. Add a service or a layer to it.</source>
            <translation>El mapa no muestra ninguna capa. Añádale un servicio o una capa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>“{service}” is missing from the map.</source>
            <translation>«{service}» falta en el mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>Layers missing from “{service}”: {layers}.</source>
            <translation>Capas que faltan en «{service}»: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>The snapshot of “{service}” does not cover all of this map.</source>
            <translation>La instantánea de «{service}» no cubre todo este mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>“{service}” has nothing in the area of this map.</source>
            <translation>«{service}» no tiene nada en el área de este mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>The background of the page's map “{id}” was removed after the page was built. Export the map again.</source>
            <translation>El fondo del mapa «{id}» de la página se eliminó después de componerla. Exporte el mapa de nuevo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>“{layer}” cannot be read from its source. Repair the layer, or take it off the map.</source>
            <translation>No se puede leer «{layer}» de su fuente. Repare la capa o quítela del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>QGIS cannot evaluate an expression in the style of “{layer}”: {expression}. Correct the style, or take the layer off the map.</source>
            <translation>QGIS no puede evaluar una expresión del estilo de «{layer}»: {expression}. Corrija el estilo o quite la capa del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>No font of this computer has these letters of the credit “{credit}”: {letters}. Install one that has them, such as Noto Sans for their script, and begin QGIS anew.</source>
            <translation>Ninguna fuente de este equipo tiene estas letras del crédito «{credit}»: {letters}. Instale una que las tenga, como Noto Sans para su escritura, y vuelva a iniciar QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>online terrain</source>
            <translation>terreno en línea</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>picture from {host}</source>
            <translation>imagen de {host}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>The page shows a picture of a map service that no layer draws, and its terms may require a credit: {address}. Add the service as a layer in place of the picture.</source>
            <translation>La página muestra una imagen de un servicio de mapas que ninguna capa dibuja, y sus condiciones pueden exigir un crédito: {address}. Añada el servicio como capa en lugar de la imagen.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>A service is missing</source>
            <translation>Falta un servicio</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>A credit is not on the page</source>
            <translation>Un crédito no está en la página</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>A credit cannot be read</source>
            <translation>Hay un crédito que no se puede leer</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>A credit cannot be written</source>
            <translation>No se puede escribir un crédito</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>A credit is not complete</source>
            <translation>Un crédito no está completo</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>A layer has no credit</source>
            <translation>Una capa no tiene crédito</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>A picture has no credit</source>
            <translation>Una imagen no tiene crédito</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>The credit of “{service}” is not on the map: {credit}</source>
            <translation>El crédito de «{service}» no figura en el mapa: {credit}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <location filename="../plugin/gis/pages/leaflet_table_reading.py"/>
            <source>“{layer}” has no credit line, and its terms may require one.</source>
            <translation>«{layer}» no tiene línea de crédito, y sus condiciones de uso podrían exigirla.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>The credits do not fit on the page. Make the item “credits” larger in your template, or choose a larger paper or one of Cartoguide's templates, which move long texts to an extra page.</source>
            <translation>Los créditos no caben en la página. Agrande el elemento «credits» de su plantilla, o elija un papel mayor o una de las plantillas de Cartoguide, que llevan los textos largos a una página adicional.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>{layer} (pictures of its symbols)</source>
            <translation>{layer} (imágenes de sus símbolos)</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>{layer} (outside of the maps)</source>
            <translation>{layer} (fuera de los mapas)</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>{layer} (only its points are drawn)</source>
            <translation>{layer} (solo se dibujan sus puntos)</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>{layer} (only its lines are drawn)</source>
            <translation>{layer} (solo se dibujan sus líneas)</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>{layer} (only its areas are drawn)</source>
            <translation>{layer} (solo se dibujan sus polígonos)</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/completeness_checks.py"/>
            <source>The completeness of these layers was not checked: {layers}.</source>
            <translation>No se ha comprobado si estas capas están completas: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/field_sheet.py"/>
            <source>The squares of the military grid and magnetic north are not printed: the map's area cannot be expressed in degrees.</source>
            <translation>No se imprimen los cuadrados de la cuadrícula militar ni el norte magnético: el área del mapa no se puede expresar en grados.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/field_sheet.py"/>
            <source>The squares of the military grid (MGRS) are not printed: the map's grid is that of another zone, or the map shows more than {count} squares.</source>
            <translation>No se imprimen los cuadrados de la cuadrícula militar (MGRS): la cuadrícula del mapa es la de otro huso, o el mapa muestra más de {count} cuadrados.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/field_sheet.py"/>
            <source>Magnetic declination is not printed: the model {model} does not cover this date or place.</source>
            <translation>No se imprime la declinación magnética: el modelo {model} no cubre esta fecha o este lugar.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/layout_builder.py"/>
            <source>The template {name} has no map item with the id “map”. Give its map that id.</source>
            <translation>La plantilla {name} no tiene ningún elemento de mapa con el id «map». Asigne ese id a su mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/layout_builder.py"/>
            <source>The template has no item “{id}”, so it is left out of the map.</source>
            <translation>La plantilla no tiene ningún elemento «{id}», así que se omite en el mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/layout_builder.py"/>
            <source>The page's font {font} lacks the letters {letters} of the credits. They are drawn with {other}.</source>
            <translation>La fuente {font} de la página no tiene las letras {letters} de los créditos. Se dibujan con {other}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/layout_builder.py"/>
            <source>There is no template “{name}” for {paper} {orientation}. Choose another paper or template.</source>
            <translation>No hay plantilla «{name}» para {paper} {orientation}. Elija otro papel u otra plantilla.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/layout_builder.py"/>
            <location filename="../plugin/gis/pages/leaflet.py"/>
            <location filename="../plugin/gis/pages/overflow_page.py"/>
            <location filename="../plugin/gis/pages/technical_sheet.py"/>
            <source>The text “{id}” is too long for its space on the page.</source>
            <translation>El texto «{id}» es demasiado largo para su espacio en la página.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/layout_builder.py"/>
            <source>“{layer}” is not drawn at {scale}: it is made for other scales.</source>
            <translation>«{layer}» no se dibuja a {scale}: está hecha para otras escalas.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/layout_legend.py"/>
            <source>“{layer}” is not in the legend: its symbol is white or nearly so.</source>
            <translation>«{layer}» no está en la leyenda: su símbolo es blanco o casi blanco.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/layout_legend.py"/>
            <source>“{layer}” is not in the legend: QGIS has no entries of its own for it.</source>
            <translation>«{layer}» no está en la leyenda: QGIS no tiene entradas propias para ella.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet.py"/>
            <source>photos</source>
            <translation>fotos</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet.py"/>
            <source>table of trails and facilities</source>
            <translation>tabla de senderos y equipamientos</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_photos.py"/>
            <source>The photo {file} has {width} × {height} pixels, which is too much. Make it smaller.</source>
            <translation>La foto {file} tiene {width} × {height} píxeles, que son demasiados. Redúzcala.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_photos.py"/>
            <source>The photo {file} is not there.</source>
            <translation>La foto {file} no existe.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_photos.py"/>
            <source>The photo {file} cannot be read: it is damaged, or not a JPEG or PNG.</source>
            <translation>La foto {file} no se puede leer: está dañada o no es JPEG ni PNG.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_photos.py"/>
            <source>Its photos have not been read yet.</source>
            <translation>Sus fotos aún no se han leído.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table.py"/>
            <source>Its table of trails and facilities has not been read yet.</source>
            <translation>Su tabla de senderos y equipamientos aún no se ha leído.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table.py"/>
            <source>The map was moved after the numbers of the table were put on it. Build the page again.</source>
            <translation>El mapa se movió después de ponerle los números de la tabla. Componga de nuevo la página.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table.py"/>
            <source>The table is too long for its place and continues on page {page}.</source>
            <translation>La tabla es demasiado larga para su sitio y continúa en la página {page}.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/gis/pages/leaflet_table.py"/>
            <source>The table has no room for %n row(s), which are left out: the shortest trails and the last places. They can be put on a further sheet in the form of the leaflet.</source>
            <translation>
                <numerusform>En la tabla no cabe %n fila, que se omite: los senderos más cortos y los últimos lugares. Se puede poner en otra hoja en el formulario del folleto.</numerusform>
                <numerusform>En la tabla no caben %n filas, que se omiten: los senderos más cortos y los últimos lugares. Se pueden poner en otra hoja en el formulario del folleto.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/gis/pages/leaflet_table.py"/>
            <source>The table has %n row(s), for which the page has no room. Choose fewer layers for it, or a larger paper.</source>
            <translation>
                <numerusform>La tabla tiene %n fila, para la que no hay sitio en la página. Elija menos capas para ella o un papel mayor.</numerusform>
                <numerusform>La tabla tiene %n filas, para las que no hay sitio en la página. Elija menos capas para ella o un papel mayor.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table.py"/>
            <source>The number {number} of the table, “{name}”, has no place on the map.</source>
            <translation>El número {number} de la tabla, «{name}», no tiene sitio en el mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table_reading.py"/>
            <source>A layer of the table is not on the map any more. Choose the layers of the table again.</source>
            <translation>Una capa de la tabla ya no está en el mapa. Elija de nuevo las capas de la tabla.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table_reading.py"/>
            <source>“{layer}” is in the table and not on the map. Choose the layers of the table again.</source>
            <translation>«{layer}» está en la tabla y no en el mapa. Elija de nuevo las capas de la tabla.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table_reading.py"/>
            <source>The table lacks “{layer}”: {reason}</source>
            <translation>A la tabla le falta «{layer}»: {reason}</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/gis/pages/leaflet_table_reading.py"/>
            <source>%n feature(s) of “{layer}” have no name and are not in the table.</source>
            <translation>
                <numerusform>%n objeto de «{layer}» no tiene nombre y no está en la tabla.</numerusform>
                <numerusform>%n objetos de «{layer}» no tienen nombre y no están en la tabla.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table_reading.py"/>
            <source>“{layer}” has no named feature in the map's area, so it is not in the table.</source>
            <translation>«{layer}» no tiene objetos con nombre en el área del mapa, así que no está en la tabla.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table_reading.py"/>
            <source>its WFS at {host} names nobody to credit, and its terms may require it.</source>
            <translation>su WFS de {host} no dice a quién citar, y sus condiciones pueden exigirlo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table_reading.py"/>
            <source>its WFS at {host} has them in a reference system that QGIS does not know: {crs}</source>
            <translation>su WFS de {host} los tiene en un sistema de referencia que QGIS no conoce: {crs}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table_reading.py"/>
            <source>no WFS with its features is behind it. Choose a vector layer of the map instead.</source>
            <translation>no hay detrás un WFS con sus objetos. Elija en su lugar una capa vectorial del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table_reading.py"/>
            <source>it has more than {most} features in the map's area. Choose another layer, or a smaller area.</source>
            <translation>tiene más de {most} objetos en el área del mapa. Elija otra capa o un área menor.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/leaflet_table_reading.py"/>
            <source>its reference system does not cover the map's area.</source>
            <translation>su sistema de referencia no abarca el área del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/legend_fitting.py"/>
            <source>The legend is long and was printed at {percent} % of its size. Choose a larger paper or fewer layers.</source>
            <translation>La leyenda es larga y se ha impreso al {percent} % de su tamaño. Elija un papel mayor o menos capas.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/legend_fitting.py"/>
            <source>The legend is too long for its place and continues on page {page}.</source>
            <translation>La leyenda es demasiado larga para su sitio y continúa en la página {page}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/legend_fitting.py"/>
            <source>The legend is too long for the map’s sheet and is on page {page}.</source>
            <translation>La leyenda es demasiado larga para la hoja del mapa y está en la página {page}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/legend_fitting.py"/>
            <source>The legend of “{layer}” is one picture, which is too high for the page and has no blank rows between which it could be divided. Choose a larger paper, or hide it in the legend.</source>
            <translation>La leyenda de «{layer}» es una sola imagen, demasiado alta para la página y sin filas en blanco entre las que dividirla. Elija un papel mayor u ocúltela en la leyenda.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/legend_fitting.py"/>
            <source>The legend does not fit on the page. Choose a larger paper or fewer layers.</source>
            <translation>La leyenda no cabe en la página. Elija un papel mayor o menos capas.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/logos.py"/>
            <source>Logo {number} of the map cannot be read, so it is left out. Choose another.</source>
            <translation>El logotipo {number} del mapa no se puede leer, por lo que se omite. Elija otro.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/logos.py"/>
            <source>The logo {file} cannot be read, so it is left out. Choose another in the settings.</source>
            <translation>El logotipo {file} no se puede leer y se ha omitido. Elija otro en la configuración.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/logos.py"/>
            <source>The logo {file} is not there.</source>
            <translation>El logotipo {file} no está.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/logos.py"/>
            <source>This QGIS cannot draw {file}. Save it as a PNG.</source>
            <translation>Este QGIS no puede dibujar {file}. Guárdelo como PNG.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/logos.py"/>
            <source>The logo {file} cannot be read: it is damaged, or not an image.</source>
            <translation>El logotipo {file} no se puede leer: está dañado o no es una imagen.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/logos.py"/>
            <source>The logo {file} is too large to be part of a map.</source>
            <translation>El logotipo {file} es demasiado grande para formar parte de un mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/map_book.py"/>
            <source>The names of “{layer}” cannot be placed on the sheets: their coordinate system is another.</source>
            <translation>Los nombres de «{layer}» no se pueden situar en las hojas: su sistema de coordenadas es otro.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/map_book.py"/>
            <source>The layer “{layer}” has more than {most} names on the sheets: choose another, or filter it.</source>
            <translation>La capa «{layer}» tiene más de {most} nombres en las hojas: elija otra o fíltrela.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/map_book.py"/>
            <source>The layer “{layer}” has no name on the sheets. Choose another for the index, or none.</source>
            <translation>La capa «{layer}» no tiene ningún nombre en las hojas. Elija otra para el índice, o ninguna.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/qr_code.py"/>
            <source>The address of the QR code is too long, so the code is left out.</source>
            <translation>La dirección del código QR es demasiado larga, por lo que el código se omite.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/qr_code.py"/>
            <source>The page has no room for the QR code, so it is left out.</source>
            <translation>La página no tiene sitio para el código QR, así que se omite.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/series_summary.py"/>
            <source>The page has no map of the maximum. {reason}</source>
            <translation>La página no tiene mapa del máximo. {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/series_summary.py"/>
            <source>The small maps are complete without it.</source>
            <translation>Los mapas en serie están completos sin él.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/series_summary.py"/>
            <source>None of its maps shows anything here.</source>
            <translation>Ninguno de sus mapas muestra algo aquí.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/series_summary.py"/>
            <source>The colours of its maps are not those of its legend.</source>
            <translation>Los colores de sus mapas no son los de su leyenda.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/series_summary.py"/>
            <source>Its legend does not say which of its classes is the highest.</source>
            <translation>Su leyenda no dice cuál de sus clases es la más alta.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/series_summary.py"/>
            <source>Not all of its maps could be read.</source>
            <translation>No se pudieron leer todos sus mapas.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/small_multiples.py"/>
            <source>Small multiples show what changes with time. Left out: {layers}. To have it on every map, add its service once more.</source>
            <translation>Los mapas en serie muestran lo que cambia con el tiempo. Se omite: {layers}. Para tenerlo en todos los mapas, añada su servicio otra vez.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/small_multiples.py"/>
            <source>The template has {places} maps, but there are {count} to show: only the first ones are shown.</source>
            <translation>La plantilla tiene {places} mapas, pero hay {count} que mostrar: solo se muestran los primeros.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pages/technical_sheet.py"/>
            <source>The table has space for {most} services. The others are left out.</source>
            <translation>La tabla tiene espacio para {most} servicios. Los demás se omiten.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pixels/features.py"/>
            <source>{count} of {total} features came. Try again, or choose a larger scale.</source>
            <translation>Han llegado {count} de {total} objetos geográficos. Vuelva a intentarlo o elija una escala mayor.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pixels/features.py"/>
            <source>{count} features came, and the service has more. Choose a larger scale.</source>
            <translation>Han llegado {count} objetos geográficos y el servicio tiene más. Elija una escala mayor.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pixels/features.py"/>
            <source>The features cannot be read.</source>
            <translation>No se pueden leer los objetos geográficos.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pixels/features.py"/>
            <location filename="../plugin/gis/pixels/files.py"/>
            <location filename="../plugin/gis/pixels/raster.py"/>
            <source>QGIS could not copy the layer “{layer}” to export it.</source>
            <translation>QGIS no pudo copiar la capa «{layer}» para exportarla.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pixels/fetch.py"/>
            <location filename="../plugin/gis/snapshots/raster_writer.py"/>
            <source>The server sent an image that cannot be read.</source>
            <translation>El servidor ha enviado una imagen que no se puede leer.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/pixels/fetch.py"/>
            <source>The server sent an opaque image ({actual}) instead of a transparent one ({wanted}). It would hide the layers below.</source>
            <translation>El servidor envió una imagen opaca ({actual}) en lugar de una transparente ({wanted}). Taparía las capas de debajo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/previews/page_drawing.py"/>
            <source>The page could not be drawn.</source>
            <translation>No se pudo dibujar la página.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/previews/page_drawing.py"/>
            <source>Reading table and photos of “{title}”</source>
            <translation>Leyendo la tabla y las fotos de «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/gis/profiles/network_profiles.py"/>
            <source>This network is in use. Select another one and save the settings first.</source>
            <translation>Esta red está en uso. Seleccione antes otra y guarde la configuración.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/profiles/network_profiles.py"/>
            <source>Only your own networks can be removed.</source>
            <translation>Solo se pueden quitar las redes propias.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/profiles/record_loading.py"/>
            <source>Reading the network’s records</source>
            <translation>Leyendo los registros de la red</translation>
        </message>
        <message>
            <location filename="../plugin/gis/profiles/record_loading.py"/>
            <source>Querying the catalogue</source>
            <translation>Consultando el catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/gis/profiles/record_loading.py"/>
            <source>{reason} Until then, the records bundled with Cartoguide are shown.</source>
            <translation>{reason} Hasta entonces se muestran los registros incluidos en Cartoguide.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/profiles/record_loading.py"/>
            <source>The network profile lists {name}, which cannot be read.</source>
            <translation>El perfil de red incluye {name}, que no se puede leer.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/profiles/record_loading.py"/>
            <source>{host} responded, but without a record. Check the address.</source>
            <translation>{host} ha respondido, pero sin ningún registro. Compruebe la dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/profiles/record_loading.py"/>
            <location filename="../plugin/processing/inputs.py"/>
            <source>The network has no catalogue that can be queried. Set its address in the settings.</source>
            <translation>La red no tiene ningún catálogo que se pueda consultar. Indique su dirección en la configuración.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/profiles/record_loading.py"/>
            <source>The catalogue has no record of the service of “{title}”.</source>
            <translation>El catálogo no tiene ningún registro del servicio de «{title}».</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/conversions.py"/>
            <source>The area lies outside the coordinate system.</source>
            <translation>El área está fuera del sistema de coordenadas.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} refuses connections, so it seems to be down. Try again later.</source>
            <translation>{host} rechaza las conexiones: parece que no está en servicio. Vuelva a intentarlo más tarde.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} closed the connection before the response was complete. Try again.</source>
            <translation>{host} cerró la conexión antes de completar su respuesta. Vuelva a intentarlo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>The compressed response of {host} is damaged or incomplete. Try again.</source>
            <translation>La respuesta comprimida de {host} está dañada o incompleta. Vuelva a intentarlo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>The server {host} was not found. Check the address and your connection.</source>
            <translation>No se encuentra el servidor {host}. Compruebe la dirección y la conexión.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} could not prove its identity: its certificate is not accepted. Nothing was read. If you trust the server, add its certificate in QGIS's authentication settings.</source>
            <translation>{host} no ha podido demostrar su identidad: su certificado no se acepta. No se ha leído nada. Si el servidor es de confianza, añada su certificado en la configuración de autenticación de QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} did not respond in time. Try again later, or allow more time in the settings.</source>
            <translation>{host} no ha respondido a tiempo. Vuelva a intentarlo más tarde o amplíe el plazo en la configuración.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>There seems to be no network connection, so {host} could not be contacted.</source>
            <translation>Parece que no hay conexión de red: no se ha podido conectar con {host}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>The proxy did not let the request to {host} through. Check the proxy in QGIS's network options.</source>
            <translation>El proxy no ha dejado pasar la petición a {host}. Compruebe el proxy en las opciones de red de QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{url} is not an http or https address, so it is not opened.</source>
            <translation>{url} no es una dirección http ni https, por lo que no se abre.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{url} is not a valid address. Check its spelling.</source>
            <translation>{url} no es una dirección válida. Compruebe cómo está escrita.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} redirects in a loop, so the request was abandoned. Check the address.</source>
            <translation>{host} redirige la petición en bucle, por lo que se ha abandonado. Compruebe la dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>The authentication configuration for {host} cannot be used. Check it in QGIS's options.</source>
            <translation>La configuración de autenticación de {host} no se puede usar. Compruébela en las opciones de QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>it has expired</source>
            <translation>ha caducado</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>it is not valid yet</source>
            <translation>todavía no es válido</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>it was issued for another host</source>
            <translation>se emitió para otro servidor</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>it is self-signed</source>
            <translation>está firmado por el propio servidor</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>its issuer is not known</source>
            <translation>no se conoce a quien lo emitió</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>it was revoked</source>
            <translation>se ha revocado</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} did not agree on a secure connection. It may not offer https at this address: check the address.</source>
            <translation>{host} no ha establecido una conexión segura. Puede que no ofrezca https en esta dirección: compruébela.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>it is not valid</source>
            <translation>no es válido</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>Certificate problem: {reason}.</source>
            <translation>Problema del certificado: {reason}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} could not be reached. Try again later.</source>
            <translation>No se ha podido conectar con {host}. Vuelva a intentarlo más tarde.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} refuses connections</source>
            <translation>{host} rechaza las conexiones</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} closes the connection</source>
            <translation>{host} corta la conexión</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} is not found</source>
            <translation>no se encuentra {host}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} does not respond in time</source>
            <translation>{host} no responde a tiempo</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} answers with HTTP {status}</source>
            <translation>{host} responde con HTTP {status}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} sends a web page in place of the map</source>
            <translation>{host} envía una página web en lugar del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} sends an error in place of the map</source>
            <translation>{host} envía un error en lugar del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} cannot be reached</source>
            <translation>no se puede conectar con {host}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} responds so slowly that {seconds} s were not enough. Try again later, or allow more time in the settings.</source>
            <translation>{host} responde con tanta lentitud que {seconds} s no han bastado. Vuelva a intentarlo más tarde o amplíe el plazo en la configuración.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>The response of {host} is larger than {limit} MB and was not read. Request less, or raise the limit in the settings.</source>
            <translation>La respuesta de {host} supera los {limit} MB y no se ha leído. Solicite menos o aumente el límite en la configuración.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} redirects from https to the insecure address {target}, which was not followed. Anyone on the network path could read and alter what is sent there.</source>
            <translation>{host} redirige de https a la dirección no segura {target}, que no se ha seguido. Cualquiera en la ruta de red podría leer y alterar lo que se envía allí.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} redirects to {target}, an address of this computer or its own network, which was not followed. A public server has no reason to know such addresses.</source>
            <translation>{host} redirige a {target}, una dirección de este equipo o de su propia red, que no se ha seguido. Un servidor público no tiene motivo para conocer esas direcciones.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{address} leads to {target}, and nobody agreed to that server. Nothing was sent there.</source>
            <translation>{address} lleva a {target}, y nadie ha aceptado ese servidor. No se ha enviado nada allí.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>another server</source>
            <translation>otro servidor</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>“{layer}” lacks parts. {reason}</source>
            <translation>A «{layer}» le faltan partes. {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/network_errors.py"/>
            <source>{host} redirects to {target}, which is not an http or https address, so it was not followed.</source>
            <translation>{host} redirige a {target}, que no es una dirección http ni https, por lo que no se ha seguido.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>File of the network profile. If empty, the bundled profile.</source>
            <translation>Archivo del perfil de red. Vacío: el incluido.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Base URL of the network. If empty, the URL in the profile.</source>
            <translation>Dirección base de la red. Vacía: la del perfil.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Prefix of the network's service names. If empty, the prefix in the profile.</source>
            <translation>Prefijo de los nombres de los servicios de la red. Vacío: el del perfil.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Catalogue type. If empty, the type in the profile.</source>
            <translation>Tipo de catálogo. Vacío: el del perfil.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>URL of the catalogue. If empty, the URL in the profile.</source>
            <translation>Dirección del catálogo. Vacía: la del perfil.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>The saved catalogues, as JSON. Logins are ids in QGIS's authentication database.</source>
            <translation>Los catálogos guardados, como JSON. Las credenciales son identificadores de la base de datos de autenticación de QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>The saved catalogues that are excluded from searches, as JSON.</source>
            <translation>Los catálogos guardados que se excluyen de las búsquedas, como JSON.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Search the catalogues too while typing.</source>
            <translation>Buscar también en los catálogos al escribir.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Load the overview images of all records in the list, not only of those that are opened.</source>
            <translation>Cargar las imágenes de muestra de todos los registros de la lista, no solo las de los que se abren.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>File of the record library. If empty, a file in the QGIS profile.</source>
            <translation>Archivo de la biblioteca de registros. Vacío: el del perfil de QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Pattern of the credit line. If empty, the built-in pattern.</source>
            <translation>Patrón de la línea de crédito. Vacío: el propio de Cartoguide.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <location filename="../plugin/ui/credits/credits_menu.py"/>
            <source>Show the credits on the map canvas, for screenshots.</source>
            <translation>Mostrar los créditos en el lienzo del mapa, para las capturas de pantalla.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Seconds to wait for a server's first byte.</source>
            <translation>Segundos de espera hasta el primer byte de un servidor.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Total timeout of a request, in seconds.</source>
            <translation>Tiempo de espera total de una petición, en segundos.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Maximum size of a response, in megabytes.</source>
            <translation>Tamaño máximo de una respuesta, en megabytes.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Number of retries of a GET request if the connection fails.</source>
            <translation>Número de reintentos de una petición GET si falla la conexión.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Hours after which the capabilities of a service are requested again. Reload always requests them.</source>
            <translation>Horas tras las que se vuelven a solicitar las capacidades de un servicio. «Recargar» las solicita siempre.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Maximum number of simultaneous requests to one server.</source>
            <translation>Número máximo de peticiones simultáneas a un servidor.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Set when the welcome message was closed.</source>
            <translation>Indica que se ha cerrado el mensaje de bienvenida.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>The last folder used.</source>
            <translation>Última carpeta usada.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Paper of a new custom map.</source>
            <translation>Papel de un mapa personalizado nuevo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Orientation of a new custom map.</source>
            <translation>Orientación de un mapa personalizado nuevo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Layout template of a new custom map.</source>
            <translation>Plantilla de composición de un mapa personalizado nuevo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Folder of your own layout templates (.qpt). If empty, the folder in the QGIS profile.</source>
            <translation>Carpeta de sus propias plantillas de composición (.qpt). Vacía: la del perfil de QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Files of the logos on maps, as JSON: your own first, then those of partners, at most four.</source>
            <translation>Archivos de los logotipos de los mapas, en JSON: primero el propio y después los de los socios, cuatro como máximo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Colours of the theme “Own colours”, as JSON: that of title and headings, and that of the line below the title.</source>
            <translation>Colores del tema «Colores propios», en JSON: el del título y los encabezados, y el de la línea bajo el título.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Request each service's image at print size before exporting.</source>
            <translation>Solicitar a cada servicio su imagen al tamaño de impresión antes de exportar.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Maximum number of requests of one snapshot.</source>
            <translation>Número máximo de peticiones de una instantánea.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Maximum size of a snapshot, in megabytes.</source>
            <translation>Tamaño máximo de una instantánea, en megabytes.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>The custom maps saved or opened most recently, as JSON.</source>
            <translation>Los mapas personalizados guardados o abiertos más recientemente, como JSON.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/settings.py"/>
            <source>Resolution of exported maps, in dots per inch.</source>
            <translation>Resolución de los mapas exportados, en puntos por pulgada.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/tasks.py"/>
            <source>This took too long and was cancelled after {seconds} s.</source>
            <translation>Ha tardado demasiado y se ha cancelado tras {seconds} s.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/runtime/tasks.py"/>
            <source>An unexpected error occurred: {reason}. Please report it with the details.</source>
            <translation>Se ha producido un error inesperado: {reason}. Comuníquelo junto con los detalles.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/services/map_addresses.py"/>
            <source>The service names {hosts} for its operations. Its maps are requested from {host}, because the login for it is sent to no other host.</source>
            <translation>El servicio indica {hosts} para sus operaciones. Sus mapas se solicitan a {host}, porque las credenciales de este no se envían a ningún otro servidor.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/services/map_addresses.py"/>
            <source>The service’s maps come from {target}. The login for {host} is not sent there, so they are requested without a login and may be missing.</source>
            <translation>Los mapas del servicio proceden de {target}. Las credenciales de {host} no se envían allí, así que se solicitan sin credenciales y pueden faltar.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/services/map_addresses.py"/>
            <source>“{title}”: the login for {host} is not sent to {target}, from where the service’s maps come. They may be missing.</source>
            <translation>«{title}»: las credenciales de {host} no se envían a {target}, de donde proceden los mapas del servicio. Pueden faltar.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/services/service_cache.py"/>
            <source>Loading the service of {host}</source>
            <translation>Cargando el servicio de {host}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/services/service_cache.py"/>
            <source>Saving the capabilities of {host}</source>
            <translation>Guardando las capacidades de {host}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/raster_writer.py"/>
            <source>the overview</source>
            <translation>la vista reducida</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/raster_writer.py"/>
            <source>GDAL does not know the reference system {crs}. Choose another one.</source>
            <translation>GDAL no conoce el sistema de referencia {crs}. Elija otro.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_documents.py"/>
            <source>The snapshot does not contain {layers}, whose files and servers are still needed.</source>
            <translation>La instantánea no contiene {layers}, cuyos archivos y servidores siguen siendo necesarios.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_documents.py"/>
            <source>Snapshot taken on {date}</source>
            <translation>Instantánea tomada el {date}</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_job.py"/>
            <source>The area cannot be used: it is empty, or {crs} is not defined there. Choose another area.</source>
            <translation>El área no se puede usar: está vacía, o {crs} no está definido en ella. Elija otra área.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_job.py"/>
            <source>This takes many thousands of requests. Choose a smaller area, fewer or smaller scales, or a lower resolution.</source>
            <translation>Esto requiere muchos miles de peticiones. Elija un área menor, menos escalas o más pequeñas, o una resolución más baja.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_job.py"/>
            <source>The snapshot is incomplete and cannot be used. What was downloaded is kept. Start it again to resume:</source>
            <translation>La instantánea está incompleta y no se puede usar. Lo descargado se conserva. Vuelva a iniciarla para continuar:</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_job.py"/>
            <source>The snapshot cannot be taken:</source>
            <translation>No se puede tomar la instantánea:</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_job.py"/>
            <source>The snapshot could not be written to {folder}: {reason}. Choose another folder.</source>
            <translation>No se ha podido escribir la instantánea en {folder}: {reason}. Elija otra carpeta.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_job.py"/>
            <source>The snapshot was not found: {folder}.</source>
            <translation>No se encontró la instantánea: {folder}.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_job.py"/>
            <source>{folder} already contains a finished snapshot. Choose another folder.</source>
            <translation>{folder} ya contiene una instantánea terminada. Elija otra carpeta.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_job.py"/>
            <source>{folder} contains other files. Choose an empty or a new folder.</source>
            <translation>{folder} contiene otros archivos. Elija una carpeta vacía o nueva.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_job.py"/>
            <source>The download is not finished.</source>
            <translation>La descarga no ha terminado.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_packages.py"/>
            <source>Packing the map</source>
            <translation>Empaquetando el mapa</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/snapshot_packages.py"/>
            <source>Unpacking the map</source>
            <translation>Desempaquetando el mapa</translation>
        </message>
        <message>
            <location filename="../plugin/gis/snapshots/tile_download.py"/>
            <source>The snapshot exceeds its limit of {size} MB. Choose a smaller area or fewer scales, or raise the limit in the settings. What was downloaded is kept.</source>
            <translation>La instantánea supera su límite de {size} MB. Elija un área menor o menos escalas, o suba el límite en la configuración. Lo descargado se conserva.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/gis/snapshots/tile_download.py"/>
            <source>“{layer}” of “{service}” lacks {count} of %n image(s): {reason}</source>
            <translation>
                <numerusform>A «{layer}» de «{service}» le falta {count} de %n imagen: {reason}</numerusform>
                <numerusform>A «{layer}» de «{service}» le faltan {count} de %n imágenes: {reason}</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/gis/sources/files.py"/>
            <source>The server sent a file that cannot be read completely.</source>
            <translation>El servidor ha enviado un archivo que no se puede leer por completo.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/sources/files.py"/>
            <source>The server sent another file than was asked for.</source>
            <translation>El servidor ha enviado un archivo distinto del solicitado.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/sources/service_states.py"/>
            <source>{host} sends an image that cannot be read</source>
            <translation>{host} envía una imagen que no se puede leer</translation>
        </message>
        <message>
            <location filename="../plugin/gis/sources/vector_tiles.py"/>
            <source>The server sent a vector tile that cannot be read.</source>
            <translation>El servidor ha enviado una tesela vectorial que no se puede leer.</translation>
        </message>
        <message>
            <location filename="../plugin/gis/sources/wcs.py"/>
            <source>The parts of the coverage do not fit together.</source>
            <translation>Las partes de la cobertura no encajan entre sí.</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/integration/record_items.py"/>
            <source>Load the layers of the service</source>
            <translation>Cargar las capas del servicio</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Show more</source>
            <translation>Mostrar más</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Search it in the dock</source>
            <translation>Buscar en él desde el panel</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>New collection…</source>
            <translation>Nueva colección…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Open the dock</source>
            <translation>Abrir el panel</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>Open records…</source>
            <translation>Abrir registros…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Show its records in the dock</source>
            <translation>Mostrar sus registros en el panel</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Refresh</source>
            <translation>Actualizar</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/integration/data_source_page.py"/>
            <location filename="../plugin/integration/layer_menu.py"/>
            <source>Show catalogue record</source>
            <translation>Mostrar el registro del catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Add layers…</source>
            <translation>Añadir capas…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Add as base map</source>
            <translation>Añadir como capa base</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/integration/layer_menu.py"/>
            <location filename="../plugin/integration/locator_filter.py"/>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Copy credit</source>
            <translation>Copiar el crédito</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/integration/layer_menu.py"/>
            <source>Show terms</source>
            <translation>Mostrar las condiciones</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Add %n record(s) to the map</source>
            <translation>
                <numerusform>Añadir %n registro al mapa</numerusform>
                <numerusform>Añadir %n registros al mapa</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Remove %n record(s) from my records</source>
            <translation>
                <numerusform>Quitar %n registro de mis registros</numerusform>
                <numerusform>Quitar %n registros de mis registros</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Add to collection</source>
            <translation>Añadir a una colección</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Remove %n record(s) from “{name}”</source>
            <translation>
                <numerusform>Quitar %n registro de «{name}»</numerusform>
                <numerusform>Quitar %n registros de «{name}»</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Rename…</source>
            <translation>Cambiar el nombre…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Export as a zip…</source>
            <translation>Exportar como zip…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Delete</source>
            <translation>Eliminar</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Reading the record…</source>
            <translation>Leyendo el registro…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>This record no longer exists.</source>
            <translation>Este registro ya no existe.</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Description of the layer by its service</source>
            <translation>Descripción de la capa según su servicio</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <location filename="../plugin/ui/composer/offline.py"/>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Scales</source>
            <translation>Escalas</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Styles</source>
            <translation>Estilos</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_actions.py"/>
            <source>Coordinate reference systems</source>
            <translation>Sistemas de referencia de coordenadas</translation>
        </message>
        <message>
            <location filename="../plugin/integration/browser_items.py"/>
            <source>Your records of map services, and their layers</source>
            <translation>Sus registros de servicios de mapas, y sus capas</translation>
        </message>
        <message>
            <location filename="../plugin/integration/data_source_page.py"/>
            <location filename="../plugin/integration/locator_search.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Search records…</source>
            <translation>Buscar registros…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/data_source_page.py"/>
            <location filename="../plugin/processing/search_records.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Search records</source>
            <translation>Buscar registros</translation>
        </message>
        <message>
            <location filename="../plugin/integration/data_source_page.py"/>
            <location filename="../plugin/integration/locator_search.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <location filename="../plugin/ui/results/results_controller.py"/>
            <source>Search the catalogues</source>
            <translation>Buscar en los catálogos</translation>
        </message>
        <message>
            <location filename="../plugin/integration/data_source_page.py"/>
            <source>Continue this search in the dock, which also searches your catalogues</source>
            <translation>Continuar esta búsqueda en el panel, que busca también en sus catálogos</translation>
        </message>
        <message>
            <location filename="../plugin/integration/data_source_page.py"/>
            <source>The service is added with title, credit, scale range and legend.</source>
            <translation>El servicio se añade con título, crédito, intervalo de escalas y leyenda.</translation>
        </message>
        <message>
            <location filename="../plugin/integration/data_source_page.py"/>
            <location filename="../plugin/ui/results/results_controller.py"/>
            <source>Reading the records…</source>
            <translation>Leyendo los registros…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/data_source_page.py"/>
            <location filename="../plugin/ui/results/results_controller.py"/>
            <source>No record contains these words.</source>
            <translation>Ningún registro contiene estas palabras.</translation>
        </message>
        <message>
            <location filename="../plugin/integration/data_source_page.py"/>
            <source>No records yet. Open files or a catalogue in Cartoguide’s dock.</source>
            <translation>Aún no hay registros. Abra archivos o un catálogo en el panel de Cartoguide.</translation>
        </message>
        <message>
            <location filename="../plugin/integration/layer_commands.py"/>
            <source>“{layer}” does not come from a map service.</source>
            <translation>«{layer}» no procede de ningún servicio de mapas.</translation>
        </message>
        <message>
            <location filename="../plugin/integration/layer_commands.py"/>
            <source>Looking for the record of “{layer}”</source>
            <translation>Buscando el registro de «{layer}»</translation>
        </message>
        <message>
            <location filename="../plugin/integration/layer_commands.py"/>
            <source>No catalogue record of “{layer}” was found. The description by its service is shown.</source>
            <translation>No se ha encontrado ningún registro de catálogo de «{layer}». Se muestra la descripción de su servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/integration/layer_commands.py"/>
            <source>The service of “{layer}” states: {terms}</source>
            <translation>El servicio de «{layer}» dice: {terms}</translation>
        </message>
        <message>
            <location filename="../plugin/integration/layer_commands.py"/>
            <source>No catalogue record of “{layer}” was found.</source>
            <translation>No se ha encontrado ningún registro de catálogo de «{layer}».</translation>
        </message>
        <message>
            <location filename="../plugin/integration/layer_commands.py"/>
            <source>No credit of “{layer}” was found.</source>
            <translation>No se ha encontrado ningún crédito de «{layer}».</translation>
        </message>
        <message>
            <location filename="../plugin/integration/layer_commands.py"/>
            <source>The record was found by: {origin}. It is not saved yet.</source>
            <translation>El registro se encontró por: {origin}. Aún no está guardado.</translation>
        </message>
        <message>
            <location filename="../plugin/integration/layer_commands.py"/>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <location filename="../plugin/ui/record/record_view.py"/>
            <location filename="../plugin/ui/widgets/buttons.py"/>
            <source>Save</source>
            <translation>Guardar</translation>
        </message>
        <message>
            <location filename="../plugin/integration/layer_menu.py"/>
            <source>Switch between snapshot and live service</source>
            <translation>Cambiar entre instantánea y servicio en vivo</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/integration/layer_menu.py"/>
            <source>The snapshot of %n layer(s) was not found: {names}.</source>
            <translation>
                <numerusform>No se ha encontrado la instantánea de %n capa: {names}.</numerusform>
                <numerusform>No se ha encontrado la instantánea de %n capas: {names}.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_filter.py"/>
            <source>Cartoguide: records, layers, actions</source>
            <translation>Cartoguide: registros, capas, acciones</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>Show Cartoguide’s dock</source>
            <translation>Mostrar el panel de Cartoguide</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>panel records search</source>
            <translation>dock fichas registros buscar</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>find catalogue</source>
            <translation>encontrar metadatos catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>files XML zip import</source>
            <translation>archivos XML zip importar</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Open an address…</source>
            <translation>Abrir una dirección…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>link URL service record</source>
            <translation>enlace URL servicio registro ficha</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <location filename="../plugin/ui/credits/credits_menu.py"/>
            <source>Credits of this project…</source>
            <translation>Créditos de este proyecto…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>attribution licence audit</source>
            <translation>atribución licencia crédito auditoría</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <location filename="../plugin/main.py"/>
            <source>Identify on all services</source>
            <translation>Identificar en todos los servicios</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>Check services…</source>
            <translation>Comprobar servicios…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>status down answer</source>
            <translation>estado caído disponibilidad respuesta</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <location filename="../plugin/main.py"/>
            <source>Layout of the custom map</source>
            <translation>Composición del mapa personalizado</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>print compose</source>
            <translation>imprimir componer diseño</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <location filename="../plugin/main.py"/>
            <source>Export the custom map as PDF…</source>
            <translation>Exportar el mapa personalizado como PDF…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>print</source>
            <translation>imprimir</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>Settings of Cartoguide…</source>
            <translation>Configuración de Cartoguide…</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>options network profile</source>
            <translation>opciones ajustes perfil de red</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>Cartoguide: records</source>
            <translation>Cartoguide: registros</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>Cartoguide: layers</source>
            <translation>Cartoguide: capas</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>Cartoguide: actions</source>
            <translation>Cartoguide: acciones</translation>
        </message>
        <message>
            <location filename="../plugin/integration/locator_search.py"/>
            <source>Layer of {service}</source>
            <translation>Capa de {service}</translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_commands.py"/>
            <source>Reading the record</source>
            <translation>Leyendo el registro</translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_commands.py"/>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Copied: “{credit}”</source>
            <translation>Copiado: «{credit}»</translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_commands.py"/>
            <source>No credit of this service was found. Its terms name nobody.</source>
            <translation>No se ha encontrado ningún crédito de este servicio. Sus condiciones no nombran a nadie.</translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_items.py"/>
            <source>Networks and catalogues</source>
            <translation>Redes y catálogos</translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_items.py"/>
            <source>Where your records come from</source>
            <translation>De dónde vienen sus registros</translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_items.py"/>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>Collections</source>
            <translation>Colecciones</translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_items.py"/>
            <source>Named sets of records</source>
            <translation>Conjuntos de registros con nombre</translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_items.py"/>
            <source>All records</source>
            <translation>Todos los registros</translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_items.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Network</source>
            <translation>Red</translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_items.py"/>
            <source>No records saved yet. Double-click to search it in the dock.</source>
            <translation>Aún no hay registros guardados. Haga doble clic para buscar en él desde el panel.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/integration/record_items.py"/>
            <source>More… (%n record(s))</source>
            <translation>
                <numerusform>Más… (%n registro)</numerusform>
                <numerusform>Más… (%n registros)</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_items.py"/>
            <source>Without a title</source>
            <translation>Sin título</translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_items.py"/>
            <source>Double-click to query {address}</source>
            <translation>Haga doble clic para consultar {address}</translation>
        </message>
        <message>
            <location filename="../plugin/integration/record_items.py"/>
            <source>Layer without a name</source>
            <translation>Capa sin nombre</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/integration/record_items.py"/>
            <source>More… (%n layer(s))</source>
            <translation>
                <numerusform>Más… (%n capa)</numerusform>
                <numerusform>Más… (%n capas)</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/integration/registration.py"/>
            <source>Add a map service by its catalogue record</source>
            <translation>Añadir un servicio de mapas por su registro de catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Check the listed records…</source>
            <translation>Comprobar los registros de la lista…</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Health of services…</source>
            <translation>Estado de los servicios…</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Settings…</source>
            <translation>Configuración…</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>A first map</source>
            <translation>Un primer mapa</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <source>User guide</source>
            <translation>Guía de usuario</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <source>Removing temporary files</source>
            <translation>Eliminación de archivos temporales</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <source>Records and services</source>
            <translation>Registros y servicios</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <source>Cartoguide: records of map services, their terms, and credited maps</source>
            <translation>Cartoguide: registros de servicios de mapas, sus condiciones de uso y mapas con sus créditos</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <location filename="../plugin/ui/results/results_controller.py"/>
            <source>Open files…</source>
            <translation>Abrir archivos…</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Open a folder…</source>
            <translation>Abrir una carpeta…</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Paste</source>
            <translation>Pegar</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <source>Collections…</source>
            <translation>Colecciones…</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Catalogues…</source>
            <translation>Catálogos…</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Add a catalogue…</source>
            <translation>Añadir un catálogo…</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>New custom map</source>
            <translation>Mapa personalizado nuevo</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Open a custom map…</source>
            <translation>Abrir un mapa personalizado…</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Snapshot for offline use…</source>
            <translation>Instantánea para usar sin conexión…</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <source>Cartoguide: click the map to query every map service at that point</source>
            <translation>Cartoguide: haga clic en el mapa para consultar todos los servicios de mapas en ese punto</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <location filename="../plugin/ui/widgets/guide.py"/>
            <source>Cartoguide: user guide</source>
            <translation>Cartoguide: guía de usuario</translation>
        </message>
        <message>
            <location filename="../plugin/main.py"/>
            <source>Cartoguide was unloaded while a map was drawn, so the map was not exported.</source>
            <translation>Cartoguide se desactivó mientras se dibujaba un mapa, así que el mapa no se exportó.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/algorithm.py"/>
            <source>Terms and services</source>
            <translation>Condiciones y servicios</translation>
        </message>
        <message>
            <location filename="../plugin/processing/algorithm.py"/>
            <source>Outputs</source>
            <translation>Salidas</translation>
        </message>
        <message>
            <location filename="../plugin/processing/algorithm.py"/>
            <source>Example</source>
            <translation>Ejemplo</translation>
        </message>
        <message>
            <location filename="../plugin/processing/algorithm.py"/>
            <source>Inputs</source>
            <translation>Entradas</translation>
        </message>
        <message>
            <location filename="../plugin/processing/algorithm.py"/>
            <source>One of: {choices}.</source>
            <translation>Uno de: {choices}.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Audit a project's credits</source>
            <translation>Revisar los créditos de un proyecto</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Lists every layer of a project, from services, files and databases, with its present credit, its record and terms as far as they can be found, and the layers without a credit. The project is not changed.</source>
            <translation>Enumera todas las capas de un proyecto, de servicios, archivos y bases de datos, con su crédito actual, su registro y sus condiciones en la medida en que se encuentren, y las capas sin crédito. El proyecto no se modifica.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>A row for each layer.</source>
            <translation>Una fila por cada capa.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <location filename="../plugin/processing/check_services.py"/>
            <source>A page to read, save or send.</source>
            <translation>Una página para leer, guardar o enviar.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>The table for spreadsheets, with readable headings.</source>
            <translation>La tabla para hojas de cálculo, con encabezados legibles.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Number of layers.</source>
            <translation>Número de capas.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Number of layers with their credit, with a credit found for them, with a different credit, that need none, and that lack one.</source>
            <translation>Número de capas con su crédito, con un crédito encontrado para ellas, con un crédito distinto, que no necesitan ninguno y que carecen de él.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Number of layers from local files and databases of which no credit is known, and of layers that are confirmed as own data.</source>
            <translation>Número de capas de archivos locales y bases de datos de las que no se conoce ningún crédito, y de capas confirmadas como datos propios.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>QGIS projects</source>
            <translation>Proyectos de QGIS</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>A project file. If empty, the open project.</source>
            <translation>Un archivo de proyecto. Si está vacío, el proyecto abierto.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Credits as a page</source>
            <translation>Créditos como página</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Credits as CSV</source>
            <translation>Créditos en CSV</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Layers with their credit</source>
            <translation>Capas con su crédito</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Layers for which a credit was found</source>
            <translation>Capas para las que se encontró un crédito</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Layers with another credit</source>
            <translation>Capas con otro crédito</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Layers that need no credit</source>
            <translation>Capas que no necesitan crédito</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Layers without a credit</source>
            <translation>Capas sin crédito</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Layers of which no credit is known</source>
            <translation>Capas de las que no se conoce ningún crédito</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>Layers confirmed as own data</source>
            <translation>Capas confirmadas como datos propios</translation>
        </message>
        <message>
            <location filename="../plugin/processing/audit_credits.py"/>
            <source>{name} is not a readable QGIS project.</source>
            <translation>{name} no es un proyecto de QGIS que se pueda leer.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Build a custom map</source>
            <translation>Crear un mapa personalizado</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Stacks the map services of the records, the first one as base, and writes the map as a document and, on request, as a QGIS project with its layers, credits and print layout.</source>
            <translation>Superpone los servicios de mapas de los registros, el primero como capa base, y escribe el mapa como documento y, si se solicita, como proyecto de QGIS con sus capas, créditos y composición de impresión.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>The map as a document (*.custommap.json), which the dock can open.</source>
            <translation>El mapa como documento (*.custommap.json), que se puede abrir en el panel.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>A QGIS project with the map's layers and its layout.</source>
            <translation>Un proyecto de QGIS con las capas del mapa y su composición.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Number of services on the map.</source>
            <translation>Número de servicios del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Number of layers and services that could not be added to the project.</source>
            <translation>Número de capas y servicios que no se pudieron añadir al proyecto.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>The credits that the map must or may show, one per line.</source>
            <translation>Los créditos que el mapa debe o puede mostrar, uno por línea.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Remarks, such as a style that had to be replaced, one per line.</source>
            <translation>Observaciones, como un estilo que hubo que sustituir, una por línea.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Their order is that of the map, from the bottom up.</source>
            <translation>Su orden es el del mapa, de abajo arriba.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>The map's title. If empty, the name of the park that the records name.</source>
            <translation>El título del mapa. Si está vacío, el nombre del parque que mencionan los registros.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>The first is the base</source>
            <translation>El primero es la capa base</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>If set, the first service is the base below all others; otherwise all are overlays.</source>
            <translation>Si se activa, el primer servicio es la base, debajo de los demás; si no, todos son capas superpuestas.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Own layers</source>
            <translation>Capas propias</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Layers of your own above the services, from the bottom up. The map refers to them, with their style and the source line in their metadata.</source>
            <translation>Capas propias sobre los servicios, de abajo arriba. El mapa se refiere a ellas, con su estilo y la línea de fuente de sus metadatos.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Coordinate system</source>
            <translation>Sistema de coordenadas</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>The coordinate system of the map. If empty, that of the network.</source>
            <translation>El sistema de coordenadas del mapa. Si está vacío, el de la red.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Most features</source>
            <translation>Máximo de objetos</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>A layer of features with more of them in the area is not added.</source>
            <translation>Una capa con más objetos en el área no se añade.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Largest download (MB)</source>
            <translation>Mayor descarga (MB)</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>A larger file is not fetched.</source>
            <translation>Un archivo mayor no se descarga.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Services on the map</source>
            <translation>Servicios del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Missing layers</source>
            <translation>Capas que faltan</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <location filename="../plugin/processing/export_map.py"/>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Remarks</source>
            <translation>Observaciones</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>None of the records leads to anything that can be added to a map.</source>
            <translation>Ninguno de los registros lleva a algo que se pueda añadir a un mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>There is no layer {names}.</source>
            <translation>No existe la capa {names}.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>Only the first layer of {name} is added. It has {layers}.</source>
            <translation>Solo se añade la primera capa de {name}. Tiene {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <location filename="../plugin/ui/widgets/messages.py"/>
            <source>“{title}” is not added: {reason}</source>
            <translation>«{title}» no se añade: {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/processing/build_map.py"/>
            <source>All layers of the service of “{title}” are on the map, and not only those that its links name: {reason}</source>
            <translation>Todas las capas del servicio de «{title}» están en el mapa, y no solo las que nombran sus enlaces: {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_records.py"/>
            <source>Check records</source>
            <translation>Comprobar registros</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_records.py"/>
            <source>Checks catalogue records against INSPIRE, ISO 19119 and the network's conventions: identity, extents, dates, terms, links. No network requests are made.</source>
            <translation>Comprueba registros de catálogo según INSPIRE, la ISO 19119 y las convenciones de la red: identidad, extensiones, fechas, condiciones y enlaces. No se envía ninguna petición por la red.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_records.py"/>
            <source>A row for each issue: record, severity, rule, field and what to do.</source>
            <translation>Una fila por cada aviso: registro, gravedad, regla, campo y qué hacer.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_records.py"/>
            <source>The same for spreadsheets.</source>
            <translation>Lo mismo para hojas de cálculo.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_records.py"/>
            <source>Number of records checked.</source>
            <translation>Número de registros comprobados.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_records.py"/>
            <source>Number of issues of each severity.</source>
            <translation>Número de avisos de cada gravedad.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_records.py"/>
            <source>Without any input, all records of your library are checked.</source>
            <translation>Sin ninguna entrada se comprueban todos los registros de su biblioteca.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_records.py"/>
            <source>Issues as CSV</source>
            <translation>Avisos en CSV</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_records.py"/>
            <source>Records checked</source>
            <translation>Registros comprobados</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_records.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Errors</source>
            <translation>Errores</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_records.py"/>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>Warnings</source>
            <translation>Advertencias</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_records.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Notes</source>
            <translation>Notas</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Check services</source>
            <translation>Comprobar servicios</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Tries each operation of map services once, one request at a time per server: capabilities, map, legend, information. Reports what works, what is questionable and what fails.</source>
            <translation>Prueba una vez cada operación de los servicios de mapas, una petición a la vez por servidor: capacidades, mapa, leyenda, información. Indica qué funciona, qué es dudoso y qué falla.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>A row for each operation that was tried.</source>
            <translation>Una fila por cada operación que se probó.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>The table for spreadsheets.</source>
            <translation>La tabla para hojas de cálculo.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Number of services checked.</source>
            <translation>Número de servicios comprobados.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Number of services with this status.</source>
            <translation>Número de servicios con este estado.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Their services are checked. Without any input, those of all records of your library.</source>
            <translation>Se comprueban sus servicios. Sin ninguna entrada, los de todos los registros de su biblioteca.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Save the results</source>
            <translation>Guardar los resultados</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Save them with their date, like the dock's own checks.</source>
            <translation>Guardarlos con su fecha, como las comprobaciones del panel.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Results as a page</source>
            <translation>Resultados como página</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Results as CSV</source>
            <translation>Resultados en CSV</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Services checked</source>
            <translation>Servicios comprobados</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Services that work</source>
            <translation>Servicios que funcionan</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Questionable services</source>
            <translation>Servicios dudosos</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>Services that fail</source>
            <translation>Servicios que fallan</translation>
        </message>
        <message>
            <location filename="../plugin/processing/check_services.py"/>
            <source>None of the records leads to a map service.</source>
            <translation>Ninguno de los registros lleva a un servicio de mapas.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>Export a custom map</source>
            <translation>Exportar un mapa personalizado</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>Draws a custom map (*.custommap.json) with its layout and writes it as PDF, PNG, JPEG, SVG or GeoTIFF, or its time series as an animated GIF with a frame for each moment. It fails and writes no file if a layer from the web or a part of one is missing, or a credit is not on the page, and names the layers that it cannot check.</source>
            <translation>Dibuja un mapa personalizado (*.custommap.json) con su composición y lo escribe como PDF, PNG, JPEG, SVG o GeoTIFF, o su serie temporal como GIF animado con un fotograma por cada momento. Si falta una capa de la web o una parte de ella, o un crédito no está en la página, falla y no escribe ningún archivo, y nombra las capas que no puede comprobar.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>The map.</source>
            <translation>El mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>The credits on the map, one per line.</source>
            <translation>Los créditos del mapa, uno por línea.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>Number of images fetched from the services.</source>
            <translation>Número de imágenes obtenidas de los servicios.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>The map's scale on the ground, 0 where no number is true.</source>
            <translation>La escala del mapa sobre el terreno; 0 donde ningún número es exacto.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>Remarks, and whatever is missing from a stamped map, one per line.</source>
            <translation>Observaciones, y lo que falta en un mapa con sello, una por línea.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>The names of the layers whose completeness cannot be checked, one per line.</source>
            <translation>Los nombres de las capas de las que no se puede comprobar si están completas, uno por línea.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>By the file extension</source>
            <translation>Según la extensión del archivo</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>“ending” uses the extension of the output file; GeoPDF must be chosen explicitly.</source>
            <translation>«ending» usa la extensión del archivo de salida; GeoPDF hay que elegirlo expresamente.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Resolution</source>
            <translation>Resolución</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>Dots per inch, 72 to 1200. If empty, the resolution in the settings (300 unless you changed it).</source>
            <translation>Puntos por pulgada, de 72 a 1200. Si está vacío, la resolución de la configuración (300 si no la ha cambiado).</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>Records of the map's services that are not in your library. Their terms are shown on the map.</source>
            <translation>Registros de los servicios del mapa que no están en su biblioteca. Sus condiciones se muestran en el mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Seconds for each frame</source>
            <translation>Segundos por fotograma</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>For an animated GIF, whose frames have 1280 by 720 pixels whatever the resolution: 0.4 to 10. If empty, 1.</source>
            <translation>Para un GIF animado, cuyos fotogramas tienen 1280 por 720 píxeles sea cual sea la resolución: de 0,4 a 10. Si está vacío, 1.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>Export an incomplete map anyway</source>
            <translation>Exportar de todos modos un mapa incompleto</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>With a stamp across the page that says what is missing.</source>
            <translation>Con un sello sobre la página que dice qué falta.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>Exported map</source>
            <translation>Mapa exportado</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <location filename="../plugin/processing/map_parameters.py"/>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Scale</source>
            <translation>Escala</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>Unchecked layers</source>
            <translation>Capas no comprobadas</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>The extension of the output must be one of {endings} and match the format.</source>
            <translation>La extensión de la salida debe ser una de {endings} y corresponder al formato.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <source>Exported in {seconds} s.</source>
            <translation>Exportado en {seconds} s.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/export_map.py"/>
            <location filename="../plugin/ui/composer/export_actions.py"/>
            <source>Drawing {name}…</source>
            <translation>Dibujando {name}…</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Harvest a catalogue</source>
            <translation>Cosechar un catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Saves a catalogue, or the matching part of it, in your record library. An interrupted harvest is resumed.</source>
            <translation>Guarda en su biblioteca de registros un catálogo, o la parte que cumpla los criterios. Una cosecha interrumpida se reanuda.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Number of records that are new, changed or unchanged.</source>
            <translation>Número de registros nuevos, modificados o sin cambios.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Number of records that could not be read.</source>
            <translation>Número de registros que no se pudieron leer.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Number of records in your library that the catalogue no longer has.</source>
            <translation>Número de registros de su biblioteca que el catálogo ya no tiene.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Whether the harvest is complete.</source>
            <translation>Si la cosecha está completa.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>These counts in one line.</source>
            <translation>Estos recuentos en una línea.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>A row for each record that could not be read, and why.</source>
            <translation>Una fila por cada registro que no se pudo leer, y el motivo.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>The catalogue to harvest: “network” for the network's own catalogue, otherwise a catalogue's title or its address (CSW, OGC API Records, GeoNetwork).</source>
            <translation>El catálogo que se cosecha: «network» para el de la propia red; si no, el título de un catálogo o su dirección (CSW, OGC API Records, GeoNetwork).</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <location filename="../plugin/processing/search_records.py"/>
            <source>Words</source>
            <translation>Palabras</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Only records that contain these words.</source>
            <translation>Solo los registros en los que aparecen estas palabras.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Only records of this type.</source>
            <translation>Solo los registros de este tipo.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Only records with these keywords, separated by commas.</source>
            <translation>Solo los registros con estas palabras clave, separadas por comas.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <location filename="../plugin/processing/search_records.py"/>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Area</source>
            <translation>Área</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Only records with an extent that overlaps this area.</source>
            <translation>Solo los registros cuya extensión se solapa con esta área.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Organisations</source>
            <translation>Organizaciones</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Only records of one of these organisations, separated by semicolons. Filters that the catalogue does not support are applied to its results here, and so are years.</source>
            <translation>Solo los registros de una de estas organizaciones, separadas por punto y coma. Los filtros que el catálogo no admite se aplican aquí a sus resultados, igual que los años.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Years</source>
            <translation>Años</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Only records of one of these years, separated by commas.</source>
            <translation>Solo los registros de uno de estos años, separados por comas.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Login</source>
            <translation>Credenciales</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>One of QGIS's authentication configurations, for a catalogue that requires a login.</source>
            <translation>Una de las configuraciones de autenticación de QGIS, para un catálogo que exige credenciales.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Start over</source>
            <translation>Empezar de nuevo</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Start over, even if an interrupted harvest can be resumed.</source>
            <translation>Empezar de nuevo, aunque se pueda reanudar una cosecha interrumpida.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Failures</source>
            <translation>Fallos</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>New records</source>
            <translation>Registros nuevos</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Changed records</source>
            <translation>Registros modificados</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Unchanged records</source>
            <translation>Registros sin cambios</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Records that failed</source>
            <translation>Registros con error</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Records that are no longer there</source>
            <translation>Registros que ya no están</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Complete</source>
            <translation>Completa</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>Summary</source>
            <translation>Resumen</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Choose a catalogue: its address, its title, or “network”.</source>
            <translation>Elija un catálogo: su dirección, su título o «network».</translation>
        </message>
        <message>
            <location filename="../plugin/processing/harvest_source.py"/>
            <source>Harvest one catalogue at a time.</source>
            <translation>Coseche los catálogos de uno en uno.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>Files of records</source>
            <translation>Archivos de registros</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>Files with catalogue records: XML, JSON, or packages (zip, MEF).</source>
            <translation>Archivos con registros de catálogo: XML, JSON o paquetes (zip, MEF).</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>Folder of records</source>
            <translation>Carpeta de registros</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>A folder; all records in it and in its subfolders are read.</source>
            <translation>Una carpeta; se leen todos los registros que contiene, también en sus subcarpetas.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>Records of the library, or addresses</source>
            <translation>Registros de la biblioteca o direcciones</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>Identifiers of records of your library, or addresses of records or map services; one per line, or separated by spaces.</source>
            <translation>Identificadores de registros de su biblioteca, o direcciones de registros o de servicios de mapas; uno por línea o separados por espacios.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>Give files, a folder, or the identifiers of records of your library.</source>
            <translation>Indique archivos, una carpeta o los identificadores de registros de su biblioteca.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>Any type</source>
            <translation>Cualquier tipo</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>The records of my library</source>
            <translation>Los registros de mi biblioteca</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>All catalogues that are switched on</source>
            <translation>Todos los catálogos activados</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>The network’s own catalogue</source>
            <translation>El catálogo de la propia red</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>Catalogue</source>
            <translation>Catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>No catalogue is switched on. Name one, or its address.</source>
            <translation>No hay ningún catálogo activado. Indique uno, o su dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>The catalogue “{name}” was not found. Enter its address, “network” or “all”.</source>
            <translation>No se ha encontrado el catálogo «{name}». Indique su dirección, «network» o «all».</translation>
        </message>
        <message>
            <location filename="../plugin/processing/inputs.py"/>
            <source>{address} contains records but is not a catalogue. Use “Read records” for it.</source>
            <translation>{address} contiene registros, pero no es un catálogo. Use «Leer registros».</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Area of the map</source>
            <translation>Área del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>If empty, that of the document.</source>
            <translation>Si está vacía, la del documento.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>If empty, the page fits into the base without a margin.</source>
            <translation>Si está vacía, la página encaja en la base sin margen.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>The denominator: 25000 for 1:25,000. If empty, the area fills the page.</source>
            <translation>El denominador: 25000 para 1:25 000. Si está vacío, el área llena la página.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>As in the document</source>
            <translation>Como en el documento</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Paper</source>
            <translation>Papel</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>The size of the page.</source>
            <translation>El tamaño de la página.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>To suit the base</source>
            <translation>La que convenga a la base</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Orientation</source>
            <translation>Orientación</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Page orientation.</source>
            <translation>Orientación de la página.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Page orientation. By default that which shows most of the base, if neither area nor scale is given.</source>
            <translation>Orientación de la página. De forma predeterminada, la que muestra más de la base, si no se indican ni área ni escala.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>“same” means the document's.</source>
            <translation>«same» significa lo que diga el documento.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Layout template</source>
            <translation>Plantilla de composición</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>guide, sheet, leaflet, multiples, field, or the path of a .qpt file.</source>
            <translation>guide, sheet, leaflet, multiples, field o la ruta de un archivo .qpt.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Rotation of the map on the page, clockwise</source>
            <translation>Rotación del mapa en la página, en el sentido de las agujas del reloj</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>In degrees. If empty, that of the document.</source>
            <translation>En grados. Si se deja vacío, la del documento.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>In degrees. If empty, none.</source>
            <translation>En grados. Si se deja vacío, ninguna.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Language of the map</source>
            <translation>Idioma del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>As QGIS</source>
            <translation>Como QGIS</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>The language of the map's texts.</source>
            <translation>El idioma de los textos propios del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Colours and size of type of the page. Your own colours are in the settings.</source>
            <translation>Colores y tamaño de letra de la página. Sus colores propios están en las opciones.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>The scale must be a denominator, like 25000.</source>
            <translation>La escala debe ser un denominador, como 25000.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Reading the services…</source>
            <translation>Leyendo los servicios…</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Missing credits</source>
            <translation>Créditos que faltan</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Credits that the map lacks or whose source has a blank, one a line: a service's number on the map from the bottom up, its title or its address, an equals sign, and the credit as it has to be printed.</source>
            <translation>Créditos que le faltan al mapa o cuyo origen tiene un hueco, uno por línea: el número de un servicio en el mapa de abajo arriba, su título o su dirección, un signo igual y el crédito como se ha de imprimir.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Give what is missing with the parameter {name}, for example {example}.</source>
            <translation>Indique lo que falta con el parámetro {name}, por ejemplo {example}.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>The document, as the dock or “Build a custom map” writes it, or a map that was exported as PDF, PNG or GeoTIFF.</source>
            <translation>El documento, tal como lo escriben el panel o «Crear un mapa personalizado», o un mapa exportado como PDF, PNG o GeoTIFF.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Map of somebody else</source>
            <translation>Mapa de otra persona</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Open nothing that it names</source>
            <translation>No abrir nada de lo que nombra</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Open files beside and below it, servers and databases</source>
            <translation>Abrir los archivos que están junto a él y por debajo, los servidores y las bases de datos</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Open files elsewhere on this computer too</source>
            <translation>Abrir también los archivos de otros lugares de este equipo</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>I made the map myself: open all that it names, without any check</source>
            <translation>El mapa es mío: abrir todo lo que nombra, sin ninguna comprobación</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>What is opened of the files, servers and databases named by a map that another QGIS profile saved. Their styles are drawn without what could read other files or send something.</source>
            <translation>Qué se abre de los archivos, servidores y bases de datos que nombra un mapa guardado por otro perfil de QGIS. Sus estilos se dibujan sin lo que podría leer otros archivos o enviar algo.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>Opened all the same, as your own map: {reason}</source>
            <translation>Se abre de todos modos, como suyo: {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/processing/map_parameters.py"/>
            <source>The map was saved by another QGIS profile. To open what it names, set {name} to “{open}” or “{all}”.</source>
            <translation>El mapa fue guardado por otro perfil de QGIS. Para abrir lo que nombra, dé a {name} el valor «{open}» o «{all}».</translation>
        </message>
        <message>
            <location filename="../plugin/processing/outputs.py"/>
            <source>Footprints</source>
            <translation>Extensiones</translation>
        </message>
        <message>
            <location filename="../plugin/processing/outputs.py"/>
            <source>A row for each record: identifier, title, type, year, organisation, terms, credit, address, keywords, extent.</source>
            <translation>Una fila por cada registro: identificador, título, tipo, año, organización, condiciones, crédito, dirección, palabras clave y extensión.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/outputs.py"/>
            <source>The same as polygons (EPSG:4326), for records with an extent.</source>
            <translation>Lo mismo como polígonos (EPSG:4326), de los registros que indican su extensión.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/read_records.py"/>
            <source>Read records</source>
            <translation>Leer registros</translation>
        </message>
        <message>
            <location filename="../plugin/processing/read_records.py"/>
            <source>Reads catalogue records (ISO 19139, ISO 19115-3, Dublin Core, OGC API Records, packages) and lists them with their terms and extents. Files and folders are read without a network.</source>
            <translation>Lee registros de catálogo (ISO 19139, ISO 19115-3, Dublin Core, OGC API Records, paquetes) y los enumera con sus condiciones y extensiones. Los archivos y las carpetas se leen sin red.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/read_records.py"/>
            <source>Each record in full, one JSON object per line.</source>
            <translation>Cada registro completo, un objeto JSON por línea.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/read_records.py"/>
            <source>A page with every record, to read and to print.</source>
            <translation>Una página con todos los registros, para leer e imprimir.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/read_records.py"/>
            <source>Number of records read.</source>
            <translation>Número de registros leídos.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/read_records.py"/>
            <source>Number of documents that could not be read.</source>
            <translation>Número de documentos que no se pudieron leer.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/read_records.py"/>
            <source>Records as JSON</source>
            <translation>Registros en JSON</translation>
        </message>
        <message>
            <location filename="../plugin/processing/read_records.py"/>
            <source>Records as a page</source>
            <translation>Registros como página</translation>
        </message>
        <message>
            <location filename="../plugin/processing/read_records.py"/>
            <source>Records read</source>
            <translation>Registros leídos</translation>
        </message>
        <message>
            <location filename="../plugin/processing/read_records.py"/>
            <source>Documents that could not be read</source>
            <translation>Documentos que no se pudieron leer</translation>
        </message>
        <message>
            <location filename="../plugin/processing/record_inputs.py"/>
            <source>The input contains no record.</source>
            <translation>La entrada no contiene ningún registro.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/record_inputs.py"/>
            <source>Your library has no record with the identifier {identifier}.</source>
            <translation>Su biblioteca no tiene ningún registro con el identificador {identifier}.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/record_inputs.py"/>
            <source>There is a catalogue at {address}. Search or harvest it.</source>
            <translation>En {address} hay un catálogo. Busque en él o coséchelo.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>Resolve terms of use</source>
            <translation>Determinar las condiciones de uso</translation>
        </message>
        <message>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>Explains what may be done with each record or map service: the effective licence and the fields it was read from, whether it is free, whether a credit is required, and the credit line.</source>
            <translation>Explica qué se puede hacer con cada registro o servicio de mapas: la licencia efectiva y los campos de los que se ha leído, si es gratuito, si el crédito es obligatorio y la línea de crédito.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>A row for each record: the terms in a sentence, licence, fees, credit, and what is unclear.</source>
            <translation>Una fila por cada registro: las condiciones en una frase, licencia, tarifas, crédito y lo que queda sin aclarar.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>The credits of all, each once, one per line.</source>
            <translation>Los créditos de todos, sin repetir, uno por línea.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>The first record's licence.</source>
            <translation>La licencia del primer registro.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>Whether the first record's credit is required: yes, no or undecided.</source>
            <translation>Si el crédito del primer registro es obligatorio: yes, no o undecided.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>The first record's terms in a sentence.</source>
            <translation>Las condiciones del primer registro en una frase.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>Number of records.</source>
            <translation>Número de registros.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>Number of records whose terms leave open whether a credit is required.</source>
            <translation>Número de registros cuyas condiciones no aclaran si el crédito es obligatorio.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>Query the services too</source>
            <translation>Consultar también los servicios</translation>
        </message>
        <message>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>Also query each record's map service: its fees and constraints count where the record states none.</source>
            <translation>Consultar también el servicio de mapas de cada registro: sus tarifas y restricciones cuentan donde el registro no dice nada.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/resolve_terms.py"/>
            <source>Records with unclear credit</source>
            <translation>Registros con el crédito sin aclarar</translation>
        </message>
        <message>
            <location filename="../plugin/processing/search_records.py"/>
            <source>Finds records by words, type, keywords and area, in your library or in catalogues (CSW, OGC API Records, GeoNetwork). A record must meet all conditions; without any, everything is found.</source>
            <translation>Busca registros por palabras, tipo, palabras clave y área, en su biblioteca o en catálogos (CSW, OGC API Records, GeoNetwork). Un registro debe cumplir todas las condiciones; sin ninguna, se encuentra todo.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/search_records.py"/>
            <source>Number of records in the table.</source>
            <translation>Número de registros de la tabla.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/search_records.py"/>
            <source>Total number of matching records, as reported by the catalogues.</source>
            <translation>Número total de registros que cumplen las condiciones, según los catálogos.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/search_records.py"/>
            <source>Words that the record must contain. Accents and case do not matter.</source>
            <translation>Palabras que deben aparecer todas en el registro; no importan los acentos ni las mayúsculas.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/search_records.py"/>
            <source>What the record describes.</source>
            <translation>Qué describe el registro.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/search_records.py"/>
            <source>Keywords the record must have, separated by commas.</source>
            <translation>Palabras clave que debe llevar el registro, separadas por comas.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/search_records.py"/>
            <source>The record's extent must overlap this area.</source>
            <translation>La extensión del registro debe solaparse con esta área.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/search_records.py"/>
            <source>Where to search: empty means the records of your library, “all” every catalogue that is switched on, “network” the network's own; otherwise a catalogue's title or its address.</source>
            <translation>Dónde buscar: vacío significa los registros de su biblioteca; «all», todos los catálogos activados; «network», el de la propia red; si no, el título de un catálogo o su dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/search_records.py"/>
            <source>Maximum records</source>
            <translation>Máximo de registros</translation>
        </message>
        <message>
            <location filename="../plugin/processing/search_records.py"/>
            <source>The search ends after this many records from each source.</source>
            <translation>La búsqueda termina tras este número de registros de cada fuente.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/search_records.py"/>
            <source>Records found</source>
            <translation>Registros encontrados</translation>
        </message>
        <message>
            <location filename="../plugin/processing/search_records.py"/>
            <source>Total records</source>
            <translation>Total de registros</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/processing/search_records.py"/>
            <source>%n record(s) found.</source>
            <translation>
                <numerusform>%n registro encontrado.</numerusform>
                <numerusform>%n registros encontrados.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Take a snapshot of a custom map</source>
            <translation>Tomar una instantánea de un mapa personalizado</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Saves an area of a custom map at the chosen scales as rasters, with its records, legends and credits, for offline use. It is refused if the terms of a service forbid a copy.</source>
            <translation>Guarda un área de un mapa personalizado a las escalas elegidas como ráster, con sus registros, leyendas y créditos, para usarla sin red. Se rechaza si las condiciones de un servicio prohíben la copia.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>The snapshot's folder, which the dock can open.</source>
            <translation>La carpeta de la instantánea, que se puede abrir en el panel.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>The snapshot and its map in one file, for another computer.</source>
            <translation>La instantánea y su mapa en un solo archivo, para otro equipo.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Number of layers saved.</source>
            <translation>Número de capas guardadas.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Size of the snapshot.</source>
            <translation>Tamaño de la instantánea.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>What could not be saved, one item per line.</source>
            <translation>Lo que no se pudo guardar, una cosa por línea.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>If empty, that of the printed page.</source>
            <translation>Si está vacío, la de la página impresa.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Denominators, separated by commas: 10000,25000. If empty, the scale of the printed page.</source>
            <translation>Denominadores separados por comas: 10000,25000. Si está vacío, la escala de la página impresa.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Dots per inch at those scales, 72 to 600.</source>
            <translation>Puntos por pulgada a esas escalas, de 72 a 600.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>GeoPackage, one file</source>
            <translation>GeoPackage, un solo archivo</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Cloud-optimised GeoTIFF, one for each layer</source>
            <translation>GeoTIFF optimizado para la nube, uno por capa</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Records of the map's services that are not in your library.</source>
            <translation>Registros de los servicios del mapa que no están en su biblioteca.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Copies are permitted</source>
            <translation>Las copias están permitidas</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>The publishers permit you to make a copy although their terms forbid it.</source>
            <translation>Quienes los publican le permiten hacer una copia aunque sus condiciones la prohíben.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Snapshot</source>
            <translation>Instantánea</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Package</source>
            <translation>Paquete</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Layers saved</source>
            <translation>Capas guardadas</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>Megabytes</source>
            <translation>Megabytes</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>The scales must be denominators, like 10000,25000.</source>
            <translation>Las escalas deben ser denominadores, como 10000,25000.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>The map has no extent. Enter one.</source>
            <translation>El mapa no tiene extensión. Indique una.</translation>
        </message>
        <message>
            <location filename="../plugin/processing/take_snapshot.py"/>
            <source>The area is empty.</source>
            <translation>El área está vacía.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_controller.py"/>
            <source>Catalogue “{name}” added.</source>
            <translation>Catálogo «{name}» añadido.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_controller.py"/>
            <source>“{name}” is already one of your catalogues.</source>
            <translation>«{name}» ya está entre sus catálogos.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <location filename="../plugin/ui/widgets/messages.py"/>
            <source>More</source>
            <translation>Más</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>Search this catalogue again</source>
            <translation>Volver a buscar en este catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>Actions for this catalogue</source>
            <translation>Acciones para este catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>Only this catalogue</source>
            <translation>Solo este catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>Harvest…</source>
            <translation>Cosechar…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>Login…</source>
            <translation>Credenciales…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>Exclude from searches</source>
            <translation>Excluir de las búsquedas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>More of {name}</source>
            <translation>Más de {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>Search {name} again</source>
            <translation>Volver a buscar en {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>Error or warnings of {name}</source>
            <translation>Error o advertencias de {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>Menu of {name}</source>
            <translation>Menú de {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>Error details</source>
            <translation>Detalles del error</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>The catalogues that are searched</source>
            <translation>Los catálogos en los que se busca</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogue_panel.py"/>
            <source>No catalogue is switched on.</source>
            <translation>No hay ningún catálogo activado.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Catalogues</source>
            <translation>Catálogos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Searched</source>
            <translation>Se busca en</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>No catalogue yet. Add one by its address: a CSW, an OGC API Records or a GeoNetwork.</source>
            <translation>Aún no hay catálogos. Añada uno por su dirección: un CSW, un OGC API Records o un GeoNetwork.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>&amp;Add…</source>
            <translation>&amp;Añadir…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>&amp;Rename</source>
            <translation>Cambiar &amp;nombre</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>&amp;Login…</source>
            <translation>&amp;Credenciales…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>&amp;Harvest…</source>
            <translation>C&amp;osechar…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Save its records locally, for use without a network</source>
            <translation>Guardar sus registros localmente, para usarlos sin red</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Re&amp;move</source>
            <translation>&amp;Quitar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>&amp;Undo</source>
            <translation>Des&amp;hacer</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>With a login</source>
            <translation>Con credenciales</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Suggested. It is not contacted before you switch it on</source>
            <translation>Sugerido. No se conecta con él hasta que se activa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>The network’s own catalogue cannot be removed. Switch it off instead</source>
            <translation>El catálogo de la propia red no se puede quitar. En su lugar, desactívelo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>“{name}” removed. Its records remain.</source>
            <translation>Se ha quitado «{name}». Sus registros se conservan.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>“{name}” restored.</source>
            <translation>«{name}» restaurado.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Harvest</source>
            <translation>Cosechar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Save records of {name} locally. They are then available without a network. Records that you have already are updated.</source>
            <translation>Guardar localmente registros de {name}. Estarán disponibles sin red. Los que ya tiene se actualizan.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>&amp;All its records</source>
            <translation>&amp;Todos sus registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Results of this &amp;search:</source>
            <translation>Resultados de esta &amp;búsqueda:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>&amp;Start over</source>
            <translation>&amp;Empezar de nuevo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Filters the catalogue does not support are applied to its results here.</source>
            <translation>Los filtros que el catálogo no admite se aplican aquí a sus resultados.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>This harvest was interrupted. It will resume after the last page saved.</source>
            <translation>Esta cosecha se interrumpió. Se reanudará tras la última página guardada.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Add a catalogue</source>
            <translation>Añadir un catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>CSW 2.0.2 and 3.0.0, OGC API Records and GeoNetwork are detected automatically.</source>
            <translation>CSW 2.0.2 y 3.0.0, OGC API Records y GeoNetwork se detectan automáticamente.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>&amp;Address of the catalogue: its page, its service or its capabilities</source>
            <translation>&amp;Dirección del catálogo: su página, su servicio o sus capacidades</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>&amp;Detect</source>
            <translation>&amp;Detectar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Detect the catalogue at this address</source>
            <translation>Detectar el catálogo de esta dirección</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Lo&amp;gin, if required</source>
            <translation>C&amp;redenciales, si son necesarias</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>Authentication configuration</source>
            <translation>Configuración de autenticación</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <location filename="../plugin/ui/identify.py"/>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <location filename="../plugin/ui/service/service_view.py"/>
            <location filename="../plugin/ui/widgets/messages.py"/>
            <source>Details…</source>
            <translation>Detalles…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <location filename="../plugin/ui/dock/dock_dialogs.py"/>
            <source>Save it in QGIS…</source>
            <translation>Guardarlas en QGIS…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Catalogues at this address</source>
            <translation>Catálogos en esta dirección</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>Space selects, F2 renames</source>
            <translation>Espacio selecciona, F2 cambia el nombre</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>Add</source>
            <translation>Añadir</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <location filename="../plugin/ui/identify.py"/>
            <source>Contacting…</source>
            <translation>Conectando…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <source>It is not a catalogue, but it can be opened.</source>
            <translation>No es un catálogo, pero se puede abrir.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/catalogues/catalogues_dialog.py"/>
            <location filename="../plugin/ui/composer/export_actions.py"/>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Open</source>
            <translation>Abrir</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/composer/composer_controller.py"/>
            <source>%n layer(s) added: {title}</source>
            <translation>
                <numerusform>%n capa añadida: {title}</numerusform>
                <numerusform>%n capas añadidas: {title}</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Suggested:</source>
            <translation>Sugeridos:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Services that the record names, or that cover the same area</source>
            <translation>Servicios que el registro nombra o que cubren la misma área</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <location filename="../plugin/ui/dock/dock_widget.py"/>
            <source>Adding to the map…</source>
            <translation>Añadiendo al mapa…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Add “{title}” to the map</source>
            <translation>Añadir «{title}» al mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Add a service to the map to see its layers, credits and page here.</source>
            <translation>Añada un servicio al mapa para ver aquí sus capas, sus créditos y la página.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Find a service</source>
            <translation>Buscar un servicio</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Search the records of services</source>
            <translation>Buscar en los registros de servicios</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Add own layer…</source>
            <translation>Añadir capa propia…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Every layer with its credit and terms, and those without</source>
            <translation>Todas las capas con su crédito y sus condiciones, y las que no los tienen</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Recent maps</source>
            <translation>Mapas recientes</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Title of the map</source>
            <translation>Título del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Credits on this map</source>
            <translation>Créditos de este mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Page</source>
            <translation>Página</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Show the page in a window of its own</source>
            <translation>Mostrar la página en una ventana propia</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Save to {name}</source>
            <translation>Guardar en {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Save the custom map as a document</source>
            <translation>Guardar el mapa personalizado como documento</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Undo: {change}</source>
            <translation>Deshacer: {change}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Redo: {change}</source>
            <translation>Rehacer: {change}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Redo</source>
            <translation>Rehacer</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Find a service to add</source>
            <translation>Buscar un servicio para añadirlo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>New custom map. The arrow opens one.</source>
            <translation>Mapa personalizado nuevo. La flecha abre uno.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Export PDF…</source>
            <translation>Exportar PDF…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Export PNG…</source>
            <translation>Exportar PNG…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Export JPEG…</source>
            <translation>Exportar JPEG…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Export GeoTIFF…</source>
            <translation>Exportar GeoTIFF…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Export SVG…</source>
            <translation>Exportar SVG…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Export GeoPDF…</source>
            <translation>Exportar GeoPDF…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Series of scales…</source>
            <translation>Serie de escalas…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Atlas over a polygon layer…</source>
            <translation>Atlas sobre una capa de polígonos…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Animation (GIF)…</source>
            <translation>Animación (GIF)…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Export incomplete map with a draft stamp…</source>
            <translation>Exportar el mapa incompleto con sello…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Layout</source>
            <translation>Composición</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Open the print layout to view and edit it</source>
            <translation>Abrir la composición de impresión para verla y editarla</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <source>Save as…</source>
            <translation>Guardar como…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/composer_panel.py"/>
            <location filename="../plugin/ui/composer/export_actions.py"/>
            <location filename="../plugin/ui/dock/dock_widget.py"/>
            <location filename="../plugin/ui/identify.py"/>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <location filename="../plugin/ui/service/service_view.py"/>
            <location filename="../plugin/ui/widgets/buttons.py"/>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Cancel</source>
            <translation>Cancelar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/export_actions.py"/>
            <source>Exported as {name}.</source>
            <translation>Exportado como {name}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/export_actions.py"/>
            <source>Cartoguide: export</source>
            <translation>Cartoguide: exportación</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>No issues</source>
            <translation>Sin avisos</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>%n issue(s)</source>
            <translation>
                <numerusform>%n aviso</numerusform>
                <numerusform>%n avisos</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>© Owner, year</source>
            <translation>© Propietario, año</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>Credit to be printed</source>
            <translation>Crédito que se imprime</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>Check before printing</source>
            <translation>Comprobar antes de imprimir</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>Check</source>
            <translation>Comprobar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>Request the map of each service at print size, as the export does</source>
            <translation>Solicitar el mapa de cada servicio al tamaño de impresión, como hace la exportación</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>State of the check</source>
            <translation>Estado de la comprobación</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>To be reviewed before the map is printed</source>
            <translation>Lo que conviene revisar antes de imprimir el mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>Issues: {words}</source>
            <translation>Avisos: {words}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>To be mended</source>
            <translation>Por corregir</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/findings_panel.py"/>
            <source>Good to know</source>
            <translation>Conviene saber</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/fold_section.py"/>
            <source>Height of the section “{title}”</source>
            <translation>Altura de la sección «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/fold_section.py"/>
            <source>Drag to change the height; a double click makes it automatic</source>
            <translation>Arrastre para cambiar la altura; un doble clic la vuelve automática</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/fold_section.py"/>
            <source>Unfolded</source>
            <translation>Desplegada</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/fold_section.py"/>
            <source>Folded</source>
            <translation>Plegada</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>“{title}”: {problem}.</source>
            <translation>«{title}»: {problem}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>“{title}” removed from the map.</source>
            <translation>«{title}» se ha quitado del mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>“{title}” has fewer layers on the map.</source>
            <translation>«{title}» tiene menos capas en el mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>Add own layer</source>
            <translation>Añadir capa propia</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>Source line</source>
            <translation>Línea de fuente</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>Printed with the credits; empty for none</source>
            <translation>Se imprime con los créditos; vacía si no hay</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>The layer is drawn above the others and can be moved between them. The map refers to it where it is.</source>
            <translation>La capa se dibuja sobre las demás y se puede mover entre ellas. El mapa se refiere a ella donde está.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>The project has no other layer. Add one to QGIS first.</source>
            <translation>El proyecto no tiene otra capa. Añada antes una a QGIS.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>&amp;Layer</source>
            <translation>&amp;Capa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>&amp;Source line</source>
            <translation>&amp;Línea de fuente</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>Source line of {title}</source>
            <translation>Línea de fuente de {title}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>Printed with the credits for {title}:</source>
            <translation>Se imprime con los créditos de {title}:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/layer_actions.py"/>
            <source>Locate “{layer}”</source>
            <translation>Localizar «{layer}»</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Normal</source>
            <translation>Normal</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Lighten</source>
            <translation>Aclarar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Screen</source>
            <translation>Pantalla</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Dodge</source>
            <translation>Sobreexponer</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Addition</source>
            <translation>Suma</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Darken</source>
            <translation>Oscurecer</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Multiply</source>
            <translation>Multiplicar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Burn</source>
            <translation>Subexponer</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Overlay mode</source>
            <translation>Superponer</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Soft light</source>
            <translation>Luz suave</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Hard light</source>
            <translation>Luz dura</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Difference</source>
            <translation>Diferencia</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Subtract</source>
            <translation>Resta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Drag to reorder, or use Alt+Up and Alt+Down; Delete removes it from the map</source>
            <translation>Arrastrar para reordenar, o Alt+Arriba y Alt+Abajo; Supr lo quita del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Show on the map and print it</source>
            <translation>Mostrar en el mapa e imprimir</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Show {title}</source>
            <translation>Mostrar {title}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Opacity of {title}</source>
            <translation>Opacidad de {title}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Show the legend</source>
            <translation>Mostrar la leyenda</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Legend of {title}</source>
            <translation>Leyenda de {title}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>own layer</source>
            <translation>capa propia</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>base</source>
            <translation>base</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>overlay</source>
            <translation>superpuesta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>More for this layer</source>
            <translation>Más de esta capa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>More for this service</source>
            <translation>Más para este servicio</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>More for {title}</source>
            <translation>Más para {title}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Source line…</source>
            <translation>Línea de fuente…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Locate its file…</source>
            <translation>Localizar su archivo…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Layers and styles…</source>
            <translation>Capas y estilos…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Time shown…</source>
            <translation>Momento mostrado…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Edit the legend…</source>
            <translation>Editar la leyenda…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Use as overlay</source>
            <translation>Usar como capa superpuesta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Use as base</source>
            <translation>Usar como base</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <location filename="../plugin/ui/legend.py"/>
            <source>Move up</source>
            <translation>Subir</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <location filename="../plugin/ui/legend.py"/>
            <source>Move down</source>
            <translation>Bajar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Blending mode</source>
            <translation>Modo de mezcla</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Hide the legend</source>
            <translation>Ocultar la leyenda</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_rows.py"/>
            <source>Opacity</source>
            <translation>Opacidad</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Enter one or more scales: {examples}.</source>
            <translation>Escriba una o varias escalas: {examples}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Series of scales</source>
            <translation>Serie de escalas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Atlas over a polygon layer</source>
            <translation>Atlas sobre una capa de polígonos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Export…</source>
            <translation>Exportar…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>PDF, a page for each map</source>
            <translation>PDF, una página por mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>{format}, a file for each map</source>
            <translation>{format}, un archivo por mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>Polygon layer</source>
            <translation>Capa de polígonos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Grid of sheets over the map's area</source>
            <translation>Cuadrícula de hojas sobre el área del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Only the selected features</source>
            <translation>Solo los objetos seleccionados</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>First a page with an overview of the sheets</source>
            <translation>Primero, una página con la distribución de las hojas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Index of names</source>
            <translation>Índice de nombres</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>No index</source>
            <translation>Sin índice</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Lists the names of a layer’s features with their sheets, on pages of its own. The names are those that QGIS displays, as the layer’s properties say.</source>
            <translation>Enumera los nombres de los objetos de una capa con sus hojas, en páginas propias. Los nombres son los que muestra QGIS, según las propiedades de la capa.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Scale of the sheets</source>
            <translation>Escala de las hojas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Overlap of the sheets</source>
            <translation>Solape de las hojas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source> %</source>
            <translation> %</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>&amp;Scales</source>
            <translation>&amp;Escalas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>&amp;Polygon layer</source>
            <translation>&amp;Capa de polígonos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>&amp;Scale of the sheets</source>
            <translation>&amp;Escala de las hojas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>O&amp;verlap of the sheets</source>
            <translation>&amp;Solape de las hojas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>&amp;Index of names</source>
            <translation>Í&amp;ndice de nombres</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>&amp;Format</source>
            <translation>&amp;Formato</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Enter a scale: {example}.</source>
            <translation>Escriba una escala: {example}.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>%n sheet(s) at {scale}, named A1, A2 … from the north-west.</source>
            <translation>
                <numerusform>%n hoja a {scale}, llamada A1.</numerusform>
                <numerusform>%n hojas a {scale}, llamadas A1, A2… desde el noroeste.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>%n map(s): {scales}</source>
            <translation>
                <numerusform>%n mapa: {scales}</numerusform>
                <numerusform>%n mapas: {scales}</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>The project has no polygon layer. Add one: parks, municipalities, sheets.</source>
            <translation>El proyecto no tiene capas de polígonos. Añada una: parques, municipios, hojas.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>%n map(s), one for each feature; without a scale, each is fitted to its page.</source>
            <translation>
                <numerusform>%n mapa, uno por objeto; sin escala, se ajusta a su página.</numerusform>
                <numerusform>%n mapas, uno por objeto; sin escala, cada uno se ajusta a su página.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Animation (GIF)</source>
            <translation>Animación (GIF)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source> s</source>
            <translation> s</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>Seconds for each &amp;frame</source>
            <translation>Segundos por &amp;fotograma</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/composer/map_series_dialog.py"/>
            <source>%n frame(s), {total} s in all. The last one is shown {factor} times as long.</source>
            <translation>
                <numerusform>%n fotograma, {total} s en total. El último dura {factor} veces lo que los demás.</numerusform>
                <numerusform>%n fotogramas, {total} s en total. El último dura {factor} veces lo que los demás.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Shows its snapshot of {date}.</source>
            <translation>Muestra su instantánea del {date}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Shows the live services; there is a snapshot of {date}.</source>
            <translation>Muestra los servicios en vivo; hay una instantánea del {date}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Shows the live services; there is a snapshot.</source>
            <translation>Muestra los servicios en vivo; hay una instantánea.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>%n layer(s) are not in it and stay live.</source>
            <translation>
                <numerusform>%n capa no está en ella y sigue en vivo.</numerusform>
                <numerusform>%n capas no están en ella y siguen en vivo.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Show live</source>
            <translation>En vivo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Show snapshot</source>
            <translation>Instantánea</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Use the live services again</source>
            <translation>Volver a usar los servicios en vivo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Use the snapshot (no network requests)</source>
            <translation>Usar la instantánea (sin peticiones de red)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Offline</source>
            <translation>Sin conexión</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Offline: save the map for use without a network</source>
            <translation>Sin conexión: guardar el mapa para usarlo sin red</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Take a snapshot…</source>
            <translation>Tomar una instantánea…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Package for an offline computer…</source>
            <translation>Empaquetar para un equipo sin conexión…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Open a package…</source>
            <translation>Abrir un paquete…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Show the live services</source>
            <translation>Mostrar los servicios en vivo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Snapshot for offline use</source>
            <translation>Instantánea para usar sin conexión</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Saves the map at these scales to a folder, with records, terms, legends and credits.</source>
            <translation>Guarda el mapa a estas escalas en una carpeta, con registros, condiciones, leyendas y créditos.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>This folder has an unfinished snapshot. What it already holds is not downloaded again.</source>
            <translation>Esta carpeta contiene una instantánea sin terminar. Lo que ya contiene no se vuelve a descargar.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <source>Continue</source>
            <translation>Continuar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Take the snapshot</source>
            <translation>Tomar la instantánea</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Choose a folder for the snapshot.</source>
            <translation>Elija una carpeta para la instantánea.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>The printed page</source>
            <translation>La página impresa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Map canvas</source>
            <translation>Lienzo del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Whole base layer</source>
            <translation>Toda la capa base</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>{number} dpi</source>
            <translation>{number} ppp</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>GeoTIFF (cloud-optimised), a file for each layer</source>
            <translation>GeoTIFF (COG), un archivo por capa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Folder</source>
            <translation>Carpeta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>The publisher permits me to make a copy</source>
            <translation>Quien lo publica me permite hacer una copia</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>Choose a folder</source>
            <translation>Elegir una carpeta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>&amp;Area</source>
            <translation>Á&amp;rea</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>&amp;Resolution</source>
            <translation>Re&amp;solución</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/offline.py"/>
            <source>F&amp;older</source>
            <translation>&amp;Carpeta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>theme of the page</source>
            <translation>tema de la página</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>language of the map</source>
            <translation>idioma del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>The extent of the base is not known, so the page cannot be fitted to it.</source>
            <translation>No se conoce la extensión de la base, así que la página no se puede ajustar a ella.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>Layout templates</source>
            <translation>Plantillas de composición</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>own paper</source>
            <translation>papel propio</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>{template}, {size}, chosen</source>
            <translation>{template}, {size}, elegida</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>Not drawn</source>
            <translation>Sin dibujar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Loading…</source>
            <translation>Cargando…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Updating…</source>
            <translation>Actualizando…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>Show this area</source>
            <translation>Mostrar esta área</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>Area of a polygon layer</source>
            <translation>Área de una capa de polígonos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>&amp;Feature</source>
            <translation>&amp;Objeto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>The selected features</source>
            <translation>Los objetos seleccionados</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>The whole layer</source>
            <translation>La capa completa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>Centre and scale</source>
            <translation>Centro y escala</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>Longitude and latitude in degrees</source>
            <translation>Longitud y latitud en grados</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>&amp;Longitude and latitude</source>
            <translation>&amp;Longitud y latitud</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>&amp;Scale</source>
            <translation>E&amp;scala</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_actions.py"/>
            <source>In degrees, longitude first: -3.51 38.38</source>
            <translation>En grados, primero la longitud: -3.51 38.38</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_frame_tool.py"/>
            <source>Drag it on the map</source>
            <translation>Arrástrela en el mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_frame_tool.py"/>
            <source>Drag the page, its corners, or the handle above it. Arrow keys move it, + and - resize it, R rotates it, Esc ends.</source>
            <translation>Arrastre la página, sus esquinas o el círculo de encima. Las flechas la mueven, + y - cambian su tamaño, R la gira, Esc termina.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Template, extent, rotation and language</source>
            <translation>Plantilla, extensión, rotación e idioma</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Template</source>
            <translation>Plantilla</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Colours of the page alone: the map keeps its own. Your own colours are in the settings.</source>
            <translation>Colores solo de la página: el mapa conserva los suyos. Los colores propios están en las opciones.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>To fit the page</source>
            <translation>Ajustada a la página</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>See all templates with this map</source>
            <translation>Ver todas las plantillas con este mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>&amp;Template</source>
            <translation>P&amp;lantilla</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>The&amp;me</source>
            <translation>Te&amp;ma</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>E&amp;xtent</source>
            <translation>&amp;Extensión</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>&amp;Rotation</source>
            <translation>&amp;Rotación</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>&amp;Language</source>
            <translation>&amp;Idioma</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Fit</source>
            <translation>Ajustar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Fit the page into the base, without a margin</source>
            <translation>Ajustar la página a la base, sin margen</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Frame</source>
            <translation>Marco</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Move, resize and rotate the page on the map canvas</source>
            <translation>Mover, cambiar el tamaño y girar la página en el lienzo del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Browse…</source>
            <translation>Examinar…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Fills {percent}</source>
            <translation>Cubre el {percent}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Fitted</source>
            <translation>Ajustada</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>{percent} of the map on the page is drawn</source>
            <translation>Está dibujado el {percent} del mapa de la página</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Choose a layout template</source>
            <translation>Elegir una plantilla de composición</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>QGIS layout templates</source>
            <translation>Plantillas de composición de QGIS</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>fitted</source>
            <translation>ajustado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>{scale}, fitted</source>
            <translation>{scale}, ajustada</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>{scale} along the parallel</source>
            <translation>{scale} a lo largo del paralelo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Page: {words}</source>
            <translation>Página: {words}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Selected record</source>
            <translation>Registro seleccionado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>All services</source>
            <translation>Todos los servicios</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Custom</source>
            <translation>Personalizada</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Fitted automatically</source>
            <translation>Ajustada automáticamente</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>A polygon layer…</source>
            <translation>Una capa de polígonos…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_panel.py"/>
            <source>Centre and scale…</source>
            <translation>Centro y escala…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <location filename="../plugin/ui/legend.py"/>
            <source>Legend</source>
            <translation>Leyenda</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Location map</source>
            <translation>Mapa de situación</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Reference system</source>
            <translation>Sistema de referencia</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Sources</source>
            <translation>Fuentes</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>credits</source>
            <translation>créditos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>terms</source>
            <translation>condiciones</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>sources</source>
            <translation>fuentes</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>p. {page}: {parts}</source>
            <translation>pág. {page}: {parts}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>The legend continues on page {page}.</source>
            <translation>La leyenda continúa en la página {page}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>The legend is on page {page}.</source>
            <translation>La leyenda está en la página {page}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>The credits are on page {page}.</source>
            <translation>Los créditos están en la página {page}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Terms of use and sources are on page {page}.</source>
            <translation>Las condiciones de uso y las fuentes están en la página {page}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>The terms of use are on page {page}.</source>
            <translation>Las condiciones de uso están en la página {page}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>The sources are on page {page}.</source>
            <translation>Las fuentes están en la página {page}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>The page as it will be printed</source>
            <translation>La página tal como se imprimirá</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>No page yet.</source>
            <translation>Todavía no hay página.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>The page at {scale}, with: {parts}.</source>
            <translation>La página a {scale}, con: {parts}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Missing: {titles}.</source>
            <translation>Falta: {titles}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Go to page {page}</source>
            <translation>Ir a la página {page}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Drawing the page…</source>
            <translation>Dibujando la página…</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>%n missing</source>
            <translation>
                <numerusform>falta %n</numerusform>
                <numerusform>faltan %n</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Page {number} of {count}</source>
            <translation>Página {number} de {count}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Previous page</source>
            <translation>Página anterior</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Next page</source>
            <translation>Página siguiente</translation>
        </message>
        <message>
            <location filename="../plugin/ui/composer/page_picture_view.py"/>
            <source>Where the parts of the map are</source>
            <translation>Dónde están las partes del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>now: {own}
found: {found}</source>
            <translation>ahora: {own}
encontrado: {found}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>Cartoguide: credits of this project</source>
            <translation>Cartoguide: créditos de este proyecto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>Layers and their credits</source>
            <translation>Las capas y sus créditos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>Select a layer to enter its credit</source>
            <translation>Seleccione una capa para introducir su crédito</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>Credit of the se&amp;lected layers:</source>
            <translation>Crédito de &amp;las capas seleccionadas:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>S&amp;et credit</source>
            <translation>&amp;Establecer crédito</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>Save this credit in the selected layers. It stays in the project.</source>
            <translation>Guardar este crédito en las capas seleccionadas. Se conserva en el proyecto.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>&amp;Own data</source>
            <translation>Datos &amp;propios</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>The selected layers are your own data and need no credit</source>
            <translation>Las capas seleccionadas son datos propios y no necesitan crédito</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>&amp;Apply credits to checked layers</source>
            <translation>&amp;Aplicar los créditos a las capas marcadas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>Restore the former credits of the layers</source>
            <translation>Restaurar los créditos anteriores de las capas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>&amp;Refresh</source>
            <translation>&amp;Actualizar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>&amp;Save as CSV…</source>
            <translation>&amp;Guardar como CSV…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>Checking the services and your saved records…</source>
            <translation>Comprobando los servicios y los registros guardados…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>Checked: {host}</source>
            <translation>Comprobado: {host}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>This project has no layers.</source>
            <translation>Este proyecto no tiene capas.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>Enter whom to credit, or confirm that it is your own data</source>
            <translation>Indique a quién citar, o confirme que son datos propios</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>project</source>
            <translation>proyecto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credit_audit_dialog.py"/>
            <source>Save the credits</source>
            <translation>Guardar los créditos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credits_menu.py"/>
            <source>Cartoguide: credits and terms of every layer of this project</source>
            <translation>Cartoguide: créditos y condiciones de cada capa de este proyecto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/credits/credits_menu.py"/>
            <source>Show credits on the map canvas</source>
            <translation>Mostrar los créditos en el lienzo del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/dock_dialogs.py"/>
            <source>QGIS keeps the login for {host} now. Open the address again.</source>
            <translation>QGIS ya guarda las credenciales de {host}. Abra la dirección de nuevo.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/dock_widget.py"/>
            <source>Cartoguide</source>
            <translation>Cartoguide</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/dock_widget.py"/>
            <source>Custom map ({count})</source>
            <translation>Mapa personalizado ({count})</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Stop</source>
            <translation>Detener</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <source>Reasons</source>
            <translation>Motivos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <source>Show</source>
            <translation>Mostrar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <location filename="../plugin/ui/widgets/buttons.py"/>
            <source>Close</source>
            <translation>Cerrar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <source>Stop the harvest of {name}</source>
            <translation>Detener la cosecha de {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <source>Continue the harvest of {name}</source>
            <translation>Continuar la cosecha de {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <source>Stop reading {name}</source>
            <translation>Detener la lectura de {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <source>Continue reading {name}</source>
            <translation>Continuar la lectura de {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <source>Failures and warnings for records of {name}</source>
            <translation>Errores y advertencias de los registros de {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <source>Show only the records of {name}</source>
            <translation>Mostrar solo los registros de {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <source>Close the summary of {name}</source>
            <translation>Cerrar el resumen de {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/job_progress.py"/>
            <source>reading…</source>
            <translation>leyendo…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/list_page.py"/>
            <source>Welcome to Cartoguide</source>
            <translation>Le damos la bienvenida a Cartoguide</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/list_page.py"/>
            <source>a first map</source>
            <translation>un primer mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/list_page.py"/>
            <source>open records</source>
            <translation>abrir registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/list_page.py"/>
            <source>switch on catalogues</source>
            <translation>activar catálogos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/list_page.py"/>
            <source>Start with:</source>
            <translation>Para empezar:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/list_page.py"/>
            <source>Close. The user guide (F1) remains available</source>
            <translation>Cerrar. La guía de usuario (F1) sigue disponible</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Save %n record(s) in my records</source>
            <translation>
                <numerusform>Guardar %n registro en mis registros</numerusform>
                <numerusform>Guardar %n registros en mis registros</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Compare the two records</source>
            <translation>Comparar los dos registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Compare…</source>
            <translation>Comparar…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Show on the map</source>
            <translation>Mostrar en el mapa</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Check %n record(s) and save the issues as CSV…</source>
            <translation>
                <numerusform>Comprobar %n registro y guardar los avisos como CSV…</numerusform>
                <numerusform>Comprobar %n registros y guardar los avisos como CSV…</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Remove from my records</source>
            <translation>Quitar de mis registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Records bundled with the network profile cannot be removed.</source>
            <translation>Los registros incluidos en el perfil de red no se pueden quitar.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>The record is not in your records.</source>
            <translation>El registro no está entre sus registros.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Open in catalogue</source>
            <translation>Abrir en el catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>The address of its page in a catalogue is not known.</source>
            <translation>No se conoce la dirección de su página en un catálogo.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Export the record…</source>
            <translation>Exportar el registro…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Favourites ({count})</source>
            <translation>Favoritos ({count})</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Shows your favourites only. The star on a record’s page makes it one.</source>
            <translation>Muestra solo sus favoritos. La estrella de la página de un registro lo convierte en favorito.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Recently used</source>
            <translation>Usados recientemente</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>No record was opened yet</source>
            <translation>Todavía no se ha abierto ningún registro</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>No collection yet</source>
            <translation>Aún no hay colecciones</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Rename “{name}”…</source>
            <translation>Cambiar el nombre de «{name}»…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Export “{name}” as a zip…</source>
            <translation>Exportar «{name}» como zip…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Delete “{name}”</source>
            <translation>Eliminar «{name}»</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Add %n selected record(s) to</source>
            <translation>
                <numerusform>Añadir %n registro seleccionado a</numerusform>
                <numerusform>Añadir %n registros seleccionados a</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Remove %n selected record(s) from the favourites</source>
            <translation>
                <numerusform>Quitar %n registro seleccionado de los favoritos</numerusform>
                <numerusform>Quitar %n registros seleccionados de los favoritos</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Remove %n selected record(s) from “{name}”</source>
            <translation>
                <numerusform>Quitar %n registro seleccionado de «{name}»</numerusform>
                <numerusform>Quitar %n registros seleccionados de «{name}»</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/dock/record_menu.py"/>
            <source>Collection “{name}” imported: %n record(s).</source>
            <translation>
                <numerusform>Colección «{name}» importada: %n registro.</numerusform>
                <numerusform>Colección «{name}» importada: %n registros.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Type words of the title, abstract or keywords (Ctrl+F or /)</source>
            <translation>Palabras del título, del resumen o de las palabras clave (Ctrl+F o /)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Show filters</source>
            <translation>Mostrar los filtros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Show or hide the filters. Those that are set stay in sight.</source>
            <translation>Muestra u oculta los filtros. Los que están puestos siguen a la vista.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Favourites and recently used records</source>
            <translation>Registros favoritos y usados recientemente</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>Search online catalogues too</source>
            <translation>Buscar también en catálogos en línea</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>More of Cartoguide</source>
            <translation>Más de Cartoguide</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>Refresh from the catalogue</source>
            <translation>Actualizar desde el catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/dock/search_bar.py"/>
            <source>User guide (F1)</source>
            <translation>Guía de usuario (F1)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Features of {layer}</source>
            <translation>Objetos geográficos de {layer}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Value</source>
            <translation>Valor</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Format of the response</source>
            <translation>Formato de la respuesta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Request again in another format that the service offers</source>
            <translation>Volver a solicitar en otro formato que ofrezca el servicio</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Copy the selected row</source>
            <translation>Copiar la fila seleccionada</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Copy everything for a spreadsheet</source>
            <translation>Copiar todo para una hoja de cálculo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Zoom to the feature</source>
            <translation>Acercar al objeto geográfico</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Flash the feature on the map</source>
            <translation>Destellar el objeto geográfico en el mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Query again</source>
            <translation>Volver a consultar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Cancel the requests</source>
            <translation>Cancelar las peticiones</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>{seconds} s</source>
            <translation>{seconds} s</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>No queryable layers here.</source>
            <translation>Aquí no hay capas que se puedan consultar.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/identify.py"/>
            <source>%n feature(s)</source>
            <translation>
                <numerusform>%n objeto geográfico</numerusform>
                <numerusform>%n objetos geográficos</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Nothing was found here.</source>
            <translation>Aquí no se ha encontrado nada.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Response received in {seconds} s.</source>
            <translation>Respuesta recibida en {seconds} s.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>{layer} ({count})</source>
            <translation>{layer} ({count})</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>The service's response</source>
            <translation>Respuesta del servicio</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Cartoguide: identify results</source>
            <translation>Cartoguide: resultados de la identificación</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>Click the map to identify features in all its services.</source>
            <translation>Haga clic en el mapa para identificar objetos en todos sus servicios.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>No layer of a map service (WMS) is visible on the map.</source>
            <translation>En el mapa no hay visible ninguna capa de un servicio de mapas (WMS).</translation>
        </message>
        <message>
            <location filename="../plugin/ui/identify.py"/>
            <source>custom CRS</source>
            <translation>SRC personalizado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Heading</source>
            <translation>Encabezado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>originally “{title}”</source>
            <translation>originalmente «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>not in the legend</source>
            <translation>no figura en la leyenda</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Class</source>
            <translation>Clase</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Legend of the page</source>
            <translation>Leyenda de la página</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Rename</source>
            <translation>Renombrar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Use the services’ names</source>
            <translation>Usar los nombres de los servicios</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>No heading</source>
            <translation>Sin encabezado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Heading that the chosen layer or group is under, with all others of that heading</source>
            <translation>Encabezado bajo el que está la capa o el grupo elegido, con todas las demás de ese encabezado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>&amp;Heading</source>
            <translation>&amp;Encabezado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Apply</source>
            <translation>Aplicar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Put the chosen layer or group under this heading</source>
            <translation>Poner la capa o el grupo elegido bajo este encabezado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Reset</source>
            <translation>Restablecer</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Remove all changes of the legend. Undo brings them back.</source>
            <translation>Quitar todos los cambios de la leyenda. Deshacer los recupera.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Names and headings apply to pages in {language}. Unticked layers stay on the map, and their credits on the page. While order and headings are the services’, the page has the legend by subject: facilities, paths, roads, water.</source>
            <translation>Los nombres y encabezados valen para las páginas en {language}. Las capas desmarcadas siguen en el mapa, y sus créditos en la página. Mientras el orden y los encabezados sean los de los servicios, la página lleva la leyenda por temas: equipamientos, senderos, carreteras, agua.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Heading of “{title}”</source>
            <translation>Encabezado de «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Spanish</source>
            <translation>Español</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Load the names that the services have in {language}. Names that you have typed stay.</source>
            <translation>Carga los nombres que los servicios tienen en {language}. Los nombres que ha escrito se conservan.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>The services have no other names in {language}.</source>
            <translation>Los servicios no tienen otros nombres en {language}.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/legend.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>and %n more</source>
            <translation>
                <numerusform>y %n más</numerusform>
                <numerusform>y %n más</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Loading the legend…</source>
            <translation>Cargando la leyenda…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>There is no legend.</source>
            <translation>No hay leyenda.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/legend.py"/>
            <source>Legend: {entries}</source>
            <translation>Leyenda: {entries}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Photo {number}</source>
            <translation>Foto {number}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Choose a file…</source>
            <translation>Elegir un archivo…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Remove this photo</source>
            <translation>Quitar esta foto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Credit: photographer and licence</source>
            <translation>Crédito: autor de la foto y licencia</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>What it shows, for people who do not see it</source>
            <translation>Qué muestra, para quienes no la ven</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Choose a photo</source>
            <translation>Elegir una foto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Photos</source>
            <translation>Fotos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Texts of the leaflet</source>
            <translation>Textos del folleto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Text for visitors</source>
            <translation>Texto para visitantes</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>How to get there</source>
            <translation>Cómo llegar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Opening hours</source>
            <translation>Horario</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Emergency numbers</source>
            <translation>Teléfonos de emergencia</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Table of trails and facilities</source>
            <translation>Tabla de senderos y equipamientos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>The features of the ticked layers are requested when the page is drawn or exported, and numbered on the map.</source>
            <translation>Los objetos de las capas marcadas se piden al dibujar o exportar la página, y se numeran en el mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Continue a long table on a further sheet</source>
            <translation>Continuar una tabla larga en otra hoja</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>Else the rows that its panel has no room for are left out: the shortest trails and the last places of the longest list.</source>
            <translation>Si no, se omiten las filas que no caben en su panel: los senderos más cortos y los últimos lugares de la lista más larga.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>3 mm bleed and crop marks</source>
            <translation>3 mm de sangrado y marcas de corte</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>For a print shop: what touches the edge is drawn beyond it, and the PDF says where the paper is cut.</source>
            <translation>Para una imprenta: lo que toca el borde se dibuja más allá de él, y el PDF indica por dónde se corta el papel.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/leaflet.py"/>
            <source>{layer} (not on the map)</source>
            <translation>{layer} (no está en el mapa)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/logos.py"/>
            <source>Logos</source>
            <translation>Logotipos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/logos.py"/>
            <source>Logos of the map are saved in it, so that it prints them on every computer.</source>
            <translation>Los logotipos del mapa se guardan en él, de modo que se imprimen en cualquier equipo.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/logos.py"/>
            <source>Those of the settings</source>
            <translation>Los de las opciones</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/logos.py"/>
            <source>Of this map</source>
            <translation>De este mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/logos.py"/>
            <source>Logos of this map</source>
            <translation>Logotipos de este mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/logos.py"/>
            <source>The text of a logo is for people who do not see it. Double-click it to change it.</source>
            <translation>El texto de un logotipo es para las personas que no lo ven. Haga doble clic en él para cambiarlo.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/logos.py"/>
            <source>Add logos…</source>
            <translation>Añadir logotipos…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/logos.py"/>
            <source>Remove this logo</source>
            <translation>Quitar este logotipo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/logos.py"/>
            <source>The page has no logos.</source>
            <translation>La página no tiene logotipos.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/logos.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Lo&amp;gos</source>
            <translation>Lo&amp;gotipos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/logos.py"/>
            <source>Logo {number}: {name}</source>
            <translation>Logotipo {number}: {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/qr_code.py"/>
            <source>QR code</source>
            <translation>Código QR</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/qr_code.py"/>
            <source>No QR code</source>
            <translation>Sin código QR</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/qr_code.py"/>
            <source>Record’s page in the catalogue</source>
            <translation>Página del registro en el catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/qr_code.py"/>
            <source>Address…</source>
            <translation>Dirección…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/qr_code.py"/>
            <source>Address of the QR code</source>
            <translation>Dirección del código QR</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/qr_code.py"/>
            <source>&amp;QR code</source>
            <translation>Código &amp;QR</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/qr_code.py"/>
            <source>No record of the map is in a catalogue with pages.</source>
            <translation>Ningún registro del mapa está en un catálogo con páginas.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/qr_code.py"/>
            <source>A QR code on the map leads to this address.</source>
            <translation>Un código QR en el mapa lleva a esta dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/pages/qr_code.py"/>
            <source>Type a web address that begins with http or https.</source>
            <translation>Escriba una dirección web que empiece por http o https.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Add as time series</source>
            <translation>Añadir como serie temporal</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Add as overlay</source>
            <translation>Añadir como capa superpuesta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Add to project only</source>
            <translation>Añadir solo al proyecto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Adds all moments of the service. The map shows one of them, and QGIS’s Temporal Controller opens at the first.</source>
            <translation>Añade todos los momentos del servicio. El mapa muestra uno de ellos y el controlador temporal de QGIS se abre en el primero.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Adds the service below everything else on the custom map.</source>
            <translation>Añade el servicio debajo de todo lo demás del mapa personalizado.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Adds the service above the base of the custom map.</source>
            <translation>Añade el servicio encima de la capa base del mapa personalizado.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Lets you choose layers of the service, then adds them to the custom map.</source>
            <translation>Permite elegir capas del servicio y las añade al mapa personalizado.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Adds the layers with their credit to the QGIS project, but not to the custom map.</source>
            <translation>Añade las capas con su crédito al proyecto de QGIS, pero no al mapa personalizado.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>{action} (service “{title}”)</source>
            <translation>{action} (servicio «{title}»)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Show the data “{title}”</source>
            <translation>Mostrar los datos «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>The service is being loaded.</source>
            <translation>El servicio se está cargando.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Contacts the service again.</source>
            <translation>Conecta de nuevo con el servicio.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Add %n layer(s)</source>
            <translation>
                <numerusform>Añadir %n capa</numerusform>
                <numerusform>Añadir %n capas</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Adds the layers that the record’s link names: {layers}.</source>
            <translation>Añade las capas que nombra el enlace del registro: {layers}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Adds the service “{title}” of these data.</source>
            <translation>Añade el servicio «{title}» de estos datos.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>Loads the service and adds it in the way that fits it.</source>
            <translation>Carga el servicio y lo añade del modo que le corresponde.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/add_bar.py"/>
            <source>The service cannot be reached: {reason}</source>
            <translation>No se puede usar el servicio: {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Number of issues</source>
            <translation>Número de avisos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Check links</source>
            <translation>Comprobar enlaces</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Check that every link of the record responds</source>
            <translation>Comprobar que responden todos los enlaces del registro</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Compare with the service</source>
            <translation>Comparar servicio</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Compare the record with the capabilities of the live service</source>
            <translation>Comparar el registro con las capacidades del servicio en vivo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Compare this record with another one, field by field</source>
            <translation>Comparar este registro con otro, campo por campo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Export CSV…</source>
            <translation>Exportar CSV…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Save the issues as a table</source>
            <translation>Guardar los avisos como tabla</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Issues of this record…</source>
            <translation>Avisos de este registro…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Issues of all records in the list…</source>
            <translation>Avisos de todos los registros de la lista…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Issues of the record</source>
            <translation>Avisos del registro</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Buttons to the left</source>
            <translation>Botones a la izquierda</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Buttons to the right</source>
            <translation>Botones a la derecha</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Check the service’s health…</source>
            <translation>Comprobar el estado del servicio…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Links, checked at {time}</source>
            <translation>Enlaces, comprobados a las {time}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>All links respond.</source>
            <translation>Todos los enlaces responden.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Record and live service, compared at {time}</source>
            <translation>Registro y servicio en vivo, comparados a las {time}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>This record has replaced an earlier version.</source>
            <translation>Este registro ha sustituido a una versión anterior.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Compare the two</source>
            <translation>Comparar ambas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>No issues.</source>
            <translation>Sin avisos.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>{field}, the record says: {value}</source>
            <translation>{field}, el registro dice: {value}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>instead: {value}</source>
            <translation>en su lugar: {value}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/checks_tab.py"/>
            <source>Rule: {name}</source>
            <translation>Regla: {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>The two records</source>
            <translation>Los dos registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>Also show equal fields</source>
            <translation>Mostrar también los campos iguales</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>Differences between the two records</source>
            <translation>Diferencias entre los dos registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>− first: {title}</source>
            <translation>− primero: {title}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>+ second: {title}</source>
            <translation>+ segundo: {title}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>The two records are equal in every field.</source>
            <translation>Los dos registros son iguales en todos los campos.</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>%n field(s) with differences</source>
            <translation>
                <numerusform>%n campo con diferencias</numerusform>
                <numerusform>%n campos con diferencias</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>Compare records</source>
            <translation>Comparar registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>Compare with</source>
            <translation>Comparar con</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>Open another record to compare with this one.</source>
            <translation>Abra otro registro para compararlo con este.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>{title} (earlier version)</source>
            <translation>{title} (versión anterior)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>newer</source>
            <translation>más reciente</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>the same</source>
            <translation>igual</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>differs</source>
            <translation>distinto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>only in the first</source>
            <translation>solo en el primero</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>only in the second</source>
            <translation>solo en el segundo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/compare_view.py"/>
            <source>As read on {day} from {source}</source>
            <translation>Como se leyó el {day} de {source}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/metadata_tab.py"/>
            <source>All fields of the record</source>
            <translation>Todos los campos del registro</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>E</source>
            <translation>E</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>W</source>
            <translation>O</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>N</source>
            <translation>N</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>S</source>
            <translation>S</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>{west} to {east}, {south} to {north}</source>
            <translation>de {west} a {east}, de {south} a {north}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>Overview of the record</source>
            <translation>Resumen del registro</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>This record has no abstract.</source>
            <translation>Este registro no tiene resumen.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>Starter record: basic facts about the service until the record is loaded from the catalogue.</source>
            <translation>Registro provisional: datos básicos del servicio hasta que se cargue el registro del catálogo.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>This image was loaded on {day}. Its server does not respond now.</source>
            <translation>Esta imagen se cargó el {day}. Su servidor no responde ahora.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>Thumbnail</source>
            <translation>Miniatura</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>Period</source>
            <translation>Periodo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>The record states no usable extent.</source>
            <translation>El registro no indica ninguna extensión utilizable.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Contact</source>
            <translation>Contacto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/overview_tab.py"/>
            <source>{begin} to {end}</source>
            <translation>de {begin} a {end}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Back to the list (Esc)</source>
            <translation>Volver a la lista (Esc)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>Copy the credit line</source>
            <translation>Copiar la línea de crédito</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Add, copy, open, export or remove this record</source>
            <translation>Añadir, copiar, abrir, exportar o quitar este registro</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Menu of the record</source>
            <translation>Menú del registro</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Remove from the favourites</source>
            <translation>Quitar de los favoritos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Add to the favourites</source>
            <translation>Añadir a los favoritos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Save the record in your records to make it a favourite.</source>
            <translation>Guarde el registro entre sus registros para hacerlo favorito.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>The citation was copied as {name}.</source>
            <translation>La cita se ha copiado como {name}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Copy citation</source>
            <translation>Copiar cita</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Save to my records, to use it offline too</source>
            <translation>Guardar en mis registros, para usarlo también sin conexión</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Save to my records</source>
            <translation>Guardar en mis registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <location filename="../plugin/ui/service/service_view.py"/>
            <source>Reload</source>
            <translation>Recargar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Request the whole record again</source>
            <translation>Volver a solicitar el registro completo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Every version of this record, the newest first</source>
            <translation>Todas las versiones de este registro, la más reciente primero</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>%n version(s)</source>
            <translation>
                <numerusform>%n versión</numerusform>
                <numerusform>%n versiones</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Abstract, contacts, dates and extent</source>
            <translation>Resumen, contactos, fechas y extensión</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>What you may do with it, and the credit a map must show</source>
            <translation>Qué se puede hacer con él y el crédito que un mapa debe mostrar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Layers, operations and limits of the map service</source>
            <translation>Capas, operaciones y límites del servicio de mapas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Every field of the record</source>
            <translation>Todos los campos del registro</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Checks</source>
            <translation>Avisos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Missing, wrong or inconsistent metadata, with advice</source>
            <translation>Metadatos que faltan, erróneos o incoherentes, con consejos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>The original document of the record</source>
            <translation>El documento original del registro</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/record_view.py"/>
            <source>Choose a record to see its terms and layers.</source>
            <translation>Elija un registro para ver sus condiciones y sus capas.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>Summary of the terms</source>
            <translation>Resumen de las condiciones</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>Credit line</source>
            <translation>Línea de crédito</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>Fields that the terms were read from</source>
            <translation>Campos de los que se han leído las condiciones</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>A map must show this credit:</source>
            <translation>Un mapa debe mostrar este crédito:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>A map may show this credit:</source>
            <translation>Un mapa puede mostrar este crédito:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>Show this credit, to be safe:</source>
            <translation>Por seguridad, conviene mostrar este crédito:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>Restrictions</source>
            <translation>Restricciones</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>Open questions</source>
            <translation>Cuestiones abiertas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>Read from: {way}</source>
            <translation>Leído en: {way}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/record/terms_tab.py"/>
            <source>refers to: {field}</source>
            <translation>remite a: {field}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>In current view</source>
            <translation>En la vista actual</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>Only records whose extent is in the map canvas</source>
            <translation>Solo registros cuya extensión está en el lienzo del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>Show extents</source>
            <translation>Mostrar extensiones</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>Draw the extents of the results on the map canvas</source>
            <translation>Dibujar las extensiones de los resultados en el lienzo del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>Filter</source>
            <translation>Filtrar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>Filter by terms, year, organisation, keyword, source or collection</source>
            <translation>Filtrar por condiciones, año, organización, palabra clave, fuente o colección</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>Filters to the left</source>
            <translation>Filtros a la izquierda</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>Filters to the right</source>
            <translation>Filtros a la derecha</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>at least %n record(s)</source>
            <translation>
                <numerusform>al menos %n registro</numerusform>
                <numerusform>al menos %n registros</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>none so far</source>
            <translation>ninguno aún</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>%n in your records</source>
            <translation>
                <numerusform>%n en sus registros</numerusform>
                <numerusform>%n en sus registros</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>%n from catalogues</source>
            <translation>
                <numerusform>%n de catálogos</numerusform>
                <numerusform>%n de catálogos</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>The catalogues have not returned everything. The counts are of the records received so far.</source>
            <translation>Los catálogos no lo han devuelto todo. Los recuentos son de los registros recibidos.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>at least {count}</source>
            <translation>al menos {count}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>No filters available</source>
            <translation>No hay filtros disponibles</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>Order: {order}</source>
            <translation>Orden: {order}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>Newest first</source>
            <translation>Primero los recientes</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/facet_row.py"/>
            <source>Relevance</source>
            <translation>Relevancia</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/record_list.py"/>
            <source>＋ adds it to the map in the way that fits it (Ctrl+Enter)</source>
            <translation>＋ lo añade al mapa del modo que le corresponde (Ctrl+Intro)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/record_list.py"/>
            <source>Record {row} of {rows}</source>
            <translation>Registro {row} de {rows}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/record_list.py"/>
            <source>Enter opens a record, Ctrl+Enter adds its service to the map.</source>
            <translation>Intro abre un registro y Ctrl+Intro añade su servicio al mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/results_controller.py"/>
            <source>No record matches the filters.</source>
            <translation>Ningún registro cumple los filtros.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/results_controller.py"/>
            <source>Show all records</source>
            <translation>Mostrar todos los registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/results_controller.py"/>
            <source>No records yet. Drop files, a folder or an address here.</source>
            <translation>Aún no hay registros. Suelte aquí archivos, una carpeta o una dirección.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/results/results_controller.py"/>
            <source>Searching the catalogues…</source>
            <translation>Buscando en los catálogos…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>Choose layers: {title}</source>
            <translation>Elegir capas: {title}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <location filename="../plugin/ui/service/layer_combo_box.py"/>
            <location filename="../plugin/ui/service/layers_page.py"/>
            <source>Find a layer…</source>
            <translation>Buscar una capa…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <location filename="../plugin/ui/service/layer_combo_box.py"/>
            <location filename="../plugin/ui/service/layers_page.py"/>
            <source>Find a layer</source>
            <translation>Buscar una capa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>All</source>
            <translation>Todas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <location filename="../plugin/ui/service/layer_combo_box.py"/>
            <source>None</source>
            <translation>Ninguna</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>Check all layers</source>
            <translation>Marcar todas las capas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>Uncheck all layers</source>
            <translation>Desmarcar todas las capas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>Style of the layer</source>
            <translation>Estilo de la capa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>Image format</source>
            <translation>Formato de imagen</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>Automatic</source>
            <translation>Automático</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>Use as</source>
            <translation>Usar como</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>Overlay</source>
            <translation>Capa superpuesta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>Base, below everything else</source>
            <translation>Base, debajo de todo lo demás</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>&amp;Style of the layer</source>
            <translation>&amp;Estilo de la capa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>&amp;Coordinate system</source>
            <translation>Sistema de &amp;coordenadas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>Image &amp;format</source>
            <translation>&amp;Formato de imagen</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>&amp;Use as</source>
            <translation>&amp;Usar como</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <location filename="../plugin/ui/service/layer_combo_box.py"/>
            <location filename="../plugin/ui/service/layers_page.py"/>
            <source>Layers of the service</source>
            <translation>Capas del servicio</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>Check the layers to be shown.</source>
            <translation>Marque las capas que se han de mostrar.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>At most {count} layers are previewed.</source>
            <translation>La vista previa muestra como máximo {count} capas.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>Default</source>
            <translation>Predeterminado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>group</source>
            <translation>grupo</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>%n layer(s) chosen</source>
            <translation>
                <numerusform>%n capa elegida</numerusform>
                <numerusform>%n capas elegidas</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/add_layers_dialog.py"/>
            <source>{crs} (project CRS)</source>
            <translation>{crs} (el del proyecto)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layer_combo_box.py"/>
            <source>Choose layers…</source>
            <translation>Elegir capas…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layer_combo_box.py"/>
            <source>Done</source>
            <translation>Hecho</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layer_model.py"/>
            <source>Group without a title</source>
            <translation>Grupo sin título</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layer_model.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>can be queried</source>
            <translation>se puede consultar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layer_model.py"/>
            <source>cannot be requested</source>
            <translation>no se puede solicitar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layers_page.py"/>
            <source>Add the chosen layers to the map; they can also be dragged onto it</source>
            <translation>Añadir al mapa las capas elegidas; también se pueden arrastrar hasta él</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layers_page.py"/>
            <source>Add the chosen layers to the map</source>
            <translation>Añadir al mapa las capas elegidas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layers_page.py"/>
            <source>Details of the layer</source>
            <translation>Detalles de la capa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layers_page.py"/>
            <source>Copy the name</source>
            <translation>Copiar el nombre</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layers_page.py"/>
            <source>Request its map…</source>
            <translation>Solicitar su mapa…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layers_page.py"/>
            <source>Request its legend…</source>
            <translation>Solicitar su leyenda…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layers_page.py"/>
            <source>Find its data source</source>
            <translation>Buscar su origen de datos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/layers_page.py"/>
            <source>Show its styles</source>
            <translation>Mostrar sus estilos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>The image received</source>
            <translation>La imagen recibida</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Styles and their rules</source>
            <translation>Estilos y sus reglas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Style: {name}</source>
            <translation>Estilo: {name}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>default</source>
            <translation>predeterminado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>name only, without rules</source>
            <translation>solo el nombre, sin sus reglas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>pixels</source>
            <translation>píxeles</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>labels</source>
            <translation>etiquetas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>unnamed</source>
            <translation>sin nombre</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>all</source>
            <translation>todas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>The data behind the layers</source>
            <translation>Los datos de los que proceden las capas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>The layer is added to the project with the credit of the record.</source>
            <translation>La capa se añade al proyecto con el crédito del registro.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Add {type} as a layer</source>
            <translation>Añadir {type} como capa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Add the data as a layer</source>
            <translation>Añadir los datos como capa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Add {type} of the {kind} to the project</source>
            <translation>Añadir {type} del {kind} al proyecto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>This layer has no data that can be downloaded, or the service does not say where they are.</source>
            <translation>Esta capa no tiene datos que se puedan descargar, o el servicio no indica dónde están.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>{types}, {kind} at {address}</source>
            <translation>{types}, {kind} en {address}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Back to the request</source>
            <translation>Volver a la petición</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Save the response as…</source>
            <translation>Guardar la respuesta como…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Save this map and add it to the project as a layer…</source>
            <translation>Guardar este mapa y añadirlo al proyecto como capa…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>This cannot be displayed here. Save it to open it in another program.</source>
            <translation>No se puede mostrar aquí. Guárdelo para abrirlo con otro programa.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>The response</source>
            <translation>La respuesta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>The web page received</source>
            <translation>La página web recibida</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>The text received</source>
            <translation>El texto recibido</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>No response yet. Fill in the request and send it.</source>
            <translation>Aún no hay respuesta: complete la petición y envíela.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Cancelled before a response was received.</source>
            <translation>Cancelado antes de recibir respuesta.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>No response.</source>
            <translation>Sin respuesta.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Image</source>
            <translation>Imagen</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Rules</source>
            <translation>Reglas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>Data</source>
            <translation>Datos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>no type given</source>
            <translation>sin tipo declarado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>{width} × {height} pixels</source>
            <translation>{width} × {height} píxeles</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>no styles in it</source>
            <translation>no contiene ningún estilo</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/service/operation_answer.py"/>
            <source>%n byte(s)</source>
            <translation>
                <numerusform>%n byte</numerusform>
                <numerusform>%n bytes</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Extent of the layers</source>
            <translation>La de las capas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Extent of the map canvas</source>
            <translation>La del lienzo del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>As typed</source>
            <translation>La escrita</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Extent in degrees: west, south, east, north</source>
            <translation>Extensión en grados: oeste, sur, este, norte</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>west, south, east, north</source>
            <translation>oeste, sur, este, norte</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Longitudes and latitudes in degrees: west, south, east, north</source>
            <translation>Longitudes y latitudes en grados: oeste, sur, este, norte</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>No map canvas is open.</source>
            <translation>No hay ningún lienzo de mapa abierto.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Width in pixels</source>
            <translation>Anchura en píxeles</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Height in pixels</source>
            <translation>Altura en píxeles</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Square pixels</source>
            <translation>Píxeles cuadrados</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>The height is calculated from the extent. Some servers draw nothing otherwise.</source>
            <translation>La altura se calcula a partir de la extensión. De otro modo, algunos servidores no dibujan nada.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Background colour</source>
            <translation>Color de fondo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Background colour where the map is not transparent</source>
            <translation>Color de fondo donde el mapa no es transparente</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>the service’s default</source>
            <translation>el predeterminado del servicio</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Pixel position: column, row</source>
            <translation>Posición del píxel: columna, fila</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>column, row (empty: centre)</source>
            <translation>columna, fila (vacío: el centro)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Pick…</source>
            <translation>Señalar…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Request the map and click a position in it</source>
            <translation>Solicitar el mapa y pulsar en él una posición</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Choose an SLD file</source>
            <translation>Elegir un archivo SLD</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Custom style: the web address of an SLD, or a file</source>
            <translation>Estilo personalizado: la dirección web de un SLD o un archivo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>none; an SLD’s address or file</source>
            <translation>ninguno; dirección o archivo de un SLD</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>as a report (XML)</source>
            <translation>como informe (XML)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>drawn into the image</source>
            <translation>dibujados en la imagen</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>as a blank image</source>
            <translation>como imagen vacía</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>The position must be two whole numbers: column, row.</source>
            <translation>La posición debe ser dos números enteros: columna, fila.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Operation</source>
            <translation>Operación</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Method</source>
            <translation>Método</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Encoding</source>
            <translation>Codificación</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Response format</source>
            <translation>Formato de respuesta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Transparent</source>
            <translation>Transparente</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Maximum features per layer</source>
            <translation>Máximo de objetos por capa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>all, or the name of a rule from GetStyles</source>
            <translation>todas, o el nombre de una regla de GetStyles</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>any; such as 25000</source>
            <translation>cualquiera; p. ej. 25000</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>the highest</source>
            <translation>la más alta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Only if changed since</source>
            <translation>Solo si ha cambiado desde entonces</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Style</source>
            <translation>Estilo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>CRS</source>
            <translation>SRC</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Size</source>
            <translation>Tamaño</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Pixel</source>
            <translation>Píxel</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Response</source>
            <translation>Respuesta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Features</source>
            <translation>Objetos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Dimensions</source>
            <translation>Dimensiones</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Background</source>
            <translation>Fondo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>Custom style</source>
            <translation>Estilo personalizado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>not offered</source>
            <translation>no se ofrece</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>The service gives no update sequence.</source>
            <translation>El servicio no indica ninguna secuencia de actualización.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>The service advertises no {method} address for this operation.</source>
            <translation>El servicio no anuncia ninguna dirección {method} para esta operación.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>a form</source>
            <translation>formulario</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operation_form.py"/>
            <source>{crs} · project CRS</source>
            <translation>{crs} · el del proyecto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>Operations of the service</source>
            <translation>Operaciones del servicio</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>New request…</source>
            <translation>Nueva petición…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>Cartoguide: service requests</source>
            <translation>Cartoguide: peticiones a un servicio</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <location filename="../plugin/ui/service/service_view.py"/>
            <source>The service has not been loaded yet.</source>
            <translation>Aún no se ha cargado el servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>Requesting {operation}…</source>
            <translation>Solicitando {operation}…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>Click a position to query the features there.</source>
            <translation>Pulse un punto para consultar los objetos que hay en él.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>Back to the list of operations</source>
            <translation>Volver a la lista de operaciones</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>Open in a separate window</source>
            <translation>Abrir en una ventana aparte</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>The request</source>
            <translation>La petición</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>Why it cannot be sent</source>
            <translation>Por qué no se puede enviar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <location filename="../plugin/ui/widgets/buttons.py"/>
            <location filename="../plugin/ui/widgets/messages.py"/>
            <source>Copy</source>
            <translation>Copiar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>Copy the request</source>
            <translation>Copiar la petición</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>Copy for curl</source>
            <translation>Copiar para curl</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>Copy the request as a curl command for a shell</source>
            <translation>Copiar la petición como orden de curl para una consola</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>Send</source>
            <translation>Enviar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>This is open in a separate window.</source>
            <translation>Está abierto en una ventana aparte.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/operations_page.py"/>
            <source>Move it back</source>
            <translation>Devolverlo aquí</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>describes the service</source>
            <translation>describe el servicio</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>draws the map</source>
            <translation>dibuja el mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>returns the features at a point</source>
            <translation>devuelve los objetos de un punto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>describes the data source of a layer</source>
            <translation>describe el origen de datos de una capa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>draws the legend</source>
            <translation>dibuja la leyenda</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>returns the styles</source>
            <translation>devuelve los estilos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>The record lists no operations.</source>
            <translation>El registro no enumera ninguna operación.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Only in the capabilities</source>
            <translation>Solo en las capacidades</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Formats: {formats}</source>
            <translation>Formatos: {formats}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>The capabilities do not list this operation.</source>
            <translation>Las capacidades no incluyen esta operación.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Request…</source>
            <translation>Solicitar…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>none (group only)</source>
            <translation>ninguno (solo es un grupo)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Query</source>
            <translation>Consulta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>cannot be queried</source>
            <translation>no se puede consultar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Coordinate systems</source>
            <translation>Sistemas de coordenadas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Access</source>
            <translation>Acceso</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Limits</source>
            <translation>Límites</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Feature info formats</source>
            <translation>Formatos de consulta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>Website</source>
            <translation>Sitio web</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>images up to {width} × {height} pixels</source>
            <translation>imágenes de hasta {width} × {height} píxeles</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>%n layer(s) in one image</source>
            <translation>
                <numerusform>%n capa por imagen</numerusform>
                <numerusform>%n capas por imagen</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>none listed</source>
            <translation>no se indica ninguno</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>opaque: it hides what lies below</source>
            <translation>opaca: tapa lo que hay debajo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>only as a whole, not in parts</source>
            <translation>solo entera, no por partes</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>only at {width} × {height} pixels</source>
            <translation>solo a {width} × {height} píxeles</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_html.py"/>
            <source>cascaded from another service</source>
            <translation>procede de otro servicio (en cascada)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_view.py"/>
            <source>The service as a whole</source>
            <translation>El servicio en conjunto</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_view.py"/>
            <source>Load</source>
            <translation>Cargar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_view.py"/>
            <source>This record names no map service (WMS).</source>
            <translation>Este registro no indica ningún servicio de mapas (WMS).</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_view.py"/>
            <source>Layers ({count})</source>
            <translation>Capas ({count})</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service/service_view.py"/>
            <source>About</source>
            <translation>Acerca de</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Cartoguide: health of services</source>
            <translation>Cartoguide: estado de los servicios</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Reading the checks of services</source>
            <translation>Leyendo las comprobaciones de servicios</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Checked services</source>
            <translation>Servicios comprobados</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Checked</source>
            <translation>Comprobado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Operations tried</source>
            <translation>Operaciones probadas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Check all services</source>
            <translation>Comprobar todos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Check again</source>
            <translation>Comprobar de nuevo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Save as HTML…</source>
            <translation>Guardar como HTML…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Save as CSV…</source>
            <translation>Guardar como CSV…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Searching for the services of the records…</source>
            <translation>Buscando los servicios de los registros…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>No record leads to a map service.</source>
            <translation>Ningún registro conduce a un servicio de mapas.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>{done} of {total}: {words}</source>
            <translation>{done} de {total}: {words}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>No service has been checked yet.</source>
            <translation>Aún no se ha comprobado ningún servicio.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Save the checks as HTML</source>
            <translation>Guardar las comprobaciones como HTML</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Save the checks as CSV</source>
            <translation>Guardar las comprobaciones como CSV</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>health</source>
            <translation>estado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>checked {when}</source>
            <translation>comprobado {when}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/service_health_dialog.py"/>
            <source>Before</source>
            <translation>Antes</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Cartoguide: network</source>
            <translation>Cartoguide: red</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Services. {base_url} and {node} stand for the network’s base address and prefix:</source>
            <translation>Servicios. {base_url} y {node} representan la dirección base y el prefijo de la red:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Records bundled with the network:</source>
            <translation>Registros incluidos en la red:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>{title} (copy)</source>
            <translation>{title} (copia)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>none</source>
            <translation>ninguno</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>&amp;Title</source>
            <translation>&amp;Título</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>&amp;Base address</source>
            <translation>Dirección &amp;base</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>&amp;Name prefix</source>
            <translation>Prefijo de los &amp;nombres</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Coordinate &amp;system</source>
            <translation>&amp;Sistema de coordenadas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Catalogue t&amp;ype</source>
            <translation>&amp;Tipo de catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Catalogue &amp;address</source>
            <translation>&amp;Dirección del catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Catalogue’s &amp;language</source>
            <translation>&amp;Idioma del catálogo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Services of the network</source>
            <translation>Servicios de la red</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Key</source>
            <translation>Clave</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Add a servi&amp;ce</source>
            <translation>Añadir un servi&amp;cio</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Remo&amp;ve</source>
            <translation>&amp;Quitar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Add &amp;records…</source>
            <translation>Añadir &amp;registros…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Network profile</source>
            <translation>Perfil de red</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Edit, import and export networks</source>
            <translation>Editar, importar y exportar redes</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Edit…</source>
            <translation>Editar…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Import…</source>
            <translation>Importar…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Remove</source>
            <translation>Quitar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>{title} (bundled with Cartoguide)</source>
            <translation>{title} (incluida en Cartoguide)</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>“{name}” removed.</source>
            <translation>Se ha quitado «{name}».</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Import a network</source>
            <translation>Importar una red</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Network profiles</source>
            <translation>Perfiles de red</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Export the network</source>
            <translation>Exportar la red</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>With its records</source>
            <translation>Con sus registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/network_profile_field.py"/>
            <source>Profile only</source>
            <translation>Solo el perfil</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>the network bundled with Cartoguide</source>
            <translation>la red incluida en Cartoguide</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>in the QGIS profile</source>
            <translation>en el perfil de QGIS</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Network &amp;profile</source>
            <translation>&amp;Perfil de red</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Record &amp;library</source>
            <translation>&amp;Biblioteca de registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>O&amp;verview images</source>
            <translation>Imá&amp;genes de muestra</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Cre&amp;dit pattern</source>
            <translation>Patrón del cré&amp;dito</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>&amp;Map canvas</source>
            <translation>Lien&amp;zo del mapa</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Pap&amp;er</source>
            <translation>Pap&amp;el</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>&amp;Orientation</source>
            <translation>&amp;Orientación</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Resol&amp;ution</source>
            <translation>Resol&amp;ución</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Templates &amp;folder</source>
            <translation>Carpeta de p&amp;lantillas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>O&amp;wn colours</source>
            <translation>Colores p&amp;ropios</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Connect&amp;ion timeout</source>
            <translation>Tie&amp;mpo de conexión</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>&amp;Total timeout</source>
            <translation>Tiempo total de &amp;respuesta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Refresh capabilitie&amp;s after</source>
            <translation>Actualizar capacida&amp;des tras</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>&amp;Retries</source>
            <translation>&amp;Reintentos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Parallel re&amp;quests per server</source>
            <translation>Pet&amp;iciones en paralelo por servidor</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Maximum response si&amp;ze</source>
            <translation>Tamaño má&amp;ximo de respuesta</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Before e&amp;xporting</source>
            <translation>Antes de e&amp;xportar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Credit on maps</source>
            <translation>Crédito en los mapas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Layouts</source>
            <translation>Composiciones</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Requests</source>
            <translation>Peticiones</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Capabilities of services</source>
            <translation>Capacidades de los servicios</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>switched on</source>
            <translation>activado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>switched off</source>
            <translation>desactivado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Default: {value}</source>
            <translation>Valor predeterminado: {value}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Request every image</source>
            <translation>Solicitar todas las imágenes</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Load for all records</source>
            <translation>Cargarlas de todos los registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Show credits</source>
            <translation>Mostrar los créditos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>from the profile</source>
            <translation>del perfil</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Record libraries</source>
            <translation>Bibliotecas de registros</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Copy existing re&amp;cords</source>
            <translation>&amp;Copiar los registros existentes</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Copies all records, collections and cached responses to the other library. The old file is not changed</source>
            <translation>Copia todos los registros, colecciones y respuestas en caché a la otra biblioteca. El archivo anterior no cambia</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Redirects and logins with a risk</source>
            <translation>Redirecciones y credenciales con riesgo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>{setting}: choose…</source>
            <translation>{setting}: elegir…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Placeholders: {places}</source>
            <translation>Marcadores de posición: {places}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Checking the record library…</source>
            <translation>Comprobando la biblioteca de registros…</translation>
        </message>
        <message numerus="yes">
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>%n record(s) are now in the other library. The old one still exists: {name}</source>
            <translation>
                <numerusform>Ahora hay %n registro en la otra biblioteca. La anterior sigue en {name}</numerusform>
                <numerusform>Ahora hay %n registros en la otra biblioteca. La anterior sigue en {name}</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>An address begins with http:// or https://.</source>
            <translation>Una dirección empieza por http:// o https://.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>The credit pattern has an unknown placeholder: {place}.</source>
            <translation>El patrón del crédito tiene un marcador de posición desconocido: {place}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Cartoguide: settings</source>
            <translation>Cartoguide: configuración</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Colour of title and headings</source>
            <translation>Color del título y los encabezados</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Colour of the line below the title</source>
            <translation>Color de la línea bajo el título</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Servers that may redirect to http, or into your own network, or whose login may be sent to another server, with your consent:</source>
            <translation>Servidores que pueden redirigir a http, o a su propia red, o cuyas credenciales pueden enviarse a otro servidor, con su consentimiento:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Accepted redirects and logins</source>
            <translation>Redirecciones y credenciales aceptadas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Login: {host} → {target}</source>
            <translation>Credenciales: {host} → {target}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>None. Such redirects are refused, and logins not sent to other servers, until you accept one in its error message.</source>
            <translation>Ninguna. Estas redirecciones se rechazan, y las credenciales no se envían a otros servidores, hasta que lo acepte en su mensaje de error.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>&amp;Revoke</source>
            <translation>&amp;Revocar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/settings/settings_form.py"/>
            <source>Refuse this again</source>
            <translation>Volver a rechazarlo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/buttons.py"/>
            <source>Copied</source>
            <translation>Copiado</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/buttons.py"/>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>OK</source>
            <translation>Aceptar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/buttons.py"/>
            <source>Restore defaults</source>
            <translation>Restaurar valores predeterminados</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/buttons.py"/>
            <location filename="../plugin/ui/widgets/guide.py"/>
            <source>Help</source>
            <translation>Ayuda</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Open an address</source>
            <translation>Abrir una dirección</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>&amp;Address of a record (its page or its XML), of a catalogue, or of a map service</source>
            <translation>&amp;Dirección de un registro (su página o su XML), de un catálogo o de un servicio de mapas</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Name of the collection:</source>
            <translation>Nombre de la colección:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>“{title}” was not saved by this QGIS profile. It names files, servers or databases beside its map services. Open them only if you know whom it is from.</source>
            <translation>«{title}» no fue guardado por este perfil de QGIS. Además de sus servicios de mapas nombra archivos, servidores o bases de datos. Ábralos solo si sabe de quién es.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Files beside or below the map, servers and databases:</source>
            <translation>Archivos junto al mapa o por debajo, servidores y bases de datos:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Files elsewhere on this computer:</source>
            <translation>Archivos de otros lugares de este equipo:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Open the files elsewhere too</source>
            <translation>Abrir también los archivos de otros lugares</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>“{layer}”: {reason}</source>
            <translation>«{layer}»: {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Layers that are not opened in any case:</source>
            <translation>Capas que no se abren en ningún caso:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Open the map without them</source>
            <translation>Abrir el mapa sin ellos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Open them</source>
            <translation>Abrirlos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Did you make this map yourself, on another computer, in another folder or with a former version? Then it can be opened as your own, with its styles and with layers that are not opened otherwise.</source>
            <translation>¿Hizo usted este mapa, en otro equipo, en otra carpeta o con una versión anterior? Entonces puede abrirse como propio, con sus estilos y con capas que de otro modo no se abren.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>I made this map myself…</source>
            <translation>Este mapa lo hice yo…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Open as your own map?</source>
            <translation>¿Abrir el mapa como suyo?</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>“{title}” will be opened as if you had saved it here. The files, servers, databases and expressions that it names are used without any check. If somebody else made it, it can read files of this computer and send them away.</source>
            <translation>«{title}» se abrirá como si lo hubiera guardado usted aquí. Los archivos, servidores, bases de datos y expresiones que nombra se usan sin ninguna comprobación. Si lo hizo otra persona, puede leer archivos de este equipo y enviarlos fuera.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>The rules for maps of somebody else would keep out:</source>
            <translation>Las reglas para mapas de otras personas dejarían fuera:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>The rules for maps of somebody else would keep nothing out of it: it can be opened with them just as well.</source>
            <translation>Las reglas para mapas de otras personas no dejarían nada fuera: se puede abrir igual de bien con ellas.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <location filename="../plugin/ui/widgets/guide.py"/>
            <source>Back</source>
            <translation>Atrás</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>I made it: open all of it</source>
            <translation>Lo hice yo: abrirlo todo</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Date modified</source>
            <translation>Fecha de modificación</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Look in:</source>
            <translation>Buscar en:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>File &amp;name:</source>
            <translation>&amp;Nombre de archivo:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>Files of type:</source>
            <translation>Archivos de tipo:</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>&amp;Save</source>
            <translation>&amp;Guardar</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/dialogs.py"/>
            <source>&amp;Open</source>
            <translation>&amp;Abrir</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>The address of {host} contained a login or a key. Cartoguide removed it, because addresses are saved and shown. QGIS can store it encrypted, and send it to {host} only.</source>
            <translation>La dirección de {host} contenía credenciales o una clave. Cartoguide las ha quitado, porque las direcciones se guardan y se muestran. QGIS puede guardarlas cifradas y enviarlas solo a {host}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>Login for {host}</source>
            <translation>Credenciales para {host}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>The login is stored by QGIS and sent to {host} only.</source>
            <translation>QGIS guarda las credenciales, que solo se envían a {host}.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>Redirect into your network</source>
            <translation>Redirección a su red</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>{host} redirects to {target}, an address of this computer or its own network. A public server could make Cartoguide call services that only you can reach. No login is sent to it.

Should Cartoguide follow this redirect from now on?</source>
            <translation>{host} redirige a {target}, una dirección de este equipo o de su propia red. Un servidor público podría hacer que Cartoguide llame a servicios a los que solo usted tiene acceso. No se le envían credenciales.

¿Debe Cartoguide seguir esta redirección de ahora en adelante?</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>Insecure redirect</source>
            <translation>Redirección no segura</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>{host} redirects from https to the insecure address {target}. Anyone on the network path can read and alter this traffic. No login is sent to it.

Should Cartoguide follow this redirect from now on?</source>
            <translation>{host} redirige de https a la dirección no segura {target}. Cualquiera que esté en la ruta de red puede leer y alterar este tráfico. No se le envían credenciales.

¿Debe Cartoguide seguir esta redirección de ahora en adelante?</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>Follow the redirect</source>
            <translation>Seguir la redirección</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>The service at {host} names {target} for its maps. Whoever runs {target} can read the login for {host} if it is sent there, and use it.

Should Cartoguide and QGIS send this login to {target} from now on?</source>
            <translation>El servicio de {host} indica {target} para sus mapas. Quien administre {target} puede leer las credenciales de {host} si se envían allí, y usarlas.

¿Deben Cartoguide y QGIS enviar estas credenciales a {target} de ahora en adelante?</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>Login for another server</source>
            <translation>Credenciales para otro servidor</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>Send the login</source>
            <translation>Enviar las credenciales</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>Send the login…</source>
            <translation>Enviar las credenciales…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>Follow the redirect…</source>
            <translation>Seguir la redirección…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/error_actions.py"/>
            <source>Choose a login…</source>
            <translation>Elegir credenciales…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/map_preview.py"/>
            <source>Open the record to load its map.</source>
            <translation>Abra el registro para cargar su mapa.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/map_preview.py"/>
            <source>Loading the map…</source>
            <translation>Cargando el mapa…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/map_preview.py"/>
            <source>No map: {reason}</source>
            <translation>Sin mapa: {reason}</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/map_preview.py"/>
            <source>Map preview of “{title}”</source>
            <translation>Vista previa del mapa de «{title}»</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/messages.py"/>
            <source>Cartoguide: details</source>
            <translation>Cartoguide: detalles</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/messages.py"/>
            <source>Technical details</source>
            <translation>Detalles técnicos</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/messages.py"/>
            <source>Close this message</source>
            <translation>Cerrar este mensaje</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/messages.py"/>
            <source>Now try again.</source>
            <translation>Inténtelo ahora de nuevo.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/rich_text.py"/>
            <source>This record is very long. The XML tab shows all of it.</source>
            <translation>Este registro es muy largo. La pestaña XML lo muestra completo.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/xml_tab.py"/>
            <source>XML of the record</source>
            <translation>XML del registro</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/xml_tab.py"/>
            <source>Find in the XML…</source>
            <translation>Buscar en el XML…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/xml_tab.py"/>
            <source>Find in the XML</source>
            <translation>Buscar en el XML</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/xml_tab.py"/>
            <source>Previous match</source>
            <translation>Coincidencia anterior</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/xml_tab.py"/>
            <source>Next match</source>
            <translation>Coincidencia siguiente</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/xml_tab.py"/>
            <source>Copy the whole document</source>
            <translation>Copiar todo el documento</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/xml_tab.py"/>
            <source>Save the document as…</source>
            <translation>Guardar el documento como…</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/xml_tab.py"/>
            <source>The original document of this record is not available.</source>
            <translation>El documento original de este registro no está disponible.</translation>
        </message>
        <message>
            <location filename="../plugin/ui/widgets/xml_tab.py"/>
            <source>not found</source>
            <translation>no encontrado</translation>
        </message>
    </context>
</TS>
