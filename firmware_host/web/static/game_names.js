// What games are called for short, and what they are like.

/**
 * Game -> what it is called for short, and what it is like.
 * @type {Record<string, [string, string]>}
 */
export const GAMES = {
  classic: ["Classic", "Mister X flees through London unseen and shows himself at four of 24 moves."],
  beginners: ["Beginners", "No tickets to count: Mister X walks in the open and vanishes three times."],
  junior: ["Junior", "For children: guess where he goes. Three catches win."],
  dice: ["Dice", "Nine tiles laid anew each time: roll, choose a die, close in."],
  current: ["Today's box", "As the classic game, with more tickets for everyone."],
  us: ["American", "Five detectives, and Mister X shows himself once more at the very end."],
};
