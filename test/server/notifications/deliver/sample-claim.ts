import { defaultFilter } from '@floe/contract/lists'
import type { ClaimedDelivery, Receiver } from '@floe/storage/database'
import {
  sealHeaders,
  sealSecretToken,
  sealSigningSecret,
  sealUrl,
} from '../../../../storage/records/database/receivers/receiver-secrets.ts'
import { secrets } from '../../../storage/sample-secrets.ts'

/** Signs for the receiver. */
export const signingSecret = `whsec_${Buffer.from('key of the receiver').toString('base64')}`

/** A delivery as the queue hands it out; URL, secret token and headers are given open, and sealed here. */
export function makeSampleClaim(
  receiver: Partial<Receiver> = {},
  claim: Partial<Omit<ClaimedDelivery, 'receiver'>> = {},
): ClaimedDelivery {
  const { id = 'receiver_1', kind = 'webhook', url = 'https://receiver.test/hook' } = receiver
  const { secretToken = null, headers = {} } = receiver
  return {
    deliveryId: 'msg_1',
    deliveryNumber: 1,
    attempt: 1,
    scheduledAttempt: claim.attempt ?? 1,
    isRedelivery: false,
    replayOf: null,
    digest: null,
    repoId: 'repo_1',
    origin: new URL(url).host,
    lease: { replica: 'a', number: 1 },
    event: {
      id: 'event_1',
      sequence: 7,
      recordedAt: new Date('2026-11-21T12:00:01.000Z'),
      payload: '{"event":"NewCommit"}',
      line: 'acme/weather branch main is now at P8: Add *it*',
    },
    ...claim,
    receiver: {
      org: 'acme',
      repoId: 'repo_1',
      alias: 'hook',
      service: null,
      filter: defaultFilter,
      signingSecrets: [sealSigningSecret(id, signingSecret, secrets)],
      isDeclared: false,
      isEnabled: true,
      version: 1,
      disabledReason: null,
      createdAt: new Date(0),
      updatedAt: new Date(0),
      lastSuccessAt: null,
      failingSince: null,
      lastFailure: null,
      isFailureNoticed: false,
      ...receiver,
      id,
      kind,
      ...sealUrl({ id, url }, secrets),
      secretToken: sealSecretToken(id, secretToken, secrets),
      headers: JSON.parse(sealHeaders(id, headers, secrets)),
    },
  }
}
