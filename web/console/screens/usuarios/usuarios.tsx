import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api, cache, holds } from '../../state/session.ts'
import { tagged } from '../../state/tagged.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Folded } from '../../ui/folded.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmptyByFilter, NoSuchPage, PaperFilter, partWords } from '../../ui/near-filters.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableExport } from '../../ui/table-export.tsx'
import { NO_FILTERS, readUsuarios, usuariosPath, usuariosQuery } from './address.ts'
import { UsuarioFilterBar } from './filter-bar.tsx'
import { useUsuarioParts } from './filter-parts.ts'
import { NewDialog } from './new-dialog.tsx'
import { SidePanel } from './side-panel.tsx'
import { StateTags } from './state-tags.tsx'
import './styles.ts'
import { placesText, type UsuarioListado, usuarioHref } from './usuario-texts.ts'

const loadNumbers = () => import('./numbers.tsx')
const SIZE = 25
/** As `.list-and-summary` has room for both. */
const BESIDE = '(min-width: 1101px)'

/** Dialogue that edits an account, of which the list has only a part. */
async function loadEdit(id: number) {
  const [{ EditDialog }, conta] = await Promise.all([
    import('./edit-dialog.tsx'),
    tagged('/api/v1/usuarios/{id}', { params: { id } }),
  ])
  return {
    default: (props: { onDone(): void; onClose(): void }) => <EditDialog conta={conta} {...props} />,
  }
}

