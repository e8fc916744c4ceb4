// The script that every page runs before it is drawn. It applies the chosen colours, and opens the socket to the table.

import "./page/early_socket.js";
import "./settings/page_theme.js";
