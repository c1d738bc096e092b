// An answer that depends on an object that could not be read is sent, and not cached.
import { Gaps } from '@floe/contract'
import { t } from 'tap'
import { openManifests } from '../../reading/manifests/open-manifests.ts'
import { startServer } from '../../start-server.ts'

t.test('an answer without a missing manifest is not cached, and the whole one is immutable', async (t) => {
  const { store, snapshotId } = await openManifests()
  const manifests = [...store.objects].filter(([key]) => key.startsWith('manifests/'))
  for (const [key] of manifests) store.objects.delete(key)
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'runs', store }] })
  // Only answers to anyone can be immutable.
  const headers = { 'accept-encoding': 'identity' }
  const ask = async (sent: Record<string, string> = headers) => {
    const response = await fetch(`${server.publicMeta}/gaps/runs/${snapshotId}?path=split`, { headers: sent })
    const [array] = response.status === 200 ? Gaps.parse(await response.json()).arrays : []
    const tag = response.headers.get('etag') ?? ''
    const control = response.headers.get('cache-control') ?? ''
    return { status: response.status, reason: array?.reason, tag, isImmutable: control.includes('immutable') }
  }
  const lacking = await ask()
  t.match(lacking, { status: 200, reason: 'manifest_missing', isImmutable: false })
  t.equal((await ask({ ...headers, 'if-none-match': lacking.tag })).status, 304, 'it has not changed')
  for (const [key, bytes] of manifests) store.objects.set(key, bytes)
  const whole = await ask({ ...headers, 'if-none-match': lacking.tag })
  t.match(whole, { status: 200, reason: null, isImmutable: true })
  t.not(whole.tag, lacking.tag)
  for (const [key] of manifests) store.objects.delete(key)
  t.strictSame(await ask(), whole, 'it is cached')
})
