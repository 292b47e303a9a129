import { anyOf } from "./any-of.ts"
import { mailProviders } from "./email.ts"
import { countDigits, isLetter, isYear, type QueryText, wordSet } from "./query-text.ts"

/** Tokens that look like an account because of the words before them. */

const accountWords = wordSet(`
  account acct accounts routing aba policy member membership customer client patient student employee passport license
  licence loan claim confirmation booking reservation itinerary tracking order invoice ticket imei mrn subscriber
  badge fedex ups usps dhl medicare medicaid serial reference ref certificate permit registration contract case file
  konto kontonummer kundennummer reisepass ausweisnummer cuenta compte conto rekeningnummer
`)
const secretWords = wordSet("password passwords passwort passcode passwd pwd contraseña passphrase")
const pinWords = wordSet("pin pins pincode")
const nameWords = wordSet(`
  username usernames user userid login screenname gamertag nickname skype icq snapchat instagram kik handle benutzername
`)

const plateWords = wordSet("plate plates kennzeichen")

/** `secretContext`: words that may precede a secret without a digit. `numberContext`: words that precede a number. */
export const secretContext: readonly string[] = [...secretWords, ...pinWords, ...nameWords, "screen"]
export const numberContext: readonly string[] = [...accountWords, ...plateWords]
const longestWord = 20

const fillers = wordSet(
  "number numbers no no. num nr nr. # id code is are my the : = card name for was ist es est info",
)
const maxFillers = 3

/** Products and their versions or years. They are asked about together with passwords, and look like one. */
const productNames = anyOf(`
  win windows office excel word outlook vista xp nt sql linux ubuntu mac os ps xbox wii psp iphone ipod ipad galaxy vb
  php html mp hotmail yahoo gmail myspace sp wpa wep md sha base access acrobat pdf zip rar
`)
const products = new RegExp(`^${productNames}[0-9]{1,4}[a-z]?$`)

interface Follower {
  token: string
  at: number
  fillers: number
  /** True if `is`, `:` or `=` came before it. */
  stated: boolean
}

const isStatement = (token: string) => token === "is" || token === "=" || token === "ist" || token === ":"

/** The first token after position `at` that is not a filler. */
function follow(tokens: readonly string[], at: number): Follower | undefined {
  let stated = /[:=]$/.test(tokens[at])
  const tail = /[:=]([^:=]{1,64})$/.exec(tokens[at])
  if (tail !== null) return { token: strip(tail[1]), at, fillers: 0, stated: true }
  for (let i = at + 1, skipped = 0; i < tokens.length && skipped <= maxFillers; i++, skipped++) {
    const token = tokens[i].replace(/:$/, "")
    if (token !== "" && !fillers.has(token)) return { token: strip(token), at: i, fillers: skipped, stated }
    stated ||= isStatement(token) || token !== tokens[i]
  }
  return undefined
}

/** The token after a statement a few words further on: password for the router is … */
function followStatement(tokens: readonly string[], at: number): Follower | undefined {
  for (let i = at + 2; i + 1 < tokens.length && i <= at + 4; i++) {
    if (isStatement(tokens[i])) return { token: strip(tokens[i + 1]), at: i + 1, fillers: i - at, stated: true }
  }
  return undefined
}

