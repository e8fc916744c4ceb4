/**
 * The messages between the table and its pages, as types for the pages' JavaScript. A test compares them with what
 * Python sends and reads. The types of the last section are created by the pages.
 *
 * Pawns, tickets and devices go by their names in Python, such as "mr_x"; stations by their numbers; lamps by their
 * places in the chain, from 0.
 */

// ---- from the table to a page, over the WebSocket; each as JSON with its kind ----

/** Kind of message -> what it says. "lamps" is the one that comes as bytes: red, green and blue of each lamp. */
export interface Messages {
  board: BoardMessage;
  display: DisplayMessage;
  games: GamesMessage;
  handset: ScreenMessage;
  lamps: Uint8Array<ArrayBuffer>;
  news: NewsMessage;
  pawns: PawnsMessage;
  phones: PhonesMessage;
  refused: RefusedMessage;
  scene: Scene;
  seat: SeatMessage;
  table: TableMessage;
}

/** A tick each second shows that the connection is alive. A page answers with the order "heard", which repeats `at`. */
export interface Tick {
  at: number;
}

/** The board on the table, in the units of its drawing. */
export interface Outline {
  name: string;
  title: string;
  /** The address of its artwork; null if none was made of this very map. */
  artwork: string | null;
  width: number;
  height: number;
  /** The height of the drawing, with what is below the board. */
  shown: number;
  /** The radius of a station's plate. */
  radius: number;
  /** The kinds of lines that its drawing shows; the dice game's underground has none. */
  drawn: string[];
  stations: StationOutline[];
}

export interface StationOutline {
  n: number;
  x: number;
  y: number;
  /** The lines that stop here, such as "taxi". */
  stops: string[];
  lamp: number;
  /** What its map calls it; absent if it has no name. */
  name?: string;
}

export interface BoardMessage extends Outline {
  /** The name of its drawing: /boards/{picture}.svg. */
  picture: string;
  /** The lamps of the log's windows, or of the success chips. */
  log_lamps: number[];
  /** What joins two stations, and how. */
  lines: [number, number, string][];
  /** The points that each of these lines is drawn through between its stations, x and y in turn. */
  bends: number[][];
}

/** A small screen, 128 x 64. */
export interface ScreenMessage {
  /** A bit a pixel, as base64; null while it is dark. */
  pixels: string | null;
  /** The same in words. */
  lines: string[];
  /** The table's own language, in which they are. */
  language: string;
}

/** The public display of a simulated table. */
export interface DisplayMessage extends ScreenMessage {
  /** Whether it shows the table menu, for which all keys count then. */
  menu: boolean;
}

/** What Mister X's own page shows; no other is sent it. */
export interface SeatMessage {
  /** How the table stands: the same that everyone sees. */
  scene: Scene;
  /** What is his to know; null where there is no game, or a computer plays him. */
  mr_x: Secrets | null;
  /** Whether secrets show only while a key is held. */
  hold: boolean;
  /** Seconds without a touch after which the page covers itself. */
  quiet_s: number;
  /** Whether his small handset is a page of this table, too. */
  small: boolean;
}

export interface Secrets {
  /** Where he is; null while he has no place yet. */
  at: number | null;
  /** The pawn that `at` and `choices` belong to. */
  actor: string;
  /** His stations, the start first. */
  stations: number[];
  /** What he may do now. */
  choices: Choice[];
  /** The double moves that he may announce now. */
  doubles: DoubleMove[];
  /** Whether he shows himself after his next move. */
  shows: boolean;
  /** Detective -> where it may be after its next move. */
  threats: Record<string, number[]>;
}

/** An action of Mister X's, as a record. */
export interface Choice {
  kind: string;
  to?: number;
  ticket?: string;
  pawn?: string;
}

export interface DoubleMove {
  first: Choice;
  second: Choice[];
}

export interface GamesMessage {
  /** The number of the newest finished game. */
  newest: number | null;
}

export interface NewsMessage {
  /** The newest lines, the oldest first. */
  lines: NewsLine[];
  /** How many there were in all. */
  told: number;
}

