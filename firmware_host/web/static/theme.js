// What every page runs before it is drawn: the colours that were chosen for it, and its socket to the table.

import "./page/early_socket.js";
import "./settings/page_theme.js";
