"""Engine of a local start, and that the model's key stays in the local parameter store."""

import pytest

from stack.settings import KEY_PARAMETER, MODEL, Settings, scrub


def read(**environ: str) -> Settings:
    return Settings.read({"READDO_ROOT": ".", **environ})


def test_default_engine_uses_no_model() -> None:
    settings = read()
    assert "Engine" not in settings.parameters
    assert settings.model_key is None
    assert settings.reader.startswith("Engine: built-in")


def test_key_enables_the_model_and_is_stored_in_a_parameter() -> None:
    settings = read(OPENAI_API_KEY="sk-test")
    expected = {"Engine": "openai", "ModelName": MODEL, "KeyParameter": KEY_PARAMETER}
    assert expected.items() <= settings.parameters.items()
    assert "sk-test" not in str(settings.parameters)
    assert settings.model_key == "sk-test"


def test_own_model_server_needs_no_key() -> None:
    settings = read(OPENAI_BASE_URL="http://127.0.0.1:11434/v1", READDO_MODEL="small")
    assert settings.parameters["ModelBaseUrl"] == "http://127.0.0.1:11434/v1"
    assert (settings.parameters["Engine"], settings.parameters["ModelName"]) == ("openai", "small")
    assert "KeyParameter" not in settings.parameters
    assert settings.reader == "Engine: model small at http://127.0.0.1:11434/v1."


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "OPENAI_BASE_URL"])
def test_extractive_engine_can_be_forced(variable: str) -> None:
    settings = read(**{variable: "http://127.0.0.1:1/v1", "READDO_ENGINE": "extractive"})
    assert settings.parameters["Engine"] == "extractive"
    assert settings.reader.startswith("Engine: built-in")


def test_handlers_do_not_inherit_the_key() -> None:
    environ = {"PATH": "/bin", "OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
    scrub(environ, Settings.read(environ))
    assert "sk-test" not in environ.values()
    assert not [name for name in environ if name.startswith("OPENAI")]
