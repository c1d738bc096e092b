import { t } from 'tap'
import { startServer } from '../../start-server.ts'

const server = await startServer(t)

// Proves: `{group}` in the address may be nested
t.test('a nested group may be sent raw or with %2F', async (t) => {
  const raw = await (await server.get('datasets/weather/main/wind/speed/info')).text()
  const encoded = await (await server.get('datasets/weather/main/wind%2Fspeed/info')).text()
  t.equal(raw, encoded)
})

t.test('a trailing slash asks for the page, also of a group called like a view', async (t) => {
  const ofView = await server.get('datasets/types/main/names/dict/keys')
  const ofPage = await server.get('datasets/types/main/names/dict/')
  t.match(ofView.headers.get('content-type'), 'application/json')
  t.match(ofPage.headers.get('content-type'), 'text/html')
  t.match(await ofPage.text(), 'names')
  t.match((await server.get('datasets/types/main/names/dict/info')).headers.get('content-type'), 'application/json')
  t.match((await server.get('datasets/weather/main/')).headers.get('content-type'), 'text/html')
})

t.test('an empty segment inside a group path is not found', async (t) => {
  for (const path of [
    'wind//speed/info',
    '////info',
    'wind///info',
    'wind%2F%2Fspeed/keys',
    'wind//speed',
    'wind///',
  ]) {
    t.equal((await server.get(`datasets/weather/main/${path}`)).status, 404, path)
  }
})

t.test('a slash at the beginning or end of a group path is ignored', async (t) => {
  for (const [path, plain] of [
    ['/wind/speed/info', 'wind/speed/info'],
    ['%2Fwind%2Fspeed%2F/info', 'wind/speed/info'],
    ['wind/speed//info', 'wind/speed/info'],
    ['%2F/keys', 'keys'],
    ['//keys', 'keys'],
    ['/wind/', 'wind'],
    ['/', ''],
  ] as const) {
    const [one, other] = [
      await server.get(`datasets/weather/main/${path}`),
      await server.get(`datasets/weather/main/${plain}`),
    ]
    t.equal(one.status, 200, path)
    t.equal(await one.text(), await other.text(), path)
    t.equal(one.headers.get('etag'), other.headers.get('etag'), path)
  }
})

t.test('an empty group is the root, which the list of datasets calls by an empty name', async (t) => {
  t.ok((await (await server.get('discovery/satellite/main')).json()).includes(''))
  for (const view of ['info', 'keys', 'dict']) {
    const [root, empty] = [`datasets/satellite/main/${view}`, `datasets/satellite/main//${view}`]
    const [ofRoot, ofEmpty] = [await server.get(root), await server.get(empty)]
    t.equal(ofEmpty.status, 200, view)
    t.equal(await ofEmpty.text(), await ofRoot.text(), view)
    t.equal(ofEmpty.headers.get('etag'), ofRoot.headers.get('etag'), view)
  }
})

t.test('an answer has an entity tag, and callers who have that version get 304', async (t) => {
  for (const path of ['datasets/weather/main/forecast/info', 'datasets/weather/main/forecast', 'discovery/weather']) {
    const etag = (await server.get(path)).headers.get('etag') ?? ''
    t.match(etag, /^"[\w-]{27}(-br|-gzip)?"$/)
    const again = await server.get(path, { 'if-none-match': `"other", W/${etag}` })
    t.equal(again.status, 304, path)
    t.equal(await again.text(), '')
    t.equal((await server.get(path, { 'if-none-match': '"other"' })).status, 200)
  }
})

t.test('the page is sent to callers who ask for HTML, with a strict policy', async (t) => {
  const response = await server.get('datasets/weather/main/forecast', { accept: 'application/json' })
  t.match(response.headers.get('content-type'), 'text/html')
  t.match(response.headers.get('content-security-policy'), "default-src 'none'")
  t.notMatch(response.headers.get('content-security-policy'), 'unsafe-inline')
  const page = await response.text()
  for (const heading of ['Dimensions', 'Coordinates', 'Data variables', 'Attributes']) t.match(page, heading)
  t.notMatch(page, /<script(?! src=)|<style| style=/)
})

t.test('a group without arrays is an empty dataset', async (t) => {
  const info = await (await server.get('datasets/weather/main/info')).json()
  t.match(info, { dimensions: {}, variables: {} })
  t.match(info.global_attributes, { Conventions: 'CF-1.11' })
})
