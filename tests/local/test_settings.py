"""Which engine a local start chooses, and that a key goes no further than the local parameter store."""

import pytest

from stack.settings import KEY_PARAMETER, MODEL, Settings, scrub


def read(**environ: str) -> Settings:
    return Settings.read({"READDO_ROOT": ".", **environ})


def test_without_a_word_no_model_is_asked() -> None:
    settings = read()
    assert "Engine" not in settings.parameters
    assert settings.model_key is None
    assert settings.reader.startswith("Without a model")


def test_a_key_is_wish_enough_for_a_model_and_lies_in_a_parameter() -> None:
    settings = read(OPENAI_API_KEY="sk-test")
    wanted = {"Engine": "openai", "ModelName": MODEL, "KeyParameter": KEY_PARAMETER}
    assert wanted.items() <= settings.parameters.items()
    assert "sk-test" not in str(settings.parameters)
    assert settings.model_key == "sk-test"


def test_a_server_of_ones_own_needs_no_key() -> None:
    settings = read(OPENAI_BASE_URL="http://127.0.0.1:11434/v1", READDO_MODEL="small")
    assert settings.parameters["ModelBaseUrl"] == "http://127.0.0.1:11434/v1"
    assert (settings.parameters["Engine"], settings.parameters["ModelName"]) == ("openai", "small")
    assert "KeyParameter" not in settings.parameters
    assert settings.reader == "With the model small at http://127.0.0.1:11434/v1."


@pytest.mark.parametrize("given", ["OPENAI_API_KEY", "OPENAI_BASE_URL"])
def test_the_engine_without_a_model_can_be_had_all_the_same(given: str) -> None:
    settings = read(**{given: "http://127.0.0.1:1/v1", "READDO_ENGINE": "extractive"})
    assert settings.parameters["Engine"] == "extractive"
    assert settings.reader.startswith("Without a model")


def test_handlers_do_not_inherit_the_key() -> None:
    environ = {"PATH": "/bin", "OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
    scrub(environ, Settings.read(environ))
    assert "sk-test" not in environ.values()
    assert not [name for name in environ if name.startswith("OPENAI")]
