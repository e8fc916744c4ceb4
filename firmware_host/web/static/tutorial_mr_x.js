// Mister X's lesson: explanations, and his own page on a practice table, which opens the line.

import "./tutorial/mr_x_lesson_page.js";
import "./mr_x_map.js";
