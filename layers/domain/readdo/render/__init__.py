"""Turns a card into the files that are exported. Pure: the same card gives the same bytes."""

from readdo.render.files import FILE_NAMES, RENDERER, file_name, render
from readdo.render.names import disposition, download_name
from readdo.render.order import RenderError, Source

__all__ = ["FILE_NAMES", "RENDERER", "RenderError", "Source", "disposition", "download_name", "file_name", "render"]
