// Share a finished game: by the device's own menu if it has one, else as a picture in the clipboard. A page without
// https has neither, and saves the picture.

import { make } from "../page/elements.js";
import { gettext } from "../wording/gettext.js";

/** @typedef {{number: number, text: string}} SharedGame its number, and how it ended, in a sentence */

const PNG = "image/png";

/**
 * Create the button.
 * @returns {{button: HTMLElement, status: HTMLElement, offer(game: ?SharedGame): void}} the button, the element
 *   for its result, and a function that sets its game, or none
 */
export function shareKey() {
  /** @type {?SharedGame} */
  let game = null;
  const status = make("p", { class: "shared", role: "status" });
  const share = async () => {
    if (game === null) return;
    status.textContent = gettext("The picture is being drawn…");
    status.textContent = await shareGame(game);
  };
  const button = make("button", { type: "button", class: "button", id: "share", hidden: true, click: () => void share() }, gettext("Share"));
  return {
    button,
    status,
    offer(offered) {
      button.hidden = offered === null;
      if (offered?.number !== game?.number) status.textContent = "";
      game = offered;
    },
  };
}

/**
 * Share a game in the best way that this page has.
 * @param {SharedGame} game the game
 * @returns {Promise<string>} a sentence about the result, or ""
 */
async function shareGame({ number, text }) {
  const address = `/games/${number}.png`;
  const { clipboard } = /** @type {Partial<Navigator>} */ (navigator); // without https both are missing
  try {
    if ("share" in navigator) {
      await navigator.share(withPicture(await fetchPicture(address), number, text));
      return "";
    }
    if (clipboard && "ClipboardItem" in window) {
      await clipboard.write([new ClipboardItem({ [PNG]: fetchPicture(address) })]);
      return gettext("The picture is in the clipboard.");
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return ""; // the person has changed their mind
  }
  make("a", { href: address, download: fileName(number) }).click();
  return gettext("The picture is in your downloads.");
}

// Return the data for the device's menu, with the picture if the menu accepts files.
/** @type {(picture: Blob, number: number, text: string) => ShareData} */
function withPicture(picture, number, text) {
  const words = { title: "Yardboard", text };
  const all = { ...words, files: [new File([picture], fileName(number), { type: PNG })] };
  return navigator.canShare(all) ? all : words;
}

/** @param {number} number */
function fileName(number) {
  return `yardboard-game-${number}.png`;
}

/** @param {string} address */
async function fetchPicture(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.blob();
}
