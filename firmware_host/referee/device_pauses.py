"""What the game has to wait for: some devices it can do without, others it cannot."""

from __future__ import annotations

from firmware_host.referee.device_health import Devices
from firmware_host.rules.views import PublicView

_GONE = {
    "switches": ("the switches are lost", "the switches come and go"),
    "handset": ("the handset is lost", "the handset comes and goes"),
    "keys": ("the keys are lost", "the keys come and go"),
}


def why_paused(devices: Devices, view: PublicView | None) -> str:
    """Why the game cannot go on now, or "".

    Without switches nothing is felt. In his turn Mister X needs his screen, and keys unless his own pawn can move.

    Args:
        devices: how the devices are.
        view: the game, if one is being played; None before and after, and while it is set up.
    """
    needed = ["switches"]
    if view is not None and view.his_turn:
        needed += ["handset"] if view.open_moves else ["handset", "keys"]
    for device in needed:
        if devices.away(device):
            lost, comes_and_goes = _GONE[device]
            return lost if devices[device].state == "lost" else comes_and_goes
    return ""
