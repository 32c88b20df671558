"""Links at the top of every page. A new desk adds its link here."""

# (name of the words `nav.{name}`, path)
NAVIGATION = (
    ("inbox", "/my"),
    ("tasks", "/my/tasks"),
    ("shipped", "/my/list/shipped"),
    ("archived", "/my/list/archived"),
    ("settings", "/my/settings"),
)
