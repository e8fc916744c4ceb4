"""The panels beside the board: each is renewed as far as it has to be, and none keeps a pawn on its way waiting."""

from __future__ import annotations

import pytest

from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay

COACH = """async () => {
  const { coachPanel } = await import("/static/panels/coach.js");
  const place = document.createElement("div");
  window.asked = [];
  window.coach = coachPanel(place, tells => window.asked.push(tells));
  window.chosen = () => place.querySelector(":checked")?.value;
  window.choose = tells => place.querySelector(`[value="${tells}"]`).click();
  document.body.append(place);
}"""
CHOOSE = "tells => choose(tells)"


@pytest.fixture
def page(lay: Lay, visit: Visit) -> Visitor:
    return visit(lay(shipped("classic")).url)


def test_the_coach_is_asked_for_what_was_chosen_last_and_not_in_haste(page: Visitor) -> None:
    page.page.clock.install(time=0)
    page.page.clock.pause_at(60)  # from here on time goes by only where it is told to
    page.page.evaluate(COACH)
    page.page.evaluate(CHOOSE, "stations")
    page.page.clock.run_for(200)
    for tells in ("advice", "off", "advice"):  # by arrow keys
        page.page.evaluate(CHOOSE, tells)
    scene = {"rules": "classic", "phase": "play", "coach": {"tells": "stations", "words": [], "stations": {}}}
    page.page.evaluate("scene => coach.scene(scene)", scene)
    assert page.page.evaluate("[asked, chosen()]") == [["stations"], "advice"]
    page.page.clock.run_for(1000)
    assert page.page.evaluate("asked") == ["stations", "advice"]
    page.page.evaluate("scene => coach.scene(scene)", scene | {"coach": scene["coach"] | {"tells": "advice"}})
    assert page.page.evaluate("chosen()") == "advice"
    page.page.evaluate(CHOOSE, "off")  # which is refused
    page.page.clock.run_for(1000)
    assert page.page.evaluate("chosen()") == "off"
    page.page.clock.run_for(2000)
    assert page.page.evaluate("[asked.at(-1), chosen()]") == ["off", "advice"]
