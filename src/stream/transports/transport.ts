import type { LineChoice } from "../inputs/line-format.ts"
import type { LiveInput } from "../inputs/live-input.ts"
import type { StreamOutput } from "../live/transport.ts"

/** What an input may say to the operator. Never text of the log, never a user. */
export interface TransportMessages {
  /** Something that the operator should look at. */
  warn(text: string): void
  /** What an operator wants to know and no script: an address, the columns that are read. */
  note(text: string): void
}

/** What an input is given when it is opened. */
export interface InputContext extends TransportMessages {
  /** How lines become records, where the input brings lines. */
  choice: LineChoice
  /** Go on when the input grows. */
  follow: boolean
  /** The private folder of the store, where the run has one. */
  folder?: string
  /** The names of all inputs of this run. */
  namesInUse: readonly string[]
}

/** What an output is given when it is opened. */
export interface OutputContext extends TransportMessages {
  /** With a new store: what the output holds may be replaced. */
  force: boolean
  /** The private folder of the store, where the run has one. */
  folder?: string
  /** The disk of the output is full, or no longer. */
  onFull(full: boolean): void
}

/** One place of a scheme. It opens nothing until it is asked to. */
export interface Endpoint {
  /** Positions of the input are kept under it: the same in every run, however the place is written. */
  name: string
  /** Absent where records cannot come from there. */
  input?(context: InputContext): LiveInput
  /** Absent where releases cannot go there. */
  output?(context: OutputContext): StreamOutput
}

/** How records come and go by one scheme. */
export interface Transport {
  /** The scheme, without its colon: `tcp`. */
  name: string
  /** How a place is written, for messages: `tcp://HOST:PORT`. */
  form: string
  /** The scheme alone, without a colon, is a place too. */
  standsAlone?: boolean
  /** Reads what follows the colon. Throws `option-value` if it is no place; `flag` is the option that it was given with. */
  find(rest: string, flag: string): Endpoint
}

/** A place with its scheme; `-` for the standard input and output. */
export interface Place extends Endpoint {
  scheme: string
}
