import type { usuariosNumeros as numerosTexts } from '../pt-BR/usuarios-numeros.ts'
import { formats } from './formats.ts'

export const usuariosNumeros: typeof numerosTexts = {
  note: 'Of all accounts within your reach, whatever the filter of the list.',
  number: formats.number,
  accounts: 'Accounts',
  total: 'All',
  active: 'Active',
  inactive: 'Deactivated',
  factor: 'With second factor',
  verified: 'With confirmed e-mail',
  admins: 'Administrators',
  changing: 'With password change pending',
  month: 'Last 30 days',
  new: 'New accounts',
  logins: 'Sign-ins',
  people: 'People who signed in',
  failed: 'Sign-ins refused',
  locks: 'Sign-ins locked',
  groups: 'By group',
  states: 'By state of the record',
  noState: 'Not told',
}
