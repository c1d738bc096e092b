// Loads the configuration. Flags override environment variables, which override the file.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { usePlainMessages } from '../../problems/plain-messages.ts'
import { ContractFileError, readContractFile } from './read-contract-file.ts'
import { Config, type ConfigInput } from './schema.ts'

/** The configuration cannot be used. The message names each wrong key and the expected value. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

type Tree = { [key: string]: unknown }

/**
 * Reads `file` (if given), overrides it with the `FLOE_...` variables and then with `flags`, and checks the result.
 *
 * @throws {@link ConfigError}
 */
export async function loadConfig(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  flags: ConfigInput,
): Promise<Config> {
  usePlainMessages()
  const fromFile = file === undefined ? {} : await readConfigFile(file)
  const variables = await readVariables(environment)
  const source = [file ?? 'configuration', variables.names.join(', ')].filter(Boolean).join(' with ')
  const tree = await readContracts(overlay(overlay(fromFile, variables.tree), flags), source)
  const result = Config.safeParse(tree)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.') || '(top level)'}: ${explain(issue)}`)
  throw new ConfigError(`${source} cannot be used:\n${lines.join('\n')}`)
}

/** Reads the files that have the contracts of expectations, so that a reload notices when they change. */
async function readContracts(tree: Tree, source: string): Promise<Tree> {
  const entries: unknown = tree['expectations']
  if (!Array.isArray(entries)) return tree
  const read: unknown[] = []
  for (const [index, entry] of entries.entries()) {
    const hasFile = isTree(entry) && entry['kind'] === 'contract' && entry['contract'] === undefined
    if (!hasFile || typeof entry['file'] !== 'string') read.push(entry)
    else {
      const { file, ...others } = { ...entry, file: entry['file'] }
      const contract = await readContractFile(file).catch((cause: unknown) => {
        if (!(cause instanceof ContractFileError)) throw cause
        throw new ConfigError(`${source} cannot be used:\n  expectations.${index}.file: ${cause.message}`, { cause })
      })
      read.push({ ...others, contract })
    }
  }
  return { ...tree, expectations: read }
}

/** Says what is wrong with a value, or with the name of a member. */
function explain(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_key' ? issue.issues.map(({ message }) => message).join(', ') : issue.message
}

async function readConfigFile(file: string): Promise<Tree> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`${file} cannot be read: ${reason}`, { cause })
  }
  const content = await parseYaml(text, file, false)
  if (content === null) return {}
  if (!isTree(content)) throw new ConfigError(`${file} must be a mapping of configuration keys`)
  return content
}

/** Parses a file or a variable, which errors call `source`. Errors about a variable do not repeat its text. */
async function parseYaml(text: string, source: string, isVariable: boolean): Promise<unknown> {
  const fail = (reason: string) => new ConfigError(`${source} is not YAML${isVariable ? '' : `: ${reason}`}`)
  // A service that flags configure needs no parser of YAML.
  const { LineCounter, parseDocument } = await import('yaml')
  // Pretty errors and printed warnings repeat the line, which may contain a secret.
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'silent' })
  // A warning is about an unknown tag. The value would not be what its author meant.
  const [mistake] = [...document.errors, ...document.warnings]
  if (mistake) {
    const { line, col } = lineCounter.linePos(mistake.pos[0])
    throw fail(`${mistake.message} at line ${line}, column ${col}`)
  }
  // The schema does not see this key, because zod leaves it out.
  const refuseProto = (key: unknown, value: unknown) => {
    if (key === '__proto__') throw new ConfigError(`${source} cannot be used: __proto__ is not a name`)
    return value
  }
  try {
    return document.toJS({ reviver: refuseProto })
  } catch (cause) {
    // The alias has no anchor, or the aliases would exhaust the memory.
    throw cause instanceof ReferenceError ? fail(cause.message) : cause
  }
}

/**
 * Reads the environment variables; `FLOE_LISTEN_PORT` sets `listen.port`. Values are YAML, so that a variable can
 * contain a list or a mapping. A value that is not valid as YAML but as plain text, such as the address `::`, needs no
 * quotes.
 */
async function readVariables(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly tree: Tree; readonly names: readonly string[] }> {
  let tree: Tree = {}
  const names: string[] = []
  for (const { path, schema } of listMembers()) {
    const name = nameVariable(path)
    const text = environment[name]
    if (text === undefined || text === '') continue
    const value = await parseYaml(text, name, true)
    const isText = !schema.safeParse(value).success && schema.safeParse(text).success
    tree = overlay(tree, nest(path, isText ? text : value))
    names.push(name)
  }
  return { tree, names }
}

/** Lists the names of the environment variables that are read. */
export function listVariables(): string[] {
  return listMembers().map(({ path }) => nameVariable(path))
}

/** Returns the environment variable that sets a configuration key. */
export function nameVariable(path: readonly string[]): string {
  return `FLOE_${path.map((key) => key.replace(/[A-Z]/g, '_$&').toUpperCase()).join('_')}`
}

/** Lists every configuration key that a variable can set: all except keys inside lists and records. */
export function listConfigKeys(): (readonly string[])[] {
  return listMembers().map(({ path }) => path)
}

/** A configuration key and the schema of its value. */
type Member = { readonly path: readonly string[]; readonly schema: z.ZodType }

function listMembers(schema: z.ZodType = Config, path: readonly string[] = []): Member[] {
  const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema
  if (!(inner instanceof z.ZodObject)) return [{ path, schema }]
  return Object.entries(inner.shape).flatMap(([key, member]) => listMembers(member, [...path, key]))
}

/** Makes the tree that has only a value at a path. */
function nest([key = '', ...rest]: readonly string[], value: unknown): Tree {
  return { [key]: rest.length === 0 ? value : nest(rest, value) }
}

/** Merges two trees. Values of `above` replace those of `below`. */
function overlay(below: Tree, above: Tree): Tree {
  const merged: Tree = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const under = merged[key]
    if (value !== undefined) merged[key] = isTree(value) && isTree(under) ? overlay(under, value) : value
  }
  return merged
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
