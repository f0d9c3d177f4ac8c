/** English texts of the account name views besides [`en`]; loaded with those views. */
export const nameWords = {
  nameHint: 'One name, instead of an address that nobody can remember.',
  nameRegister: 'Register',
  nameRegistering: 'Registering the name',
  nameSuggestions: 'Names like this',
  nameAvailable: 'Available',
  nameCharacter: 'Letters from a to z, digits and hyphens only',
  nameShort: 'At least 4 characters',
  nameLong: 'At most 63 characters',
  nameHyphen: 'No hyphen at the ends, nor two at the third and fourth place',
  nameTaken: 'Somebody has this name',
  nameSuccess: 'The name is yours. It stands for your address.',
  nameWhy: 'A name for your account',
  nameInstead: 'Easy to give',
  nameInsteadHint: 'Tell people {0} to be paid. Nobody needs to copy an address.',
  nameShown: 'Yours at a glance',
  nameShownHint: 'It stands in the place of your address, on this site and wherever names are looked up.',
  nameFree: 'Nothing to pay',
  nameFreeHint: 'You sign a message which proves that the address is yours. Nothing moves and there is no fee.'
} as const