export interface NewsLine {
  text: string;
  /** The same without the ticket. */
  short: string;
  /** The pawn that it is about; "" for none, or several. */
  pawn: string;
  /** The ticket or the die by which the pawn moved, or "". */
  ticket: string;
}

/** Where pawns are on a simulated board. */
export interface PawnsMessage {
  pawns: Record<string, PawnPlace>;
  /** Those of this game that are off the board. */
  box: string[];
  /** The move that can be taken back now. */
  undo: Undoable | null;
}

export interface Undoable {
  pawn: string;
  /** The station where it came from; null for off the board. */
  to: number | null;
}

export interface PawnPlace {
  /** Share of the board's width. */
  x: number;
  /** Share of its height. */
  y: number;
  at: number | null;
  held: boolean;
}

/** Which detectives' players have a phone. */
export interface PhonesMessage {
  /** The number of each such player -> its phone. */
  seats: Record<string, PhoneSeat>;
}

export interface PhoneSeat {
  /** By what a phone knows itself: the first letters of its session. */
  mark: string;
  /** Whether its page is open now. */
  here: boolean;
}

export interface RefusedMessage {
  text: string;
}

/** The table itself; a real one reports its devices only. */
export type TableMessage = RealTable | SimulatedTable;

export interface RealTable {
  simulated: false;
  devices: string[];
  /** The same as of a simulated table, where the owner has a page. */
  boxes?: GameOffer[];
  programs?: SeatedProgram[];
  begun?: number;
}

export interface SimulatedTable {
  simulated: true;
  devices: string[];
  /** The games that can be begun here. */
  boxes: GameOffer[];
  /** The programs that can sit at this table beside our own players. */
  programs: SeatedProgram[];
  power: boolean;
  /** The number of its newest game; the journal counts them. */
  begun: number;
  /** Whether people's hands do everything, as at a real board; else simulated ones help them. */
  real_hands: boolean;
  /** How fast the hands that help move computers' pawns. */
  pace: Pace;
  /** Device, or "switch:" and a station -> its fault. */
  broken: Record<string, string>;
}

export type Pace = "paused" | "slow" | "usual" | "fast";

export interface SeatedProgram {
  name: string;
  /** Whether nothing on the table's machine shuts it in, so that it can read where Mister X is. */
  trusted: boolean;
}

export interface GameOffer {
  rules: string;
  title: string;
  /** How many can play; the usual number first. */
  players: number[];
  /** Option -> its values, the usual one first. */
  options: Record<string, OptionValue[]>;
  /** The levels at which the computer plays it here, the weakest first. */
  levels: string[];
}

export type OptionValue = boolean | number | string;

/** How the table stands, as far as everyone may know. */
export type Scene = IdleScene | GameScene;

/** How the table stands, whatever is played. */
export interface SceneBase {
  phase: Phase;
  prompt: Prompt;
  mismatch: Mismatch;
  /** Stations whose switch is out of order. */
  masked: number[];
  /** Moves between which the table asks to choose by key, and all else that it asks about pawns and switches. */
  asked: AskedMove[];
  /** Pawn -> the station on which it is to be put. */
  set_down: Record<string, number>;
  /** Stations that are to be cleared. */
  take_off: number[];
  /** Seat that a computer plays -> who plays there. */
  seats: Record<string, string>;
  /** Seat of a person with a name -> what that person is called. */
  names: Record<string, string>;
  /** Pawns that are off the board to be moved. */
  in_hand: string[];
  /** Device -> what is wrong with it. */
  ailing: Record<string, string>;
  /** Whether the game waits for a device to come back. */
  paused: boolean;
  /** How urgently a mismatch is shown: 0 not yet, 1 shown, 2 insistently. */
  wrong: number;
  /** The pawns that have moved in this round. */
  moved: string[];
  ended: Ending | null;
  coach: Coach;
  /** The last move of each pawn that everyone saw move. */
  last_moves: LastMove[];
}

