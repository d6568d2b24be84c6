-- Epizootias: single events in animals, investigated, confirmed and corrected like cases.

-- Values that an administrator may add to; `especie` are suggestions for a field of free text.
create table epizootias_valores (
  campo text not null,
  codigo text not null,
  rotulo text not null,
  criado_em timestamptz not null,
  constraint epizootias_valores__pk primary key (campo, codigo),
  constraint epizootias_valores__campo__known check (campo in ('suspeita', 'especie'))
);
insert into epizootias_valores (campo, codigo, rotulo, criado_em)
select campo, codigo, rotulo, now() from (values
  ('suspeita', 'febre_amarela', 'Febre amarela'),
  ('suspeita', 'raiva', 'Raiva'),
  ('suspeita', 'leishmaniose_visceral', 'Leishmaniose visceral'),
  ('suspeita', 'febre_nilo', 'Febre do Nilo Ocidental'),
  ('suspeita', 'encefalite_equina', 'Encefalite equina'),
  ('suspeita', 'influenza_aviaria', 'Influenza aviária'),
  ('suspeita', 'outra', 'Outra'),
  ('especie', 'alouatta', 'Alouatta (bugio, guariba)'),
  ('especie', 'callithrix', 'Callithrix (sagui)'),
  ('especie', 'sapajus', 'Sapajus (macaco-prego)'),
  ('especie', 'callicebus', 'Callicebus (sauá)'),
  ('especie', 'desmodus_rotundus', 'Desmodus rotundus (morcego-vampiro)'),
  ('especie', 'canis_familiaris', 'Canis familiaris (cão)'),
  ('especie', 'felis_catus', 'Felis catus (gato)'),
  ('especie', 'equus_caballus', 'Equus caballus (cavalo)'),
  ('especie', 'bos_taurus', 'Bos taurus (boi)'),
  ('especie', 'gallus_gallus', 'Gallus gallus (galinha)')) as inicial (campo, codigo, rotulo);

create table epizootias (
  id integer generated always as identity constraint epizootias__pk primary key,
  numero text not null,
  -- Day; null where only the month or the year is known.
  data_ocorrencia date,
  mes_ocorrencia smallint,
  ano_ocorrencia smallint not null,
  precisao_data text not null
    constraint epizootias__precisao_data__known check (precisao_data in ('dia', 'mes', 'ano')),
  data_notificacao date,
  municipio integer not null,
  estado text not null,
  localidade text,
  zona text,
  latitude double precision,
  longitude double precision,
  ambiente text,
  especie_grupo text not null,
  especie text,
  animais_doentes integer,
  animais_mortos integer,
  suspeita text not null,
  material_coletado boolean,
  data_coleta date,
  laboratorio_resultado text,
  classificacao text not null,
  criterio text,
  data_encerramento date,
  -- Encrypted: free text may name persons.
  observacao bytea,
  criado_por_id integer,
  criado_por_nome text,
  criado_em timestamptz not null,
  atualizado_em timestamptz not null,
  versao integer not null default 1,
  excluido_em timestamptz,
  excluido_por_id integer,
  excluido_por_nome text,
  -- Last import that wrote it, the version that it left, and the import that created it.
  importacao_id integer,
  importacao_linha integer,
  importacao_versao integer,
  criado_por_importacao integer
);
create unique index epizootias__numero__unique
  on epizootias (numero, coalesce(data_ocorrencia, '-infinity'::date)) where excluido_em is null;
create index epizootias__recentes on epizootias (data_ocorrencia desc nulls last, id desc) where excluido_em is null;
create index epizootias__lugar on epizootias (municipio, data_ocorrencia desc nulls last, id desc) where excluido_em is null;
create index epizootias__importacao on epizootias (importacao_id) where importacao_id is not null;
create index epizootias__criado_por_importacao on epizootias (criado_por_importacao) where criado_por_importacao is not null;

create table epizootias_historico (
  epizootia_id integer not null
    constraint epizootias_historico__epizootia_id__exists references epizootias on delete cascade,
  -- The version that the change made.
  versao integer not null,
  data timestamptz not null,
  acao text not null,
  usuario_id integer,
  usuario_nome text,
  alteracoes jsonb not null default '{}',
  sigilo bytea,
  importacao_id integer,
  -- Import columns the event had before, restored when this import is undone.
  importacao_anterior jsonb,
  constraint epizootias_historico__pk primary key (epizootia_id, versao)
);
create index epizootias_historico__importacao on epizootias_historico (importacao_id) where importacao_id is not null;

-- Counters, kept by triggers. Every change appends its difference in its own transaction, without updating a shared row; the
-- service adds the rows up in the background, and readers add what is there: exact at every moment. `inicio` is the day of an
-- event (`precisao` dia), the first day of its month (mes) or of its year (ano).
create table epizootias_contagens (
  estado text collate "C" not null,
  municipio integer not null,
  suspeita text collate "C" not null,
  especie_grupo text collate "C" not null,
  classificacao text collate "C" not null,
  precisao text collate "C" not null,
  inicio date not null,
  -- Year that the source counts it in; not always that of the day.
  ano smallint not null,
  eventos integer not null,
  animais_mortos bigint not null
);
create index epizootias_contagens__lugar on epizootias_contagens (municipio, inicio);
create index epizootias_contagens__inicio on epizootias_contagens (inicio);

