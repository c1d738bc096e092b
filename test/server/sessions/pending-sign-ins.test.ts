// Tabs of one browser that sign in at the same time.
import { generateSecretKey, SecretBox } from '@floe/storage/secrets'
import { t } from 'tap'
import { PendingSignIns } from '../../../server/sessions/pending-sign-ins.ts'
import { openJar, startSignIn } from './start-sign-in.ts'

t.test('tabs that sign in at the same time all come back to their pages', async (t) => {
  const { server, baseUrl } = await startSignIn(t)
  const { visit, follow, cookies } = openJar()
  const callback = `${baseUrl}/sign-in/callback`
  const pages = ['discovery', 'discovery/weather', 'discovery/satellite'].map((path) => `${server.meta}/${path}`)
  const returns = []
  for (const page of pages) returns.push((await follow(page, callback)).url)
  for (const [index, url] of returns.entries()) {
    const back = await visit(url)
    t.strictSame([back.status, back.headers.get('location')], [302, pages[index]])
  }
  t.notOk([...cookies.keys()].some((name) => name.includes('sign-in')))
  const rows = await server.db.selectFrom('sessions').select('id').execute()
  t.equal(rows.length, 1, 'the browser has one session')
})

t.test('the sign-ins of a browser together take a limited number of bytes', (t) => {
  const key = generateSecretKey()
  const clock = { ms: 0 }
  const pending = new PendingSignIns(new SecretBox(() => [key]), () => clock.ms)
  const cookies = new Map<string, string>()
  const headers = () => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  const add = (number: number, next: string) => {
    const state = String(number).padStart(43, 's')
    for (const set of pending.add({ state, nonce: 'n'.repeat(43), verifier: 'v'.repeat(43), next }, headers())) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return state
  }
  cookies.set('other', 'o'.repeat(7_000))
  const states = Array.from({ length: 40 }, (_, number) => add(number, 'https://floe.example.org/v1/'))
  const kept = states.filter((state) => pending.find(state, headers()) !== undefined)
  t.ok(kept.length >= 10 && kept.length < 20, `${kept.length} are kept`)
  t.strictSame(kept, states.slice(-kept.length), 'the newest')
  const long = `https://floe.example.org/v1/${'a'.repeat(2_000)}`
  const last = add(40, long)
  t.equal(pending.find(last, headers())?.next, long)
  cookies.delete('other')
  t.ok(headers().cookie.length < 6_500)
  clock.ms = 600_000
  t.equal(pending.find(last, headers()), undefined, 'they end')
  t.end()
})
