import { formularioOf } from '../../src/domain/casos/agravos/formulario.ts'
import { MODELOS } from '../../src/domain/casos/agravos/modelos.ts'
import { type Answers, perfil } from '../harness/console-page.ts'

const found = MODELOS.find(({ codigo }) => codigo === 'malaria')
if (found === undefined) throw new Error('malaria is among the models')
export const MALARIA = found

export const tipo = (codigo: string, nome: string) => ({
  ...{ codigo, nome, cid10_codes: ['A90'], descricao: '', notificacao_obrigatoria: true },
})
export const KNOWN = [tipo('dengue', 'Dengue'), tipo('zika', 'Zika'), tipo('chikungunya', 'Chikungunya')]

export const lido = (over: object = {}) => ({
  body: {
    ...{ versao: 2, estado: 'ativa', ativo: true, protegido: false, ultima_versao: 2, casos: 1_204 },
    definicao: MALARIA,
    ...over,
  },
})

const moment = '2026-11-14T15:00:00.000Z'
const autor = { id: 7, nome: 'Ana Souza Lima' }
const nothing = Object.fromEntries(
  ['campos_novos', 'campos_retirados', 'opcoes_novas', 'textos', 'outras'].map((key) => [key, []]),
)
const VERSOES = [
  {
    ...{ versao: 2, estado: 'ativa', autor, criada_em: moment, ativada_em: moment },
    mudancas: {
      ...nothing,
      campos_novos: ['gota_espessa'],
      campos_alterados: [{ campo: 'sintomas', chaves: ['sinan'] }],
    },
  },
  {
    ...{ versao: 1, estado: 'substituida', autor: null, criada_em: moment, ativada_em: moment },
    mudancas: nothing,
  },
]

export const TIPOS = 'GET /api/v1/agravos/tipos'
export const DEFINIR = 'POST /api/v1/agravos/tipos'
export const ALTERAR = 'PUT /api/v1/agravos/tipos/malaria'
export const simulada = (problemas: object[] = [], impacto: object = {}) => ({
  body: {
    valida: problemas.length === 0,
    problemas,
    impacto: { casos: 0, campos_retirados: [], opcoes_retiradas: [], ...impacto },
  },
})

/** Somebody who defines diseases; malaria takes cases, rabies is a draft. */
export const DEFINIDOR: Answers = {
  'GET /api/v1/usuarios/me': perfil(['agravos.listar', 'agravos.criar', 'agravos.definir']),
  [TIPOS]: {
    body: {
      total: 5,
      tipos: [...KNOWN, tipo('malaria', 'Malária')],
      inativos: [tipo('raiva', 'Raiva humana')],
    },
  },
  ...Object.fromEntries(
    KNOWN.map(({ codigo }) => [
      `GET /api/v1/agravos/tipos/${codigo}`,
      lido({ versao: 1, ultima_versao: 1, protegido: true, definicao: { campos: [] } }),
    ]),
  ),
  'GET /api/v1/agravos/tipos/malaria': lido(),
  'GET /api/v1/agravos/tipos/raiva': lido({
    ...{ versao: 1, ultima_versao: 1, estado: 'rascunho', ativo: false, casos: 0, definicao: { campos: [] } },
  }),
  'GET /api/v1/agravos/tipos/malaria/versoes': {
    body: { items: VERSOES, total: 2, page: 1, size: 20, pages: 1, links: {} },
  },
  'GET /api/v1/agravos/tipos/malaria/formulario': {
    body: formularioOf(MALARIA, { language: 'pt-BR', vocabulario: [] }),
  },
  'GET /api/v1/agravos/tipos/modelos': {
    body: {
      total: 2,
      modelos: [
        { codigo: 'malaria', nome: 'Malária', descricao: '', campos: 9, definido: true },
        { codigo: 'leptospirose', nome: 'Leptospirose', descricao: '', campos: 43, definido: false },
      ],
    },
  },
  [DEFINIR]: simulada([
    { campo: 'cid10_codes', codigo: 'TOO_FEW', mensagem: 'Informe ao menos 1' },
    { campo: 'campos.0.opcoes', codigo: 'TOO_FEW', mensagem: 'Informe ao menos 1 opção' },
  ]),
  [ALTERAR]: simulada([], { casos: 1_204, campos_retirados: [{ nome: 'sintomas', com_valor: 12 }] }),
}
