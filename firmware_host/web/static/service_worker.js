// If the table does not answer, shows a page that says so and waits. It keeps only the files of that page: no other
// page and no message of the table. While the table answers, this worker changes no answer.

const KEPT = "yardboard-offline-4"; // another number whenever the files change
const LONGEST = 8000; // milliseconds in which a table that is there begins to answer
const PAGE = "/offline"; // in the language of the user who installs it
const FILES = [
  PAGE,
  "/static/offline.css",
  "/static/fonts/overpass.woff2",
  "/static/theme.js",
  "/static/offline.js",
  "/static/icon.svg",
];

/** @typedef {Event & {waitUntil(done: Promise<unknown>): void}} LifeEvent */
/** @typedef {Event & {request: Request, respondWith(answer: Promise<Response>): void}} RequestEvent */

let away = false; // whether the page that was asked for last did not come

async function install() {
  const kept = await caches.open(KEPT);
  await kept.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
}

async function dropOthers() {
  const others = (await caches.keys()).filter((name) => name !== KEPT);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** @param {string} file */
async function found(file) {
  const answer = await caches.match(file);
  if (!answer) throw new Error(`${file} is not kept`);
  return answer;
}

// Ask the table for a page. The answer must begin in time; the page may then take as long as it needs.
/** @param {Request} request */
async function answerPage(request) {
  const limit = new AbortController();
  const late = setTimeout(() => limit.abort(), LONGEST);
  try {
    const answer = await fetch(request, { signal: limit.signal });
    away = false;
    return answer;
  } catch {
    away = true;
    return await found(PAGE);
  } finally {
    clearTimeout(late);
  }
}

/** @type {(request: Request, file: string) => Promise<Response>} */
async function answerFile(request, file) {
  if (away) return found(file);
  try {
    return await fetch(request);
  } catch {
    return found(file);
  }
}

addEventListener("install", (event) => /** @type {LifeEvent} */ (event).waitUntil(install()));
addEventListener("activate", (event) => /** @type {LifeEvent} */ (event).waitUntil(dropOthers()));
addEventListener("fetch", (event) => {
  const asked = /** @type {RequestEvent} */ (event);
  const { request } = asked;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const isFile = /\.\w+$/.test(pathname); // pages have no dot in their names
  if (request.mode === "navigate" && !isFile) asked.respondWith(answerPage(request));
  else if (FILES.includes(pathname)) asked.respondWith(answerFile(request, pathname));
});
