import type { Divisao } from '../../../../src/domain/casos/qualidade/regras.ts'
import { qualidadeTexts } from '../../state/texts/qualidade.ts'
import { texts } from '../../state/texts.ts'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Pager } from '../../ui/pager.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { porOf, qualidadePath, type Recorte } from './address.ts'
import { Card } from './cards.tsx'
import type { CardProps, Qualidade } from './qualidade.tsx'

type Grupo = Qualidade['grupos'][number]

/** The same screen of a part; units and the unknown have none. */
function hrefOf(recorte: Recorte, por: Divisao, { codigo }: Grupo): string | undefined {
  const whole = { ...recorte, por: null }
  if (codigo === null || por === 'unidade') return undefined
  if (por === 'municipio') return qualidadePath({ ...whole, municipio: codigo })
  if (por === 'regiao_saude') return qualidadePath({ ...whole, municipio: null, regiao: codigo })
  return qualidadePath({ ...whole, municipio: null, regiao: null, uf: codigo })
}

/** Parts with records, side by side; each leads to its own numbers. */
export function Grupos({ qualidade, recorte, pages }: CardProps) {
  const t = texts()
  const own = qualidadeTexts()
  const por = porOf(recorte)
  const { grupos, total, size } = qualidade
  const title = own.groups.titles[por]
  const pathOf = (pagina: number) => qualidadePath(recorte, { ...pages, pagina })
  const nameOf = ({ codigo, nome }: Grupo) => nome ?? codigo ?? own.unknown
  const columns: Column<Grupo>[] = [
    {
      key: 'nome',
      title: own.parts[por],
      cell: (grupo) => {
        const href = hrefOf(recorte, por, grupo)
        return href === undefined ? nameOf(grupo) : <a href={href}>{nameOf(grupo)}</a>
      },
    },
    { key: 'casos', title: own.records, isNumber: true, cell: ({ casos }) => t.filtros.number(casos) },
    ...(['notificacao', 'digitacao', 'encerramento'] as const).map(
      (medida): Column<Grupo> => ({
        key: medida,
        title: own.groups.inTime[medida],
        isNumber: true,
        cell: ({ oportunidade }) => own.percent(oportunidade[medida].pct),
      }),
    ),
    {
      key: 'ruins',
      title: own.groups.poor,
      isNumber: true,
      cell: ({ completude }) => t.filtros.number(completude.filter(isPoor).length),
    },
  ]
  return (
    <Card title={title} note={own.groups.note}>
      {total > 0 && grupos.length === 0 ? (
        <NoSuchPage page={pages.pagina} href={pathOf(1)} />
      ) : (
        <>
          <Table
            caption={title}
            columns={columns}
            rows={grupos}
            keyOf={({ codigo }) => codigo ?? ''}
            keys={{ open: (grupo) => hrefOf(recorte, por, grupo) }}
          />
          <Pager page={pages.pagina} pages={qualidade.pages} size={size} total={total} hrefOf={pathOf} />
        </>
      )}
    </Card>
  )
}

const isPoor = ({ faixa }: Grupo['completude'][number]) => faixa === 'ruim' || faixa === 'muito_ruim'
