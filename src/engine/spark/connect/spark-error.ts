import type { ServiceDefinition } from "@grpc/proto-loader"
import { QueryveilError } from "../../../kernels/error.ts"

/** An error of a call, without its texts: they may quote the data. */
export interface CallFailure {
  /** The status of gRPC. */
  status: number
  /** Spark's name for the error, such as `TABLE_OR_VIEW_NOT_FOUND`. Absent for an error without one. */
  errorClass?: string
}

const status = {
  cancelled: 1,
  deadline: 4,
  denied: 7,
  exhausted: 8,
  unavailable: 14,
  unauthenticated: 16,
  unimplemented: 12,
} as const

/** Reads what is safe to show from an error of gRPC. Undefined if it is another error. */
export function readFailure(error: unknown, details: ServiceDefinition): CallFailure | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "number") return undefined
  const errorClass = classOf(error, details)
  return { status: error.code, ...(errorClass !== undefined && { errorClass }) }
}

/** True if the connection was lost, so that the call can be made again. */
export function mayPass({ status: code, errorClass }: CallFailure): boolean {
  return errorClass === undefined && (code === status.unavailable || code === status.deadline)
}

export function describeFailure(failure: CallFailure, stage: string): QueryveilError {
  const { status: code, errorClass } = failure
  if (errorClass === undefined && (code === status.unauthenticated || code === status.denied))
    return new QueryveilError(
      "spark-refused",
      `Spark does not accept this client (${stage}). Set QUERYVEIL_SPARK_TOKEN to a token that it accepts.`,
    )
  if (errorClass === undefined && code === status.unimplemented)
    return new QueryveilError("spark-unreachable", "No Spark Connect server (4.0 or later) answers at this address.")
  if (mayPass(failure))
    return new QueryveilError(
      "spark-unreachable",
      `Spark does not answer (${stage}). Check that the Connect server runs, the address, and use_ssl.`,
    )
  const name = errorClass ?? `gRPC status ${code}`
  return new QueryveilError(
    "spark-failed",
    `Spark stopped at a statement (${stage}): ${name}. Its own text may quote searches, so it is not shown here.`,
    { cause: failure },
  )
}

/** Spark's name for the error, if it is one that Spark reported. */
export function errorClassOf(error: unknown): string | undefined {
  if (!(error instanceof QueryveilError) || error.code !== "spark-failed") return undefined
  const { cause } = error
  if (typeof cause !== "object" || cause === null || !("errorClass" in cause)) return undefined
  return typeof cause.errorClass === "string" ? cause.errorClass : undefined
}

/** Spark sends the name of an error in the details of the status. */
function classOf(error: Error, { Decode: decode }: ServiceDefinition): string | undefined {
  const metadata = "metadata" in error ? error.metadata : undefined
  if (decode === undefined || typeof metadata !== "object" || metadata === null || !("get" in metadata))
    return undefined
  const { get } = metadata
  if (typeof get !== "function") return undefined
  try {
    const [bytes] = get.call(metadata, "grpc-status-details-bin")
    if (!Buffer.isBuffer(bytes)) return undefined
    const { details = [] } = decode.requestDeserialize(bytes) as { details?: { type_url?: string; value?: Buffer }[] }
    const info = details.find(({ type_url }) => type_url?.endsWith("google.rpc.ErrorInfo"))
    if (info?.value === undefined) return undefined
    return nameIn(decode.responseDeserialize(Buffer.from(info.value)) as ErrorInfo)
  } catch {
    return undefined // details that cannot be read
  }
}

interface ErrorInfo {
  reason?: string
  metadata?: Record<string, string>
}

/** The error class, or else the Java class. Only names of the expected form: nothing else is ever shown. */
function nameIn({ reason = "", metadata = {} }: ErrorInfo): string | undefined {
  const { errorClass = "" } = metadata
  if (/^[A-Z0-9_]+(\.[A-Z0-9_]+)*$/.test(errorClass)) return errorClass
  const simple = reason.split(".").at(-1) ?? ""
  return /^[A-Z][A-Za-z]{2,60}$/.test(simple) ? simple : undefined
}
