"""`python -m firmware_host` is `yardboard`."""

from firmware_host.cli import main

main()
