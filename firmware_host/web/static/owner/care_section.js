// The care that a table needs over the years: backups, updates, bug reports, a restart, and a clean power-off.

import { make } from "../page/elements.js";
import { dialog, openBy } from "../panels/dialogs.js";
import { gettext } from "../wording/gettext.js";
import { AskAgain, askForJson, askTable } from "./owner_session.js";
import { askRoot, say, sayRefused, statusPlace } from "./root_requests.js";

const PIECE = 500_000; // bytes of a package that are sent at a time
const TRIES = 5; // of each piece that the table does not answer
/** The text of a button, the question that it asks, its explanation, and the text of the answer that does it. */
const RESTART = [gettext("Restart the table…"), gettext("Restart the table?"), gettext("It is away for some seconds."), gettext("Restart")];
const POWER_OFF = [
  gettext("Power off…"),
  gettext("Power off?"),
  gettext("The table and its pages go off. Only somebody at the table can switch it on again."),
  gettext("Power off"),
];

/**
 * Fill the section for the care of the table.
 * @param {HTMLElement} place the section
 * @returns {() => void} call it when the section is opened
 */
export function careSection(place) {
  const power = statusPlace();
  place.replaceChildren(
    download(
      "backup",
      gettext("Backup"),
      gettext("Settings, your own maps and rules, all games and their analyses, in one file. It contains where Mister X was in each game, so keep it to yourself. It can be made when no game is in play; yardboard restore puts it back."),
      gettext("Save a backup"),
    ),
    download(
      "report",
      gettext("Bug report"),
      gettext("Versions, settings and health, for the developers of yardboard. No secret of a game or of yours is in it, but names of people and folders may be."),
      gettext("Save a bug report"),
    ),
    update(),
    card(
      gettext("Restart and power"),
      gettext("The game in play goes on after either of them. Before you pull the plug, power off and wait until everything is dark."),
      make(
        "div",
        { class: "asking" },
        asking(power, "restart", RESTART),
        asking(power, "power-off", POWER_OFF),
      ),
      power,
    ),
  );
  return () => {};
}

/** @type {(title: string, words: string, ...rest: HTMLElement[]) => HTMLElement} */
function card(title, words, ...rest) {
  return make("div", { class: "card" }, make("h2", {}, title), make("p", {}, words), ...rest);
}

/** @type {(what: "backup" | "report", title: string, words: string, label: string) => HTMLElement} */
function download(what, title, words, label) {
  const status = statusPlace();
  const button = make("button", { type: "button", class: "button" }, label);
  button.addEventListener("click", () => void save());
  async function save() {
    button.disabled = true;
    say(status, "waits", gettext("One moment…"));
    try {
      const answer = await askTable(`/owner/${what}`, { method: "POST" });
      const address = URL.createObjectURL(await answer.blob());
      const stamp = new Date().toISOString().slice(0, 10);
      make("a", { href: address, download: `yardboard-${what}-${stamp}.zip` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      say(status, "done", gettext("Saved among this browser's downloads."));
    } catch (error) {
      sayRefused(status, error);
    }
    button.disabled = false;
  }
  return card(title, words, make("div", { class: "row" }, button), status);
}

function update() {
  const status = statusPlace();
  const file = make("input", { type: "file", id: "package", accept: ".deb" });
  const sum = make("output", { class: "sum" });
  const install = make("button", { type: "button", class: "button", disabled: true }, gettext("Install it"));
  /** @type {File | undefined} */
  let wanted; // the package that was chosen last
  let sending = Promise.resolve();
  file.addEventListener("change", () => {
    install.disabled = true;
    sum.replaceChildren();
    status.replaceChildren();
    wanted = file.files?.[0];
    const chosen = wanted;
    if (chosen) sending = sending.then(() => send(chosen));
  });
  install.addEventListener("click", () => void ask());

  /** @param {File} chosen */
  async function send(chosen) {
    const isWanted = () => chosen === wanted;
    const show = (/** @type {number} */ share) => say(status, "waits", gettext("Sending: {share} %", { share }));
    try {
      const digest = await sendPackage(chosen, isWanted, show);
      if (!isWanted()) return;
      sum.replaceChildren(gettext("SHA-256, to compare with the one where you got it:"), make("code", {}, digest));
      say(status, "done", gettext("The table has it."));
      install.disabled = false;
    } catch (error) {
      if (!isWanted()) return;
      sayRefused(status, error);
      chooseAgain();
    }
  }

  async function ask() {
    install.disabled = file.disabled = true;
    if (!(await askRoot(status, "update"))) chooseAgain();
    file.disabled = false;
  }

  // Forget which file was chosen: browsers report no change if the user chooses the same file again.
  function chooseAgain() {
    file.value = "";
  }

  return card(
    gettext("Update"),
    gettext("Send the table a package of another version. It keeps the present one, and goes back to it if the new one does not start. Not in the midst of a game."),
    make("div", { class: "file" }, make("label", { for: "package" }, gettext("Package (.deb)")), file),
    sum,
    make("div", { class: "row" }, install),
    status,
  );
}

/**
 * Send a package in pieces, so that a slow line loses one of them at most.
 * @param {File} file the package
 * @param {() => boolean} isWanted false once the user has chosen another package; then the rest is not sent
 * @param {(share: number) => void} show shows how much of it has arrived, in percent
 * @returns {Promise<string>} the digest of what the table has of it
 */
async function sendPackage(file, isWanted, show) {
  let size = 0;
  let digest = "";
  for (let tries = 0; isWanted(); ) {
    const piece = file.slice(size, size + PIECE);
    try {
      const path = `/owner/package?${new URLSearchParams({ name: file.name, offset: String(size) })}`;
      const has = /** @type {{size: number, sha256: string}} */ (await askForJson(path, { method: "POST", body: piece }));
      ({ size, sha256: digest } = has);
      if (isWanted()) show(Math.floor((100 * size) / Math.max(1, file.size)));
      if (size >= file.size) break;
      tries = 0;
    } catch (error) {
      tries += 1;
      if (!(error instanceof AskAgain) || tries >= TRIES) throw error;
    }
  }
  return digest;
}

// Create a button that asks for confirmation before it sends a request to root.
/** @type {(status: HTMLElement, what: "restart" | "power-off", words: string[]) => HTMLElement} */
function asking(status, what, [label = "", title = "", words = "", yes = ""]) {
  const go = make("button", { type: "button", class: "button main" }, yes);
  const box = dialog(`ask-${what}`, title, make("p", {}, words), go);
  const button = make("button", { type: "button", class: "button", "aria-haspopup": "dialog" }, label);
  openBy(button, box);
  go.addEventListener("click", () => {
    box.close();
    void askRoot(status, what);
  });
  return button;
}
