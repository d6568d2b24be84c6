import { buildCommand, buildRouteMap } from '@stricli/core'
import type { Context } from './context.ts'
import { FLAGS, GLOBAL, ID, idOf } from './flags.ts'

const { text, yes, LISTING, SIMULAR, CHANGING } = FLAGS
const duplicidades = () => import('./commands/duplicidades.ts')

const MERGING = {
  ...CHANGING,
  principal: {
    kind: 'parsed',
    parse: idOf,
    optional: true,
    brief: 'O caso que fica; padrão: o de notificação mais antiga',
    placeholder: 'CASO',
  } as const,
  campo: {
    kind: 'parsed',
    parse: String,
    optional: true,
    variadic: true,
    brief: 'De qual dos casos fica um campo, repetível: evolucao=124',
    placeholder: 'CAMPO=CASO',
  } as const,
  motivo: text('Por quê; fica cifrado', 'TEXTO'),
}

const DECISOES = ['mesmo_caso', 'outro_episodio', 'outra_pessoa'] as const

function decisaoOf(given: string): (typeof DECISOES)[number] {
  const found = DECISOES.find((one) => one === given)
  if (found === undefined) throw new Error(`há ${DECISOES.join(', ')}`)
  return found
}

export const fundir = buildCommand({
  docs: { brief: 'Funde um caso com outro, que é a mesma notificação' },
  parameters: {
    flags: { ...GLOBAL, ...MERGING },
    positional: {
      kind: 'tuple',
      parameters: [
        { brief: 'Um caso', parse: idOf, placeholder: 'caso' },
        { brief: 'O outro', parse: idOf, placeholder: 'outro' },
      ],
    },
  },
  loader: async () => (await duplicidades()).fundir,
})

export const ofDuplicidades = buildRouteMap<string, Context>({
  docs: { brief: 'Duplicidades: listar, decidir, varredura, qualidade' },
  routes: {
    listar: buildCommand({
      docs: { brief: 'Lista pares de casos que podem ser o mesmo; padrão: os pendentes' },
      parameters: {
        flags: {
          ...GLOBAL,
          ...LISTING,
          identificado: yes('Com os nomes, se permitido; fica na auditoria'),
        },
      },
      loader: async () => (await duplicidades()).listar,
    }),
    decidir: buildCommand({
      docs: { brief: 'Decide sobre um par; mesmo_caso os funde' },
      parameters: {
        flags: { ...GLOBAL, ...MERGING },
        positional: {
          kind: 'tuple',
          parameters: [
            { brief: 'Identificador do par', parse: idOf, placeholder: 'id' },
            { brief: DECISOES.join(', '), parse: decisaoOf, placeholder: 'decisao' },
          ],
        },
      },
      loader: async () => (await duplicidades()).decidir,
    }),
    varredura: buildCommand({
      docs: { brief: 'Procura duplicidades em todos os casos' },
      parameters: {
        flags: { ...GLOBAL, ...SIMULAR, acompanhar: yes('Espera o fim e diz o resultado') },
      },
      loader: async () => (await duplicidades()).varredura,
    }),
    qualidade: buildCommand({
      docs: { brief: 'Quanto cada faixa acertou' },
      parameters: { flags: GLOBAL },
      loader: async () => (await duplicidades()).qualidade,
    }),
  },
})

export const ofFusoes = buildRouteMap<string, Context>({
  docs: { brief: 'Fusões: listar, desfazer' },
  routes: {
    listar: buildCommand({
      docs: { brief: 'Lista fusões de casos' },
      parameters: { flags: { ...GLOBAL, ...LISTING } },
      loader: async () => (await duplicidades()).listarFusoes,
    }),
    desfazer: buildCommand({
      docs: { brief: 'Desfaz uma fusão' },
      parameters: { flags: { ...GLOBAL, ...CHANGING }, positional: ID },
      loader: async () => (await duplicidades()).desfazerFusao,
    }),
  },
})
