// How a receiver's URL is shown where its path and query must not be: they are often secrets.
import { type Receiver } from './receivers.ts'

/** Path of every masked URL. */
const maskedPath = '/...'

/** The URL of a receiver without its path and query, such as `https://hooks.slack.com/...`. */
export function maskUrl({ origin }: Pick<Receiver, 'origin'>): string {
  // The origin always names a port; URL leaves the default one out.
  return `${new URL(`https://${origin}`).origin}${maskedPath}`
}

/** Whether a URL is a result of {@link maskUrl}. */
export function isMaskedUrl(url: URL): boolean {
  return url.pathname === maskedPath
}
