// The page's policy forbids eval, which zod would try for speed. Comes before any module that makes a schema.
import { config } from 'zod'

config({ jitless: true })
