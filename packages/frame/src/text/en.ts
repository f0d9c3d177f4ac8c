//! English texts of the frame. They are part of the page; other languages are loaded when they are needed.

import { faults } from './faults.ts'

export const en = {
  direction: 'ltr',
  approval: {
    titles: {
      signMessage: 'Sign a message',
      signIn: 'Sign in',
      signTypedData: 'Sign data',
      permit: 'Allow spending',
      send: 'Send',
      sendToken: 'Send tokens',
      sendItem: 'Send an NFT',
      approveToken: 'Allow spending',
      approveItems: 'Allow all NFTs',
      revoke: 'End an allowance',
      callContract: 'Call a contract',
      swap: 'Swap',
      deployContract: 'Create a contract',
      signTransaction: 'Sign a transaction'
    },
    labels: {
      allows: 'Permission',
      amount: 'Amount',
      amountOrItem: 'Amount in smallest units, or NFT number',
      application: 'Calls itself',
      comes: 'You receive',
      closes: 'Closes token account',
      contract: 'Contract',
      creates: 'Token account for',
      dataSize: 'Data',
      domain: 'Sign in to',
      expires: 'Expires',
      from: 'From',
      item: 'NFT',
      least: 'You receive at least',
      leaves: 'You send',
      memo: 'Memo',
      newAuthority: 'New authority',
      nonce: 'Nonce',
      operator: 'Who can take them',
      paidBefore: 'You paid',
      pays: 'You pay',
      paysMost: 'You pay at most',
      program: 'Unknown program',
      provider: 'Exchange',
      selector: 'Function',
      spender: 'Spender',
      statement: 'Statement',
      to: 'To',
      token: 'Token contract',
      tokenAccount: 'Token account',
      transaction: 'Transaction',
      uri: 'Page'
    },
    flags: {
      frozen: 'Your wallet is frozen. To unfreeze it, decline and open "Wallet settings" in your account.',
      held: 'The operator of this site froze your wallet. Contact them.',
      wrongDomain: "This sign-in is for another site. It can't be approved.",
      wrongAccount: "This sign-in is for another account. It can't be approved.",
      malformedSignIn: "This sign-in isn't valid. It can't be approved.",
      wrongUri: 'This sign-in names a page of another site.',
      wrongChain: "This is for a different network than the one you're on.",
      notText: "This isn't readable text. Sign only if you know what it is.",
      unlimitedApproval: 'The spender can take all of these tokens, at any time.',
      approvesAll: 'The operator can take all your NFTs of this collection, at any time.',
      permit: 'This signature lets the spender take tokens without asking you again.',
      unknownCall: "We can't tell what this call does. Approve only if you trust the site.",
      onlySimulated:
        "We don't know this call, so the effect below is only simulated. Approve only if you trust the site.",
      fakeToken: 'This contract pretends to be a known token.',
      alsoPermits: 'This also lets others take tokens or NFTs. Check the permission below.',
      otherReceiver: 'Another account receives what you buy.',
      firstSeen: 'First time sending to this address from this browser. Check every character.',
      firstSpender:
        'First time you let this address take tokens, as far as this browser knows. Approve only if you know it.',
      lookAlike: "Looks like an address you've paid, but it's different. Possible scam.",
      noContract: 'There is no contract at this address. What you send may be lost.',
      notSimulated: "Couldn't simulate this call, so its effects aren't known.",
      insufficientFunds: 'Not enough in your account to pay the amount and the network fee.',
      onlyTried: "It went through when a node tried it, but its effects aren't known.",
      large: 'This is a large amount, so you confirm it twice.',
      likelyToFail: 'This transaction will probably fail.',
      highFee: 'The site asks for a much higher fee than the network needs.',
      unknownProgram:
        'This calls an unknown program, which could take everything in this account. Approve only if you trust the site.',
      hiddenAccounts: "Some accounts of this transaction can't be shown here. Approve only if you trust the site.",
      neverExpires: 'This transaction never expires, so it can still be sent much later.',
      otherNetwork: "This network doesn't know the block of this transaction. It may be for another network.",
      delegates: 'The spender can take these tokens at any time, without asking you again.',
      newAuthority: 'After this, someone else controls tokens of this account.'
    },
    stages: { preparing: 'Reading the network…', ready: '', signing: 'Signing…', sending: 'Sending…' },
    // {0} is a gap, {#0} one for a number, {@0} one for a time.
    phrases: {
      plain: '{0}',
      number: '{#0}',
      amount: '{#0} {1}',
      coins: '{#0} coins',
      smallestUnits: '{#0} smallest units of {1}',
      bytes: '{#0} bytes',
      partOf: '{#0} of {#1}',
      item: '#{0}',
      items: '{#0} of #{1}',
      itemOf: 'NFT #{0} of {1}',
      itemsOf: 'NFTs of {0}',
      mayTakeAll: '{0} can take all NFTs of {1}',
      mayTakeAny: '{0} can take any amount of {1}',
      mayTake: '{0} can take {#1} {2}',
      mayTakeUnits: '{0} can take {#1} smallest units of {2}',
      mayTakeSome: '{0} can take some {1}, through Permit2',
      date: '{@0}',
      never: 'Never',
      nobody: 'None'
    },
    callsItself: 'Unverified name: "{0}"',
    expected: 'Expected effect',
    unchanged: 'Your balances stay the same.',
    account: 'Account',
    network: 'Network',
    chainNamed: '{0} (chain {1})',
    chain: 'Chain {0}',
    fee: 'Max network fee',
    approve: 'Approve',
    decline: 'Decline',
    block: 'Block requests from this site',
    inWindow: 'Continue in a new window',
    inWindowHint: 'Check and sign this in the window that opened.',
    again: 'Sign now',
    againHint: 'Check amount and receiver once more. Then sign.',
    againPassword: 'Enter your wallet password to sign this.'
  },
  alone: 'This page works only inside a site that uses this wallet.',
  faults,
  settings: {
    title: 'Wallet settings',
    loading: 'Loading…',
    lost: "Couldn't load your settings. Check your connection and try again.",
    again: 'Try again',
    done: 'Done',
    back: 'Back',
    goOn: 'Continue',
    cancel: 'Cancel',
    working: 'Working…',
    lone: 'Only your passkey logs in to this wallet',
    loneHint: 'Add an email or another login below. Until then, losing the passkey means losing the wallet.',
    assisted: 'Your login opens this wallet on a new device',
    assistedHint: 'Easy to recover. The operator of this site could open it too.',
    sovereign: 'Only you can open this wallet',
    sovereignHint:
      "The operator of this site can't open it. Keep your passkey, password or recovery kit safe, because they can't be replaced.",
    frozen: 'This wallet is frozen',
    frozenHint: "It can't sign anything, on any device, until you unfreeze it.",
    held: 'This wallet is frozen',
    heldHint: "It can't sign anything. Contact the operator of this site.",
    ways: 'Ways to open this wallet on a new device',
    recovery: 'Recovery by login',
    passkey: 'Passkey',
    kit: 'Recovery kit {0}',
    password: 'Password',
    added: 'Added {0}',
    remove: 'Remove',
    addPasskey: 'Add a passkey',
    makeKit: 'Make a recovery kit',
    addPassword: 'Set a password',
    changePassword: 'Change password',
    restoreRecovery: 'Turn on recovery by login',
    strict: 'Ask before each signature',
    strictOn: 'On for this device',
    strictOff: 'Off',
    strictHint: 'Your passkey confirms each signature, and your keys are locked again after it.',
    strictPassword: 'Your password confirms each signature, at most five in ten minutes. A passkey has no such limit.',
    prove: 'Enter your wallet password to continue.',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    requests: 'Requests from this site',
    blocked: 'Blocked',
    blockedHint: "It can't ask you to sign or send anything.",
    allowSite: 'Allow again',
    logins: 'Logins',
    email: 'Email',
    openid: 'Other login',
    siteLogin: 'Login of this site',
    addLogin: 'Add {0}',
    farcasterScan: 'Scan with your phone',
    farcasterHint: 'Then approve the login in Farcaster.',
    farcasterCode: 'QR code for Farcaster',
    farcasterOpen: 'Open Farcaster',
    farcasterWaiting: 'Waiting for Farcaster',
    devices: 'Devices',
    here: 'This device',
    browserUnknown: 'Unknown browser',
    browserOn: '{0} on {1}',
    place: 'IP address {0}',
    used: 'Last used {0}',
    export: 'Show recovery phrase and keys',
    safety: 'Lost a device?',
    signOutEverywhere: 'Log out everywhere',
    freeze: 'Freeze wallet',
    freezeHint: "A frozen wallet can't sign anything, on any device, until you unfreeze it.",
    thaw: 'Unfreeze wallet',
    byMail: 'Confirm by email',
    byPasskey: 'Confirm with passkey',
    confirmTitle: 'Check your email',
    confirmHint: 'Open the link we sent to {0}. Confirm only if the page shows this number.',
    confirmWaiting: 'Waiting for you to confirm',
    passkeyAlone: 'Continue to use your passkey. This window closes by itself.',
    wordsTitle: 'Recovery phrase and keys',
    wordsHint:
      'Anyone who has these can take everything, so never share them or enter them on a site. They are hidden after one minute.',
    phrase: 'Recovery phrase',
    hold: 'Hold to show',
    address: 'Address',
    copy: 'Copy',
    copyDone: 'Copied',
    copied: 'Paste it now, then copy something else. Other apps can read what you copied.',
    uncopied: "Couldn't copy. Write it down instead.",
    keyOf: { eip155: 'Ethereum private key', solana: 'Solana private key', bip122: 'Bitcoin private key' },
    kitTitle: 'Your recovery kit',
    kitHint:
      "Print or save this code now, because it isn't shown again. It opens your wallet on a new device after you log in.",
    kitMark: 'Kit {0}',
    kitUse: 'It opens your wallet on a new device: log in, then enter the code. Keep it where nobody else can read it.',
    print: 'Print',
    save: 'Save as file',
    kitKept: "I've saved it",
    passwordTitle: 'Choose a password',
    passwordHint:
      "Use at least 12 characters and a password you don't use elsewhere. It can't be reset, and the server never sees it.",
    passwordNew: 'New password',
    passwordSet: 'Save password',
    passwordShow: 'Show password',
    passwordHide: 'Hide password',
    passwordAgain: 'Repeat the password',
    show: 'Show',
    hide: 'Hide',
    byPassword: 'Open with password',
    lockedTitle: 'Open your wallet',
    lockedHint: "Your login alone doesn't open this wallet. Use your {0}.",
    lockedBy: { passkey: 'passkey', password: 'password', kit: 'recovery kit' },
    loginTitle: 'Log in with a passkey',
    loginHint: 'Use a passkey of your wallet, or create a new wallet with one.',
    newWallet: 'Create a new wallet',
    newWalletHint: 'Add an email or another login to it soon. Until then, losing the passkey means losing the wallet.',
    emailTitle: 'Add your email',
    emailHint: "We'll send a code to this address. After that, it opens this wallet and confirms requests.",
    emailNew: 'Email address',
    emailSend: 'Send code',
    emailCodeHint: 'Enter the code we sent to {0}.',
    emailCode: 'Code',
    codeChecking: 'Checking the code',
    emailResend: 'Resend email',
    emailResendIn: 'Resend in {0}s',
    code: 'Recovery kit code',
    open: 'Open wallet',
    usePasskey: 'Use passkey',
    acts: {
      export: {
        title: 'Show recovery phrase and keys?',
        hint: 'Anyone who sees them can take everything in this wallet. Support never asks for them.',
        action: 'Show'
      },
      makeKit: {
        title: 'Make a recovery kit?',
        hint: 'You get a code to print. With your login, it opens your wallet on a new device, even without recovery by login.',
        action: 'Make kit'
      },
      addPasskey: {
        title: 'Add a passkey?',
        hint: 'Your phone, computer or password manager keeps it. It opens your wallet on a new device and confirms requests.',
        action: 'Create passkey'
      },
      setPassword: {
        title: 'Set a password?',
        hint: 'With your login, it opens your wallet on a new device, even without recovery by login.',
        action: 'Choose password'
      },
      changePassword: {
        title: 'Change your password?',
        hint: 'The new password replaces the one you set before.',
        action: 'Choose password'
      },
      removePasskey: {
        title: 'Remove this passkey?',
        hint: 'It will no longer open this wallet. You can then delete it from your passkeys.',
        action: 'Remove'
      },
      removeKit: {
        title: 'Remove this recovery kit?',
        hint: 'Its printed code will no longer open this wallet. You can then throw it away.',
        action: 'Remove'
      },
      removePassword: {
        title: 'Remove the password?',
        hint: 'It will no longer open this wallet on a new device.',
        action: 'Remove'
      },
      removeRecovery: {
        title: 'Remove recovery by login?',
        hint: 'After this, neither the operator of this site nor your login alone can open the wallet. If you lose this device and your passkey, password or recovery kit, everything in it is lost.',
        action: 'Remove'
      },
      restoreRecovery: {
        title: 'Turn on recovery by login?',
        hint: 'Your login alone will open the wallet on a new device again. The operator of this site could open it too.',
        action: 'Turn on'
      },
      removeDevice: {
        title: 'Remove this device?',
        hint: "It's logged out, and needs your approval to log in again.",
        action: 'Remove'
      },
      addLogin: {
        title: 'Add a login?',
        hint: 'It will open this wallet too. Add only an account that no one else can log in to.',
        action: 'Go to login'
      },
      addSite: {
        title: "Add {0}'s login?",
        hint: 'Whoever runs {0} can then open this wallet and use what is in it. Add it only if you trust {0} with that.',
        action: 'Add'
      },
      addEmail: {
        title: 'Add an email login?',
        hint: 'Codes sent to it will open this wallet too. Add only an address that no one else can read.',
        action: 'Continue'
      },
      removeLogin: {
        title: 'Remove this login?',
        hint: 'It will no longer open this wallet. Devices where you used it stay logged in until you remove them under "Devices".',
        action: 'Remove'
      },
      signOutEverywhere: {
        title: 'Log out everywhere?',
        hint: 'This logs out all devices, including this one. Log in again where you need your wallet.',
        action: 'Log out'
      },
      askEach: {
        title: 'Ask before each signature?',
        hint: 'On this device, each signature will need your passkey or password. Confirm with it now.',
        action: 'Turn on'
      },
      askLess: {
        title: 'Stop asking before each signature?',
        hint: 'A click will be enough to sign on this device. Confirm with your passkey or password now.',
        action: 'Turn off'
      },
      thaw: {
        title: 'Unfreeze this wallet?',
        hint: 'Your devices will be able to sign again.',
        action: 'Unfreeze'
      }
    }
  }
} as const

type Words<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Words<T[Key]> }

/** Texts of one language. */
export type Texts = Words<typeof en>
