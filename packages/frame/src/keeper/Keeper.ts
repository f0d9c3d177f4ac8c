//! What the worker does for the page: requests, logins, signatures. Orders that touch keys run one after the other.

import type {
  FarcasterFinished,
  FrameOperation,
  FrameOutcome,
  LoggedIn,
  PasskeyProof,
  SigningOrder,
  Unlocked
} from '../generated/frame.ts'
import { faults } from '../text/faults.ts'
import { type Records, StorageError } from './database.ts'
import { Password } from './Password.ts'
import { keepPaid, readPaid } from './paid.ts'
import { openProved } from './proved.ts'
import { type Addresses, NOTHING, Signer, SignerError } from './Signer.ts'
import * as settings from './settings.ts'
import { keepSite, readSite } from './site.ts'
import { keepSocial, keptSocial, SOCIAL } from './social.ts'
import { challengeOf, type Given, Unproved } from './subject.ts'
import { isOfSession, Vault, VaultError, type VaultParts } from './Vault.ts'

export interface KeeperParts extends VaultParts {
  /** Performs the JSON of a signer's command. */
  readonly command: (json: string) => Promise<string>
  /** Performs the JSON of a command about a password. */
  readonly password: (json: string) => Promise<string>
}

type Decided = Extract<settings.PageOrder, { type: 'signDecided' }>
type CreateByOutput = Extract<settings.PageOrder, { type: 'createByOutput' }>

/** Time without a signature after which the keys are forgotten, in milliseconds. */
const IDLE = 5 * 60_000

const FREEZE = '/wallet/v1/freeze'

export class Keeper {
  readonly #vault: Vault
  readonly #signer: Signer
  readonly #records: Records
  /** The last order that touches keys. */
  #turn: Promise<unknown> = Promise.resolve()
  /** User whose wallet is unlocked. */
  #user: string | undefined
  #idle: ReturnType<typeof setTimeout> | undefined
  /** Time of the last use, in epoch milliseconds: the timer of a machine that was suspended comes too late. */
  #used = 0
  readonly #own: settings.Opened

