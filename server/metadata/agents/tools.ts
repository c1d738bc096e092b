// The tools of agents: routes of the contract that read. Names, descriptions and arguments come from the contract.
import { contract, listRoutes } from '@floe/contract'
import { z } from 'zod'

/** A route that has a tool. */
type ToolRoute = {
  /** Router and route. */
  readonly route: string
  /** The route to call instead when the agent gives an argument that only this route has, such as a group. */
  readonly within?: string
  /** What an agent should know besides what the contract says. */
  readonly advice?: string
}

const namesFirst =
  'The answer can be long: call datasets_keys first, then request a `part` of it, such as "/variables/NAME".'

/** The routes that have tools, in the order in which an agent needs them. */
const toolRoutes: readonly ToolRoute[] = [
  {
    route: 'search.get',
    advice: 'Finds data by what it is. Ask for a `limit` of 5 to 10: each result lists its variables.',
  },
  { route: 'discovery.repositories' },
  { route: 'discovery.refs' },
  { route: 'discovery.datasets' },
  { route: 'datasets.keys', within: 'datasets.groupKeys' },
  { route: 'datasets.info', within: 'datasets.groupInfo', advice: namesFirst },
  { route: 'datasets.dict', within: 'datasets.groupDict' },
  { route: 'history.commits' },
  { route: 'diff.get' },
  { route: 'history.repository' },
  { route: 'history.operations' },
]

/** What the contract says about writing a name in a URL. Agents write names as they are. */
const aboutUrls = / In a URL, [^.]*\./

/** More entries than the largest answer can have. */
const maxEntries = 100_000_000

/** Arguments that say which part of the answer an agent wants. All tools have them. */
const ExcerptArguments = z.object({
  part: z
    .string()
    .max(16_384)
    .regex(/^$|^\//, 'must be empty or begin with a slash')
    .default('')
    .describe('JSON pointer to the part of the answer to return, such as "/variables"'),
  skip: z.int().min(0).max(maxEntries).default(0).describe('Number of entries of the part to skip'),
  take: z
    .int()
    .min(1)
    .max(maxEntries)
    .optional()
    .describe('Maximum number of entries of the part to return. Default: as many as fit'),
})

/** The arguments of a call, by purpose. */
type ToolArguments = {
  /** The route that answers. */
  readonly route: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly excerpt: z.output<typeof ExcerptArguments>
}

export type Tool = {
  readonly name: string
  /** The router of its routes. */
  readonly router: string
  readonly title: string
  readonly description: string
  /** The arguments as JSON Schema. */
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown }
  /** Whether a group can be named, to narrow the answer. */
  readonly takesGroup: boolean
  /** Checks the arguments of a call. Throws ZodError. */
  readonly parse: (given: unknown) => ToolArguments
}

const contractRoutes = new Map(listRoutes(contract))

/** The tools by their names. */
export const tools: ReadonlyMap<string, Tool> = new Map(toolRoutes.map(makeTool).map((tool) => [tool.name, tool]))

function makeTool({ route, within, advice }: ToolRoute): Tool {
  const described = requireRoute(within ?? route)
  const { params, further, query } = readArguments(route, within)
  const Arguments = z.strictObject({ ...params, ...further, ...query, ...ExcerptArguments.shape })
  // The title is the summary.
  const texts = [described.description, advice]
  return {
    // A router with one route is named as the router.
    name: route.replace(/\.get$/, '').replace('.', '_'),
    router: route.replace(/\..*/, ''),
    title: described.summary ?? route,
    description: texts.filter(Boolean).map(endSentence).join(' '),
    inputSchema: describeArguments(Arguments),
    takesGroup: 'group' in Arguments.shape,
    parse: (given) => {
      const spelled = spellArguments(given, { ...params, ...further, ...query })
      const parsed = z.record(z.string(), z.unknown()).parse(Arguments.parse(spelled))
      const names = pick(parsed, { ...params, ...further })
      const isWithin = within !== undefined && Object.keys(further).some((name) => name in names)
      const excerpt = ExcerptArguments.parse(pick(parsed, ExcerptArguments.shape))
      return { route: isWithin ? within : route, params: names, query: pick(parsed, query), excerpt }
    },
  }
}

/**
 * Translates a schema to JSON Schema. Inlines references, which some agents do not follow, and drops examples, which name sample
 * repositories, and what concerns only URLs.
 */
function describeArguments(schema: z.ZodType): Tool['inputSchema'] {
  const {
    $schema: _,
    $defs = {},
    ...translated
  } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.examples
      if (jsonSchema.description !== undefined) jsonSchema.description = jsonSchema.description.replace(aboutUrls, '')
    },
  })
  const inlined: unknown = JSON.parse(JSON.stringify(translated), (_key, value: unknown) => {
    const { $ref: reference, ...rest } = Object(value)
    return typeof reference === 'string' ? { ...$defs[reference.replace('#/$defs/', '')], ...rest } : value
  })
  return { ...Object(inlined), type: 'object' }
}

/** The arguments that come from the contract: parts of the address, those that only the route `within` has, and the query. */
function readArguments(route: string, within: string | undefined) {
  const { pathParams, query, summary } = requireRoute(route)
  const shape = readShape(pathParams)
  const { deployment: _, org: __, ...params } = shape
  const all = within === undefined ? shape : readShape(requireRoute(within).pathParams)
  const further = Object.entries(all).filter(([name]) => !(name in shape))
  return {
    params,
    further: Object.fromEntries(
      further.map(([name, schema]) => [
        name,
        schema.optional().describe(`${endSentence(schema.description)} Without it: ${summary}.`),
      ]),
    ),
    query: readShape(query),
  }
}

function readShape(schema: unknown): Readonly<Record<string, z.ZodType>> {
  return schema instanceof z.ZodObject ? schema.shape : {}
}

function requireRoute(id: string) {
  const route = contractRoutes.get(id)
  if (route === undefined) throw new TypeError(`the contract has no route ${id}`)
  return route
}

/** Writes arguments as a URL has them: numbers as text. */
function spellArguments(given: unknown, contractShape: object): unknown {
  if (typeof given !== 'object' || given === null) return given ?? {}
  return Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' && name in contractShape ? String(value) : value,
    ]),
  )
}

function pick(values: Readonly<Record<string, unknown>>, shape: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => name in shape && value !== undefined))
}

function endSentence(text: unknown): string {
  return String(text).replace(/[^.]$/, '$&.')
}
