// The addresses to which people are sent back: https, or http to a program on their own computer (RFC 8252, 7.3).
import { isHttpLoopback, parseReceiverUrl, ReceiverUrlError } from '../notifications/receivers/receiver-url.ts'

/** The port of an address on this machine. */
const loopbackPort = /^(http:\/\/(?:\[::1\]|[\w.]+)):\d+(?=[/?]|$)/

/** Says why an address cannot be a redirect address; undefined if it can. */
export function findRedirectFault(text: string): string | undefined {
  // It becomes a header, to which a query is added.
  if (!/^[!-~]*$/.test(text) || text.includes('#')) return 'must be ASCII without spaces and without a fragment'
  try {
    parseReceiverUrl(text, () => undefined, true)
    return undefined
  } catch (error) {
    if (error instanceof ReceiverUrlError) return error.message
    throw error
  }
}

/** Whether an address is the registered one. A program on one's own computer may choose another port each time. */
export function isSameRedirect(registered: string, text: string): boolean {
  if (registered === text) return true
  return (
    URL.canParse(registered) && isHttpLoopback(new URL(registered)) && withoutPort(registered) === withoutPort(text)
  )
}

function withoutPort(text: string): string {
  return text.replace(loopbackPort, '$1')
}

/** Adds parameters to a redirect address. */
export function addParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`
}
