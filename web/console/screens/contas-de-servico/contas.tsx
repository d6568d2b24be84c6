import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { servicoTexts } from '../../state/texts/servico.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { type ContaNaLista, contaHref, contasQuery } from './servico-data.ts'
import '../../ui/gestao.ts'

const SIZE = 25

/** Accounts of other systems, when their keys end, and the way to a new one. */
export default function ContasDeServico() {
  const t = texts()
  const own = servicoTexts()
  const { query } = useLocation()
  const [isCreating, setCreating] = useState(false)
  const page = Math.max(1, Math.trunc(Number(query.pagina)) || 1)
  const list = useQuery(contasQuery(page, SIZE))
  const create = (label: string, kind: 'primary' | 'plain') => (
    <Button kind={kind} onClick={() => setCreating(true)}>
      {label}
    </Button>
  )
  return (
    <Page title={t.screens.contasDeServico} lead={own.lead} actions={create(own.new, 'primary')}>
      <Answer query={list} lines={6}>
        {({ contas, total, pages, size }) =>
          total === 0 ? (
            <Empty text={own.none}>{create(own.first, 'plain')}</Empty>
          ) : contas.length === 0 ? (
            <NoSuchPage page={page} href={hrefOfPage(1)} />
          ) : (
            <div class="imports">
              <Table
                caption={t.screens.contasDeServico}
                columns={columns()}
                rows={contas}
                keyOf={({ id }) => String(id)}
                keys={{ open: ({ id }) => contaHref(id) }}
              />
              <Pager page={page} pages={pages} size={size} total={total} hrefOf={hrefOfPage} />
            </div>
          )
        }
      </Answer>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

const hrefOfPage = (page: number) =>
  page === 1 ? PATHS.contasDeServico : `${PATHS.contasDeServico}?pagina=${page}`

function columns(): Column<ContaNaLista>[] {
  const own = servicoTexts()
  const at = (moment: string | null) => (moment === null ? '' : own.moment(new Date(moment)))
  return [
    {
      key: 'nome',
      title: own.name,
      cell: ({ id, nome, finalidade }) => (
        <>
          <a href={contaHref(id)}>{nome}</a>
          <small>{finalidade}</small>
        </>
      ),
    },
    {
      key: 'estado',
      title: own.state,
      cell: ({ ativo }) => (
        <span class={`tag ${ativo ? 'green' : 'plain'}`}>{ativo ? own.active : own.inactive}</span>
      ),
    },
    {
      key: 'chaves',
      title: own.keys,
      isNumber: true,
      cell: ({ chaves_ativas }) => own.number(chaves_ativas),
    },
    { key: 'expira', title: own.next, cell: ({ proxima_expiracao }) => at(proxima_expiracao) },
    { key: 'uso', title: own.lastUse, cell: ({ ultimo_acesso }) => at(ultimo_acesso) || own.never },
  ]
}
