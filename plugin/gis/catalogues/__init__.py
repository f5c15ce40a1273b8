"""Remote catalogues: searching several at once, harvesting, the list of saved ones."""
