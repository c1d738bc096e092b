export { waitOrAbort } from './limit-time.ts'
export { SharedReads } from './shared-read.ts'
export { Slices } from './slices.ts'
