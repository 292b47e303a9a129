import { Panel } from "../../shared/panel.tsx"
import type { Explore } from "../answers.ts"
import type { FrontierPoint } from "./point-words.ts"

interface AdviceProps {
  explore: Explore
  /** True while more points are computed. */
  isPartial: boolean
  isChosen: boolean
  onUse(point: FrontierPoint): void
  onShow(id: string): void
}

/** The recommended point, why, and what was not checked. */
export function AdvicePanel({ explore, isPartial, isChosen, onUse, onShow }: AdviceProps) {
  const { advice, points } = explore
  if (advice === null) return null
  const point = points.find(({ id }) => id === advice.point)
  return (
    <Panel title="Recommendation">
      <p class="lead">
        {point === undefined ? (
          isPartial ? (
            "So far, no release is within the risk that you accept. More are being tried."
          ) : (
            "No release that was tried is within the risk that you accept."
          )
        ) : (
          <>
            {isPartial ? "Recommended so far" : "Recommended"}: <strong>{point.name}</strong>
          </>
        )}
      </p>
      <ul class="reasons">
        {advice.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {point !== undefined && (
        <div class="actions">
          <button type="button" disabled={isChosen} onClick={() => onUse(point)}>
            {isChosen ? "In use" : "Use this one"}
          </button>
          <button type="button" class="plain" onClick={() => onShow(point.id)}>
            Show its details
          </button>
        </div>
      )}
      {advice.notChecked.length > 0 && (
        <>
          <h3>What was not checked</h3>
          <ul class="points-list">
            {advice.notChecked.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}
