/** The options in force by name: what the user gave, else the default of the option's row. An option is
 *  read by the method of its kind; another one is a fault of the program. */
export interface OptionReader {
  /** Whether the user gave the option, on the command line or in the config file. */
  isGiven(name: string): boolean
  switch(name: string): boolean
  bool(name: string): boolean
  text(name: string): string | undefined
  integer(name: string): number
  list(name: string): readonly string[]
  /**
   * The values as the option's row parses them, which is done once. One value of a `text`, none if it is absent.
   * @param parse that of the row
   */
  parsed<T>(name: string, parse: (text: string) => T): readonly T[]
}
