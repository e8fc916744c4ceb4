// The spectators' page, which only shows the table.

import { openConnection } from "./page/connection.js";
import { byId } from "./page/elements.js";
import { combineListeners } from "./page/listeners.js";
import { addLegend } from "./panels/board_legend.js";
import { joinByPhone, phonesAwaited } from "./panels/join_by_phone.js";
import { settingsDialog } from "./settings/settings_dialog.js";
import { showOnTelevision } from "./settings/television.js";
import { buildTableView } from "./page/table_view.js";
import { pullUp } from "./player_pages/pull_up.js";

showOnTelevision();
pullUp(byId("sheet"), byId("pull"));
settingsDialog(byId("settings"), ["board", "sound", "television", "install"]);
joinByPhone(byId("open-join"));
const technical = addLegend(byId("open-help"));
const awaited = phonesAwaited(byId("side"), () => true, true);
openConnection("spectator", combineListeners(buildTableView(technical), awaited));
