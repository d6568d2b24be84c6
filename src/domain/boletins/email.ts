import type { BoletimNoEmail } from '../emails/texts/texts.ts'
import type { Boletim } from './dados.ts'

/** Facts of a mail about a bulletin: where and when, and headline figures only where all of it may be published. */
export function fatosDoEmail({ cabecalho, dados }: Boletim): BoletimNoEmail {
  const { nivel, nome, estado } = cabecalho.lugar
  const { semana } = cabecalho.semana
  const isPart = nivel === 'municipio' || nivel === 'regiao_saude'
  return {
    lugar: isPart ? `${nome} (${estado})` : nome,
    semana: `${semana.slice(4)}/${semana.slice(0, 4)}`,
    agravos: cabecalho.agravos,
    ...(cabecalho.nomes !== undefined && { nomes: cabecalho.nomes }),
    secoes: cabecalho.publico
      ? dados.secoes.map(({ tipo_agravo, numeros }) => ({
          agravo: tipo_agravo,
          nivel: numeros.nivel,
          casos_ano: numeros.casos_ano.valor,
          casos_4_semanas: numeros.casos_4_semanas.valor,
        }))
      : [],
  }
}
