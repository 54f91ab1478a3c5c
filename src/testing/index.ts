/**
 * `import { startNode } from 'pronghorn/testing'`: a node in a process of its own, for tests that need HTTP. Only
 * what is exported here is public.
 */
export { TestingNode, startNode } from './node.ts'
export type { SendOptions, StartOptions, TestingAction } from './node.ts'
export { NodeError } from './http_node.ts'
