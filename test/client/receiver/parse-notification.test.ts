import { NotificationError, parseNotification } from '@floe/client'
import { NewCommit } from '@floe/contract'
import fc from 'fast-check'
import { t } from 'tap'
import { mutatedText, notification } from '../../contract/notifications.ts'
import { checkProperty } from '../../check-property.ts'

const text = JSON.stringify(notification)

t.test('a notification is parsed from text, from bytes and from parsed JSON', async (t) => {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array([0x20, ...bytes, 0x20])
  for (const body of [
    text,
    bytes,
    bytes.buffer,
    Buffer.from(text),
    new DataView(padded.buffer, 1, bytes.length),
    structuredClone(notification),
  ]) {
    t.strictSame(parseNotification(body), notification)
  }
})

t.test('a body that is not JSON in UTF-8 is refused', async (t) => {
  for (const body of ['', '{', text.slice(1), Buffer.from(text, 'utf16le'), Buffer.from('"\xff"', 'latin1')]) {
    t.throws(() => parseNotification(body), {
      name: 'NotificationError',
      issues: [{ pointer: '', message: 'must be JSON in UTF-8' }],
    })
  }
})

t.test('each wrong place has a JSON pointer', async (t) => {
  const [commit] = notification.details.commits ?? []
  const details = { ...notification.details, repo_id: 'seven', commits: [commit, { ...commit, author_id: 7 }] }
  t.throws(() => parseNotification({ event: 'NewCommit', details }), {
    name: 'NotificationError',
    message: /^Not a notification: \/details\/repo_id: .*; \/details\/commits\/1\/author_id: /,
    issues: [{ pointer: '/details/repo_id' }, { pointer: '/details/commits/1/author_id' }],
  })
  t.throws(() => parseNotification({ ...notification, event: 'Other' }), {
    name: 'NotificationError',
    issues: [{ pointer: '/event' }],
  })
  for (const body of [null, undefined, 7, [], 'null', '"NewCommit"']) {
    t.throws(() => parseNotification(body), { name: 'NotificationError', issues: [{ pointer: '' }] })
  }
})

t.test('exactly the bodies that the contract refuses are refused', async () => {
  await checkProperty(
    1_000,
    fc.property(mutatedText, (text) => {
      const isNotification = NewCommit.safeParse(JSON.parse(text)).success
      try {
        return JSON.stringify(parseNotification(text)) !== undefined && isNotification
      } catch (error) {
        return error instanceof NotificationError && error.issues.length > 0 && !isNotification
      }
    }),
    { endOnFailure: true },
  )
})
