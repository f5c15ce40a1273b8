"""The commands of ``python3 -m plugin.core``, one module each: ``add_parser`` declares its options, ``run`` runs it."""
