"""State and work of the windows as QObjects without widgets: sessions, models, controllers, undo."""
