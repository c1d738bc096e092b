// What a reader needs beside zarr-python, which names the packages too: `zarr/registry.py`, `zarr/codecs/`.
import { isJsonArray, isJsonObject, type JsonValue } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { codecRules } from './codec-rules.ts'

/** The package of a codec, by its name. */
const packages: ReadonlyMap<string, string> = new Map([
  ['gribberish', 'gribberish'],
  ['cast_value', 'cast-value-rs'],
  ['numcodecs.pcodec', 'numcodecs[pcodec]'],
  ['numcodecs.zfpy', 'numcodecs[zfpy]'],
  ['imagecodecs_jetraw', 'virtual-tiff'],
  ['imagecodecs_jpeg8', 'virtual-tiff'],
])

/** The package of all codecs whose names begin with this. */
const packagesByPrefix: readonly (readonly [string, string])[] = [
  ['any-numcodecs.', 'zarr-any-numcodecs'],
  ['imagecodecs_', 'imagecodecs-zarr'],
  ['omfiles.', 'omfiles'],
  ['virtual_tiff.', 'virtual-tiff'],
]

/** Lists what a reader of the array needs: settings, and codecs that zarr-python does not have, with their packages. */
export function listReaderNeeds({ chunkGrid, document }: ArrayMetadata): readonly string[] {
  const codecs = collectCodecs(document.get('codecs'), new Set())
  const needs = [...codecs].flatMap((name) => {
    const source = packages.get(name) ?? packagesByPrefix.find(([prefix]) => name.startsWith(prefix))?.[1]
    if (source !== undefined) return [`the codec ${name} (package ${source})`]
    return codecRules.has(name) ? [] : [`the codec ${name}`]
  })
  if (chunkGrid.name === 'rectilinear') needs.push('zarr.config.set({"array.rectilinear_chunks": True})')
  else if (chunkGrid.name !== 'regular') needs.push(`the chunk grid ${chunkGrid.name}`)
  return needs
}

/** Adds the names of codecs, with those of the chunks and the index of a shard. */
function collectCodecs(stored: JsonValue | undefined, names: Set<string>): Set<string> {
  for (const codec of isJsonArray(stored) ? stored : []) {
    const name = isJsonObject(codec) ? codec.get('name') : codec
    if (typeof name === 'string') names.add(name)
    const configuration = isJsonObject(codec) ? codec.get('configuration') : undefined
    if (name !== 'sharding_indexed' || !isJsonObject(configuration)) continue
    for (const member of ['codecs', 'index_codecs']) collectCodecs(configuration.get(member), names)
  }
  return names
}