/** The coach's report, from what everyone knows. */
export interface Coach {
  /** How much was asked for: "off", "stations" or "advice". */
  tells: string;
  /** Station where Mister X may be -> how likely, 1 in all; empty while it says nothing. */
  stations: Record<string, number>;
  advice: AskedMove | null;
  /** The same in sentences, or why it cannot say anything. */
  words: string[];
}

export type Phase = "no_game" | "set_up" | "resume" | "carry_out" | "play" | "over";

export interface Prompt {
  text: string;
  /** The keys that it asks for, such as "table.taxi". */
  keys: string[];
}

export interface Mismatch {
  /** Pawn -> the station where it should stand. */
  missing: Record<string, number>;
  /** Stations where nothing should stand. */
  extra: number[];
}

export interface AskedMove {
  pawn: string;
  to: number;
  ticket: string;
}

export interface LastMove {
  pawn: string;
  from: number;
  to: number;
  /** "" where nobody knows it. */
  ticket: string;
}

export interface Ending {
  who: string;
  why: string;
  /** The same with its round and station, as a title. */
  headline: string;
  /** The pawn that caught Mister X, by which the headline names it; "" for none. */
  by: string;
}

export interface IdleScene extends SceneBase {
  rules: null;
}

export interface GameScene extends SceneBase {
  rules: string;
  map: string;
  /** How the tiles lie, row by row; "" on a map. */
  layout: string;
  round: number;
  /** The pawns of which one is to move. */
  turn: string[];
  /** Detective -> the number of its player. */
  owners: Record<string, number>;
  pawns: Record<string, number>;
  log: LogEntry[];
  windows: number;
  /** The last window that Mister X can still fill. */
  last_window: number;
  /** After how many rounds the game is over; 0 where it does not end by rounds. */
  rounds: number;
  /** The windows at which Mister X is seen. */
  surfacing: number[];
  /** Owner -> ticket -> how many. */
  tickets: Record<string, Record<string, number>>;
  moves: Move[];
  /** Which half of a double move Mister X is in; 0: none. */
  double: number;
  /** Detectives that are to give Mister X a ticket. */
  giving: string[];
  skipped: SkippedPawn[];
  outcome: Outcome | null;
  /** Mister X's stations, as far as everyone knows them. */
  route: number[];
  /** Whether Mister X is in the open but for single moves. */
  in_sight: boolean;
  /** Key -> what it does besides. */
  extras: Record<string, unknown>;
  dice: DiceScene | null;
  /** "mr_x" and "detectives" -> their success chips; empty in other games. */
  chips: Record<string, Chips>;
}

export interface LogEntry {
  window: number;
  ticket: string;
  station: number | null;
  /** Which half of a double move; 0: none. */
  double: number;
}

export interface Move {
  pawn: string;
  to: number;
  tickets: string[];
}

export interface SkippedPawn {
  pawn: string;
  why: string;
}

export interface Outcome {
  winner: string;
  reason: string;
}

export interface DiceScene {
  to_roll: number;
  rolled: string[];
  used: UsedDie[];
  /** How many of them Mister X took. */
  taken: number;
  supply: number;
  /** The dice that lie on his log. */
  covers: string[];
  tokens: number;
  /** The tile on which Mister X started, or "" while he has not. */
  tile: string;
  /** Where on it, once everyone may know; or 0. */
  start: number;
  by_hand: boolean;
  entered: string[];
}

export interface UsedDie {
  pawn: string;
  face: string;
}

export interface Chips {
  won: number;
  needed: number;
}

// ---- from a page to the table ----

/** What a page asks for. */
export type Order = PageHello | Alive | Drag | Put | Lift | Key | Fault | Shake | Power | Hands | Undo | NewGame | CoachOrder | PaceOrder | Step | Choose | Sit | Rise | Again | GiveUp;

export interface PageHello {
  do: "hello";
  page: string;
  session?: string | null;
  palette?: "usual" | "colour-blind";
}

export interface Alive {
  do: "heard";
  at: number;
}

export interface Drag {
  do: "drag";
  pawn: string;
  x: number;
  y: number;
}

