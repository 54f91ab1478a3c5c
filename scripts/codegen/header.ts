/** First line of every generated source file. */
export const HEADER = '// Generated from openapi/ by `make codegen`. Do not edit.\n'
