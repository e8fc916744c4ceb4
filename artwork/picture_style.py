"""Define the style of the picture map, in the colours of `city.css`."""

from __future__ import annotations

from artwork.svg_document import STATIONS_STYLE

STYLE = (
    """
path,circle,ellipse,rect,use{stroke-linecap:round;stroke-linejoin:round}
.meadow{fill:var(--meadow)}.meadow-light{fill:var(--meadow-light)}.meadow-dark{fill:var(--meadow-dark)}
.shore{fill:var(--sand)}.stream{fill:var(--stream)}.stream-deep{fill:var(--stream-deep)}
.foam{fill:none;stroke:var(--foam);stroke-width:9}
.path-edge{fill:none;stroke:var(--sand-edge);stroke-width:40}.path{fill:none;stroke:var(--sand);stroke-width:34}
.arch{fill:none;stroke:var(--mark-line);stroke-width:50;stroke-linecap:butt;opacity:.25}
.planks{fill:none;stroke:var(--bridge);stroke-width:40;stroke-linecap:butt}
.plank-lines{fill:none;stroke:var(--bridge-line);stroke-width:38;stroke-dasharray:2 9;stroke-linecap:butt;opacity:.55}
.rails{fill:none;stroke:var(--bridge-line);stroke-width:5}
.road-case,.road,.lane,.between,.rail-case,.rail,.boat-case,.boat-dots{fill:none}
.road-case{stroke:var(--taxi-case);stroke-width:13}.road{stroke:var(--taxi-line);stroke-width:8}
.lane{stroke:var(--bus-line);stroke-width:17}.between{stroke:var(--sand);stroke-width:5.5}
.rail-case{stroke:var(--underground-case);stroke-width:19}
.rail{stroke:var(--underground-line);stroke-width:13;stroke-dasharray:26 15;stroke-linecap:butt}
.boat-case{stroke:var(--foam);stroke-width:15;stroke-dasharray:0 26}.boat-dots{stroke:var(--boat-line);stroke-width:11;stroke-dasharray:0 26}
.mark path,.mark circle,.mark ellipse{stroke:var(--mark-line);stroke-width:1.8}
.edge path,.edge circle,.edge ellipse{fill:var(--halo);stroke:var(--halo);stroke-width:9}
.edge .line-brown,.edge .line-black,.edge .line-green,.edge .weave,.edge .smile,.edge .wave,.edge .sugar,.edge .beam,.edge .shade{display:none}
.red{fill:var(--toy-red)}.orange{fill:var(--toy-orange)}.yellow{fill:var(--toy-yellow)}.green{fill:var(--toy-green)}
.lime{fill:var(--toy-lime)}.leaf{fill:var(--toy-leaf)}.blue{fill:var(--toy-blue)}.violet{fill:var(--toy-violet)}
.pink{fill:var(--toy-pink)}.brown{fill:var(--toy-brown)}.grey{fill:var(--toy-grey)}.white,.smoke{fill:var(--toy-white)}
.cream{fill:var(--toy-cream)}.black{fill:var(--mark-line)}.glass{fill:var(--glass)}.lit{fill:var(--window-toy)}
.shade{fill:#000;opacity:.13}.mark .shade,.mark .bare,.mark .leaf-cut{stroke:none}
.leaf-cut{fill:var(--stream)}
.mark .line-brown{fill:none;stroke:var(--toy-brown);stroke-width:4}
.mark .line-black{fill:none;stroke-width:2.6}.mark .line-green{fill:none;stroke:var(--toy-leaf);stroke-width:3}
.mark .stem{fill:none;stroke:var(--toy-leaf);stroke-width:1.6}
.mark .weave{fill:none;stroke-width:1.4;opacity:.6}.mark .smile{fill:none;stroke-width:2.2}
.mark .sugar{fill:none;stroke:var(--toy-violet);stroke-width:3}
.mark .wave{fill:none;stroke:var(--foam);stroke-width:3.4}
.mark .spokes{fill:none;stroke-width:2.2}.mark .rim-big{fill:none;stroke:var(--toy-red);stroke-width:6}
.mark .leg-big{fill:none;stroke:var(--toy-blue);stroke-width:7}.edge .spokes,.edge .rim-big,.edge .leg-big{fill:none}
.mark .beam{fill:var(--beam);stroke:none}
.taxi-body{fill:var(--taxi-line)}.bus-body{fill:var(--bus-line)}.train-body{fill:var(--underground-line)}
.boat-body{fill:var(--boat-line)}
.fireflies{fill:none;stroke:var(--fireflies);stroke-width:4.5}
.sun,.mark .sun{fill:var(--sun);stroke:var(--sun-edge);stroke-width:2}.sun-rays{fill:none;stroke:var(--sun);stroke-width:7}
.sun-face{fill:var(--sun-edge)}.sun-smile{fill:none;stroke:var(--sun-edge);stroke-width:2.6}.moon{fill:var(--moon)}
.sheet{fill:var(--paper)}.frame-line,.frame .line{fill:none;stroke:var(--frame);stroke-width:1.4}
.step{fill:var(--frame)}.pale-step{fill:var(--frame-pale)}.frame .pale-step,.frame .step{stroke:var(--frame);stroke-width:.5}
.grid{fill:none;stroke:var(--frame);stroke-width:1.4}
.bead{fill:none;stroke-width:13}.bead-0{stroke:var(--toy-red)}.bead-1{stroke:var(--toy-yellow)}
.bead-2{stroke:var(--toy-blue)}.bead-3{stroke:var(--toy-green)}
.ribbon{fill:var(--ribbon)}.ribbon-end{fill:var(--ribbon-end)}
.ribbon,.ribbon-end{stroke:var(--mark-line);stroke-width:2}.title g{fill:none;stroke:var(--ribbon-name);stroke-width:1.9}
"""
    + STATIONS_STYLE
)
