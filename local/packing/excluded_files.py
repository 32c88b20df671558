"""What of the packages is left out of the layers, and why: data, one row a fact.

Paths are from the top of a layer's `python` folder, in the way of pathlib's globs. A row that finds nothing any more
fails the build of the layer that has its package: what it was written for has moved, and may be back elsewhere.
"""

from dataclasses import dataclass

# What is asked of AWS; botocore describes 400 services more. `client("…")` in our code names one of these.
SERVICES = ("dynamodb", "s3", "stepfunctions", "ssm", "secretsmanager", "bedrock-runtime", "sts", "lambda")
# The root of all, English, and the languages whose pages have phrases of their own in functions/extract.
LOCALES = ("root", "en", "zh", "zh_Hans", "zh_Hant", "ja")


@dataclass(frozen=True)
class Exclusion:
    what: str
    why: str
    keep: tuple[str, ...] = ()  # names of what stays, of all that `what` finds

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
    # METADATA stays: trafilatura and jsonschema look their versions up; entry_points.txt stays: pydantic reads it.
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
