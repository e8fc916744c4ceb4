"""`yardboard owner-password`: the line for a configuration, and nothing that gives the password away."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from firmware_host.config.loader import parse
from firmware_host.config.toml_file import ConfigError
from firmware_host.maintenance.running_table_commands import owner_password
from firmware_host.system.secret_texts import is_right_password


def test_the_line_is_read_by_a_configuration_and_knows_the_password() -> None:
    said = CliRunner().invoke(owner_password, input="correct horse\ncorrect horse\n")
    assert said.exit_code == 0, said.output
    assert "correct horse" not in said.output
    config = parse(f"[web]\nserve = true\nowner = true\n{said.stdout}", "table.toml")
    assert is_right_password("correct horse", config.web.owner_password)


def test_a_short_password_is_refused() -> None:
    said = CliRunner().invoke(owner_password, input="horse\nhorse\n")
    assert "the password has 5 characters; 8 to 200 would be right" in said.output
    assert said.exit_code == 1


def test_a_password_that_is_written_into_the_configuration_itself_is_not_repeated_by_the_complaint() -> None:
    with pytest.raises(ConfigError) as error:
        parse('[web]\nowner_password = "correct horse"\n', "table.toml")
    assert "is not the hash of a password" in str(error.value)
    assert "horse" not in str(error.value)


def test_an_owners_page_needs_the_tables_pages() -> None:
    with pytest.raises(
        ConfigError, match=r"\[web\] owner: the owner's page needs the table's pages; write serve = true"
    ):
        parse("[web]\nowner = true\n", "table.toml")


def test_without_a_terminal_and_a_password_the_command_says_where_to_run_it() -> None:
    said = CliRunner().invoke(owner_password, input="")
    assert "owner-password: no password was given; run it in a terminal" in said.output
    assert said.exit_code == 1
