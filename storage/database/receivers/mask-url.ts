// Masks the URLs of receivers before they are shown. The path of a chat's URL is a secret; the query of a webhook's URL may contain one.
import type { ReceiverKind } from '../tables.ts'
import { type Receiver } from './receivers.ts'

/** Path of every masked URL of a chat. */
const maskedPath = '/...'

/** Returns the URL of a chat without its path, such as `https://hooks.slack.com/...`. */
export function maskChatUrl({ origin }: Pick<Receiver, 'origin'>): string {
  // The stored origin always has a port; `URL` removes the default port.
  return `${new URL(`https://${origin}`).origin}${maskedPath}`
}

/** Whether a URL is a result of {@link maskChatUrl}. */
export function isMaskedChatUrl(url: URL): boolean {
  return url.pathname === maskedPath
}

/** Masks the URL of a receiver for the audit: removes the path of a chat's URL and the query of a webhook's URL. */
export function maskUrl({ kind, url, origin }: { kind: ReceiverKind; url: string; origin: string }): string {
  return kind === 'chat' ? maskChatUrl({ origin }) : url.replace(/\?.*/s, '?...')
}
