/** Names of the kinds of sensitive topics, for display. */
export const sensitiveKinds = ["health", "politics", "religion", "sexuality", "money"] as const
/** One of `sensitiveKinds`. */
export type SensitiveKind = (typeof sensitiveKinds)[number]

/**
 * Names of topics that many people would not show, by kind. They are in lower case, with words separated by blanks and
 * "and" for "&". `above/name` is a topic of this name directly below one named `above`; `/name` is one directly below
 * the root. The first lines of a kind are from WordNet's noun tree, the last line from ODP, Curlie and IAB.
 */
export const sensitiveNames: Record<SensitiveKind, readonly string[]> = {
  health: [
    ...["pathological state", "physical condition/disorder", "mental disorder", "psychological state", "symptom"],
    ...[
      "pregnancy",
      "birth control",
      "abortion",
      "disability",
      "physical condition/addiction",
      "craving/addiction",
      "substance abuse",
    ],
    ...["drug", "medicine", "medical science", "medical procedure", "medical care", "medical building", "sick person"],
    ...[
      "health",
      "medical health",
      "healthy living",
      "mental health",
      "diseases and conditions",
      "conditions and diseases",
    ],
  ],
  politics: [
    ...["politics", "political orientation", "political system", "organization/party", "political movement"],
    ...["vote/election", "leader/politician", "person/radical", "labor movement"],
    ...["government and politics", "law and politics", "elections", "political issues"],
  ],
  religion: [
    ...["religion", "worship", "religious ceremony", "religious person", "religious movement", "religious doctrine"],
    ...["theological doctrine", "clergyman", "place of worship", "sacred text", "atheism"],
    ...["religion and spirituality", "christianity", "islam", "judaism", "hinduism", "buddhism"],
  ],
  sexuality: [
    ...[
      "sexual activity",
      "sexual desire",
      "homosexual",
      "lover",
      "libertine",
      "prostitution",
      "pornography",
      "sex object",
    ],
    ...["sexual relationship", "gender identity", "transvestite"],
    ...[
      "sexuality",
      "sex",
      "/adult",
      "/adults",
      "sexual health",
      "gay lesbian and bisexual",
      "lgbt",
      "gay life",
      "personals",
    ],
  ],
  money: [
    ...["debt", "financial condition", "financial gain", "financial loss", "possession/property/wealth", "insolvency"],
    ...["bankruptcy", "debtor", "gambling", "security interest", "medium of exchange/money"],
    ...["personal finance", "financial services", "money", "credit debt and loans", "loans", "banking"],
  ],
}
