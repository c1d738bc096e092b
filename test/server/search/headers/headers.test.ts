// Headers in the forms of public products, each with a list of what it states, and whether search finds that. The lists
// were written before the code that reads them: `area` in degrees, `time` as start and end, `licence` as an identifier
// of SPDX, and `kind`. Null is what a header does not state. Areas of projected grids are those of PROJ.
import { readFile } from 'node:fs/promises'
import type { Database } from '@floe/storage/database'
import { decodeSnapshot, defaultLimits } from '@floe/storage/icechunk'
import { t } from 'tap'
import { z } from 'zod'
import { AttributeChains } from '../../../../server/groups/attribute-chain.ts'
import { describeGroup } from '../../../../server/search/describe/describe-dataset.ts'
import { testOnEngines } from '../../../storage/records/database/engines.ts'
import { buildId, buildNode, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import type { SearchQuery } from '../../../../server/search/page/search-query.ts'
import { indexDescribed, search } from '../find/indexed-corpus.ts'

const Attributes = z.record(z.string(), z.unknown())

const Header = z.strictObject({
  form: z.string(),
  source: z.string(),
  groups: z.record(z.string(), Attributes),
  /** The group that somebody looks for. */
  dataset: z.string(),
  arrays: z.record(
    z.string(),
    z.strictObject({
      dimensions: z.array(z.string()).nullable(),
      shape: z.array(z.number()),
      type: z.string(),
      attributes: Attributes,
    }),
  ),
  stated: z.strictObject({
    area: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
    time: z.tuple([z.string().nullable(), z.string().nullable()]).nullable(),
    licence: z.string().nullable(),
    kind: z.string(),
  }),
})
type Header = z.infer<typeof Header>

/** Rounding of stated numbers, and half a cell of the coarsest of the grids, in degrees. */
const tolerance = 0.05

const files = ['satellites', 'climate-models', 'forecasts', 'features', 'life-sciences']

async function readHeaders(): Promise<readonly Header[]> {
  const texts = await Promise.all(files.map((name) => readFile(new URL(`${name}.json`, import.meta.url), 'utf8')))
  return texts.flatMap((text) => z.array(Header).parse(JSON.parse(text)))
}

function makeSnapshot({ groups, dataset, arrays }: Header) {
  const ofGroups = Object.entries(groups).map(([path, attributes]) =>
    buildNode(`/${path}`, 2, JSON.stringify({ zarr_format: 3, node_type: 'group', attributes })),
  )
  const ofArrays = Object.entries(arrays).map(([name, array]) =>
    buildNode(`${dataset === '' ? '' : `/${dataset}`}/${name}`, 1, writeArray(array)),
  )
  const [id, bytes] = [buildId(1), buildSnapshot({ nodes: [...ofGroups, ...ofArrays] })]
  return decodeSnapshot({ repository: 'memory', key: `snapshots/${id}`, bytes }, id, defaultLimits)
}

function writeArray({ dimensions, shape, type, attributes }: Header['arrays'][string]): string {
  const isText = type === 'string'
  return JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: type,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: isText ? '' : 0,
    codecs: [isText ? { name: 'vlen-utf8' } : { name: 'bytes', configuration: { endian: 'little' } }],
    ...(dimensions && { dimension_names: dimensions }),
    attributes,
  })
}

/** Lists what search does not find as it is stated, or finds though it is not. */
async function listMisses(db: Database, repo: string, { stated }: Header): Promise<readonly string[]> {
  const finds = async (query: SearchQuery) => (await search(db, { ...query, repo: [repo] })).total === 1
  const { results, facets } = await search(db, { repo: [repo], facets: ['licence', 'kind'] })
  const { bbox = null, start = null, end = null } = results[0]?.extent ?? {}
  const licences = facets.licence?.map(({ value }) => value) ?? []
  const kinds = facets.kind?.map(({ value }) => value) ?? []
  const { area, time, licence, kind } = stated
  const found = {
    area: area === null ? bbox === null : isNear(bbox, area) && (await finds({ bbox: area.join(',') })),
    time: start === (time?.[0] ?? null) && end === (time?.[1] ?? null),
    licence: licence === null ? !licences.some(isIdentifier) : await finds({ licence: [licence] }),
    kind: kinds.join() === kind && (await finds({ kind: [kind] })),
  }
  return Object.entries(found).flatMap(([name, isFound]) => (isFound ? [] : [name]))
}

/** Whether edges are those that are stated. A meridian has two numbers. */
function isNear(found: readonly number[] | null, stated: readonly number[]): boolean {
  const gaps = stated.map((edge, index) => Math.abs(edge - (found?.[index] ?? NaN)))
  return gaps.every((gap) => Math.min(gap, Math.abs(360 - gap)) <= tolerance)
}

function isIdentifier(licence: string): boolean {
  return /^[\w.]+(?:-[\w.]+)+$/.test(licence)
}

const headers = await readHeaders()
const test = await testOnEngines(t)

test('at least 38 of 40 headers are found by the area, time, licence and kind that they state', async (t, { db }) => {
  t.equal(headers.length, 40)
  const missed: string[] = []
  for (const [index, header] of headers.entries()) {
    const repo = `header-${index}`
    const snapshot = await makeSnapshot(header)
    const above = new AttributeChains(snapshot, undefined).readAbove(header.dataset)
    await indexDescribed(db, 'acme', repo, [describeGroup(snapshot, { repo, path: header.dataset, above })])
    const misses = await listMisses(db, repo, header)
    if (misses.length > 0) missed.push(`${header.form}: ${misses.join(', ')}`)
  }
  t.comment(`${headers.length - missed.length} of ${headers.length} headers are found`)
  for (const one of missed) t.comment(`not found: ${one}`)
  t.ok(missed.length <= 2, `only these are not found: ${missed.join('; ')}`)
})
