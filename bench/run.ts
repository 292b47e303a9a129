import { execFile } from "node:child_process"
import { availableParallelism, cpus } from "node:os"
import { promisify } from "node:util"
import { affinity } from "./affinity.ts"
import type { Bench, Finding } from "./case.ts"
import { classifyBench } from "./classify.ts"
import { classifySynth } from "./classify-synth.ts"
import { equality } from "./equality.ts"
import { generalise } from "./generalise.ts"
import { ingest } from "./ingest.ts"
import { inspectBench } from "./inspect.ts"
import { noise } from "./noise.ts"
import { scrub } from "./scrub.ts"
import { swap } from "./swap.ts"
import { synthFit } from "./synth-fit.ts"
import { taxonomy } from "./taxonomy.ts"
import { wordnet } from "./wordnet.ts"

const benches: readonly Bench[] = [
  ingest,
  inspectBench,
  equality,
  affinity,
  generalise,
  scrub,
  noise,
