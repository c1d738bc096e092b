// The tools of agents. Each calls one or two routes of the contract, which gives it its arguments. What agents read
// about it is here, and shorter than in the contract, because they pay for each word with every conversation.
import { contract, listRoutes, type Question, questions, type QuestionTool } from '@floe/contract'
import { z } from 'zod'
import { type AnswerForm, excerptForm, schemaForm, searchForm, type ShowAnswer } from './answer-forms.ts'
import { describeArguments, type InputSchema, writeNumbersAsText } from './tool-arguments.ts'

/** A tool, and the routes that answer it. */
type ToolRoute = Omit<QuestionTool, 'form'> & {
  /** Router and route, such as `discovery.refs`. */
  readonly route: string
  /** The route to call instead if the agent names a group. */
  readonly groupRoute?: string | undefined
  /** What the agent gets of the answer. Default: an excerpt. */
  readonly form?: AnswerForm | undefined
}

const anyRef = 'Branch, tag or snapshot'

/** Descriptions of arguments that several tools have; `''` where the name says enough. */
const argumentTexts: Readonly<Record<string, string>> = {
  repo: '',
  ref: anyRef,
  from: '',
  to: '',
  group: 'Path, such as wind/speed',
  before: '`next` of the last page',
}

/** The routes that have tools, in the order in which an agent needs them. */
const toolRoutes: readonly ToolRoute[] = [
  {
    route: 'search.get',
    form: searchForm,
    description:
      'Begin here: finds datasets in all repositories by words, exact values, place and time, with repo, branch, ' +
      'group and the matching variables of each. Different conditions must all match; one value of each is enough. ' +
      'A `limit` of 5 to 10 keeps the answer short.',
    arguments: {
      q:
        'Words that must all occur in name of repository, path, or attributes of dataset or variables, in any ' +
        'inflected form. The last may be a beginning; quotes make a phrase',
      variable: '',
      standard_name: '',
      units: '',
      dimension: '',
      dtype: '',
      institution: '',
      keyword: '',
      licence: '',
      kind: 'Such as grid',
      attribute: '`name=value`',
      bbox: 'west,south,east,north in degrees',
      time: 'start/end in ISO 8601; `..` is an open end',
      changed_since: 'Date',
      changed_before: 'Date',
      repo: 'Name, or pattern with `*`',
      facets: 'Count the values of these',
      sort: '',
      limit: '1 to 100; default 20',
    },
  },
  { route: 'discovery.repositories', description: 'Returns the names of all repositories.' },
  {
    route: 'discovery.refs',
    title: 'List branches and tags',
    description: 'Returns the names of the branches and tags of a repository.',
  },
  {
    route: 'discovery.sources',
    title: 'Dependent repositories',
    description: 'Tells which repositories declare that they take chunks from an address. No proof of use.',
    arguments: { prefix: 'Such as s3://bucket/', limit: '' },
  },
  ...listQuestionTools(),
  {
    route: 'history.commits',
    title: 'List commits',
    description: 'Returns the commits of a ref, newest first.',
    arguments: {
      limit: '1 to 1000; default 100',
      path: 'Only commits that changed this path or glob, with what they did',
      since: 'Time of the oldest commit',
      until: 'Time of the newest commit, or id to stop before',
    },
  },
  {
    route: 'history.repository',
    description:
      'Returns status, metadata, snapshots, branches with commits, and expectations (`state`, `facts`) of a ' +
      'repository.',
  },
  {
    route: 'history.operations',
    title: 'List operations',
    description:
      'Returns what was done to a repository, newest first: commits, and changes of branches, tags, configuration ' +
      'and status. A page can be empty and have a `next`.',
    arguments: { limit: 'Max 1000; default 100' },
  },
]

/** Lists the tools of questions about snapshots. A question about a group has a second route for it. */
function listQuestionTools(): ToolRoute[] {
  return Object.values<Question>(questions).flatMap(({ router, routes, tool }) => {
    if (tool === undefined) return []
    const { form, ...texts } = tool
    const [route = '', groupRoute] = Object.keys(routes).map((name) => `${router}.${name}`)
    return { ...texts, route, groupRoute, form: form === 'schema' ? schemaForm : undefined }
  })
}

/** The arguments of a call, grouped by use. */
type ToolArguments = {
  /** The route that answers. */
  readonly route: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** Makes the text that the agent gets. */
  readonly show: ShowAnswer
}

export type Tool = {
  readonly name: string
  /** The router of its routes. */
  readonly router: string
  readonly title: string
  readonly description: string
  /** The arguments as JSON Schema. */
  readonly inputSchema: InputSchema
  /** Checks the arguments of a call. Throws ZodError. */
  readonly parse: (sentArguments: unknown) => ToolArguments
}

const contractRoutes = new Map(listRoutes(contract))

/** The tools by their names. */
export const tools: ReadonlyMap<string, Tool> = new Map(toolRoutes.map(makeTool).map((tool) => [tool.name, tool]))

function makeTool({ route, groupRoute, form = excerptForm, ...texts }: ToolRoute): Tool {
  const { params, groupParams, query } = readArguments(route, groupRoute)
  const Arguments = z.strictObject({ ...params, ...groupParams, ...query, ...form.shape })
  const takesGroup = 'group' in Arguments.shape
  return {
    name: texts.name ?? route.replace(/\.get$/, '').replace('.', '_'),
    router: route.replace(/\..*/, ''),
    title: texts.title ?? requireRoute(groupRoute ?? route).summary ?? route,
    description: texts.description,
    inputSchema: describeArguments(Arguments, { ...argumentTexts, ...texts.arguments }),
    parse: (sentArguments) => {
      const asText = writeNumbersAsText(sentArguments, { ...params, ...groupParams, ...query })
      const parsed = z.record(z.string(), z.unknown()).parse(Arguments.parse(asText))
      const names = pick(parsed, { ...params, ...groupParams })
      const isOfGroup = groupRoute !== undefined && Object.keys(groupParams).some((name) => name in names)
      const canNameGroup = takesGroup && !parsed['group']
      return {
        route: isOfGroup ? groupRoute : route,
        params: names,
        query: pick(parsed, query),
        show: form.prepare(pick(parsed, form.shape), canNameGroup),
      }
    },
  }
}

/** Reads the arguments from the contract: path parameters, those that only `groupRoute` has, and the query. */
function readArguments(route: string, groupRoute: string | undefined) {
  const { pathParams, query } = requireRoute(route)
  const shape = readShape(pathParams)
  const { deployment: _, org: __, ...params } = shape
  // Agents read no feeds.
  const { format: _format, ...asked } = readShape(query)
  const groupShape = groupRoute === undefined ? shape : readShape(requireRoute(groupRoute).pathParams)
  const added = Object.entries(groupShape).filter(([name]) => !(name in shape))
  return {
    params,
    groupParams: Object.fromEntries(added.map(([name, schema]) => [name, schema.optional()])),
    query: asked,
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

function pick(values: Readonly<Record<string, unknown>>, shape: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => name in shape && value !== undefined))
}
