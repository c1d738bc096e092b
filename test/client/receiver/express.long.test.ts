// The unchanged example for Express, with an Express that is installed for it.
import { execPath } from 'node:process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { installFromNpm, run } from '../../generators/install.ts'
import { checkReceiver, checkSignature } from './check-receiver.ts'
import { startExample } from './start-example.ts'

t.setTimeout(900_000)

const { root, skip } = await installFromNpm('express', ['express@5.3.0', '@types/express@5.0.6'])

t.test('the Express example receives, and its types are right', { skip }, async (t) => {
  const directory = t.testdir({
    node_modules: {
      express: t.fixture('symlink', join(root, 'node_modules/express')),
      '@types': { express: t.fixture('symlink', join(root, 'node_modules/@types/express')) },
    },
    'tsconfig.json': JSON.stringify({
      extends: fileURLToPath(new URL('../../../tsconfig.json', import.meta.url)),
      include: ['express.ts'],
      exclude: [],
    }),
  })
  const example = join(directory, 'express.ts')
  await writeFile(example, await readFile(new URL('../../../client/examples/express.ts', import.meta.url)))
  const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url))
  await run(tsc, ['-p', directory], directory)
  const receiver = await startExample(t, execPath, ['--conditions=@floe/source', example])
  await checkSignature(t, receiver)
  await checkReceiver(t, receiver)
})
