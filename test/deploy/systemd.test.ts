// deploy/systemd/floe.service: its command runs, and systemd's own checker accepts it where it is installed.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t } from 'tap'
import { deploy, readImage } from './dockerfile.ts'
import { fixtures, startService } from './start-service.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const unit = await readFile(new URL('systemd/floe.service', deploy), 'utf8')

/** The values of a setting, in order. */
const read = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

// Proves: the systemd unit in `deploy/` starts the service
t.test('its command serves in its directory, and stops', async (t) => {
  const [directory] = read('WorkingDirectory')
  t.strictSame(read('StateDirectory'), ['floe'])
  t.equal(directory, '/var/lib/floe')
  const configuration = await readFile(new URL('floe.yaml', deploy), 'utf8')
  const cwd = t.testdir({ 'floe.yaml': configuration.replace('/repositories', fixtures), state: {} })
  const state = join(cwd, 'state')
  const [line = ''] = read('ExecStart')
  const command = line.replace('/opt/floe/', root).replace('/etc/floe/', `${cwd}/`).split(' ')
  const variables = read('Environment').map((text) => text.replace('/var/lib/floe', state).split('='))
  const environment = Object.fromEntries(variables.map(([name = '', ...value]) => [name, value.join('=')]))
  t.equal(environment['NODE_OPTIONS'], (await readImage()).environment['NODE_OPTIONS'], 'as in the image')
  const service = await startService(t, command, { cwd: state, environment })
  t.equal(await service.stop(), 0)
  t.ok(Number.parseInt(read('TimeoutStopSec')[0] ?? '', 10) > 16, 'Floe takes at most 16 seconds to stop')
})

const isInstalled = await promisify(execFile)('systemd-analyze', ['--version']).then(
  () => true,
  () => false,
)

t.test('systemd accepts it', { skip: !isInstalled && 'systemd-analyze is not installed' }, async (t) => {
  // The checker wants the program to exist.
  const path = join(t.testdir({ 'floe.service': unit.replaceAll('/opt/floe/', root) }), 'floe.service')
  const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', path])
  t.equal(stderr, '')
})
