import { z } from 'zod'
import { notificationHeaders } from '../../../http/notification-headers.ts'

/** Maximum number of headers that a webhook adds to its requests. */
const maxHeaders = 10

/** Headers that Floe writes, and those that belong to a connection (RFC 9110, section 7.6.1). */
const reservedNames: ReadonlySet<string> = new Set([
  ...Object.values(notificationHeaders),
  'accept-encoding',
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
])
const reservedPrefix = /^(?:ce|content|proxy|webhook)-/

/** Folds names that a receiver may confuse: CGI and many gateways treat "_" and "-" as the same. */
function foldName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}

/** Returns why a webhook cannot have a header of this name; undefined if it can. */
function explainName(name: string): string | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(name))
    return 'is not the name of a header: up to 100 letters, digits, "-" and "_" are expected'
  const folded = foldName(name)
  if (reservedNames.has(folded) || reservedPrefix.test(folded)) return 'is a header that Floe or the connection sets'
  return undefined
}

const HeaderValue = z
  .string()
  .max(4_096, 'must have at most 4096 characters')
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be visible ASCII characters, with spaces only between them')

/** Headers that a webhook adds to its requests: values by name. */
export const OwnHeaders = z
  .record(z.string(), HeaderValue)
  .superRefine((headers, context) => {
    const names = Object.keys(headers)
    if (names.length > maxHeaders)
      context.addIssue({ code: 'custom', message: `must have at most ${maxHeaders} headers` })
    const seen = new Set<string>()
    for (const name of names) {
      const folded = foldName(name)
      const repeated = seen.has(folded)
        ? 'is there twice; upper and lower case mean the same, and so do "-" and "_"'
        : undefined
      seen.add(folded)
      const message = explainName(name) ?? repeated
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
    }
  })
  .meta({
    id: 'OwnHeaders',
    description:
      `Up to ${maxHeaders} headers that requests carry besides those of Floe, such as ` +
      '`{ "Authorization": "Bearer ..." }`, for a gateway in front of the receiver. The values are never shown again',
    examples: [{ Authorization: 'Bearer a-token-of-the-gateway' }],
  })
