// What the pages of past games share: how they ask for them, and how they write dates and numbers.

/**
 * Asks the table for something as JSON; waits and asks again where the table is busy.
 * @param {string} address
 * @returns {Promise<Object>}
 * @throws {Error} there is no such thing; the message says why, for people
 */
export async function fetchJson(address) {
  for (;;) {
    const answer = await fetch(address).catch(() => {
      throw new Error("The table does not answer. Load this page again when it is up.");
    });
    if (answer.ok) return answer.json();
    if (answer.status !== 503) throw new Error((await answer.json()).error);
    await new Promise((later) => setTimeout(later, 1000 * Number(answer.headers.get("retry-after"))));
  }
}

/** A moment as the people here write it: "Sat 21 Nov 2026, 17:14". */
export function formatDate(time) {
  return new Date(time).toLocaleString(undefined, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** Some seconds as minutes: "4:05", "1:04:05". */
export function formatDuration(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}

/** "1 move", "5 moves". */
export function plural(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
