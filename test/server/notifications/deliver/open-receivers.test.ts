import { OpenReceivers } from '../../../../server/notifications/deliver/open-receivers.ts'
import { t } from 'tap'
import { sealSecretToken, sealSigningSecret } from '../../../../storage/database/receivers/receiver-secrets.ts'
import { secrets } from '../../../storage/sample-secrets.ts'
import { makeSampleClaim, signingSecret } from './sample-claim.ts'

t.test('a receiver is opened once while it stays the same', async (t) => {
  const receivers = new OpenReceivers(secrets)
  const { receiver } = makeSampleClaim({ secretToken: 'open sesame' })
  const first = receivers.open(receiver, 0)
  t.match(first, { url: 'https://receiver.test/hook', secretToken: 'open sesame', signingSecrets: [signingSecret] })
  t.equal(receivers.open(structuredClone(receiver), 1), first)
})

t.test('a receiver that was changed is opened again', async (t) => {
  const receivers = new OpenReceivers(secrets)
  const { receiver } = makeSampleClaim({ secretToken: 'open sesame' })
  receivers.open(receiver, 0)
  const changed = { ...receiver, secretToken: sealSecretToken(receiver.id, 'changed', secrets) }
  t.equal(receivers.open(changed, 1).secretToken, 'changed')
  t.equal(receivers.open({ ...receiver, secretToken: null }, 1).secretToken, null)
  t.throws(() => receivers.open({ ...changed, id: 'receiver_2' }, 1), { name: 'SecretError' }, 'it is bound to its row')
})

t.test('a signing secret that was replaced stops signing in time', async (t) => {
  const receivers = new OpenReceivers(secrets)
  const { receiver } = makeSampleClaim()
  const { id } = receiver
  const [former] = receiver.signingSecrets.map((one) => ({ ...one, until: new Date(1_000) }))
  if (former === undefined) throw new Error('a webhook has a signing secret')
  const rotated = { ...receiver, signingSecrets: [sealSigningSecret(id, 'whsec_new', secrets), former] }
  t.strictSame(receivers.open(rotated, 0).signingSecrets, ['whsec_new', signingSecret])
  t.strictSame(receivers.open(rotated, 999).signingSecrets, ['whsec_new', signingSecret])
  t.strictSame(receivers.open(rotated, 1_000).signingSecrets, ['whsec_new'])
})
