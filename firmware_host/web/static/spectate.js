// The spectators' page: looking on, and nothing else.

import { open } from "./connection.js";
import { looking } from "./table_view.js";

open("spectator", looking().listeners);
