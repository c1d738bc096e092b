import { t } from 'tap'
import {
  actAs,
  type Caller,
  filterReadable,
  type Grant,
  joinGrants,
  mayRead,
} from '../../../../server/http/access/caller.ts'

const asAccount = (...grants: Grant[]): Caller => {
  const who = { id: 'account', org: 'acme', name: null, expiresAt: null, scope: '', grants }
  return { ...who, ...joinGrants(grants), person: { issuer: 'https://id.example.org', subject: 'ada', email: null } }
}

t.test('an account is an administrator of the repositories of its own grants only', async (t) => {
  const account = asAccount({ role: 'reader', patterns: ['weather-*'] }, { role: 'admin', patterns: ['sea-*'] })
  t.match(account, { role: 'reader', repos: { patterns: ['sea-*', 'weather-*'] } })
  t.match(actAs(account, 'admin'), { role: 'admin', repos: { patterns: ['sea-*'] } })
  t.match(actAs(account, 'checker'), { role: 'admin', repos: { patterns: ['sea-*'] } })
  t.notOk(mayRead(actAs(account, 'admin'), 'weather-1'))
})

t.test('grants of one role add up, and a grant of nothing new does not lower the role', async (t) => {
  const readers = [
    { role: 'reader', patterns: ['a-*'] },
    { role: 'reader', patterns: ['b-*', 'a-*'] },
  ] as const
  t.strictSame(joinGrants(readers), { role: 'reader', repos: { patterns: ['a-*', 'b-*'] } })
  t.strictSame(joinGrants([...readers, { role: 'admin', patterns: null }]), { role: 'admin', repos: null })
  t.strictSame(joinGrants([{ role: 'admin', patterns: ['a-*'] }, ...readers.slice(0, 1)]), {
    role: 'admin',
    repos: { patterns: ['a-*'] },
  })
  t.strictSame(
    joinGrants([
      { role: 'admin', patterns: ['a-*'] },
      { role: 'reader', patterns: null },
    ]),
    { role: 'reader', repos: null },
  )
})

t.test('an account without a sufficient grant stays what it is', async (t) => {
  const account = asAccount({ role: 'checker', patterns: null })
  t.equal(actAs(account, 'admin'), account)
})

t.test('the names of a key are no patterns', async (t) => {
  const names = ['a', 'ab', 'a*']
  t.strictSame(filterReadable({ repos: { names: ['a*'] } }, names), ['a*'])
  t.strictSame(filterReadable({ repos: { patterns: ['a*'] } }, names), names)
  t.strictSame(filterReadable(null, names), names)
  t.notOk(mayRead({ repos: { names: ['a*'] } }, 'ab'))
})
