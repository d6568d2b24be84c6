import type { Municipio, Municipios, RegiaoSaude } from '../../brasil/municipios.ts'
import { isPartOf, keyOf } from '../../brasil/nome.ts'
import type { Populacao } from '../../brasil/populacao.ts'
import type { Territorios } from '../../brasil/territorios.ts'
import type { Estado } from '../../brasil/uf.ts'
import { type EncodedContent, encodedContent } from '../../system/encoded-content.ts'

export const NIVEIS_DA_ARVORE = ['estado', 'regiao_saude', 'municipio'] as const

/** Of digits, the lower levels of Brotli leave as few bytes as the higher ones, in a fifth of the time. */
const BROTLI_QUALITY = 4

/** Part of the tree. A name that matches `busca` brings all that is below it, and what it is in. */
export interface ArvorePedida {
  estado: string | null
  /** Deepest level shown. */
  nivel: (typeof NIVEIS_DA_ARVORE)[number]
  busca: string | null
}

/** States, their health regions and municipalities, as the bytes of an answer. */
export interface Arvore {
  contentOf(pedida: ArvorePedida): EncodedContent
}

interface Reference {
  municipios: Municipios
  territorios: Territorios
  populacao: Populacao
}

/** Branch of a state. */
interface Ramo {
  estado: Estado
  regioes: { regiao: RegiaoSaude; municipios: readonly Municipio[] }[]
  semRegiao: readonly Municipio[]
}

/**
 * Memoizes what was not searched for: 84 answers at most, which are about 5 MiB with their compressed copies. Searches are
 * computed, since their number has no bound.
 */
export function createArvore(reference: Reference): Arvore {
  const ramos = reference.territorios.estados.map((estado) => ramoOf(reference.territorios, estado))
  const ready = new Map<string, EncodedContent>()
  const compute = (pedida: ArvorePedida) =>
    encodedContent(Buffer.from(JSON.stringify(arvoreOf(reference, ramos, pedida))), BROTLI_QUALITY)
  return {
    contentOf(pedida) {
      if (pedida.busca !== null) return compute(pedida)
      const key = `${pedida.estado} ${pedida.nivel}`
      const content = ready.get(key) ?? compute(pedida)
      ready.set(key, content)
      return content
    },
  }
}

function ramoOf(territorios: Territorios, estado: Estado): Ramo {
  return {
    estado,
    regioes: territorios
      .regioesOf(estado.uf)
      .map((regiao) => ({ regiao, municipios: territorios.municipiosOfRegiao(regiao.codigo) })),
    semRegiao: territorios.municipiosOf(estado.uf).filter(({ regiao }) => regiao === null),
  }
}

function arvoreOf(reference: Reference, all: Ramo[], { estado, nivel, busca }: ArvorePedida) {
  const asked = all.filter((ramo) => estado === null || ramo.estado.uf === estado)
  const ramos = busca === null ? asked : matching(asked, busca, reference.municipios)
  const municipiosOf = ({ regioes, semRegiao }: Ramo) => [
    ...regioes.flatMap(({ municipios }) => municipios),
    ...semRegiao,
  ]
  return {
    totais: {
      estados: ramos.length,
      regioes_saude: ramos.reduce((sum, { regioes }) => sum + regioes.length, 0),
      municipios: ramos.reduce((sum, ramo) => sum + municipiosOf(ramo).length, 0),
    },
    anos: reference.populacao.anos,
    estados: ramos.map((ramo) => estadoNode(reference, ramo, nivel)),
  }
}

function matching(ramos: Ramo[], busca: string, municipios: Municipios): Ramo[] {
  const matches = isPartOf(busca)
  const found = new Set(municipios.containing(busca))
  const isFound = (municipio: Municipio) => found.has(municipio)
  return ramos
    .map((ramo) => {
      if (matches(keyOf(ramo.estado.nome))) return ramo
      const regioes = ramo.regioes
        .map((one) =>
          matches(keyOf(one.regiao.nome)) ? one : { ...one, municipios: one.municipios.filter(isFound) },
        )
        .filter((one) => one.municipios.length > 0)
      return { ...ramo, regioes, semRegiao: ramo.semRegiao.filter(isFound) }
    })
    .filter(({ regioes, semRegiao }) => regioes.length + semRegiao.length > 0)
}

function estadoNode(
  reference: Reference,
  { estado, regioes, semRegiao }: Ramo,
  nivel: ArvorePedida['nivel'],
) {
  const { populacao, territorios } = reference
  const { uf, nome, codigo } = estado
  const node = {
    codigo: uf,
    codigo_ibge: String(codigo),
    nome,
    populacao: populacao.seriesOf(territorios.municipiosOf(uf)),
  }
  if (nivel === 'estado') return node
  return {
    ...node,
    regioes_saude: regioes.map((one) => regiaoNode(reference, one, nivel)),
    ...(nivel === 'municipio' && {
      municipios_sem_regiao: semRegiao.map((municipio) => municipioNode(populacao, municipio)),
    }),
  }
}

function regiaoNode(
  { populacao, territorios }: Reference,
  { regiao, municipios }: Ramo['regioes'][number],
  nivel: ArvorePedida['nivel'],
) {
  return {
    codigo: String(regiao.codigo),
    nome: regiao.nome,
    // Of the whole region, also where a search shows a part of it.
    populacao: populacao.seriesOf(territorios.municipiosOfRegiao(regiao.codigo)),
    ...(nivel === 'municipio' && {
      municipios: municipios.map((municipio) => municipioNode(populacao, municipio)),
    }),
  }
}

function municipioNode(populacao: Populacao, municipio: Municipio) {
  const { codigo, nome, latitude, longitude } = municipio
  return {
    codigo: String(codigo),
    nome,
    sede: { latitude, longitude },
    populacao: populacao.seriesOf([municipio]),
  }
}
