// Loads the configuration. Flags override environment variables, and variables override the file.
import { readFile } from 'node:fs/promises'
import { parse, YAMLParseError } from 'yaml'
import { z } from 'zod'
import { usePlainMessages } from '../problems/plain-messages.ts'
import { Config, type ConfigInput } from './schema.ts'

/** The configuration cannot be used; the message names each key and what is expected. */
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
  return parseConfig(overlay(overlay(fromFile, readVariables(environment)), flags), file ?? 'configuration')
}

/** Checks a configuration; `source` names it in messages. */
function parseConfig(input: unknown, source: string): Config {
  const result = Config.safeParse(input)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.') || '(top level)'}: ${issue.message}`)
  throw new ConfigError(`${source} cannot be used:\n${lines.join('\n')}`)
}

async function readConfigFile(file: string): Promise<Tree> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new ConfigError(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
  const content = parseFile(text, file)
  if (content === null) return {}
  if (!isTree(content)) throw new ConfigError(`${file} must be a mapping of configuration keys`)
  return content
}

function parseFile(text: string, file: string): unknown {
  try {
    return parse(text)
  } catch (cause) {
    if (cause instanceof YAMLParseError) throw new ConfigError(`${file} is not YAML: ${cause.message}`, { cause })
    throw cause
  }
}

/** `FLOE_LISTEN_PORT` sets `listen.port`. Values are YAML, so that a variable can hold a list or a mapping. */
function readVariables(environment: Readonly<Record<string, string | undefined>>): Tree {
  const tree: Tree = {}
  for (const path of listConfigKeys()) {
    const name = `FLOE_${path.map((key) => key.replace(/[A-Z]/g, '_$&').toUpperCase()).join('_')}`
    const text = environment[name]
    if (text !== undefined && text !== '') setAt(tree, path, parseVariable(text, name))
  }
  return tree
}

function parseVariable(text: string, name: string): unknown {
  try {
    return parse(text)
  } catch {
    // The parser's own message repeats the text, which may be a secret.
    throw new ConfigError(`${name} is not YAML`)
  }
}

/** Lists every configuration key that a variable can set. Keys inside lists and records are not among them. */
export function listConfigKeys(schema: z.ZodType = Config, path: readonly string[] = []): (readonly string[])[] {
  const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema
  if (!(inner instanceof z.ZodObject)) return [path]
  return Object.entries(inner.shape).flatMap(([key, member]) => listConfigKeys(member, [...path, key]))
}

function setAt(tree: Tree, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    tree[key] = value
    return
  }
  const existing = tree[key]
  const below: Tree = isTree(existing) ? existing : {}
  tree[key] = below
  setAt(below, rest, value)
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
