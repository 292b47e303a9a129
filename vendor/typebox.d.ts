export { type Static, type TObject, type TSchema, Type } from "typebox"
export { Value } from "typebox/value"
