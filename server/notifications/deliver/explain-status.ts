// Explains the status of a failed delivery to the person who set the receiver up.
import type { OpenReceiver } from '@floe/storage/database'

/** Returns `answered STATUS` and what to do. */
export function explainStatus(
  status: number,
  { kind, secretToken }: Pick<OpenReceiver, 'kind' | 'secretToken'>,
): string {
  const hint = kind === 'chat' ? findChatHint(status) : findWebhookHint(status, secretToken !== null)
  return hint === undefined ? `answered ${status}` : `answered ${status}: ${hint}`
}

function findWebhookHint(status: number, hasSecretToken: boolean): string | undefined {
  if (status === 401 || status === 403) {
    const token = hasSecretToken ? 'check the Secret Token' : 'it may expect a Secret Token, and none is set'
    return `the receiver did not accept the credentials; ${token}, and the signing secret that it verifies with`
  }
  return hints.get(status) ?? findRangeHint(status)
}

function findChatHint(status: number): string | undefined {
  if (status === 401 || status === 403 || status === 404 || status === 410) {
    return 'the chat does not know this Webhook URL, or takes it no longer; make a new one in its settings'
  }
  return status === 429 ? hints.get(status) : findRangeHint(status)
}

const hints: ReadonlyMap<number, string> = new Map([
  [404, 'the receiver has nothing at this path; check the Webhook URL'],
  [405, 'the receiver takes no POST at this path; check the Webhook URL'],
  [410, 'the receiver says that it is gone for good'],
  [413, 'the receiver does not take a body of this size; it should take 256,000 bytes'],
  [415, 'the receiver does not take application/json'],
  [429, 'the receiver asks for fewer requests'],
])

function findRangeHint(status: number): string | undefined {
  if (status >= 300 && status < 400) {
    return 'redirects are not followed; set the Webhook URL to where it leads'
  }
  return status >= 500 && status < 600 ? 'the receiver failed; its own log may say why' : undefined
}
