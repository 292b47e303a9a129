/**
 * What queryveil uses of TypeBox. TypeBox is some 680 files, which took two thirds of the time that a command needs to
 * start; this one is bundled into `dist/vendor/typebox.js`, and `#typebox` (package.json) leads there.
 */
export { Type } from "typebox"
export { Value } from "typebox/value"
