export * from './object-store.ts'
export { compareUtf8 } from './compare-utf8.ts'
export { openLocalStore } from './local-store.ts'
export { LocationError, openStore } from './open-store.ts'
