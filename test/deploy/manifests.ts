// Reads deploy/kubernetes/floe.yaml.
import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { deploy } from './dockerfile.ts'

const Labels = z.record(z.string(), z.string())
const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) })

const Container = z.object({
  envFrom: z.tuple([z.object({ secretRef: z.object({ name: z.string() }) })]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })),
  startupProbe: Probe,
  readinessProbe: Probe,
  livenessProbe: Probe,
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.int() }) }) }),
  securityContext: z.object({ readOnlyRootFilesystem: z.literal(true), allowPrivilegeEscalation: z.literal(false) }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
})

const Pod = z.object({
  securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.int(), runAsGroup: z.int() }),
  terminationGracePeriodSeconds: z.int(),
  containers: z.tuple([Container]),
  volumes: z.array(z.object({ name: z.string(), configMap: z.object({ name: z.string() }).optional() })),
})

/** What the manifests have in common. */
const Manifest = z.looseObject({ kind: z.string(), metadata: z.object({ name: z.string(), labels: Labels }) })
const ConfigMap = z.object({ data: z.object({ 'floe.yaml': z.string() }) })
const Deployment = z.object({
  spec: z.object({
    replicas: z.int(),
    selector: z.object({ matchLabels: Labels }),
    template: z.object({ metadata: z.object({ labels: Labels }), spec: Pod }),
  }),
})
const Service = z.object({
  spec: z.object({ selector: Labels, ports: z.tuple([z.object({ targetPort: z.string() })]) }),
})
const PodDisruptionBudget = z.object({ spec: z.object({ selector: z.object({ matchLabels: Labels }) }) })

/** The manifests, each by its kind. */
export async function readManifests() {
  const file = await readFile(new URL('kubernetes/floe.yaml', deploy), 'utf8')
  const manifests = parseAllDocuments(file).map((document) => Manifest.parse(document.toJS()))
  const find = (kind: string) => manifests.find((manifest) => manifest.kind === kind)
  return {
    manifests,
    configMap: ConfigMap.parse(find('ConfigMap')),
    deployment: Deployment.parse(find('Deployment')),
    service: Service.parse(find('Service')),
    budget: PodDisruptionBudget.parse(find('PodDisruptionBudget')),
  }
}
