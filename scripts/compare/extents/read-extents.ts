// Reads the boxes of datasets from their attributes: one JSON text per line on stdin, `{ group, variables }`, and one
// with the box on stdout, or null. The package runs it.
// Usage: node --conditions=@floe/source scripts/compare/extents/read-extents.ts
import { createInterface } from 'node:readline'
import { parseJsonObject } from '@floe/storage/json'
import { z } from 'zod'
import { combineExtents, readOwnExtent } from '../../../server/self-description/read-extent.ts'
import type { DecodedVariable } from '../../../server/xarray/dataset.ts'

const Attributes = z.record(z.string(), z.unknown())
const Asked = z.object({
  group: Attributes,
  variables: z.array(
    z.object({ name: z.string(), dimensions: z.array(z.string()), shape: z.array(z.number()), attributes: Attributes }),
  ),
})

const type = { kind: 'f', name: 'float32', text: 'float32', itemBytes: 4 } as const

function decode({ shape, attributes, ...rest }: z.infer<typeof Asked>['variables'][number]): DecodedVariable {
  return {
    ...rest,
    type,
    shape: shape.map(BigInt),
    attributes: parseJsonObject(JSON.stringify(attributes)),
    encoding: new Map(),
    storedItemBytes: 4,
    isCoordinate: false,
    isIndexed: false,
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { group, variables } = Asked.parse(JSON.parse(line))
  const attributes = parseJsonObject(JSON.stringify(group))
  const grid = { variables: variables.map(decode), dimensions: new Map<string, bigint>(), attributes }
  const { bbox } = combineExtents([readOwnExtent(attributes)], variables.length > 0 ? grid : undefined)
  process.stdout.write(`${JSON.stringify(bbox)}\n`)
}
