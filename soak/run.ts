// `kafka` as the first word runs a group of Kafka workers; everything else runs `stream run` over the transports.
if (process.argv[2] === "kafka") await import("./workers/run-workers.ts")
else await import("./run-variants.ts")

export {}
