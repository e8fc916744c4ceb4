"""Make `python -m firmware_host` run the command `yardboard`."""

from firmware_host.cli import main

main()
