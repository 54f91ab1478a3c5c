// Entry of `make codegen`: runs index.ts through tsx, so that the generators are TypeScript too.
import { register } from 'tsx/esm/api'

register()
await import('./index.ts')
