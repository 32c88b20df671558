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
class Cut:
    what: str
    why: str
    keep: tuple[str, ...] = ()  # names of what stays, of all that `what` finds

    @property
    def package(self) -> str:
        return self.what.split("/", 1)[0]


EVERYWHERE = (
    Cut("bin", "commands for a terminal"),
    Cut("**/tests", "the packages' own tests"),
    Cut("**/*.pyi", "types, read by no interpreter"),
    Cut("**/py.typed", "a sign for type checkers"),
    Cut("**/*.pxi", "Cython's sources"),
    Cut("**/*.pyx", "Cython's sources"),
    Cut("**/*.h", "C headers"),
    # METADATA stays: trafilatura and jsonschema look their versions up; entry_points.txt stays: pydantic reads it.
    Cut("*.dist-info/RECORD", "lists of files that are no longer all there"),
    Cut("*.dist-info/REQUESTED", "the installer's own note"),
    Cut("*.dist-info/INSTALLER", "the installer's own note"),
    Cut(".lock", "the installer's own note"),
)

OF_PACKAGES = (
    Cut("botocore/data/*/", "services that nothing here asks", keep=SERVICES),
    Cut("boto3/data/*/", "resources; only clients are used"),
    Cut("boto3/examples", "documentation"),
    Cut("aws_lambda_powertools/event_handler/openapi/swagger_ui/*.js", "a page we don't serve; ours is schemas/api"),
    Cut("aws_lambda_powertools/event_handler/openapi/swagger_ui/*.css", "the same page"),
    Cut("jsonschema/benchmarks", "measures itself"),
    Cut("babel/locale-data/*.dat", "courlan looks here whether a code in a link is a language", keep=LOCALES),
    Cut("lxml/includes", "for compiling against lxml"),
    Cut("dateparser_scripts", "what dateparser's data was made with"),
)
