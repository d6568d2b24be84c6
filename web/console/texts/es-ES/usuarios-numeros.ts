import type { usuariosNumeros as numerosTexts } from '../pt-BR/usuarios-numeros.ts'
import { formats } from './formats.ts'

export const usuariosNumeros: typeof numerosTexts = {
  note: 'De todas las cuentas a su alcance, sea cual sea el filtro de la lista.',
  number: formats.number,
  accounts: 'Cuentas',
  total: 'Todas',
  active: 'Activas',
  inactive: 'Desactivadas',
  factor: 'Con segundo factor',
  verified: 'Con correo confirmado',
  admins: 'Administradores',
  changing: 'Con cambio de contraseña pendiente',
  month: 'Últimos 30 días',
  new: 'Cuentas nuevas',
  logins: 'Entradas',
  people: 'Personas que entraron',
  failed: 'Entradas rechazadas',
  locks: 'Bloqueos de entrada',
  groups: 'Por grupo',
  states: 'Por estado del registro',
  noState: 'Sin informar',
}
