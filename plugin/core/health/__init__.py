"""The health of map services: what each operation answered when it was asked once, kept with its date, in words."""
