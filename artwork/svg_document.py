"""Combine the layers of a map into one SVG document with both looks.

`map.svg#day` shows it by day, `map.svg#night` by night. Shown small, it omits fine details.
"""

from __future__ import annotations

import re

from artwork.lettering import definitions
from artwork.shared_colours import read_tokens
from artwork.vector_path import FINE

STATIONS_STYLE = """
.rim{fill:var(--disc-rim);stroke:var(--disc-edge);stroke-width:1}
.d{stroke:var(--disc-edge);stroke-width:.8}
.taxi{fill:var(--taxi-line)}.bus{fill:var(--bus-line)}.underground{fill:var(--underground-line)}
.mooring{fill:none;stroke:var(--boat-line);stroke-width:3;stroke-dasharray:0 5.8}
.bar{fill:var(--underground-line);stroke:var(--disc-edge);stroke-width:1}
.np{fill:var(--number-plate);stroke:var(--disc-edge);stroke-width:1}
.numbers g{fill:none;stroke:var(--number);stroke-width:1.75}
"""
"""The style of stations and their numbers on every map."""

CITY_STYLE = (
    """
path,circle,rect,use{stroke-linecap:round;stroke-linejoin:round}
.street{fill:var(--street)}
.quarter{fill:var(--pavement);stroke:var(--kerb);stroke-width:2.8}
.block{fill:var(--yard)}
.houses{stroke:var(--roof-line);stroke-width:1.6}
.h0{fill:var(--house-1)}.h1{fill:var(--house-2)}.h2{fill:var(--house-3)}.h3{fill:var(--house-4)}.h4{fill:var(--house-5)}.h5{fill:var(--house-6)}.h6{fill:var(--house-7)}
.garden{fill:var(--park);stroke:none}
.windows{fill:none;stroke:var(--window);stroke-width:8;stroke-linecap:square}.late{stroke-width:5.5;stroke:var(--window-late)}
.lights{fill:none;stroke:var(--street-light);stroke-width:5;stroke-dasharray:0 46}
.park{fill:var(--park);stroke:var(--tree-dark);stroke-width:3}
.walk{fill:none;stroke:var(--path);stroke-width:14}
.pond{stroke:var(--bank-line);stroke-width:2.4}
.tree{fill:none;stroke:var(--tree)}.t0{stroke-width:29;stroke:var(--tree-dark)}.t1{stroke-width:25}.t2{stroke-width:19}
.shaded{stroke:var(--tree-shade);stroke-width:27}
.bank{fill:var(--bank);stroke:var(--bank-line);stroke-width:3}
.water{fill:var(--water);stroke:var(--bank-line);stroke-width:3.4}
.deep{fill:var(--water-deep)}
.ripple{fill:none;stroke:var(--ripple);stroke-width:4}
.shade{fill:#000;opacity:.2}
.deck{fill:var(--bridge);stroke:var(--bridge-line);stroke-width:3}
.rail{fill:none;stroke:var(--bridge-line);stroke-width:5;stroke-linecap:butt}
.pier{fill:var(--bank);stroke:var(--bridge-line);stroke-width:3}
.mark path,.mark circle{stroke:var(--mark-line);stroke-width:.9}
.stone{fill:var(--stone)}.stones{fill:var(--stone-shade)}.slate{fill:var(--slate)}.slates{fill:var(--slate-shade)}
.brick{fill:var(--brick)}.bricks{fill:var(--brick-shade)}.gilt{fill:var(--gilt)}.copper{fill:var(--copper)}
.glass{fill:var(--glass)}.dark{fill:var(--dark-glass)}.redm{fill:var(--red-mark)}.pale{fill:var(--pale-mark)}
.mark .stones,.mark .slates,.mark .bricks,.mark .dark{stroke:none}
.mark .ink{fill:none;stroke-width:.8}.mark .hand{fill:none;stroke-width:1.2}
.mark .wheel{fill:none;stroke:var(--pale-mark);stroke-width:3}.mark .leg{fill:none;stroke:var(--slate);stroke-width:2.6}
.mark .wake{fill:none;stroke:var(--ripple);stroke-width:1.2}
.edge path,.edge circle{fill:var(--plaza);stroke:var(--plaza);stroke-width:6}
.names{fill:none;stroke:var(--name);stroke-width:1.5}.names .water{fill:none;stroke:var(--name-water)}
.names .green{stroke:var(--name-park)}.names.halo{stroke:var(--pavement);stroke-width:5.5;opacity:.9}
.halo .water{stroke:var(--water-deep)}.halo .green{stroke:var(--park)}
.q use{fill:none}
.tunnel{stroke:var(--tunnel);stroke-width:44;opacity:.16}
.boat{stroke:var(--boat-line);stroke-width:15;stroke-dasharray:0 34}
.uc{stroke:var(--underground-case);stroke-width:28}
.u{stroke:var(--underground-line);stroke-width:20;stroke-dasharray:40 22;stroke-linecap:butt}
.bc{stroke:var(--bus-case);stroke-width:27}.b{stroke:var(--bus-line);stroke-width:18}
.tc{stroke:var(--taxi-case);stroke-width:18}.t{stroke:var(--taxi-line);stroke-width:11}
.sheet{fill:var(--paper)}.pale-step{fill:var(--frame-pale)}.step{fill:var(--frame)}
.frame .line,.lined{stroke:var(--frame);stroke-width:1.1}.frame .line{fill:none}
.frame .pale-step,.frame .step{stroke:var(--frame);stroke-width:.5}
.grid,.title g{fill:none;stroke:var(--frame);stroke-width:1.2}.title g{stroke-width:1.15}
"""
    + STATIONS_STYLE
)
"""The style of everything else in a city."""

SMALL_STYLE = "@media (max-width:640px){.fine{display:none}.block{fill:var(--house-1)}}"
"""The style of a map that is shown small.

In a style sheet of its own: otherwise a browser computes the style of all 4,000 elements again when zooming past that
size, a tenth of a second on a phone.
"""


def document(wide: float, high: float, drawn: str, style: str = CITY_STYLE, more: str = "") -> str:
    """Return a whole document.

    Args:
        wide: its width in units.
        high: its height in units.
        drawn: its layers, the lowest first.
        style: the style of its classes; only the named colours used there are included.
        more: definitions besides letters and boats.
    """
    used = set(re.findall(r"var\(--([\w-]+)\)", style))
    day, night = (_block(tokens, used) for tokens in read_tokens().values())
    rules = f"#city{{{day}}}#night:target #city{{{night}}}" + "".join(style.splitlines())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:.2f}">'
        f"<style>{rules}</style><style>{SMALL_STYLE}</style>"
        f'<defs>{definitions()}{more}</defs><g id="day"/><g id="night"><g id="city">{drawn}</g></g></svg>\n'
    )


def finely(drawn: str) -> str:
    """Scale paths in steps of a FINE-th back to units."""
    return f'<g transform="scale({1 / FINE:g})">{drawn}</g>'


def _block(tokens: dict[str, str], used: set[str]) -> str:
    return ";".join(f"--{name}:{colour}" for name, colour in tokens.items() if name in used)
