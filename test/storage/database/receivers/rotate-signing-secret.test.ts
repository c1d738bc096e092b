import { applyDeclaredReceivers, findReceiver, openReceiver, rotateSigningSecret } from '@floe/storage/database'
import { t } from 'tap'
import { secrets } from '../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import { at, repositoryWith, webhook } from '../recorded.ts'
import { create, optionsAt } from './edit-receivers.ts'

const test = await testOnEngines(t)

test('a replaced signing secret goes on signing for 24 hours', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const { receiver, signingSecret } = await create(db, repoId)
  const rotateAt = (ms: number) => rotateSigningSecret(db, receiver, optionsAt(ms))
  const signingAt = async (ms: number) => {
    const present = await findReceiver(db, receiver)
    return present && openReceiver(present, secrets, at(ms)).signingSecrets
  }
  const day = 86_400_000
  const first = await rotateAt(10)
  t.match(first.signingSecret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.equal(first.receiver.version, 2)
  t.strictSame(await signingAt(day + 9), [first.signingSecret, signingSecret])
  t.strictSame(await signingAt(day + 10), [first.signingSecret])
  const second = await rotateAt(day + 20)
  t.equal(second.receiver.signingSecrets.length, 2, 'what has ended is forgotten')
  const later: string[] = []
  for (let n = 1; n <= 9; n++) later.unshift((await rotateAt(day + 20 + n)).signingSecret)
  t.strictSame(await signingAt(day + 30), later.slice(0, 4), 'no more than three that were replaced')
})

test('a declared signing secret can only be changed in the file', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one', { signingSecret: 'whsec_first' })])
  const declared = receivers.get('one')
  if (declared === undefined) throw new Error('it was not declared')
  await t.rejects(rotateSigningSecret(db, declared, optionsAt(1)), { name: 'DeclaredInFileError' })
  await applyDeclaredReceivers(db, repoId, [webhook('one')], { secrets, now: at(2) })
  const rotated = await rotateSigningSecret(db, declared, optionsAt(3))
  t.strictSame(openReceiver(rotated.receiver, secrets, at(4)).signingSecrets, [rotated.signingSecret, 'whsec_first'])
})
