import { definePackage } from '../build/define-package.ts'

export default definePackage(import.meta.dirname)
