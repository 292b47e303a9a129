import { type Static, type TObject, Type } from "#typebox"
/**
 * The options of a schema as a caller gives them: any may be left out or undefined.
 * @inline
 */
export type GivenOptions<S extends TObject> = {
  [K in keyof Static<S>]?: Static<S>[K] | undefined
}
/** How to read a log, and where to list the lines that are not rows. */
export declare const logOptions: TObject<{
  rejects: Type.TOptional<Type.TString>
  format: Type.TEnum<["auto", ...import("../log/formats/format-registry.ts").FormatName[]]>
  columns: Type.TOptional<Type.TString>
  jsonPath: Type.TOptional<Type.TString>
  unit: Type.TEnum<["user", "session"]>
  encoding: Type.TOptional<Type.TString>
  strict: Type.TBoolean
  cache: Type.TOptional<Type.TString>
}>
/** How to read a log, and where to list the lines that are not rows: `logOptions` as a type. */
export interface LogOptions extends GivenOptions<typeof logOptions> {}
/** Options for checking a release, with the original log or without it. */
export declare const releaseOptions: TObject<{
  against: Type.TOptional<Type.TArray<Type.TString>>
  audit: Type.TOptional<Type.TString>
  rejects: Type.TOptional<Type.TString>
  format: Type.TEnum<["auto", ...import("../log/formats/format-registry.ts").FormatName[]]>
  columns: Type.TOptional<Type.TString>
  jsonPath: Type.TOptional<Type.TString>
  unit: Type.TEnum<["user", "session"]>
  encoding: Type.TOptional<Type.TString>
  strict: Type.TBoolean
  cache: Type.TOptional<Type.TString>
}>
export declare const onlyOption: Type.TOptional<Type.TArray<Type.TString>>
export declare const truthOption: Type.TOptional<Type.TString>
export declare const labelsOption: Type.TOptional<Type.TString>
export declare const seedOption: Type.TOptional<Type.TInteger>
export declare const studySeedOption: Type.TInteger
/** A second release, for the attack that uses both. */
export declare const otherOptions: {
  other: Type.TOptional<Type.TString>
  otherAudit: Type.TOptional<Type.TString>
}
export declare const outputOption: (placeholder: "dir" | "file", description: string) => Type.TOptional<Type.TString>
/** For commands that write a release as CSV or TSV. */
export declare const escapeFormulasOption: TObject<{
  escapeFormulas: Type.TBoolean
}>
export declare const answerOption: () => Type.TOptional<Type.TString>
export declare const forceOption: (what: string) => Type.TBoolean
/** Checks the given options. A misspelt option or a wrong value is refused with the error codes of the command line. */
export declare function checkOptions<S extends TObject>(who: string, schema: S, given: object): Partial<Static<S>>
/** The values that a schema has, in the order of the schema. */
export declare function pickOptions<S extends TObject>(schema: S, given: object): Partial<Static<S>>
