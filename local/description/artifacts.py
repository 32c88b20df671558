"""Response models of artifacts: an envelope around a payload with a schema in schemas/artifacts/."""

from typing import Annotated, Any, Literal

from pydantic import Field

from readdo.read.requests import Format, Layout, Theme

from .fields import KEY, Answer, Id, Time, Version, component, one_of, optional, required
from .items import Failure

Maker = Literal["system", "user"]


class Usage(Answer):
    """Usage of a language model."""

    calls: int = required("Number of requests. More than one if a response had to be repaired.")
    input_tokens: int = required("Input tokens, as the provider counts them.")
    output_tokens: int = required("Output tokens, as the provider counts them.")
    cost: float = optional("Cost in the currency of the configured prices. Missing without prices.")


class Meta(Answer):
    """Origin of an artifact. Contains no user text and no secrets."""

    run_id: Id = required("The run that created the artifact. For an edit: the run of the version that you edited.")
    engine_version: str = required("Name and version of the engine.")
    template_version: str = required("Name and version of the template.")
    created_at: Time = required("Time of creation.")
    created_by: Maker = required("Who created it.")
    input_hash: str = optional("Hash of the inputs. The same inputs have the same hash.")
    upstream_versions: dict[str, int] = optional("Versions of the artifacts that this artifact was created from.")
    edited_version: Version = optional("For edits: the version that you edited.")
    model_id: str = optional("The language model, if one was used.")
    prompt_hash: str = optional("Hash of the prompt.")
    usage: Usage = optional("Usage of the language model.")


class _Envelope(Answer):
    version: Version = required("Version number, from 1 for each item and type.")
    created_by: Maker = required("Who created the version: the system or you.")
    created_at: Time = required("Time of creation.")
    meta: Meta = required("Origin of the artifact.")


class _Listed(Answer):
    shown: bool = required("Whether the item shows this version.")


class ExtractionArtifact(_Envelope):
    """The readable text of the page."""

    artifact_type: Literal["extraction"] = required("Type of the artifact.")
    payload: Annotated[Any, component("ExtractionPayload")] = required("The text.")


class SummaryArtifact(_Envelope):
    """Three bullets and one insight."""

    artifact_type: Literal["summary"] = required("Type of the artifact.")
    payload: Annotated[Any, component("SummaryPayload")] = required("The summary.")


class ScoreArtifact(_Envelope):
    """The score of the text for the intent, with reasons."""

    artifact_type: Literal["score"] = required("Type of the artifact.")
    payload: Annotated[Any, component("ScorePayload")] = required("The score.")


class TodosArtifact(_Envelope):
    """The todos of an item."""

    artifact_type: Literal["todos"] = required("Type of the artifact.")
    payload: Annotated[Any, component("TodosPayload")] = required("The todos.")


class CardArtifact(_Envelope):
    """A card that can be exported."""

    artifact_type: Literal["card"] = required("Type of the artifact.")
    payload: Annotated[Any, component("CardPayload")] = required("The card.")


class ListedExtraction(_Envelope, _Listed):
    """A version of the extraction, without its text."""

    artifact_type: Literal["extraction"] = required("Type of the artifact.")


class ListedSummary(SummaryArtifact, _Listed):
    """A version of the summary."""


class ListedScore(ScoreArtifact, _Listed):
    """A version of the score."""


class ListedTodos(TodosArtifact, _Listed):
    """A version of the todos."""


class ListedCard(CardArtifact, _Listed):
    """A version of the card."""


class ExportFile(Answer):
    """A file of an export."""

    type: Format = required("Format of the file.")
    path: str = required("Path of the file, relative to the URL of the API.", minLength=1, maxLength=400)
    created_at: Time = required("Time of creation.")
    bytes: Version = required("Size in bytes.")
    sha256: str = required("SHA-256 in hexadecimal.", pattern="^[0-9a-f]{64}$")


class Renderer(Answer):
    """The renderer of the files."""

    name: str = required("Name of the renderer.")
    version: str = required("Version of the renderer.")


class ExportPayload(Answer):
    """The files of an export. The list is complete when the export is DONE."""

    files: list[ExportFile] = required("Files, in the order of `formats`.", maxItems=6)
    export_key: str = required("Key of the export.", pattern=KEY)
    renderer: Renderer | None = required("The renderer; null until the export is DONE.")


class ExportMeta(Answer):
    """The card and the options of an export."""

    run_id: Id = required("The run that created the card.")
    engine_version: str = required("Name and version of the renderer; empty until the export is DONE.")
    template_version: str = required("Same as `layout`.")
    card_version: Version = required("Version of the card.")
    formats: list[Format] = required(
        "Requested formats. A new request with the same formats creates the missing files.", minItems=1
    )
    theme: Theme = required("Theme of the picture.")
    layout: Layout = required("Layout of the picture.")
    created_at: Time = required("Time of completion; until then, time of the request.")
    created_by: Literal["system"] = required("Always system.")


class ExportArtifact(Answer):
    """An export and its status."""

    artifact_type: Literal["export"] = required("Type of the artifact.")
    status: str = required("Current status of the export.", **one_of(("RUNNING", "DONE", "FAILED")))
    version: Version = required("Number of the export, from 1 for each item.")
    created_by: Literal["system"] = required("Always system.")
    created_at: Time = required("Time of completion; until then, time of the request.")
    meta: ExportMeta = required("The card and the options.")
    payload: ExportPayload = required("Files of the export.")
    failure: Failure = optional("Why the export failed. Only while it is FAILED.")


class Shown(Answer):
    """The shown version of each artifact: your newest one, or the generated one of the served run."""

    extraction: ExtractionArtifact = optional("The text.")
    summary: SummaryArtifact = optional("The summary.")
    score: ScoreArtifact = optional("The score.")
    todos: TodosArtifact = optional("The todos.")
    card: CardArtifact = optional("The card.")
    export: ExportArtifact = optional("The newest export that is DONE.")


class Versions(Answer):
    """The newest 20 versions of each artifact, newest first."""

    extraction: list[ListedExtraction] = optional("Versions of the extraction, without their texts.", maxItems=20)
    summary: list[ListedSummary] = optional("Versions of the summary.", maxItems=20)
    score: list[ListedScore] = optional("Versions of the score.", maxItems=20)
    todos: list[ListedTodos] = optional("Versions of the todos.", maxItems=20)
    card: list[ListedCard] = optional("Versions of the card.", maxItems=20)


AnyArtifact = Annotated[
    ExtractionArtifact | SummaryArtifact | ScoreArtifact | TodosArtifact | CardArtifact,
    Field(discriminator="artifact_type"),
]
EditedArtifact = Annotated[SummaryArtifact | TodosArtifact | CardArtifact, Field(discriminator="artifact_type")]
