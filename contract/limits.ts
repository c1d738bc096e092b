// The most that answers and notifications hold. This file imports nothing, so that reader threads can use the limits
// without loading zod.

/** Longest texts of a commit in a notification, in Unicode code points. */
export const maxNotifiedLength = { message: 16_384, author: 1_024 } as const

/** The most paths that each list of changed paths in a notification names. */
export const maxChangedPaths = 50

/** The most that a check says. Lengths are in characters. */
export const checkLimits = { figures: 20, figureName: 64, unit: 32, text: 500, link: 2_048 } as const

/** How long events are kept, in days. */
export const eventRetentionDays = 90

/** The most checks of a snapshot, and so of a report. */
export const maxSnapshotChecks = 50

/** The most that a remark says, in characters. */
export const remarkLimits = { text: 2_000, link: 2_048 } as const

/** The most snapshots of a remark. */
export const maxRemarkedSnapshots = 1_000

/** The most changes that a notification lists. */
export const maxNotifiedChanges = 50

/** Longest texts of a commit in the summary of a repository, in Unicode code points. */
export const maxSummarizedLength = 1_024

/** Maximum number of nodes of a commit that a history of a path lists. */
export const maxCommitChanges = 500

/** Maximum number of arrays that an expectation and its events list. */
export const maxListedArrays = 20

/** Maximum number of ranges of steps that an expectation and its events list. */
export const maxListedGaps = 20

/** Maximum number of breaking changes that are listed in words, and in an event. */
export const maxListedBreaks = { words: 10, event: 50 } as const

/** Longest text of a dataset or a variable in the index of search, in Unicode code points. */
export const maxIndexedText = 1_024

/** Limits of an answer of search. `variableText` is the longest text of a variable, in Unicode code points. */
export const searchLimits = {
  facetDatasets: 1_000,
  facetValues: 20,
  variables: 20,
  variableText: 256,
  dimensions: 20,
  remarks: 3,
} as const

/** The most ranges that a list of the gaps of an array has. */
export const maxGapRanges = 1_000

/** The most ranges of the chunks of an array that are in one file. */
export const maxFileRanges = 1_000

/** The most bins in a profile of the written chunks along a dimension. */
export const maxProfileBins = 2_000
