import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { t } from 'tap'
import { describeRelease } from '../../scripts/packages/describe-release.ts'
import type { PackedPackage } from '../../scripts/packages/pack.ts'

const describeClient = (root: string): PackedPackage => ({
  name: '@floe/client',
  version: '0.2.0',
  tarball: join(root, 'release/floe-client-0.2.0.tgz'),
  size: 43_001,
  unpackedSize: 198_383,
  files: ['LICENSE', 'dist/index.js'],
  repository: 'git+https://git.floe.dev/floe.git',
})

t.test('npm publishes the tarballs that the printed commands name', async (t) => {
  const manifest = JSON.stringify({ name: '@floe/client', version: '0.2.0' })
  const root = t.testdir({ release: {}, client: { 'package.json': manifest } })
  await promisify(execFile)('npm', ['pack', './client', '--pack-destination', 'release'], { cwd: root })
  const text = describeRelease(root, [describeClient(root)], [])
  t.match(text, '\n@floe/client 0.2.0: 2 files, 199 kB, packed 44 kB: release/floe-client-0.2.0.tgz\n')
  const [command = '', ...args] = text.slice(text.indexOf('npm publish')).split(' ')
  // Whoever runs the tests may have told npm to be silent.
  const trial = ['--dry-run', '--offline', '--loglevel=notice']
  const { stdout } = await promisify(execFile)(command, [...args, ...trial], { cwd: root })
  t.equal(stdout, '+ @floe/client@0.2.0\n')
})

t.test('a release that something stands against has no commands', async (t) => {
  const text = describeRelease('/floe', [describeClient('/floe')], ['the first reason', 'the second reason'])
  t.ok(text.endsWith('\n\nNot yet:\n\nthe first reason\nthe second reason'))
  t.notMatch(text, 'npm publish')
})
