// How the pages' JavaScript is written: typescript-eslint's strictest rules, which know the types, and a JSDoc on
// everything exported. `make lint` runs it from the top of the repository.

import eslint from "@eslint/js";
import jsdoc from "eslint-plugin-jsdoc";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const PUBLIC = [
  "ExportNamedDeclaration > FunctionDeclaration",
  "ExportNamedDeclaration > ClassDeclaration > ClassBody > :matches(MethodDefinition[kind!='constructor'][key.type='Identifier'])",
];

export default defineConfig({
  files: ["firmware_host/web/static/**/*.js"],
  extends: [
    eslint.configs.recommended,
    tseslint.configs.strictTypeChecked,
    jsdoc.configs["flat/recommended-typescript-flavor-error"],
  ],
  languageOptions: {
    parserOptions: { project: "tests/tools/javascript/tsconfig.json", tsconfigRootDir: process.cwd() },
  },
  linterOptions: { reportUnusedDisableDirectives: "error" },
  rules: {
    curly: ["error", "multi-line"],
    eqeqeq: "error",
    "no-console": "error",
    "no-else-return": ["error", { allowElseIf: false }],
    "no-param-reassign": "error",
    "no-shadow": "error",
    "no-undef": "off", // tsc knows better which names there are
    "no-var": "error",
    "object-shorthand": "error",
    "prefer-const": "error",
    "prefer-template": "error",
    "max-len": ["error", { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true }],
    complexity: ["error", 12], // as of Python

    "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],

    // Types are for all, words for what others use: how a private function goes its name and its body say.
    "jsdoc/require-jsdoc": ["error", { publicOnly: true, require: { ClassDeclaration: true } }],
    "jsdoc/require-description": ["error", { contexts: PUBLIC }],
    "jsdoc/require-param": ["error", { contexts: PUBLIC }],
    "jsdoc/require-param-description": ["error", { contexts: PUBLIC }],
    "jsdoc/require-returns": ["error", { contexts: PUBLIC }],
    "jsdoc/require-returns-description": ["error", { contexts: PUBLIC }],
    "jsdoc/tag-lines": "off",
  },
});
