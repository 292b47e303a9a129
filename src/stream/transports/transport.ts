import type { LineChoice } from "../inputs/line-format.ts"
import type { LiveInput } from "../inputs/live-input.ts"
import type { OutputFormat } from "../live/options.ts"
import type { StreamOutput } from "../live/transport.ts"

/** Messages of a transport to the operator. They never contain text of the log or a user. */
export interface TransportMessages {
  /** Something that the operator should look at. */
  warn(text: string): void
  /** Information for an operator, not for a script: an address, the columns that are read. */
  note(text: string): void
}

/** What an input receives when it is opened. */
export interface InputContext extends TransportMessages {
  /** How lines become records, for an input that delivers lines. */
  choice: LineChoice
  /** Keep reading when the input grows. */
  follow: boolean
  /** The private folder of the store, if the run has one. */
  folder?: string
  /** The names of all inputs of this run. */
  namesInUse: readonly string[]
}

/** What an output receives when it is opened. */
export interface OutputContext extends TransportMessages {
  /** With a new store: existing content of the output may be replaced. */
  force: boolean
  /** The private folder of the store, if the run has one. */
  folder?: string
  /** Called with true when the disk of the output is full, and with false when it has room again. */
  onFull(full: boolean): void
}

/** One place of a scheme. Nothing is opened until `input` or `output` is called. */
export interface Endpoint {
  /** Key under which positions of the input are kept. It is the same in every run, however the place is written. */
  name: string
  /** Names of other places that its input writes to. */
  alsoWrites?: readonly string[]
  /** True if one place cannot be an input and an output of a run, because the stream would read what it writes. */
  isOneWay?: boolean
  /** The only format that the output takes; absent if it takes any. */
  to?: OutputFormat
  /** Absent if records cannot come from this place. */
  input?(context: InputContext): LiveInput
  /** Absent if releases cannot go to this place. */
  output?(context: OutputContext): StreamOutput
}

/** Carries records in and releases out by one scheme. */
export interface Transport {
  /** The scheme, without its colon: `tcp`. */
  name: string
  /** How a place is written, for messages: `tcp://HOST:PORT`. */
  form: string
  /** True if the scheme alone, without a colon, is also a place. */
  allowsBareScheme?: boolean
  /** Parses the text after the colon. Throws `option-value` if it is not a place; `flag` is the option that gave it. */
  find(rest: string, flag: string): Endpoint
}

/** A place with its scheme. The scheme is `-` for standard input and output. */
export interface SchemeEndpoint extends Endpoint {
  scheme: string
}
