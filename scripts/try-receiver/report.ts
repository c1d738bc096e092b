import { notificationHeaders as names } from '@floe/contract'
import { NotificationError, parseNotification, verifySecretToken, verifySignature } from '@floe/client'
import type { Arrival, SharedSecrets } from './receiver.ts'

/** Headers of every HTTP request, which are not part of the notification. */
const usualHeaders = new Set(['host', 'connection', 'content-length', 'accept', 'transfer-encoding'])

/** Describes a request: its headers, its body indented, the result of each check, and the answer. */
export async function describeArrival(arrival: Arrival, path: string, secrets: SharedSecrets): Promise<string> {
  const { headers, body, status } = arrival
  const shown = Object.entries(headers).filter(([name]) => !usualHeaders.has(name))
  return [
    `POST ${path}`,
    ...shown.map(([name, value]) => `${name}: ${value}`),
    '',
    JSON.stringify(JSON.parse(body), null, 2),
    '',
    `secret token   ${await judgeToken(arrival, secrets)}`,
    `signature      ${await judgeSignature(arrival, secrets)}`,
    `schema         ${judgeSchema(body)}`,
    `answered       ${status}`,
  ].join('\n')
}

async function judgeToken({ headers }: Arrival, { secretToken }: SharedSecrets): Promise<string> {
  const isRight = await verifySecretToken(headers[names.secretToken], secretToken)
  return isRight ? `right: ${names.secretToken} is the secret token of the webhook` : 'WRONG'
}

async function judgeSignature({ headers, body }: Arrival, { signingSecret }: SharedSecrets): Promise<string> {
  const isRight = await verifySignature({
    id: headers[names.id],
    timestamp: headers[names.timestamp],
    signature: headers[names.signature],
    body,
    secrets: [signingSecret],
  })
  return isRight ? `right: ${names.signature} was made from id, time and body with the signing secret` : 'WRONG'
}

function judgeSchema(body: string): string {
  try {
    return `right: the body is a ${parseNotification(body).event}`
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error
    return `WRONG: ${error.message}`
  }
}
