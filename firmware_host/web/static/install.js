// Installs the table on this device. Only this page may start a service worker: the policy of all others forbids texts
// as addresses of scripts. The policy of this page allows one policy name for one address, which is below.

import { byId } from "./page/elements.js";
import { gettext } from "./wording/gettext.js";

const WORKER = "/service_worker.js";
const PLAIN = gettext(
  "This address is plain http, on which browsers let no page answer while the table is away. All else works. In the browser's menu the page can be put on the home screen all the same.",
);
const READY = gettext(
  "This device now shows when the table is away. To have it as an icon, see the browser's menu, if there is no button here.",
);

/** @typedef {{createScriptURL(text: string): string}} TrustedPolicy */
/** @typedef {{createPolicy(name: string, rules: {createScriptURL(): string}): TrustedPolicy}} TrustedTypes */
/** @typedef {Event & {prompt(): Promise<unknown>}} InstallEvent */

const kept = byId("kept");
const button = byId("install");
/** @type {?InstallEvent} */
let offered = null;

function workerAddress() {
  if (!("trustedTypes" in window)) return WORKER;
  const trusted = /** @type {TrustedTypes} */ (window.trustedTypes);
  return trusted.createPolicy("service-worker", { createScriptURL: () => WORKER }).createScriptURL("");
}

async function startWorker() {
  if (!("serviceWorker" in navigator)) return PLAIN;
  try {
    await navigator.serviceWorker.register(workerAddress(), { scope: "/", updateViaCache: "none" });
    await navigator.serviceWorker.ready;
    return READY;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return gettext("This browser does not keep it: {why}", { why });
  }
}

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // the button asks, when it is wanted
  offered = /** @type {InstallEvent} */ (event);
  button.hidden = false;
});
button.addEventListener("click", () => void offered?.prompt());
kept.textContent = await startWorker();
