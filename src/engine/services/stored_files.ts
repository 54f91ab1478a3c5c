/** Files on the disk that belong together, such as the logs of one history. */
export interface StoredFiles {
  readonly name: string
  readonly bytes: number
  /** The first and the last block that they have. Absent if they have none, or if it is not known. */
  readonly first_block_num?: number
  readonly last_block_num?: number
}
