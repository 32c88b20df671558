"""Render a card into its export files. Deterministic: the same card gives the same bytes."""
