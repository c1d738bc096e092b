// Reads deploy/Dockerfile.
import { readFile } from 'node:fs/promises'

export const deploy = new URL('../../deploy/', import.meta.url)

/** An instruction, such as `COPY` with what stands behind it. Continued lines are joined. */
export type Instruction = { readonly name: string; readonly text: string }

/** What a stage begins from, and the instructions in it. */
export type Stage = { readonly name: string; readonly base: string; readonly instructions: readonly Instruction[] }

/** How a container of the last stage runs. */
export type Image = {
  readonly base: string
  readonly environment: Readonly<Record<string, string>>
  readonly user: string
  readonly healthCheck: readonly string[]
  /** Entry point and command. */
  readonly command: readonly string[]
}

/** The stages of the Dockerfile, in order. */
export async function readStages(): Promise<Stage[]> {
  const file = await readFile(new URL('Dockerfile', deploy), 'utf8')
  const lines = file
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', '')
    .split('\n')
  const instructions = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^(?<name>[A-Z]+) (?<text>.+)$/.exec(line)?.groups)
    .map((groups) => ({ name: groups?.['name'] ?? '', text: groups?.['text'] ?? '' }))
  const stages: (Stage & { instructions: Instruction[] })[] = []
  for (const instruction of instructions) {
    const [, base, name = ''] = /^FROM (\S+)(?: AS (\S+))?$/.exec(`${instruction.name} ${instruction.text}`) ?? []
    if (base !== undefined) stages.push({ base, name, instructions: [] })
    else stages.at(-1)?.instructions.push(instruction)
  }
  return stages
}

/** Reads what the last stage says about its containers. */
export function describeImage({ base, instructions }: Stage): Image {
  const find = (name: string) => instructions.findLast((instruction) => instruction.name === name)?.text ?? ''
  const parseList = (text: string): string[] => JSON.parse(text.slice(text.indexOf('[')))
  const variables = instructions.filter(({ name }) => name === 'ENV').map(({ text }) => text.split('='))
  return {
    base,
    environment: Object.fromEntries(variables.map(([name = '', ...value]) => [name, value.join('=')])),
    user: find('USER'),
    healthCheck: parseList(find('HEALTHCHECK')),
    command: [...parseList(find('ENTRYPOINT')), ...parseList(find('CMD'))],
  }
}

/** The last stage of the Dockerfile. */
export async function readImage(): Promise<Image> {
  const last = (await readStages()).at(-1)
  if (last === undefined) throw new TypeError('deploy/Dockerfile has no stage')
  return describeImage(last)
}
