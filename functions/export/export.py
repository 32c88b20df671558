"""Export function: render the files of one card version once per key, and ship the item."""

from collections.abc import Mapping
from typing import Any

from readdo import clock, store
from readdo.errors import StepFailed
from readdo.read import export_run
from readdo.render.download_names import disposition, download_name
from readdo.render.files import RENDERER, file_name, render
from readdo.render.render_request import CardSource, RenderError
from readdo.runtime import logger, redact_errors

CONTENT_TYPES = {
    "png": "image/png",
    "md": "text/markdown; charset=utf-8",
    "caption": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "pdf": "application/pdf",
}


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    run = export_run.ExportRun.of(event)
    logger.append_keys(item=run.item, export=run.export, epoch=run.epoch)
    export_run.carry_out(store.open_table(), run, draw, RENDERER, clock.now())
    return event


def draw(
    form: str, card: dict[str, Any], export: Mapping[str, Any], item: Mapping[str, Any]
) -> export_run.RenderedFile:
    fields = {name: str(item.get(name, "")) for name in ("title", "url", "domain")}
    source = CardSource(**fields, intent=str(item.get("intent_text", "")))
    try:
        files = render(
            card,
            formats=[form],
            theme=export["theme"],
            layout=export["layout"],
            source=source,
            beside=export["formats"],
        )
    except RenderError as error:
        raise StepFailed(
            "EXPORT_RENDER_FAILED", error.args[0], retryable=False, debug=type(error.__cause__).__name__
        ) from error
    return export_run.RenderedFile(
        file_name(form), CONTENT_TYPES[form], disposition(download_name(form, card, source)), files[form]
    )
