// Waits for the table, and loads the requested page as soon as the table answers.

const AGAIN = 2000; // milliseconds until the table is asked again
const LONGEST = 5000; // milliseconds that its answer may take

async function ask() {
  try {
    await fetch(location.pathname, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(LONGEST) });
    location.reload();
  } catch {
    setTimeout(() => void ask(), AGAIN);
  }
}

setTimeout(() => void ask(), AGAIN);
