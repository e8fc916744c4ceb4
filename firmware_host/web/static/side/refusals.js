// Why the table did not do what was asked; said for a while.

const SAID_FOR = 8000; // milliseconds

/** @param {Element} place where it is said */
export function refusals(place) {
  let until = 0;
  return {
    refused({ text }) {
      place.textContent = text;
      clearTimeout(until);
      until = setTimeout(() => (place.textContent = ""), SAID_FOR);
    },
  };
}