export interface Put {
  do: "put";
  pawn: string;
  x: number;
  y: number;
}

export interface Lift {
  do: "lift";
  pawn: string;
}

export interface Key {
  do: "key";
  key: string;
  down: boolean;
  /** The prompt that it answers; the owner's page says it. */
  prompt?: string | null;
}

export interface Fault {
  do: "fault";
  device: string;
  kind: string;
}

export interface Shake {
  do: "shake";
}

export interface Power {
  do: "power";
  on: boolean;
}

export interface Hands {
  do: "hands";
  real: boolean;
}

export interface Undo {
  do: "undo";
  prompt?: string | null;
}

export interface NewGame {
  do: "new_game";
  rules: string;
  players?: number | null;
  options?: Record<string, OptionValue>;
  /** Seat -> who plays there, a person where nothing is said; the configuration's wish if this is missing. */
  seats?: Record<string, string> | null;
  /** Seat -> what the person there is called; the configuration's wish if this is missing. */
  names?: Record<string, string> | null;
  /** The newest game that the page knows; if another has begun since, the order is refused. */
  begun?: number | null;
}

export interface CoachOrder {
  do: "coach";
  tells: "off" | "stations" | "advice";
}

export interface PaceOrder {
  do: "pace";
  pace: Pace;
}

export interface Step {
  do: "step";
}

export interface Choose {
  do: "choose";
  action: Choice;
}

export interface Sit {
  do: "sit";
  player: number;
  /** Whether from another phone, too. */
  over?: boolean;
}

export interface Rise {
  do: "rise";
}

export interface Again {
  do: "again";
}

export interface GiveUp {
  do: "give_up";
  /** As in `NewGame`. */
  begun?: number | null;
}

// ---- the owner's page, over HTTP ----

/** /owner/settings */
export interface SettingsForm {
  file: string;
  /** Identifies the file's content: a changed file is not overwritten. */
  digest: string;
  /** Whether the table runs with this content. */
  applied: boolean;
  /** The games that can be played on this board. */
  games: string[];
  /** The programs that can sit at this table. */
  programs: string[];
  sections: SettingsPart[];
  /** Section, key, and what is wrong there. */
  complaints: [string, string, string][];
}

export interface SettingsPart {
  name: string;
  doc: string;
  /** Whether it is a device, with drivers. */
  device: boolean;
  fields: SettingField[];
}

export interface SettingField {
  key: string;
  doc: string;
  unit: string;
  schema: FieldSchema;
  default: SettingValue;
  /** As the file has it; null if it has none, or if it is secret. */
  value: SettingValue;
  given: boolean;
  secret: boolean;
  editable: boolean;
  /** The drivers for which it is read; none: for all. */
  only: string[];
}

/** As much of JSON Schema as keys have. */
export interface FieldSchema {
  type?: string | string[];
  enum?: string[];
  minimum?: number;
  maximum?: number;
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
  patternProperties?: Record<string, FieldSchema>;
  additionalProperties?: boolean | FieldSchema;
}

export type SettingValue = null | boolean | number | string | string[] | number[] | Record<string, string | number | boolean>;

/** /owner/health */
export interface TableHealth {
  age_s: number;
  fresh: boolean;
  yardboard: string;
  python: string;
  config: string;
  up_s: number;
  /** Station -> its switch. */
  switches: Record<string, SwitchHealth>;
}

export interface SwitchHealth {
  place: string;
  state: string;
  closures: number;
  bounces: number;
  longest_ms: number;
}

// ---- finished games, over HTTP ----

/** /games.json */
export interface GamesList {
  games: GameSummary[];
}

/** /games/statistics.json */
export interface Statistics {
  games: number;
  /** By name, as it was written last; those with the most games first. */
  people: Tally[];
  /** By level or program. */
  computers: Tally[];
  boxes: BoxTally[];
}

export interface Tally {
  label: string;
  games: number;
  mr_x: SideTally;
  detectives: SideTally;
  shortest: GameLength;
  longest: GameLength;
}

