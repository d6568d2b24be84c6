import type { Municipios } from '../brasil/municipios.ts'
import { padraoOf } from '../domain/casos/agravos/blocos.ts'
import { escondidos } from '../domain/casos/agravos/conferir.ts'
import { type CampoProprio, type Definicao, isProprio } from '../domain/casos/agravos/definicao.ts'
import { OBITOS } from '../domain/casos/enumeracoes.ts'
import { type DemoCaso, type DemoRequest, generateCasos } from './casos.ts'
import { createRandom, type Random } from './random.ts'

/** Synthetic cases of a defined disease: people, places and days of the others, codes and own fields at random within its definition. */

const SEEDS = 2_000_000
/** Taken over from the cases of the known diseases, where the definition has them. */
const TAKEN =
  /^(?:data_notificacao|data_inicio_sintomas|paciente_(?!gestante)\w+|\w+_residencia|latitude|longitude|unidade_notificante\.\w+)$/

export function* generateDefinidos(
  municipios: Municipios,
  definicao: Definicao,
  request: DemoRequest,
): Generator<Record<string, string>> {
  const random = createRandom(request.seed + SEEDS)
  const taken = padraoOf(definicao).filter((nome) => TAKEN.test(nome))
  const proprios = definicao.campos.filter(isProprio).filter(({ ativo }) => ativo)
  const hidden = escondidos(definicao)
  for (const caso of generateCasos(municipios, request)) {
    const own = ownValues(random, proprios, caso)
    const conclusion = conclusionOf(random, definicao)
    const read = (nome: string) => own[nome.slice(nome.indexOf('.') + 1)] ?? (conclusion[nome] || null)
    for (const nome of hidden(read)) delete own[nome]
    yield {
      tipo_agravo: definicao.codigo,
      numero_notificacao: `D${caso.numero_notificacao}`,
      ...Object.fromEntries(taken.map((nome) => [nome, caso[nome] ?? ''])),
      ...conclusion,
      ...Object.fromEntries(
        proprios.map(({ nome }) => [`dados_especificos.${nome}`, cellOf(own[nome] ?? null)]),
      ),
    }
  }
}

/** Without deaths, whose dates would have to be drawn, and without outcomes that decide the classification. */
function conclusionOf(random: Random, definicao: Definicao): Record<string, string> {
  const { classificacoes, criterios, evolucoes, classificacao_padrao } = definicao
  const codes = (list: readonly { codigo: string }[]) => list.map(({ codigo }) => codigo)
  const open = random.chance(0.15)
  const plain = evolucoes.filter(
    ({ codigo, classificacao }) => classificacao === undefined && !OBITOS.includes(codigo),
  )
  return {
    classificacao_final: open || classificacao_padrao !== undefined ? '' : random.pick(codes(classificacoes)),
    criterio_confirmacao: open || criterios.length === 0 ? '' : random.pick(codes(criterios)),
    evolucao: open || plain.length === 0 ? '' : random.pick(codes(plain)),
  }
}

const ANSWERED = 0.7

function ownValues(
  random: Random,
  proprios: readonly CampoProprio[],
  caso: DemoCaso,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const campo of proprios) {
    const value = answerTo(random, campo, caso)
    if (value !== null && (campo.obrigatorio || random.chance(ANSWERED))) values[campo.nome] = value
  }
  return values
}

function answerTo(random: Random, campo: CampoProprio, caso: DemoCaso): unknown {
  const { tipo, opcoes, minimo = 0, maximo = 0, casas = 0, antes_de } = campo
  const codes = opcoes.filter(({ ativo }) => ativo).map(({ codigo }) => codigo)
  switch (tipo) {
    case 'bool':
      return random.chance(0.4)
    case 'opcao':
      return codes.length === 0 ? null : random.pick(codes)
    case 'opcoes':
      return codes.length === 0 ? null : [random.pick(codes)]
    case 'inteiro':
      return minimo + random.below(Math.min(maximo - minimo, 1_000) + 1)
    case 'numero':
      return Number((minimo + random.next() * (maximo - minimo)).toFixed(casas))
    case 'data':
      // The day of the notification is behind every other of the case.
      return antes_de === undefined ? (caso.data_notificacao ?? null) : null
    case 'municipio':
      return caso.municipio_residencia ?? null
    case 'texto':
      return 'Texto gerado'
  }
}

const cellOf = (value: unknown): string =>
  value === null ? '' : Array.isArray(value) ? value.join('|') : String(value)
