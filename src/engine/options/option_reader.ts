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
}
