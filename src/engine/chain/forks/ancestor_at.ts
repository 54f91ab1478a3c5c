/** The block with a number on the branch that ends with a block; undefined if the branch is not known so far back. */
export function ancestorAt<
  Block extends { readonly block_num: number; readonly previous_key: string },
>(blocks: ReadonlyMap<string, Block>, key: string, block_num: number): Block | undefined {
  let block = blocks.get(key)
  while (block !== undefined && block.block_num > block_num) block = blocks.get(block.previous_key)
  return block?.block_num === block_num ? block : undefined
}
