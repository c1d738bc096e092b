import { z } from 'zod'

/** Maximum number of headers of a location. */
const maxHeaders = 10

/** Maximum length of a value. Servers commonly refuse more than 8 KiB of headers. */
const maxLength = 8_000

/** Headers that Floe sets, and those that belong to a connection or a body (RFC 9110, section 7.6.1). */
const reservedName =
  /^(?:accept-encoding|connection|expect|host|http2-settings|if-.*|keep-alive|range|te|trailer|transfer-encoding|upgrade|user-agent|via|content-.*|proxy-.*)$/i

/** Returns why requests cannot have a header of this name; undefined if they can. */
function explainName(name: string): string | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(name)) return 'is not the name of a header'
  return reservedName.test(name) ? 'is a header that Floe or the connection sets' : undefined
}

/** Never repeated in a message, because it can be a secret. */
const HeaderValue = z
  .string()
  .max(maxLength, `must have at most ${maxLength} characters`)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be visible ASCII characters, with spaces only between them')

/** Headers of the requests to a location behind HTTP, such as `Authorization`. */
export const StoreHeaders = z.record(z.string(), HeaderValue).superRefine((headers, context) => {
  const names = Object.keys(headers)
  if (names.length > maxHeaders)
    context.addIssue({ code: 'custom', message: `must have at most ${maxHeaders} headers` })
  for (const name of names) {
    const message = explainName(name)
    if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
  }
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    context.addIssue({ code: 'custom', message: 'has a header twice; upper and lower case mean the same' })
  }
})