const strip = (token: string) => token.replace(/^["'#(]/, "").replace(/["'),.;!?]$/, "")

function leadingWord(token: string): string {
  let end = 0
  while (end <= longestWord && end < token.length && isLetter(token.charCodeAt(end))) end++
  return token.slice(0, end)
}

export function hasContextToken(query: QueryText): boolean {
  const { tokens } = query
  for (let i = 0; i < tokens.length; i++) {
    const word = leadingWord(tokens[i])
    if (accountWords.has(word) && hasAccountNumber(tokens, i)) return true
    if (plateWords.has(word) && isPlate(tokens, i)) return true
    if (secretWords.has(word)) {
      const mine = tokens[i - 1] === "my"
      if (isSecret(follow(tokens, i), mine) || isSecret(followStatement(tokens, i), mine)) return true
    }
    if (pinWords.has(word) && isPin(follow(tokens, i), tokens[i - 1] === "my")) return true
    const named = nameWords.has(word) || (word === "screen" && tokens[i + 1] === "name")
    if (named && isUserName(follow(tokens, i))) return true
  }
  return false
}

/**
 * True if six digits or more follow the word. Five are enough after number, no, id or #; there, a mix of letters and at
 * least two digits counts too. Groups of digits count together.
 */
function hasAccountNumber(tokens: readonly string[], at: number): boolean {
  const found = follow(tokens, at)
  if (found === undefined || products.test(found.token) || isYear(found.token)) return false
  if (tokens[at - 1] === "executive") return false
  if (found.fillers > 0 && /^(?=.{0,20}\d.{0,20}\d)(?=.{0,20}[a-z])[a-z0-9-]{6,30}$/.test(found.token)) return true
  if (!/^[a-z]{0,4}-?[0-9][a-z0-9/-]{3,30}$/.test(found.token)) return false
  let digits = countDigits(found.token)
  if (/^\d{1,6}$/.test(found.token)) {
    const next = tokens[found.at + 1] ?? ""
    if (/^\d{3,6}$/.test(next)) digits += next.length
  }
  const isDate = /^\d{1,2}[/-]\d{1,2}[/-](?:\d{4}|\d\d)$/.test(found.token)
  return digits >= (found.fillers > 0 ? 5 : 6) && !isDate && !/0{4}$/.test(found.token)
}

/** Examples: abc 1234, 123-abc, b ab 1234. */
function isPlate(tokens: readonly string[], at: number): boolean {
  const behind = tokens.slice(at + 1, at + 6).filter((token) => !fillers.has(token))
  return /^(?:[a-z]{1,3}[ -]?[a-z]{0,2}[ -]?\d{2,4}|\d{1,4}[ -]?[a-z]{1,3}|\d[a-z]{3}\d{3})(?: |$)/.test(
    behind.join(" "),
  )
}

/** Letters with digits or signs, or digits that are not a year. After "my password is", anything. */
function isSecret(found: Follower | undefined, mine: boolean): boolean {
  if (found === undefined) return false
  const { token, stated } = found
  if (mine && stated && token.length >= 4) return true
  if (token.length < 5 || products.test(token) || isYear(token))
    return token.length === 4 && stated && /^\d{4}$/.test(token)
  if (/^\d{5,12}$/.test(token)) return true
  if (/[.:/]/.test(token) && !stated) return false
  return (
    /[a-z]/.test(token) &&
    /[0-9$!@%^&*]/.test(token) &&
    !/^\d{1,4}-?(?:bit|digit|character|char|day|days|th)$/.test(token)
  )
}

function isPin(found: Follower | undefined, mine: boolean): boolean {
  return (
    found !== undefined &&
    (found.stated || found.fillers > 0 || mine) &&
    /^\d{4,8}$/.test(found.token) &&
    !isYear(found.token)
  )
}

function isUserName(found: Follower | undefined): boolean {
  if (found === undefined || products.test(found.token)) return false
  const { token } = found
  if (/^\d{6,12}$/.test(token)) return !/000$/.test(token)
  return /^[a-z][a-z0-9_.-]{4,30}$/.test(token) && /[0-9_]/.test(token) && !/\.(?:com|net|org|php|asp|exe)/.test(token)
}

const sites = anyOf(`
  myspace facebook twitter instagram linkedin flickr tumblr pinterest github tiktok vk youtube soundcloud deviantart
  venmo x t
`)
const profilePaths = anyOf(String.raw`in/ user/ people/ photos/ profile\.php\?id= @ #!/`)
const profile = new RegExp(String.raw`(?<![a-z0-9])${sites}\.(?:com|me)/${profilePaths}?([a-z0-9_.-]{3,50})`, "g")
const sitePages = wordSet(`
  login logout signup signin register home help search about index index.html index.php index.cfm home.php login.php
  groups pages marketplace watch events video videos music games browse explore results jobs company user people photos
  privacy terms settings messages notifications profile profile.php in download apps developers business careers support
`)

/** A page of one account on a social site. */
export function hasProfilePage(text: string): boolean {
  for (const [, name] of text.matchAll(profile)) if (!sitePages.has(name)) return true
  return false
}

const handle = /(?<![^ (,])@([a-z_][a-z0-9_.]{2,29})(?![a-z0-9_@-])/g
const codeMarks = wordSet(
  "media import charset keyframes override param return deprecated autowired font include extend home work",
)

/** A name after an @, as accounts are written. Not the end of an e-mail address, and not a programming keyword. */
export function hasHandle(text: string): boolean {
  for (const [, name] of text.matchAll(handle)) {
    if (!codeMarks.has(name) && !mailProviders.has(name) && !/\.[a-z]{2,4}$/.test(name)) return true
  }
  return false
}
