// This file has no schemas, so that reader threads need not load zod.

/** The names of the JSON views. Each is the last segment of a path, after the group; a group can have the same name. */
export const viewNames = ['info', 'keys', 'dict'] as const

/** The name of a JSON view of a dataset. */
export type ViewName = (typeof viewNames)[number]
