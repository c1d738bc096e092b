import { t } from 'tap'
import { rewriteUrl } from '../../../server/http/rewrite-url.ts'

const datasets = '/v1/services/tiles/acme/_meta/datasets'

t.test('the slashes inside a group are encoded, those around it are not', async (t) => {
  const cases: Record<string, string> = {
    '/r/main': '/r/main',
    '/r/main/': '/r/main',
    '/r/main?x=1': '/r/main?x=1',
    '/r/main/info': '/r/main/info',
    '/r/main/wind': '/r/main/wind',
    '/r/main/wind/info': '/r/main/wind/info',
    '/r/main/wind/speed/info?x=a/b': '/r/main/wind%2Fspeed/info?x=a/b',
    '/r/main/wind%2Fspeed/info': '/r/main/wind%2Fspeed/info',
    '/r/main/wind/speed': '/r/main/wind%2Fspeed',
    '/r/main/wind/speed/': '/r/main/wind%2Fspeed%2F',
    '/r/main/info/': '/r/main/info%2F',
    '/r/main/info/info': '/r/main/info/info',
    '/r/main/a%2Fb%2Finfo': '/r/main/a%2Fb%2Finfo',
    '/r/feature%2Fone/a/b/keys': '/r/feature%2Fone/a%2Fb/keys',
    '/r/main//info': '/r/main/info',
    '/r/main//info?x=1': '/r/main/info?x=1',
    '/r/main//': '/r/main/%2F',
    '/r/main///info': '/r/main/%2F/info',
    '/r/main//info/': '/r/main/%2Finfo%2F',
    '/r/main//wind/info': '/r/main/%2Fwind/info',
  }
  for (const [sent, routed] of Object.entries(cases)) t.equal(rewriteUrl(datasets + sent), datasets + routed, sent)
})

t.test('in documents for catalogues, the last segment of a group is never a view', async (t) => {
  for (const kind of ['stac/datasets', 'croissant']) {
    const start = `/v1/services/tiles/acme/_meta/${kind}/r/main`
    for (const [sent, routed] of [
      ['', ''],
      ['/', ''],
      ['/info', '/info'],
      ['/wind/speed?x=1', '/wind%2Fspeed?x=1'],
      ['/wind/info', '/wind%2Finfo'],
    ]) {
      t.equal(rewriteUrl(`${start}${sent}`), `${start}${routed}`, `${kind}${sent}`)
    }
  }
})

t.test('of a whole address, the path and the query are routed', async (t) => {
  const path = `${datasets}/r/main/wind%2Fspeed/info?x=1`
  for (const host of ['http://floe.test', 'https://floe.test:8080', 'HTTP://[::1]'])
    t.equal(rewriteUrl(`${host}${datasets}/r/main/wind/speed/info?x=1`), path)
  t.equal(rewriteUrl('http://floe.test'), '/')
  t.equal(rewriteUrl('http://floe.test?x=1'), '/?x=1')
})

t.test('every other address stays as it is', async (t) => {
  for (const address of [
    '/',
    '/v1/services/tiles/acme/_meta/discovery/r/main',
    '/v1//services/a/b/_meta/datasets/r/m/g/info',
    '*',
  ]) {
    t.equal(rewriteUrl(address), address)
  }
})
