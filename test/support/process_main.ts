/** The program from its sources, as bin/pronghorn.js runs it compiled. */
import { main } from '../../src/main.ts'

await main(process.argv.slice(2))
