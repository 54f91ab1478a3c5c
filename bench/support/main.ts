import { fileURLToPath } from 'node:url'

/** Whether a module is the program that was started. @param url its `import.meta.url` */
export function isMain(url: string): boolean {
  return process.argv[1] === fileURLToPath(url)
}
