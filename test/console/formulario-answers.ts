import type { Page } from 'playwright-core'
import { indexMunicipios } from '../../src/brasil/municipios.ts'
import { toMembers } from '../../src/contracts/b/caso-saida.shapes.ts'
import { type Campos, EMPTY_CASE } from '../../src/domain/casos/campos.ts'
import { type Answers, perfil } from '../harness/console-page.ts'

export const RECIFE = 2611606
export const UUID = '11111111-2222-4333-8444-555555555555'
export const CASO = 'GET /api/v1/agravos/casos/7'
export const CRIAR = 'POST /api/v1/agravos/casos'
export const ALTERAR = 'PUT /api/v1/agravos/casos/7'
export const VERIFICAR = 'POST /api/v1/agravos/casos/verificar'
export const RASCUNHOS = 'GET /api/v1/rascunhos'
export const RASCUNHO = `/api/v1/rascunhos/${UUID}`

const lugar = (codigo: string, nome: string) => ({ codigo, nome, sede: {}, populacao: null })
const TERRITORIOS = {
  totais: { estados: 1, regioes_saude: 1, municipios: 2 },
  anos: [],
  estados: [
    {
      codigo: 'PE',
      codigo_ibge: '26',
      nome: 'Pernambuco',
      populacao: null,
      regioes_saude: [
        {
          codigo: '26001',
          nome: 'Recife',
          populacao: null,
          municipios: [lugar(String(RECIFE), 'Recife'), lugar('2609600', 'Olinda')],
        },
      ],
    },
  ],
}

const derivados = {
  paciente_idade: null,
  semana_epidemiologica: null,
  semana_epidemiologica_sintomas: null,
  status: 'em_investigacao',
  municipio_residencia: null,
  estado_residencia: null,
  municipio_infeccao: null,
  estado_infeccao: null,
}
export const verificado = (possiveis_duplicados: object[] = [], fora_do_territorio = false) => ({
  body: { problemas: [], fora_do_territorio, derivados, possiveis_duplicados },
})

export const rascunho = (id: string, caso_id: number | null = null, conteudo?: object) => ({
  ...{ id, formulario: 'caso', caso_id, epizootia_id: null },
  tamanho: 100,
  criado_em: '2026-11-14T17:00:00.000Z',
  atualizado_em: '2026-11-14T17:32:00.000Z',
  expira_em: '2026-12-14T17:32:00.000Z',
  ...(conteudo !== undefined && { conteudo }),
})
export const lista = (...rascunhos: object[]) => ({
  body: { total: rascunhos.length, maximo: 50, rascunhos },
})

const STORED: Campos = {
  ...EMPTY_CASE,
  tipo_agravo: 'dengue',
  numero_notificacao: '4418823',
  data_notificacao: '2026-03-12',
  data_inicio_sintomas: '2026-03-08',
  paciente_idade: 35,
  paciente_sexo: 'F',
  municipio_residencia: RECIFE,
  estado_residencia: 'PE',
  bairro_residencia: 'Pina',
  status: 'em_investigacao',
  'dados_especificos.febre': true,
}

/** A case as the service answers it, with another person's change as the last. */
export function detalhe(change: Partial<Campos> = {}, versao = 3) {
  const recife = { codigo: RECIFE, nome: 'Recife', uf: 'PE', latitude: 0, longitude: 0, regiao: null }
  const moment = new Date('2026-11-14T17:20:00Z')
  const caso = { ...STORED, ...change, id: 7, nome: 'M. S.', sigilo: null, versao, criado_em: moment }
  const members = toMembers({ ...caso, atualizado_em: moment } as never, indexMunicipios([recife]))
  const historico = [
    { data: moment.toISOString(), acao: 'atualizado', usuario: { id: 9, nome: 'Bia Reis' }, detalhes: {} },
  ]
  return { body: { ...members, acesso: 'residencia', historico } }
}

/** Somebody who registers and corrects cases, and nothing in the way. */
export const EDITOR: Answers = {
  'GET /api/v1/usuarios/me': perfil(['agravos.listar', 'agravos.criar', 'agravos.editar']),
  'GET /api/v1/territorios': { body: TERRITORIOS },
  [RASCUNHOS]: lista(),
  [VERIFICAR]: verificado(),
  'PUT /api/v1/rascunhos/{uuid}': { body: rascunho(UUID) },
  'DELETE /api/v1/rascunhos/{uuid}': { status: 204 },
  [CASO]: detalhe(),
  [CRIAR]: {
    status: 201,
    body: {
      id: 7,
      tipo_agravo: 'dengue',
      numero_notificacao: '4418823',
      status: 'em_investigacao',
      criado_em: '2026-11-14T17:20:00.000Z',
      mensagem: '',
    },
  },
}

export async function fillRequired(page: Page): Promise<void> {
  await page.getByLabel('Agravo').selectOption('dengue')
  await page.getByRole('textbox', { name: 'Nº da notificação' }).fill('4418823')
  await page.getByRole('textbox', { name: 'Data da notificação' }).fill('12032026')
  await page.getByRole('textbox', { name: 'Nome do paciente' }).fill('Maria Plantada')
  const municipio = page.getByRole('combobox', { name: 'Município de residência' })
  await municipio.fill('reci')
  await page.getByRole('option', { name: /Recife/ }).waitFor()
  await municipio.press('Tab')
}
