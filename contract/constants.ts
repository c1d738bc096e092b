// All of the contract that needs no zod. What reader threads run imports this, because zod and the schemas would take
// 30 MB in each thread.
export * from './compatibility-rules.ts'
export * from './limits.ts'
export * from './lists.ts'
export * from './http/media-types.ts'
export * from './http/paths.ts'
export * from './problems.ts'
