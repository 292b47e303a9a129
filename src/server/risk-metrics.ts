import type { RiskFigures } from "../stream/live/stream-figures.ts"
import { type Family, gauge } from "./prometheus.ts"

/** What the running attack found; nothing before its first result. */
export function riskFamilies(risk: RiskFigures | undefined): Family[] {
  if (risk === undefined) return []
  const { alarmed } = risk
  return [
    gauge("risk_assessed_time_seconds", "Time of the last risk assessment, in seconds since 1970.", risk.at / 1000),
    gauge("risk_releases", "Releases that the last assessment looked at.", risk.releases),
    gauge("risk_promise", "Promised upper bound of the share of correct names: 1/k.", risk.promise),
    gauge("risk_named", "Units for which the best attacker named a user.", [[{ attacker: risk.attacker }, risk.named]]),
    gauge("risk_share", "Share of these units that the attacker named correctly.", risk.share),
    gauge("risk_lower", "Lower 99.9 % confidence bound of that share.", risk.lower),
    gauge("risk_alarm", "1 if that bound is above the promise.", risk.alarm ? 1 : 0),
    gauge("risk_alarmed_categories", "Categories whose own lower bound is above the promise.", alarmed.length),
    gauge(
      "risk_category_lower",
      "Lower bounds of the categories above the promise.",
      alarmed.map(({ path, lower }) => [{ category: path }, lower]),
    ),
  ]
}
