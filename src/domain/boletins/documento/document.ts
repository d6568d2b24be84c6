import type { AgravoConhecido } from '../../casos/enumeracoes.ts'
import type { Boletim, CabecalhoDoBoletim, SecaoDoBoletim } from '../dados.ts'
import { type BulletinDocument, type DocumentBlock, heading } from './blocks.ts'
import { capitalised, lugarText, numeroOf, type Words } from './format.ts'
import { curvaBlocks } from './partes/curva.ts'
import { diagramaBlocks } from './partes/diagrama.ts'
import { mapaBlocks } from './partes/mapa.ts'
import { municipiosBlocks } from './partes/municipios.ts'
import { numerosFigures } from './partes/numeros.ts'
import { piramideBlocks } from './partes/piramide.ts'
import { qualidadeBlocks } from './partes/qualidade.ts'
import { rtBlocks } from './partes/rt.ts'
import { sorotiposBlocks } from './partes/sorotipos.ts'
import { PARTES_DO_BOLETIM, type ParteDoBoletim } from './texts/texts.ts'

/** Document of a bulletin: the same parts in the same order, whatever the number of diseases; each part has those of all diseases (D-383). */
export function documentOf(w: Words, boletim: Boletim): BulletinDocument {
  const { t } = w
  const { cabecalho, dados } = boletim
  const { texto, semana } = cabecalho
  const ano = Number(semana.semana.slice(0, 4))
  const made = t.title(w.list(cabecalho.agravos.map((agravo) => nomeOf(w, cabecalho, agravo))))
  const isOfSeveral = dados.secoes.length > 1
  return {
    title: texto.titulo ?? made,
    kind: texto.titulo === null ? null : made,
    lugar: lugarText(w, cabecalho.lugar),
    semana: `${t.week(numeroOf(semana), String(ano))} · ${w.days(semana)}`,
    dadosAte: cabecalho.dados_ate === null ? t.noData : t.dataAsOf(w.instant(cabecalho.dados_ate)),
    publico: cabecalho.publico ? t.publico : null,
    methods: t.methods,
    highlights: texto.destaques.length === 0 ? null : { title: t.highlights, items: texto.destaques },
    note: texto.nota === null ? null : { title: t.note, text: texto.nota },
    figures: {
      label: t.numbers.label,
      boxes: dados.secoes.map(({ tipo_agravo, numeros }) => ({
        title: isOfSeveral ? capitalised(nomeOf(w, cabecalho, tipo_agravo)) : null,
        figures: numerosFigures(w, ano, numeros),
      })),
    },
    blocks: PARTES_DO_BOLETIM.flatMap((parte) => [
      heading(2, t.headings[parte]),
      ...(parte === 'notas'
        ? [{ kind: 'list' as const, items: t.notes(dados.notas) }]
        : dados.secoes.flatMap((secao) => [
            ...(isOfSeveral ? [heading(3, capitalised(nomeOf(w, cabecalho, secao.tipo_agravo)))] : []),
            ...blocksOf(w, boletim, parte, secao),
          ])),
    ]),
  }
}

/** Name of a disease in the words of the document, else that of its definition when the bulletin was made; older ones have the code. */
const nomeOf = ({ t }: Words, { nomes }: Pick<CabecalhoDoBoletim, 'nomes'>, agravo: string): string =>
  t.agravos[agravo as AgravoConhecido] ?? nomes?.[agravo] ?? agravo.replaceAll('_', ' ')

function blocksOf(
  w: Words,
  { cabecalho, dados }: Boletim,
  parte: Exclude<ParteDoBoletim, 'notas'>,
  secao: SecaoDoBoletim,
): DocumentBlock[] {
  const { semana, lugar } = cabecalho
  switch (parte) {
    case 'curva':
      return curvaBlocks(w, semana, secao)
    case 'diagrama':
      return diagramaBlocks(w, semana, secao.diagrama)
    case 'rt':
      return rtBlocks(w, secao.rt)
    case 'mapa':
      return mapaBlocks(w, secao.mapa, dados.notas.bairros_minimo)
    case 'municipios':
      return municipiosBlocks(w, lugar, secao.municipios)
    case 'piramide':
      return piramideBlocks(w, secao.piramide)
    case 'sorotipos':
      return sorotiposBlocks(w, nomeOf(w, cabecalho, secao.tipo_agravo), secao.sorotipos)
    case 'qualidade':
      return qualidadeBlocks(w, secao.qualidade)
  }
}