export interface BoxTally extends Tally {
  rules: string;
}

export interface SideTally {
  played: number;
  won: number;
}

export interface GameLength {
  moves: number;
  /** Which game of the journal. */
  number: number;
}

export interface GameSummary {
  number: number;
  rules: string;
  title: string;
  map: string;
  began: string;
  ended: string;
  players: number;
  /** Seat -> who played there: "person", or a computer by its name and level. */
  seats: Record<string, string>;
  /** Seat of a person with a name -> what that person was called. */
  names: Record<string, string>;
  pawns: string[];
  outcome: Outcome | null;
  /** A headline and a sentence; empty where the end cannot be read any more. */
  ending: string[];
  moves: number;
  /** Why it cannot be shown step by step, or "". */
  trouble: string;
}

/** /games/{number}.json */
export interface GameRecord extends GameSummary {
  yardboard: string;
  version: number;
  layout: string;
  owners: Record<string, number>;
  fugitives: string[];
  options: Record<string, OptionValue>;
  /** Pawn of Mister X's side -> its stations, the start first. */
  routes: Record<string, number[]>;
  log: RecordedEntry[];
  windows: number;
  marked: number[];
  in_sight: boolean;
  /** "mr_x" and "detectives" -> how many success chips win; empty in other games. */
  chips: Record<string, number>;
  steps: GameStep[];
}

export interface RecordedEntry extends LogEntry {
  shown: boolean;
}

export interface GameStep {
  /** Seconds since the game began. */
  after: number;
  round: number;
  who: string;
  /** The action, then what the table said about it. */
  words: string[];
  pawns: Record<string, number>;
  seen: boolean;
  walked: number;
  filled: number;
  tickets: Record<string, Record<string, number>>;
  dice: StepDice;
  tokens: number | null;
  chips: Record<string, number>;
}

export interface StepDice {
  open: string[];
  used: string[];
}

/** /games/{number}/analysis.json; and in /games/{number}/analysed.json, as "analysis" */
export interface GameAnalysis {
  /** How many steps the coach has looked at. */
  done: number;
  /** How many there are: all but the last, at which everything is open. */
  total: number;
  /** Why there will be none, a sentence, or "". */
  trouble: string;
  /** Empty until it has looked at all. */
  steps: AnalysedStep[];
  moments: KeyMoment[];
}

export interface AnalysedStep {
  /** At how many stations Mister X may have been. */
  possible: number;
  /** Those -> how likely, 1 in all. */
  stations: Record<string, number>;
  /** The coach's advice for the next action, if it is a move. */
  advice: AdvisedMove | null;
  /** Whether just that was done next. */
  followed: boolean;
  /** How likely the detectives were to win, by what everyone knew, from 0 to 1; null without the extra `players`. */
  chance: number | null;
  /** By how much the next action lowered its player's chance to win; null likewise. */
  cost: number | null;
}

/** A move; of Mister X's double move, which is announced first, `to` is null and `ticket` "double". */
export interface AdvisedMove {
  pawn: string;
  to: number | null;
  ticket: string;
}

export interface KeyMoment {
  step: number;
  kind: "narrowed" | "closest" | "slipped" | "costly";
  words: string;
}

/** /games/{number}/board.json */
export interface ReplayBoard extends Outline {
  /** The address of its drawing. */
  drawing: string;
  log_lamps: number[];
  /** What joins two stations, and how. */
  lines: [number, number, string][];
  /** The points that each of these lines is drawn through between its stations, x and y in turn. */
  bends: number[][];
}

// ---- what pages draw alike of a table and of a past game ----

/** The parts of a scene that only the current moment has. */
type OfNow =
  | "ailing" | "asked" | "coach" | "ended" | "last_moves" | "last_window" | "masked" | "paused" | "prompt" | "rounds";

/** How a table stood after a step of a past game: a scene has more. */
export type ReplayScene = Omit<GameScene, OfNow | "dice" | "double" | "extras" | "map">;

/** A step of a past game, or how a table stands. */
export type TableScene = IdleScene | ReplayScene;
