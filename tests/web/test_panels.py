"""The panels beside the board: each is renewed as far as it has to be, and none keeps a pawn on its way waiting."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay

IN_TURN = """async busy => {
  const { onePanelAFrame } = await import("/static/page/one_panel_a_frame.js");
  const heard = [];
  let frame = 0;
  const panel = name => ({
    scene: said => heard.push([frame, name, "scene", said]),
    news: said => heard.push([frame, name, "news", said]),
  });
  const board = { ...panel("board"), pawns: said => heard.push([frame, "board", "pawns", said]) };
  const all = onePanelAFrame(board, panel("one"), panel("two"));
  const frames = async count => {
    for (const last = frame + count; frame < last; frame += 1) await new Promise(requestAnimationFrame);
  };
  all.scene(1);
  all.news(1);
  all.scene(2);
  all.news(2);
  all.scene(3);
  await frames(1);
  all.pawns(1);
  for (let more = 0; more < busy; more += 1) {
    await frames(1);
    all.pawns(2 + more);
  }
  await frames(12);
  return heard;
}"""
"""What is heard in which frame: after the first of a kind, news and the newest scene; the board then hears of pawns."""

LOG = """async scenes => {
  const { mrXLogPanel } = await import("/static/panels/mr_x_log.js");
  const { successChipsPanel } = await import("/static/panels/success_chips.js");
  const { LogLamps } = await import("/static/panels/log_lamps.js");
  const [place, lamps] = [document.createElement("div"), new LogLamps()];
  lamps.listeners.board({ log_lamps: Array.from({ length: 24 }, (_, n) => n) });
  const panels = [successChipsPanel(place, lamps), mrXLogPanel(place, lamps)];
  let before = [];
  return scenes.map(scene => {
    for (const panel of panels) panel.scene(scene);
    lamps.listeners.lamps(new Uint8Array(3 * 24).fill(255));
    const windows = [...place.querySelectorAll(".window")];
    const touched = windows.flatMap((window, n) => (window === before[n] ? [] : [n + 1]));
    before = windows;
    const lit = one => [...place.querySelectorAll(`${one} .lamp`)].filter(lamp => lamp.dataset.colour).length;
    const entry = windows[1]?.querySelector(".entry").textContent;
    const shown = { touched, log: lit("#log"), chips: lit("#chips"), entry };
    lamps.listeners.lamps(new Uint8Array(3 * 24));
    return shown;
  });
}"""
"""For each scene the windows of the log that are other elements than before, the lamps that shine, and window 2."""

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


def shown(heard: list[Any]) -> list[Any]:
    """What panels have shown later than at once, the board's own left out."""
    return [each for each in heard if each[0] > 0 and each[1] != "board"]


def test_panels_show_at_first_at_once_and_then_one_a_frame_the_newest_of_each_kind(page: Visitor) -> None:
    page.page.emulate_media(reduced_motion="no-preference")
    heard = page.page.evaluate(IN_TURN, 0)
    assert [[name, kind, said] for frame, name, kind, said in heard if frame == 0 and name != "board"] == [
        ["one", "scene", 1], ["two", "scene", 1], ["one", "news", 1], ["two", "news", 1],
    ]  # fmt: skip
    assert [each[1:] for each in shown(heard)] == [
        ["one", "news", 2], ["one", "scene", 3], ["two", "news", 2], ["two", "scene", 3],
    ]  # fmt: skip
    frames = [frame for frame, *_ in shown(heard)]
    assert frames[0] == frames[1] < frames[2] == frames[3]


def test_a_frame_in_which_the_board_is_told_something_is_its_own_but_panels_do_not_wait_for_ever(page: Visitor) -> None:
    page.page.emulate_media(reduced_motion="no-preference")
    heard = page.page.evaluate(IN_TURN, 3)
    told = {frame for frame, name, _, _ in heard if name == "board"}
    assert told == set(range(5))
    assert min(frame for frame, *_ in shown(heard)) > max(told)
    heard = page.page.evaluate(IN_TURN, 30)
    assert min(frame for frame, *_ in shown(heard)) < 12


def test_where_less_motion_is_asked_for_panels_show_everything_at_once(page: Visitor) -> None:
    page.page.emulate_media(reduced_motion="reduce")
    heard = page.page.evaluate(IN_TURN, 0)
    assert {frame for frame, name, *_ in heard if name != "board"} == {0}
    assert [said for _, name, kind, said in heard if (name, kind) == ("two", "scene")] == [1, 2, 3]


def test_a_move_renews_its_own_window_of_the_log_alone_and_lamps_stay_with_what_is_shown(page: Visitor) -> None:
    def scene(**fields: Any) -> dict[str, Any]:
        base = {"rules": "classic", "windows": 24, "surfacing": [3, 8], "in_sight": False, "log": [], "route": []}
        return base | {"outcome": None, "chips": {}} | fields

    taxi = {"window": 1, "ticket": "taxi", "station": None, "double": 0}
    seen = {"window": 2, "ticket": "bus", "station": 46, "double": 0}
    junior = scene(rules="junior", windows=0, chips={"mr_x": {"won": 0, "needed": 3}})
    shown = page.page.evaluate(
        LOG, [scene(), scene(log=[taxi]), scene(log=[taxi, seen]), scene(log=[taxi, seen]), junior, scene(), junior]
    )
    assert [one["touched"] for one in shown[:4]] == [list(range(1, 25)), [1], [2], []]
    assert "46" in shown[2]["entry"]
    assert [one["log"] for one in (*shown[:4], shown[5])] == [24] * 5
    assert shown[5]["entry"] == ""
    assert [one["chips"] for one in (shown[4], shown[6])] == [3, 3]


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
