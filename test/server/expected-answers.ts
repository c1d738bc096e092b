// What official Icechunk, xarray and xpublish said of a fixture repository when it was written.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'

const Views = z.union([
  z.object({ info: z.string(), keys: z.string(), dict: z.string() }),
  z.object({ error: z.string() }),
])

const Expected = z.object({
  specVersion: z.int(),
  branches: z.record(z.string(), z.string()),
  tags: z.record(z.string(), z.string()),
  snapshots: z.record(
    z.string(),
    z.object({ nodes: z.record(z.string(), z.enum(['group', 'array'])), groups: z.array(z.string()) }),
  ),
  /** Head, then group, then the texts of the three views. */
  datasets: z.record(z.string(), z.record(z.string(), Views)),
})

/** The expected answers for a fixture repository. */
export async function readExpectedAnswers(name: string): Promise<z.output<typeof Expected>> {
  const text = await readFile(new URL(`../fixtures/expected/${name}.json`, import.meta.url), 'utf8')
  return Expected.parse(JSON.parse(text))
}
