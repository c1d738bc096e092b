import type { ClaimedDelivery, Configuration } from '@floe/storage/database'

/** A delivery as the queue hands it out. */
export function sampleClaim(
  configuration: Partial<Configuration> = {},
  claim: Partial<Omit<ClaimedDelivery, 'configuration'>> = {},
): ClaimedDelivery {
  const url = configuration.url ?? 'https://receiver.test/hook'
  return {
    deliveryId: 'msg_1',
    attempt: 1,
    isRedelivery: false,
    origin: new URL(url).host,
    leaseToken: 'lease',
    event: { id: 'event_1', payload: '{"event":"NewCommit"}', line: 'acme/weather branch main is now at P8: Add *it*' },
    ...claim,
    configuration: {
      id: 'configuration_1',
      repoId: 'repo_1',
      kind: 'webhook',
      alias: 'hook',
      url,
      service: null,
      events: ['NewCommit'],
      secretToken: null,
      signingSecrets: [`whsec_${Buffer.from('key of the receiver').toString('base64')}`],
      isEnabled: true,
      disabledReason: null,
      createdAt: new Date(0),
      updatedAt: new Date(0),
      lastSuccessAt: null,
      failingSince: null,
      ...configuration,
    },
  }
}
