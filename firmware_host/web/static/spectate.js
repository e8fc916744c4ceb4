// The spectators' page: looking on, and nothing else.

import { openConnection } from "./connection.js";
import { buildTableView } from "./table_view.js";

openConnection("spectator", buildTableView());
