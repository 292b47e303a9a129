/**
 * Extensions: formats, attacks and measures of your own. A module registers them when it is imported, by a program or by
 * `queryveil --extend FILE`. docs/extending.md explains each contract with an example.
 *
 * @packageDocumentation
 */

export { type Static, type TObject, Type } from "#typebox"
export { type ExtensionAttacks, registerAttack } from "./attacks/attack-registry.ts"
export type { ColumnChoice, ColumnName } from "./log/formats/columns.ts"
export type { Cell, Cells, Converter } from "./log/formats/convert-block.ts"
export { type ExtensionFormats, type Format, registerFormat } from "./log/formats/format-registry.ts"
export { type ExtensionMeasures, registerMeasure } from "./measures/measure-registry.ts"
export type { AnyProbe, Probe, ProbeSubject, ReleaseProbe, Score, TablesProbe } from "./probes/probe.ts"
