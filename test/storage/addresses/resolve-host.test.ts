import { join } from 'node:path'
import { t, type Test } from 'tap'
import { findAddresses, makeResolveHost, resolveHost } from '../../../storage/addresses/resolve-host.ts'
import { type NameRecords, startNameServer } from './name-server.ts'

t.test('a name of the hosts file is found there', async (t) => {
  t.match(await resolveHost('localhost', AbortSignal.timeout(120_000)), ['127.0.0.1'])
})

t.test('an aborted look-up sends no DNS query', async (t) => {
  await t.rejects(resolveHost('receiver.invalid', AbortSignal.abort()), { name: 'AbortError' })
})

t.test('names below localhost are resolved without DNS', async (t) => {
  t.strictSame(await resolveHost('hook.localhost', AbortSignal.timeout(120_000)), ['127.0.0.1', '::1'])
})

/** Resolves names with files and a name server of the test. */
async function open(t: Test, resolver: string, records: NameRecords, silent?: readonly string[]) {
  const { address, asked } = await startNameServer(t, records, silent)
  const folder = t.testdir({ hosts: '10.9.9.9 files.test alias # a comment\n', 'resolv.conf': resolver })
  const resolve = makeResolveHost({
    hostsFile: join(folder, 'hosts'),
    resolverFile: join(folder, 'resolv.conf'),
    nameServers: [address],
  })
  return {
    resolve: (host: string, signal = AbortSignal.timeout(120_000)) => resolve(host, signal),
    takeAsked: () => {
      const names = [...asked]
      asked.clear()
      return names
    },
  }
}

const kubernetes = 'search prod.svc.cluster.test svc.cluster.test cluster.test\noptions ndots:5\n'

t.test('short names of services in Kubernetes are found as other programs find them', async (t) => {
  const hook = 'hook.prod.svc.cluster.test'
  const { resolve, takeAsked } = await open(t, kubernetes, { [hook]: ['10.0.0.7'], 'example.test': ['192.0.2.1'] })
  for (const name of ['hook', 'hook.prod', 'hook.prod.svc', hook]) t.strictSame(await resolve(name), ['10.0.0.7'], name)
  takeAsked()
  t.strictSame(await resolve('example.test'), ['192.0.2.1'])
  t.strictSame(takeAsked(), [
    'example.test.prod.svc.cluster.test',
    'example.test.svc.cluster.test',
    'example.test.cluster.test',
    'example.test',
  ])
  t.strictSame(await resolve('example.test.'), ['192.0.2.1'])
  t.strictSame(takeAsked(), ['example.test'], 'a dot at the end says that a name is complete')
})

t.test('a name with dots is first looked up as it is, unless options say otherwise', async (t) => {
  const records = { 'a.b': ['192.0.2.1'], 'a.b.one.test': ['192.0.2.2'], 'c.two.test': ['192.0.2.3'] }
  const { resolve } = await open(t, 'search one.test. two.test # a comment\n', records)
  t.strictSame(await resolve('a.b'), ['192.0.2.1'])
  t.strictSame(await resolve('c'), ['192.0.2.3'])
  const dotted = await open(t, 'domain one.test\noptions timeout:1 ndots:2\n', records)
  t.strictSame(await dotted.resolve('a.b'), ['192.0.2.2'])
})

t.test('the hosts file comes before DNS, and without settings only the name itself is looked up', async (t) => {
  const { resolve, takeAsked } = await open(t, '', { 'files.test': ['192.0.2.1'] })
  t.strictSame(await resolve('alias'), ['10.9.9.9'])
  t.strictSame(await resolve('files.test'), ['10.9.9.9'])
  t.strictSame(takeAsked(), [])
  await t.rejects(resolve('nowhere'), { code: 'ENOTFOUND' })
  t.strictSame(takeAsked(), ['nowhere'])
})

t.test('a failure says more than that a longer name does not exist', async (t) => {
  const { resolve, takeAsked } = await open(t, 'search one.test\n', { 'empty.test': [], 'broken.test': 'SERVFAIL' }, [
    'silent.one.test',
  ])
  await t.rejects(resolve('empty.test'), { code: 'ENODATA' })
  await t.rejects(resolve('broken.test'), { code: 'ESERVFAIL' })
  await t.rejects(resolve('nowhere.test'), { code: 'ENOTFOUND' })
  takeAsked()
  const stop = new AbortController()
  const hanging = t.rejects(resolve('silent', stop.signal))
  t.strictSame(await resolve('broken.test').catch(() => 'failed'), 'failed', 'a look-up that hangs holds no other back')
  stop.abort()
  await hanging
})

t.test('only a failed look-up counts as no address', async (t) => {
  const { resolve } = await open(t, '', { 'found.test': ['192.0.2.1'], 'broken.test': 'SERVFAIL' })
  t.strictSame(await findAddresses(resolve('found.test')), ['192.0.2.1'])
  t.strictSame(await findAddresses(resolve('nowhere.test')), [])
  t.strictSame(await findAddresses(resolve('broken.test')), [])
  t.strictSame(await findAddresses(resolve('late.test', AbortSignal.abort(new DOMException('', 'TimeoutError')))), [])
  await t.rejects(findAddresses(resolve('stopped.test', AbortSignal.abort())), { name: 'AbortError' })
  await t.rejects(findAddresses(Promise.reject(new TypeError('a mistake'))), { name: 'TypeError' })
})
