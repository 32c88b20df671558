"""Edit artifacts as text in the user's editor."""
