// Loads the configuration. Flags override environment variables, and variables override the file.
import { readFile } from 'node:fs/promises'
import { LineCounter, parse, parseDocument } from 'yaml'
import { z } from 'zod'
import { usePlainMessages } from '../../http/problems/plain-messages.ts'
import { Config, type ConfigInput } from './schema.ts'

/** The configuration cannot be used; the message names each wrong key and the expected value. */
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
  const variables = readVariables(environment)
  const result = Config.safeParse(overlay(overlay(fromFile, variables.tree), flags))
  if (result.success) return result.data
  const source = [file ?? 'configuration', variables.names.join(', ')].filter(Boolean).join(' with ')
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.') || '(top level)'}: ${issue.message}`)
  throw new ConfigError(`${source} cannot be used:\n${lines.join('\n')}`)
}

async function readConfigFile(file: string): Promise<Tree> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`${file} cannot be read: ${reason}`, { cause })
  }
  const content = parseFile(text, file)
  if (content === null) return {}
  if (!isTree(content)) throw new ConfigError(`${file} must be a mapping of configuration keys`)
  return content
}

function parseFile(text: string, file: string): unknown {
  const fail = (reason: string) => new ConfigError(`${file} is not YAML: ${reason}`)
  // Pretty errors and printed warnings repeat the line of the file, which may hold a secret.
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'silent' })
  // A warning is about an unknown tag, whose value would not be what its author meant.
  const [mistake] = [...document.errors, ...document.warnings]
  if (mistake) {
    const { line, col } = lineCounter.linePos(mistake.pos[0])
    throw fail(`${mistake.message} at line ${line}, column ${col}`)
  }
  try {
    return document.toJS()
  } catch (cause) {
    // An alias without its anchor, or aliases that would exhaust memory.
    throw cause instanceof ReferenceError ? fail(cause.message) : cause
  }
}

/**
 * `FLOE_LISTEN_PORT` sets `listen.port`. Values are YAML, so that a variable can hold a list or a mapping. A text that is valid for the key
 * as it is, such as the address `::`, needs no quotes.
 */
function readVariables(environment: Readonly<Record<string, string | undefined>>): {
  readonly tree: Tree
  readonly names: readonly string[]
} {
  let tree: Tree = {}
  const names: string[] = []
  for (const { path, schema } of listMembers()) {
    const name = nameVariable(path)
    const text = environment[name]
    if (text === undefined || text === '') continue
    const value = parseVariable(text, name)
    const isText = !schema.safeParse(value).success && schema.safeParse(text).success
    tree = overlay(tree, nest(path, isText ? text : value))
    names.push(name)
  }
  return { tree, names }
}

function parseVariable(text: string, name: string): unknown {
  try {
    return parse(text, { logLevel: 'error' })
  } catch {
    // The parser's own message repeats the text, which may be a secret.
    throw new ConfigError(`${name} is not YAML`)
  }
}

/** Lists the variables that are read. */
export function listVariables(): string[] {
  return listMembers().map(({ path }) => nameVariable(path))
}

function nameVariable(path: readonly string[]): string {
  return `FLOE_${path.map((key) => key.replace(/[A-Z]/g, '_$&').toUpperCase()).join('_')}`
}

/** Lists every configuration key that a variable can set, which excludes keys inside lists and records. */
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

function nest([key = '', ...rest]: readonly string[], value: unknown): Tree {
  return { [key]: rest.length === 0 ? value : nest(rest, value) }
}

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
