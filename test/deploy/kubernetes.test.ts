// deploy/kubernetes/floe.yaml, with what can run without a cluster.
import { join } from 'node:path'
import { t } from 'tap'
import { loadConfig } from '../../server/main/configuration/load-config.ts'
import { startMonitored } from '../server/main/monitoring/start-monitored.ts'
import { readImage } from './dockerfile.ts'
import { readManifests } from './manifests.ts'

const { manifests, configMap, deployment, service, budget } = await readManifests()
const { template } = deployment.spec
const [container] = template.spec.containers

t.test('the parts find each other', (t) => {
  t.equal(manifests.length, 4)
  for (const { metadata } of manifests) t.equal(metadata.name, 'floe')
  for (const selector of [
    deployment.spec.selector.matchLabels,
    service.spec.selector,
    budget.spec.selector.matchLabels,
  ]) {
    t.strictSame(selector, template.metadata.labels)
  }
  const ports = container.ports.map(({ name }) => name)
  t.ok(ports.includes(service.spec.ports[0].targetPort))
  for (const { name } of container.volumeMounts) {
    t.ok(
      template.spec.volumes.some((volume) => volume.name === name),
      name,
    )
  }
  t.end()
})

t.test('pods run as the image is made', async (t) => {
  const { user, command } = await readImage()
  const { runAsUser, runAsGroup } = template.spec.securityContext
  t.equal(`${runAsUser}:${runAsGroup}`, user)
  const paths = container.volumeMounts.map(({ mountPath }) => mountPath)
  t.strictSame(paths, ['/etc/floe'])
  t.ok(command.includes('/etc/floe/floe.yaml'))
})

t.test('the ConfigMap, the image and the Secret are a configuration together', async (t) => {
  const directory = t.testdir(configMap.data)
  const { environment } = await readImage()
  const secret = {
    FLOE_DATABASE: 'postgres://floe@db.example.org/floe',
    FLOE_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  }
  const config = await loadConfig(join(directory, 'floe.yaml'), { ...environment, ...secret }, {})
  const { listen, metrics, database } = config
  const findPort = (name: string) => container.ports.find((port) => port.name === name)?.containerPort
  t.strictSame([listen.host, listen.port], ['0.0.0.0', findPort('http')])
  t.strictSame([metrics.listen.host, metrics.listen.port], ['0.0.0.0', findPort('metrics')])
  t.equal(database, secret.FLOE_DATABASE)
})

t.test('probes are answered', async (t) => {
  const { server, port } = await startMonitored(t)
  await server.notifier.start()
  for (const { httpGet } of [container.startupProbe, container.readinessProbe, container.livenessProbe]) {
    t.equal((await fetch(`${port}${httpGet.path}`)).status, 200, httpGet.path)
    t.equal(httpGet.port, 'metrics')
  }
})

t.test('a pod has the time that it needs to stop', (t) => {
  const { seconds } = container.lifecycle.preStop.sleep
  t.ok(template.spec.terminationGracePeriodSeconds > seconds + 16, 'Floe takes at most 16 seconds')
  t.end()
})
