"""Print layouts: built from templates and plans, their texts, legends, grids and location map, and checks of them."""
