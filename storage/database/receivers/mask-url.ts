// Masks the URLs of receivers before they are shown where their path and query must not be: they are often secrets.
import { type Receiver } from './receivers.ts'

/** Path of every masked URL. */
const maskedPath = '/...'

/** Returns the URL of a receiver without its path and query, such as `https://hooks.slack.com/...`. */
export function maskUrl({ origin }: Pick<Receiver, 'origin'>): string {
  // The stored origin always has a port; `URL` removes the default port.
  return `${new URL(`https://${origin}`).origin}${maskedPath}`
}

/** Whether a URL is a result of {@link maskUrl}. */
export function isMaskedUrl(url: URL): boolean {
  return url.pathname === maskedPath
}
