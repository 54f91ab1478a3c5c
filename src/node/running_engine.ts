import {
  ChainError,
  Engine,
  type EngineDependencies,
  type EngineOptions,
  type Metric,
  type ReadAccess,
  type ServedEngine,
} from '../engine/index.ts'

/** How an engine is opened, and another one in its place. */
export interface RunningEngineOptions {
  engine: EngineOptions
  deps: Omit<EngineDependencies, 'restart'>
  /** Makes the folders ready for an engine with the state that waits to be loaded, and returns its options. */
  prepareLoaded: () => Promise<EngineOptions>
  /** The engine is open, and its chain on the disk: a state that was to be loaded is not any more. */
  loaded: () => void
}

/**
 * The engine of a node. Another one takes its place where a saved state is loaded. Then requests wait, and those in
 * progress fail if they wait for blocks.
 */
export class RunningEngine implements ServedEngine {
  readonly chain: { readonly version: number }
  replacing: Promise<void> | undefined
  /** Called with what reads the state of the new engine. */
  onReplaced: (reads: ReadAccess) => void = () => {}
  private engine!: Engine
  private is_open = false
  private markStarted: () => void = () => {}
  private readonly started = new Promise<void>((resolve) => (this.markStarted = resolve))
  /** Of the engines before this one: versions never come again. */
  private past_versions = 0
  private readonly options: RunningEngineOptions
  private readonly metrics: (() => readonly Metric[])[] = []

  private constructor(options: RunningEngineOptions) {
    this.options = options
    const version = (): number => this.past_versions + this.engine.chain.version
    this.chain = {
      get version() {
        return version()
      },
    }
  }

  /** Opens the first engine. @throws what {@link Engine.open} throws */
  static async open(options: RunningEngineOptions): Promise<RunningEngine> {
    const running = new RunningEngine(options)
    await running.openEngine(options.engine)
    return running
  }

  /** The engine of now. */
  get current(): Engine {
    return this.engine
  }

  /** The operations of the engine of now. */
  get api(): Engine['api'] {
    return this.engine.api
  }

  /** Its pages. */
  get pages(): Engine['pages'] {
    return this.engine.pages
  }

  /** How other threads read its state. */
  get reads(): ReadAccess {
    return this.engine.reads
  }

  /** Adds metrics to this engine and to those that take its place. */
  addMetrics(source: () => readonly Metric[]): void {
    this.metrics.push(source)
    this.engine.addMetrics(source)
  }

  /** Begins to produce. From now on, another engine may take the place of this one. */
  start(): void {
    this.engine.start()
    this.markStarted()
  }

  /** Ends the waits of requests, after a replacement in progress. */
  async endWaits(): Promise<void> {
    await this.replacing?.catch(() => undefined)
    if (this.is_open) await this.engine.endWaits()
  }

  /** Stops the engine and writes everything out. */
  async close(): Promise<void> {
    await this.replacing?.catch(() => undefined)
    if (this.is_open) await this.engine.close()
    this.is_open = false
  }

  private readonly restart = async (): Promise<void> => {
    // Requests may come while some addresses are not open yet.
    await this.started
    this.replacing = this.replace()
    await this.replacing
    this.replacing = undefined
  }

  private async replace(): Promise<void> {
    const { deps, prepareLoaded } = this.options
    try {
      this.past_versions += this.engine.chain.version + 1
      this.is_open = false
      await this.engine.close()
      await this.openEngine(await prepareLoaded())
      for (const source of this.metrics) this.engine.addMetrics(source)
      this.onReplaced(this.engine.reads)
      this.engine.start()
    } catch (error) {
      throw failed(error, deps)
    }
  }

  private async openEngine(options: EngineOptions): Promise<void> {
    this.engine = await Engine.open(options, { ...this.options.deps, restart: this.restart })
    this.is_open = true
    this.options.loaded()
  }
}

/** There is no chain any more, until the node is started again. */
function failed(error: unknown, { log, end }: Pick<EngineDependencies, 'log' | 'end'>): ChainError {
  const reason = error instanceof Error ? error.message : String(error)
  const text = `the state is not loaded: ${reason}; the next start loads it`
  log('error', text)
  end('failed')
  return new ChainError('snapshot_exception', text, { cause: error })
}
