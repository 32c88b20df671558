"""Turns a card into the files that are exported. Pure: the same card gives the same bytes."""
