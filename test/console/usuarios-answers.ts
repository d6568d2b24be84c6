// Answers of the API that the tests of users and groups share.
import type { Permission } from '../../src/caller/permissions.ts'
import { type Answers, perfil } from '../harness/console-page.ts'

export const LIST = 'GET /api/v1/usuarios'
export const ONE = 'GET /api/v1/usuarios/31'
export const RIGHTS = 'GET /api/v1/usuarios/31/permissoes'
export const GRUPOS = 'GET /api/v1/grupos'
export const GRUPO = 'GET /api/v1/grupos/4'
export const MEMBERS = 'GET /api/v1/grupos/4/usuarios'
export const PERMISSOES = 'GET /api/v1/permissoes'

export const MANAGER_RIGHTS: Permission[] = [
  'usuarios.listar',
  'usuarios.criar',
  'usuarios.editar',
  'usuarios.deletar',
  'usuarios.gerenciar_grupos',
  'usuarios.gerenciar_permissoes',
  'grupos.listar',
  'grupos.criar',
  'grupos.editar',
  'grupos.deletar',
  'agravos.listar',
]
export const IDENTIDADES = 'GET /api/v1/usuarios/31/identidades'
export const MANAGER: Answers = {
  'GET /api/v1/usuarios/me': perfil(MANAGER_RIGHTS),
  [IDENTIDADES]: { body: { total: 0, items: [] } },
}

