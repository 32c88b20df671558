"""Table of files that are excluded from the layers, with reasons.

Paths are pathlib globs relative to a layer's `python` folder. A row that matches nothing fails the build of the layer
with its package, because the files may have moved.
"""

from dataclasses import dataclass

# The AWS services that the code uses in `client("…")`; botocore contains 400 more.
SERVICES = ("dynamodb", "s3", "stepfunctions", "ssm", "secretsmanager", "bedrock-runtime", "sts", "lambda")
# The root locale, English, and the languages with their own phrases in readdo/extraction.
LOCALES = ("root", "en", "zh", "zh_Hans", "zh_Hant", "ja")


@dataclass(frozen=True)
class Exclusion:
    what: str
    why: str
    keep: tuple[str, ...] = ()  # names of matches of `what` that are kept

    @property
    def package(self) -> str:
        return self.what.split("/", 1)[0]


EVERYWHERE = (
    Exclusion("bin", "commands for a terminal"),
    Exclusion("**/tests", "the packages' own tests"),
    Exclusion("**/*.pyi", "types, read by no interpreter"),
    Exclusion("**/py.typed", "a sign for type checkers"),
    Exclusion("**/*.pxi", "Cython's sources"),
    Exclusion("**/*.pyx", "Cython's sources"),
    Exclusion("**/*.h", "C headers"),
    # METADATA is kept: trafilatura and jsonschema read their versions; entry_points.txt is kept for pydantic.
    Exclusion("*.dist-info/RECORD", "lists of files that are no longer all there"),
    Exclusion("*.dist-info/REQUESTED", "the installer's own note"),
    Exclusion("*.dist-info/INSTALLER", "the installer's own note"),
    Exclusion(".lock", "the installer's own note"),
)

OF_PACKAGES = (
    Exclusion("botocore/data/*/", "services that nothing here asks", keep=SERVICES),
    Exclusion("boto3/data/*/", "resources; only clients are used"),
    Exclusion("boto3/examples", "documentation"),
    Exclusion(
        "aws_lambda_powertools/event_handler/openapi/swagger_ui/*.js", "a page we don't serve; ours is schemas/api"
    ),
    Exclusion("aws_lambda_powertools/event_handler/openapi/swagger_ui/*.css", "the same page"),
    Exclusion("jsonschema/benchmarks", "measures itself"),
    Exclusion("babel/locale-data/*.dat", "courlan looks here whether a code in a link is a language", keep=LOCALES),
    Exclusion("lxml/includes", "for compiling against lxml"),
    Exclusion("dateparser_scripts", "what dateparser's data was made with"),
)
