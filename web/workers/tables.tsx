import type { ComponentChildren } from "preact"
import type { GroupFigures, GroupPartition } from "../../src/stream/workers/group-figures.ts"
import { asBytes, asCompact, asCount, asDuration, asPercent } from "../shared/format.ts"
import { Panel } from "../shared/panel.tsx"

/** The first characters of a worker's name, which tell the workers of a group apart. */
const shortOf = (worker: string) => worker.slice(0, 8)

const roles = { classify: "classifier", swap: "swapper", profiles: "profiles" }

interface TableProps {
  heads: readonly string[]
  rows: readonly { key: string; cells: readonly ComponentChildren[] }[]
}

/** The first cell of each row is its heading. */
function Table({ heads, rows }: TableProps) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [first, ...rest] }) => (
            <tr key={key}>
              <th scope="row">{first}</th>
              {rest.map((cell, column) => (
                <td key={heads[column + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const isFine = ({ isWorking, isMoved }: GroupPartition) => isWorking || isMoved === true

function stateOf({ worker, isWorking, isMoved }: GroupPartition): string {
  if (worker === null) return "no worker"
  if (isMoved === true) return "handed over"
  return isWorking ? "works" : "starts"
}

/** Every partition, those without a worker first. */
export function Partitions({ figures }: { figures: GroupFigures }) {
  const ordered = figures.partitions.toSorted((a, b) => Number(isFine(a)) - Number(isFine(b)))
  const rows = ordered.map((each) => {
    const { role, topic, partition, worker, isWorking, lag, transactionSeconds, restarts, swap } = each
    return {
      key: `${role} ${topic} ${partition}`,
      cells: [
        `${topic}, ${partition}`,
        worker === null ? "–" : shortOf(worker),
        <span class={`pill ${isFine(each) ? "good" : worker === null ? "bad" : ""}`}>{stateOf(each)}</span>,
        lag === null ? "–" : asCount(lag),
        swap === undefined ? "–" : asCount(swap.waiting),
        swap === undefined ? "–" : asCount(swap.released),
        isWorking ? asDuration(transactionSeconds.p99) : "–",
        swap === undefined ? "–" : asDuration(swap.restored.seconds),
        asCount(restarts),
      ],
    }
  })
  const heads = [
    "Partition",
    "Worker",
    "State",
    "Behind",
    "Waiting",
    "Released",
    "Transaction",
    "Restored in",
    "Restarts",
  ]
  return (
    <Panel title="Partitions" aside={<span class="unit">transaction: 99 % are faster</span>}>
      <Table heads={heads} rows={rows} />
    </Panel>
  )
}

export function Workers({ figures }: { figures: GroupFigures }) {
  const { now, workers } = figures
  const rows = workers.map(({ worker, role, version, startedAt, isSilent, silentSeconds, partitions, memory }) => ({
    key: worker,
    cells: [
      shortOf(worker),
      roles[role],
      isSilent ? <span class="pill bad">silent for {asDuration(Math.round(silentSeconds))}</span> : "reports",
      asCount(partitions),
      asBytes(memory.rss),
      asDuration(Math.max(0, Math.round((now - startedAt) / 1000))),
      version,
    ],
  }))
  return (
    <Panel title="Workers">
      {rows.length === 0 ? (
        <p class="note">No worker reports.</p>
      ) : (
        <Table heads={["Worker", "Role", "State", "Partitions", "Memory", "Up", "Version"]} rows={rows} />
      )}
    </Panel>
  )
}

/** Each swapper attacks what it released itself. */
export function Risks({ figures }: { figures: GroupFigures }) {
  const rows = figures.workers.flatMap(({ worker, risk }) => {
    if (risk === null) return []
    const { share, lower, promise, alarm, alarmed, releases } = risk
    const isAlarm = alarm || alarmed.length > 0
    const state = alarm ? "above the promise" : isAlarm ? "above it in some categories" : "within the promise"
    const cells = [
      shortOf(worker),
      <span class={`pill ${isAlarm ? "bad" : share > promise ? "" : "good"}`}>{state}</span>,
      asPercent(share),
      asPercent(lower),
      asPercent(promise),
      asCompact(releases),
    ]
    return { key: worker, cells }
  })
  return (
    <Panel title="Linkage risk" aside={<span class="unit">of what each swapper released</span>}>
      {rows.length === 0 ? (
        <p class="note">The risk is assessed when enough records have been released.</p>
      ) : (
        <Table heads={["Swapper", "State", "Named correctly", "At least", "Promise", "Records"]} rows={rows} />
      )}
    </Panel>
  )
}
