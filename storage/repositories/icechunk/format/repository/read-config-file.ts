// Reads `config.yaml`, the configuration of a repository of version 1. Tags name the kinds of stores:
//
//   virtual_chunk_containers:
//     s3://bucket/:
//       url_prefix: s3://bucket/
//       store: !s3
//         region: us-east-1
//         anonymous: true
import { isMap, isNode, isScalar, parseDocument, type YAMLMap } from 'yaml'
import type { Damage } from '../../errors.ts'
import { describeContainer, type VirtualContainer } from './virtual-container.ts'

/** Reads the virtual chunk containers. Follows no aliases, with which a small file could describe a large one. */
export function readContainersOfFile(bytes: Uint8Array, damage: Damage): VirtualContainer[] {
  const containers = parse(bytes, damage).get('virtual_chunk_containers', true)
  const entries = isMap(containers) ? containers.items : []
  return entries.flatMap(({ value: container }) => {
    if (!isMap(container)) return []
    const store = container.get('store', true)
    const options = isMap(store) ? store : undefined
    return describeContainer({
      name: readScalar(container, 'name'),
      urlPrefix: readScalar(container, 'url_prefix'),
      kind: (isNode(store) ? store.tag : undefined)?.replace(/^!/, '') ?? '',
      region: options && readScalar(options, 'region'),
      anonymous: options && readScalar(options, 'anonymous'),
    })
  })
}

function parse(bytes: Uint8Array, damage: Damage): YAMLMap {
  try {
    const { contents, errors } = parseDocument(Buffer.from(bytes).toString(), {
      logLevel: 'silent',
      prettyErrors: false,
      // The check compares each key with all before it.
      uniqueKeys: false,
    })
    if (errors.length === 0 && isMap(contents)) return contents
  } catch (cause) {
    // Deep nesting overflows the stack.
    throw damage('it cannot be parsed as YAML', { cause })
  }
  throw damage('it is not an object in YAML')
}

function readScalar(map: YAMLMap, name: string): unknown {
  const value: unknown = map.get(name, true)
  return isScalar(value) ? value.value : undefined
}
