// deploy/kubernetes/floe.yaml against the schemas of Kubernetes, in the oldest version that it is for and in the newest
// that the package knows.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { installFromPyPI, run } from '../generators/install.ts'
import { deploy } from './dockerfile.ts'

t.setTimeout(900_000)

const { root, skip } = await installFromPyPI('kubernetes', ['kubernetes-validate==1.37.0'])
const manifests = fileURLToPath(new URL('kubernetes/floe.yaml', deploy))

for (const version of ['1.30', '1.37']) {
  t.test(`Kubernetes ${version} accepts the manifests`, { skip }, async (t) => {
    const validate = ['-m', 'kubernetes_validate', '--strict', '--kubernetes-version', version, manifests]
    const { stdout, stderr } = await run(join(root, 'bin/python'), validate, root)
    t.comment(stdout, stderr)
  })
}
