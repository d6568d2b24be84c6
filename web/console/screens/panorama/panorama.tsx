import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso/router'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { panoramaTexts } from '../../state/texts/panorama.ts'
import { texts } from '../../state/texts.ts'
import { Page } from '../../ui/page.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type Pedido, panoramaPath, readPedido } from './address.ts'
import '../../ui/gestao.ts'
import { PedidoBar } from './filter-bar.tsx'

type Panorama = Extract<AnswerOf<'GET', '/api/v1/agravos/panorama'>, { lugares: unknown }>
type Lugar = Panorama['lugares'][number]

/** Totals of a year anywhere, beyond the own territory, without small numbers. */
export default function TelaDePanorama() {
  const t = texts()
  const own = panoramaTexts()
  const { url, route } = useLocation()
  const today = dateInBrazil(new Date())
  const { pedido, leftOut } = readPedido(url.split('?')[1] ?? '', today)
  const { agravo, ano, uf } = pedido
  const query = useQuery({
    queryKey: ['panorama', pedido],
    queryFn: async ({ signal }) =>
      (await api.get(
        '/api/v1/agravos/panorama',
        { query: { tipo_agravo: agravo, ano: Number(ano), ...(uf !== null && { estado: uf }) } as never },
        { signal },
      )) as Panorama,
  })
  return (
    <>
      {holds(['agravos.estatisticas']) && (
        <a class="back" href={PATHS.qualidade}>
          {t.screens.qualidade}
        </a>
      )}
      <Page title={t.screens.panorama} lead={own.lead}>
        <PedidoBar
          {...{ pedido, today, leftOut }}
          onChange={(next, replace) => route(panoramaPath(next, today), replace)}
        />
        <Answer query={query} lines={12}>
          {(panorama) =>
            panorama.lugares.length === 0 ? (
              <Empty text={own.none} />
            ) : (
              <Lugares {...{ panorama, pedido, today }} />
            )
          }
        </Answer>
      </Page>
    </>
  )
}

const CLASSES = ['confirmado', 'em_investigacao', 'inconclusivo', 'descartado'] as const
const EVENTS = ['hospitalizados', 'obitos'] as const

interface LugaresProps {
  panorama: Panorama
  pedido: Pedido
  today: string
}

function Lugares({ panorama, pedido, today }: LugaresProps) {
  const t = texts()
  const own = panoramaTexts()
  const { nivel, minimo, lugares } = panorama
  const total: Lugar = { codigo: TOTAL, nome: own.total, ...panorama.total }
  const hrefOf = ({ codigo }: Lugar) =>
    nivel === 'estado' && codigo !== null && codigo !== TOTAL
      ? panoramaPath({ ...pedido, uf: codigo }, today)
      : undefined
  const number = (key: 'total' | (typeof CLASSES | typeof EVENTS)[number], title: string): Column<Lugar> => ({
    key,
    title,
    isNumber: true,
    cell: ({ [key]: count }) => (count === null ? <small>{own.hidden}</small> : t.filtros.number(count)),
  })
  const columns: Column<Lugar>[] = [
    {
      key: 'nome',
      title: own.place,
      cell: (lugar) => {
        const href = hrefOf(lugar)
        const nome = lugar.nome ?? lugar.codigo ?? own.unknown
        return href === undefined ? nome : <a href={href}>{nome}</a>
      },
    },
    number('total', own.records),
    ...CLASSES.map((name) => number(name, t.painel.classes[name])),
    ...EVENTS.map((name) => number(name, t.painel[name])),
  ]
  return (
    <div class="card form labelled">
      <h2>{own.titles[nivel]}</h2>
      <p class="sub">{own.note(minimo)}</p>
      <Table
        caption={own.titles[nivel]}
        columns={columns}
        rows={[total, ...lugares]}
        keyOf={({ codigo }) => codigo ?? ''}
        keys={{ open: hrefOf }}
      />
    </div>
  )
}

/** Key of the row of all places. */
const TOTAL = 'total'
