import { formats } from './formats.ts'

export const usuariosNumeros = {
  note: 'De todas as contas ao seu alcance, qualquer que seja o filtro da lista.',
  number: formats.number,
  accounts: 'Contas',
  total: 'Todas',
  active: 'Ativas',
  inactive: 'Desativadas',
  factor: 'Com segundo fator',
  verified: 'Com e-mail confirmado',
  admins: 'Administradores',
  changing: 'Com troca de senha pendente',
  month: 'Últimos 30 dias',
  new: 'Contas novas',
  logins: 'Entradas',
  people: 'Pessoas que entraram',
  failed: 'Entradas recusadas',
  locks: 'Bloqueios de entrada',
  groups: 'Por grupo',
  states: 'Por estado do cadastro',
  noState: 'Não informado',
}
