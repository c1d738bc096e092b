import { z } from 'zod'
import { JsonValue } from './dataset.ts'

/** `zarr.json` of a node. Its members are those that were stored, whatever extension of Zarr they belong to. */
export const ZarrDocument = z
  .record(z.string(), JsonValue)
  .meta({
    id: 'ZarrDocument',
    description:
      'The stored members of `zarr.json`. That of a group also has `consolidated_metadata`, whose `metadata` has the ' +
      'documents of all nodes below, by their paths from the group',
    examples: [
      {
        zarr_format: 3,
        node_type: 'group',
        attributes: { title: 'Hourly forecast' },
        consolidated_metadata: {
          kind: 'inline',
          must_understand: false,
          metadata: { time: { zarr_format: 3, node_type: 'array', shape: [24], data_type: 'int64' } },
        },
      },
    ],
  })
export type ZarrDocument = z.infer<typeof ZarrDocument>