create function inicio_da_epizootia(dia date, mes smallint, ano smallint) returns date
  language sql immutable parallel safe
  return coalesce(dia, make_date(ano, coalesce(mes, 1), 1));

create function contar_epizootias() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into epizootias_contagens
    select estado, municipio, suspeita, especie_grupo, classificacao, precisao_data,
      inicio_da_epizootia(data_ocorrencia, mes_ocorrencia, ano_ocorrencia), ano_ocorrencia, count(*),
      sum(coalesce(animais_mortos, 0))
    from depois where excluido_em is null
    group by 1, 2, 3, 4, 5, 6, 7, 8;
  elsif tg_op = 'DELETE' then
    insert into epizootias_contagens
    select estado, municipio, suspeita, especie_grupo, classificacao, precisao_data,
      inicio_da_epizootia(data_ocorrencia, mes_ocorrencia, ano_ocorrencia), ano_ocorrencia, -count(*),
      -sum(coalesce(animais_mortos, 0))
    from antes where excluido_em is null
    group by 1, 2, 3, 4, 5, 6, 7, 8;
  else
    -- Old and new rows cancel out: a change of fields that are not counted appends nothing.
    insert into epizootias_contagens
    select estado, municipio, suspeita, especie_grupo, classificacao, precisao_data,
      inicio_da_epizootia(data_ocorrencia, mes_ocorrencia, ano_ocorrencia), ano_ocorrencia, sum(sinal),
      sum(sinal * coalesce(animais_mortos, 0))
    from (select 1 as sinal, * from depois union all select -1, * from antes) mudanca
    where excluido_em is null
    group by 1, 2, 3, 4, 5, 6, 7, 8
    having sum(sinal) <> 0 or sum(sinal * coalesce(animais_mortos, 0)) <> 0;
  end if;
  return null;
end $$;
create trigger epizootias__contar_insert after insert on epizootias
  referencing new table as depois for each statement execute function contar_epizootias();
create trigger epizootias__contar_update after update on epizootias
  referencing old table as antes new table as depois for each statement execute function contar_epizootias();
create trigger epizootias__contar_delete after delete on epizootias
  referencing old table as antes for each statement execute function contar_epizootias();

-- Suspicions that an event is about, and those that a subscription asks for.
alter table eventos_novos add column suspeitas text[];
alter table eventos add column suspeitas text[];
alter table webhooks add column suspeitas text[] not null default '{}';

-- Images of blocks from before this moment are gone.
alter table series add column compactada_ate timestamptz;

insert into series (codigo, nome, descricao, dominio, tema, unidade, tipo_valor, periodo, nivel, agrega_tempo, agrega_lugar,
  minimo, casas, derivada, fonte, licenca, criado_em, atualizado_em)
values
  ('epizootias_pnh', 'Epizootias de primatas', 'Eventos em primatas não humanos, por semana de ocorrência', 'animal', 'fauna',
   '{eventos}', 'inteiro', 'semana', 'municipio', 'soma', 'soma', 0, 0,
   '{"tipo":"epizootias","especie_grupo":"pnh"}', 'Vigilância de epizootias', 'Dados abertos', now(), now()),
  ('epizootias_pnh_confirmadas', 'Epizootias de primatas confirmadas',
   'Eventos em primatas não humanos confirmados para febre amarela, por semana de ocorrência', 'animal', 'fauna',
   '{eventos}', 'inteiro', 'semana', 'municipio', 'soma', 'soma', 0, 0,
   '{"tipo":"epizootias","especie_grupo":"pnh","suspeita":"febre_amarela","classificacao":"confirmada"}',
   'Vigilância de epizootias', 'Dados abertos', now(), now())
on conflict (codigo) do nothing;

-- Permissions of installations that exist; a new one is seeded with them.
insert into permissoes (nome, descricao, padrao)
select nome, descricao, true from (values
  ('epizootias.listar', 'Ver epizootias'),
  ('epizootias.registrar', 'Registrar, alterar e importar epizootias'),
  ('epizootias.deletar', 'Excluir e restaurar epizootias')) as nova (nome, descricao)
where exists (select from permissoes)
on conflict do nothing;
insert into grupos_permissoes (grupo_id, permissao_id)
select g.id, p.id from grupos g, permissoes p
where g.padrao and p.nome = any(case g.nome
    when 'gestor' then array['epizootias.listar', 'epizootias.registrar', 'epizootias.deletar']
    when 'analista' then array['epizootias.listar', 'epizootias.registrar']
    when 'usuario' then array['epizootias.listar']
    when 'visualizador' then array['epizootias.listar']
    else array[]::text[] end)
on conflict do nothing;
