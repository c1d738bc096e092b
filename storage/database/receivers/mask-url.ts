// How a receiver's URL is shown. The path of a chat's URL is a secret; the query of a webhook's URL may hold one.
import type { ReceiverKind } from '../tables.ts'
import { type Receiver } from './receivers.ts'

/** Path of every masked URL of a chat. */
const maskedPath = '/...'

/** The URL of a chat without its path, such as `https://hooks.slack.com/...`. */
export function maskChatUrl({ origin }: Pick<Receiver, 'origin'>): string {
  // The origin always names a port; URL leaves the default one out.
  return `${new URL(`https://${origin}`).origin}${maskedPath}`
}

/** Whether a URL is a result of {@link maskChatUrl}. */
export function isMaskedChatUrl(url: URL): boolean {
  return url.pathname === maskedPath
}

/** The URL of a receiver as the audit shows it: of a chat without its path, of a webhook without its query. */
export function maskUrl({ kind, url, origin }: { kind: ReceiverKind; url: string; origin: string }): string {
  return kind === 'chat' ? maskChatUrl({ origin }) : url.replace(/\?.*/s, '?...')
}
