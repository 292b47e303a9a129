#!/usr/bin/env node
// Calls of the Kafka client wait for brokers on the threads of Node's pool. With the usual four, a broker that is away
// would hold up everything else. The pool has its size from the first use on, which is while modules are loaded.
if (process.argv[2] === "stream") process.env.UV_THREADPOOL_SIZE ??= "64"
import("./main.ts")
