// In a file without schemas, so that reader threads do not load the library of schemas for three words.

/** The names of the JSON views. Each is the last segment of its address, behind the group, and a group may have the same name. */
export const viewNames = ['info', 'keys', 'dict'] as const

/** The name of a JSON view of a dataset. */
export type ViewName = (typeof viewNames)[number]
