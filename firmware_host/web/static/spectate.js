// The spectators' page: looking on, and nothing else.

import { open } from "./link.js";
import { looking } from "./looking.js";

open("spectator", looking().listeners);
