"""What was made, as a text that a person changes in an editor, and back."""
