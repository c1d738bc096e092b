import { definePackage } from '../build/define-package.ts'

export default definePackage(import.meta.dirname, { 'sqlite-worker': 'records/database/sqlite/sqlite-worker.ts' })
