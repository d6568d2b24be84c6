import { useState } from 'preact/hooks'
import { PATHS, pathTo } from '../../paths.ts'
import { valorWords } from '../../state/filter-words.ts'
import { holds } from '../../state/session.ts'
import { pessoasTexts } from '../../state/texts/pessoas.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { IdentifiedBar, useIdentity } from '../../ui/identity.tsx'
import { Page } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type Busca, buscar, type Pessoa } from './busca.ts'
import { MOST_CASOS, ReportDialog } from './report-dialog.tsx'
import { SearchForm } from './search-form.tsx'

/** The service tells no more of one search. */
const MOST_FOUND = 50

interface Search {
  busca: Busca
  today: string
}

/** Cases of one person, whatever their disease; what is found is in the memory of this page alone, for five minutes. */
export default function Pessoas() {
  const t = pessoasTexts()
  const [motivo, setMotivo] = useState('')
  const [searches, setSearches] = useState(0)
  const identity = useIdentity<Pessoa[], Search>(({ busca, today }) => buscar(busca, today), '')
  const search = async (busca: Busca, today: string) => {
    await identity.show({ busca, today })
    setMotivo(busca.motivo.trim())
    setSearches(searches + 1)
  }
  return (
    <>
      <a class="back" href={PATHS.casos}>
        {texts().screens.casos}
      </a>
      <Page title={texts().screens.pessoas} lead={t.lead}>
        <SearchForm search={search} />
        {identity.shown !== null && (
          <>
            <IdentifiedBar identity={identity} />
            <Found key={searches} pessoas={identity.shown} motivo={motivo} isPrinted={identity.isPrinted} />
          </>
        )}
      </Page>
    </>
  )
}

interface FoundProps {
  pessoas: Pessoa[]
  motivo: string
  isPrinted: boolean
}

function Found({ pessoas, motivo, isPrinted }: FoundProps) {
  const t = pessoasTexts()
  const [ids, setIds] = useState<readonly number[]>([])
  const all = pessoas.map(({ caso }) => caso.id)
  const selection = {
    has: ({ caso }: Pessoa) => ids.includes(caso.id),
    toggle: ({ caso: { id } }: Pessoa) =>
      setIds(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]),
    toggleAll: () => setIds(ids.length === all.length ? [] : all),
    nameOf: ({ caso }: Pessoa) => caso.numero_notificacao,
  }
  return (
    <div class={isPrinted ? undefined : 'unprinted'}>
      <p role="status">
        <b>{t.found(pessoas.length)}</b>
      </p>
      {pessoas.length >= MOST_FOUND && <p class="note">{t.most}</p>}
      {pessoas.length > 0 && (
        <Table
          caption={texts().screens.pessoas}
          columns={columns()}
          rows={pessoas}
          keyOf={({ caso }) => caso.id}
          keys={{ select: selection.toggle }}
          selection={selection}
        />
      )}
      {ids.length > 0 && <Selected ids={ids} motivo={motivo} clear={() => setIds([])} />}
    </div>
  )
}

interface SelectedProps {
  ids: readonly number[]
  motivo: string
  clear(): void
}

function Selected({ ids, motivo, clear }: SelectedProps) {
  const t = pessoasTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <div class="bar selection" role="status">
      <b>{t.selected(ids.length)}</b>
      {ids.length > MOST_CASOS ? (
        <span>{t.report.tooMany(MOST_CASOS)}</span>
      ) : (
        <Button kind="quiet" icon="download" onClick={() => setOpen(true)}>
          {t.report.open}
        </Button>
      )}
      <Button kind="quiet" onClick={clear}>
        {t.unselect}
      </Button>
      {isOpen && <ReportDialog casos={ids} motivo={motivo} onClose={() => setOpen(false)} />}
    </div>
  )
}

function columns(): Column<Pessoa>[] {
  const t = texts()
  const own = pessoasTexts()
  return [
    {
      key: 'caso',
      title: own.columns.caso,
      cell: ({ caso: { id, numero_notificacao, data_notificacao } }) => (
        <>
          {holds(['agravos.listar']) ? (
            // Opened in another tab: coming back would be a second search in the audit.
            <a
              href={pathTo(PATHS.caso, { id })}
              target="_blank"
              rel="noreferrer"
              aria-label={own.openOf(numero_notificacao)}
            >
              {numero_notificacao}
            </a>
          ) : (
            numero_notificacao
          )}{' '}
          <small>{own.notified(t.filtros.day(data_notificacao.slice(0, 10)))}</small>
        </>
      ),
    },
    { key: 'nome', title: own.columns.nome, cell: ({ caso }) => caso.paciente.nome ?? '' },
    {
      key: 'nascimento',
      title: own.columns.nascimento,
      cell: ({ data_nascimento }) => (data_nascimento === null ? '' : t.filtros.day(data_nascimento)),
    },
    { key: 'agravo', title: own.columns.agravo, cell: ({ caso }) => valorWords(caso.tipo_agravo, t) },
    {
      key: 'lugar',
      title: own.columns.lugar,
      cell: ({ caso: { endereco } }) =>
        [endereco.municipio_residencia, endereco.estado_residencia].filter(Boolean).join(', '),
    },
    {
      key: 'semelhanca',
      title: own.columns.semelhanca,
      isNumber: true,
      cell: ({ escore }) => own.score(escore),
    },
  ]
}
