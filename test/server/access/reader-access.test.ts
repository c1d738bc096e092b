import t from 'tap'
import { basic, startServer } from '../start-server.ts'

t.test('a private deployment answers the same to everyone without a valid key', async (t) => {
  const server = await startServer(t)
  const attempts = {
    nobody: '',
    'a wrong key': basic('acme', 'floe_0123456789abcdef_0123456789012345678901234567890123456789012'),
    'no key at all': basic('acme', ''),
    'another user': basic('other', server.apiKey),
    'not Basic': `Digest ${server.apiKey}`,
    'not base64': 'Basic ÿ',
  }
  const answers = await Promise.all(
    Object.entries(attempts).map(async ([who, authorization]) => {
      const response = await fetch(`${server.meta}/discovery`, {
        headers: { ...(authorization && { authorization: encodeURI(authorization) }) },
      })
      const { instance: _, ...problem } = await response.json()
      return { who, status: response.status, challenge: response.headers.get('www-authenticate'), problem }
    }),
  )
  for (const { who, status, challenge, problem } of answers) {
    t.equal(status, 401, who)
    t.equal(challenge, 'Basic realm="acme", charset="UTF-8"', who)
    t.strictSame(problem, answers[0]?.problem, who)
  }
})

t.test('an unknown organisation cannot be told from a wrong key', async (t) => {
  const server = await startServer(t)
  const response = await fetch(`${server.origin}/v1/services/tiles/nobody/_meta/discovery`, {
    headers: { authorization: basic('nobody', server.apiKey) },
  })
  t.equal(response.status, 401)
  t.match(await response.json(), { type: '/problems/unauthorized' })
})

t.test('an unknown deployment is told to callers with a key alone', async (t) => {
  const server = await startServer(t)
  const address = `${server.origin}/v1/services/nope/acme/_meta/discovery`
  t.equal((await fetch(address)).status, 401)
  const response = await server.get(address)
  t.equal(response.status, 404)
  t.match(await response.json(), { type: '/problems/deployment-not-found', detail: /nope/ })
})

t.test('a public deployment needs no credentials', async (t) => {
  const server = await startServer(t)
  t.equal((await fetch(`${server.publicMeta}/discovery`)).status, 200)
  t.equal((await fetch(`${server.publicMeta}/datasets/weather/main/forecast/info`)).status, 200)
  t.equal((await fetch(`${server.publicMeta}/openapi.json`)).status, 200)
})

t.test('guesses are answered 401 all the same, and nobody with a right key is slowed', async (t) => {
  const server = await startServer(t)
  const guess = () => server.get('discovery', { authorization: basic('acme', 'floe_guess') })
  for (let guesses = 0; guesses < 21; guesses++) t.equal((await guess()).status, 401)
  // Guesses that go on, each of which is held back.
  const held = Array.from({ length: 20 }, guess)
  let answered = 0
  for (const answer of held) void answer.then(() => answered++)
  t.equal((await server.get('discovery')).status, 200)
  t.ok(answered < held.length, 'the right key does not wait for the wrong ones')
  for (const answer of await Promise.all(held)) t.equal(answer.status, 401)
})

t.test('a key is taken as Bearer too', async (t) => {
  const server = await startServer(t)
  const status = async (authorization: string) => (await server.get('discovery', { authorization })).status
  t.equal(await status(`Bearer ${server.apiKey}`), 200)
  t.equal(await status(`Bearer ${server.apiKey}x`), 401)
})
