import { type Static, Type } from "#typebox"
/** The screens, in the order of the work. */
export declare const screenNames: readonly [
  "log",
  "exposure",
  "purpose",
  "explore",
  "preview",
  "check",
  "sign",
  "register",
]
/** Kinds of work that a job does in a process of its own. */
export declare const jobKinds: readonly [
  "read",
  "inspect",
  "explore",
  "compare",
  "draft",
  "explain",
  "release",
  "report",
  "overlap",
]
export declare const jobStates: readonly ["waiting", "running", "done", "failed", "cancelled", "interrupted"]
/** A piece of heavy work. One runs at a time. */
export declare const jobSchema: Type.TObject<{
  id: Type.TString
  kind: Type.TEnum<["read", "inspect", "explore", "compare", "draft", "explain", "release", "report", "overlap"]>
  label: Type.TString
  state: Type.TEnum<["waiting", "running", "done", "failed", "cancelled", "interrupted"]>
  created: Type.TString
  started: Type.TOptional<Type.TString>
  ended: Type.TOptional<Type.TString>
  progress: Type.TOptional<
    Type.TObject<{
      says: Type.TString
      share: Type.TOptional<Type.TNumber>
      secondsLeft: Type.TOptional<Type.TNumber>
      rowsPerSecond: Type.TOptional<Type.TNumber>
    }>
  >
  error: Type.TOptional<
    Type.TObject<{
      code: Type.TString
      message: Type.TString
    }>
  >
  result: Type.TOptional<Type.TUnknown>
}>
/** What the first screen shows of chosen files. */
export declare const lookSchema: Type.TObject<{
  files: Type.TArray<
    Type.TObject<{
      path: Type.TString
      bytes: Type.TInteger
    }>
  >
  format: Type.TString
  columns: Type.TArray<
    Type.TObject<{
      place: Type.TString
      name: Type.TString
      examples: Type.TArray<Type.TString>
      means: Type.TOptional<Type.TEnum<["user", "query", "time", "rank", "url"]>>
    }>
  >
  readings: Type.TArray<Type.TString>
  problem: Type.TOptional<
    Type.TObject<{
      code: Type.TString
      message: Type.TString
    }>
  >
}>
/** Everything that the page needs at a glance. */
export declare const stateSchema: Type.TObject<{
  project: Type.TObject<{
    id: Type.TString
    folder: Type.TString
    created: Type.TString
    revision: Type.TInteger
    version: Type.TString
    demo: Type.TBoolean
  }>
  folders: Type.TArray<Type.TString>
  log: Type.TUnion<
    [
      Type.TObject<{
        files: Type.TArray<
          Type.TObject<{
            path: Type.TString
            bytes: Type.TInteger
            state: Type.TEnum<["same", "changed", "missing"]>
          }>
        >
        reading: Type.TRecord<"^.*$", Type.TString>
        person: Type.TEnum<["login", "cookie", "session"]>
        read: Type.TUnion<
          [
            Type.TIntersect<
              [
                Type.TObject<{
                  stale: Type.TBoolean
                  at: Type.TString
                }>,
                Type.TObject<{
                  rows: Type.TInteger
                  events: Type.TInteger
                  users: Type.TInteger
                  queries: Type.TInteger
                  urls: Type.TInteger
                  rejected: Type.TInteger
                  span: Type.TUnion<
                    [
                      Type.TObject<{
                        first: Type.TString
                        last: Type.TString
                        days: Type.TNumber
                      }>,
                      Type.TNull,
                    ]
                  >
                  readings: Type.TArray<Type.TString>
                  warnings: Type.TArray<Type.TString>
                  doubts: Type.TArray<Type.TString>
                  unit: Type.TEnum<["user", "session"]>
                }>,
              ]
            >,
            Type.TNull,
          ]
        >
      }>,
      Type.TNull,
    ]
  >
  exposure: Type.TUnion<
    [
      Type.TObject<{
        stale: Type.TBoolean
        at: Type.TString
      }>,
      Type.TNull,
    ]
  >
  exempt: Type.TInteger
  purpose: Type.TUnion<
    [
      Type.TObject<{
        use: Type.TEnum<["suggestions", "retrieval", "queries", "urls", "events", "distinct", "language", "topics"]>
        maxRisk: Type.TNumber
        recipient: Type.TString
      }>,
      Type.TNull,
    ]
  >
  explore: Type.TObject<{
    sample: Type.TUnion<
      [
        Type.TObject<{
          stale: Type.TBoolean
          at: Type.TString
        }>,
        Type.TNull,
      ]
    >
    whole: Type.TUnion<
      [
        Type.TObject<{
          stale: Type.TBoolean
          at: Type.TString
        }>,
        Type.TNull,
      ]
    >
    points: Type.TInteger
  }>
  choice: Type.TUnion<
    [
      Type.TIntersect<
        [
          Type.TObject<{
            method: Type.TString
            parameters: Type.TRecord<"^.*$", Type.TUnion<[Type.TString, Type.TNumber, Type.TBoolean]>>
          }>,
          Type.TObject<{
            name: Type.TString
          }>,
        ]
      >,
      Type.TNull,
    ]
  >
  budget: Type.TUnion<
    [
      Type.TObject<{
        epsilon: Type.TString
        delta: Type.TOptional<Type.TString>
      }>,
      Type.TNull,
    ]
  >
  draft: Type.TUnion<
    [
      Type.TIntersect<
        [
          Type.TObject<{
            stale: Type.TBoolean
            at: Type.TString
          }>,
          Type.TObject<{
            method: Type.TString
            parameters: Type.TRecord<"^.*$", Type.TUnion<[Type.TString, Type.TNumber, Type.TBoolean]>>
          }>,
        ]
      >,
      Type.TNull,
    ]
  >
  releases: Type.TInteger
  jobs: Type.TArray<
    Type.TObject<{
      id: Type.TString
      kind: Type.TEnum<["read", "inspect", "explore", "compare", "draft", "explain", "release", "report", "overlap"]>
      label: Type.TString
      state: Type.TEnum<["waiting", "running", "done", "failed", "cancelled", "interrupted"]>
      created: Type.TString
      started: Type.TOptional<Type.TString>
      ended: Type.TOptional<Type.TString>
      progress: Type.TOptional<
        Type.TObject<{
          says: Type.TString
          share: Type.TOptional<Type.TNumber>
          secondsLeft: Type.TOptional<Type.TNumber>
          rowsPerSecond: Type.TOptional<Type.TNumber>
        }>
      >
      error: Type.TOptional<
        Type.TObject<{
          code: Type.TString
          message: Type.TString
        }>
      >
      result: Type.TOptional<Type.TUnknown>
    }>
  >
  disk: Type.TObject<{
    bytes: Type.TInteger
    parts: Type.TRecord<"^.*$", Type.TInteger>
  }>
  commands: Type.TObject<{
    log: Type.TArray<Type.TString>
    exposure: Type.TArray<Type.TString>
    purpose: Type.TArray<Type.TString>
    explore: Type.TArray<Type.TString>
    preview: Type.TArray<Type.TString>
    check: Type.TArray<Type.TString>
    sign: Type.TArray<Type.TString>
    register: Type.TArray<Type.TString>
  }>
}>
/** The exposure screen. */
export declare const exposureSchema: Type.TObject<{
  stale: Type.TBoolean
  sentence: Type.TString
  clearFrom: Type.TInteger
  inspection: Type.TUnknown
  kinds: Type.TArray<
    Type.TObject<{
      kind: Type.TString
      says: Type.TString
      queries: Type.TInteger
      events: Type.TInteger
      samples: Type.TArray<
        Type.TObject<{
          id: Type.TInteger
          users: Type.TInteger
          words: Type.TInteger
          shape: Type.TString
          topic: Type.TOptional<Type.TString>
          text: Type.TOptional<Type.TString>
          exempt: Type.TBoolean
        }>
      >
    }>
  >
}>
/** The explore screen. */
export declare const exploreSchema: Type.TObject<{
  use: Type.TEnum<["suggestions", "retrieval", "queries", "urls", "events", "distinct", "language", "topics"]>
  maxRisk: Type.TNumber
  points: Type.TArray<
    Type.TObject<{
      id: Type.TString
      of: Type.TEnum<["sample", "whole"]>
      method: Type.TString
      parameters: Type.TRecord<"^.*$", Type.TUnion<[Type.TString, Type.TNumber, Type.TBoolean]>>
      name: Type.TString
      raw: Type.TBoolean
      risk: Type.TOptional<
        Type.TObject<{
          value: Type.TNumber
          low: Type.TNumber
          high: Type.TNumber
          attack: Type.TString
        }>
      >
      attacker: Type.TString
      uses: Type.TObject<{
        suggestions: Type.TOptional<
          Type.TObject<{
            value: Type.TNumber
            low: Type.TNumber
            high: Type.TNumber
            original: Type.TOptional<Type.TNumber>
          }>
        >
        retrieval: Type.TOptional<
          Type.TObject<{
            value: Type.TNumber
            low: Type.TNumber
            high: Type.TNumber
            original: Type.TOptional<Type.TNumber>
          }>
        >
        queries: Type.TOptional<
          Type.TObject<{
            value: Type.TNumber
            low: Type.TNumber
            high: Type.TNumber
            original: Type.TOptional<Type.TNumber>
          }>
        >
        urls: Type.TOptional<
          Type.TObject<{
            value: Type.TNumber
            low: Type.TNumber
            high: Type.TNumber
            original: Type.TOptional<Type.TNumber>
          }>
        >
        events: Type.TOptional<
          Type.TObject<{
            value: Type.TNumber
            low: Type.TNumber
            high: Type.TNumber
            original: Type.TOptional<Type.TNumber>
          }>
        >
        distinct: Type.TOptional<
          Type.TObject<{
            value: Type.TNumber
            low: Type.TNumber
            high: Type.TNumber
            original: Type.TOptional<Type.TNumber>
          }>
        >
        language: Type.TOptional<
          Type.TObject<{
            value: Type.TNumber
            low: Type.TNumber
            high: Type.TNumber
            original: Type.TOptional<Type.TNumber>
          }>
        >
        topics: Type.TOptional<
          Type.TObject<{
            value: Type.TNumber
            low: Type.TNumber
            high: Type.TNumber
            original: Type.TOptional<Type.TNumber>
          }>
        >
      }>
      front: Type.TBoolean
      state: Type.TString
      refused: Type.TOptional<Type.TString>
      report: Type.TBoolean
    }>
  >
  advice: Type.TUnion<
    [
      Type.TObject<{
        point: Type.TOptional<Type.TString>
        reasons: Type.TArray<Type.TString>
        notChecked: Type.TArray<Type.TString>
      }>,
      Type.TNull,
    ]
  >
  uses: Type.TObject<{
    suggestions: Type.TObject<{
      title: Type.TString
      keeps: Type.TString
      better: Type.TEnum<["higher", "lower"]>
    }>
    retrieval: Type.TObject<{
      title: Type.TString
      keeps: Type.TString
      better: Type.TEnum<["higher", "lower"]>
    }>
    queries: Type.TObject<{
      title: Type.TString
      keeps: Type.TString
      better: Type.TEnum<["higher", "lower"]>
    }>
    urls: Type.TObject<{
      title: Type.TString
      keeps: Type.TString
      better: Type.TEnum<["higher", "lower"]>
    }>
    events: Type.TObject<{
      title: Type.TString
      keeps: Type.TString
      better: Type.TEnum<["higher", "lower"]>
    }>
    distinct: Type.TObject<{
      title: Type.TString
      keeps: Type.TString
      better: Type.TEnum<["higher", "lower"]>
    }>
    language: Type.TObject<{
      title: Type.TString
      keeps: Type.TString
      better: Type.TEnum<["higher", "lower"]>
    }>
    topics: Type.TObject<{
      title: Type.TString
      keeps: Type.TString
      better: Type.TEnum<["higher", "lower"]>
    }>
  }>
  methods: Type.TArray<
    Type.TObject<{
      name: Type.TString
      summary: Type.TString
      releases: Type.TEnum<["rows", "tables"]>
      options: Type.TArray<
        Type.TObject<{
          key: Type.TString
          says: Type.TString
          values: Type.TOptional<Type.TArray<Type.TString>>
          minimum: Type.TOptional<Type.TNumber>
          maximum: Type.TOptional<Type.TNumber>
          default: Type.TOptional<Type.TUnion<[Type.TString, Type.TNumber, Type.TBoolean]>>
        }>
      >
    }>
  >
}>
/** A page of the rows of a draft or a release. */
export declare const rowsSchema: Type.TObject<{
  columns: Type.TArray<Type.TString>
  rows: Type.TArray<Type.TArray<Type.TString>>
  /** Rows that match, and rows in all. */
  matching: Type.TInteger
  total: Type.TInteger
}>
/** What a draft shows and withholds. */
export declare const draftSchema: Type.TObject<{
  stale: Type.TBoolean
  seeded: Type.TLiteral<true>
  choice: Type.TObject<{
    method: Type.TString
    parameters: Type.TRecord<"^.*$", Type.TUnion<[Type.TString, Type.TNumber, Type.TBoolean]>>
  }>
  statement: Type.TString
  notCovered: Type.TArray<Type.TString>
  files: Type.TArray<
    Type.TObject<{
      name: Type.TString
      rows: Type.TInteger
      columns: Type.TArray<Type.TString>
    }>
  >
  withheld: Type.TArray<
    Type.TObject<{
      reason: Type.TString
      rows: Type.TInteger
    }>
  >
  warnings: Type.TArray<Type.TString>
  empty: Type.TBoolean
}>
/** A release in the register. */
export declare const releaseSchema: Type.TObject<{
  name: Type.TString
  id: Type.TString
  method: Type.TString
  parameters: Type.TRecord<"^.*$", Type.TUnion<[Type.TString, Type.TNumber, Type.TBoolean]>>
  made: Type.TString
  rows: Type.TInteger
  state: Type.TEnum<["signed", "changed", "refused", "open"]>
  decision: Type.TOptional<
    Type.TObject<{
      name: Type.TString
      date: Type.TString
      reason: Type.TString
    }>
  >
  problem: Type.TOptional<Type.TString>
  summary: Type.TOptional<
    Type.TObject<{
      release: Type.TString
      manifest: Type.TString
      method: Type.TString
      seeded: Type.TBoolean
      made: Type.TString
      judged: Type.TString
      original: Type.TEnum<["same", "alike", "other", "not compared"]>
      statement: Type.TString
      protects: Type.TString
      notCovered: Type.TArray<Type.TString>
      promise: Type.TObject<{
        kept: Type.TEnum<["yes", "no", "in part", "nothing promised"]>
        sentence: Type.TString
        open: Type.TArray<Type.TString>
        empty: Type.TBoolean
      }>
      attacks: Type.TObject<{
        state: Type.TEnum<["nothing above chance", "above chance", "over the accepted risk", "not attacked"]>
        sentence: Type.TString
        caveats: Type.TArray<Type.TString>
        meanings: Type.TArray<Type.TString>
        acceptedRisk: Type.TNumber
      }>
      left: Type.TArray<Type.TString>
      readings: Type.TArray<Type.TString>
    }>
  >
  accept: Type.TArray<Type.TString>
  handedOut: Type.TArray<
    Type.TObject<{
      to: Type.TString
      at: Type.TString
    }>
  >
  fingerprints: Type.TObject<{
    manifest: Type.TOptional<Type.TString>
    receipt: Type.TOptional<Type.TString>
    report: Type.TOptional<Type.TString>
  }>
}>
/** The register. */
export declare const registerSchema: Type.TObject<{
  releases: Type.TArray<
    Type.TObject<{
      name: Type.TString
      id: Type.TString
      method: Type.TString
      parameters: Type.TRecord<"^.*$", Type.TUnion<[Type.TString, Type.TNumber, Type.TBoolean]>>
      made: Type.TString
      rows: Type.TInteger
      state: Type.TEnum<["signed", "changed", "refused", "open"]>
      decision: Type.TOptional<
        Type.TObject<{
          name: Type.TString
          date: Type.TString
          reason: Type.TString
        }>
      >
      problem: Type.TOptional<Type.TString>
      summary: Type.TOptional<
        Type.TObject<{
          release: Type.TString
          manifest: Type.TString
          method: Type.TString
          seeded: Type.TBoolean
          made: Type.TString
          judged: Type.TString
          original: Type.TEnum<["same", "alike", "other", "not compared"]>
          statement: Type.TString
          protects: Type.TString
          notCovered: Type.TArray<Type.TString>
          promise: Type.TObject<{
            kept: Type.TEnum<["yes", "no", "in part", "nothing promised"]>
            sentence: Type.TString
            open: Type.TArray<Type.TString>
            empty: Type.TBoolean
          }>
          attacks: Type.TObject<{
            state: Type.TEnum<["nothing above chance", "above chance", "over the accepted risk", "not attacked"]>
            sentence: Type.TString
            caveats: Type.TArray<Type.TString>
            meanings: Type.TArray<Type.TString>
            acceptedRisk: Type.TNumber
          }>
          left: Type.TArray<Type.TString>
          readings: Type.TArray<Type.TString>
        }>
      >
      accept: Type.TArray<Type.TString>
      handedOut: Type.TArray<
        Type.TObject<{
          to: Type.TString
          at: Type.TString
        }>
      >
      fingerprints: Type.TObject<{
        manifest: Type.TOptional<Type.TString>
        receipt: Type.TOptional<Type.TString>
        report: Type.TOptional<Type.TString>
      }>
    }>
  >
  overlaps: Type.TArray<
    Type.TObject<{
      releases: Type.TArray<Type.TString>
      why: Type.TEnum<["same log", "shared files"]>
    }>
  >
  ledger: Type.TArray<
    Type.TObject<{
      log: Type.TString
      budget: Type.TString
      spent: Type.TString
      deltaBudget: Type.TString
      deltaSpent: Type.TString
      releases: Type.TInteger
    }>
  >
  broken: Type.TArray<
    Type.TObject<{
      name: Type.TString
      why: Type.TString
    }>
  >
  record: Type.TArray<
    Type.TObject<{
      number: Type.TInteger
      at: Type.TString
      says: Type.TString
    }>
  >
}>
/** The bodies of requests. Text of the log is only ever in a body, never in an address. */
export declare const bodies: {
  list: Type.TObject<{
    folder: Type.TInteger
    path: Type.TString
  }>
  look: Type.TObject<{
    files: Type.TArray<Type.TString>
    format: Type.TOptional<Type.TString>
  }>
  log: Type.TObject<{
    revision: Type.TInteger
    files: Type.TArray<Type.TString>
    columns: Type.TObject<{
      user: Type.TOptional<Type.TString>
      query: Type.TOptional<Type.TString>
      time: Type.TOptional<Type.TString>
      rank: Type.TOptional<Type.TString>
      url: Type.TOptional<Type.TString>
    }>
    format: Type.TOptional<Type.TString>
    encoding: Type.TOptional<Type.TString>
    person: Type.TEnum<["login", "cookie", "session"]>
    userConfirmed: Type.TLiteral<true>
  }>
  unmask: Type.TObject<{
    samples: Type.TArray<Type.TInteger>
  }>
  exempt: Type.TObject<{
    revision: Type.TInteger
    add: Type.TArray<Type.TInteger>
    remove: Type.TArray<Type.TInteger>
  }>
  purpose: Type.TObject<{
    use: Type.TEnum<["suggestions", "retrieval", "queries", "urls", "events", "distinct", "language", "topics"]>
    maxRisk: Type.TNumber
    recipient: Type.TString
    revision: Type.TInteger
  }>
  choice: Type.TObject<{
    method: Type.TString
    parameters: Type.TRecord<"^.*$", Type.TUnion<[Type.TString, Type.TNumber, Type.TBoolean]>>
    revision: Type.TInteger
  }>
  budget: Type.TObject<{
    epsilon: Type.TString
    delta: Type.TOptional<Type.TString>
    revision: Type.TInteger
  }>
  explore: Type.TObject<{
    of: Type.TEnum<["sample", "whole"]>
    point: Type.TOptional<
      Type.TObject<{
        method: Type.TString
        parameters: Type.TRecord<"^.*$", Type.TUnion<[Type.TString, Type.TNumber, Type.TBoolean]>>
      }>
    >
  }>
  compare: Type.TObject<{
    points: Type.TArray<Type.TString>
  }>
  draft: Type.TObject<{}>
  rows: Type.TObject<{
    file: Type.TOptional<Type.TString>
    page: Type.TInteger
    sort: Type.TOptional<Type.TString>
    descending: Type.TOptional<Type.TBoolean>
    search: Type.TOptional<Type.TString>
  }>
  explain: Type.TObject<{
    query: Type.TString
    method: Type.TOptional<Type.TString>
    parameters: Type.TOptional<Type.TRecord<"^.*$", Type.TUnion<[Type.TString, Type.TNumber, Type.TBoolean]>>>
  }>
  release: Type.TObject<{
    name: Type.TString
    reason: Type.TOptional<Type.TString>
  }>
  named: Type.TObject<{
    name: Type.TString
  }>
  decide: Type.TObject<{
    release: Type.TString
    name: Type.TString
    reason: Type.TString
    accept: Type.TArray<Type.TString>
  }>
  overlap: Type.TObject<{
    one: Type.TString
    other: Type.TString
  }>
  handOut: Type.TObject<{
    release: Type.TString
    to: Type.TString
  }>
  remove: Type.TObject<{
    id: Type.TString
  }>
}
export type Job = Static<typeof jobSchema>
export type StudioState = Static<typeof stateSchema>
export type Look = Static<typeof lookSchema>
export type Exposure = Static<typeof exposureSchema>
export type Explore = Static<typeof exploreSchema>
export type RowsPage = Static<typeof rowsSchema>
export type DraftView = Static<typeof draftSchema>
export type RegisterView = Static<typeof registerSchema>
