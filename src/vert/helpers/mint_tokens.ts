import type { Contract } from './contract.ts'

/**
 * Creates a token, issues all of it to its contract, and transfers some of it to each account.
 * @param contract of the interface of eosio.token
 */
export async function mintTokens(
  contract: Contract,
  symbol: string,
  precision: number,
  maxSupply: number,
  amountToMintToEach: number,
  accountsToMintTo: Pick<Contract, 'name'>[],
): Promise<void> {
  const { actions, name } = contract
  const amountOf = (amount: number): string => `${amount.toFixed(precision)} ${symbol}`
  await actions.create!([name, amountOf(maxSupply)]).send()
  await actions.issue!([name, amountOf(maxSupply), '']).send()
  for (const account of accountsToMintTo)
    await actions.transfer!([name, account.name, amountOf(amountToMintToEach), '']).send()
}
