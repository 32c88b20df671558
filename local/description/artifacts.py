"""Artifacts as they are shown: an envelope around a payload, whose schema lies in schemas/artifacts/."""

from typing import Annotated, Any, Literal

from pydantic import Field

from readdo.web.requests import Format, Layout, Theme

from .fields import KEY, Answer, Id, Time, Version, component, maybe, one_of, told
from .items import Failure

Maker = Literal["system", "user"]


class Usage(Answer):
    """What a model's part in it took."""

    calls: int = told("How often it was asked: more than once if an answer had to be repaired.")
    input_tokens: int = told("Tokens sent to it, as its server counts them.")
    output_tokens: int = told("Tokens it answered with.")
    cost: float = maybe("In the currency of the prices that were set, if they were.")


class Meta(Answer):
    """Where an artifact comes from. No text of yours, and no secret."""

    run_id: Id = told("The run that made it, or that it was edited from.")
    engine_version: str = told("What made it.")
    template_version: str = told("By which template.")
    created_at: Time = told("When.")
    created_by: Maker = told("By whom.")
    input_hash: str = maybe("The same for the same inputs.")
    upstream_versions: dict[str, int] = maybe("The versions of the artifacts that it was made from.")
    edited_version: Version = maybe("Of yours: the version that you edited.")
    model_id: str = maybe("The model that was asked, if one was.")
    prompt_hash: str = maybe("The same for the same prompt.")
    usage: Usage = maybe("What asking the model took.")


class _Envelope(Answer):
    version: Version = told("1, 2, … per item and kind.")
    created_by: Maker = told("Whose version it is.")
    created_at: Time = told("When it was made.")
    meta: Meta = told("Where it comes from.")


class _Listed(Answer):
    shown: bool = told("Whether it is the one that is shown.")


class ExtractionArtifact(_Envelope):
    """The readable text of the page."""

    artifact_type: Literal["extraction"] = told("The kind.")
    payload: Annotated[Any, component("ExtractionPayload")] = told("The text.")


class SummaryArtifact(_Envelope):
    """Three bullets and one insight."""

    artifact_type: Literal["summary"] = told("The kind.")
    payload: Annotated[Any, component("SummaryPayload")] = told("The summary.")


class ScoreArtifact(_Envelope):
    """How well the text serves the intent, with reasons."""

    artifact_type: Literal["score"] = told("The kind.")
    payload: Annotated[Any, component("ScorePayload")] = told("The score.")


class TodosArtifact(_Envelope):
    """What to do about it."""

    artifact_type: Literal["todos"] = told("The kind.")
    payload: Annotated[Any, component("TodosPayload")] = told("The todos.")


class CardArtifact(_Envelope):
    """One card that can be shipped."""

    artifact_type: Literal["card"] = told("The kind.")
    payload: Annotated[Any, component("CardPayload")] = told("The card.")


class ListedExtraction(_Envelope, _Listed):
    """A version of the extraction without its text, which has a call of its own."""

    artifact_type: Literal["extraction"] = told("The kind.")


class ListedSummary(SummaryArtifact, _Listed):
    """A version of the summary."""


class ListedScore(ScoreArtifact, _Listed):
    """A version of the score."""


class ListedTodos(TodosArtifact, _Listed):
    """A version of the todos."""


class ListedCard(CardArtifact, _Listed):
    """A version of the card."""


class ExportFile(Answer):
    """One file of an export."""

    type: Format = told("Its format.")
    path: str = told("Its address below the API's: GET it.", minLength=1, maxLength=400)
    created_at: Time = told("When it was made.")
    bytes: Version = told("Its size.")
    sha256: str = told("Its digest.", pattern="^[0-9a-f]{64}$")


class Renderer(Answer):
    """What drew the files."""

    name: str = told("Its name.")
    version: str = told("Its version.")


class ExportPayload(Answer):
    """The files of an export: all of them once it is DONE, until then those that there are."""

    files: list[ExportFile] = told("In the order of `formats`.", maxItems=6)
    export_key: str = told("The key that names the set.", pattern=KEY)
    renderer: Renderer | None = told("null until it is DONE.")


class ExportMeta(Answer):
    """Which card was drawn, and how."""

    run_id: Id = told("The card's run.")
    engine_version: str = told("What drew it; empty until it is DONE.")
    template_version: str = told("The same as `layout`.")
    card_version: Version = told("The card's version.")
    formats: list[Format] = told("What was asked for: the same again makes what is missing.", minItems=1)
    theme: Theme = told("The picture's colours.")
    layout: Layout = told("The picture's form.")
    created_at: Time = told("When it was done, or else asked for.")
    created_by: Literal["system"] = told("By whom.")


class ExportArtifact(Answer):
    """An export, and how it stands."""

    artifact_type: Literal["export"] = told("The kind.")
    status: str = told("How it stands.", **one_of(("RUNNING", "DONE", "FAILED")))
    version: Version = told("1, 2, … per item.")
    created_by: Literal["system"] = told("By whom.")
    created_at: Time = told("When it was done, or else asked for.")
    meta: ExportMeta = told("Which card, and how.")
    payload: ExportPayload = told("The files.")
    failure: Failure = maybe("While it is FAILED: why.")


class Shown(Answer):
    """Of each kind what is shown: your newest version, or else the system's of the served run."""

    extraction: ExtractionArtifact = maybe("The text.")
    summary: SummaryArtifact = maybe("The summary.")
    score: ScoreArtifact = maybe("The score.")
    todos: TodosArtifact = maybe("The todos.")
    card: CardArtifact = maybe("The card.")
    export: ExportArtifact = maybe("The newest export that is DONE.")


class Versions(Answer):
    """The newest 20 versions of each kind, newest first."""

    extraction: list[ListedExtraction] = maybe("Without their texts.", maxItems=20)
    summary: list[ListedSummary] = maybe("Summaries.", maxItems=20)
    score: list[ListedScore] = maybe("Scores.", maxItems=20)
    todos: list[ListedTodos] = maybe("Todos.", maxItems=20)
    card: list[ListedCard] = maybe("Cards.", maxItems=20)


AnyArtifact = Annotated[
    ExtractionArtifact | SummaryArtifact | ScoreArtifact | TodosArtifact | CardArtifact,
    Field(discriminator="artifact_type"),
]
EditedArtifact = Annotated[SummaryArtifact | TodosArtifact | CardArtifact, Field(discriminator="artifact_type")]
