"""Name the file of a map's artwork, which is drawn when the package is built."""

from __future__ import annotations

import hashlib

from firmware_host.rules.network import Network


def artwork_name(network: Network) -> str:
    """Return the name of the file that shows this very map, such as "london-1f0c2a9b7d3e.svg".

    The name contains a digest of links and stations, so a modified map never shows another map's artwork.
    """
    places = sorted((one.number, one.x, one.y) for one in network.stations.values())
    content = repr((network.digest, network.aspect, places))
    return f"{network.name}-{hashlib.sha256(content.encode()).hexdigest()[:12]}.svg"
