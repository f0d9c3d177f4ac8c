//! The Ethereum Name Service at its usual addresses, and names on it.

import { type Address, encodeAbiParameters, type Hex, keccak256, labelhash, namehash, padHex, zeroHash } from 'viem'
import { ACCOUNTS, type Builder, type Deployed } from './builder.ts'
import { type Artefact, ensArtefact } from './compile.ts'
import { scene } from './picture.ts'

const REGISTRY: Address = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'
const UNIVERSAL_RESOLVER: Address = '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe'
const DEPLOYER = ACCOUNTS[9]
/** Signer of gateway responses until a test sets another. */
const GATEWAY_SIGNER = ACCOUNTS[8]
/** Gateway URL until a test sets another; no process listens there. */
const GATEWAY = 'http://127.0.0.1:9/ens/{sender}/{data}'

export interface Ens {
  readonly registry: Deployed
  readonly reverseRegistrar: Deployed
  readonly publicResolver: Deployed
  readonly universalResolver: Deployed
  readonly offchainResolver: Deployed
}

export async function deployEns(builder: Builder, contracts: ReadonlyMap<string, Artefact>): Promise<Ens> {
  const registryArtefact = ensArtefact('ens', 'ENSRegistry')
  const registry: Deployed = { address: REGISTRY, abi: registryArtefact.abi }
  await builder.setCode(REGISTRY, registryArtefact.deployedBytecode)
  await builder.setStorage(REGISTRY, slotOfRootOwner(), padHex(DEPLOYER))

  const universal = need(contracts, 'UniversalResolver')
  await builder.setCode(UNIVERSAL_RESOLVER, universal.deployedBytecode)

  const publicResolver = await builder.deploy(DEPLOYER, ensArtefact('resolver', 'PublicResolver'), [REGISTRY])
  const own = (parent: string, label: string, owner: Address) =>
    builder.write(DEPLOYER, registry, 'setSubnodeOwner', [node(parent), labelhash(label), owner])
  await own('', 'eth', DEPLOYER)
  await own('', 'reverse', DEPLOYER)
  const registrar = ensArtefact('ens', 'ReverseRegistrar')
  const reverseRegistrar = await builder.deploy(DEPLOYER, registrar, [REGISTRY, publicResolver.address])
  await own('reverse', 'addr', reverseRegistrar.address)
  const offchainResolver = await builder.deploy(DEPLOYER, need(contracts, 'OffchainResolver'), [
    DEPLOYER,
    [GATEWAY],
    GATEWAY_SIGNER
  ])
  return {
    registry,
    reverseRegistrar,
    publicResolver,
    universalResolver: { address: UNIVERSAL_RESOLVER, abi: universal.abi },
    offchainResolver
  }
}

interface Name {
  readonly label: string
  readonly owner: Address
  readonly resolver: Address
  readonly address?: Address
  readonly texts?: Readonly<Record<string, string>>
}

export async function registerNames(
  builder: Builder,
  ens: Ens,
  { chainId, pictures }: { chainId: number; pictures: Address }
): Promise<void> {
  const [, alice, impostor, carol, painter] = ACCOUNTS
  const resolver = ens.publicResolver.address
  const names: readonly Name[] = [
    {
      label: 'alice',
      owner: alice,
      resolver,
      address: alice,
      texts: { avatar: scene([40, 120, 220]), description: 'The first account after the visitor' }
    },
    {
      label: 'painter',
      owner: painter,
      resolver,
      address: painter,
      texts: { avatar: `eip155:${chainId}/erc721:${pictures}/4` }
    },
    // Registered, but without records.
    { label: 'silent', owner: DEPLOYER, resolver },
    // The resolver is an account instead of a contract.
    { label: 'broken', owner: DEPLOYER, resolver: ACCOUNTS[7] },
    // A gateway resolves this name and all names below it.
    { label: 'portico', owner: DEPLOYER, resolver: ens.offchainResolver.address }
  ]
  for (const name of names) await register(builder, ens, name)
  const claim = (account: Address, name: string) => builder.write(account, ens.reverseRegistrar, 'setName', [name])
  await claim(alice, 'alice.eth')
  await claim(painter, 'painter.eth')
  // False claim: the name resolves to another account.
  await claim(impostor, 'alice.eth')
  // Valid as soon as a gateway resolves the name.
  await claim(carol, 'carol.portico.eth')
}

async function register(builder: Builder, ens: Ens, { label, owner, resolver, address, texts = {} }: Name) {
  const named = node(`${label}.eth`)
  const record = [node('eth'), labelhash(label), DEPLOYER, resolver, 0n]
  await builder.write(DEPLOYER, ens.registry, 'setSubnodeRecord', record)
  if (address) {
    // `setAddr` is overloaded: keep the one with two parameters, which sets the ether address.
    const abi = ens.publicResolver.abi.filter(
      (item) => !('name' in item && item.name === 'setAddr' && item.inputs?.length !== 2)
    )
    await builder.write(DEPLOYER, { ...ens.publicResolver, abi }, 'setAddr', [named, address])
  }
  for (const [key, value] of Object.entries(texts)) {
    await builder.write(DEPLOYER, ens.publicResolver, 'setText', [named, key, value])
  }
  if (owner !== DEPLOYER) await builder.write(DEPLOYER, ens.registry, 'setOwner', [named, owner])
}

function node(name: string): Hex {
  return name === '' ? zeroHash : namehash(name)
}

/** Storage slot of `records[0x0].owner`: first field of the entry with key zero in the mapping at slot zero. */
function slotOfRootOwner(): Hex {
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [zeroHash, 0n]))
}

function need(contracts: ReadonlyMap<string, Artefact>, name: string): Artefact {
  const artefact = contracts.get(name)
  if (!artefact) throw new Error(`There is no contract ${name}`)
  return artefact
}
