import { type Static, Type } from "#typebox"
/** The answers to "What is one person here?" */
export declare const personNames: readonly ["login", "cookie", "session"]
/** The log: its files, and how to read them. The user column was confirmed by a person. */
export declare const logSchema: Type.TObject<{
  files: Type.TArray<
    Type.TObject<{
      path: Type.TString
      bytes: Type.TInteger
      modified: Type.TNumber
    }>
  >
  reading: Type.TObject<{
    format: Type.TOptional<Type.TEnum<["auto", ...import("../log/formats/format-registry.ts").FormatName[]]>>
    columns: Type.TOptional<Type.TString>
    unit: Type.TOptional<Type.TEnum<["user", "session"]>>
    jsonPath: Type.TOptional<Type.TString>
    encoding: Type.TOptional<Type.TString>
  }>
  person: Type.TEnum<["login", "cookie", "session"]>
}>
/** What the release is for, how much risk is accepted, and who receives it. */
export declare const purposeSchema: Type.TObject<{
  use: Type.TEnum<["suggestions", "retrieval", "queries", "urls", "events", "distinct", "language", "topics"]>
  maxRisk: Type.TNumber
  recipient: Type.TString
}>
/** The method and its parameters that were chosen on the frontier. */
export declare const choiceSchema: Type.TObject<{
  method: Type.TString
  parameters: Type.TRecord<"^.*$", Type.TUnion<[Type.TString, Type.TNumber, Type.TBoolean]>>
}>
/** Budgets of the project's ledger, for methods that spend one. */
export declare const budgetSchema: Type.TObject<{
  epsilon: Type.TString
  delta: Type.TOptional<Type.TString>
}>
/** The settings of a project. Products of jobs are in files of their own and say which settings they belong to. */
export declare const settingsSchema: Type.TObject<{
  queryveil: Type.TLiteral<1>
  id: Type.TString
  created: Type.TString
  /** Raised with every change. Who changes a setting names the revision they saw. */
  revision: Type.TInteger
  /** Folders from which files of the log may be chosen. */
  folders: Type.TArray<Type.TString>
  log: Type.TOptional<
    Type.TObject<{
      files: Type.TArray<
        Type.TObject<{
          path: Type.TString
          bytes: Type.TInteger
          modified: Type.TNumber
        }>
      >
      reading: Type.TObject<{
        format: Type.TOptional<Type.TEnum<["auto", ...import("../log/formats/format-registry.ts").FormatName[]]>>
        columns: Type.TOptional<Type.TString>
        unit: Type.TOptional<Type.TEnum<["user", "session"]>>
        jsonPath: Type.TOptional<Type.TString>
        encoding: Type.TOptional<Type.TString>
      }>
      person: Type.TEnum<["login", "cookie", "session"]>
    }>
  >
  purpose: Type.TOptional<
    Type.TObject<{
      use: Type.TEnum<["suggestions", "retrieval", "queries", "urls", "events", "distinct", "language", "topics"]>
      maxRisk: Type.TNumber
      recipient: Type.TString
    }>
  >
  choice: Type.TOptional<
    Type.TObject<{
      method: Type.TString
      parameters: Type.TRecord<"^.*$", Type.TUnion<[Type.TString, Type.TNumber, Type.TBoolean]>>
    }>
  >
  budget: Type.TOptional<
    Type.TObject<{
      epsilon: Type.TString
      delta: Type.TOptional<Type.TString>
    }>
  >
}>
/** The settings of a project. */
export type ProjectSettings = Static<typeof settingsSchema>
/** Settings of a new project. */
export declare function newSettings({
  id,
  folders,
  created,
}: {
  id: string
  folders: readonly string[]
  created: Date
}): {
  log?: {
    files: {
      path: string
      bytes: number
      modified: number
    }[]
    reading: {
      format?: "auto" | import("../log/formats/format-registry.ts").FormatName
      columns?: string
      encoding?: string
      unit?: "user" | "session"
      jsonPath?: string
    }
    person: "login" | "cookie" | "session"
  }
  purpose?: {
    use: "topics" | "suggestions" | "retrieval" | "queries" | "urls" | "events" | "distinct" | "language"
    maxRisk: number
    recipient: string
  }
  choice?: {
    method: string
    parameters: Record<string, string | number | boolean>
  }
  budget?: {
    delta?: string
    epsilon: string
  }
  id: string
  queryveil: 1
  created: string
  revision: number
  folders: string[]
}
/** Reads the settings of a project; undefined if there are none. Refuses those of a newer version. */
export declare function readSettings(file: string): Promise<ProjectSettings | undefined>
export declare function writeSettings(file: string, settings: ProjectSettings): Promise<void>
