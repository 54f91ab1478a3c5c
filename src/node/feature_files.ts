import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { featureRestrictionsFromJson, type EngineOptions } from '../engine/index.ts'
import { OptionError } from '../options/parse.ts'
import { parsed } from '../engine/options/option_text.ts'

const OPTION = 'protocol-features-dir'

/**
 * Reads the protocol feature files of a folder; empty if the folder does not exist. A feature
 * without a file has the values that the reference would write into a new one.
 * @throws OptionError for files that cannot be parsed
 */
export function featureFiles(folder: string): NonNullable<EngineOptions['features']> {
  const features: NonNullable<EngineOptions['features']> = {}
  for (const name of names(folder)) {
    const path = join(folder, name)
    const read = (text: string) => featureRestrictionsFromJson(JSON.parse(text))
    const [feature, restrictions] = parsed(OPTION, readFileSync(path, 'utf8'), read, path)
    if (features[feature]) throw new OptionError(`${OPTION} ${path}: ${feature} has a file already`)
    features[feature] = restrictions
  }
  return features
}

function names(folder: string): string[] {
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch (error) {
    throw new OptionError(`${OPTION}: ${(error as Error).message}`)
  }
}
