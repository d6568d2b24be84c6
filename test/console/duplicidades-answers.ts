// Answers of the API that the tests of possible duplicates share.
import type { Permission } from '../../src/caller/permissions.ts'
import { type Answers, perfil } from '../harness/console-page.ts'
import { casoListado, detalhe } from './casos-data.ts'

export const LIST = 'GET /api/v1/agravos/duplicidades'
export const DECIDE = 'POST /api/v1/agravos/duplicidades/31/decidir'
export const UNDO = 'POST /api/v1/agravos/fusoes/9/desfazer'
export const SCAN = 'POST /api/v1/agravos/duplicidades/varredura'
const ONE = 'GET /api/v1/agravos/casos/7'
const OTHER = 'GET /api/v1/agravos/casos/8'
export const NAMES = ['Rita Pacheco Lobato', 'RITTA PACHECO LOBATTO'] as const

const DECIDER: Permission[] = ['agravos.duplicidades', 'agravos.listar', 'agravos.identificar']
export const decider = (more: Permission[] = []): Answers => ({
  'GET /api/v1/usuarios/me': perfil([...DECIDER, ...more]),
  'GET /api/v1/territorios': { body: { total: 0, territorios: [] } },
})

const SINAIS = {
  nome: '1 de 3 palavras iguais, 2 parecidas',
  primeiro_nome: 'parecido',
  nascimento: 'igual',
  sexo: 'igual',
  municipio: 'igual',
  bairro: 'outro',
  dias: 5,
}

const FIRST = { numero_notificacao: '4418827', data_notificacao: '2026-03-02T00:00:00-03:00' }
const SECOND = {
  numero_notificacao: '4418830',
  data_notificacao: '2026-03-07T00:00:00-03:00',
  semana_epidemiologica: '202609',
  evolucao: null,
  hospitalizacao: true,
  criterio_confirmacao: 'clinico_epidemiologico',
}

export const par = (more: object = {}) => ({
  id: 31,
  etag: '"3/1"',
  escore: 21.4,
  faixa: 'quase_certa',
  sinais: SINAIS,
  versao_pesos: 1,
  situacao: 'pendente',
  casos: [
    { caso: casoListado(7, FIRST), versao: 3, excluido: false },
    { caso: casoListado(8, SECOND), versao: 1, excluido: false },
  ],
  encontrada_em: '2026-11-14T12:00:00.000Z',
  decidida_em: null,
  decidida_por: null,
  motivo: null,
  fusao_id: null,
  ...more,
})

const DECIDED = {
  decidida_em: '2026-11-14T14:30:00.000Z',
  decidida_por: { id: 9, nome: 'Carlos Teixeira' },
}
export const MERGED = par({
  ...DECIDED,
  situacao: 'mesmo_caso',
  fusao_id: 9,
  casos: [
    { caso: casoListado(7, FIRST), versao: 4, excluido: false },
    { caso: casoListado(8, SECOND), versao: 2, excluido: true },
  ],
})
export const OTHER_PERSON = par({ ...DECIDED, situacao: 'outra_pessoa' })

/** One of each band and state, a twin among them. */
export const PARES = [
  par(),
  par({
    id: 32,
    escore: 7.8,
    faixa: 'provavel',
    sinais: {
      ...SINAIS,
      nome: '2 de 4 palavras iguais, 0 parecidas',
      nascimento: 'trocado',
      sexo: 'desconhecido',
    },
  }),
  par({
    id: 33,
    escore: 5.9,
    faixa: 'possivel',
    sinais: {
      ...SINAIS,
      nome: '2 de 3 palavras iguais, 0 parecidas',
      primeiro_nome: 'outro',
      municipio: 'outro',
    },
  }),
]

export const listed = (items: object[], total = items.length, pages = 1) => ({
  body: { total, page: 1, size: 25, pages, items, links: {}, meta: {} },
})

const whole = (more: object) => ({ body: detalhe(more) })

/** Both cases whole, which differ in some fields. */
export const CASES: Answers = {
  [ONE]: whole({ ...FIRST, id: 7 }),
  [OTHER]: whole({ ...SECOND, id: 8, versao: 1 }),
}

export const identified = (): Answers => ({
  [LIST]: listed([par()]),
  [ONE]: whole({ ...FIRST, id: 7, paciente: { ...patient, nome: NAMES[0], data_nascimento: '1990-05-06' } }),
  [OTHER]: whole({
    ...SECOND,
    id: 8,
    paciente: { ...patient, nome: NAMES[1], data_nascimento: '1990-05-06' },
  }),
})
const patient = { idade: 35, sexo: 'F', gestante: false }

const fusao = {
  situacao: 'mesmo_caso',
  fusao_id: null,
  principal_id: 7,
  absorvido_id: 8,
  campos: [
    { campo: 'evolucao', valor: 'cura', origem: 'principal', alterado: false },
    { campo: 'hospitalizacao', valor: true, origem: 'absorvido', alterado: true },
    { campo: 'dados_clinicos.comorbidades', valor: ['diabetes'], origem: 'ambos', alterado: true },
    { campo: 'logradouro_residencia', valor: null, origem: 'absorvido', alterado: true },
  ],
  deixados: ['data_internacao'],
}
export const SIMULATED = { body: { ...fusao, simulado: true } }
export const DONE = { body: { ...fusao, simulado: false, fusao_id: 9 } }

const desfeita = { id: 9, principal_id: 7, absorvido_id: 8 }
export const WOULD_UNDO = {
  body: { ...desfeita, simulado: true, campos_alterados: ['hospitalizacao'], mantidos: ['evolucao'] },
}
export const UNDONE = {
  body: { ...desfeita, simulado: false, campos_alterados: ['hospitalizacao'], mantidos: ['evolucao'] },
}
