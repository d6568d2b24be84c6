import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ApiError } from '../../api/errors.ts'
import { PATHS } from '../../paths.ts'
import { api } from '../../state/session.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { texts } from '../../state/texts.ts'
import { ActButton } from '../../ui/act-button.tsx'
import { Button } from '../../ui/button.tsx'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { presentText } from '../../ui/present.ts'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { AGENDAS, type Agenda, openAgenda, PedidoWords, refreshAgendas, toPedido } from './agenda-data.ts'
import { AgendaDialog } from './agenda-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

const SIZE = 25

type Open = { kind: 'new' } | { kind: 'edit' | 'remove'; agenda: Agenda }

/** Dialogue over the schedule of now: rows of a list have no version. */
async function loadDialog(kind: 'edit' | 'remove', id: number) {
  const agenda = await openAgenda(id)
  const Shown = kind === 'edit' ? AgendaDialog : RemoveDialog
  return { default: (props: { onClose(): void; onDone(): void }) => <Shown agenda={agenda} {...props} /> }
}

/** Refused where the schedule is another than the list shows. */
async function turn({ id, ativo, atualizado_em }: Agenda): Promise<void> {
  const now = await openAgenda(id)
  if (now.atualizado_em !== atualizado_em) throw new ApiError(409, {}, {})
  const asked = { params: { id }, body: { ativo: !ativo } }
  await api.put('/api/v1/agravos/agendas/{id}', asked, { ifMatch: now.etag })
}

/** Schedules of bulletins: what is made when, for whom; made anew, changed, paused, removed. */
export default function Agendas() {
  const t = texts()
  const own = boletinsTexts()
  const { query } = useLocation()
  const [open, setOpen] = useState<Open | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const page = Math.max(1, Math.trunc(Number(query.pagina)) || 1)
  const list = useQuery({
    queryKey: [...AGENDAS, page],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/agendas', { query: { page, size: SIZE } }, { signal }),
  })
  const finish = (text: string) => {
    setOpen(null)
    setError(null)
    setDone(text)
    void refreshAgendas()
  }
  const toggle = async (agenda: Agenda) => {
    try {
      await turn(agenda)
      finish(agenda.ativo ? own.agendas.paused : own.agendas.resumed)
    } catch (failure) {
      setDone(null)
      setError(failure)
      void refreshAgendas()
    }
  }
  const edit = (agenda: Agenda) => setOpen({ kind: 'edit', agenda })
  const create = (
    <Button kind="primary" icon="add" onClick={() => setOpen({ kind: 'new' })}>
      {own.agendas.new}
    </Button>
  )
  return (
    <>
      <a class="back" href={PATHS.boletins}>
        {own.all}
      </a>
      <Page title={t.screens.agendas} lead={own.agendas.lead} actions={create}>
        {error !== null && <Notice kind="error" text={presentText(error)} />}
        {done !== null && <Notice kind="done" text={done} />}
        <Answer query={list} lines={8}>
          {({ items, total, pages, size }) =>
            total === 0 ? (
              <Empty text={own.agendas.none} />
            ) : items.length === 0 ? (
              <NoSuchPage page={page} href={hrefOfPage(1)} />
            ) : (
              <div class="imports">
                <Table
                  caption={t.screens.agendas}
                  columns={columns({ open: setOpen, toggle })}
                  rows={items}
                  keyOf={({ id }) => id}
                  keys={{ open: edit, edit }}
                />
                <Pager page={page} pages={pages} size={size} total={total} hrefOf={hrefOfPage} />
              </div>
            )
          }
        </Answer>
      </Page>
      {open?.kind === 'new' && (
        <AgendaDialog agenda={null} onClose={() => setOpen(null)} onDone={() => finish(own.agendas.saved)} />
      )}
      {open !== null && open.kind !== 'new' && (
        <OnDemand
          key={open.kind}
          load={() => loadDialog(open.kind, open.agenda.id)}
          props={{
            onClose: () => setOpen(null),
            onDone: () => finish(open.kind === 'edit' ? own.agendas.saved : own.agendas.removed),
          }}
        />
      )}
    </>
  )
}

const hrefOfPage = (page: number) => (page === 1 ? PATHS.agendas : `${PATHS.agendas}?pagina=${page}`)

interface Acts {
  open(what: Open): void
  toggle(agenda: Agenda): Promise<void>
}

function columns({ open, toggle }: Acts): Column<Agenda>[] {
  const own = boletinsTexts()
  const t = own.agendas
  return [
    {
      key: 'nome',
      title: t.name,
      cell: ({ nome, ativo, usuario }) => (
        <>
          {nome} <span class={`tag ${ativo ? 'green' : 'amber'}`}>{ativo ? t.on : t.off}</span>
          <small>{usuario.nome}</small>
        </>
      ),
    },
    {
      key: 'quando',
      title: t.when,
      cell: ({ dia_semana, hora, proxima_em }) => (
        <>
          {t.at(dia_semana, hora)}
          {proxima_em !== null && <small>{t.next(new Date(proxima_em))}</small>}
        </>
      ),
    },
    {
      key: 'boletins',
      title: t.what,
      cell: ({ pedidos }) => (
        <>
          {pedidos.map((pedido, at) => (
            <div key={at}>
              <PedidoWords pedido={toPedido(pedido)} />
            </div>
          ))}
        </>
      ),
    },
    {
      key: 'grupos',
      title: t.groups,
      cell: ({ grupos }) => (grupos.length === 0 ? t.nobody : grupos.map(({ nome }) => nome).join(', ')),
    },
    {
      key: 'acoes',
      title: own.actions,
      cell: (agenda) => (
        <div class="row-actions">
          <Button
            kind="quiet"
            aria-label={t.editOf(agenda.nome)}
            onClick={() => open({ kind: 'edit', agenda })}
          >
            {t.edit}
          </Button>
          <ActButton
            kind="quiet"
            aria-label={agenda.ativo ? t.pauseOf(agenda.nome) : t.resumeOf(agenda.nome)}
            act={() => toggle(agenda)}
          >
            {agenda.ativo ? t.pause : t.resume}
          </ActButton>
          <Button
            kind="quiet"
            aria-label={t.removeOf(agenda.nome)}
            onClick={() => open({ kind: 'remove', agenda })}
          >
            {t.remove}
          </Button>
        </div>
      ),
    },
  ]
}