const RECIFE = { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' }
const OLINDA = { nivel: 'municipio', codigo: '2609600', nome: 'Olinda', estado: 'PE' }

const p = (id: number, nome: string, descricao: string) => ({ id, nome, descricao })
export const P_CASOS = p(12, 'agravos.listar', 'Listar e ver casos')
const P_EDITAR = p(14, 'agravos.editar', 'Editar casos')
const P_USUARIOS = p(1, 'usuarios.listar', 'Listar e ver usuários')
const P_ADMIN = p(31, 'admin', 'Acesso total')

export const usuario = (more: object = {}) => ({
  id: 31,
  nome: 'Beatriz Nascimento',
  email: 'beatriz@saude.example',
  cpf: null,
  telefone: '(81) 99999-0000',
  avatar_url: null,
  cargo: 'Digitadora',
  departamento: 'Vigilância',
  cidade: 'Recife',
  estado: 'PE',
  admin: false,
  ativo: true,
  plano: 'basico',
  email_verificado: true,
  mfa_habilitado: false,
  servico: false,
  criado_em: '2026-02-03T12:00:00.000Z',
  atualizado_em: '2026-10-03T12:00:00.000Z',
  ultimo_acesso: '2026-11-13T17:20:00.000Z',
  territorios: [RECIFE, OLINDA],
  grupos: [{ id: 4, nome: 'usuario', descricao: 'Acesso básico' }],
  permissoes_diretas: [],
  total_permissoes: 4,
  ...more,
})

export const USUARIOS = [
  usuario(),
  usuario({
    id: 32,
    nome: 'Carlos Teixeira',
    email: 'carlos@saude.example',
    admin: true,
    mfa_habilitado: true,
    territorios: [],
    grupos: [],
    bloqueado: true,
  }),
  usuario({
    id: 33,
    nome: 'Denise Alves',
    email: 'denise@saude.example',
    ativo: false,
    ultimo_acesso: null,
    territorios: [RECIFE],
  }),
]

export const listed = (items: object[], total = items.length): Answers => ({
  [LIST]: { body: { total, page: 1, size: 25, pages: Math.ceil(total / 25), items, links: {}, meta: {} } },
})

export const NUMBERS = 'GET /api/v1/usuarios/estatisticas'
export const numeros = {
  periodo: { nome: 'ultimos_30_dias', inicio: '2026-10-15T15:00:00.000Z', fim: '2026-11-14T15:00:00.000Z' },
  ...{ total_usuarios: 1_048, usuarios_ativos: 960, usuarios_inativos: 88, novos_usuarios_periodo: 12 },
  por_grupo: { admin: 1, gestor: 3, usuario: 1_040, vigilancia_recife: 0 },
  por_estado: { PE: 1_020, nao_informado: 28 },
  acessos: { logins: 9_412, usuarios_distintos: 731 },
  seguranca: {
    ...{ mfa_habilitado: 402, email_verificado: 1_001, administradores: 2, troca_de_senha_pendente: 17 },
    ...{ logins_falhos: 230, bloqueios: 6 },
  },
}

export const SITUACAO = {
  trocar_senha: false,
  bloqueado_ate: null,
  sessoes_ativas: 1,
  codigos_backup: 0,
  exige_mfa: false,
}

const registro = (data: string, acao: string, nome: string | null) => ({
  data,
  acao,
  usuario: nome === null ? null : { id: 7, nome },
  detalhes: {},
})

export const conta = (more: object = {}) => ({
  ...usuario(),
  funcao: null,
  instituicao: 'Secretaria de Saúde do Recife',
  desativado_em: null,
  ultimo_login: '2026-11-13T11:02:00.000Z',
  criado_por_id: 7,
  atualizado_por_id: 7,
  created_at: '2026-02-03T12:00:00.000Z',
  updated_at: '2026-10-03T12:00:00.000Z',
  permissoes: [],
  grupos: [{ id: 4, nome: 'usuario', descricao: 'Acesso básico', permissoes_count: 4 }],
  permissoes_diretas: [P_EDITAR],
  permissoes_efetivas: ['agravos.listar', 'agravos.editar'],
  situacao: SITUACAO,
  sessoes: [
    {
      id: '7a1d5f7e-1111-4222-8333-444455556666',
      device: 'Firefox em Windows',
      ip_address: '203.0.113.7',
      location: null,
      created_at: '2026-11-13T11:02:00.000Z',
      last_activity: '2026-11-13T17:20:00.000Z',
      current: false,
    },
  ],
  historico: [
    registro('2026-10-03T12:00:00.000Z', 'usuario.territorios_alterados', 'Ana Souza Lima'),
    registro('2026-09-01T12:00:00.000Z', 'conta.bloqueada', null),
    registro('2026-02-03T12:00:00.000Z', 'usuario.criado', 'Ana Souza Lima'),
  ],
  ...more,
})

export const RIGHTS_BODY = {
  grupos: [],
  permissoes_diretas: [P_EDITAR],
  permissoes_efetivas: ['agravos.listar', 'agravos.editar'],
  tem_permissao_admin: false,
  fontes: [
    { nome: 'agravos.listar', direta: false, grupos: ['usuario'] },
    { nome: 'agravos.editar', direta: true, grupos: [] },
  ],
}

export const grupo = (more: object = {}) => ({
  id: 4,
  nome: 'usuario',
  descricao: 'Acesso básico',
  ativo: true,
  exige_mfa: false,
  criado_em: '2026-01-01T12:00:00.000Z',
  atualizado_em: '2026-01-01T12:00:00.000Z',
  total_usuarios: 12,
  permissoes: [P_CASOS],
  ...more,
})

export const TODOS_OS_GRUPOS = [
  grupo({ id: 1, nome: 'admin', descricao: 'Acesso total', total_usuarios: 1, permissoes: [P_ADMIN] }),
  grupo({
    id: 2,
    nome: 'gestor',
    descricao: 'Gerencia usuários e recursos',
    exige_mfa: true,
    total_usuarios: 3,
    permissoes: [P_CASOS, P_USUARIOS],
  }),
  grupo(),
  grupo({
    id: 9,
    nome: 'vigilancia_recife',
    descricao: null,
    ativo: false,
    total_usuarios: 0,
    permissoes: [],
  }),
]

export const gruposListed = (grupos: object[]): Answers => ({
  [GRUPOS]: { body: { total: grupos.length, page: 1, size: 100, pages: 1, grupos, links: {}, meta: {} } },
})

const inCategory = (categoria: string, ...permissoes: object[]) => ({
  [categoria]: permissoes.map((one) => ({ ...one, categoria })),
})
export const CATALOGUE: Answers = {
  [PERMISSOES]: {
    body: {
      total: 4,
      categorias: {
        ...inCategory('usuarios', P_USUARIOS),
        ...inCategory('agravos', P_CASOS, P_EDITAR),
        ...inCategory('geral', P_ADMIN),
      },
    },
  },
}

export const ALL_USERS: Answers = { ...MANAGER, ...listed(USUARIOS), ...gruposListed(TODOS_OS_GRUPOS) }
export const ONE_USER: Answers = {
  ...MANAGER,
  ...gruposListed(TODOS_OS_GRUPOS),
  ...CATALOGUE,
  [ONE]: { body: conta() },
  [RIGHTS]: { body: RIGHTS_BODY },
  'GET /api/v1/territorios': { body: { estados: [] } },
}
export const ALL_GROUPS: Answers = { ...MANAGER, ...gruposListed(TODOS_OS_GRUPOS), ...CATALOGUE }

const membro = (id: number, nome: string, ativo = true) => ({
  id,
  nome,
  email: `${nome.split(' ')[0]?.toLowerCase()}@saude.example`,
  ativo,
})
export const members = (usuarios: object[]): Answers => ({
  [MEMBERS]: {
    body: { total: usuarios.length, page: 1, size: 25, pages: 1, usuarios, links: {}, meta: {} },
  },
})
export const ONE_GROUP: Answers = {
  ...ALL_GROUPS,
  ...listed([usuario({ id: 50, nome: 'Gilda Paz', email: 'gilda@saude.example' })]),
  [GRUPO]: { body: grupo() },
  ...members([membro(31, 'Beatriz Nascimento'), membro(33, 'Denise Alves', false)]),
}
