/**
 * Extensions: formats, attacks and measures of your own. A module registers them when it is imported, by a program or by
 * `queryveil --extend FILE`. docs/extending.md explains each contract with an example.
 *
 * @packageDocumentation
 */
export { Type } from "#typebox"
export { type ExtensionAttacks, registerAttack } from "./attacks/attack-registry.ts"
export { type ExtensionFormats, type Format, registerFormat } from "./log/formats/format-registry.ts"
export { type ExtensionMeasures, registerMeasure } from "./measures/measure-registry.ts"