  constructor(parts: KeeperParts) {
    this.#records = parts.records
    this.#vault = new Vault(parts)
    this.#signer = new Signer(parts.command)
    this.#own = {
      vault: this.#vault,
      signer: this.#signer,
      password: new Password(parts.password),
      unlocked: () => this.#ofSession(),
      deviceOf: (user) => this.#deviceOf(user),
      known: (user) => this.#known(user),
      opened: async (user, addresses) => {
        await this.#remember(user, addresses)
        this.#unlocked(user)
      }
    }
  }

  /** Performs an operation. Always answers; a thrown error is an answer too. */
  async perform(operation: FrameOperation | settings.PageOrder): Promise<FrameOutcome> {
    try {
      switch (operation.type) {
        case 'ask': {
          const { path, body, session } = operation
          const told = await (session ? this.#vault.askAsUser(path, body) : this.#vault.ask(path, body))
          if (path === SOCIAL) await keepSocial(this.#records, body, told)
          if (path === FREEZE) await this.#inTurn(() => this.#lock())
          return answered(told)
        }
        case 'finishLogin':
          return answered(await this.#inTurn(() => this.#finishLogin(operation.transaction, operation.code)))
        case 'finishSocial':
          return answered(await this.#inTurn(() => this.#finishSocial(operation)))
        case 'logInByJwt': {
          const { project, host, token } = operation
          return answered(await this.#inTurn(() => this.#enter('/wallet/v1/login/jwt', { project, host, token })))
        }
        case 'finishFarcaster':
          return answered(await this.#inTurn(() => this.#finishFarcaster(operation.transaction)))
        case 'sign':
          return answered(await this.#inTurn(() => this.#sign(operation.order)))
        case 'signBy':
          return answered(await this.#inTurn(() => this.#signBy(operation.order, operation.given)))
        case 'signDecided':
          return answered(await this.#inTurn(() => this.#signDecided(operation)))
        case 'readStrict':
          return answered(await this.#isStrict())
        case 'setStrict':
          await this.#inTurn(() => this.#setStrict(operation.strict))
          return { type: 'done' }
        case 'setStrictBy':
          await this.#inTurn(() => this.#setStrict(operation.strict, operation.given))
          return { type: 'done' }
        case 'readPaid':
          return answered(await readPaid(this.#records, operation.address))
        case 'keepPaid':
          await keepPaid(this.#records, operation.address, operation.paid)
          return { type: 'done' }
        case 'readSite':
          return answered(await readSite(this.#records, operation.site))
        case 'keepSite':
          await keepSite(this.#records, operation.site, operation.deed)
          return { type: 'done' }
        case 'endSession':
          await this.#inTurn(() => this.#endSession())
          return { type: 'done' }
        case 'export':
          return answered(await this.#inTurn(() => this.#export()))
        case 'exportBy':
          return answered(await this.#inTurn(() => this.#export(operation.password)))
        case 'makeKit':
          return answered(await this.#inTurn(() => settings.makeKit(this.#own)))
        case 'restoreRecovery':
          return answered(await this.#inTurn(() => settings.restoreRecovery(this.#own)))
        case 'storePasskey':
          return answered(await this.#inTurn(() => settings.storePasskey(this.#own, operation.passkey)))
        case 'choosePassword':
          await this.#inTurn(() => settings.setPassword(this.#own, operation.password))
          return { type: 'done' }
        case 'tryPassword':
          return answered(await this.#inTurn(() => settings.openByPassword(this.#own, operation.password)))
        case 'openByKit': {
          const typed = { ...NOTHING, kit: operation.code }
          return answered(await this.#inTurn(() => settings.openBy(this.#own, typed)))
        }
        case 'openByOutput': {
          const typed = { ...NOTHING, passkey: operation.output }
          return answered(await this.#inTurn(() => settings.openBy(this.#own, typed)))
        }
        case 'logInByOutput': {
          const { proof, output } = operation
          return answered(await this.#inTurn(() => this.#logInBy(proof, output)))
        }
        case 'createByOutput':
          return answered(await this.#inTurn(() => this.#createBy(operation)))
        case 'addLogin':
        case 'addPasskey':
        case 'logInByPasskey':
        case 'createByPasskey':
        case 'signByPasskey':
        case 'openByPasskey':
        case 'openByPassword':
        case 'openWindow':
        case 'setPassword':
        case 'conceal':
        case 'postMessage':
        case 'sendRpc':
          return { type: 'failed', kind: 'broken', message: '' }
      }
    } catch (error) {
      return failed(error)
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work, work)
    this.#turn = next.catch(() => {})
    return next
  }

  #finishLogin(transaction: string, code: string): Promise<unknown> {
    return this.#enter('/wallet/v1/login/code', { transaction, code })
  }

  async #finishSocial(operation: Extract<FrameOperation, { type: 'finishSocial' }>): Promise<unknown> {
    const transaction = operation.transaction ?? (await keptSocial(this.#records, operation.provider))
    if (!transaction) throw new VaultError(410, 'transaction', faults.ended)
    return this.#enter(`${SOCIAL}/finish`, { transaction, code: operation.code })
  }

  /** Finishes a login by Farcaster; `null` while the visitor has not signed. */
  async #finishFarcaster(transaction: string): Promise<unknown> {
    await this.#lock()
    const key = await this.#signer.keyPair()
    const told = await this.#vault.ask('/wallet/v1/login/farcaster/finish', { transaction, key })
    const { entered } = told as FarcasterFinished
    return entered && this.#entered(entered)
  }

  async #enter(path: string, body: Readonly<Record<string, unknown>>): Promise<unknown> {
    await this.#lock()
    const key = await this.#signer.keyPair()
    return this.#entered((await this.#vault.ask(path, { ...body, key })) as LoggedIn)
  }

  /** The login is finished: opens its wallet, and keeps its session, once a new `passkey` opens it too: no other login would. */
  async #entered(told: LoggedIn, passkey?: settings.StoredPasskey): Promise<unknown> {
    this.#vault.hold(told.session, told.user.id)
    try {
      const addresses = await this.#open(told)
      if (passkey) await settings.storePasskey(this.#own, passkey)
      await this.#vault.settle()
      return { user: told.user, addresses }
    } catch (error) {
      // The server has no share that opens it: the visitor has a passkey or a kit.
      if (error instanceof SignerError && error.reason === 'slots') return { locked: true }
      // A session without a wallet is of no use, and the next login starts from what the server has.
      await this.#lock()
      await this.#vault.forget()
      throw error
    }
  }

  /** Opens the wallet of a login, or makes it. The server's record decides: a wallet is never made beside another one. */
  async #open({ user, wallet, release }: LoggedIn): Promise<unknown> {
    const device = await this.#deviceOf(user.id)
    const known = await this.#known(user.id)
    if (wallet === null) {
      if (known) throw new VaultError(409, 'wallet', faults.lost)
      const created = await this.#signer.create(release, device)
      await this.#vault.askAsUser('/wallet/v1/wallet', created)
      await this.#remember(user.id, created.addresses)
      this.#unlocked(user.id)
      return created.addresses
    }
    // The shares of a frozen wallet are not released; its visitor can log in and unfreeze it.
    if (wallet.frozen) return wallet.addresses
    const { addresses, deviceSlot } = await this.#signer.unlock(release, wallet, device, known)
    if (deviceSlot !== null) await this.#vault.askAsUser('/wallet/v1/slot', { slot: deviceSlot })
    await this.#remember(user.id, addresses)
    this.#unlocked(user.id)
    return addresses
  }

  /** Addresses of a user's wallet as this browser saw it first: no server can put another one in its place. */
  async #known(user: string): Promise<Addresses | null> {
    return ((await this.#records.get(`wallet ${user}`)) as Addresses | undefined) ?? null
  }

  async #remember(user: string, addresses: Addresses): Promise<void> {
    await this.#records.keep(`wallet ${user}`, addresses)
  }

  async #deviceOf(user: string) {
    const device = await this.#vault.device()
    return { user, thumbprint: device.thumbprint, secret: await device.secret() }
  }

  async #logInBy(proof: PasskeyProof, output: string): Promise<unknown> {
    await this.#lock()
    return settings.logInBy(this.#own, proof, output)
  }

  /** Makes a wallet that a new passkey logs in to. */
  async #createBy({ passkey, project, host }: CreateByOutput): Promise<unknown> {
    await this.#lock()
    const key = await this.#signer.keyPair()
    const told = (await this.#vault.ask('/wallet/v1/login/passkey/new', { project, host, key })) as LoggedIn
    if (told.wallet !== null) throw new VaultError(409, 'wallet', faults.later)
    return this.#entered(told, passkey)
  }

  async #sign(order: SigningOrder): Promise<unknown> {
    if (await this.#isStrict()) return this.#signBy(order)
    if (this.#isIdle()) await this.#lock()
    const warm = this.#user !== undefined
    const user = await this.#ofSession()
    // Beside the signature, because both together take as long as one: no signature leaves before the vault allows it.
    const [signature] = await Promise.all([this.#signer.sign(order), warm && this.#allowed(user)])
    this.#unlocked(user)
    return signature
  }

  /** Signs with keys that were opened for this alone. The vault releases nothing for a frozen wallet. */
  async #signBy(order: SigningOrder, given?: Given): Promise<unknown> {
    await this.#lock()
    try {
      const user = await openProved(this.#own, order, given)
      this.#unlocked(user)
      return await this.#signer.sign(order)
    } finally {
      if (await this.#isStrict()) await this.#lock()
    }
  }

  /** Signs what the visitor confirmed in a window, which tells the hash of what it showed. */
  async #signDecided({ order, digest, given }: Decided): Promise<unknown> {
    if (digest !== (await challengeOf(order))) throw new Unproved(faults.otherRequest)
    return given ? this.#signBy(order, given) : this.#sign(order)
  }

  async #export(password?: string): Promise<unknown> {
    try {
      return await settings.exportKeys(this.#own, password)
    } finally {
      if (await this.#isStrict()) await this.#lock()
    }
  }

  /** Whether the visitor of the session wants to prove each signature on this device. It is stored here, where no page of a host comes. */
  async #isStrict(): Promise<boolean> {
    const session = await this.#vault.session()
    return session !== undefined && (await this.#records.get(`strict ${session.user}`)) === true
  }

  /** Turns strict mode on or off by the proof that it asks for, which so is known to work. */
  async #setStrict(strict: boolean, given?: Given): Promise<void> {
    await this.#lock()
    const user = await openProved(this.#own, { strict }, given)
    this.#unlocked(user)
    if (strict) await this.#records.set(`strict ${user}`, true)
    else await this.#records.delete(`strict ${user}`)
    await this.#lock()
  }

  /** Fails if the wallet was frozen, or the session ended, since it was unlocked: perhaps on another device. */
  async #allowed(user: string): Promise<void> {
    try {
      const told = (await this.#vault.askAsUser('/wallet/v1/me', {})) as Pick<LoggedIn, 'user' | 'wallet'>
      if (told.user.id !== user || told.wallet === null) throw new VaultError(401, 'session', '')
      if (told.wallet.frozen) throw new VaultError(403, 'frozen', faults.frozen)
    } catch (error) {
      await this.#lock()
      throw error
    }
  }

  /** User of the session, whose wallet is open. */
  async #ofSession(): Promise<string> {
    const session = await this.#vault.session()
    // Another tab may have ended the session, or begun one of another user.
    if (!session || session.user !== this.#user || this.#isIdle()) await this.#lock()
    if (!session) throw new VaultError(401, 'session', '')
    if (this.#user === undefined) await this.#unlock(session.user)
    this.#unlocked(session.user)
    return session.user
  }

  async #unlock(user: string): Promise<void> {
    const key = await this.#signer.keyPair()
    const told = (await this.#vault.askAsUser('/wallet/v1/unlock', { key })) as Unlocked
    if (told.user.id !== user) throw new VaultError(401, 'session', '')
    try {
      await this.#signer.unlock(told.release, told.wallet, await this.#deviceOf(user), await this.#known(user))
    } catch (error) {
      // The browser lost this device's secret, or another device removed its slot: only a login makes a new one.
      if (error instanceof SignerError && error.reason === 'slots') {
        await this.#vault.forget()
        throw new VaultError(401, 'session', '')
      }
      throw error
    }
  }

  async #endSession(): Promise<void> {
    await this.#lock()
    try {
      await this.#vault.askAsUser('/wallet/v1/session/end', {})
    } finally {
      await this.#vault.forget()
    }
  }

  /** Notes that the wallet of a user is unlocked and in use. */
  #unlocked(user: string): void {
    this.#user = user
    this.#used = Date.now()
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.#inTurn(() => this.#lock()), IDLE)
  }

  /** A clock that was set back says nothing of the time that passed. */
  #isIdle(): boolean {
    const passed = Date.now() - this.#used
    return passed < 0 || passed >= IDLE
  }

  async #lock(): Promise<void> {
    clearTimeout(this.#idle)
    if (this.#user === undefined) return
    this.#user = undefined
    await this.#signer.lock()
  }
}

function answered(value: unknown): FrameOutcome {
  return { type: 'answered', value: value ?? null }
}

function failed(error: unknown): FrameOutcome {
  if (error instanceof Unproved) return { type: 'failed', kind: 'unproved', message: error.message }
  if (error instanceof StorageError) return { type: 'failed', kind: 'noStorage', message: '' }
  if (isOfSession(error)) return { type: 'failed', kind: 'noSession', message: '' }
  if (!(error instanceof VaultError)) return { type: 'failed', kind: 'broken', message: '' }
  if (error.field === 'unreachable') return { type: 'failed', kind: 'unreachable', message: '' }
  return { type: 'failed', kind: 'refused', message: error.message }
}
