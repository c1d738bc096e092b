// Removes secrets from the text of an answer, because some receivers repeat the request or its address in their
// answers.
import type { OpenReceiver } from '@floe/storage/database'

const redacted = '[redacted]'

/** Redacts Floe's own sentence, such as an error, which may have ordinary words in common with the URL. */
export function redactFailure(text: string, receiver: OpenReceiver): string {
  return redactSecrets(text, [
    ...listSecrets(receiver),
    ...listUrlSecrets(receiver.url).filter((part) => !isWords(part)),
  ])
}

/** Redacts the text of an answer. */
export function redactAnswer(text: string, receiver: OpenReceiver): string {
  return text === '' ? '' : redactSecrets(text, [...listSecrets(receiver), ...listUrlSecrets(receiver.url)])
}

/** Lists the secrets of a receiver, except parts of its URL. */
function listSecrets({ kind, url, secretToken, headers, signingSecrets }: OpenReceiver): string[] {
  const { pathname } = new URL(url)
  // The base64 without the prefix reveals the secret too.
  const signing = signingSecrets.flatMap((secret) => [secret, secret.replace(/^whsec_/, '')])
  const path = kind === 'chat' && pathname !== '/' ? [pathname] : []
  const own = Object.values(headers).flatMap(listHeaderSecrets)
  return [...(secretToken === null ? [] : [secretToken]), ...signing, ...own, ...path]
}

/** Lists the parts of a header that may be secrets: also `TOKEN` of `Bearer TOKEN`, and what `Basic` encodes. */
function listHeaderSecrets(value: string): string[] {
  const credentials = value.slice(value.indexOf(' ') + 1)
  const decoded = /^basic /i.test(value) ? Buffer.from(credentials, 'base64').toString() : ''
  const password = decoded.slice(decoded.indexOf(':') + 1)
  return [value, credentials, decoded, password].filter(({ length }) => length >= minValue)
}

/** Replaces each secret, as it is and as encoded in JSON, URLs and base64. No secret may be empty. */
function redactSecrets(text: string, secrets: readonly string[]): string {
  // Longer forms first, because a shorter one may be part of them.
  const forms = [...new Set(secrets.flatMap(listForms))].sort((a, b) => b.length - a.length)
  const whole = forms.reduce((left, form) => left.replaceAll(form, redacted), text)
  // A truncated text may end with the beginning of a secret.
  const cutLength = Math.max(0, ...forms.map((form) => measureBeginning(whole, form)))
  return cutLength === 0 ? whole : whole.slice(0, -cutLength) + redacted
}

function listForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret)
  const bytes = Buffer.from(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encoded,
    // Percent-encoding with lower-case digits, and the encoding of forms.
    encoded.replaceAll(/%../g, (escape) => escape.toLowerCase()),
    encoded.replaceAll('%20', '+'),
    bytes.toString('base64'),
    // The padding may be missing.
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ]
}

/** Shorter parts of a URL or header are unlikely to be secrets, and redacting them could hide half of an answer. */
const minSegment = 8
const minValue = 6

/**
 * Lists the parts of a URL that may be secrets, both encoded and decoded: segments of the path, names and values of the
 * query.
 */
function listUrlSecrets(url: string): string[] {
  const { pathname, search } = new URL(url)
  const pairs = search.slice(1).split('&')
  const names = pairs.map((pair) => pair.replace(/=.*/s, ''))
  const values = pairs.map((pair) => pair.replace(/^[^=]*=?/, ''))
  const segments = [...pathname.split('/'), ...names].filter(({ length }) => length >= minSegment)
  const parts = [...segments, ...values.filter(({ length }) => length >= minValue)]
  return [...new Set(parts.flatMap((part) => [part, decode(part), decode(part.replaceAll('+', ' '))]))]
}

/**
 * Whether a part of a URL consists of ordinary words, such as `notifications`, which Floe's own sentences may contain
 * too.
 */
function isWords(part: string): boolean {
  return /^[A-Za-z]?[a-z]*(?:[-_][a-z]+)*$/.test(part)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Shorter beginnings of a secret reveal nothing and often occur by chance. */
const minBeginning = 4

/** Returns how many of the first characters of `form` the text ends with. */
function measureBeginning(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length >= minBeginning; length--) {
    if (text.endsWith(form.slice(0, length))) return length
  }
  return 0
}