/** Accounts within reach, by name. */
export default function Usuarios() {
  const t = texts()
  const own = usuariosTexts()
  const { url, route } = useLocation()
  const [open, setOpen] = useState<'new' | 'export' | { edit: number } | null>(null)
  const [isSaved, setSaved] = useState(false)
  const [shown, setShown] = useState<UsuarioListado | null>(null)
  // Where there is no room beside the list, the account has the screen.
  const show = (conta: UsuarioListado) =>
    matchMedia(BESIDE).matches
      ? setShown(conta.id === shown?.id ? null : conta)
      : route(usuarioHref(conta.id))
  useEffect(() => setShown(null), [url])
  const address = readUsuarios(url.split('?')[1] ?? '')
  const { filters, order, page } = address
  const asked = { ...usuariosQuery(filters), sort: order.by, order: order.direction, page, size: SIZE }
  const query = useQuery({
    queryKey: ['usuarios', 'list', asked],
    queryFn: ({ signal }) => api.get('/api/v1/usuarios', { query: asked }, { signal }),
  })
  const parts = useUsuarioParts(filters)
  return (
    <Page
      title={t.screens.usuarios}
      lead={own.lead(query.data?.total)}
      actions={
        holds(['usuarios.criar']) || holds(['usuarios.exportar']) ? (
          <>
            {holds(['usuarios.exportar']) && (
              <Button icon="download" onClick={() => setOpen('export')}>
                {t.casos.export}
              </Button>
            )}
            {holds(['usuarios.criar']) && (
              <Button kind="primary" icon="add" onClick={() => setOpen('new')}>
                {own.new}
              </Button>
            )}
          </>
        ) : undefined
      }
    >
      <UsuarioFilterBar
        filters={filters}
        onChange={(next, replace) => route(usuariosPath({ filters: next, order }), replace)}
      />
      <PaperFilter words={parts.map(partWords)} />
      <Folded title={own.numbers}>
        <OnDemand load={loadNumbers} />
      </Folded>
      <div class="list-tools">
        <SearchField
          label={own.search}
          value={filters.busca}
          onChange={(busca) => route(usuariosPath({ filters: { ...filters, busca }, order }), true)}
        />
      </div>
      {isSaved && <Notice kind="done" text={own.saved} />}
      <Answer query={query} lines={8}>
        {({ items, total, pages, size }) =>
          total === 0 && parts.length > 0 ? (
            <EmptyByFilter
              text={own.noneFiltered}
              name="usuarios"
              {...{ filters, none: NO_FILTERS, parts }}
              ask={(next, signal) =>
                api.get('/api/v1/usuarios', { query: { ...usuariosQuery(next), size: 1 } }, { signal })
              }
              hrefOf={(next) => usuariosPath({ filters: next })}
            />
          ) : total === 0 ? (
            <Empty text={own.none} />
          ) : items.length === 0 ? (
            <NoSuchPage page={page} href={usuariosPath({ filters, order })} />
          ) : (
            <div class="imports people">
              <div class={shown ? 'list-and-summary' : undefined}>
                <Table
                  caption={t.screens.usuarios}
                  columns={columns(shown?.id, show)}
                  rows={items}
                  keyOf={({ id }) => id}
                  keys={{
                    open: ({ id }) => usuarioHref(id),
                    edit: holds(['usuarios.editar']) ? ({ id }) => setOpen({ edit: id }) : undefined,
                  }}
                  order={order}
                  orderHref={(next) => usuariosPath({ filters, order: next })}
                  onRowClick={show}
                />
                {shown && <SidePanel key={shown.id} listado={shown} onClose={() => setShown(null)} />}
              </div>
              <Pager
                page={page}
                pages={pages}
                size={size}
                total={total}
                hrefOf={(next) => usuariosPath({ ...address, page: next })}
              />
            </div>
          )
        }
      </Answer>
      {typeof open === 'object' && open !== null && (
        <OnDemand
          key={open.edit}
          load={() => loadEdit(open.edit)}
          props={{
            onClose: () => setOpen(null),
            onDone: () => {
              setOpen(null)
              setSaved(true)
              void cache.invalidateQueries({ queryKey: ['usuarios'] })
            },
          }}
        />
      )}
      {open === 'new' && <NewDialog onClose={() => setOpen(null)} />}
      {open === 'export' && (
        <TableExport
          title={own.exportTitle}
          what={own.lead(query.data?.total)}
          start={(formato) =>
            api.post('/api/v1/usuarios/exportar', { body: { formato, filtros: usuariosQuery(filters) } })
          }
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  )
}

function columns(
  shown: number | undefined,
  onShow: (conta: UsuarioListado) => void,
): Column<UsuarioListado>[] {
  const t = usuariosTexts()
  return [
    {
      key: 'nome',
      title: t.columns.nome,
      sort: 'nome',
      cell: ({ id, nome, email, admin, servico }) => (
        <>
          <a href={usuarioHref(id)}>{nome}</a>
          <small>
            {servico ? t.serviceAccount : email}
            {admin && ` · ${t.admin}`}
          </small>
        </>
      ),
    },
    {
      key: 'grupos',
      title: t.columns.grupos,
      cell: ({ grupos }) => (grupos.length === 0 ? t.noGroup : grupos.map(({ nome }) => nome).join(', ')),
    },
    {
      key: 'territorio',
      title: t.columns.territorio,
      cell: ({ territorios }) => placesText(territorios),
    },
    {
      key: 'fator',
      title: t.columns.fator,
      cell: ({ mfa_habilitado }) => (mfa_habilitado ? t.on : t.off),
    },
    {
      key: 'quando',
      title: t.columns.acesso,
      sort: 'ultimo_acesso',
      cell: ({ ultimo_acesso }) => (ultimo_acesso === null ? t.never : t.moment(new Date(ultimo_acesso))),
    },
    {
      key: 'situacao',
      title: t.columns.situacao,
      cell: (conta) => (
        <div class="with-beside">
          <span>
            <StateTags conta={conta} />
          </span>
          <button
            type="button"
            class="button quiet"
            aria-label={t.besideOf(conta.nome)}
            aria-expanded={conta.id === shown}
            onClick={() => onShow(conta)}
          >
            <Icon name="columns" />
          </button>
        </div>
      ),
    },
  ]
}
