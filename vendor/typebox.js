/**
 * What queryveil uses of TypeBox. TypeBox is some 680 files, which took more than half of the time that a command needs
 * to start (docs/adr/002-bundled-typebox.md). It is bundled into `dist/vendor/typebox.js`, which `#typebox` names.
 */
export { Type } from "typebox"
export { Value } from "typebox/value"
