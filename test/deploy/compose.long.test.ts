// deploy/compose.yaml against the schema of the Compose Specification.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { installFromPyPI, run } from '../generators/install.ts'
import { deploy } from './dockerfile.ts'

t.setTimeout(900_000)

const { root, skip } = await installFromPyPI('compose', ['check-jsonschema==0.39.0'])

t.test('the Compose Specification allows the file', { skip }, async (t) => {
  const file = fileURLToPath(new URL('compose.yaml', deploy))
  const check = ['-m', 'check_jsonschema', '--builtin-schema', 'vendor.compose-spec', file]
  const { stdout } = await run(join(root, 'bin/python'), check, root)
  t.match(stdout, /validation done/)
})
