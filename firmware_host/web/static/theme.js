// What every page runs before it is drawn: the colours that were chosen for it.

import "./settings/page_theme.js";
