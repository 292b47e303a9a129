import { fileURLToPath } from "node:url"
import type { ServiceDefinition } from "@grpc/proto-loader"
import { QueryveilError } from "../../../kernels/error.ts"

/** The libraries that speak with Spark. */
export interface SparkLibraries {
  grpc: typeof import("@grpc/grpc-js")
  arrow: typeof import("apache-arrow")
  /** How messages are written and read. */
  service: ServiceDefinition
  /** Decode the details of an error. */
  details: ServiceDefinition
}

const messages = fileURLToPath(new URL("../../../../data/spark-connect.proto", import.meta.url))

/** Loads the clients of gRPC and Arrow. They are optional peer dependencies, because only this engine needs them. */
export async function loadSparkLibraries(): Promise<SparkLibraries> {
  try {
    const [grpc, { loadSync }, arrow] = await Promise.all([
      import("@grpc/grpc-js"),
      import("@grpc/proto-loader"),
      import("apache-arrow"),
    ])
    const definition = loadSync(messages, { keepCase: true, longs: Number })
    const service = definition["spark.connect.SparkConnectService"]
    const details = definition["spark.connect.ErrorDetails"]
    if (service === undefined || details === undefined || "format" in service || "format" in details)
      throw new Error("The messages of Spark Connect are incomplete.")
    return { grpc, arrow, service, details }
  } catch (cause) {
    throw new QueryveilError(
      "spark-client",
      [
        "The client of Spark cannot be loaded.",
        "Install it next to queryveil: npm install @grpc/grpc-js @grpc/proto-loader apache-arrow.",
      ].join(" "),
      { cause },
    )
  }
}
